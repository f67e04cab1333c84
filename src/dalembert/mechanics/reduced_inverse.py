"""Inverse dynamics of the tree: what its motion demands of the joints, M(q) v̇ + c(q, v) − Jᵀ(wrenches), in O(n).

The recursive Newton–Euler algorithm on the motion of `dalembert.mechanics.reduced_tree`. `move_tree` has run, and
``at.wrench`` holds what acts on the bodies besides gravity, [force; torque] in world axes at the centre of mass.
"""

from dalembert._jit import kernel
from dalembert.mechanics.recursive_tree import add_row6, angular6, dot6, linear6, set_row6
from dalembert.mechanics.reduced_tree import body_twist, centre_acceleration
from dalembert.spatial.vector import add, cross, mat_vec, row3, scale, sub


@kernel
def gather_demand(system, at, acceleration, out):
    """The forces (n_v,) on all minimal rates that the motion demands into ``out``; ``at.demand`` by body."""
    for i in range(system.mass.size):
        _, omega = body_twist(at, i)
        a, alpha = centre_acceleration(at, i)
        force = sub(scale(system.mass[i], a), linear6(at.wrench, i))
        spin = cross(omega, mat_vec(at.inertia, i, omega))
        torque = sub(add(mat_vec(at.inertia, i, alpha), spin), angular6(at.wrench, i))
        set_row6(at.demand, i, force, torque)
    for i in range(system.tree_joint.size - 1, -1, -1):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        force, torque = linear6(at.demand, body), angular6(at.demand, body)
        for k in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            out[k] = dot6(at.screw, k, force, torque) + at.armature[k] * acceleration[k]
        arm = sub(row3(at.position, body), row3(at.position, origin))
        add_row6(at.demand, origin, force, add(torque, cross(arm, force)))
