"""An arm of three links reaches a point and stops there with little effort: torques over time as smooth splines."""

import numpy as np

import dalembert as da
from dalembert import zoo

TARGET = (1.2, 0.0, 0.8)  # m

model = zoo.pendulum(3, length=0.6, damping=0.5)
torques = [da.JointForce(name, knots=6, between="cubic") for name in model.joints]
end = {"body": "link3", "point": (0.0, 0.0, -0.3)}
objective = da.PointTarget(**end, position=TARGET, velocity=(0.0, 0.0, 0.0), weight=100.0) + da.Effort(weight=1e-4)
found = da.optimize(model, None, objective, torques, duration=1.0, dt=0.025, max_iterations=120)
run = found.run
miss = np.linalg.norm(run.body("link3").point(end["point"])[-1] - TARGET)
print(found.report())
print(f"the hand ends {1e3 * miss:.2f} mm from the target")
