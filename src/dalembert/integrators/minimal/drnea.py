"""The residual of a step in linear time: the discrete recursive Newton–Euler algorithm.

[Lee 2016] algorithm 2. The outward pass is that of the maximal tree solver, `tree_path.follow`: the pose that the
steps of the joints give each body at the end of the interval. In world axes at the knot, about a reference point in
each body, the impulse that a joint must pass on is

    F_i = p⁻_i − P_i + Σ_children F_c,        f_i = S_iᵀ F_i + (interval forces),

with P the momentum at the knot, [Lee 2016] eqs (21a), (22); S are the joint's screws at the knot.
"""

from dalembert._jit import inlined, kernel
from dalembert.integrators.maximal.tree_block import moved_wrench
from dalembert.integrators.maximal.tree_forces import coordinate_residual
from dalembert.integrators.maximal.tree_motion import get4, get_inertia, hinged, put3, put4, swing
from dalembert.integrators.maximal.tree_path import follow_slot
from dalembert.integrators.maximal.tree_plan import (
    ARM,
    ARM_END,
    AXIS,
    AXIS_END,
    BALL,
    COSINE,
    DOFS,
    FIRST,
    HINGE,
    INERTIA,
    LEFT,
    LOAD,
    MASS,
    MOMENTUM,
    PARENT,
    REACH,
    REACH_END,
    SHAPE,
    SHIFT,
    SLIDER,
    SPRUNG,
    STEP,
    TARGET,
    TURN,
    WRENCH,
)
from dalembert.integrators.minimal.discrete_body import body_momenta
from dalembert.spatial.vector import add, cross, dot, part3, sub, unit


@kernel
def move(slot, row, dof, h):
    """Poses at the end of the interval; then MOMENTUM p⁺ there, and the residual WRENCH p⁻ − P of each body."""
    for i in range(slot.shape[0] - 1):
        arm = part3(row, i, ARM)
        if slot[i, SHAPE] == HINGE:
            turn, shift = turn_hinge(slot, row, dof, i)
            swung = swing(turn, arm)
            put3(row, i, ARM_END, add(arm, swung))
            d = add(shift, swung)
        else:
            follow_slot(slot, row, dof, h, i)
            turn, d = get4(row, i, TURN), displacement(row, i)
        linear, left, right = body_momenta(h, row[i, MASS], get_inertia(row, i, INERTIA), d, turn)
        put3(row, i, MOMENTUM, linear)
        put3(row, i, MOMENTUM + 3, right)
        force = sub(linear, part3(row, i, TARGET))
        put3(row, i, WRENCH, force)
        put3(row, i, WRENCH + 3, add(sub(left, part3(row, i, TARGET + 3)), cross(arm, force)))


@inlined
def turn_hinge(slot, row, dof, i):
    """TURN, SHIFT, REACH_END and AXIS_END of a hinge, as by `follow_slot`, without the momenta of the tree solver."""
    up, v = slot[i, PARENT], slot[i, FIRST]
    turn_up, reach, axis = get4(row, up, TURN), part3(row, i, REACH), part3(row, i, AXIS)
    moved = swing(turn_up, reach)
    shift = add(part3(row, up, SHIFT), moved)
    turn = hinged(turn_up, dof[v, COSINE], dof[v, STEP], axis)
    put4(row, i, TURN, turn)
    put3(row, i, SHIFT, shift)
    put3(row, i, REACH_END, add(reach, moved))
    put3(row, i, AXIS_END, add(axis, swing(turn_up, axis)))
    return turn, shift


@kernel
def displacement(row, i):
    """Of the centre of mass over the interval."""
    return add(part3(row, i, SHIFT), sub(part3(row, i, ARM_END), part3(row, i, ARM)))


@kernel
def residual(slot, row, dof, out):
    """f of all degrees of freedom into ``out`` after `move`, summing WRENCH from the leaves inward."""
    n = slot.shape[0] - 1
    for i in range(n - 1, -1, -1):
        up, shape, v = slot[i, PARENT], slot[i, SHAPE], slot[i, FIRST]
        force, torque = part3(row, i, WRENCH), part3(row, i, WRENCH + 3)
        if shape == HINGE or shape == SLIDER:
            own = coordinate_residual(slot, row, dof, i, 0) if slot[i, SPRUNG] else -dof[v, LOAD]
            out[v] = dot(part3(row, i, AXIS), torque if shape == HINGE else force) + own
        else:
            for k in range(slot[i, DOFS]):
                f = along_screw(slot, row, dof, i, k, force, torque)
                out[v + k] = f + coordinate_residual(slot, row, dof, i, k)
        if up != n:
            put3(row, up, WRENCH, add(part3(row, up, WRENCH), force))
            moved = moved_wrench(part3(row, i, REACH), force, torque)
            put3(row, up, WRENCH + 3, add(part3(row, up, WRENCH + 3), moved))


@kernel
def along_screw(slot, row, dof, i, k, force, torque):
    """The wrench about the reference point of slot i along the k-th screw of its joint at the knot."""
    shape = slot[i, SHAPE]
    if shape == HINGE:
        return dot(part3(row, i, AXIS), torque)
    if shape == SLIDER:
        return dot(part3(row, i, AXIS), force)
    if shape == BALL:
        return dot(unit(k), torque)
    v = slot[i, FIRST] + k
    return dot(part3(dof, v, LEFT), force) + dot(part3(dof, v, LEFT + 3), torque)
