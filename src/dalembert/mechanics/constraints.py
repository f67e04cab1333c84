"""What each joint demands: the values and Jacobians of its components.

[Brüdigam 2023] builds joints from two general functions, the relative position (B.1) and the vector part of the
relative turn (B.3), and a selection matrix (B.7). Here the selection is the mask ``active[j, c]`` over the six
components of `dalembert.model.system`; component c of joint j has

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
from dalembert.mechanics.product_rows import put_product_rows
from dalembert.mechanics.rows import add_rotation, put_rotation, put_translation
from dalembert.model.system import CUSTOM, DISTANCE, GEAR, PRODUCT, SCREW, UNIVERSAL
from dalembert.spatial.quaternion import columns, multiply, relative, rotate, row4
from dalembert.spatial.vector import add, axis, axpy, combine, components, cross, dot, norm, row3, scale, sub, unit


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
    kinds, locked, starts, sizes = system.joint_kind, system.locked, system.q_start, system.n_coordinates
    parents, children, edges = system.joint_parent, system.joint_child, system.incidence_start
    parent_points, parent_frames = system.parent_point, system.parent_frame
    child_points, child_frames = system.child_point, system.child_frame
    for j in range(kinds.shape[0]):
        kind, a, b, edge = kinds[j], parents[j], children[j], edges[j]
        if kind == CUSTOM:
            continue
        if kind == GEAR:
            value[j, 0] = -system.offset[j]
            for side in range(2):
                i, c = system.gear_joint[j, side], system.gear_component[j, side]
                factor = 1.0 if side == 0 else system.parameter[j]
                value[j, 0] += _gear_side(
                    factor,
                    c,
                    coordinates[starts[i] + sizes[i] - 1],
                    row3(position, parents[i]),
                    row4(orientation, parents[i]),
                    row3(position, children[i]),
                    row4(orientation, children[i]),
                    row3(parent_points, i),
                    row4(parent_frames, i),
                    row3(child_points, i),
                    row4(child_frames, i),
                    jacobian,
                    edge + 2 * side,
                )
            continue
        x_a, turn_a, x_b, turn_b = row3(position, a), row4(orientation, a), row3(position, b), row4(orientation, b)
        axes_a, axes_b = columns(turn_a), columns(turn_b)
        reach_b = combine(axes_b, row3(child_points, j))
        reach_a = combine(axes_a, row3(parent_points, j))
        # from the centre of mass of a to r_B, and from r_A to r_B
        to_b = sub(add(x_b, reach_b), x_a)
        gap = sub(to_b, reach_a)
        if kind == DISTANCE:
            length = norm(gap)
            value[j, 0] = length - system.parameter[j] if locked[j, 0] else length
            put_translation(jacobian, edge, edge + 1, 0, scale(1.0 / length, gap), axes_a, axes_b, reach_a, reach_b)
            continue
        q_a, q_b = multiply(turn_a, row4(parent_frames, j)), multiply(turn_b, row4(child_frames, j))
        axes = columns(q_a)
        p = relative(q_a, q_b)
        if kind == PRODUCT:
            t = components(axes, gap)
            put_product_rows(
                system, active, j, coordinates, t, p, q_a, q_b, axes_a, axes_b, to_b, reach_b, value, jacobian, edge
            )
            continue
        for c in range(3):
            if active[j, c]:
                # (B.1), one component: t_c = E_c · (r_B − r_A)
                n = axis(axes, c)
                value[j, c] = dot(n, gap)
                put_translation(jacobian, edge, edge + 1, c, n, axes_a, axes_b, to_b, reach_b)
        if kind == UNIVERSAL:
            near = (coordinates[starts[j]], coordinates[starts[j] + 1])
            for c in range(3, 6):
                if active[j, c]:
                    value[j, c], n = _universal(c, p, q_a, q_b, near)
                    put_rotation(jacobian, edge, edge + 1, c, n, axes_a, axes_b)
            continue
        for c in range(3, 6):
            if active[j, c] and locked[j, c]:
                # (B.3), one component: 2 p_v · e; a turn ζ of B against A, in the axes of A, changes it by
                # (w e + p_v × e) · ζ
                e = unit(c - 3)
                value[j, c] = 2.0 * p[c - 2]
                n = combine(axes, axpy(p[0], e, cross((p[1], p[2], p[3]), e)))
                put_rotation(jacobian, edge, edge + 1, c, n, axes_a, axes_b)
        if locked[j, 3] and not locked[j, 5] and (active[j, 5] or kind == SCREW):
            theta = nearest_branch(axis_angle(p), coordinates[starts[j] + sizes[j] - 1])
            n = rotate(q_b, axis_angle_gradient(p))
            if active[j, 5]:
                value[j, 5] = theta
                put_rotation(jacobian, edge, edge + 1, 5, n, axes_a, axes_b)
            if kind == SCREW and active[j, 2]:
                value[j, 2] -= system.parameter[j] * theta
                add_rotation(jacobian, edge, edge + 1, 2, scale(-system.parameter[j], n), axes_a, axes_b)


@kernel
def _universal(c, p, q_a, q_b, near):
    """Component c of a universal joint and the world vector of its rate."""
    if c < 5:
        angles, gradients = universal_angles(p), universal_gradients(p)
        if c == 3:
            return nearest_branch(angles[0], near[0]), rotate(q_b, gradients[0])
        return nearest_branch(angles[1], near[1]), rotate(q_b, gradients[1])
    # the cosine between A's axis 1 and B's axis 2: δb = ζ × b for a turn ζ of B against A
    b = rotate(p, (0.0, 1.0, 0.0))
    return b[0], rotate(q_a, (0.0, b[2], -b[1]))


@kernel
def _gear_side(factor, c, near, x_a, turn_a, x_b, turn_b, point_a, frame_a, point_b, frame_b, jacobian, edge):
    """``factor`` times component c of one of the joints of a gear; its rows go to ``edge`` and the next."""
    axes_a, axes_b = columns(turn_a), columns(turn_b)
    q_a, q_b = multiply(turn_a, frame_a), multiply(turn_b, frame_b)
    if c < 3:
        reach_b = combine(axes_b, point_b)
        to_b = sub(add(x_b, reach_b), x_a)
        n = scale(factor, axis(columns(q_a), c))
        put_translation(jacobian, edge, edge + 1, 0, n, axes_a, axes_b, to_b, reach_b)
        return dot(n, sub(to_b, combine(axes_a, point_a)))
    p = relative(q_a, q_b)
    put_rotation(jacobian, edge, edge + 1, 0, scale(factor, rotate(q_b, axis_angle_gradient(p))), axes_a, axes_b)
    return factor * nearest_branch(axis_angle(p), near)


@kernel
def worst_violation(system, value):
    """(largest |violation| of a locked component, its joint)."""
    worst, joint = 0.0, -1
    for j in range(value.shape[0]):
        for c in range(6):
            if system.locked[j, c]:
                size = abs(value[j, c])
                if size != size:
                    # not a number: nothing else can be worse
                    return size, j
                if size > worst:
                    worst, joint = size, j
    return worst, joint
