"""Products with the Jacobian of the tree, J: rates → twists of the bodies, in O(n): J x, J̇ x and Jᵀ y.

[Sueda 2021] section 2.10, algorithms 5 and 6. Twists are (velocity of the centre of mass; angular velocity), wrenches
(force; torque about it), all in world axes. With screws s as fields and ṡ = V × s, see
`dalembert.mechanics.reduced_tree`, the rate of J x as a field is Σ ṡ x. As a velocity of the centre of mass, which
moves with v, it has θ × v besides, (u, θ) being J x.
"""

from dalembert._jit import kernel
from dalembert.mechanics.recursive_tree import add_row6, angular6, dot6, linear6, set_row6
from dalembert.mechanics.reduced_tree import axpy6, motion_row, shifted
from dalembert.spatial.vector import add, cross, row3, sub


@kernel
def jacobian_times(system, at, x, out):
    """J x into ``out`` (n + 1, 6); the tree ``at`` is placed."""
    _spread(system, at, at.screw, x, out)


@kernel
def jacobian_rate_times(system, at, x, product, out):
    """J̇ x into ``out`` (n + 1, 6), with J x in ``product``; the tree ``at`` moves (`move_tree`)."""
    _spread(system, at, at.screw_rate, x, out)
    for i in range(out.shape[0]):
        turning = cross(angular6(product, i), linear6(at.twist, i))
        for k in range(3):
            out[i, k] += turning[k]


@kernel
def _spread(system, at, screws, x, out):
    zero = (0.0, 0.0, 0.0)
    set_row6(out, system.mass.size - 1, zero, zero)
    for i in range(system.tree_joint.size):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        arm = sub(row3(at.position, body), row3(at.position, origin))
        motion = shifted(linear6(out, origin), angular6(out, origin), arm)
        for k in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            motion = axpy6(x[k], motion_row(screws, k), motion)
        set_row6(out, body, motion[0], motion[1])


@kernel
def jacobian_transposed_times(system, at, y, out):
    """Jᵀ y into ``out`` (n_v,); ``y`` (n + 1, 6) is gathered in place."""
    for i in range(system.tree_joint.size - 1, -1, -1):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        force, torque = linear6(y, body), angular6(y, body)
        for k in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            out[k] = dot6(at.screw, k, force, torque)
        arm = sub(row3(at.position, body), row3(at.position, origin))
        add_row6(y, origin, force, add(torque, cross(arm, force)))
