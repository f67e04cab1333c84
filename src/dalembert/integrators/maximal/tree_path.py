"""Outward sweeps over the tree: vectors of the mechanism at a knot, and the motion over an interval."""

from dalembert._jit import inlined, kernel
from dalembert.integrators.maximal.tree_general import follow_general, joint_offset, joint_turn, write_screws
from dalembert.integrators.maximal.tree_motion import (
    angular_momentum,
    get4,
    get_inertia,
    hinged,
    nearly_unit,
    put3,
    put4,
    swing,
    toward,
    turned_inertia,
)
from dalembert.integrators.maximal.tree_plan import (
    ARM,
    ARM_END,
    ARM_H,
    AXIS,
    AXIS_END,
    COSINE,
    FIRST,
    FRAME,
    FREE_X,
    GENERAL,
    HALF_COSINE,
    HALF_SINE,
    HINGE,
    INERTIA,
    INERTIA_H,
    LEFT,
    MASS,
    MOMENTUM,
    OFFSET,
    PARENT,
    PITCH,
    REACH,
    REACH_END,
    REACH_H,
    REVERSED,
    RIGID,
    SHAPE,
    SHIFT,
    SIDE,
    SIDE_H,
    SLIDER,
    STEP,
    TARGET,
    TURN,
    WRENCH,
)
from dalembert.spatial.quaternion import columns, conjugate, multiply, rotate
from dalembert.spatial.vector import add, cross, part3, scale, sub


@kernel
def place_slots(slot, row, dof, coordinates):
    """FRAME, ARM, REACH, AXIS, INERTIA and screws of every slot at the knot.

    Hinges give HALF_COSINE and HALF_SINE, all other joints their coordinates.
    """
    for i in range(slot.shape[0] - 1):
        place_slot(slot, row, dof, coordinates, i)


@inlined
def place_slot(slot, row, dof, coordinates, i):
    """`place_slots` for slot i, after its parent."""
    up, shape = slot[i, PARENT], slot[i, SHAPE]
    frame_up = get4(row, up, FRAME)
    frame = multiply(frame_up, get4(row, i, SIDE_H))
    reach = rotate(frame_up, part3(row, i, REACH_H))
    if shape == HINGE:
        v = slot[i, FIRST]
        c, s = dof[v, HALF_COSINE], -dof[v, HALF_SINE] if slot[i, REVERSED] else dof[v, HALF_SINE]
        w, x, y, z = frame
        frame = (c * w - s * z, c * x + s * y, c * y - s * x, c * z + s * w)
    elif shape != RIGID:
        put4(row, i, SIDE, frame)
        p = joint_turn(slot, i, coordinates)
        frame = multiply(frame, conjugate(p) if slot[i, REVERSED] else p)
    frame = nearly_unit(frame)
    put4(row, i, FRAME, frame)
    axes = columns(frame)
    put3(row, i, ARM, toward(axes, part3(row, i, ARM_H)))
    inertia = turned_inertia(get_inertia(row, i, INERTIA_H), axes)
    for k in range(6):
        row[i, INERTIA + k] = inertia[k]
    if shape == HINGE:
        put3(row, i, AXIS, scale(-1.0, axes[2]) if slot[i, REVERSED] else axes[2])
    elif shape == SLIDER or shape == GENERAL:
        q_a = frame if slot[i, REVERSED] else get4(row, i, SIDE)
        offset = joint_offset(slot, row[i, PITCH], i, q_a, coordinates)
        put3(row, i, OFFSET, offset)
        reach = add(reach, offset)
        if shape == SLIDER:
            a = columns(q_a)
            n = a[0] if slot[i, FREE_X] else (a[1] if slot[i, FREE_X + 1] else a[2])
            put3(row, i, AXIS, scale(-1.0, n) if slot[i, REVERSED] else n)
        else:
            still = (1.0, 0.0, 0.0, 0.0)
            write_screws(slot, row[i, PITCH], row, dof, i, still, still, offset, LEFT)
    put3(row, i, REACH, reach)


@kernel
def follow(slot, row, dof, h):
    """TURN, SHIFT, arms, axes and screws at the end of the interval, MOMENTUM, and the residual WRENCH of each body.

    The residual is that of [Brüdigam 2023] eq. (20) without the joints' impulses, as a wrench about the reference
    point. Returns the smallest cosine of half a turn: a body that turned by half a revolution has none.
    """
    smallest = 1.0
    for i in range(slot.shape[0] - 1):
        smallest = min(smallest, follow_slot(slot, row, dof, h, i))
    return smallest


@inlined
def follow_slot(slot, row, dof, h, i):
    """`follow` for slot i, after its parent."""
    per_h = 1.0 / h
    up, shape = slot[i, PARENT], slot[i, SHAPE]
    turn_up = get4(row, up, TURN)
    if shape == HINGE and up == slot.shape[0] - 1:
        # the world does not move
        v = slot[i, FIRST]
        reach, axis = part3(row, i, REACH), part3(row, i, AXIS)
        s = dof[v, STEP]
        turn, shift = (dof[v, COSINE], s * axis[0], s * axis[1], s * axis[2]), (0.0, 0.0, 0.0)
        put4(row, i, TURN, turn)
        put3(row, i, SHIFT, shift)
        put3(row, i, REACH_END, reach)
        put3(row, i, AXIS_END, axis)
    elif shape == HINGE:
        reach, axis = part3(row, i, REACH), part3(row, i, AXIS)
        moved = swing(turn_up, reach)
        shift = add(part3(row, up, SHIFT), moved)
        v = slot[i, FIRST]
        turn = hinged(turn_up, dof[v, COSINE], dof[v, STEP], axis)
        put4(row, i, TURN, turn)
        put3(row, i, SHIFT, shift)
        put3(row, i, REACH_END, add(reach, moved))
        put3(row, i, AXIS_END, add(axis, swing(turn_up, axis)))
    elif shape == GENERAL:
        follow_general(slot, row, dof, i)
        turn, shift = get4(row, i, TURN), part3(row, i, SHIFT)
    else:
        turn, shift = _follow_simple(slot, row, dof, i, shape, turn_up)
    arm = part3(row, i, ARM)
    swung = swing(turn, arm)
    put3(row, i, ARM_END, add(arm, swung))
    linear = scale(per_h * row[i, MASS], add(shift, swung))
    angular = angular_momentum(h, get_inertia(row, i, INERTIA), turn)
    put3(row, i, MOMENTUM, linear)
    put3(row, i, MOMENTUM + 3, angular)
    force = sub(linear, part3(row, i, TARGET))
    put3(row, i, WRENCH, force)
    put3(row, i, WRENCH + 3, add(sub(angular, part3(row, i, TARGET + 3)), cross(arm, force)))
    return turn[0]


@kernel
def _follow_simple(slot, row, dof, i, shape, turn_up):
    """Rigid joints, balls and sliders."""
    up, v = slot[i, PARENT], slot[i, FIRST]
    reach = part3(row, i, REACH)
    turn = turn_up
    if shape == SLIDER:
        step, axis = dof[v, STEP], part3(row, i, AXIS)
        along = scale(step, axis)
        # the axis turns with the parent, and so does the body: it cannot turn against it
        moved = add(along, swing(turn_up, add(reach, along)))
        put3(row, i, AXIS_END, add(axis, swing(turn_up, axis)))
    else:
        moved = swing(turn_up, reach)
        if shape != RIGID:
            turn = multiply(turn_up, (dof[v, COSINE], dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP]))
    shift = add(part3(row, up, SHIFT), moved)
    put4(row, i, TURN, turn)
    put3(row, i, SHIFT, shift)
    put3(row, i, REACH_END, add(reach, moved))
    return turn, shift
