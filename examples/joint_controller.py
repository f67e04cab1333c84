"""A two-link arm that is led along a path by a controller in Python: where a joint stands and how it moves.

The controller is asked once a step. It reads the joints' coordinates and rates from the state and answers with torques:
a spring and a damper towards the path, in software.
"""

import numpy as np

import dalembert as da

STIFFNESS = 150.0  # N m/rad
DAMPING = 8.0  # N m s/rad; held for a step, so times dt it must stay well below the inertia that it brakes

builder = da.ModelBuilder(gravity=(0, 0, -9.81))
builder.add_body("upper", shape=da.Capsule(0.04, 0.5), mass=2.0, position=(0, 0, -0.25))
builder.add_body("fore", shape=da.Capsule(0.03, 0.4), mass=1.5, position=(0, 0, -0.7))
builder.add_joint("shoulder", da.Revolute(axis=(0, 1, 0)), parent="world", child="upper", anchor=(0, 0, 0))
builder.add_joint("elbow", da.Revolute(axis=(0, 1, 0)), parent="upper", child="fore", anchor=(0, 0, -0.5))
model = builder.build()
joints = {name: model.joints[name] for name in ("shoulder", "elbow")}


def path(time: float) -> dict[str, float]:
    """Where each joint should be, rad."""
    return {"shoulder": 0.5 * np.sin(2.0 * time), "elbow": -0.4 * (1.0 - np.cos(3.0 * time))}


def lead(time: float, state: da.State) -> dict[str, float]:
    """Torques at the joints, N m."""
    torques = {}
    for name, target in path(time).items():
        # a joint's record says where its numbers stand among those of all joints
        angle = state.coordinates[joints[name].coordinates][0]
        rate = state.rates[joints[name].rates][0]
        torques[name] = STIFFNESS * (target - angle) - DAMPING * rate
    return torques


run = da.simulate(model, duration=5.0, dt=0.002, integrator=da.MaximalVI(), controller=lead)
error = max(np.abs(run.joint(name).position - [path(t)[name] for t in run.time]).max() for name in joints)
print(run.report())
print(f"largest distance from the path: {error:.3f} rad")
