"""What the objective feels of lengths: of the points of joints in their bodies, and so of centres of mass.

A point of a tree's joint that sits elsewhere by y, in the axes of the inner body (or by −y in those of the outer one),
moves all that the joint carries as a slide s = (y, 0) fixed in that body would, at rest. So the derivatives of
`dalembert.mechanics.reduced_derivatives` hold for it. Contracted with z, where what is carried turns along and
cancels, with F, Σ I Z, Σ Cᵀ Z and Σ Pᵀ Z summed over all that is carried,

    ∂(zᵀ g)/∂y = (Ω_Z × y) · F + ψ̈ · Σ I Z + ψ̇ · Σ Cᵀ Z + s · Σ Pᵀ Z,    ψ̇ = (ω × y, 0),  ψ̈ = (α × y + ω × (ω × y), 0),

ω, α and Ω_Z being the angular velocity, acceleration and virtual velocity of the body that the point is fixed in.
"""

from dalembert._jit import kernel
from dalembert.mechanics.element_equations import form_block
from dalembert.mechanics.element_forces import evaluate_element, place_ports
from dalembert.mechanics.recursive import inertia_times
from dalembert.mechanics.recursive_tree import add_row6, angular6, linear6
from dalembert.mechanics.reduced_derivatives import transposed_times
from dalembert.mechanics.reduced_tree import motion_row, shifted
from dalembert.spatial.quaternion import rotate_back, row4
from dalembert.spatial.vector import add, cross, part3, row3, sub


@kernel
def add_point_terms(system, stage, loads, mu, factor, virtual, felt):
    """Add ``factor`` times ∂(zᵀ g) and minus ∂(μᵀ c) to ``felt``, a `Sensitivity`; joints outside the tree apart."""
    at, loops = stage.equations.tree, stage.equations.loops
    for i in range(system.mass.size):
        for k in range(6):
            virtual.carried[i, k] = 0.0
            virtual.moved[i, k] = 0.0
            virtual.placed[i, k] = 0.0
            virtual.pulled[i, k] = 0.0
    for r in range(mu.size):
        if mu[r] != 0.0:
            j, c = loops.row_joint[r], loops.row_component[r]
            for e in range(system.incidence_start[j], system.incidence_start[j + 1]):
                for k in range(6):
                    virtual.pulled[system.incidence_body[e], k] += mu[r] * loops.jacobian[e, c, k]
    for p in range(loops.pair_owner.size):
        for e in range(2):
            _couple(system, loops.place[p], loops.motion[p], loops.pair_edge[p], e, virtual)
    _couple_elements(loads.elements, at, virtual)
    for i in range(system.tree_joint.size - 1, -1, -1):
        _gather(system, at, i, factor, virtual, felt)


@kernel
def _couple(system, place, motion, edge, e, virtual):
    """Blocks between two bodies, which the composites leave out: rows of body e, columns of the other."""
    on, by = system.incidence_body[edge + e], system.incidence_body[edge + 1 - e]
    for r in range(6):
        push = virtual.twist[on, r]
        for k in range(6):
            virtual.placed[by, k] += place[e, 1 - e, r, k] * push
            virtual.moved[by, k] += motion[e, 1 - e, r, k] * push


@kernel
def _couple_elements(work, at, virtual):
    """The same of force elements between two bodies."""
    elements = work.elements
    for e in range(elements.code.size):
        first, last = elements.port_start[e], elements.port_start[e + 1]
        if last - first == 1:
            continue
        place_ports(work, e, at.position, at.orientation, at.twist)
        evaluate_element(work, e, at.orientation, True)
        for p in range(last - first):
            for q in range(last - first):
                on, by = elements.port_body[first + p], elements.port_body[first + q]
                if on != by:
                    form_block(work, e, p, q)
                    for r in range(6):
                        push = virtual.twist[on, r]
                        for k in range(6):
                            virtual.placed[by, k] += work.place[0, r, k] * push
                            virtual.moved[by, k] += work.motion[0, r, k] * push


@kernel
def _gather(system, at, i, factor, virtual, felt):
    """The points of tree joint i; what its body carries is handed inwards.

    Composites hold the sums over all that the body carries as if it moved as one, Z as at the body itself; what the
    joints beyond it add has been handed in by them.
    """
    j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
    arm = sub(row3(at.position, body), row3(at.position, origin))
    whole = motion_row(virtual.twist, body)
    inner = shifted(linear6(virtual.twist, origin), angular6(virtual.twist, origin), arm)
    own = (sub(whole[0], inner[0]), sub(whole[1], inner[1]))
    h = add(linear6(virtual.carried, body), inertia_times(at.composite, body, whole[0], whole[1])[0])
    y = add(linear6(virtual.moved, body), transposed_times(at.motion, body, whole)[0])
    w = add(linear6(virtual.placed, body), transposed_times(at.place, body, whole)[0])
    pulled, f = linear6(virtual.pulled, body), linear6(at.demand, body)
    for side in range(2):
        fixed_in = origin if side == 0 else body
        omega, alpha = part3(at.twist, fixed_in, 3), part3(at.acceleration, fixed_in, 3)
        total = add(cross(f, angular6(virtual.twist, fixed_in)), add(cross(h, alpha), w))
        total = add(total, cross(add(cross(h, omega), y), omega))
        sign = 1.0 if side == 0 else -1.0
        change = (
            sign * (factor * total[0] - pulled[0]),
            sign * (factor * total[1] - pulled[1]),
            sign * (factor * total[2] - pulled[2]),
        )
        change = rotate_back(row4(at.orientation, fixed_in), change)
        of_parent = (side == 0) == (system.tree_reversed[i] == 0)
        for k in range(3):
            if of_parent:
                felt.parent_point[j, k] += change[k]
            else:
                felt.child_point[j, k] += change[k]
    _hand_in(virtual.carried, inertia_times(at.composite, body, own[0], own[1]), body, origin, arm)
    _hand_in(virtual.moved, transposed_times(at.motion, body, own), body, origin, arm)
    _hand_in(virtual.placed, transposed_times(at.place, body, own), body, origin, arm)
    _hand_in(virtual.pulled, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), body, origin, arm)


@kernel
def _hand_in(wrenches, more, body, origin, arm):
    force = add(linear6(wrenches, body), more[0])
    torque = add(angular6(wrenches, body), more[1])
    add_row6(wrenches, origin, force, add(torque, cross(arm, force)))
