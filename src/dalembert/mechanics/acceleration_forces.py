"""Springs and dampers as forces at one instant, for integrators of the continuous equations.

Variational integrators take them as forces of an interval instead; gravity, joint forces and the springs of free
rotations are in `dalembert.mechanics.forces` and serve both.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.forces import add_pair_wrench
from dalembert.mechanics.kinematics_joint import child_frame_pose, relative_velocity
from dalembert.model.system import CUSTOM, DISTANCE, GEAR, LOWER_PAIR, Integers, System
from dalembert.spatial.quaternion import rotate


def springy_components(system: System) -> Integers:
    """(m, 6) 1 where a single free component has a spring or a damper; free rotations about a point are left out."""
    free = (system.locked == 0) & ((system.stiffness != 0.0) | (system.damping != 0.0))
    for j, kind in enumerate(system.joint_kind):
        if kind in (GEAR, CUSTOM):
            free[j] = False
        elif kind == DISTANCE:
            free[j, 1:] = False
        elif kind == LOWER_PAIR and not system.locked[j, 3:].any():
            free[j, 3:] = False
    return free.astype(np.int64)


@kernel
def add_springs_and_dampers(system, springy, value, jacobian, velocity, angular_velocity, out):
    """Add −k (c − c₀) − d ċ along each springy component, as wrenches on the bodies of its joint.

    Args:
        springy: (m, 6) from `springy_components`.
        value: (m, 6) components of the joints, and ``jacobian`` (edges, 6, 6) their rows, see
            `dalembert.mechanics.constraints`.
        velocity: (n + 1, 3) in the world, and ``angular_velocity`` (n + 1, 3) in body axes.
        out: (n + 1, 6) wrenches that are added to.
    """
    for j in range(springy.shape[0]):
        first, last = system.incidence_start[j], system.incidence_start[j + 1]
        for c in range(6):
            if springy[j, c] == 0:
                continue
            rate = 0.0
            for e in range(first, last):
                body = system.incidence_body[e]
                for k in range(3):
                    rate += jacobian[e, c, k] * velocity[body, k] + jacobian[e, c, 3 + k] * angular_velocity[body, k]
            force = -system.stiffness[j, c] * (value[j, c] - system.rest[j, c]) - system.damping[j, c] * rate
            for e in range(first, last):
                for k in range(6):
                    out[system.incidence_body[e], k] += force * jacobian[e, c, k]


@kernel
def add_turn_dampers(system, position, orientation, velocity, angular_velocity, out):
    """Add the torques −d w of joints that turn freely, w the relative angular velocity in the axes of B."""
    for j in range(system.joint_kind.size):
        if system.joint_kind[j] != LOWER_PAIR or system.n_coordinates[j] == system.n_rates[j]:
            continue
        d = (system.damping[j, 3], system.damping[j, 4], system.damping[j, 5])
        if d[0] == 0.0 and d[1] == 0.0 and d[2] == 0.0:
            continue
        _, w = relative_velocity(system, j, position, orientation, velocity, angular_velocity)
        _, frame_b = child_frame_pose(system, j, position, orientation)
        torque = rotate(frame_b, (-d[0] * w[0], -d[1] * w[1], -d[2] * w[2]))
        add_pair_wrench(system, j, position, orientation, (0.0, 0.0, 0.0), torque, out)
