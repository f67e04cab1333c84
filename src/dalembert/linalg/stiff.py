"""A = L U in place for matrices that hold very stiff terms, on the addresses of a `Pattern`.

`factor` keeps inverted pivots. That is fast, and loses digits where one direction of a block is stiffer by 1/√ε than
another: if D = σ n nᵀ + I, round-off leaves ε σ in D⁻¹ n, which should be n/σ, and a neighbour's σ n makes ε σ² of it.
Elimination by triangular factors is backward stable: its solution is the exact one of a matrix whose entries differ by
ε times the largest of their rows. [Higham 2002] sections 9.3 and 13.2. Here D_c = Pᵀ L_c U_c with row exchanges inside
the pivot block, and

    U_cj ← L_c⁻¹ P U_cj,    L_ic ← L_ic U_c⁻¹,    A_ij ← A_ij − L_ic U_cj.

Pivots of deficient rank become pseudo-inverses, as in `factor`, with U_cj ← D_c⁺ U_cj and L_ic as it is: they belong to
multipliers of joints, where nothing is stiff.
"""

from math import isfinite

from dalembert._jit import kernel
from dalembert.linalg.blocks import SIX, load, load_rows
from dalembert.linalg.pivots import NOT_FINITE, REGULAR, SINGULAR, ZERO, magnitude, numerical_rank, pseudo_invert


@kernel
def factor_stiff(p, values, marked, threshold, workspace, exchange, deficiency):
    """Factor in place.

    Args:
        p: the `Pattern`.
        values: all blocks; fill must be zero on entry.
        marked: (n,) 1 for nodes whose pivot may be of deficient rank.
        threshold: see `factor_revealing_rank`.
        workspace: from `BlockPattern.workspace`.
        exchange: (n_rows,) output, with which later row of its pivot block each row was exchanged.
        deficiency: (n,) output, directions dropped from the pivot of each node.

    Returns:
        (status, node) as `factor`; it stops at the first pivot that is not regular.
    """
    size, start, diagonal, first, neighbour, rows = p.size, p.start, p.diagonal, p.first, p.neighbour, p.rows
    lower, upper, target, target_start = p.lower, p.upper, p.target, p.target_start
    work = workspace[start[-1] :]
    for c in range(size.shape[0]):
        deficiency[c] = 0
        for i in range(size[c]):
            workspace[start[c] + i] = abs(values[diagonal[c] + (size[c] + 1) * i])
    for k in range(p.order.shape[0]):
        c = p.order[k]
        n, d, s, a, e = size[c], diagonal[c], start[c], first[k], first[k + 1]
        if marked[c] != 0:
            if not isfinite(magnitude(values, d, n * n)):
                return NOT_FINITE, c
            deficiency[c] = n - numerical_rank(values, d, n, threshold, workspace, s, work)
        if deficiency[c] > 0:
            scale = 0.0
            for i in range(n):
                scale = max(scale, workspace[s + i])
            pseudo_invert(values, d, n, n - deficiency[c], scale, work)
            for slot in range(a, e):
                multiply(values, d, upper[slot], n, rows[slot], work)
        else:
            status = factor_pivot(values, d, n, exchange, s)
            if status != REGULAR:
                return status, c
            count = 0
            for slot in range(a, e):
                clear_above(values, d, upper[slot], n, rows[slot], exchange, s)
                count += rows[slot]
            if count > 0:
                clear_left(values, d, lower[a], n, count)
        for slot in range(a, e):
            base = target_start[k] + (slot - a) * (e - a)
            if n == 6 and rows[slot] == 6:
                subtract_products(values, upper[slot], lower[a], target, base, rows, a, e)
            else:
                subtract_products_any(values, upper[slot], lower[a], target, base, rows, a, e, n, rows[slot])
            i = neighbour[slot]
            if marked[i] != 0:
                for l in range(rows[slot]):
                    entry = abs(values[diagonal[i] + (rows[slot] + 1) * l])
                    workspace[start[i] + l] = max(workspace[start[i] + l], entry)
    return REGULAR, -1


@kernel
def factor_pivot(v, d, n, exchange, s):
    """L and U of the block at ``v[d:]`` with row exchanges; reciprocals on the diagonal."""
    scale = magnitude(v, d, n * n)
    if not isfinite(scale):
        return NOT_FINITE
    for k in range(n):
        best, largest = k, abs(v[d + (n + 1) * k])
        for i in range(k + 1, n):
            if abs(v[d + n * i + k]) > largest:
                best, largest = i, abs(v[d + n * i + k])
        if not largest > ZERO * ZERO * scale:
            return SINGULAR
        exchange[s + k] = best
        if best != k:
            for j in range(n):
                x, y = d + n * k + j, d + n * best + j
                v[x], v[y] = v[y], v[x]
        pivot = 1.0 / v[d + (n + 1) * k]
        v[d + (n + 1) * k] = pivot
        for i in range(k + 1, n):
            part = v[d + n * i + k] * pivot
            v[d + n * i + k] = part
            for j in range(k + 1, n):
                v[d + n * i + j] -= part * v[d + n * k + j]
    return REGULAR


@kernel
def clear_above(v, d, u, n, w, exchange, s):
    """U ← L⁻¹ P U for the block of n × w at ``v[u:]``."""
    for k in range(n):
        best = exchange[s + k]
        if best != k:
            for j in range(w):
                x, y = u + w * k + j, u + w * best + j
                v[x], v[y] = v[y], v[x]
    # an exchange has moved the finished parts of L along, so all of P comes before L⁻¹
    for i in range(1, n):
        for k in range(i):
            part = v[d + n * i + k]
            for j in range(w):
                v[u + w * i + j] -= part * v[u + w * k + j]


@kernel
def clear_left(v, d, low, n, count):
    """L ← L U⁻¹ for so many rows of n numbers at ``v[low:]``."""
    for _ in range(count):
        for j in range(n):
            total = v[low + j]
            for k in range(j):
                total -= v[low + k] * v[d + n * k + j]
            v[low + j] = total * v[d + (n + 1) * j]
        low += n


@kernel
def multiply(v, d, u, n, w, work):
    """U ← D U; ``work`` needs n numbers."""
    for j in range(w):
        for k in range(n):
            work[k] = v[u + w * k + j]
        for i in range(n):
            total = 0.0
            for k in range(n):
                total += v[d + n * i + k] * work[k]
            v[u + w * i + j] = total


@kernel
def subtract_products(v, u, low, target, base, rows, first, last):
    """A_ij ← A_ij − L_ic U_cj for all later neighbours i of c, where c and j have six rows."""
    matrix = load_rows(v[u : u + 36], SIX, SIX)
    for x in range(last - first):
        a, m = target[base + x], rows[first + x]
        left, result = v[low : low + 6 * m], v[a : a + 6 * m]
        for i in range(m):
            row = load(left, 6 * i, 1, SIX)
            for j in range(6):
                total = result[6 * i + j]
                for k in range(6):
                    total -= row[k] * matrix[k][j]
                result[6 * i + j] = total
        low += 6 * m


@kernel
def subtract_products_any(v, u, low, target, base, rows, first, last, n, w):
    """`subtract_products` for c with n rows and j with w."""
    for x in range(last - first):
        a = target[base + x]
        for _ in range(rows[first + x]):
            for k in range(n):
                part = v[low + k]
                for j in range(w):
                    v[a + j] -= part * v[u + w * k + j]
            low += n
            a += w


@kernel
def solve_stiff(p, values, workspace, exchange, deficiency, x):
    """Replace the right-hand side ``x`` (n_rows,) by the solution, with what `factor_stiff` left."""
    work = workspace[p.start[-1] :]
    order, size, start, diagonal, first, neighbour = p.order, p.size, p.start, p.diagonal, p.first, p.neighbour
    rows, lower, upper = p.rows, p.lower, p.upper
    for k in range(order.shape[0]):
        c = order[k]
        n, d, s = size[c], diagonal[c], start[c]
        if deficiency[c] > 0:
            apply_pseudo_inverse(values, d, n, x, s, work)
        else:
            for i in range(n):
                best = exchange[s + i]
                if best != i:
                    x[s + i], x[s + best] = x[s + best], x[s + i]
            for i in range(1, n):
                total = x[s + i]
                for l in range(i):
                    total -= values[d + n * i + l] * x[s + l]
                x[s + i] = total
        for slot in range(first[k], first[k + 1]):
            subtract_rows(values, lower[slot], rows[slot], n, x, s, start[neighbour[slot]])
    for k in range(order.shape[0] - 1, -1, -1):
        c = order[k]
        n, d, s = size[c], diagonal[c], start[c]
        for slot in range(first[k], first[k + 1]):
            subtract_rows(values, upper[slot], n, rows[slot], x, start[neighbour[slot]], s)
        if deficiency[c] == 0:
            for back in range(n):
                i = n - 1 - back
                total = x[s + i]
                for l in range(i + 1, n):
                    total -= values[d + n * i + l] * x[s + l]
                x[s + i] = total * values[d + (n + 1) * i]


@kernel
def subtract_rows(v, a, rows, columns, x, source, to):
    """x[to:] −= block · x[source:]"""
    for i in range(rows):
        total = 0.0
        for k in range(columns):
            total += v[a + columns * i + k] * x[source + k]
        x[to + i] -= total


@kernel
def apply_pseudo_inverse(v, d, n, x, s, work):
    """x[s:] ← D⁺ x[s:]; ``work`` needs n numbers."""
    for k in range(n):
        work[k] = x[s + k]
    for i in range(n):
        total = 0.0
        for k in range(n):
            total += v[d + n * i + k] * work[k]
        x[s + i] = total
