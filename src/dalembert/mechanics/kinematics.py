"""The mechanism: poses and velocities of all bodies from joint coordinates and rates, and back.

Arrays over bodies have n + 1 rows and the last, the world's, is written too, so a caller may pass fresh memory.
"""

from dalembert._jit import kernel
from dalembert.mechanics.kinematics_joint import (
    child_frame_pose,
    coordinate_pose,
    coordinate_velocity,
    has_coordinates,
    parent_frame_pose,
    placed_by_child,
    placed_by_parent,
    read_coordinates,
    read_product_rates,
    read_rates,
    relative_pose,
    relative_velocity,
    screw,
)
from dalembert.mechanics.product_joint import product_screw
from dalembert.model.system import PRODUCT
from dalembert.spatial.quaternion import multiply, rotate, rotate_back, row4, set_row4
from dalembert.spatial.vector import add, axpy, cross, row3, scale, set_row3, sub


@kernel
def place_bodies(system, q, position, orientation):
    """Forward kinematics over the spanning tree: fills ``position`` (n+1, 3) and ``orientation`` (n+1, 4)."""
    world = system.mass.size - 1
    set_row3(position, world, (0.0, 0.0, 0.0))
    set_row4(orientation, world, (1.0, 0.0, 0.0, 0.0))
    for i in range(system.tree_joint.size):
        place_body(system, i, q, position, orientation)


@kernel
def place_body(system, i, q, position, orientation):
    """The pose of the body placed by tree joint i, whose tree parent is placed already."""
    j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
    t, p = coordinate_pose(system, j, q)
    x, turn = row3(position, origin), row4(orientation, origin)
    if system.tree_reversed[i] == 0:
        x, turn = placed_by_parent(system, j, x, turn, t, p)
    else:
        x, turn = placed_by_child(system, j, x, turn, t, p)
    set_row3(position, body, x)
    set_row4(orientation, body, turn)


@kernel
def move_bodies(system, q, v, position, orientation, velocity, angular_velocity):
    """Velocities from the rates of the tree joints, with the poses placed already.

    Ω and the velocity of the material point at r_B pass from body to body, Ω_b = Ω_a + Q_B w and
    V_b(r_B) = V_a(r_B) + Q_A ṫ; with signs changed where the joint is crossed from child to parent.
    """
    world = system.mass.size - 1
    set_row3(velocity, world, (0.0, 0.0, 0.0))
    set_row3(angular_velocity, world, (0.0, 0.0, 0.0))
    for i in range(system.tree_joint.size):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        dt, w = coordinate_velocity(system, j, q, v)
        r_b, frame_b = child_frame_pose(system, j, position, orientation)
        frame_a = multiply(row4(orientation, system.joint_parent[j]), row4(system.parent_frame, j))
        sign = 1.0 if system.tree_reversed[i] == 0 else -1.0
        omega_origin = rotate(row4(orientation, origin), row3(angular_velocity, origin))
        omega = axpy(sign, rotate(frame_b, w), omega_origin)
        at_joint = add(row3(velocity, origin), cross(omega_origin, sub(r_b, row3(position, origin))))
        at_joint = axpy(sign, rotate(frame_a, dt), at_joint)
        set_row3(velocity, body, sub(at_joint, cross(omega, sub(r_b, row3(position, body)))))
        set_row3(angular_velocity, body, rotate_back(row4(orientation, body), omega))


@kernel
def joint_coordinates(system, position, orientation, previous, out):
    """Coordinates of all joints, tree and loop, from the poses: angles on the branch and quaternions with the sign
    nearest to ``previous``, which may be ``out`` itself."""
    for j in range(system.joint_kind.size):
        if has_coordinates(system, j):
            t, p = relative_pose(system, j, position, orientation)
            read_coordinates(system, j, t, p, previous, out)


@kernel
def joint_rates(system, position, orientation, velocity, angular_velocity, out):
    """Rates of all joints, tree and loop, from the poses and velocities of the bodies; products: `product_rates`."""
    for j in range(system.joint_kind.size):
        if has_coordinates(system, j):
            _, p = relative_pose(system, j, position, orientation)
            dt, w = relative_velocity(system, j, position, orientation, velocity, angular_velocity)
            read_rates(system, j, p, dt, w, out)


@kernel
def product_rates(system, coordinates, position, orientation, velocity, angular_velocity, out):
    """Rates of all joints that are products, whose screws depend on their coordinates: what `joint_rates` leaves."""
    for j in range(system.joint_kind.size):
        if system.joint_kind[j] == PRODUCT:
            _, p = relative_pose(system, j, position, orientation)
            dt, w = relative_velocity(system, j, position, orientation, velocity, angular_velocity)
            read_product_rates(system, j, coordinates, p, dt, w, out)


@kernel
def tree_screws(system, position, orientation, out):
    """Per minimal rate its screw (n_v, 6): [velocity; angular velocity] in world axes that a unit rate adds to the body
    it places, the velocity being that of the body's centre of mass. Those of products are left to `product_screws`."""
    for i in range(system.tree_joint.size):
        j, body = system.tree_joint[i], system.tree_body[i]
        if system.joint_kind[j] == PRODUCT:
            continue
        r_b, frame_b = child_frame_pose(system, j, position, orientation)
        _, frame_a = parent_frame_pose(system, j, position, orientation)
        sign = 1.0 if system.tree_reversed[i] == 0 else -1.0
        arm = sub(row3(position, body), r_b)
        for k in range(system.n_rates[j]):
            linear, angular = screw(system, j, k, frame_a, frame_b)
            linear = scale(sign, add(linear, cross(angular, arm)))
            row = system.v_start[j] + k
            for c in range(3):
                out[row, c] = linear[c]
                out[row, 3 + c] = sign * angular[c]


@kernel
def product_screws(system, q, position, orientation, out):
    """The rows of `tree_screws` that belong to products at the coordinates q."""
    for i in range(system.tree_joint.size):
        j, body = system.tree_joint[i], system.tree_body[i]
        if system.joint_kind[j] == PRODUCT:
            sign = 1.0 if system.tree_reversed[i] == 0 else -1.0
            for k in range(system.n_rates[j]):
                local = product_screw(system, j, q, system.q_start[j], k)
                linear, angular = seen_at(system, j, body, position, orientation, local)
                for c in range(3):
                    out[system.v_start[j] + k, c] = sign * linear[c]
                    out[system.v_start[j] + k, 3 + c] = sign * angular[c]


@kernel
def seen_at(system, j, body, position, orientation, twist):
    """A twist in the axes of B about its origin, in world axes about the centre of mass of a body."""
    r_b, frame_b = child_frame_pose(system, j, position, orientation)
    angular = rotate(frame_b, twist[1])
    return add(rotate(frame_b, twist[0]), cross(angular, sub(row3(position, body), r_b))), angular


@kernel
def tree_jacobian(system, q, position, orientation, out):
    """∂(body velocity)/∂v of the tree into ``out`` (n+1, 6, n_v): rows [linear, world axes; angular, body axes].

    A column passes from body to body as a rigid motion, (V, Ω) → (V + Ω×(x_i − x_p), Ω); the joint between them adds
    its own screws. The coordinates ``q`` are those that the poses were placed from; the screws follow from the poses.
    """
    n = system.tree_joint.size
    for i in range(n + 1):
        for c in range(6):
            for k in range(system.n_v):
                out[i, c, k] = 0.0
    for i in range(n):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        arm = sub(row3(position, body), row3(position, origin))
        turn, turn_origin = row4(orientation, body), row4(orientation, origin)
        # only the rates of earlier tree joints can move the tree parent
        for k in range(system.v_start[j]):
            omega = rotate(turn_origin, _column(out, origin, 3, k))
            _set_column(out, body, 0, k, add(_column(out, origin, 0, k), cross(omega, arm)))
            _set_column(out, body, 3, k, rotate_back(turn, omega))
        r_b, frame_b = child_frame_pose(system, j, position, orientation)
        _, frame_a = parent_frame_pose(system, j, position, orientation)
        sign = 1.0 if system.tree_reversed[i] == 0 else -1.0
        for k in range(system.n_rates[j]):
            if system.joint_kind[j] == PRODUCT:
                local = product_screw(system, j, q, system.q_start[j], k)
                linear, angular = rotate(frame_b, local[0]), rotate(frame_b, local[1])
            else:
                linear, angular = screw(system, j, k, frame_a, frame_b)
            linear = add(linear, cross(angular, sub(row3(position, body), r_b)))
            _set_column(out, body, 0, system.v_start[j] + k, scale(sign, linear))
            _set_column(out, body, 3, system.v_start[j] + k, rotate_back(turn, scale(sign, angular)))


@kernel
def _column(a, i, first, k):
    return (a[i, first, k], a[i, first + 1, k], a[i, first + 2, k])


@kernel
def _set_column(a, i, first, k, u):
    a[i, first, k] = u[0]
    a[i, first + 1, k] = u[1]
    a[i, first + 2, k] = u[2]
