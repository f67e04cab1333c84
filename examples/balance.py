"""A pole that is kept upright: a linear-quadratic regulator from the linearised step of the integrator."""

import numpy as np

import dalembert as da

model = da.zoo.cart_pole()
integrator, dt = da.MaximalVI(tol=1e-13), 0.01
regulator = da.lqr(
    model,
    model.state(),
    dt=dt,
    integrator=integrator,
    joints=["rail"],
    state_cost=[1.0, 10.0, 0.1, 0.1],
    force_cost=0.1,
    limit=20.0,
)
start = model.state(positions={"hinge": 0.3})
run = da.simulate(model, start, duration=8.0, dt=dt, integrator=integrator, controller=regulator)

slowest = np.abs(np.linalg.eigvals(regulator.closed_loop)).max()
print(run.report())
print(f"slowest mode: {slowest:.4f} a step; the pole ends {run.joint('hinge').position[-1]:.1e} rad from upright")
