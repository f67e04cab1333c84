"""The dense LDU of the paper, entry by entry: the oracle and the yardstick of the sparse solver.

Source: [Brüdigam 2020] algorithms 1 and 2, F = L D U with unit triangular L and U. The algorithm's sums over earlier
columns are carried out as soon as a column is known (row by row, so that memory is read in order); the factors and the
number of operations are the same. There is no pivoting: every leading principal minor must be regular.
"""

from dalembert._jit import kernel


@kernel
def factor(f):
    """Replace the matrix ``f`` (n, n) by its factors: L below the diagonal, D on it, U above; 2/3 n³ operations."""
    n = f.shape[0]
    for k in range(n):
        reciprocal = 1.0 / f[k, k]
        for i in range(k + 1, n):
            low = f[i, k] * reciprocal
            f[i, k] = low
            _subtract(low, f[k, k + 1 :], f[i, k + 1 :])
        for j in range(k + 1, n):
            f[k, j] *= reciprocal


@kernel
def _subtract(scale, source, out):
    """out ← out − scale · source, for vectors."""
    for j in range(out.shape[0]):
        out[j] -= scale * source[j]


@kernel
def solve(f, x):
    """Replace the right-hand side ``x`` (n,) by the solution, with ``f`` from `factor`. [Brüdigam 2020] algorithm 2."""
    n = f.shape[0]
    for i in range(n):
        for j in range(i):
            x[i] -= f[i, j] * x[j]
    for k in range(n):
        i = n - 1 - k
        x[i] /= f[i, i]
        for j in range(i + 1, n):
            x[i] -= f[i, j] * x[j]
