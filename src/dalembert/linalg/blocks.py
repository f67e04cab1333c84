"""Elimination of one block column, compiled once for each pair of sizes that matters.

A size known to the compiler is about twice as fast as one read from memory. It enters as the *type* of an argument: a
tuple of n zeros, of which only the length is used. So one source serves all sizes, and there is nothing to generate.
Operands are loaded into tuples, which live in registers; the compiler unrolls all loops over them. Blocks are addressed
through views of the values, whose indices are seen not to wrap around. The sizes are those of bodies (6), revolute
joints (5) and spherical joints (3); others go through loops of variable length.
"""

from dalembert._jit import kernel

ONE = (0,)
TWO = (0, 0)
THREE = (0, 0, 0)
FOUR = (0, 0, 0, 0)
FIVE = (0, 0, 0, 0, 0)
SIX = (0, 0, 0, 0, 0, 0)


@kernel
def load(v, a, step, size):
    """``v[a::step]`` as a tuple as long as ``size``: 3, 5 or 6 numbers."""
    if len(size) == 3:
        return (v[a], v[a + step], v[a + 2 * step])
    elif len(size) == 5:
        return (v[a], v[a + step], v[a + 2 * step], v[a + 3 * step], v[a + 4 * step])
    else:
        return (v[a], v[a + step], v[a + 2 * step], v[a + 3 * step], v[a + 4 * step], v[a + 5 * step])


@kernel
def load_rows(v, rows, columns):
    """The block ``v`` as a tuple of 3, 5 or 6 rows."""
    n = len(columns)
    if len(rows) == 3:
        return (load(v, 0, 1, columns), load(v, n, 1, columns), load(v, 2 * n, 1, columns))
    elif len(rows) == 5:
        return (
            load(v, 0, 1, columns),
            load(v, n, 1, columns),
            load(v, 2 * n, 1, columns),
            load(v, 3 * n, 1, columns),
            load(v, 4 * n, 1, columns),
        )
    else:
        return (
            load(v, 0, 1, columns),
            load(v, n, 1, columns),
            load(v, 2 * n, 1, columns),
            load(v, 3 * n, 1, columns),
            load(v, 4 * n, 1, columns),
            load(v, 5 * n, 1, columns),
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
    inverse, right = v[d : d + n * n], v[u : u + n * w]
    for j in range(w):
        column = load(right, j, w, pivot)
        for i in range(n):
            total = inverse[n * i] * column[0]
            for k in range(1, n):
                total += inverse[n * i + k] * column[k]
            right[w * i + j] = total
    matrix = load_rows(right, pivot, width)
    for x in range(last - first):
        a, m = target[base + x], rows[first + x]
        left, result = v[low : low + m * n], v[a : a + m * w]
        for i in range(m):
            row = load(left, n * i, 1, pivot)
            for j in range(w):
                total = result[w * i + j]
                for k in range(n):
                    total -= row[k] * matrix[k][j]
                result[w * i + j] = total
        low += m * n


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
