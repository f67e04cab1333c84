"""The factors of a joint that is a product of exponentials: their twists and the functions that scale them.

A factor is exp(ê f(q)) with a constant twist ê and a scalar f of one or two of the joint's coordinates, or a constant
frame. Kinds and data are those of `dalembert.model.system`. A function is known with its derivatives up to the third
order, (f, f₁, f₂, f₁₁, f₁₂, f₂₂, f₁₁₁, f₁₁₂, f₁₂₂, f₂₂₂), by its first and its second coordinate.
"""

from dalembert._jit import kernel
from dalembert.model.system import CURVE_FRAME, FRAME, FRAME_AND_STEP, GRID, LINEAR
from dalembert.spatial.cubic_spline import running_sum, segment, weights


@kernel
def is_frame(system, m):
    """Whether factor m is a frame rather than an exponential."""
    kind = system.product_factor[m, 0]
    return kind == FRAME or kind == CURVE_FRAME


@kernel
def factor_frame(system, m, q, first):
    """(x, turn) of a factor that is a frame; on a curve, the frame that the segment starts from."""
    at = system.product_factor[m, 3]
    if system.product_factor[m, 0] == CURVE_FRAME:
        s, _ = segment(q[first + system.product_factor[m, 1]], system.product_factor[m, 4], system.product_factor[m, 5])
        at += FRAME_AND_STEP * s
    d = system.product_data
    return (d[at], d[at + 1], d[at + 2]), (d[at + 3], d[at + 4], d[at + 5], d[at + 6])


@kernel
def factor_twist(system, m, q, first):
    """(linear, angular) of ê."""
    at = system.product_factor[m, 3]
    if system.product_factor[m, 0] != LINEAR and system.product_factor[m, 0] != GRID:
        # the step from frame s + part − 1 to the next
        s, _ = segment(q[first + system.product_factor[m, 1]], system.product_factor[m, 4], system.product_factor[m, 5])
        at += FRAME_AND_STEP * (s + system.product_factor[m, 2]) + 7
    d = system.product_data
    return (d[at], d[at + 1], d[at + 2]), (d[at + 3], d[at + 4], d[at + 5])


@kernel
def factor_function(system, m, q, first):
    """f and its derivatives."""
    kind = system.product_factor[m, 0]
    x = q[first + system.product_factor[m, 1]]
    if kind == LINEAR:
        return x, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if kind == GRID:
        return _grid(system, m, x, q[first + system.product_factor[m, 2]])
    _, u = segment(x, system.product_factor[m, 4], system.product_factor[m, 5])
    part = system.product_factor[m, 2]
    f, f1 = running_sum(u, 0, part), running_sum(u, 1, part)
    return f, f1, 0.0, running_sum(u, 2, part), 0.0, 0.0, running_sum(u, 3, part), 0.0, 0.0, 0.0


@kernel
def _grid(system, m, x, y):
    """A tensor product of splines, [Sueda 2021] eq. (2.75)–(2.76), and its third derivatives."""
    rows, columns = system.product_factor[m, 4], system.product_factor[m, 5]
    s, u = segment(x, rows, 0)
    r, w = segment(y, columns, 0)
    at = system.product_factor[m, 3] + 6
    f = f1 = f2 = f11 = f12 = f22 = f111 = f112 = f122 = f222 = 0.0
    a0, a1, a2, a3 = weights(u, 0), weights(u, 1), weights(u, 2), weights(u, 3)
    b0, b1, b2, b3 = weights(w, 0), weights(w, 1), weights(w, 2), weights(w, 3)
    for i in range(4):
        row = at + (s + i) * (columns + 3) + r
        c0 = c1 = c2 = c3 = 0.0
        for k in range(4):
            value = system.product_data[row + k]
            c0 += b0[k] * value
            c1 += b1[k] * value
            c2 += b2[k] * value
            c3 += b3[k] * value
        f += a0[i] * c0
        f1 += a1[i] * c0
        f2 += a0[i] * c1
        f11 += a2[i] * c0
        f12 += a1[i] * c1
        f22 += a0[i] * c2
        f111 += a3[i] * c0
        f112 += a2[i] * c1
        f122 += a1[i] * c2
        f222 += a0[i] * c3
    return f, f1, f2, f11, f12, f22, f111, f112, f122, f222
