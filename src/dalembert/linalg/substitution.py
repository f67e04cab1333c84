"""One pivot's part in a forward or backward substitution, for sizes known to the compiler (see `blocks`).

Substitution along a chain waits for one result after the other, so sums are taken in pairs: three additions deep
instead of six.
"""

from dalembert._jit import kernel
from dalembert.linalg.blocks import load_column


@kernel
def forward(v, d, low, neighbour, rows, start, first, last, x, s, pivot):
    """y_c = D_c⁻¹ b_c in place of b_c, then b_i ← b_i − L_ic y_c for all later neighbours i of the pivot c."""
    n = len(pivot)
    for q in range(x.shape[1]):
        b = load_column(x, s, q, pivot)
        for i in range(n):
            x[s + i, q] = dot(v, d + n * i, b)
        y = load_column(x, s, q, pivot)
        a = low
        for slot in range(first, last):
            t = start[neighbour[slot]]
            for i in range(rows[slot]):
                x[t + i, q] -= dot(v, a, y)
                a += n


@kernel
def backward(v, u, x, s, n, t, width):
    """x_c ← x_c − V_cj x_j."""
    for q in range(x.shape[1]):
        y = load_column(x, t, q, width)
        for i in range(n):
            x[s + i, q] -= dot(v, u + len(width) * i, y)


@kernel
def forward_transposed(v, u, x, s, t, w, pivot):
    """b_j ← b_j − V_cjᵀ b_c."""
    for q in range(x.shape[1]):
        b = load_column(x, s, q, pivot)
        for j in range(w):
            x[t + j, q] -= dot_strided(v, u + j, w, b)


@kernel
def backward_transposed(v, d, low, neighbour, rows, start, first, last, x, s, pivot):
    """x_c ← D_c⁻ᵀ (b_c − Σ L_icᵀ x_i) over all later neighbours i of the pivot c."""
    n = len(pivot)
    for q in range(x.shape[1]):
        a = low
        for slot in range(first, last):
            t = start[neighbour[slot]]
            for i in range(rows[slot]):
                for j in range(n):
                    x[s + j, q] -= v[a + j] * x[t + i, q]
                a += n
        b = load_column(x, s, q, pivot)
        for i in range(n):
            x[s + i, q] = dot_strided(v, d + i, n, b)


@kernel
def subtract(v, a, rows, columns, x, s, out, t):
    """out_t ← out_t − B x_s for the block B at ``v[a:]``, any size, one right-hand side."""
    for i in range(rows):
        total = 0.0
        for j in range(columns):
            total += v[a + columns * i + j] * x[s + j]
        out[t + i] -= total


@kernel
def dot(v, a, y):
    """The product of ``v[a:]`` with the tuple y of 1 … 6 numbers."""
    return dot_strided(v, a, 1, y)


@kernel
def dot_strided(v, a, step, y):
    """The product of ``v[a::step]`` with the tuple y of 1 … 6 numbers."""
    if len(y) == 1:
        return v[a] * y[0]
    elif len(y) == 2:
        return v[a] * y[0] + v[a + step] * y[1]
    elif len(y) == 3:
        return (v[a] * y[0] + v[a + step] * y[1]) + v[a + 2 * step] * y[2]
    elif len(y) == 4:
        return (v[a] * y[0] + v[a + step] * y[1]) + (v[a + 2 * step] * y[2] + v[a + 3 * step] * y[3])
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
