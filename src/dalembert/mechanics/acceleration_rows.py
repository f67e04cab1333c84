"""Least squares with dependent rows: the complete orthogonal decomposition, in the caller's memory.

Rows g_i (r of them, n long) of a matrix G that may be dependent, as those of a closed loop made of spatial joints are.
Householder reflections from the right with row pivoting, then from the left on what is left, give

    P G = [L, 0] Qᵀ  (L: r×k),      L = Z [T; 0]  (T: k×k upper triangular, k the rank),

from which follow the shortest y of those that bring G y nearest to b, y = Q [T⁻¹ Zᵀ P b; 0], and the shortest λ with
Gᵀ λ = y. Source: [Golub 2013] sections 5.4.2 and 5.5.
"""

from math import sqrt

from dalembert._jit import kernel


@kernel
def decompose(rows, left, pivots, order, tolerance):
    """Decompose G in ``rows`` (r, n), in place; returns the rank.

    Args:
        rows: G, one constraint in each row; reflections and L afterwards.
        left: (min(r, n), r) columns of L, then reflections and T.
        pivots: (2, r) diagonals of L and T; the reflections take their places.
        order: (r,) which row of G each row of P G is.
        tolerance: rows whose remainder is shorter than this times the longest row are taken as dependent.
    """
    r, n = rows.shape
    for i in range(r):
        order[i] = i
    rank, longest = 0, 0.0
    while rank < min(r, n):
        best, size = rank, -1.0
        for i in range(rank, r):
            length = _squares(rows, i, rank)
            if length > size:
                best, size = i, length
        size = sqrt(size)
        longest = max(longest, size)
        if not size > tolerance * longest:
            break
        if best != rank:
            order[rank], order[best] = order[best], order[rank]
            for c in range(n):
                rows[rank, c], rows[best, c] = rows[best, c], rows[rank, c]
        pivots[0, rank] = _reflector(rows, rank, rank)
        for i in range(rank + 1, r):
            _reflect(rows, rank, rank, rows, i)
        rank += 1
    for k in range(rank):
        for i in range(r):
            left[k, i] = rows[i, k] if i > k else (pivots[0, k] if i == k else 0.0)
    for k in range(rank):
        pivots[1, k] = _reflector(left, k, k)
        for i in range(k + 1, rank):
            _reflect(left, k, k, left, i)
    return rank


@kernel
def shortest_solution(rows, left, pivots, order, rank, b, work, y, multiplier):
    """y (n,) and λ (r,) from b (r,), see above; ``work`` (1, r) is scratch."""
    r, n = rows.shape
    for i in range(r):
        work[0, i] = b[order[i]]
    for k in range(rank):
        _reflect(left, k, k, work, 0)
    # T z = Zᵀ P b; row k of T stands in column k of `left`
    for k in range(rank - 1, -1, -1):
        value = work[0, k]
        for i in range(k + 1, rank):
            value -= left[i, k] * work[0, i]
        work[0, k] = value / pivots[1, k]
    for c in range(n):
        y[0, c] = work[0, c] if c < rank else 0.0
    for k in range(rank - 1, -1, -1):
        _reflect(rows, k, k, y, 0)
    # λ = Pᵀ Z T⁻ᵀ z
    for k in range(rank):
        value = work[0, k]
        for i in range(k):
            value -= left[k, i] * work[0, i]
        work[0, k] = value / pivots[1, k]
    for i in range(rank, r):
        work[0, i] = 0.0
    for k in range(rank - 1, -1, -1):
        _reflect(left, k, k, work, 0)
    for i in range(r):
        multiplier[order[i]] = work[0, i]


@kernel
def _squares(a, i, first):
    total = 0.0
    for c in range(first, a.shape[1]):
        total += a[i, c] * a[i, c]
    return total


@kernel
def _reflector(a, i, first):
    """Turn ``a[i, first:]`` into the unit normal of the reflection that takes it to (pivot, 0, …); return the pivot."""
    size = sqrt(_squares(a, i, first))
    pivot = -size if a[i, first] >= 0.0 else size
    a[i, first] -= pivot
    length = sqrt(_squares(a, i, first))
    for c in range(first, a.shape[1]):
        a[i, c] /= length
    return pivot


@kernel
def _reflect(a, i, first, target, row):
    """Apply the reflection of ``a[i, first:]`` to a row of ``target``."""
    total = 0.0
    for c in range(first, a.shape[1]):
        total += a[i, c] * target[row, c]
    total *= 2.0
    for c in range(first, a.shape[1]):
        target[row, c] -= total * a[i, c]
