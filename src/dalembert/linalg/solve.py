"""Solutions with the factors that `factor` leaves: D_c⁻¹ on the diagonal, L_ic below, V_cj = D_c⁻¹ U_cj beside.

    A x = b:    forwards   y_c = D_c⁻¹ b_c,  b_i ← b_i − L_ic y_c        backwards   x_c = y_c − Σ_j V_cj x_j
    Aᵀ x = b:   forwards   b_j ← b_j − V_cjᵀ b_c                         backwards   x_c = D_c⁻ᵀ (b_c − Σ_i L_icᵀ x_i)

[Brüdigam 2023] algorithms 2 and 4. Right-hand sides list the rows of node 0, node 1, … whatever the order of
elimination. Nothing is allocated; solutions take the place of the right-hand sides.
"""

from dalembert._jit import kernel
from dalembert.linalg.blocks import FIVE, SIX, THREE
from dalembert.linalg.substitution import (
    backward,
    forward,
    forward_transposed,
    multiply_any,
    multiply_transposed,
    subtract,
    subtract_transposed,
)


@kernel
def solve(p, values, x):
    """Replace the right-hand side ``x`` (n_rows,) by the solution of A x = b."""
    _solve(p, values, x, 1)


@kernel
def solve_transposed(p, values, x):
    """Replace the right-hand side ``x`` (n_rows,) by the solution of Aᵀ x = b."""
    _solve_transposed(p, values, x, 1)


@kernel
def solve_many(p, values, x):
    """Replace each column of ``x`` (n_rows, any number), C-contiguous, by the solution of A x = b."""
    _solve(p, values, x.reshape(x.size), x.shape[1])


@kernel
def solve_transposed_many(p, values, x):
    """Replace each column of ``x`` (n_rows, any number), C-contiguous, by the solution of Aᵀ x = b."""
    _solve_transposed(p, values, x.reshape(x.size), x.shape[1])


@kernel
def subtract_product(p, values, x, out):
    """out ← out − A x with the unfactored ``values``; ``x`` and ``out`` (n_rows,) are different arrays."""
    _subtract_product(p, values, x, 1, out)


@kernel
def subtract_product_many(p, values, x, out):
    """`subtract_product` for C-contiguous ``x`` and ``out`` (n_rows, any number)."""
    _subtract_product(p, values, x.reshape(x.size), x.shape[1], out.reshape(out.size))


@kernel
def refine(p, factored, original, rhs, x, residual):
    """One step of iterative refinement of ``x``: r = b − A x, x ← x + A⁻¹ r; returns the largest |correction|.

    ``factored`` and ``original`` are the values after and before `factor`; ``rhs``, ``x`` and ``residual`` (n_rows,)
    are the right-hand side, the solution so far and scratch space, which holds the correction afterwards.
    """
    for i in range(rhs.shape[0]):
        residual[i] = rhs[i]
    subtract_product(p, original, x, residual)
    solve(p, factored, residual)
    largest = 0.0
    for i in range(rhs.shape[0]):
        x[i] += residual[i]
        largest = max(largest, abs(residual[i]))
    return largest


@kernel
def _solve(p, values, x, m):
    order, size, start, diagonal, first, neighbour = p.order, p.size, p.start, p.diagonal, p.first, p.neighbour
    rows, lower, upper = p.rows, p.lower, p.upper
    for k in range(order.shape[0]):
        c = order[k]
        n, d, s, a, e = size[c], diagonal[c], start[c], first[k], first[k + 1]
        low = lower[a] if e > a else 0
        if n == 6:
            forward(values, d, low, neighbour, rows, start, a, e, x, m, s, SIX)
        elif n == 5:
            forward(values, d, low, neighbour, rows, start, a, e, x, m, s, FIVE)
        elif n == 3:
            forward(values, d, low, neighbour, rows, start, a, e, x, m, s, THREE)
        elif n > 0:
            multiply_any(values, d, n, n, 1, x, m, s)
            for slot in range(a, e):
                subtract(values, lower[slot], rows[slot], n, x, m, s, x, start[neighbour[slot]])
    for k in range(order.shape[0] - 1, -1, -1):
        c = order[k]
        n, s = size[c], start[c]
        for slot in range(first[k], first[k + 1]):
            u, w, t = upper[slot], rows[slot], start[neighbour[slot]]
            if w == 6:
                backward(values, u, x, m, s, n, t, SIX)
            elif w == 5:
                backward(values, u, x, m, s, n, t, FIVE)
            elif w == 3:
                backward(values, u, x, m, s, n, t, THREE)
            else:
                subtract(values, u, n, w, x, m, t, x, s)


@kernel
def _solve_transposed(p, values, x, m):
    order, size, start, diagonal, first, neighbour = p.order, p.size, p.start, p.diagonal, p.first, p.neighbour
    rows, lower, upper = p.rows, p.lower, p.upper
    for k in range(order.shape[0]):
        c = order[k]
        n, s = size[c], start[c]
        for slot in range(first[k], first[k + 1]):
            u, w, t = upper[slot], rows[slot], start[neighbour[slot]]
            if n == 6:
                forward_transposed(values, u, x, m, s, t, w, SIX)
            elif n == 5:
                forward_transposed(values, u, x, m, s, t, w, FIVE)
            elif n == 3:
                forward_transposed(values, u, x, m, s, t, w, THREE)
            else:
                subtract_transposed(values, u, n, w, x, m, s, x, t)
    for k in range(order.shape[0] - 1, -1, -1):
        c = order[k]
        n, d, s = size[c], diagonal[c], start[c]
        for slot in range(first[k], first[k + 1]):
            low, w, t = lower[slot], rows[slot], start[neighbour[slot]]
            if w == 6:
                forward_transposed(values, low, x, m, t, s, n, SIX)
            elif w == 5:
                forward_transposed(values, low, x, m, t, s, n, FIVE)
            elif w == 3:
                forward_transposed(values, low, x, m, t, s, n, THREE)
            else:
                subtract_transposed(values, low, w, n, x, m, t, x, s)
        if n == 6:
            multiply_transposed(values, d, x, m, s, SIX)
        elif n == 5:
            multiply_transposed(values, d, x, m, s, FIVE)
        elif n == 3:
            multiply_transposed(values, d, x, m, s, THREE)
        elif n > 0:
            multiply_any(values, d, n, 1, n, x, m, s)


@kernel
def _subtract_product(p, values, x, m, out):
    order, size, start, diagonal, first, neighbour = p.order, p.size, p.start, p.diagonal, p.first, p.neighbour
    rows, lower, upper = p.rows, p.lower, p.upper
    for k in range(order.shape[0]):
        c = order[k]
        n, s = size[c], start[c]
        subtract(values, diagonal[c], n, n, x, m, s, out, s)
        for slot in range(first[k], first[k + 1]):
            w, t = rows[slot], start[neighbour[slot]]
            subtract(values, upper[slot], n, w, x, m, t, out, s)
            subtract(values, lower[slot], w, n, x, m, s, out, t)
