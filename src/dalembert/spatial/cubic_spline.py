"""Uniform cubic B-splines: the four weights of a segment, running sums of them, and where a parameter lies.

On the segment from knot s to s + 1, with u = q − s, a spline is Σ bᵢ(u) c_{s+i} over four control values, [Sueda 2021]
eq. (2.68)–(2.70). Its second derivative is continuous, its third one jumps at the knots.
"""

from math import floor

from dalembert._jit import kernel


@kernel
def segment(q, count, closed):
    """(s, u) of the parameter: the segment of ``count`` and the place on it. An open spline goes on beyond its ends as
    its first and last segments do; a closed one repeats."""
    s = floor(q)
    if closed == 1:
        return s % count, q - s
    s = min(max(s, 0), count - 1)
    return s, q - s


@kernel
def weights(u, order):
    """(b₀, b₁, b₂, b₃) or their derivatives of order 1, 2 or 3."""
    if order == 0:
        w = 1.0 - u
        return (
            w * w * w / 6.0,
            (4.0 - 6.0 * u * u + 3.0 * u * u * u) / 6.0,
            (1.0 + 3.0 * u + 3.0 * u * u - 3.0 * u * u * u) / 6.0,
            u * u * u / 6.0,
        )
    if order == 1:
        w = 1.0 - u
        return (-0.5 * w * w, -2.0 * u + 1.5 * u * u, 0.5 + u - 1.5 * u * u, 0.5 * u * u)
    if order == 2:
        return (1.0 - u, -2.0 + 3.0 * u, 1.0 - 3.0 * u, u)
    return (-1.0, 3.0, -3.0, 1.0)


@kernel
def running_sum(u, order, part):
    """Σ bᵢ over i ≥ part, part 1 … 3: what a difference of control values weighs, [Kim 1995]; [Sueda 2021] (2.72)."""
    b = weights(u, order)
    if part == 1:
        return b[1] + b[2] + b[3]
    return b[2] + b[3] if part == 2 else b[3]
