"""What the objective feels of the joints outside the tree: their drives, springs, dampers, points and lengths.

Each component is a force f along its row, f = λ + drive − k (value − rest) − d rate. With ζ the rate of the component
in the virtual motion, zᵀ g holds −f ζ, and the constraint itself is felt by its μ. Points that sit elsewhere in their
bodies by y change, along an axis n fixed in the parent or about the line of a rod or spring (length L),

    value by n · (y_b − y_a),  a rate by n · (Ω_b − Ω_a) × y_b              (axis; the force acts at the child's point),
    value by n · (y_b − y_a),  a rate by δn · (slip) + n · (Ω_b × y_b − Ω_a × y_a)      (line),  δn = (1 − n nᵀ) y/L.
"""

from dalembert._jit import kernel
from dalembert.adjoint.coordinate_terms import add_turn_spring_terms
from dalembert.mechanics.constraints import joint_frames
from dalembert.mechanics.kinematics_joint import rate_component
from dalembert.mechanics.recursive_tree import angular6, dot6, linear6
from dalembert.mechanics.reduced_loops import turns_freely
from dalembert.model.system import DISTANCE
from dalembert.spatial.quaternion import relative, rotate_back, row4
from dalembert.spatial.vector import add, axpy, cross, dot, norm, part3, row3, scale, sub


@kernel
def add_closing_terms(system, stage, mu, factor, virtual, force, felt):
    """Add ``factor`` times ∂(zᵀ g) and minus ∂(μᵀ c) to ``felt``, a `Sensitivity`, and to ``force``."""
    at, loops = stage.equations.tree, stage.equations.loops
    for p in range(loops.pair_owner.size):
        j, i, edge = loops.pair_owner[p], loops.pair_joint[p], loops.pair_edge[p]
        for c in range(6):
            if loops.active[j, c] == 1:
                pushed = 0.0
                for r in range(mu.size):
                    if loops.row_joint[r] == j and loops.row_component[r] == c:
                        pushed = mu[r]
                _add_component(system, at, loops, j, i, edge, c, pushed, factor, virtual.twist, felt)
        if i == j:
            _add_drives(system, at, loops, j, edge, factor, virtual.twist, force, felt)


@kernel
def _add_component(system, at, loops, j, i, edge, c, mu, factor, twist, felt):
    zeta, rate = 0.0, 0.0
    for e in range(system.incidence_start[j], system.incidence_start[j + 1]):
        push, torque = part3(loops.jacobian[e], c, 0), part3(loops.jacobian[e], c, 3)
        zeta += dot6(twist, system.incidence_body[e], push, torque)
        rate += dot6(at.twist, system.incidence_body[e], push, torque)
    # what a change of the component's value and of its rate does to −f ζ
    by_value, by_rate = 0.0, 0.0
    if loops.springy[j, c] == 1:
        by_value, by_rate = system.stiffness[j, c] * zeta, system.damping[j, c] * zeta
        if edge == system.incidence_start[j]:
            felt.stiffness[j, c] += factor * zeta * (loops.value[j, c] - system.rest[j, c])
            felt.rest[j, c] -= factor * by_value
            felt.damping[j, c] += factor * zeta * rate
    by_value = factor * by_value - mu
    by_rate *= factor
    by_zeta = -factor * loops.force[j, c]
    a, b = system.joint_parent[i], system.joint_child[i]
    # the direction of the force on b; none where only turns count
    n = part3(loops.jacobian[edge + 1], c, 0)
    if n[0] == 0.0 and n[1] == 0.0 and n[2] == 0.0:
        return
    omega_a, omega_b = angular6(at.twist, a), angular6(at.twist, b)
    virtual_a, virtual_b = angular6(twist, a), angular6(twist, b)
    on_a, on_b = scale(-by_value, n), scale(by_value, n)
    if system.joint_kind[j] == DISTANCE:
        r_a, _, r_b, _ = joint_frames(system, i, at.position, at.orientation)
        reach_a, reach_b = sub(r_a, row3(at.position, a)), sub(r_b, row3(at.position, b))
        length = norm(sub(r_b, r_a))
        slip = _slip(at.twist, a, b, reach_a, reach_b)
        slid = _slip(twist, a, b, reach_a, reach_b)
        across = scale(by_rate / length, axpy(-dot(n, slip), n, slip))
        across = axpy(by_zeta / length, axpy(-dot(n, slid), n, slid), across)
        on_a, on_b = sub(on_a, across), add(on_b, across)
        on_a = sub(on_a, cross(n, axpy(by_rate, omega_a, scale(by_zeta, virtual_a))))
        on_b = add(on_b, cross(n, axpy(by_rate, omega_b, scale(by_zeta, virtual_b))))
        if system.locked[j, 0] == 1:
            felt.length[j] -= by_value
    else:
        turning = axpy(by_rate, sub(omega_b, omega_a), scale(by_zeta, sub(virtual_b, virtual_a)))
        on_b = add(on_b, cross(n, turning))
    on_a, on_b = rotate_back(row4(at.orientation, a), on_a), rotate_back(row4(at.orientation, b), on_b)
    for k in range(3):
        felt.parent_point[i, k] += on_a[k]
        felt.child_point[i, k] += on_b[k]


@kernel
def _slip(twist, a, b, reach_a, reach_b):
    """The velocity of the child's point against the parent's."""
    at_a = add(linear6(twist, a), cross(angular6(twist, a), reach_a))
    return sub(add(linear6(twist, b), cross(angular6(twist, b), reach_b)), at_a)


@kernel
def _add_drives(system, at, loops, j, edge, factor, twist, force, felt):
    """Drives of the joint's free components; spring and damper of a rotation about a point."""
    free = turns_freely(system, j)
    for k in range(system.n_rates[j] - (3 if free else 0)):
        c, zeta = rate_component(system, j, k), 0.0
        for e in range(edge, edge + 2):
            push, torque = part3(loops.jacobian[e], c, 0), part3(loops.jacobian[e], c, 3)
            zeta += dot6(twist, system.incidence_body[e], push, torque)
        force[system.v_start[j] + k] -= factor * zeta
    if free:
        a, b = system.joint_parent[j], system.joint_child[j]
        _, q_a, _, q_b = joint_frames(system, j, at.position, at.orientation)
        zeta = rotate_back(q_b, sub(angular6(twist, b), angular6(twist, a)))
        w = rotate_back(q_b, sub(angular6(at.twist, b), angular6(at.twist, a)))
        for k in range(3):
            force[system.v_start[j] + system.n_rates[j] - 3 + k] -= factor * zeta[k]
            felt.damping[j, 3 + k] += factor * zeta[k] * w[k]
        add_turn_spring_terms(system, j, relative(q_a, q_b), zeta, factor, felt)
