"""Rotations by their rotation vectors: R = exp(q), the angular velocity in rotated axes ω = S(q) q̇.

S is the right Jacobian of SO(3), `dalembert.spatial.rotation.exp_rate`, S x = x − c₁ q×x + c₂ q×(q×x) with c₁ and c₂
functions of q·q; its first and second derivatives follow term by term. They are regular at q = 0, where those of
[Sueda 2021] eq. (2.48)–(2.52) and (3.34)–(3.39) divide by |q|², and up to |q| = 2π, where S has no inverse: before
that q is replaced by (1 − 2π/|q|) q, which is the same turn, [Grassia 1998].
"""

from math import cos, pi, sin, sqrt

from dalembert._jit import kernel
from dalembert.spatial.rotation import exp_rate, log_rate
from dalembert.spatial.rotation_second import exp_rate_change
from dalembert.spatial.vector import add, axpy, cross, dot, norm, scale, unit

LONGEST = 1.5 * pi
"""Rotation vectors longer than this are replaced."""


@kernel
def exponential_screw(q, k):
    """S_k, a column of S."""
    return exp_rate(q, unit(k))


@kernel
def exponential_screw_change(q, k, l):
    """∂S_k/∂q_l."""
    return exp_rate_change(q, unit(k), unit(l))


@kernel
def exponential_screw_rate(q, dq, k):
    """Ṡ_k."""
    return exp_rate_change(q, unit(k), dq)


@kernel
def exponential_screw_rate_change(q, dq, k, m):
    """∂Ṡ_k/∂q_m: the second derivative of S_k along q̇ and along the m-th axis."""
    return _second_change(q, unit(k), dq, unit(m))


@kernel
def exponential_accelerations(q, dq, dw):
    """q̈ = S⁻¹ (ω̇ − Ṡ q̇)."""
    return log_rate(q, axpy(-1.0, exp_rate_change(q, dq, dq), dw))


@kernel
def shortened(q, dq):
    """(q, q̇) of the same turn and angular velocity with a shorter rotation vector, if this one is too long."""
    length = norm(q)
    if length <= LONGEST:
        return (q[0], q[1], q[2]), (dq[0], dq[1], dq[2])
    short = scale(1.0 - 2.0 * pi / length, q)
    return short, log_rate(short, exp_rate(q, dq))


@kernel
def _second_change(u, x, y, z):
    """The second derivative of `exp_rate` (u, x) by u along y and z; that of c(u·u) is c′ 2 u·y, then
    c″ 4 (u·y)(u·z) + c′ 2 y·z."""
    _, c2, d1, d2, dd1, dd2 = _coefficients(dot(u, u))
    along_y, along_z = 2.0 * dot(u, y), 2.0 * dot(u, z)
    bend1, bend2 = dd1 * along_y * along_z + 2.0 * d1 * dot(y, z), dd2 * along_y * along_z + 2.0 * d2 * dot(y, z)
    ux, yx, zx = cross(u, x), cross(y, x), cross(z, x)
    total = scale(-bend1, ux)
    total = axpy(-d1 * along_z, yx, axpy(-d1 * along_y, zx, total))
    total = axpy(bend2, cross(u, ux), total)
    total = axpy(d2 * along_z, add(cross(y, ux), cross(u, yx)), total)
    total = axpy(d2 * along_y, add(cross(z, ux), cross(u, zx)), total)
    return axpy(c2, add(cross(y, zx), cross(z, yx)), total)


@kernel
def _coefficients(t2):
    """c₁ = (1 − cos t)/t², c₂ = (t − sin t)/t³ with their first and second derivatives by t²."""
    if t2 < 2.0:
        c1 = c2 = d1 = d2 = dd1 = dd2 = 0.0
        for k in range(12, -1, -1):
            # d²/d(t²)² of a polynomial by Horner's rule counts every term twice
            dd1, dd2 = dd1 * t2 + d1, dd2 * t2 + d2
            d1, d2 = d1 * t2 + c1, d2 * t2 + c2
            c1, c2 = c1 * t2 + _SERIES[2 * k], c2 * t2 + _SERIES[2 * k + 1]
        return c1, c2, d1, d2, 2.0 * dd1, 2.0 * dd2
    t = sqrt(t2)
    sinc = sin(t) / t
    bent = (cos(t) - sinc) / (2.0 * t2)
    c1, c2 = (1.0 - cos(t)) / t2, (1.0 - sinc) / t2
    d1, d2 = (0.5 * sinc - c1) / t2, (-bent - c2) / t2
    return c1, c2, d1, d2, (0.5 * bent - 2.0 * d1) / t2, ((0.25 * sinc + 1.5 * bent) / t2 - 2.0 * d2) / t2


def _alternating_factorials() -> tuple[float, ...]:
    """1/2!, 1/3!, −1/4!, −1/5!, 1/6!, …"""
    series, value = [], 1.0
    for n in range(2, 28):
        value /= n
        series.append(value if n % 4 in (2, 3) else -value)
    return tuple(series)


_SERIES = _alternating_factorials()
