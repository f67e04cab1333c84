"""Between the knot's arrays and the solver's own: entering and leaving a knot, momenta and velocities there.

A knot says in the terms of `knot.Knot` what the solver holds in its own: momenta in world axes, impulses on coordinates
apart from them, half angles of hinges. To translate there and back would cost last bits, and a run would depend on how
often it is recorded. The rows of the history behind the steps therefore keep the solver's own numbers.
"""

from math import cos, sin
from typing import Final

from dalembert._jit import kernel
from dalembert.integrators.maximal.knot import PAST_STEPS
from dalembert.integrators.maximal.tree_forces import (
    set_growth,
    set_rotor_growth,
)
from dalembert.integrators.maximal.tree_general import joint_axes
from dalembert.integrators.maximal.tree_loop_knot import forget_rates, prepare_rates, spin_links, view_links
from dalembert.integrators.maximal.tree_loop_sweep import gather_all, reduce_all, spread_all
from dalembert.integrators.maximal.tree_motion import get4, put3, toward
from dalembert.integrators.maximal.tree_path import follow, place_slots
from dalembert.integrators.maximal.tree_plan import (
    ARM,
    BODY,
    BODY_TURN,
    CARRIED,
    COORDINATE,
    COSINE,
    DOFS,
    FIRST,
    FRAME,
    FREE_TURN,
    FREE_X,
    HALF_COSINE,
    HALF_SINE,
    HINGE,
    JOINT,
    LOAD,
    NEWTON,
    PARENT,
    PAST,
    RATE,
    REACH,
    REVERSED,
    ROTOR,
    SHAPE,
    STEP,
    TARGET,
    TURNING,
    TWIST,
    TWO_ANGLES,
)
from dalembert.mechanics.forces import add_pair_wrench
from dalembert.spatial.quaternion import columns, multiply, rotate, rotate_back, row4, set_row4
from dalembert.spatial.vector import add, axpy, cross, mat_vec, norm, part3, scale, set_row3, sub

OWN_MOMENTUM: Final = PAST_STEPS
"""Row of the history: TARGET."""
LEFT_MOMENTUM: Final = PAST_STEPS + 1
"""Row of the history: the knot's momentum as it was left, so that what was added to it since can be told."""
OWN_CARRIED: Final = PAST_STEPS + 2
"""Row of the history: CARRIED of the joint's coordinates."""
HALF_ANGLE: Final = PAST_STEPS + 3
"""Row of the history: HALF_COSINE and HALF_SINE of a hinge; both zero where only the coordinate is known."""
KNOT_ROWS: Final = PAST_STEPS + 4
"""Rows of the history that a knot of the tree solver has."""


@kernel
def enter(tree, options, knot):
    """From the knot's arrays: vectors of all slots, momenta in world axes, steps of the intervals before."""
    slot, row, dof, history = tree.slot, tree.row, tree.dof, knot.history
    set_half_angles(slot, dof, knot)
    place_slots(slot, row, dof, knot.coordinates)
    view_links(slot, row, tree.loops, knot.coordinates)
    for i in range(slot.shape[0] - 1):
        b = slot[i, BODY]
        q = row4(knot.orientation, b)
        added = sub(part3(knot.momentum, b, 0), history3(history, LEFT_MOMENTUM, b, 0))
        put3(row, i, TARGET, add(history3(history, OWN_MOMENTUM, b, 0), added))
        added = sub(part3(knot.momentum, b, 3), history3(history, LEFT_MOMENTUM, b, 3))
        put3(row, i, TARGET + 3, add(history3(history, OWN_MOMENTUM, b, 3), rotate(q, added)))
        for k in range(slot[i, DOFS]):
            dof[slot[i, FIRST] + k, CARRIED] = history[OWN_CARRIED, b, k]
        for k in range(slot[i, DOFS]):
            for past in range(PAST_STEPS):
                dof[slot[i, FIRST] + k, PAST + past] = history[past, b, k]
    set_growth(slot, row, dof, options.h)


@kernel
def start_history(tree, options, knot):
    """The history of a knot at which a run starts, after `knot_velocities`: as if a step had been made at its rates."""
    slot, dof = tree.slot, tree.dof
    first_steps(slot, dof, options.h)
    for i in range(slot.shape[0] - 1):
        for k in range(slot[i, DOFS]):
            knot.history[0, slot[i, BODY], k] = dof[slot[i, FIRST] + k, PAST]


@kernel
def first_steps(slot, dof, h):
    """PAST from the rates in NEWTON; turns at most by 3 rad."""
    for i in range(slot.shape[0] - 1):
        straight = slot[i, FREE_X] + slot[i, FREE_X + 1] + slot[i, FREE_X + 2]
        first, end = slot[i, FIRST], slot[i, FIRST] + slot[i, DOFS]
        for v in range(first, first + straight):
            dof[v, PAST] = h * dof[v, NEWTON]
        v = first + straight
        if slot[i, TURNING] == FREE_TURN:
            half = 0.5 * h * norm((dof[v, NEWTON], dof[v + 1, NEWTON], dof[v + 2, NEWTON]))
            share = 0.5 * h * (sin(min(half, 1.5)) / half if half > 1e-8 else 1.0)
            for c in range(v, end):
                dof[c, PAST] = share * dof[c, NEWTON]
        else:
            for c in range(v, end):
                dof[c, PAST] = sin(min(1.5, max(-1.5, 0.5 * h * dof[c, NEWTON])))


@kernel
def history3(history, k, b, first):
    """Three of the six numbers of body b in row k of the history."""
    return (history[k, b, first], history[k, b, first + 1], history[k, b, first + 2])


@kernel
def set_half_angles(slot, dof, knot):
    """HALF_COSINE and HALF_SINE of hinges."""
    for i in range(slot.shape[0] - 1):
        if slot[i, SHAPE] == HINGE:
            v, b = slot[i, FIRST], slot[i, BODY]
            c, s = knot.history[HALF_ANGLE, b, 0], knot.history[HALF_ANGLE, b, 1]
            if c == 0.0 and s == 0.0:
                half = 0.5 * knot.coordinates[slot[i, COORDINATE]]
                c, s = cos(half), sin(half)
            dof[v, HALF_COSINE] = c
            dof[v, HALF_SINE] = s


@kernel
def leave(system, tree, knot):
    """Back to the knot's arrays. Poses follow from the coordinates, so constraints of joints hold to rounding."""
    slot, row, dof, history = tree.slot, tree.row, tree.dof, knot.history
    n = slot.shape[0] - 1
    for i in range(n):
        b, up = slot[i, BODY], slot[i, PARENT]
        origin = part3(row, up, TWIST) if up != n else (0.0, 0.0, 0.0)
        point = add(origin, part3(row, i, REACH))
        # the twists of Newton's method are not needed any more: their rows hold the reference points
        put3(row, i, TWIST, point)
        orientation = multiply(get4(row, i, FRAME), get4(row, i, BODY_TURN))
        set_row3(knot.position, b, add(point, part3(row, i, ARM)))
        set_row4(knot.orientation, b, orientation)
        linear, angular = part3(row, i, TARGET), part3(row, i, TARGET + 3)
        put3(knot.momentum, b, 0, linear)
        put3(knot.momentum, b, 3, rotate_back(orientation, angular))
        for k in range(6):
            history[OWN_MOMENTUM, b, k] = row[i, TARGET + k]
        for k in range(slot[i, DOFS]):
            v = slot[i, FIRST] + k
            for past in range(PAST_STEPS):
                history[past, b, k] = dof[v, PAST + past]
            history[OWN_CARRIED, b, k] = dof[v, CARRIED]
        if slot[i, SHAPE] == HINGE:
            history[HALF_ANGLE, b, 0] = dof[slot[i, FIRST], HALF_COSINE]
            history[HALF_ANGLE, b, 1] = dof[slot[i, FIRST], HALF_SINE]
    for i in range(n):
        _spread_carried(system, slot, row, dof, knot, i)
    for b in range(n):
        for k in range(6):
            history[LEFT_MOMENTUM, b, k] = knot.momentum[b, k]


@kernel
def _spread_carried(system, slot, row, dof, knot, i):
    """CARRIED impulses on coordinates as wrenches on the two bodies of the joint."""
    first, dofs = slot[i, FIRST], slot[i, DOFS]
    idle = True
    for v in range(first, first + dofs):
        if dof[v, CARRIED] != 0.0:
            idle = False
    if idle:
        return
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if slot[i, SHAPE] == HINGE:
        torque = scale(dof[first, CARRIED], columns(get4(row, i, FRAME))[2])
    else:
        q_a, q_b = joint_axes(slot, row, i)
        a, b = columns(q_a), columns(q_b)
        v = first
        for c in range(3):
            if slot[i, FREE_X + c]:
                force = axpy(dof[v, CARRIED], a[0] if c == 0 else (a[1] if c == 1 else a[2]), force)
                v += 1
        turning = slot[i, TURNING]
        if turning == FREE_TURN:
            torque = toward(b, (dof[v, CARRIED], dof[v + 1, CARRIED], dof[v + 2, CARRIED]))
        elif turning == TWO_ANGLES:
            torque = axpy(dof[v, CARRIED], a[0], scale(dof[v + 1, CARRIED], b[1]))
        elif v < first + dofs:
            torque = scale(dof[v, CARRIED], b[2])
    add_pair_wrench(system, slot[i, JOINT], knot.position, knot.orientation, force, torque, knot.momentum)


@kernel
def rates_at_knot(slot, row, dof, loops, options):
    """Rates of the coordinates (NEWTON) and velocities of the slots (twist): M⁻¹ p on the hidden constraint.

    N(z)ᵀ M N(z) v = N(z)ᵀ p is the Newton system of an interval of one second in which nothing moves, with rotors in
    place of springs and dampers. The rates of a free rotation come about the world's axes.
    """
    set_rotor_growth(slot, row, dof)
    for v in range(dof.shape[0]):
        dof[v, STEP] = 0.0
        dof[v, COSINE] = 1.0
        dof[v, LOAD] = dof[v, CARRIED]
    for i in range(slot.shape[0] - 1):
        if slot[i, TURNING] == FREE_TURN:
            v = slot[i, FIRST] + slot[i, DOFS] - 3
            _, q_b = joint_axes(slot, row, i)
            load = toward(columns(q_b), (dof[v, CARRIED], dof[v + 1, CARRIED], dof[v + 2, CARRIED]))
            for c in range(3):
                dof[v + c, LOAD] = -load[c] if slot[i, REVERSED] else load[c]
    follow(slot, row, dof, 1.0)
    prepare_rates(slot, row, loops)
    gather_all(slot, row, dof, loops, 1.0)
    reduce_all(slot, row, dof, loops)
    spread_all(slot, row, dof, loops, options.length)
    forget_rates(row, loops)
    set_growth(slot, row, dof, options.h)


@kernel
def knot_velocities(tree, options, knot, velocity):
    """``velocity`` (n + 1, 6) of the bodies at the knot: linear in the world, angular in body axes."""
    slot, row, dof = tree.slot, tree.row, tree.dof
    rates_at_knot(slot, row, dof, tree.loops, options)
    for i in range(slot.shape[0] - 1):
        b = slot[i, BODY]
        turn = part3(row, i, TWIST + 3)
        put3(velocity, b, 0, add(part3(row, i, TWIST), cross(turn, part3(row, i, ARM))))
        put3(velocity, b, 3, rotate_back(row4(knot.orientation, b), turn))


@kernel
def start_momentum(system, tree, knot, rates):
    """p = M ż of bodies and rotors from the velocities in row 0 of the history and the rates of all joints."""
    slot, row, dof = tree.slot, tree.row, tree.dof
    set_half_angles(slot, dof, knot)
    place_slots(slot, row, dof, knot.coordinates)
    for i in range(slot.shape[0] - 1):
        b = slot[i, BODY]
        put3(knot.momentum, b, 0, scale(system.mass[b], history3(knot.history, 0, b, 0)))
        put3(knot.momentum, b, 3, mat_vec(system.inertia, b, history3(knot.history, 0, b, 3)))
    for i in range(slot.shape[0] - 1):
        for k in range(slot[i, DOFS]):
            v = slot[i, FIRST] + k
            dof[v, CARRIED] = dof[v, ROTOR] * rates[slot[i, RATE] + k]
        _spread_carried(system, slot, row, dof, knot, i)
    view_links(slot, row, tree.loops, knot.coordinates)
    spin_links(slot, row, tree.loops, knot)
