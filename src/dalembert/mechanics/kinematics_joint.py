"""One joint: its frames, its relative pose and velocity, and the maps between these and its coordinates.

Frames, components and coordinates are those of `dalembert.model.system`. With Ω the angular velocities in world axes
and all velocities those of the bodies' material points at r_B,

    ω_rel = Ω_b − Ω_a = Q_B w,        V_b(r_B) − V_a(r_B) = Q_A ṫ,

so a joint is a set of *screws*: a rate adds (linear, angular) in world axes about r_B to the motion of the child
relative to the parent. Translations are along the axes of A, turns about the axes of B; a universal joint turns about
A's first and B's second axis; a screw joint also advances along the axis. Angles are read from the relative turn p by
functions that stay smooth off the constraint manifold, and their rates are the exact derivatives of these functions.
"""

from math import atan2, cos, pi, sin

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.product_joint import product_pose, product_velocity
from dalembert.mechanics.product_place import least_squares, nearest_coordinates
from dalembert.model.system import LOWER_PAIR, PRODUCT, SCREW, UNIVERSAL
from dalembert.spatial.quaternion import conjugate, multiply, relative, rotate, rotate_back, row4
from dalembert.spatial.vector import add, cross, dot, row3, scale, sub


@kernel
def has_coordinates(system, j):
    """Whether joint j has joint coordinates: all kinds but DISTANCE, GEAR and CUSTOM."""
    kind = system.joint_kind[j]
    return kind in (LOWER_PAIR, UNIVERSAL, SCREW, PRODUCT)


@kernel
def parent_frame_pose(system, j, position, orientation):
    """(r_A, q_A), the pose of frame A in the world."""
    a = system.joint_parent[j]
    q = row4(orientation, a)
    return add(row3(position, a), rotate(q, row3(system.parent_point, j))), multiply(q, row4(system.parent_frame, j))


@kernel
def child_frame_pose(system, j, position, orientation):
    """(r_B, q_B), the pose of frame B in the world."""
    b = system.joint_child[j]
    q = row4(orientation, b)
    return add(row3(position, b), rotate(q, row3(system.child_point, j))), multiply(q, row4(system.child_frame, j))


@kernel
def relative_pose(system, j, position, orientation):
    """(t, p): the position of B in the axes of A and the turn from A to B."""
    r_a, q_a = parent_frame_pose(system, j, position, orientation)
    r_b, q_b = child_frame_pose(system, j, position, orientation)
    return rotate_back(q_a, sub(r_b, r_a)), relative(q_a, q_b)


@kernel
def relative_velocity(system, j, position, orientation, velocity, angular_velocity):
    """(ṫ, w): the rate of t in the axes of A and the angular velocity of B relative to A in the axes of B."""
    a, b = system.joint_parent[j], system.joint_child[j]
    qa, qb = row4(orientation, a), row4(orientation, b)
    omega_a = rotate(qa, row3(angular_velocity, a))
    omega_b = rotate(qb, row3(angular_velocity, b))
    arm_b = rotate(qb, row3(system.child_point, j))
    arm_a = add(sub(row3(position, b), row3(position, a)), arm_b)
    at_b = add(row3(velocity, b), cross(omega_b, arm_b))
    at_a = add(row3(velocity, a), cross(omega_a, arm_a))
    frame_a = multiply(qa, row4(system.parent_frame, j))
    frame_b = multiply(qb, row4(system.child_frame, j))
    return rotate_back(frame_a, sub(at_b, at_a)), rotate_back(frame_b, sub(omega_b, omega_a))


@kernel
def rate_component(system, j, k):
    """Which of the six components the k-th rate of joint j belongs to."""
    if system.joint_kind[j] == PRODUCT:
        return k
    for i in range(3):
        if system.joint_kind[j] == LOWER_PAIR and system.locked[j, i] == 0:
            if k == 0:
                return i
            k -= 1
    if system.joint_kind[j] == SCREW or system.locked[j, 3] == 1:
        return 5
    return 3 + k


@kernel
def screw(system, j, k, q_a, q_b):
    """(linear, angular) in world axes about r_B of the k-th rate of joint j; q_a, q_b are the turns of A and B.

    Those of a PRODUCT depend on its coordinates: see `dalembert.mechanics.product_joint`.
    """
    c = rate_component(system, j, k)
    e = (1.0 if c % 3 == 0 else 0.0, 1.0 if c % 3 == 1 else 0.0, 1.0 if c % 3 == 2 else 0.0)
    if c < 3:
        return rotate(q_a, e), (0.0, 0.0, 0.0)
    if system.joint_kind[j] == UNIVERSAL and c == 3:
        return (0.0, 0.0, 0.0), rotate(q_a, e)
    axis = rotate(q_b, e)
    if system.joint_kind[j] == SCREW:
        return scale(system.parameter[j], rotate(q_a, e)), axis
    return (0.0, 0.0, 0.0), axis


@kernel
def coordinate_pose(system, j, q):
    """(t, p) from the joint coordinates."""
    k = system.q_start[j]
    kind = system.joint_kind[j]
    if kind == UNIVERSAL:
        # p = turn θ₁ about axis 1, then θ₂ about the new axis 2
        c1, s1 = cos(0.5 * q[k]), sin(0.5 * q[k])
        c2, s2 = cos(0.5 * q[k + 1]), sin(0.5 * q[k + 1])
        return (0.0, 0.0, 0.0), (c1 * c2, s1 * c2, c1 * s2, s1 * s2)
    if kind == SCREW:
        return (0.0, 0.0, system.parameter[j] * q[k]), (cos(0.5 * q[k]), 0.0, 0.0, sin(0.5 * q[k]))
    if kind == PRODUCT:
        return product_pose(system, j, q, k)
    t, k = _free_translation(system, j, k, q)
    if system.locked[j, 5] == 1:
        return t, (1.0, 0.0, 0.0, 0.0)
    if system.locked[j, 3] == 1:
        return t, (cos(0.5 * q[k]), 0.0, 0.0, sin(0.5 * q[k]))
    return t, (q[k], q[k + 1], q[k + 2], q[k + 3])


@kernel
def coordinate_velocity(system, j, q, v):
    """(ṫ, w) from the joint coordinates and rates."""
    k = system.v_start[j]
    kind = system.joint_kind[j]
    if kind == UNIVERSAL:
        # A's axis 1 has the components (cos θ₂, 0, sin θ₂) in B
        turn = q[system.q_start[j] + 1]
        return (0.0, 0.0, 0.0), (cos(turn) * v[k], v[k + 1], sin(turn) * v[k])
    if kind == SCREW:
        return (0.0, 0.0, system.parameter[j] * v[k]), (0.0, 0.0, v[k])
    if kind == PRODUCT:
        return product_velocity(system, j, q, v)
    t, k = _free_translation(system, j, k, v)
    if system.locked[j, 5] == 1:
        return t, (0.0, 0.0, 0.0)
    if system.locked[j, 3] == 1:
        return t, (0.0, 0.0, v[k])
    return t, (v[k], v[k + 1], v[k + 2])


@kernel
def _free_translation(system, j, k, values):
    """The free translations from ``values[k:]``, zero where locked, and the index after them."""
    x = y = z = 0.0
    if system.locked[j, 0] == 0:
        x = values[k]
        k += 1
    if system.locked[j, 1] == 0:
        y = values[k]
        k += 1
    if system.locked[j, 2] == 0:
        z = values[k]
        k += 1
    return (x, y, z), k


@kernel
def nearest_branch(angle, previous):
    """The angle plus the multiple of 2π that brings it nearest to ``previous``."""
    return angle + 2.0 * pi * np.rint((previous - angle) / (2.0 * pi))


@kernel
def axis_angle(p):
    """The turn about axis 3, in (−2π, 2π]: 2 atan2(p₃, p₀)."""
    return 2.0 * atan2(p[3], p[0])


@kernel
def axis_angle_gradient(p):
    """g with d(axis_angle)/dt = g · w. From ṗ = ½ p·(0, w): θ̇ = 2 (p₀ ṗ₃ − p₃ ṗ₀) / (p₀² + p₃²)."""
    s = 1.0 / (p[0] * p[0] + p[3] * p[3])
    return (s * (p[1] * p[3] - p[0] * p[2]), s * (p[2] * p[3] + p[0] * p[1]), 1.0)


@kernel
def universal_angles(p):
    """(θ₁, θ₂): B's axis 2 is (·, cos θ₁, sin θ₁) in A, A's axis 1 is (cos θ₂, ·, sin θ₂) in B."""
    b = rotate(p, (0.0, 1.0, 0.0))
    a = rotate_back(p, (1.0, 0.0, 0.0))
    return atan2(b[2], b[1]), atan2(a[2], a[0])


@kernel
def universal_gradients(p):
    """(g₁, g₂) with θ̇₁ = g₁ · w and θ̇₂ = g₂ · w.

    With a = A's axis 1 in B: ȧ = a×w gives θ̇₂ = (a₁ ȧ₃ − a₃ ȧ₁)/(a₁² + a₃²). With b = B's axis 2 in A and |b| = 1,
    b×(ω×b) = ω − b (b·ω), so θ̇₁ = (a − a₂ e₂)·w / (1 − b₁²), and b₁ = a₂.
    """
    a = rotate_back(p, (1.0, 0.0, 0.0))
    s = 1.0 / (a[0] * a[0] + a[2] * a[2])
    return (s * a[0], 0.0, s * a[2]), (-s * a[0] * a[1], 1.0, -s * a[2] * a[1])


@kernel
def read_coordinates(system, j, t, p, previous, out):
    """The coordinates of joint j from (t, p) into ``out``, on the branch nearest to ``previous`` (may be ``out``)."""
    k = system.q_start[j]
    kind = system.joint_kind[j]
    if kind == UNIVERSAL:
        first, second = universal_angles(p)
        out[k] = nearest_branch(first, previous[k])
        out[k + 1] = nearest_branch(second, previous[k + 1])
        return
    if kind == SCREW:
        out[k] = nearest_branch(axis_angle(p), previous[k])
        return
    if kind == PRODUCT:
        for i in range(system.n_coordinates[j]):
            out[k + i] = previous[k + i]
        nearest_coordinates(system, j, t, p, out, k)
        return
    for i in range(3):
        if system.locked[j, i] == 0:
            out[k] = t[i]
            k += 1
    if system.locked[j, 5] == 1:
        return
    if system.locked[j, 3] == 1:
        out[k] = nearest_branch(axis_angle(p), previous[k])
        return
    same = p[0] * previous[k] + p[1] * previous[k + 1] + p[2] * previous[k + 2] + p[3] * previous[k + 3]
    sign = -1.0 if same < 0.0 else 1.0
    for i in range(4):
        out[k + i] = sign * p[i]


@kernel
def read_rates(system, j, p, dt, w, out):
    """The rates of joint j from p, ṫ and w into ``out``; those of a PRODUCT are left to `read_product_rates`."""
    k = system.v_start[j]
    kind = system.joint_kind[j]
    if kind == PRODUCT:
        return
    if kind == UNIVERSAL:
        first, second = universal_gradients(p)
        out[k] = dot(first, w)
        out[k + 1] = dot(second, w)
        return
    if kind == SCREW:
        out[k] = dot(axis_angle_gradient(p), w)
        return
    for i in range(3):
        if system.locked[j, i] == 0:
            out[k] = dt[i]
            k += 1
    if system.locked[j, 5] == 1:
        return
    if system.locked[j, 3] == 1:
        out[k] = dot(axis_angle_gradient(p), w)
        return
    for i in range(3):
        out[k + i] = w[i]


@kernel
def read_product_rates(system, j, q, p, dt, w, out):
    """The rates of joint j, a PRODUCT at the coordinates q, from p, ṫ and w into ``out``."""
    rates = least_squares(system, j, q, system.q_start[j], (rotate_back(p, dt), w))
    for k in range(system.n_rates[j]):
        out[system.v_start[j] + k] = rates[k]


@kernel
def placed_by_parent(system, j, x_a, q_a, t, p):
    """(x_b, q_b) of the child body from the pose (x_a, q_a) of the parent body."""
    frame_a = multiply(q_a, row4(system.parent_frame, j))
    r_b = add(add(x_a, rotate(q_a, row3(system.parent_point, j))), rotate(frame_a, t))
    q_b = multiply(multiply(frame_a, p), conjugate(row4(system.child_frame, j)))
    return sub(r_b, rotate(q_b, row3(system.child_point, j))), q_b


@kernel
def placed_by_child(system, j, x_b, q_b, t, p):
    """(x_a, q_a) of the parent body from the pose (x_b, q_b) of the child body."""
    frame_a = multiply(multiply(q_b, row4(system.child_frame, j)), conjugate(p))
    r_a = sub(add(x_b, rotate(q_b, row3(system.child_point, j))), rotate(frame_a, t))
    q_a = multiply(frame_a, conjugate(row4(system.parent_frame, j)))
    return sub(r_a, rotate(q_a, row3(system.parent_point, j))), q_a
