"""Elimination with loops: impulses of ties travel inward with the articulated bodies and are eliminated at their apex.

With the impulses Λ of the ties open at a slot as unknowns beside the twist t of its body, what hangs on it says

    wrench on the slot   w + K t − A Λ,        ties   ĝ + B t + S Λ = 0,

A the columns and B the rows of the strands there. Eliminating its joint (see `tree_solve`: U = K R, X = D⁻¹ Lᵀ K) gives
δ = −(y + X t − Y Λ) with Y = D⁻¹ Lᵀ A, Z = B R, and passes on

    A − U Y,    B − Z X,    S + Z Y,    ĝ − Z y,

the first two moved to the parent's reference point like wrenches, A over the reach at the knot and B over that at the
end. At the apex of a link both its ends have met, and nothing further in can move it: a motion of the apex takes the
whole loop along. So S is all that will ever answer its impulses; a direction in which S does not is one that other
joints hold already, and is dropped with S⁺ its pseudo-inverse. From Λ = −S⁺ (ĝ + B t + S' Λ') with the impulses Λ' of
ties still open,

    K + A S⁺ B,    w + A S⁺ ĝ,    A' − A S⁺ S',    B' − S'' S⁺ B,    S''' − S'' S⁺ S',    ĝ' − S'' S⁺ ĝ.
"""

from math import isfinite, sqrt
from typing import Final

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_loops import (
    ANSWER,
    APEX_STRAND,
    CLOSING,
    COLUMN,
    COMPLIANCE,
    COUPLES,
    FIRST_LINK,
    FIRST_STRAND,
    FIRST_TIE,
    GRIP,
    HOLDS,
    IMPULSE,
    LAST_STRAND,
    LEFT_A,
    LEFT_B,
    LINKS,
    PLACE,
    RIGHT_A,
    RIGHT_B,
    ROW,
    SIDE_G,
    SOLVED,
    STRAND_A,
    STRAND_B,
    STRAND_TIE,
    STRAND_UP,
    STRANDS,
    TIES,
    VALUE,
)
from dalembert.integrators.maximal.tree_plan import (
    AXIS,
    AXIS_END,
    BLOCK,
    DOFS,
    FIRST,
    HINGE,
    INVERSE,
    LEFT,
    PIVOT,
    PIVOT_SIDE,
    PULLED,
    RAISED,
    REACH,
    REACH_END,
    RIGHT,
    SHAPE,
    TWIST,
    WRENCH,
)
from dalembert.linalg.pivots import REGULAR, invert_with_exchanges, numerical_rank, pseudo_invert
from dalembert.mechanics.constraint_graph import REDUNDANT
from dalembert.spatial.vector import cross, dot, part3

KEPT: Final = 140
SCALES: Final = 146
"""Where `Loops.work` lists the ties of a link that answer at all, and their scales; linear algebra works before."""


@kernel
def load_strands(loops):
    """The ties at the bodies they hold on to; nothing carried yet."""
    ray, ray_row, strand_row, couple = loops.ray, loops.ray_row, loops.strand_row, loops.couple
    for e in range(strand_row.shape[0]):
        for c in range(12):
            strand_row[e, c] = 0.0
    for k in range(couple.shape[0]):
        couple[k] = 0.0
    for k in range(ray.shape[0]):
        a, b = ray[k, STRAND_A], ray[k, STRAND_B]
        for c in range(6):
            if a >= 0:
                strand_row[a, COLUMN + c] += ray_row[k, LEFT_A + c]
                strand_row[a, ROW + c] += ray_row[k, RIGHT_A + c]
            if b >= 0:
                strand_row[b, COLUMN + c] += ray_row[k, LEFT_B + c]
                strand_row[b, ROW + c] += ray_row[k, RIGHT_B + c]


@kernel
def close_links(row, loops, i):
    """Eliminate the impulses of all links whose apex is slot i; False if a number is not finite.

    All that is carried must have arrived. K stands in the slot's row; the world has none.
    """
    links = loops.at[i, FIRST_LINK]
    on_body = i < loops.at.shape[0] - 1
    for l in range(links, links + loops.at[i, LINKS]):
        if not _invert_couplings(loops, l):
            return False
        if on_body:
            _hold_body(row, loops, i, l)
        _hold_others(loops, l)
    return True


@kernel
def _invert_couplings(loops, l):
    """S⁺ of link l, its rank revealed where other joints may say the same; False if a number is not finite.

    In a plane mechanism whole rows and columns vanish: they are left out before anything is decomposed.
    """
    link, tie, couple, inverse, work = loops.link, loops.tie, loops.couple, loops.inverse, loops.work
    t, n, at = link[l, FIRST_TIE], link[l, TIES], 36 * l
    m, largest, total = 0, 0.0, 0.0
    for r in range(n):
        base, answers = tie[t + r, COUPLES], not link[l, HOLDS]
        for s in range(n):
            size = max(abs(couple[base + tie[t + s, PLACE]]), abs(couple[tie[t + s, COUPLES] + tie[t + r, PLACE]]))
            total += size
            if size > REDUNDANT * sqrt(loops.scale[t + r] * loops.scale[t + s]):
                answers = True
        if answers or loops.tie_row[t + r, COMPLIANCE] != 0.0:
            work[KEPT + m], work[SCALES + m] = r, loops.scale[t + r]
            largest = max(largest, loops.scale[t + r])
            m += 1
    if not isfinite(total):
        return False
    for a in range(m):
        r = int(work[KEPT + a])
        for b in range(m):
            inverse[at + m * a + b] = couple[tie[t + r, COUPLES] + tie[t + int(work[KEPT + b]), PLACE]]
        inverse[at + (m + 1) * a] += loops.tie_row[t + r, COMPLIANCE]
    rank = m
    if link[l, HOLDS]:
        rank = numerical_rank(inverse, at, m, REDUNDANT, work, SCALES, work)
    if rank < m or invert_with_exchanges(inverse, at, m, work) != REGULAR:
        pseudo_invert(inverse, at, m, rank, largest, work)
    if m < n:
        for k in range(m * m):
            work[k] = inverse[at + k]
        for k in range(n * n):
            inverse[at + k] = 0.0
        for a in range(m):
            for b in range(m):
                inverse[at + n * int(work[KEPT + a]) + int(work[KEPT + b])] = work[m * a + b]
    return True


@kernel
def _hold_body(row, loops, i, l):
    """S⁺ B, and K + A S⁺ B."""
    n, e, strand_row, inverse = loops.link[l, TIES], loops.link[l, APEX_STRAND], loops.strand_row, loops.inverse
    for r in range(n):
        for c in range(6):
            total = 0.0
            for s in range(n):
                total += inverse[36 * l + n * r + s] * strand_row[e + s, ROW + c]
            strand_row[e + r, ANSWER + c] = total
    for r in range(n):
        for k in range(6):
            a = strand_row[e + r, COLUMN + k]
            for c in range(6):
                row[i, BLOCK + 6 * k + c] += a * strand_row[e + r, ANSWER + c]


@kernel
def _hold_others(loops, l):
    """What link l does to the ties coupled to it that stay open at its apex."""
    tie, strand, strand_row, couple = loops.tie, loops.strand, loops.strand_row, loops.couple
    t, n, e, end = loops.link[l, FIRST_TIE], loops.link[l, TIES], loops.link[l, APEX_STRAND], loops.link[l, LAST_STRAND]
    inverse, work = loops.inverse, loops.work
    for f in range(e + n, end):
        s = strand[f, STRAND_TIE]
        for r in range(n):
            total = 0.0
            for q in range(n):
                total += inverse[36 * l + n * r + q] * couple[tie[t + q, COUPLES] + tie[s, PLACE]]
            work[r] = total
        for r in range(n):
            couple[tie[t + r, COUPLES] + tie[s, PLACE]] = work[r]
            for c in range(6):
                strand_row[f, COLUMN + c] -= strand_row[e + r, COLUMN + c] * work[r]
    for f in range(e + n, end):
        s = strand[f, STRAND_TIE]
        for r in range(n):
            back = couple[tie[s, COUPLES] + tie[t + r, PLACE]]
            for c in range(6):
                strand_row[f, ROW + c] -= back * strand_row[e + r, ANSWER + c]
            for g in range(e + n, end):
                q = tie[strand[g, STRAND_TIE], PLACE]
                couple[tie[s, COUPLES] + q] -= back * couple[tie[t + r, COUPLES] + q]


@kernel
def pass_ties(slot, row, dof, loops, i):
    """Carry the ties that are open at slot i over its joint, just eliminated, to its parent."""
    strand, strand_row, tie, couple = loops.strand, loops.strand_row, loops.tie, loops.couple
    first = loops.at[i, FIRST_STRAND] + loops.at[i, CLOSING]
    end = loops.at[i, FIRST_STRAND] + loops.at[i, STRANDS]
    if slot[i, SHAPE] == HINGE:
        _pass_hinge(row, strand_row, i, first, end)
        dofs = 1
    else:
        dofs = slot[i, DOFS]
        _pass_general(dof, strand_row, slot[i, FIRST], dofs, first, end)
    for f in range(first, end):
        at = tie[strand[f, STRAND_TIE], COUPLES]
        for k in range(dofs):
            z = strand_row[f, GRIP + k]
            for g in range(first, end):
                couple[at + tie[strand[g, STRAND_TIE], PLACE]] += z * strand_row[g, ANSWER + k]
    reach, reach_end = part3(row, i, REACH), part3(row, i, REACH_END)
    for f in range(first, end):
        up = strand[f, STRAND_UP]
        if up >= 0:
            _move(strand_row, f, up, COLUMN, reach)
            _move(strand_row, f, up, ROW, reach_end)


@kernel
def _move(strand_row, f, up, k, d):
    """Add a wrench to that of the parent's strand, about a reference point −d away."""
    force = part3(strand_row, f, k)
    moment = cross(d, force)
    for c in range(3):
        strand_row[up, k + c] += force[c]
        strand_row[up, k + 3 + c] += strand_row[f, k + 3 + c] + moment[c]


@kernel
def _pass_hinge(row, strand_row, i, first, end):
    """Y and Z, A − U Y and B − Z X for one turn about an axis."""
    axis, axis_end, inverse = part3(row, i, AXIS), part3(row, i, AXIS_END), row[i, PIVOT + 12]
    for f in range(first, end):
        y = inverse * dot(axis, part3(strand_row, f, COLUMN + 3))
        z = dot(axis_end, part3(strand_row, f, ROW + 3))
        strand_row[f, ANSWER], strand_row[f, GRIP] = y, z
        for c in range(6):
            strand_row[f, COLUMN + c] -= row[i, PIVOT + c] * y
            strand_row[f, ROW + c] -= z * row[i, PIVOT + 6 + c]


@kernel
def _pass_general(dof, strand_row, v, dofs, first, end):
    """The same for any number of degrees of freedom."""
    for f in range(first, end):
        for k in range(dofs):
            z, y = 0.0, 0.0
            for c in range(6):
                z += strand_row[f, ROW + c] * dof[v + k, RIGHT + c]
            for l in range(dofs):
                on_l = 0.0
                for c in range(6):
                    on_l += dof[v + l, LEFT + c] * strand_row[f, COLUMN + c]
                y += dof[v + k, INVERSE + l] * on_l
            strand_row[f, GRIP + k], strand_row[f, ANSWER + k] = z, y
        for k in range(dofs):
            z, y = strand_row[f, GRIP + k], strand_row[f, ANSWER + k]
            for c in range(6):
                strand_row[f, COLUMN + c] -= dof[v + k, RAISED + c] * y
                strand_row[f, ROW + c] -= z * dof[v + k, PULLED + c]


@kernel
def load_sides(loops):
    """ĝ starts as the value of each tie."""
    for t in range(loops.tie_row.shape[0]):
        loops.tie_row[t, SIDE_G] = loops.tie_row[t, VALUE]


@kernel
def reduce_links(row, loops, i):
    """S⁺ ĝ of all links whose apex is slot i, and w + A S⁺ ĝ."""
    link, tie, tie_row, strand, couple = loops.link, loops.tie, loops.tie_row, loops.strand, loops.couple
    on_body = i < loops.at.shape[0] - 1
    for l in range(loops.at[i, FIRST_LINK], loops.at[i, FIRST_LINK] + loops.at[i, LINKS]):
        t, n, e, end = link[l, FIRST_TIE], link[l, TIES], link[l, APEX_STRAND], link[l, LAST_STRAND]
        for r in range(n):
            total = 0.0
            for s in range(n):
                total += loops.inverse[36 * l + n * r + s] * tie_row[t + s, SIDE_G]
            tie_row[t + r, SOLVED] = total
            if on_body:
                for c in range(6):
                    row[i, WRENCH + c] += loops.strand_row[e + r, COLUMN + c] * total
        for f in range(e + n, end):
            s = strand[f, STRAND_TIE]
            for r in range(n):
                tie_row[s, SIDE_G] -= couple[tie[s, COUPLES] + tie[t + r, PLACE]] * tie_row[t + r, SOLVED]


@kernel
def pass_sides(slot, dof, loops, i):
    """ĝ − Z y over the joint of slot i."""
    first = loops.at[i, FIRST_STRAND] + loops.at[i, CLOSING]
    v = slot[i, FIRST]
    for f in range(first, loops.at[i, FIRST_STRAND] + loops.at[i, STRANDS]):
        for k in range(slot[i, DOFS]):
            loops.tie_row[loops.strand[f, STRAND_TIE], SIDE_G] -= loops.strand_row[f, GRIP + k] * dof[v + k, PIVOT_SIDE]


@kernel
def answer_ties(slot, dof, loops, i):
    """y − Y Λ in place of y at the joint of slot i."""
    first = loops.at[i, FIRST_STRAND] + loops.at[i, CLOSING]
    v = slot[i, FIRST]
    for f in range(first, loops.at[i, FIRST_STRAND] + loops.at[i, STRANDS]):
        impulse = loops.tie_row[loops.strand[f, STRAND_TIE], IMPULSE]
        for k in range(slot[i, DOFS]):
            dof[v + k, PIVOT_SIDE] -= loops.strand_row[f, ANSWER + k] * impulse


@kernel
def spread_links(row, loops, i):
    """Λ = −S⁺ (ĝ + B t + S' Λ') of all links whose apex is slot i, once its twist is known."""
    link, tie, tie_row, strand, couple = loops.link, loops.tie, loops.tie_row, loops.strand, loops.couple
    on_body = i < loops.at.shape[0] - 1
    first = loops.at[i, FIRST_LINK]
    for l in range(first + loops.at[i, LINKS] - 1, first - 1, -1):
        t, n, e, end = link[l, FIRST_TIE], link[l, TIES], link[l, APEX_STRAND], link[l, LAST_STRAND]
        for r in range(n):
            total = tie_row[t + r, SOLVED]
            if on_body:
                for c in range(6):
                    total += loops.strand_row[e + r, ANSWER + c] * row[i, TWIST + c]
            for f in range(e + n, end):
                s = strand[f, STRAND_TIE]
                total += couple[tie[t + r, COUPLES] + tie[s, PLACE]] * tie_row[s, IMPULSE]
            tie_row[t + r, IMPULSE] = -total
