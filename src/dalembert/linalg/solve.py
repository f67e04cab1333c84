"""Solutions with the factors that `factor` leaves: D_c⁻¹ on the diagonal, L_ic below, V_cj = D_c⁻¹ U_cj beside.

    A x = b:    forwards   y_c = D_c⁻¹ b_c,  b_i ← b_i − L_ic y_c        backwards   x_c = y_c − Σ_j V_cj x_j
    Aᵀ x = b:   forwards   b_j ← b_j − V_cjᵀ b_c                         backwards   x_c = D_c⁻ᵀ (b_c − Σ_i L_icᵀ x_i)

[Brüdigam 2024] algorithms 2 and 4. Right-hand sides list the rows of node 0, node 1, … whatever the order of
elimination. Nothing is allocated; solutions take the place of the right-hand sides.
"""

from dalembert._jit import kernel
from dalembert.linalg.blocks import FIVE, FOUR, ONE, SIX, THREE, TWO, load_column


@kernel
def solve(p, values, x):
    """Replace the right-hand side ``x`` (n_rows,) by the solution of A x = b."""
    solve_many(p, values, x.reshape(x.shape[0], 1))


@kernel
def solve_transposed(p, values, x):
    """Replace the right-hand side ``x`` (n_rows,) by the solution of Aᵀ x = b."""
    solve_transposed_many(p, values, x.reshape(x.shape[0], 1))


@kernel
def solve_many(p, values, x):
    """Replace each column of ``x`` (n_rows, any number) by the solution of A x = b."""
    last = p.order.shape[0] - 1
    for k in range(last + 1):
        c = p.order[k]
        _multiply(values, p.diagonal[c], p.size[c], x, p.start[c])
        for slot in range(p.first[k], p.first[k + 1]):
            i = p.neighbour[slot]
            _subtract(values, p.lower[slot], p.size[i], p.size[c], x, p.start[c], x, p.start[i])
    for k in range(last, -1, -1):
        c = p.order[k]
        for slot in range(p.first[k], p.first[k + 1]):
            j = p.neighbour[slot]
            _subtract(values, p.upper[slot], p.size[c], p.size[j], x, p.start[j], x, p.start[c])


@kernel
def solve_transposed_many(p, values, x):
    """Replace each column of ``x`` (n_rows, any number) by the solution of Aᵀ x = b."""
    last = p.order.shape[0] - 1
    for k in range(last + 1):
        c = p.order[k]
        for slot in range(p.first[k], p.first[k + 1]):
            j = p.neighbour[slot]
            _subtract_transposed(values, p.upper[slot], p.size[c], p.size[j], x, p.start[c], x, p.start[j])
    for k in range(last, -1, -1):
        c = p.order[k]
        for slot in range(p.first[k], p.first[k + 1]):
            i = p.neighbour[slot]
            _subtract_transposed(values, p.lower[slot], p.size[i], p.size[c], x, p.start[i], x, p.start[c])
        _multiply_transposed(values, p.diagonal[c], p.size[c], x, p.start[c])


@kernel
def subtract_product(p, values, x, out):
    """out ← out − A x with the unfactored ``values``; ``x`` and ``out`` (n_rows, any number) are different arrays."""
    for k in range(p.order.shape[0]):
        c = p.order[k]
        n, s = p.size[c], p.start[c]
        _subtract(values, p.diagonal[c], n, n, x, s, out, s)
        for slot in range(p.first[k], p.first[k + 1]):
            j = p.neighbour[slot]
            _subtract(values, p.upper[slot], n, p.size[j], x, p.start[j], out, s)
            _subtract(values, p.lower[slot], p.size[j], n, x, s, out, p.start[j])


@kernel
def refine(p, factored, original, rhs, x, residual):
    """One step of iterative refinement of ``x``: r = b − A x, x ← x + A⁻¹ r; returns the largest |correction|.

    ``factored`` and ``original`` are the values after and before `factor`; ``rhs``, ``x`` and ``residual`` (n_rows,)
    are the right-hand side, the solution so far and scratch space that holds the correction afterwards.
    """
    n = rhs.shape[0]
    for i in range(n):
        residual[i] = rhs[i]
    subtract_product(p, original, x.reshape(n, 1), residual.reshape(n, 1))
    solve(p, factored, residual)
    largest = 0.0
    for i in range(n):
        x[i] += residual[i]
        largest = max(largest, abs(residual[i]))
    return largest


@kernel
def _multiply(v, a, n, x, s):
    """x_s ← B x_s for the n × n block B at ``v[a:]``."""
    if n == 6:
        _multiply_sized(v, a, SIX, x, s)
    elif n == 5:
        _multiply_sized(v, a, FIVE, x, s)
    elif n == 4:
        _multiply_sized(v, a, FOUR, x, s)
    elif n == 3:
        _multiply_sized(v, a, THREE, x, s)
    elif n == 2:
        _multiply_sized(v, a, TWO, x, s)
    elif n == 1:
        _multiply_sized(v, a, ONE, x, s)


@kernel
def _multiply_transposed(v, a, n, x, s):
    """x_s ← Bᵀ x_s for the n × n block B at ``v[a:]``."""
    if n == 6:
        _multiply_transposed_sized(v, a, SIX, x, s)
    elif n == 5:
        _multiply_transposed_sized(v, a, FIVE, x, s)
    elif n == 4:
        _multiply_transposed_sized(v, a, FOUR, x, s)
    elif n == 3:
        _multiply_transposed_sized(v, a, THREE, x, s)
    elif n == 2:
        _multiply_transposed_sized(v, a, TWO, x, s)
    elif n == 1:
        _multiply_transposed_sized(v, a, ONE, x, s)


@kernel
def _subtract(v, a, rows, columns, x, s, out, t):
    """out_t ← out_t − B x_s for the block B at ``v[a:]``."""
    if columns == 6:
        _subtract_sized(v, a, rows, SIX, x, s, out, t)
    elif columns == 5:
        _subtract_sized(v, a, rows, FIVE, x, s, out, t)
    elif columns == 4:
        _subtract_sized(v, a, rows, FOUR, x, s, out, t)
    elif columns == 3:
        _subtract_sized(v, a, rows, THREE, x, s, out, t)
    elif columns == 2:
        _subtract_sized(v, a, rows, TWO, x, s, out, t)
    elif columns == 1:
        _subtract_sized(v, a, rows, ONE, x, s, out, t)


@kernel
def _subtract_transposed(v, a, rows, columns, x, s, out, t):
    """out_t ← out_t − Bᵀ x_s for the block B at ``v[a:]``."""
    if rows == 6:
        _subtract_transposed_sized(v, a, SIX, columns, x, s, out, t)
    elif rows == 5:
        _subtract_transposed_sized(v, a, FIVE, columns, x, s, out, t)
    elif rows == 4:
        _subtract_transposed_sized(v, a, FOUR, columns, x, s, out, t)
    elif rows == 3:
        _subtract_transposed_sized(v, a, THREE, columns, x, s, out, t)
    elif rows == 2:
        _subtract_transposed_sized(v, a, TWO, columns, x, s, out, t)
    elif rows == 1:
        _subtract_transposed_sized(v, a, ONE, columns, x, s, out, t)


@kernel
def _multiply_sized(v, a, size, x, s):
    n = len(size)
    for q in range(x.shape[1]):
        y = load_column(x, s, q, size)
        for i in range(n):
            total = v[a + n * i] * y[0]
            for j in range(1, n):
                total += v[a + n * i + j] * y[j]
            x[s + i, q] = total


@kernel
def _multiply_transposed_sized(v, a, size, x, s):
    n = len(size)
    for q in range(x.shape[1]):
        y = load_column(x, s, q, size)
        for i in range(n):
            total = v[a + i] * y[0]
            for j in range(1, n):
                total += v[a + n * j + i] * y[j]
            x[s + i, q] = total


@kernel
def _subtract_sized(v, a, rows, columns, x, s, out, t):
    n = len(columns)
    for q in range(x.shape[1]):
        y = load_column(x, s, q, columns)
        for i in range(rows):
            total = v[a + n * i] * y[0]
            for j in range(1, n):
                total += v[a + n * i + j] * y[j]
            out[t + i, q] -= total


@kernel
def _subtract_transposed_sized(v, a, rows, columns, x, s, out, t):
    m = len(rows)
    for q in range(x.shape[1]):
        y = load_column(x, s, q, rows)
        for j in range(columns):
            total = v[a + j] * y[0]
            for i in range(1, m):
                total += v[a + columns * i + j] * y[i]
            out[t + j, q] -= total
