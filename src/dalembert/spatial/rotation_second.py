"""How the maps of `dalembert.spatial.rotation` change with the rotation vector: second derivatives on the group.

All are sums like a(t²) u×w + b(t²) u×(u×w), t = |u|; a small change x of u changes t² by 2 u·x.
"""

from math import cos, sin, sqrt

from dalembert._jit import kernel
from dalembert.spatial.vector import add, axpy, cross, dot, scale


@kernel
def exp_rate_change(u, du, x):
    """The change of `exp_rate` (u, du) when u changes by x and du stays."""
    c1, c2, d1, d2 = _exp_coefficients(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
    a, stretch = cross(u, du), 2.0 * dot(u, x)
    b = cross(u, a)
    first = axpy(-c1, cross(x, du), scale(-d1 * stretch, a))
    return axpy(c2, add(cross(x, a), cross(u, cross(x, du))), axpy(d2 * stretch, b, first))


@kernel
def exp_rate_transposed(u, f):
    """The transpose of `exp_rate` in du: from a force on the local turn to one on the rotation vector."""
    c1, c2, _, _ = _exp_coefficients(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
    a = cross(u, f)
    return axpy(c2, cross(u, a), axpy(c1, a, f))


@kernel
def log_rate_transposed_change(u, f, x):
    """The change of `log_rate_transposed` (u, f) when u changes by x and f stays."""
    c, d = _log_coefficients(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
    a, stretch = cross(u, f), 2.0 * dot(u, x)
    turned = add(cross(x, a), cross(u, cross(x, f)))
    return axpy(-0.5, cross(x, f), axpy(c, turned, scale(d * stretch, cross(u, a))))


@kernel
def _exp_coefficients(t2):
    """c₁ = (1 − cos t)/t², c₂ = (t − sin t)/t³ and their derivatives by t²."""
    if t2 < 1.0:
        # Σ (−t²)ᵏ/(2k+2)! and Σ (−t²)ᵏ/(2k+3)!, with their derivatives, to the last digit
        c1 = c2 = d1 = d2 = 0.0
        for k in range(9, -1, -1):
            d1 = d1 * t2 + c1
            d2 = d2 * t2 + c2
            c1 = c1 * t2 + _SERIES[2 * k]
            c2 = c2 * t2 + _SERIES[2 * k + 1]
        return c1, c2, d1, d2
    t = sqrt(t2)
    c1, c2 = (1.0 - cos(t)) / t2, (t - sin(t)) / (t2 * t)
    return c1, c2, (0.5 * sin(t) / t - c1) / t2, (1.5 * sin(t) / t - 0.5 * cos(t) - 1.0) / (t2 * t2)


@kernel
def _log_coefficients(t2):
    """c = (1 − (t/2) cot(t/2))/t² and its derivative by t²."""
    if t2 < 0.3:
        c = d = 0.0
        for k in range(7, -1, -1):
            d = d * t2 + c
            c = c * t2 + _BERNOULLI[k]
        return c, d
    h = 0.5 * sqrt(t2)
    cot = cos(h) / sin(h)
    c = (1.0 - h * cot) / t2
    return c, ((h / (sin(h) * sin(h)) - cot) / (8.0 * h) - c) / t2


def _alternating_factorials() -> tuple[float, ...]:
    """1/2!, 1/3!, −1/4!, −1/5!, 1/6!, …"""
    series, value = [], 1.0
    for n in range(2, 22):
        value /= n
        series.append(value if n % 4 in (2, 3) else -value)
    return tuple(series)


_SERIES = _alternating_factorials()
_BERNOULLI = (
    1.0 / 12.0,
    1.0 / 720.0,
    1.0 / 30240.0,
    1.0 / 1209600.0,
    1.0 / 47900160.0,
    691.0 / 1307674368000.0,
    1.0 / 74724249600.0,
    3617.0 / 10670622842880000.0,
)
"""|B₂ₖ|/(2k)!, k = 1, 2, …"""
