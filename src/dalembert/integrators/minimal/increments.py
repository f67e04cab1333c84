"""Increments of the joint coordinates in linear time: wrenches inward, twists outward, by the pivots at hand."""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_motion import put3
from dalembert.integrators.maximal.tree_plan import (
    AXIS,
    AXIS_END,
    BALL,
    DOFS,
    FIRST,
    GENERAL,
    HINGE,
    INVERSE,
    LEFT,
    NEWTON,
    PARENT,
    PIVOT,
    PIVOT_SIDE,
    PULLED,
    RAISED,
    REACH,
    REACH_END,
    RIGHT,
    SHAPE,
    SLIDER,
    TWIST,
    WRENCH,
)
from dalembert.integrators.minimal.drnea import along_screw
from dalembert.spatial.vector import add, axpy, cross, dot, part3, sub


@kernel
def spread_at_knot(slot, row, dof, length):
    """`tree_solve.spread` with the screws of the knot, for pivots made there: δq = −h M(q_k)⁻¹ f; its largest size."""
    n = slot.shape[0] - 1
    per_length = 1.0 / length
    largest = 0.0
    for i in range(n):
        shape, up, v = slot[i, SHAPE], slot[i, PARENT], slot[i, FIRST]
        turn = part3(row, up, TWIST + 3)
        at_joint = add(part3(row, up, TWIST), cross(turn, part3(row, i, REACH)))
        if shape == HINGE or shape == SLIDER:
            step = -(dof[v, PIVOT_SIDE] + dot(part3(row, i, PIVOT + 6), at_joint) + dot(part3(row, i, PIVOT + 9), turn))
            dof[v, NEWTON] = step
            if shape == HINGE:
                turn = axpy(step, part3(row, i, AXIS), turn)
            else:
                at_joint = axpy(step, part3(row, i, AXIS), at_joint)
            largest = keep_twist(row, i, (at_joint, turn), per_length, largest)
            continue
        whole = at_joint, turn
        if shape == BALL:
            for k in range(3):
                # X = [D⁻¹ C, 1]
                step = -dof[v + k, PIVOT_SIDE] - dot(part3(row, i, PIVOT + 9 + 3 * k), at_joint) - turn[k]
                dof[v + k, NEWTON] = step
            whole = at_joint, add(turn, part3_of(dof, v))
        else:
            for k in range(slot[i, DOFS]):
                side = dot(part3(dof, v + k, PULLED), at_joint) + dot(part3(dof, v + k, PULLED + 3), turn)
                step = -(dof[v + k, PIVOT_SIDE] + side)
                dof[v + k, NEWTON] = step
                whole = add_screw(slot, row, dof, i, k, AXIS, LEFT, step, whole[0], whole[1])
        largest = keep_twist(row, i, whole, per_length, largest)
    return largest


@kernel
def reduce_wrench(slot, row, dof):
    """`tree_solve.reduce` for the wrenches in WRENCH alone, without the residuals of the coordinates."""
    n = slot.shape[0] - 1
    for i in range(n - 1, -1, -1):
        shape, up, v = slot[i, SHAPE], slot[i, PARENT], slot[i, FIRST]
        force, torque = part3(row, i, WRENCH), part3(row, i, WRENCH + 3)
        if shape == HINGE or shape == SLIDER:
            y = along_screw(slot, row, dof, i, 0, force, torque) * row[i, PIVOT + 12]
            dof[v, PIVOT_SIDE] = y
            force = axpy(-y, part3(row, i, PIVOT), force)
            torque = axpy(-y, part3(row, i, PIVOT + 3), torque)
        elif shape == BALL:
            for k in range(3):
                dof[v + k, PIVOT_SIDE] = dot(part3(row, i, PIVOT + 18 + 3 * k), torque)
            y = (dof[v, PIVOT_SIDE], dof[v + 1, PIVOT_SIDE], dof[v + 2, PIVOT_SIDE])
            pushed = (dot(part3(row, i, PIVOT), y), dot(part3(row, i, PIVOT + 3), y), dot(part3(row, i, PIVOT + 6), y))
            force = sub(force, pushed)
            torque = (0.0, 0.0, 0.0)
        elif shape == GENERAL:
            for k in range(slot[i, DOFS]):
                dof[v + k, NEWTON] = along_screw(slot, row, dof, i, k, force, torque)
            for k in range(slot[i, DOFS]):
                y = 0.0
                for l in range(slot[i, DOFS]):
                    y += dof[v + k, INVERSE + l] * dof[v + l, NEWTON]
                dof[v + k, PIVOT_SIDE] = y
                force = axpy(-y, part3(dof, v + k, RAISED), force)
                torque = axpy(-y, part3(dof, v + k, RAISED + 3), torque)
        if up != n:
            put3(row, up, WRENCH, add(part3(row, up, WRENCH), force))
            carried = add(torque, cross(part3(row, i, REACH), force))
            put3(row, up, WRENCH + 3, add(part3(row, up, WRENCH + 3), carried))


@kernel
def part3_of(dof, v):
    """The increments of three coordinates from v on."""
    return (dof[v, NEWTON], dof[v + 1, NEWTON], dof[v + 2, NEWTON])


@kernel
def twists(slot, row, dof, length):
    """TWIST of every slot at the end of the interval from the increments in NEWTON; the largest size, scaled."""
    per_length = 1.0 / length
    largest = 0.0
    for i in range(slot.shape[0] - 1):
        up, v = slot[i, PARENT], slot[i, FIRST]
        turn = part3(row, up, TWIST + 3)
        move = add(part3(row, up, TWIST), cross(turn, part3(row, i, REACH_END)))
        if slot[i, SHAPE] == HINGE:
            turn = axpy(dof[v, NEWTON], part3(row, i, AXIS_END), turn)
            largest = keep_twist(row, i, (move, turn), per_length, largest)
            continue
        whole = move, turn
        for k in range(slot[i, DOFS]):
            whole = add_screw(slot, row, dof, i, k, AXIS_END, RIGHT, dof[v + k, NEWTON], whole[0], whole[1])
        largest = keep_twist(row, i, whole, per_length, largest)
    return largest


@kernel
def add_screw(slot, row, dof, i, k, axis, column, step, linear, angular):
    """(linear, angular) plus ``step`` times the k-th screw of slot i; ``axis`` and ``column`` say at which end."""
    shape = slot[i, SHAPE]
    if shape == HINGE:
        return linear, axpy(step, part3(row, i, axis), angular)
    if shape == SLIDER:
        return axpy(step, part3(row, i, axis), linear), angular
    if shape == BALL:
        e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        return linear, axpy(step, e, angular)
    v = slot[i, FIRST] + k
    return axpy(step, part3(dof, v, column), linear), axpy(step, part3(dof, v, column + 3), angular)


@kernel
def scaled_size(row, length):
    """The largest component of all TWISTs in scaled units."""
    largest = 0.0
    for i in range(row.shape[0] - 1):
        twist = part3(row, i, TWIST), part3(row, i, TWIST + 3)
        largest = keep_twist(row, i, twist, 1.0 / length, largest)
    return largest


@kernel
def keep_twist(row, i, twist, per_length, largest):
    """Write the twist of slot i; the larger of its size and ``largest``."""
    put3(row, i, TWIST, twist[0])
    put3(row, i, TWIST + 3, twist[1])
    for c in range(3):
        move_size, turn_size = abs(twist[0][c]) * per_length, abs(twist[1][c])
        # written so that a NaN stays
        if move_size > largest or move_size != move_size:
            largest = move_size
        if turn_size > largest or turn_size != turn_size:
            largest = turn_size
    return largest
