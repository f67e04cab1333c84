"""An arm throws a ball as far as its motors allow: an objective of one's own, with its derivatives written down.

The hand opens at the end of the run; from there the ball flies freely. How far it flies follows from where the hand is
and how fast it moves.
"""

import numpy as np

import dalembert as da
from dalembert import zoo

GRAVITY = 9.81
HAND = (0.0, 0.0, -0.2)  # in the axes of the lower arm, from its centre of mass
HEIGHT = 1.5  # of the shoulder above the floor, m

model = zoo.pendulum(2, length=0.4, gravity=GRAVITY, damping=0.1)
state = model.state(positions={"joint1": 0.8, "joint2": 1.2})
torques = [da.JointForce(name, knots=6) for name in model.joints]


def flight(run: da.Trajectory) -> tuple[float, np.ndarray, np.ndarray]:
    """Distance (m) and its derivatives by the hand's position and velocity at the end."""
    axes = np.array(run.orientation[-1, 1])
    x, z = run.body("link2").point(HAND)[-1, [0, 2]]
    w, v = axes[0], axes[1:]
    local = np.cross(run.angular_velocity[-1, 1], HAND)
    turned = local + 2 * w * np.cross(v, local) + 2 * np.cross(v, np.cross(v, local))
    u, up = (run.velocity[-1, 1] + turned)[[0, 2]]
    # z + HEIGHT + up t − g t²/2 = 0
    root = np.sqrt(up**2 + 2 * GRAVITY * (z + HEIGHT))
    time = (up + root) / GRAVITY
    by_position = np.array([1.0, 0.0, u / root])
    by_velocity = np.array([time, 0.0, u * (1 + up / root) / GRAVITY])
    return x + u * time, by_position, by_velocity


def throw(run: da.Trajectory, gradient: da.MotionGradient) -> float:
    """Minus the distance."""
    distance, by_position, by_velocity = flight(run)
    gradient.add_at_point("link2", len(run) - 1, HAND, -by_position, -by_velocity)
    return -distance


found = da.optimize(
    model,
    state,
    throw,
    torques,
    duration=0.5,
    dt=0.01,
    bounds=dict.fromkeys(torques, (-6.0, 6.0)),
    method="SLSQP",
)
run = found.run
first, best = -found.history[0], -found.value
print(found.report())
print(f"dropped, the ball would land at {first:.2f} m; thrown, at {best:.2f} m")
