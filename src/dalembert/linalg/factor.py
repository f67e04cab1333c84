"""The numeric phase: A = L D U in place, on the addresses of a `Pattern`.

After `factor` the values hold D_c⁻¹ in the diagonal blocks, L_ic (not divided by the pivot) below and V_cj = D_c⁻¹ U_cj
beside them. [Brüdigam 2024] algorithms 1 and 3, which divide L by the pivot as well; a solution needs only one of the
two.
"""

from math import isfinite

from dalembert._jit import kernel
from dalembert.linalg.blocks import FIVE, FOUR, SIX, THREE, multiply_left, multiply_left_any, update, update_any
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
    status, worst = REGULAR, -1
    work = workspace[p.start[-1] :]
    _start_scales(p, values, deficiency, workspace)
    for k in range(p.order.shape[0]):
        c = p.order[k]
        n, d = p.size[c], p.diagonal[c]
        if n == 0:
            continue
        if deficiency[c] == 0:
            outcome = invert(values, d, n, work)
            if outcome == SINGULAR:
                pseudo_invert(values, d, n, n, magnitude(values, d, n * n), work)
                if status == REGULAR:
                    status, worst = SINGULAR, c
        elif isfinite(magnitude(values, d, n * n)):
            outcome = REGULAR
            pseudo_invert(values, d, n, n - deficiency[c], _scale(p, c, workspace), work)
        else:
            outcome = NOT_FINITE
        if outcome == NOT_FINITE:
            return NOT_FINITE, c
        _eliminate(p, values, k, work)
        _raise_scales(p, values, k, deficiency, workspace)
    return status, worst


@kernel
def factor_revealing_rank(p, values, marked, threshold, workspace, deficiency):
    """`factor`, which first determines the deficiency of every marked node and writes it to ``deficiency``.

    Args:
        p: the `Pattern`.
        values: all blocks; fill must be zero on entry.
        marked: (n,) 1 for nodes whose pivot may be of deficient rank, 0 for ordinary ones.
        threshold: a direction counts if its pivot, relative to the size that its diagonal entries have had during the
            elimination, exceeds this number (which must be above rounding error and below 1, e.g. 1e-9).
        workspace: from `BlockPattern.workspace`.
        deficiency: (n,) output, 0 for ordinary nodes.

    Returns:
        (status, node) as `factor`.
    """
    status, worst = REGULAR, -1
    work = workspace[p.start[-1] :]
    _start_scales(p, values, marked, workspace)
    for k in range(p.order.shape[0]):
        c = p.order[k]
        n, d = p.size[c], p.diagonal[c]
        deficiency[c] = 0
        if n == 0:
            continue
        if not isfinite(magnitude(values, d, n * n)):
            return NOT_FINITE, c
        if marked[c] != 0:
            deficiency[c] = n - numerical_rank(values, d, n, threshold, workspace, p.start[c], work)
        if deficiency[c] > 0:
            pseudo_invert(values, d, n, n - deficiency[c], _scale(p, c, workspace), work)
        elif invert(values, d, n, work) == SINGULAR:
            pseudo_invert(values, d, n, n, magnitude(values, d, n * n), work)
            if status == REGULAR:
                status, worst = SINGULAR, c
        _eliminate(p, values, k, work)
        _raise_scales(p, values, k, marked, workspace)
    return status, worst


@kernel
def _eliminate(p, values, k, work):
    """V = D⁻¹ U and the updates of the k-th pivot, whose diagonal block is inverted by now."""
    c = p.order[k]
    n, d = p.size[c], p.diagonal[c]
    for slot in range(p.first[k], p.first[k + 1]):
        u = p.upper[slot]
        sizes = 8 * n + p.size[p.neighbour[slot]]
        if sizes == 0o65:
            multiply_left(values, d, u, SIX, FIVE)
            update(values, p, k, slot, SIX, FIVE)
        elif sizes == 0o56:
            multiply_left(values, d, u, FIVE, SIX)
            update(values, p, k, slot, FIVE, SIX)
        elif sizes == 0o66:
            multiply_left(values, d, u, SIX, SIX)
            update(values, p, k, slot, SIX, SIX)
        elif sizes == 0o63:
            multiply_left(values, d, u, SIX, THREE)
            update(values, p, k, slot, SIX, THREE)
        elif sizes == 0o36:
            multiply_left(values, d, u, THREE, SIX)
            update(values, p, k, slot, THREE, SIX)
        elif sizes == 0o64:
            multiply_left(values, d, u, SIX, FOUR)
            update(values, p, k, slot, SIX, FOUR)
        elif sizes == 0o46:
            multiply_left(values, d, u, FOUR, SIX)
            update(values, p, k, slot, FOUR, SIX)
        elif sizes == 0o55:
            multiply_left(values, d, u, FIVE, FIVE)
            update(values, p, k, slot, FIVE, FIVE)
        else:
            multiply_left_any(values, d, u, n, p.size[p.neighbour[slot]], work)
            update_any(values, p, k, slot, n, p.size[p.neighbour[slot]])


@kernel
def _start_scales(p, values, marked, workspace):
    """Note the size of the diagonal entries of marked nodes before anything is eliminated."""
    for c in range(p.size.shape[0]):
        if marked[c] != 0:
            for i in range(p.size[c]):
                workspace[p.start[c] + i] = abs(values[p.diagonal[c] + (p.size[c] + 1) * i])


@kernel
def _raise_scales(p, values, k, marked, workspace):
    """Note it again where the k-th pivot has changed them: what cancels later leaves rounding error of this size."""
    for slot in range(p.first[k], p.first[k + 1]):
        c = p.neighbour[slot]
        if marked[c] != 0:
            for i in range(p.size[c]):
                entry = abs(values[p.diagonal[c] + (p.size[c] + 1) * i])
                workspace[p.start[c] + i] = max(workspace[p.start[c] + i], entry)


@kernel
def _scale(p, c, workspace):
    largest = 0.0
    for i in range(p.size[c]):
        largest = max(largest, workspace[p.start[c] + i])
    return largest
