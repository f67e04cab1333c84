"""What each joint demands: the values and Jacobians of its components.

[Brüdigam 2023] builds joints from two general functions, the relative position (B.1) and the vector part of the relative
turn (B.3), and a selection matrix (B.7). Here the selection is the mask ``active[j, c]`` over the six components of
`dalembert.model.system`; component c of joint j has

* ``value[j, c]``: the violation of a locked component, or the coordinate of a free one (angles unwrapped to the branch
  nearest to ``coordinates``);
* ``jacobian[edge, c, :]`` for each edge = (joint, body), see `dalembert.mechanics.rows`.

Vector parts count twice, so that a small violation is an angle in radians and its multiplier a torque in N m.
"""

from dalembert._jit import kernel
from dalembert.mechanics.kinematics_joint import (
    axis_angle,
    axis_angle_gradient,
    child_frame_pose,
    nearest_branch,
    parent_frame_pose,
    universal_angles,
    universal_gradients,
)
from dalembert.mechanics.rows import add_rotation_row, distance_row, rotation_row, translation_row
from dalembert.model.system import CUSTOM, DISTANCE, GEAR, SCREW, UNIVERSAL
from dalembert.spatial.quaternion import columns, relative, rotate
from dalembert.spatial.vector import axpy, cross, dot, norm, scale, sub


@kernel
def joint_frames(system, j, position, orientation):
    """(r_A, q_A, r_B, q_B): where joint j's frames A on its parent and B on its child stand in the world."""
    r_a, q_a = parent_frame_pose(system, j, position, orientation)
    r_b, q_b = child_frame_pose(system, j, position, orientation)
    return r_a, q_a, r_b, q_b


@kernel
def evaluate_constraints(system, active, coordinates, position, orientation, value, jacobian):
    """Fill ``value`` (m, 6) and ``jacobian`` (edges, 6, 6) for the components with ``active`` (m, 6) set.

    Custom constraints are the user's Python functions and are left untouched.
    """
    for j in range(system.joint_kind.shape[0]):
        kind = system.joint_kind[j]
        if kind == GEAR:
            _gear(system, j, coordinates, position, orientation, value, jacobian)
        elif kind == DISTANCE:
            _distance(system, j, position, orientation, value, jacobian)
        elif kind != CUSTOM:
            _pair(system, j, kind, active, coordinates, position, orientation, value, jacobian)


@kernel
def _pair(system, j, kind, active, coordinates, position, orientation, value, jacobian):
    edge_a = system.incidence_start[j]
    edge_b = edge_a + 1
    r_a, q_a, r_b, q_b = joint_frames(system, j, position, orientation)
    axes = columns(q_a)
    d = sub(r_b, r_a)
    p = relative(q_a, q_b)
    for c in range(3):
        if active[j, c]:
            # (B.1), one component: t_c = E_c · (r_B − r_A)
            n = axes[0] if c == 0 else (axes[1] if c == 1 else axes[2])
            value[j, c] = dot(n, d)
            translation_row(system, j, n, 1.0, position, orientation, jacobian, edge_a, edge_b, c)
    if kind == UNIVERSAL:
        _universal(system, j, active, coordinates, orientation, q_a, q_b, p, value, jacobian)
        return
    for c in range(3, 6):
        if active[j, c] and system.locked[j, c]:
            # (B.3), one component: 2 p_v · e; a turn ζ of B against A, in the axes of A, changes it by w ζ + ζ × p_v
            e = (1.0 if c == 3 else 0.0, 1.0 if c == 4 else 0.0, 1.0 if c == 5 else 0.0)
            value[j, c] = 2.0 * p[c - 2]
            n = axpy(p[0], e, cross((p[1], p[2], p[3]), e))
            rotation_row(system, j, rotate(q_a, n), orientation, jacobian, edge_a, edge_b, c)
    if kind == SCREW:
        theta, n = _angle(p, q_b, coordinates[system.q_start[j]])
        if active[j, 2]:
            value[j, 2] -= system.parameter[j] * theta
            add_rotation_row(system, j, scale(-system.parameter[j], n), orientation, jacobian, edge_a, edge_b, 2)
        if active[j, 5]:
            value[j, 5] = theta
            rotation_row(system, j, n, orientation, jacobian, edge_a, edge_b, 5)
    elif active[j, 5] and system.locked[j, 3] and not system.locked[j, 5]:
        angle = system.q_start[j] + system.n_coordinates[j] - 1
        theta, n = _angle(p, q_b, coordinates[angle])
        value[j, 5] = theta
        rotation_row(system, j, n, orientation, jacobian, edge_a, edge_b, 5)


@kernel
def _angle(p, q_b, near):
    """The angle about the third axis on the branch nearest to ``near``, and the world vector n of its rate."""
    return nearest_branch(axis_angle(p), near), rotate(q_b, axis_angle_gradient(p))


@kernel
def _universal(system, j, active, coordinates, orientation, q_a, q_b, p, value, jacobian):
    edge_a = system.incidence_start[j]
    edge_b = edge_a + 1
    angles, gradients = universal_angles(p), universal_gradients(p)
    for k in range(2):
        if active[j, 3 + k]:
            value[j, 3 + k] = nearest_branch(angles[k], coordinates[system.q_start[j] + k])
            rotation_row(system, j, rotate(q_b, gradients[k]), orientation, jacobian, edge_a, edge_b, 3 + k)
    if active[j, 5]:
        # the cosine between A's axis 1 and B's axis 2: δb = ζ × b for a turn ζ of B against A
        b = rotate(p, (0.0, 1.0, 0.0))
        value[j, 5] = b[0]
        rotation_row(system, j, rotate(q_a, (0.0, b[2], -b[1])), orientation, jacobian, edge_a, edge_b, 5)


@kernel
def _distance(system, j, position, orientation, value, jacobian):
    r_a, _, r_b, _ = joint_frames(system, j, position, orientation)
    d = sub(r_b, r_a)
    length = norm(d)
    value[j, 0] = length - system.parameter[j] if system.locked[j, 0] else length
    edge = system.incidence_start[j]
    distance_row(system, j, scale(1.0 / length, d), position, orientation, jacobian, edge, edge + 1, 0)


@kernel
def _gear(system, j, coordinates, position, orientation, value, jacobian):
    value[j, 0] = -system.offset[j]
    for side in range(2):
        factor = 1.0 if side == 0 else system.parameter[j]
        i, c = system.gear_joint[j, side], system.gear_component[j, side]
        edge = system.incidence_start[j] + 2 * side
        r_a, q_a, r_b, q_b = joint_frames(system, i, position, orientation)
        if c < 3:
            axes = columns(q_a)
            n = axes[0] if c == 0 else (axes[1] if c == 1 else axes[2])
            value[j, 0] += factor * dot(n, sub(r_b, r_a))
            translation_row(system, i, n, factor, position, orientation, jacobian, edge, edge + 1, 0)
        else:
            angle = system.q_start[i] + system.n_coordinates[i] - 1
            theta, n = _angle(relative(q_a, q_b), q_b, coordinates[angle])
            value[j, 0] += factor * theta
            rotation_row(system, i, scale(factor, n), orientation, jacobian, edge, edge + 1, 0)


@kernel
def worst_violation(system, value):
    """(largest |violation| of a locked component, its joint)."""
    worst, joint = 0.0, -1
    for j in range(value.shape[0]):
        for c in range(6):
            if system.locked[j, c]:
                size = abs(value[j, c])
                if not size <= worst:
                    worst, joint = size, j
    return worst, joint
