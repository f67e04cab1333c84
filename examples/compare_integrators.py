"""One mechanism, three methods, two hundred seconds: an energy that stays in a band, and one that runs away."""

import numpy as np

import dalembert as da

model = da.zoo.double_pendulum()
start = model.state(positions={"joint1": 1.0, "joint2": 0.5})
methods = {"MaximalVI": da.MaximalVI(), "MinimalVI": da.MinimalVI(), "rk4": da.RungeKutta("rk4")}
errors = {}
for name, integrator in methods.items():
    run = da.simulate(model, start, duration=200.0, dt=0.02, integrator=integrator)
    quarters = np.array_split(np.abs(run.energy - run.energy[0]), 4)
    errors[name] = [float(quarter.max()) for quarter in quarters]
    print(f"{name:<10} largest energy error, J, every 50 s: " + "  ".join(f"{error:.2f}" for error in errors[name]))
