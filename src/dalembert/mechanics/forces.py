"""Forces at one instant as wrenches on the bodies: force in the world at the centre of mass, torque in body axes."""

from dalembert._jit import kernel
from dalembert.mechanics.constraints import joint_frames
from dalembert.model.system import LOWER_PAIR, UNIVERSAL
from dalembert.spatial.quaternion import columns, exp, log, multiply, relative, rotate, rotate_back, row4
from dalembert.spatial.rotation import log_rate_transposed
from dalembert.spatial.vector import add, add_row3, axpy, cross, row3, scale, sub


@kernel
def knot_forces(system, position, orientation, joint_force, external, out):
    """Everything that acts at a knot by itself: gravity, ``external`` wrenches, joint forces, spherical springs.

    Springs and dampers along single coordinates are not here: they are forces of an interval.

    Args:
        joint_force: (rates of all joints,) force or torque on each joint rate, in the order of ``v``.
        external: (n + 1, 6) wrenches on the bodies.
        out: (n + 1, 6) wrenches; the world's row collects what acts on it.
    """
    for i in range(out.shape[0]):
        for k in range(3):
            out[i, k] = external[i, k] + system.mass[i] * system.gravity[k]
            out[i, 3 + k] = external[i, 3 + k]
    starts, sizes, kinds, locked, stiffness = (
        system.v_start,
        system.n_rates,
        system.joint_kind,
        system.locked,
        system.stiffness,
    )
    for j in range(kinds.shape[0]):
        idle = True
        for k in range(starts[j], starts[j] + sizes[j]):
            if joint_force[k] != 0.0:
                idle = False
        if not idle:
            _add_joint_force(system, j, position, orientation, joint_force, out)
        stiff = stiffness[j, 3] != 0.0 or stiffness[j, 4] != 0.0 or stiffness[j, 5] != 0.0
        if stiff and kinds[j] == LOWER_PAIR and not (locked[j, 3] or locked[j, 4] or locked[j, 5]):
            _add_turn_spring(system, j, orientation, out)


@kernel
def add_pair_wrench(system, j, position, orientation, force, torque, out):
    """Add a force at r_B and a torque on the child of joint j, and the opposite on its parent.

    [Brüdigam 2023] eq. (1), both vectors given in the world.
    """
    a, b = system.joint_parent[j], system.joint_child[j]
    q_a, q_b = row4(orientation, a), row4(orientation, b)
    arm_b = rotate(q_b, row3(system.child_point, j))
    arm_a = sub(add(row3(position, b), arm_b), row3(position, a))
    on_b = rotate_back(q_b, add(torque, cross(arm_b, force)))
    on_a = rotate_back(q_a, add(torque, cross(arm_a, force)))
    add_row3(out, b, force)
    add_row3(out, a, scale(-1.0, force))
    for k in range(3):
        out[b, 3 + k] += on_b[k]
        out[a, 3 + k] -= on_a[k]


@kernel
def _add_joint_force(system, j, position, orientation, joint_force, out):
    start = system.v_start[j]
    _, q_a, _, q_b = joint_frames(system, j, position, orientation)
    axes = columns(q_a)
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    k = start
    kind = system.joint_kind[j]
    for c in range(3):
        if kind == LOWER_PAIR and not system.locked[j, c]:
            force = axpy(joint_force[k], axes[0] if c == 0 else (axes[1] if c == 1 else axes[2]), force)
            k += 1
    left = start + system.n_rates[j] - k
    if left == 3:
        # the rate is the angular velocity in the axes of B
        torque = rotate(q_b, (joint_force[k], joint_force[k + 1], joint_force[k + 2]))
    elif kind == UNIVERSAL:
        torque = axpy(joint_force[k], axes[0], scale(joint_force[k + 1], rotate(q_b, (0.0, 1.0, 0.0))))
    elif left == 1:
        # for a screw the rate is the angle's; the force along the axis is the screw constraint's and does no work here
        torque = scale(joint_force[k], axes[2])
    add_pair_wrench(system, j, position, orientation, force, torque, out)


@kernel
def _add_turn_spring(system, j, orientation, out):
    """V = ½ Σ k_c u_c², u = log(rest⁻¹ · p): the torque on the child in the axes of B is −(∂u/∂ζ)ᵀ k u."""
    a, b = system.joint_parent[j], system.joint_child[j]
    q_a, q_b = row4(orientation, a), row4(orientation, b)
    f_a, f_b = row4(system.parent_frame, j), row4(system.child_frame, j)
    _, torque = turn_spring(system, j, relative(multiply(q_a, f_a), multiply(q_b, f_b)))
    on_b = rotate(f_b, torque)
    on_a = rotate_back(q_a, rotate(q_b, on_b))
    for k in range(3):
        out[b, 3 + k] += on_b[k]
        out[a, 3 + k] -= on_a[k]


@kernel
def turn_spring(system, j, p):
    """(u, torque on the child in the axes of B) of the rotational spring of joint j at the relative turn p."""
    u = log(relative(exp(_rest(system, j)), p))
    f = (-system.stiffness[j, 3] * u[0], -system.stiffness[j, 4] * u[1], -system.stiffness[j, 5] * u[2])
    return u, log_rate_transposed(u, f)


@kernel
def _rest(system, j):
    return (system.rest[j, 3], system.rest[j, 4], system.rest[j, 5])
