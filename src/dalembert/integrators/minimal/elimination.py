"""Elimination of the joints of a tree, leaves first: the exact Newton direction.

Let [A B; C D] map the increment of the end pose of a body, all that it carries included, to its residual wrench. The
recursion of `maximal.tree_solve` takes a joint's degrees of freedom out of it and moves it to the parent; here only the
bodies' own matrices differ. What is left in the rows is what `tree_solve.reduce` and `spread` read.
"""

from math import isfinite

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_block import (
    add_block,
    clear_block,
    inverse,
    load_block,
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
from dalembert.integrators.maximal.tree_motion import get4, get_inertia, put3
from dalembert.integrators.maximal.tree_pivot import eliminate_general
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
    MASS,
    PARENT,
    PIVOT,
    REACH,
    REACH_END,
    SHAPE,
    SLIDER,
    SPRUNG,
    TURN,
)
from dalembert.integrators.minimal.discrete_body import body_matrix, turn_vector
from dalembert.integrators.minimal.drnea import displacement
from dalembert.spatial.vector import dot, part3, scale


@kernel
def end_matrix(row, i, h):
    """The matrix of slot i's own body about its reference point, from the poses at hand."""
    d, theta = displacement(row, i), turn_vector(get4(row, i, TURN))
    return shift(
        body_matrix(h, row[i, MASS], get_inertia(row, i, INERTIA), d, theta),
        part3(row, i, ARM),
        part3(row, i, ARM_END),
    )


@kernel
def eliminate(slot, row, dof, h):
    """Eliminate every joint at the poses at hand; the slot whose pivot is not finite, or −1."""
    n = slot.shape[0] - 1
    worst = -1
    k = zero_block()
    for i in range(n - 1, -1, -1):
        up = slot[i, PARENT]
        if slot[i, BRANCHED]:
            k = sum_block(k, load_block(row, i))
            clear_block(row, i)
        k = sum_block(k, end_matrix(row, i, h))
        k, regular = eliminate_joint(slot, row, dof, i, k)
        if not regular:
            worst = i
        if up == n:
            k = zero_block()
        else:
            k = shift(k, part3(row, i, REACH), part3(row, i, REACH_END))
            if up != i - 1:
                add_block(row, up, k)
                k = zero_block()
    return worst


@kernel
def eliminate_joint(slot, row, dof, i, k):
    """(what is left for the parent, whether the pivot was finite)."""
    shape = slot[i, SHAPE]
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
        xa, xb = scale(inverse_d, va), scale(inverse_d, vb)
        put3(row, i, PIVOT, uf)
        put3(row, i, PIVOT + 3, ut)
        put3(row, i, PIVOT + 6, xa)
        put3(row, i, PIVOT + 9, xb)
        row[i, PIVOT + 12] = inverse_d
        return remove(k, uf, ut, xa, xb), isfinite(inverse_d)
    if shape == BALL:
        return eliminate_ball(row, i, k)
    if shape == GENERAL:
        store_block(row, i, k)
        regular = eliminate_general(slot, row, dof, i)
        left = load_block(row, i)
        clear_block(row, i)
        return left, regular
    return k, True


@kernel
def eliminate_ball(row, i, k):
    """The screws are the three turns: U = [B; D], X = [D⁻¹ C, 1], and only A − B D⁻¹ C is left."""
    a0, a1, a2, b0, b1, b2, c0, c1, c2, d0, d1, d2 = k
    y = inverse(d0, d1, d2)
    x = times_rows(y, c0, c1, c2)
    for r in range(3):
        put3(row, i, PIVOT + 3 * r, b0 if r == 0 else (b1 if r == 1 else b2))
        put3(row, i, PIVOT + 9 + 3 * r, x[0] if r == 0 else (x[1] if r == 1 else x[2]))
        put3(row, i, PIVOT + 18 + 3 * r, y[0] if r == 0 else (y[1] if r == 1 else y[2]))
    a0, a1, a2 = subtract_rows(a0, a1, a2, times_rows((b0, b1, b2), x[0], x[1], x[2]))
    o = (0.0, 0.0, 0.0)
    return (a0, a1, a2, o, o, o, o, o, o, o, o, o), isfinite(y[0][0] + y[1][1] + y[2][2])
