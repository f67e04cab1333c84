"""A pole on a cart swings up: the force on the cart over two seconds is found by exact gradients through the run."""

import numpy as np

import dalembert as da
from dalembert import zoo

model = zoo.cart_pole()
state = model.state(positions={"hinge": np.pi})
push = da.JointForce("rail", knots=21)
objective = (
    da.JointTarget("hinge", position=0.0, velocity=0.0, weight=10.0)
    + da.JointTarget("rail", position=0.0, velocity=0.0, weight=10.0)
    + da.Effort(weight=1e-4)
)
# at rest the pole hangs still, and pushing one way is as good as the other: begin to one side
found = da.optimize(
    model,
    state,
    objective,
    [push],
    duration=2.0,
    dt=0.02,
    max_iterations=120,
    bounds={push: (-20.0, 20.0)},
    values={push: np.linspace(3.0, -3.0, 21)},
)
run = found.run
print(found.report())
angle, rate = run.joint("hinge").position[-1], run.joint("hinge").velocity[-1]
print(f"the pole ends {angle:.4f} rad from upright, turning at {rate:.4f} rad/s")
