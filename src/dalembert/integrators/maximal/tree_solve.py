"""The Newton system of a step, solved by one sweep from the leaves to the root and one back.

With the end pose of every body a function of the joint coordinates, the step's equations tested with the screws at the
knot are N(z_k)ᵀ (p⁻ − P) + (interval forces) = 0, the discrete null-space method [Betsch 2006, Leyendecker 2008]: the
multipliers drop out. The Newton matrix N(z_k)ᵀ D N(z⁺), D = ∂p⁻/∂z⁺, has the structure of the articulated-body
algorithm [Featherstone 1983] with two sets of screws: those at the knot, L, from the left and those at the end, R, from
the right. Let a slot's own matrix and residual, with its children's added, be K and w. Its joint's equations

    Lᵀ (w + K (t + R δ)) + (κ δ)' + r = 0

give δ = −(y + X t) with D = Lᵀ K R + κ, X = D⁻¹ Lᵀ K, y = D⁻¹ (Lᵀ w + r), and leave K − U X and w − U y, U = K R, to be
carried to the parent's reference point.
"""

from math import isfinite

from dalembert._jit import inlined, kernel
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
    store_block,
    subtract_rows,
    sum_block,
    times_rows,
    zero_block,
)
from dalembert.integrators.maximal.tree_forces import coordinate_residual
from dalembert.integrators.maximal.tree_motion import angular_momentum_derivative, get4, get_inertia, put3
from dalembert.integrators.maximal.tree_pivot import eliminate_general, reduce_general, spread_general
from dalembert.integrators.maximal.tree_plan import (
    ARM,
    ARM_END,
    AXIS,
    AXIS_END,
    BALL,
    BRANCHED,
    FIRST,
    GENERAL,
    GROWTH,
    HINGE,
    INERTIA,
    LOAD,
    MASS,
    NEWTON,
    PARENT,
    PIVOT,
    PIVOT_SIDE,
    REACH,
    REACH_END,
    SHAPE,
    SLIDER,
    SPRUNG,
    TIED,
    TURN,
    TWIST,
    WRENCH,
)
from dalembert.spatial.vector import add, axpy, cross, dot, part3, scale, sub


@kernel
def gather(slot, row, dof, h, start, resumed, reduces):
    """Eliminate joints from slot ``start`` on, leaves first; (where it halts, slot whose pivot is not finite or −1).

    It halts at a slot with ties (see `tree_loops`), its matrix in its row and its joint still to be eliminated, and is
    ``resumed`` there; without any it ends at −1. Along a chain the matrix passes from a slot to the one before it in
    ``k``; where branches meet it waits in the row. With ``reduces`` the residuals are carried inward on the way.
    """
    n = slot.shape[0] - 1
    worst = -1
    k = zero_block()
    for i in range(start, -1, -1):
        shape, up = slot[i, SHAPE], slot[i, PARENT]
        if resumed and i == start:
            k = load_block(row, i)
            clear_block(row, i)
        else:
            if slot[i, BRANCHED]:
                k = sum_block(k, load_block(row, i))
                clear_block(row, i)
            g = angular_momentum_derivative(h, get_inertia(row, i, INERTIA), get4(row, i, TURN))
            k = add_body(k, row[i, MASS] / h, part3(row, i, ARM), part3(row, i, ARM_END), g)
            if slot[i, TIED]:
                store_block(row, i, k)
                return i, worst
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
            if slot[i, SPRUNG]:
                d += dof[slot[i, FIRST], GROWTH]
            inverse_d = 1.0 / d
            if not isfinite(inverse_d):
                worst = i
            xa, xb = scale(inverse_d, va), scale(inverse_d, vb)
            put3(row, i, PIVOT, uf)
            put3(row, i, PIVOT + 3, ut)
            put3(row, i, PIVOT + 6, xa)
            put3(row, i, PIVOT + 9, xb)
            row[i, PIVOT + 12] = inverse_d
            if up != n:
                k = remove(k, uf, ut, xa, xb)
        elif shape == BALL:
            k = _eliminate_ball(slot, row, dof, i, k)
        elif shape == GENERAL:
            store_block(row, i, k)
            if not eliminate_general(slot, row, dof, i):
                worst = i
            k = load_block(row, i)
            clear_block(row, i)
        if reduces:
            reduce_slot(slot, row, dof, i)
        if up == n:
            k = zero_block()
        else:
            k = shift(k, part3(row, i, REACH), part3(row, i, REACH_END))
            if up != i - 1:
                add_block(row, up, k)
                k = zero_block()
    return -1, worst


@kernel
def _eliminate_ball(slot, row, dof, i, k):
    """The screws are the three turns (0, e): U = [B; D], X = [D⁻¹ C, 1], and only A − B D⁻¹ C is left."""
    a0, a1, a2, b0, b1, b2, c0, c1, c2, d0, d1, d2 = k
    y = inverse(d0, d1, d2)
    x = times_rows(y, c0, c1, c2)
    put3(row, i, PIVOT, b0)
    put3(row, i, PIVOT + 3, b1)
    put3(row, i, PIVOT + 6, b2)
    put3(row, i, PIVOT + 9, x[0])
    put3(row, i, PIVOT + 12, x[1])
    put3(row, i, PIVOT + 15, x[2])
    put3(row, i, PIVOT + 18, y[0])
    put3(row, i, PIVOT + 21, y[1])
    put3(row, i, PIVOT + 24, y[2])
    a0, a1, a2 = subtract_rows(a0, a1, a2, times_rows((b0, b1, b2), x[0], x[1], x[2]))
    o = (0.0, 0.0, 0.0)
    return (a0, a1, a2, o, o, o, o, o, o, o, o, o)


@kernel
def reduce(slot, row, dof, start, resumed):
    """Carry the residual wrenches from slot ``start`` to the root with the elimination at hand; fills PIVOT_SIDE.

    It halts and is resumed like `gather`, and returns where.
    """
    for i in range(start, -1, -1):
        if slot[i, TIED] and not (resumed and i == start):
            return i
        reduce_slot(slot, row, dof, i)
    return -1


@inlined
def reduce_slot(slot, row, dof, i):
    """`reduce` for slot i, after its children."""
    shape, up, v = slot[i, SHAPE], slot[i, PARENT], slot[i, FIRST]
    force, torque = part3(row, i, WRENCH), part3(row, i, WRENCH + 3)
    if shape == HINGE or shape == SLIDER:
        e = part3(row, i, AXIS)
        g = dot(e, torque) if shape == HINGE else dot(e, force)
        g += coordinate_residual(slot, row, dof, i, 0) if slot[i, SPRUNG] else -dof[v, LOAD]
        y = g * row[i, PIVOT + 12]
        dof[v, PIVOT_SIDE] = y
        force = axpy(-y, part3(row, i, PIVOT), force)
        torque = axpy(-y, part3(row, i, PIVOT + 3), torque)
    elif shape == BALL:
        g = (torque[0] - dof[v, LOAD], torque[1] - dof[v + 1, LOAD], torque[2] - dof[v + 2, LOAD])
        y = _rows_times(row, i, PIVOT + 18, g)
        for c in range(3):
            dof[v + c, PIVOT_SIDE] = y[c]
        force = sub(force, _rows_times(row, i, PIVOT, y))
        torque = sub(torque, g)
    elif shape == GENERAL:
        force, torque = reduce_general(slot, row, dof, i, force, torque)
    if up != slot.shape[0] - 1:
        put3(row, up, WRENCH, add(part3(row, up, WRENCH), force))
        moved = moved_wrench(part3(row, i, REACH), force, torque)
        put3(row, up, WRENCH + 3, add(part3(row, up, WRENCH + 3), moved))


@kernel
def _rows_times(a, i, k, u):
    return (dot(part3(a, i, k), u), dot(part3(a, i, k + 3), u), dot(part3(a, i, k + 6), u))


@kernel
def spread(slot, row, dof, length, start, resumed, largest):
    """Increments of the coordinates (NEWTON) and end poses from slot ``start`` on, root first.

    It halts before every slot with ties and is resumed there; (where it halts, the largest size in scaled units).
    """
    n = slot.shape[0] - 1
    per_length = 1.0 / length
    for i in range(start, n):
        if slot[i, TIED] and not (resumed and i == start):
            return i, largest
        largest = spread_slot(slot, row, dof, per_length, i, largest)
    return n, largest


@inlined
def spread_slot(slot, row, dof, per_length, i, largest):
    """`spread` for slot i, after its parent; the larger of ``largest`` and the size of its increment."""
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
        # X = [D⁻¹ C, 1]: the parent's turn drops out of the body's own
        own = (-dof[v, PIVOT_SIDE] - x[0], -dof[v + 1, PIVOT_SIDE] - x[1], -dof[v + 2, PIVOT_SIDE] - x[2])
        for c in range(3):
            dof[v + c, NEWTON] = own[c] - turn[c]
        turn = own
    elif shape == GENERAL:
        move, turn = spread_general(slot, row, dof, i, move, turn)
    put3(row, i, TWIST, move)
    put3(row, i, TWIST + 3, turn)
    for c in range(3):
        move_size, turn_size = abs(move[c]) * per_length, abs(turn[c])
        # written so that a NaN stays
        if move_size > largest or move_size != move_size:
            largest = move_size
        if turn_size > largest or turn_size != turn_size:
            largest = turn_size
    return largest
