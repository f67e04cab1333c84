"""The sweeps of the tree solver over several motions of one mechanism at once, each in its own lane.

They are those of `tree_path` and `tree_solve` for open trees of rigid joints, hinges, sliders and balls without forces
on their coordinates, operation by operation, so that a lane holds the bits of a single run. ``row`` and ``dof`` are
tables of lanes with the columns of `Tree`.
"""

from dalembert._jit import inlined
from dalembert._lanes import larger, size
from dalembert.integrators.maximal.tree_block import (
    add_block,
    add_body,
    clear_block,
    inverse,
    load_block,
    moved_wrench,
    pull_hinge,
    pull_slider,
    raise_hinge,
    raise_slider,
    remove,
    shift,
    subtract_rows,
    sum_block,
    times_rows,
)
from dalembert.integrators.maximal.tree_motion import (
    angular_momentum,
    angular_momentum_derivative,
    get4,
    get_inertia,
    hinged,
    put3,
    put4,
    swing,
)
from dalembert.integrators.maximal.tree_plan import (
    ARM,
    ARM_END,
    AXIS,
    AXIS_END,
    BALL,
    BRANCHED,
    COSINE,
    FIRST,
    FRAME,
    HINGE,
    INERTIA,
    MASS,
    MOMENTUM,
    NEWTON,
    PARENT,
    PIVOT,
    PIVOT_SIDE,
    REACH,
    REACH_END,
    SHAPE,
    SHIFT,
    SLIDER,
    STEP,
    TARGET,
    TURN,
    TWIST,
    WRENCH,
)
from dalembert.spatial.quaternion import multiply
from dalembert.spatial.vector import add, axpy, cross, dot, part3, scale, sub


@inlined
def follow_lanes(slot, row, dof, h):
    """`tree_path.follow`."""
    per_h = 1.0 / h
    for i in range(slot.shape[0] - 1):
        up, shape, v = slot[i, PARENT], slot[i, SHAPE], slot[i, FIRST]
        turn_up, reach = get4(row, up, TURN), part3(row, i, REACH)
        turn = turn_up
        if shape == SLIDER:
            along = scale(dof[v, STEP], part3(row, i, AXIS))
            moved = add(along, swing(turn_up, add(reach, along)))
        else:
            moved = swing(turn_up, reach)
        if shape == HINGE:
            turn = hinged(turn_up, dof[v, COSINE], dof[v, STEP], part3(row, i, AXIS))
        elif shape == BALL:
            turn = multiply(turn_up, (dof[v, COSINE], dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP]))
        if shape == HINGE or shape == SLIDER:
            axis = part3(row, i, AXIS)
            put3(row, i, AXIS_END, add(axis, swing(turn_up, axis)))
        displaced = add(part3(row, up, SHIFT), moved)
        put4(row, i, TURN, turn)
        put3(row, i, SHIFT, displaced)
        put3(row, i, REACH_END, add(reach, moved))
        arm = part3(row, i, ARM)
        swung = swing(turn, arm)
        put3(row, i, ARM_END, add(arm, swung))
        linear = scale(per_h * row[i, MASS], add(displaced, swung))
        angular = angular_momentum(h, get_inertia(row, i, INERTIA), turn)
        put3(row, i, MOMENTUM, linear)
        put3(row, i, MOMENTUM + 3, angular)
        force = sub(linear, part3(row, i, TARGET))
        put3(row, i, WRENCH, force)
        put3(row, i, WRENCH + 3, add(sub(angular, part3(row, i, TARGET + 3)), cross(arm, force)))


@inlined
def gather_lanes(slot, row, dof, h):
    """`tree_solve.gather`. A pivot that is not finite shows in the increments."""
    n = slot.shape[0] - 1
    o = 0.0 * row[n, FRAME]
    zero = (o, o, o)
    nothing = (zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero)
    k = nothing
    for i in range(n - 1, -1, -1):
        shape, up = slot[i, SHAPE], slot[i, PARENT]
        if slot[i, BRANCHED]:
            k = sum_block(k, load_block(row, i))
            clear_block(row, i)
        g = angular_momentum_derivative(h, get_inertia(row, i, INERTIA), get4(row, i, TURN))
        k = add_body(k, row[i, MASS] / h, part3(row, i, ARM), part3(row, i, ARM_END), g)
        if shape == HINGE or shape == SLIDER:
            e, e_end = part3(row, i, AXIS), part3(row, i, AXIS_END)
            if shape == HINGE:
                uf, ut = raise_hinge(k, e_end)
                va, vb = pull_hinge(k, e)
                d = dot(e, ut)
            else:
                uf, ut = raise_slider(k, e_end)
                va, vb = pull_slider(k, e)
                d = dot(e, uf)
            inverse_d = 1.0 / d
            xa, xb = scale(inverse_d, va), scale(inverse_d, vb)
            put3(row, i, PIVOT, uf)
            put3(row, i, PIVOT + 3, ut)
            put3(row, i, PIVOT + 6, xa)
            put3(row, i, PIVOT + 9, xb)
            row[i, PIVOT + 12] = inverse_d
            k = remove(k, uf, ut, xa, xb)
        elif shape == BALL:
            a0, a1, a2, b0, b1, b2, c0, c1, c2, d0, d1, d2 = k
            y = inverse(d0, d1, d2)
            x = times_rows(y, c0, c1, c2)
            for c in range(3):
                put3(row, i, PIVOT + 3 * c, b0 if c == 0 else (b1 if c == 1 else b2))
                put3(row, i, PIVOT + 9 + 3 * c, x[c])
                put3(row, i, PIVOT + 18 + 3 * c, y[c])
            a0, a1, a2 = subtract_rows(a0, a1, a2, times_rows((b0, b1, b2), x[0], x[1], x[2]))
            k = (a0, a1, a2, zero, zero, zero, zero, zero, zero, zero, zero, zero)
        if up == n:
            k = nothing
        else:
            k = shift(k, part3(row, i, REACH), part3(row, i, REACH_END))
            if up != i - 1:
                add_block(row, up, k)
                k = nothing


@inlined
def reduce_lanes(slot, row, dof):
    """`tree_solve.reduce`."""
    n = slot.shape[0] - 1
    for i in range(n - 1, -1, -1):
        shape, up, v = slot[i, SHAPE], slot[i, PARENT], slot[i, FIRST]
        force, torque = part3(row, i, WRENCH), part3(row, i, WRENCH + 3)
        if shape == HINGE or shape == SLIDER:
            e = part3(row, i, AXIS)
            g = dot(e, torque) if shape == HINGE else dot(e, force)
            y = g * row[i, PIVOT + 12]
            dof[v, PIVOT_SIDE] = y
            force = axpy(-y, part3(row, i, PIVOT), force)
            torque = axpy(-y, part3(row, i, PIVOT + 3), torque)
        elif shape == BALL:
            y3 = _rows_times(row, i, PIVOT + 18, torque)
            for c in range(3):
                dof[v + c, PIVOT_SIDE] = y3[c]
            force = sub(force, _rows_times(row, i, PIVOT, y3))
            torque = sub(torque, torque)
        if up != n:
            put3(row, up, WRENCH, add(part3(row, up, WRENCH), force))
            moved = moved_wrench(part3(row, i, REACH), force, torque)
            put3(row, up, WRENCH + 3, add(part3(row, up, WRENCH + 3), moved))


@inlined
def _rows_times(a, i, k, u):
    return (dot(part3(a, i, k), u), dot(part3(a, i, k + 3), u), dot(part3(a, i, k + 6), u))


@inlined
def spread_lanes(slot, row, dof, length):
    """`tree_solve.spread`; the largest sizes of increments in scaled units."""
    n = slot.shape[0] - 1
    per_length = 1.0 / length
    largest = 0.0 * row[n, FRAME]
    for i in range(n):
        shape, up, v = slot[i, SHAPE], slot[i, PARENT], slot[i, FIRST]
        turn = part3(row, up, TWIST + 3)
        move = add(part3(row, up, TWIST), cross(turn, part3(row, i, REACH_END)))
        if shape == HINGE or shape == SLIDER:
            step = -(dof[v, PIVOT_SIDE] + dot(part3(row, i, PIVOT + 6), move) + dot(part3(row, i, PIVOT + 9), turn))
            dof[v, NEWTON] = step
            if shape == HINGE:
                turn = axpy(step, part3(row, i, AXIS_END), turn)
            else:
                move = axpy(step, part3(row, i, AXIS_END), move)
        elif shape == BALL:
            x = _rows_times(row, i, PIVOT + 9, move)
            own = (-dof[v, PIVOT_SIDE] - x[0], -dof[v + 1, PIVOT_SIDE] - x[1], -dof[v + 2, PIVOT_SIDE] - x[2])
            for c in range(3):
                dof[v + c, NEWTON] = own[c] - turn[c]
            turn = own
        put3(row, i, TWIST, move)
        put3(row, i, TWIST + 3, turn)
        for c in range(3):
            largest = larger(size(move[c]) * per_length, largest)
            largest = larger(size(turn[c]), largest)
    return largest
