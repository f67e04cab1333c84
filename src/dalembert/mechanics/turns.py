"""The turn that a free rotation has made since some instant, as components of a joint.

With p the relative turn of the joint's frames at that instant and p⁺ the present one, f = p⁻¹ p⁺ = (s, φ); the
components 3, 4, 5 of a joint whose three rotations are free have the values 2 φ, which to second order is the rotation
vector of f. Its components are the same in B's axes at both ends, since a turn leaves its own axis alone.
"""

from dalembert._jit import kernel
from dalembert.mechanics.rows import put_rotation
from dalembert.model.system import LOWER_PAIR
from dalembert.spatial.quaternion import columns, multiply, relative, rotate, row4, set_row4
from dalembert.spatial.vector import axpy, cross, unit


@kernel
def turns_freely(system, j):
    """Whether all three rotations of joint j are free."""
    free = not (system.locked[j, 3] or system.locked[j, 4] or system.locked[j, 5])
    return system.joint_kind[j] == LOWER_PAIR and free


@kernel
def relative_turns(system, active, position, orientation, turns):
    """Store p of every joint that needs the turn of the interval, ``turns`` (m, 4)."""
    for j in range(active.shape[0]):
        if (active[j, 3] or active[j, 4] or active[j, 5]) and turns_freely(system, j):
            q_a = multiply(row4(orientation, system.joint_parent[j]), row4(system.parent_frame, j))
            q_b = multiply(row4(orientation, system.joint_child[j]), row4(system.child_frame, j))
            set_row4(turns, j, relative(q_a, q_b))


@kernel
def evaluate_turns(system, active, turns, position, orientation, value, jacobian):
    """Values and Jacobians of all rows that work on the turn of the interval that ends at these poses.

    Δ = 2 φ; a relative turn ζ of B in its axes changes f to f·exp(ζ): δ(2φ) = s ζ + φ×ζ.
    """
    for j in range(active.shape[0]):
        if (active[j, 3] or active[j, 4] or active[j, 5]) and turns_freely(system, j):
            turn_a, turn_b = row4(orientation, system.joint_parent[j]), row4(orientation, system.joint_child[j])
            q_b = multiply(turn_b, row4(system.child_frame, j))
            f = relative(row4(turns, j), relative(multiply(turn_a, row4(system.parent_frame, j)), q_b))
            sign = 1.0 if f[0] >= 0.0 else -1.0
            phi = (sign * f[1], sign * f[2], sign * f[3])
            edge = system.incidence_start[j]
            for c in range(3, 6):
                if active[j, c]:
                    value[j, c] = 2.0 * phi[c - 3]
                    e = unit(c - 3)
                    n = rotate(q_b, axpy(sign * f[0], e, cross(e, phi)))
                    put_rotation(jacobian, edge, edge + 1, c, n, columns(turn_a), columns(turn_b))


@kernel
def turn_axes(system, active, position, orientation, jacobian):
    """Jacobians of the same rows at a knot, where the impulses act: the axes of B."""
    for j in range(active.shape[0]):
        if (active[j, 3] or active[j, 4] or active[j, 5]) and turns_freely(system, j):
            turn_a, turn_b = row4(orientation, system.joint_parent[j]), row4(orientation, system.joint_child[j])
            axes = columns(multiply(turn_b, row4(system.child_frame, j)))
            edge = system.incidence_start[j]
            for c in range(3, 6):
                if active[j, c]:
                    n = axes[0] if c == 3 else (axes[1] if c == 4 else axes[2])
                    put_rotation(jacobian, edge, edge + 1, c, n, columns(turn_a), columns(turn_b))
