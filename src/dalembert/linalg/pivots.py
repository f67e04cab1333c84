"""The inverse of one pivot block, or its pseudo-inverse where the rank is deficient.

Pivots are stored inverted. Applying an inverse to a right-hand side is one short product without divisions or a chain
of substitutions, and a block of deficient rank becomes an ordinary one: its inverse is simply its pseudo-inverse.

**Dropping directions.** Let what remains of the matrix, S = [[D, U], [L, A]], be symmetric and positive semi-definite
up to a sign, as it is for the multipliers of joints once the bodies are eliminated (S = G M⁻¹ Gᵀ). If xᵀDx = 0, then
(x, 0) minimises the quadratic form of S, so S (x, 0) = 0, that is D x = 0 and L x = 0: where the pivot is zero, whole
rows and columns are zero. Such a direction is a redundant constraint. Its equation holds when the others hold, its
multiplier is arbitrary, and neither appears in what is eliminated later; leaving it out is exact, and the
pseudo-inverse gives the multipliers of least norm within the block. The matrices of variational integrators differ from
symmetric ones by terms of the order of the step, but a redundant constraint is redundant at either end of the step: its
rows, and likewise its columns, are combinations of the others.

**Rank.** The pivot is factored as D P = Q R by Householder reflections with column pivoting, so |r₁₁| ≥ |r₂₂| ≥ …; the
first ``rank`` rows of R are kept and written as T Z with orthonormal rows in Z and a lower triangle T. The complete
orthogonal decomposition D ≈ Q T Z Pᵀ gives the pseudo-inverse P Zᵀ T⁻¹ Qᵀ of the truncation.
[Golub & Van Loan 2013] sections 5.4 and 5.5.
"""

from math import isfinite, sqrt

from dalembert._jit import kernel
from dalembert.linalg.blocks import FIVE, FOUR, ONE, SIX, THREE, TWO
from dalembert.linalg.inverse import invert_above_three, invert_up_to_three

REGULAR, SINGULAR, NOT_FINITE = 0, 1, 2
"""Status of a pivot and of a factorisation; the worst pivot decides."""

ZERO = 1e-14
"""A pivot direction this small, relative to the scale of its block, is rounding error around zero."""


@kernel
def invert(values, a, n, work):
    """Invert the n × n block at ``values[a:]`` in place; returns its status.

    ``work`` needs n² + n numbers. A block whose status is not REGULAR is left as it was.
    """
    if n == 6:
        done = invert_above_three(values, a, SIX, THREE, work)
    elif n == 5:
        done = invert_above_three(values, a, FIVE, TWO, work)
    elif n == 4:
        done = invert_above_three(values, a, FOUR, ONE, work)
    elif n == 3:
        done = invert_up_to_three(values, a, THREE)
    elif n == 2:
        done = invert_up_to_three(values, a, TWO)
    elif n == 1:
        done = invert_up_to_three(values, a, ONE)
    else:
        done = True
    return REGULAR if done else invert_with_exchanges(values, a, n, work)


@kernel
def invert_with_exchanges(values, a, n, work):
    """`invert` by Gauss–Jordan elimination with row exchanges, for any block.

    Step k solves row k for unknown k and exchanges it with right-hand side k. Exchanged rows are exchanged columns of
    the inverse.
    """
    swap = n * n
    scale = 0.0  # a sum rather than the largest entry: it is not finite if one entry is not
    for i in range(n * n):
        work[i] = values[a + i]
        scale += abs(values[a + i])
    if not isfinite(scale):
        return NOT_FINITE
    for k in range(n):
        best, largest = k, abs(work[n * k + k])
        for i in range(k + 1, n):
            if abs(work[n * i + k]) > largest:
                best, largest = i, abs(work[n * i + k])
        if not largest > ZERO * scale:
            return SINGULAR
        work[swap + k] = best
        if best != k:
            for j in range(n):
                work[n * k + j], work[n * best + j] = work[n * best + j], work[n * k + j]
        pivot = 1.0 / work[n * k + k]
        work[n * k + k] = 1.0
        for j in range(n):
            work[n * k + j] *= pivot
        for i in range(n):
            if i != k:
                entry = work[n * i + k]
                work[n * i + k] = 0.0
                for j in range(n):
                    work[n * i + j] -= entry * work[n * k + j]
    for i in range(n * n):
        values[a + i] = work[i]
    for back in range(n):
        k = n - 1 - back
        best = int(work[swap + k])
        if best != k:
            for i in range(n):
                x, y = a + n * i + k, a + n * i + best
                values[x], values[y] = values[y], values[x]
    return REGULAR


@kernel
def pseudo_invert(values, a, n, rank, scale, work):
    """Replace the n × n block at ``values[a:]`` by the pseudo-inverse of its truncation to ``rank``; returns the rank.

    The rank is lowered further where |r_kk| ≤ 1e-14 ``scale``. ``work`` needs 4 n² numbers.
    """
    # r: the block, row-major; q: the accumulated reflections, so that q r = block · P; order of columns in p
    r, q, z = 0, n * n, 2 * n * n
    p = 3 * n * n
    for i in range(n):
        work[p + i] = i
        for j in range(n):
            work[r + n * i + j] = values[a + n * i + j]
            work[q + n * i + j] = 1.0 if i == j else 0.0
    kept = 0
    for k in range(rank):
        best, largest = k, -1.0
        for j in range(k, n):
            length = 0.0
            for i in range(k, n):
                length += work[r + n * i + j] ** 2
            if length > largest:
                best, largest = j, length
        if not sqrt(largest) > ZERO * scale:
            break
        if best != k:
            work[p + k], work[p + best] = work[p + best], work[p + k]
            for i in range(n):
                x, y = r + n * i + k, r + n * i + best
                work[x], work[y] = work[y], work[x]
        _reflect(work, r, q, n, k)
        kept += 1
    # T Z = R by Gram–Schmidt on the rows of R, each against the earlier ones twice; the same combinations applied to
    # the rows of Qᵀ (the columns of q) turn them into those of T⁻¹ Qᵀ
    for k in range(kept):
        for j in range(n):
            work[z + n * k + j] = work[r + n * k + j] if j >= k else 0.0
    for k in range(kept):
        for _ in range(2):
            for m in range(k):
                overlap = 0.0
                for j in range(n):
                    overlap += work[z + n * k + j] * work[z + n * m + j]
                for j in range(n):
                    work[z + n * k + j] -= overlap * work[z + n * m + j]
                    work[q + n * j + k] -= overlap * work[q + n * j + m]
        length = 0.0
        for j in range(n):
            length += work[z + n * k + j] ** 2
        length = 1.0 / sqrt(length)
        for j in range(n):
            work[z + n * k + j] *= length
            work[q + n * j + k] *= length
    for j in range(n):
        row = int(work[p + j])
        for i in range(n):
            total = 0.0
            for k in range(kept):
                total += work[z + n * k + j] * work[q + n * i + k]
            values[a + n * row + i] = total
    return kept


@kernel
def numerical_rank(values, a, n, threshold, row_scale, s, work):
    """The rank of the n × n block at ``values[a:]`` after scaling row and column i by 1/√row_scale[s + i].

    Scaling by the size that each diagonal entry has had makes the count independent of units. A direction counts if its
    |r_kk| exceeds ``threshold``, a number below 1. ``work`` needs 2 n² numbers.
    """
    for i in range(n):
        for j in range(n):
            product = row_scale[s + i] * row_scale[s + j]
            work[n * i + j] = values[a + n * i + j] / sqrt(product) if product > 0.0 else 0.0
            work[n * n + n * i + j] = 0.0
    for k in range(n):
        best, largest = k, -1.0
        for j in range(k, n):
            length = 0.0
            for i in range(k, n):
                length += work[n * i + j] ** 2
            if length > largest:
                best, largest = j, length
        if not sqrt(largest) > threshold:
            return k
        if best != k:
            for i in range(n):
                work[n * i + k], work[n * i + best] = work[n * i + best], work[n * i + k]
        _reflect(work, 0, n * n, n, k)
    return n


@kernel
def magnitude(values, a, count):
    """The sum of the absolute values of ``values[a : a + count]``; not finite if one of them is not."""
    total = 0.0
    for k in range(a, a + count):
        total += abs(values[k])
    return total


@kernel
def _reflect(work, r, q, n, k):
    """Zero column k of the matrix at ``work[r:]`` below its diagonal by a reflection I − β u uᵀ; q ← q (I − β u uᵀ)."""
    square = 0.0
    for i in range(k, n):
        square += work[r + n * i + k] ** 2
    length = sqrt(square)
    head = work[r + n * k + k]
    # u = x ± |x| e_k, the sign that avoids cancellation; uᵀu = 2 (|x|² ± |x| x_k)
    u = head + length if head >= 0.0 else head - length
    beta = 2.0 / (square - head * head + u * u) if square > 0.0 else 0.0
    for j in range(k + 1, n):
        total = u * work[r + n * k + j]
        for i in range(k + 1, n):
            total += work[r + n * i + k] * work[r + n * i + j]
        total *= beta
        work[r + n * k + j] -= total * u
        for i in range(k + 1, n):
            work[r + n * i + j] -= total * work[r + n * i + k]
    for i in range(n):
        total = work[q + n * i + k] * u
        for j in range(k + 1, n):
            total += work[q + n * i + j] * work[r + n * j + k]
        total *= beta
        work[q + n * i + k] -= total * u
        for j in range(k + 1, n):
            work[q + n * i + j] -= total * work[r + n * j + k]
    work[r + n * k + k] = head - u
    for i in range(k + 1, n):
        work[r + n * i + k] = 0.0
