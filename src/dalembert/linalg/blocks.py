"""Products of blocks, compiled once for each pair of sizes that matters.

A size known to the compiler is about twice as fast as one read from memory. It enters as the *type* of an argument: a
tuple of n zeros, of which only the length is used. So one source serves all sizes, and there is nothing to generate.
Operands are loaded into tuples, which live in registers; the compiler unrolls all loops over them.
"""

from dalembert._jit import kernel

ONE = (0,)
TWO = (0, 0)
THREE = (0, 0, 0)
FOUR = (0, 0, 0, 0)
FIVE = (0, 0, 0, 0, 0)
SIX = (0, 0, 0, 0, 0, 0)


@kernel
def load(v, a, size):
    """``v[a : a + len(size)]`` as a tuple, 1 … 6 numbers."""
    if len(size) == 1:
        return (v[a],)
    elif len(size) == 2:
        return (v[a], v[a + 1])
    elif len(size) == 3:
        return (v[a], v[a + 1], v[a + 2])
    elif len(size) == 4:
        return (v[a], v[a + 1], v[a + 2], v[a + 3])
    elif len(size) == 5:
        return (v[a], v[a + 1], v[a + 2], v[a + 3], v[a + 4])
    else:
        return (v[a], v[a + 1], v[a + 2], v[a + 3], v[a + 4], v[a + 5])


@kernel
def load_column(x, s, q, size):
    """``x[s : s + len(size), q]`` as a tuple, 1 … 6 numbers."""
    if len(size) == 1:
        return (x[s, q],)
    elif len(size) == 2:
        return (x[s, q], x[s + 1, q])
    elif len(size) == 3:
        return (x[s, q], x[s + 1, q], x[s + 2, q])
    elif len(size) == 4:
        return (x[s, q], x[s + 1, q], x[s + 2, q], x[s + 3, q])
    elif len(size) == 5:
        return (x[s, q], x[s + 1, q], x[s + 2, q], x[s + 3, q], x[s + 4, q])
    else:
        return (x[s, q], x[s + 1, q], x[s + 2, q], x[s + 3, q], x[s + 4, q], x[s + 5, q])


@kernel
def load_rows(v, a, rows, columns):
    """The block at ``v[a:]`` as a tuple of rows."""
    n = len(columns)
    if len(rows) == 3:
        return (load(v, a, columns), load(v, a + n, columns), load(v, a + 2 * n, columns))
    elif len(rows) == 4:
        return (
            load(v, a, columns),
            load(v, a + n, columns),
            load(v, a + 2 * n, columns),
            load(v, a + 3 * n, columns),
        )
    elif len(rows) == 5:
        return (
            load(v, a, columns),
            load(v, a + n, columns),
            load(v, a + 2 * n, columns),
            load(v, a + 3 * n, columns),
            load(v, a + 4 * n, columns),
        )
    else:
        return (
            load(v, a, columns),
            load(v, a + n, columns),
            load(v, a + 2 * n, columns),
            load(v, a + 3 * n, columns),
            load(v, a + 4 * n, columns),
            load(v, a + 5 * n, columns),
        )


@kernel
def eliminate(v, d, u, low, target, base, rows, first, last, pivot, width):
    """V_cj = D_c⁻¹ U_cj in place of U_cj, then A_ij ← A_ij − L_ic V_cj for all later neighbours i of the pivot c.

    Args:
        v: the values.
        d, u: addresses of D_c⁻¹ and of U_cj.
        low: address of the first block L_ic; the others follow it.
        target, base: addresses of the blocks A_ij are ``target[base:]``.
        rows, first, last: their numbers of rows are ``rows[first:last]``.
        pivot, width: tuples as long as c and j have rows.
    """
    n, w = len(pivot), len(width)
    right = load_rows(v, u, pivot, width)
    for i in range(n):
        row = load(v, d + n * i, pivot)
        for j in range(w):
            total = row[0] * right[0][j]
            for k in range(1, n):
                total += row[k] * right[k][j]
            v[u + w * i + j] = total
    right = load_rows(v, u, pivot, width)
    for x in range(last - first):
        a = target[base + x]
        for _ in range(rows[first + x]):
            row = load(v, low, pivot)
            for j in range(w):
                total = row[0] * right[0][j]
                for k in range(1, n):
                    total += row[k] * right[k][j]
                v[a + j] -= total
            low += n
            a += w


@kernel
def eliminate_any(v, d, u, low, target, base, rows, first, last, n, w, work):
    """`eliminate` for sizes n and w that are not known to the compiler; ``work`` needs n numbers."""
    for j in range(w):
        for k in range(n):
            work[k] = v[u + w * k + j]
        for i in range(n):
            total = 0.0
            for k in range(n):
                total += v[d + n * i + k] * work[k]
            v[u + w * i + j] = total
    for x in range(last - first):
        a = target[base + x]
        for _ in range(rows[first + x]):
            for j in range(w):
                total = 0.0
                for k in range(n):
                    total += v[low + k] * v[u + w * k + j]
                v[a + j] -= total
            low += n
            a += w
