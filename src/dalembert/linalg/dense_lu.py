"""Dense systems that need not be symmetric: LU with row pivots, and with full pivots where rows may be redundant."""

from dalembert._jit import kernel


@kernel
def factor_lu(a, pivots):
    """Replace ``a`` (n, n) by L and U of P a = L U with the largest pivot of each column; whether it is regular."""
    n = a.shape[0]
    for k in range(n):
        best, size = k, abs(a[k, k])
        for i in range(k + 1, n):
            if abs(a[i, k]) > size:
                best, size = i, abs(a[i, k])
        pivots[k] = best
        if not size > 0.0 or size == float("inf"):
            return False
        if best != k:
            _swap(a[k], a[best])
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                low = a[i, k] / a[k, k]
                a[i, k] = low
                _subtract(low, a[k, k + 1 :], a[i, k + 1 :])
    return True


@kernel
def solve_lu(a, pivots, x):
    """Replace ``x`` (n,) by the solution of a x = b."""
    n = a.shape[0]
    for k in range(n):
        p = pivots[k]
        x[k], x[p] = x[p], x[k]
    for i in range(n):
        value = x[i]
        for k in range(i):
            value -= a[i, k] * x[k]
        x[i] = value
    for i in range(n - 1, -1, -1):
        value = x[i]
        for k in range(i + 1, n):
            value -= a[i, k] * x[k]
        x[i] = value / a[i, i]


@kernel
def solve_lu_transposed(a, pivots, x):
    """Replace ``x`` (n,) by the solution of aᵀ x = b; sums run along rows."""
    n = a.shape[0]
    for k in range(n):
        x[k] /= a[k, k]
        _subtract(x[k], a[k, k + 1 :], x[k + 1 :])
    for k in range(n - 1, -1, -1):
        _subtract(x[k], a[k, :k], x[:k])
    for k in range(n - 1, -1, -1):
        p = pivots[k]
        x[k], x[p] = x[p], x[k]


@kernel
def factor_full(a, rows, columns, tolerance):
    """Replace ``a`` (n, n) by its factors with the largest pivots of all; the rank, pivots below tolerance being 0.

    ``rows`` and ``columns`` (n,) are the exchanges.
    """
    n = a.shape[0]
    for k in range(n):
        best, right, size = k, k, 0.0
        for i in range(k, n):
            for j in range(k, n):
                if abs(a[i, j]) > size:
                    best, right, size = i, j, abs(a[i, j])
        if not size > tolerance:
            return k
        rows[k], columns[k] = best, right
        if best != k:
            _swap(a[k], a[best])
        if right != k:
            _swap(a[:, k], a[:, right])
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                low = a[i, k] / a[k, k]
                a[i, k] = low
                _subtract(low, a[k, k + 1 :], a[i, k + 1 :])
    return n


@kernel
def solve_full(a, rows, columns, rank, x):
    """Replace ``x`` (n,) by a solution of the equations of the leading pivots; what has no pivot is 0."""
    n = a.shape[0]
    for k in range(rank):
        x[k], x[rows[k]] = x[rows[k]], x[k]
    for i in range(rank):
        for k in range(i):
            x[i] -= a[i, k] * x[k]
    for i in range(rank, n):
        x[i] = 0.0
    for i in range(rank - 1, -1, -1):
        for k in range(i + 1, rank):
            x[i] -= a[i, k] * x[k]
        x[i] /= a[i, i]
    for k in range(rank - 1, -1, -1):
        x[k], x[columns[k]] = x[columns[k]], x[k]


@kernel
def solve_full_transposed(a, rows, columns, rank, x):
    """The same of the transposed matrix."""
    n = a.shape[0]
    for k in range(rank):
        x[k], x[columns[k]] = x[columns[k]], x[k]
    for i in range(rank):
        for k in range(i):
            x[i] -= a[k, i] * x[k]
        x[i] /= a[i, i]
    for i in range(rank, n):
        x[i] = 0.0
    for i in range(rank - 1, -1, -1):
        for k in range(i + 1, rank):
            x[i] -= a[k, i] * x[k]
    for k in range(rank - 1, -1, -1):
        x[k], x[rows[k]] = x[rows[k]], x[k]


@kernel
def _subtract(factor, source, out):
    """out ← out − factor · source, for vectors."""
    for j in range(out.shape[0]):
        out[j] -= factor * source[j]


@kernel
def _swap(a, b):
    for j in range(a.shape[0]):
        a[j], b[j] = b[j], a[j]
