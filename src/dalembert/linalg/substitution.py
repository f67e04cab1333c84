"""One pivot's part in a forward or backward substitution, for sizes known to the compiler (see `blocks`).

Substitution along a chain waits for one result after the other, so sums are taken in pairs: three additions deep
instead of six. ``x`` holds m right-hand sides side by side, as a flat array: row s of column q is ``x[s * m + q]``.
Rows s, s + 1, … belong to the pivot c.
"""

from dalembert._jit import kernel
from dalembert.linalg.blocks import load


@kernel
def forward(v, d, low, neighbour, rows, start, first, last, x, m, s, pivot):
    """y_c = D_c⁻¹ b_c in place of b_c, then b_i ← b_i − L_ic y_c for all later neighbours i."""
    n = len(pivot)
    for q in range(m):
        b = load(x, s * m + q, m, pivot)
        for i in range(n):
            x[(s + i) * m + q] = dot(v, d + n * i, 1, b)
        y = load(x, s * m + q, m, pivot)
        a = low
        for slot in range(first, last):
            t = start[neighbour[slot]]
            for i in range(rows[slot]):
                x[(t + i) * m + q] -= dot(v, a, 1, y)
                a += n


@kernel
def backward(v, u, x, m, s, n, t, width):
    """x_c ← x_c − V_cj x_j; rows t, t + 1, … belong to j."""
    for q in range(m):
        y = load(x, t * m + q, m, width)
        for i in range(n):
            x[(s + i) * m + q] -= dot(v, u + len(width) * i, 1, y)


@kernel
def forward_transposed(v, u, x, m, s, t, w, pivot):
    """b_j ← b_j − V_cjᵀ b_c; the w rows t, t + 1, … belong to j."""
    for q in range(m):
        b = load(x, s * m + q, m, pivot)
        for j in range(w):
            x[(t + j) * m + q] -= dot(v, u + j, w, b)


@kernel
def multiply_transposed(v, d, x, m, s, pivot):
    """x_c ← D_c⁻ᵀ x_c."""
    n = len(pivot)
    for q in range(m):
        b = load(x, s * m + q, m, pivot)
        for i in range(n):
            x[(s + i) * m + q] = dot(v, d + i, n, b)


@kernel
def dot(v, a, step, y):
    """The product of ``v[a::step]`` with the tuple y of 3, 5 or 6 numbers."""
    if len(y) == 3:
        return v[a] * y[0] + v[a + step] * y[1] + v[a + 2 * step] * y[2]
    elif len(y) == 5:
        return (
            (v[a] * y[0] + v[a + step] * y[1])
            + (v[a + 2 * step] * y[2] + v[a + 3 * step] * y[3])
            + v[a + 4 * step] * y[4]
        )
    else:
        return (
            (v[a] * y[0] + v[a + step] * y[1])
            + (v[a + 2 * step] * y[2] + v[a + 3 * step] * y[3])
            + (v[a + 4 * step] * y[4] + v[a + 5 * step] * y[5])
        )


@kernel
def subtract(v, a, rows, columns, x, m, s, out, t):
    """out_t ← out_t − B x_s for a block B of any size at ``v[a:]``."""
    for q in range(m):
        for i in range(rows):
            total = 0.0
            for j in range(columns):
                total += v[a + columns * i + j] * x[(s + j) * m + q]
            out[(t + i) * m + q] -= total


@kernel
def subtract_transposed(v, a, rows, columns, x, m, s, out, t):
    """out_t ← out_t − Bᵀ x_s for a block B of any size at ``v[a:]``."""
    for q in range(m):
        for j in range(columns):
            total = 0.0
            for i in range(rows):
                total += v[a + columns * i + j] * x[(s + i) * m + q]
            out[(t + j) * m + q] -= total


@kernel
def multiply_any(v, d, n, row_step, column_step, x, m, s):
    """x_c ← B x_c for a block of any size at ``v[d:]``; steps (n, 1) stand for B = D_c⁻¹, (1, n) for its transpose."""
    for q in range(m):
        b = (
            x[s * m + q],
            x[(s + 1) * m + q] if n > 1 else 0.0,
            x[(s + 2) * m + q] if n > 2 else 0.0,
            x[(s + 3) * m + q] if n > 3 else 0.0,
            x[(s + 4) * m + q] if n > 4 else 0.0,
            x[(s + 5) * m + q] if n > 5 else 0.0,
        )
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += v[d + row_step * i + column_step * j] * b[j]
            x[(s + i) * m + q] = total
