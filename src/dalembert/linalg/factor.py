"""The numeric phase: A = L D U in place, on the addresses of a `Pattern`.

After `factor` the values hold D_c⁻¹ in the diagonal blocks, L_ic (not divided by the pivot) below and V_cj = D_c⁻¹ U_cj
beside them. [Brüdigam 2023] algorithms 1 and 3, which divide L by the pivot as well; a solution needs only one of the
two.
"""

from math import isfinite

from dalembert._jit import kernel
from dalembert.linalg.blocks import FIVE, SIX, THREE, eliminate, eliminate_any
from dalembert.linalg.pivots import NOT_FINITE, REGULAR, SINGULAR, invert, magnitude, numerical_rank, pseudo_invert


@kernel
def factor(p, values, deficiency, workspace):
    """Factor in place.

    Args:
        p: the `Pattern`.
        values: all blocks; fill must be zero on entry.
        deficiency: (n,) how many directions to drop from the pivot of each node; 0 for an ordinary one.
        workspace: from `BlockPattern.workspace`.

    Returns:
        (status, node): REGULAR and −1; or SINGULAR and the first ordinary node whose pivot is not regular, of which the
        zero directions were dropped; or NOT_FINITE and the first node whose pivot holds NaN or infinity, where the
        factorisation stopped.
    """
    return _factor(p, values, deficiency, deficiency, 0.0, workspace)


@kernel
def factor_revealing_rank(p, values, marked, threshold, workspace, deficiency):
    """`factor`, which first determines the deficiency of every marked node and writes it to ``deficiency``.

    Args:
        p: the `Pattern`.
        values: all blocks; fill must be zero on entry.
        marked: (n,) 1 for nodes whose pivot may be of deficient rank, 0 for ordinary ones.
        threshold: a direction counts if its pivot, relative to the size that its diagonal entries have had during the
            elimination, exceeds this number (above rounding error and below 1, e.g. 1e-9).
        workspace: from `BlockPattern.workspace`.
        deficiency: (n,) output, 0 for ordinary nodes.

    Returns:
        (status, node) as `factor`.
    """
    for c in range(deficiency.shape[0]):
        deficiency[c] = 0
    return _factor(p, values, deficiency, marked, threshold, workspace)


@kernel
def _factor(p, values, deficiency, marked, threshold, workspace):
    # arrays are taken out of the pattern once: passing a tuple of arrays to a function costs as much as a small block
    size, start, diagonal, first, neighbour, rows = p.size, p.start, p.diagonal, p.first, p.neighbour, p.rows
    lower, upper, target, target_start = p.lower, p.upper, p.target, p.target_start
    work = workspace[start[-1] :]
    any_marked = False
    for c in range(size.shape[0]):
        if marked[c] != 0:
            any_marked = True
            _start_scale(values, diagonal[c], size[c], workspace, start[c])
    status, worst = REGULAR, -1
    for k in range(p.order.shape[0]):
        c = p.order[k]
        n, d = size[c], diagonal[c]
        if marked[c] != 0:
            if not isfinite(magnitude(values, d, n * n)):
                return NOT_FINITE, c
            if threshold > 0.0:
                deficiency[c] = n - numerical_rank(values, d, n, threshold, workspace, start[c], work)
        if deficiency[c] > 0:
            pseudo_invert(values, d, n, n - deficiency[c], _scale(workspace, start[c], n), work)
        else:
            outcome = invert(values, d, n, work)
            if outcome == NOT_FINITE:
                return NOT_FINITE, c
            if outcome == SINGULAR:
                pseudo_invert(values, d, n, n, magnitude(values, d, n * n), work)
                if status == REGULAR:
                    status, worst = SINGULAR, c
        a, e = first[k], first[k + 1]
        for slot in range(a, e):
            u, low, w = upper[slot], lower[a], rows[slot]
            base = target_start[k] + (slot - a) * (e - a)
            if n == 6 and w == 5:
                eliminate(values, d, u, low, target, base, rows, a, e, SIX, FIVE)
            elif n == 5 and w == 6:
                eliminate(values, d, u, low, target, base, rows, a, e, FIVE, SIX)
            elif n == 6 and w == 6:
                eliminate(values, d, u, low, target, base, rows, a, e, SIX, SIX)
            elif n == 6 and w == 3:
                eliminate(values, d, u, low, target, base, rows, a, e, SIX, THREE)
            elif n == 3 and w == 6:
                eliminate(values, d, u, low, target, base, rows, a, e, THREE, SIX)
            elif n == 5 and w == 5:
                eliminate(values, d, u, low, target, base, rows, a, e, FIVE, FIVE)
            else:
                eliminate_any(values, d, u, low, target, base, rows, a, e, n, w, work)
            if any_marked:
                i = neighbour[slot]
                if marked[i] != 0:
                    _raise_scale(values, diagonal[i], w, workspace, start[i])
    return status, worst


@kernel
def _start_scale(values, d, n, scale, s):
    """Note the size of a block's diagonal entries before anything is eliminated."""
    for i in range(n):
        scale[s + i] = abs(values[d + (n + 1) * i])


@kernel
def _raise_scale(values, d, n, scale, s):
    """Note it again after a change: what cancels later leaves rounding error of this size."""
    for i in range(n):
        scale[s + i] = max(scale[s + i], abs(values[d + (n + 1) * i]))


@kernel
def _scale(scale, s, n):
    largest = 0.0
    for i in range(n):
        largest = max(largest, scale[s + i])
    return largest
