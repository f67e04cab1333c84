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
def multiply_left(v, d, u, pivot, width):
    """U ← D U for the pivot's stored inverse D at ``v[d:]`` and a block U at ``v[u:]``."""
    right = load_rows(v, u, pivot, width)
    for i in range(len(pivot)):
        row = load(v, d + len(pivot) * i, pivot)
        for j in range(len(width)):
            total = row[0] * right[0][j]
            for k in range(1, len(pivot)):
                total += row[k] * right[k][j]
            v[u + len(width) * i + j] = total


@kernel
def multiply_left_any(v, d, u, c, w, work):
    """`multiply_left` for sizes c and w that are not known to the compiler; ``work`` needs c numbers."""
    for j in range(w):
        for k in range(c):
            work[k] = v[u + w * k + j]
        for i in range(c):
            total = 0.0
            for k in range(c):
                total += v[d + c * i + k] * work[k]
            v[u + w * i + j] = total


@kernel
def update(v, p, k, slot, pivot, width):
    """A_ij ← A_ij − L_ic V_cj for all later neighbours i of the k-th pivot c and one of them, j, in ``slot``."""
    right = load_rows(v, p.upper[slot], pivot, width)
    first, last = p.first[k], p.first[k + 1]
    targets = p.target_start[k] + (slot - first) * (last - first)
    low = p.lower[first]
    for x in range(last - first):
        a = p.target[targets + x]
        for _ in range(p.size[p.neighbour[first + x]]):
            row = load(v, low, pivot)
            for j in range(len(width)):
                total = row[0] * right[0][j]
                for m in range(1, len(pivot)):
                    total += row[m] * right[m][j]
                v[a + j] -= total
            low += len(pivot)
            a += len(width)


@kernel
def update_any(v, p, k, slot, c, w):
    """`update` for sizes c and w that are not known to the compiler."""
    first, last = p.first[k], p.first[k + 1]
    targets = p.target_start[k] + (slot - first) * (last - first)
    low, u = p.lower[first], p.upper[slot]
    for x in range(last - first):
        a = p.target[targets + x]
        for _ in range(p.size[p.neighbour[first + x]]):
            for j in range(w):
                total = 0.0
                for m in range(c):
                    total += v[low + m] * v[u + w * m + j]
                v[a + j] -= total
            low += c
            a += w
