"""Joints with any number of degrees of freedom: how they move, and their screws at the knot and at the end.

A screw is the displacement of the reference point and the turn that a unit change of one coordinate gives the body, in
world axes. Rotations go round r_B. Free translations move along the axes of A. Where all three rotations are free their
coordinates within a step are turns about the world's axes, whichever way the joint is crossed, and the turn of the
interval is kept in world axes at the knot.
"""

from math import cos, sin

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_motion import get4, hinged, put3, put4, swing, turn_angle
from dalembert.integrators.maximal.tree_plan import (
    ANGLE,
    COORDINATE,
    COSINE,
    DOFS,
    FIRST,
    FRAME,
    FREE_TURN,
    FREE_X,
    NO_TURN,
    OFFSET,
    PARENT,
    PITCH,
    REACH,
    REACH_END,
    REVERSED,
    RIGHT,
    SHIFT,
    SIDE,
    STEP,
    TURN,
    TURNING,
    TWO_ANGLES,
)
from dalembert.spatial.quaternion import columns, conjugate, multiply
from dalembert.spatial.vector import add, axpy, cross, part3, scale, sub


@kernel
def joint_turn(slot, i, coordinates):
    """The relative turn p of slot i's joint from its coordinates."""
    turning = slot[i, TURNING]
    k = slot[i, COORDINATE] + slot[i, FREE_X] + slot[i, FREE_X + 1] + slot[i, FREE_X + 2]
    if turning == ANGLE:
        u = 0.5 * coordinates[k]
        return (cos(u), 0.0, 0.0, sin(u))
    if turning == TWO_ANGLES:
        u, w = 0.5 * coordinates[k], 0.5 * coordinates[k + 1]
        return (cos(u) * cos(w), sin(u) * cos(w), cos(u) * sin(w), sin(u) * sin(w))
    if turning == FREE_TURN:
        return (coordinates[k], coordinates[k + 1], coordinates[k + 2], coordinates[k + 3])
    return (1.0, 0.0, 0.0, 0.0)


@kernel
def joint_offset(slot, pitch, i, q_a, coordinates):
    """±R(q_A) t: from the joint's point on the parent to the reference point of slot i."""
    axes = columns(q_a)
    offset = (0.0, 0.0, 0.0)
    k = slot[i, COORDINATE]
    for c in range(3):
        if slot[i, FREE_X + c]:
            offset = axpy(coordinates[k], axes[0] if c == 0 else (axes[1] if c == 1 else axes[2]), offset)
            k += 1
    if pitch != 0.0:
        offset = axpy(pitch * coordinates[k], axes[2], offset)
    return scale(-1.0, offset) if slot[i, REVERSED] else offset


@kernel
def joint_axes(slot, row, i):
    """(q_A, q_B) of slot i at the knot."""
    frame, side = get4(row, i, FRAME), get4(row, i, SIDE)
    if slot[i, REVERSED]:
        return frame, side
    return side, frame


@kernel
def write_screws(slot, pitch, row, dof, i, turn_up, turn, offset, column):
    """The screws of slot i when its parent has turned by ``turn_up`` and its body by ``turn`` since the knot."""
    crossed = slot[i, REVERSED]
    sign = -1.0 if crossed else 1.0
    turn_a, turn_b = (turn, turn_up) if crossed else (turn_up, turn)
    q_a, q_b = joint_axes(slot, row, i)
    a = columns(q_a)
    v = slot[i, FIRST]
    for c in range(3):
        if slot[i, FREE_X + c]:
            n = a[0] if c == 0 else (a[1] if c == 1 else a[2])
            put3(dof, v, column, scale(sign, add(n, swing(turn_a, n))))
            put3(dof, v, column + 3, (0.0, 0.0, 0.0))
            v += 1
    turning = slot[i, TURNING]
    if turning == NO_TURN:
        return
    arm = offset if crossed else (0.0, 0.0, 0.0)
    if turning == FREE_TURN:
        for c in range(3):
            n = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
            put3(dof, v + c, column, cross(n, arm))
            put3(dof, v + c, column + 3, n)
        return
    b = columns(q_b)
    if turning == TWO_ANGLES:
        n = scale(sign, add(a[0], swing(turn_a, a[0])))
        put3(dof, v, column, cross(n, arm))
        put3(dof, v, column + 3, n)
        v += 1
    last = b[1] if turning == TWO_ANGLES else b[2]
    n = scale(sign, add(last, swing(turn_b, last)))
    along = scale(sign * pitch, add(a[2], swing(turn_a, a[2])))
    put3(dof, v, column, add(along, cross(n, arm)))
    put3(dof, v, column + 3, n)


@kernel
def follow_general(slot, row, dof, i):
    """TURN, SHIFT and REACH_END of slot i from the steps of its coordinates, and its screws at the end."""
    pitch = row[i, PITCH]
    up, crossed = slot[i, PARENT], slot[i, REVERSED]
    sign = -1.0 if crossed else 1.0
    turn_up = get4(row, up, TURN)
    q_a, q_b = joint_axes(slot, row, i)
    a = columns(q_a)
    v = slot[i, FIRST]
    along = (0.0, 0.0, 0.0)
    for c in range(3):
        if slot[i, FREE_X + c]:
            along = axpy(sign * dof[v, STEP], a[0] if c == 0 else (a[1] if c == 1 else a[2]), along)
            v += 1
    turning = slot[i, TURNING]
    turn = turn_up
    if turning == FREE_TURN:
        turn = multiply(turn_up, (dof[v, COSINE], dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP]))
    elif turning == ANGLE:
        turn = hinged(turn_up, dof[v, COSINE], sign * dof[v, STEP], columns(q_b)[2])
        if pitch != 0.0:
            advance = pitch * turn_angle(dof[v, COSINE], dof[v, STEP])
            along = axpy(sign * advance, a[2], along)
    elif turning == TWO_ANGLES:
        b = columns(q_b)
        if crossed:
            turn = hinged(turn_up, dof[v + 1, COSINE], -dof[v + 1, STEP], b[1])
            turn = hinged(turn, dof[v, COSINE], -dof[v, STEP], a[0])
        else:
            turn = hinged(turn_up, dof[v, COSINE], dof[v, STEP], a[0])
            turn = hinged(turn, dof[v + 1, COSINE], dof[v + 1, STEP], b[1])
    offset, reach = part3(row, i, OFFSET), part3(row, i, REACH)
    # the offset turns with A and grows along A's axes; the rest of the reach turns with the parent
    grown = add(offset, along)
    change = add(along, swing(turn if crossed else turn_up, grown))
    moved = add(change, swing(turn_up, sub(reach, offset)))
    put4(row, i, TURN, turn)
    put3(row, i, SHIFT, add(part3(row, up, SHIFT), moved))
    put3(row, i, REACH_END, add(reach, moved))
    write_screws(slot, pitch, row, dof, i, turn_up, turn, add(offset, change), RIGHT)


@kernel
def turn_in_b(slot, row, dof, i):
    """(cosine, vector part) of the turn of the interval of a joint that turns freely, in the axes of B."""
    v = slot[i, FIRST] + slot[i, DOFS] - 3
    turn = (dof[v, COSINE], dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP])
    if slot[i, REVERSED]:
        turn = conjugate(turn)
    _, q_b = joint_axes(slot, row, i)
    back = multiply(conjugate(q_b), multiply(turn, q_b))
    return back[0], (back[1], back[2], back[3])
