"""Turns near a knot, p = p_k · exp(ξ): the functions of ξ that the equations need, and their derivatives.

Everything that appears is of one form. With z = |ξ|² and coefficients α(z), β(z) let

    F(ξ; m) = m + α ξ×m + β ξ×(ξ×m).

With c₁ = (1 − cos t)/t², c₂ = (t − sin t)/t³, t = √z, [Solà 2018] eqs. (143) to (146) give

    J_l(ξ) m and J_r(ξ)ᵀ m: (c₁, c₂),         J_r(ξ) m and J_l(ξ)ᵀ m: (−c₁, c₂),
    J_l(ξ)⁻ᵀ m: (½, c₃),                      J_r(ξ)⁻ᵀ m: (−½, c₃),          c₃ = (1 − (t/2) cot(t/2))/t²,

where J_r ξ̇ is the angular velocity in the turned axes and J_l ξ̇ the same vector in those of the knot. In direction δ,

    DF[δ] = α δ×m + β (δ×(ξ×m) + ξ×(δ×m)) + 2 (ξ·δ) (α' ξ×m + β' ξ×(ξ×m)),

primes being derivatives by z. The power series of c₁ and c₂ converge for all turns, and so fast below a quarter of a
revolution more than a half that fourteen terms are exact; they have no cancellation at small turns.
"""

from math import cos, factorial, sin, sqrt
from typing import Final

from dalembert._jit import kernel
from dalembert.spatial.vector import axpy, cross, dot, scale

FARTHEST: Final = 3.0
"""Radians that a free turn may make in a step: at 2π the chart ends, at π the way back is not unique."""

TERMS: Final = 14
COSINE_SERIES: Final = tuple((-1.0) ** k / factorial(2 * k + 2) for k in range(TERMS))
SINE_SERIES: Final = tuple((-1.0) ** k / factorial(2 * k + 3) for k in range(TERMS))


@kernel
def turn_coefficients(u):
    """(c₁, c₂), and their first and second derivatives by z, as six numbers."""
    z = dot(u, u)
    a, a1, a2, b, b1, b2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(TERMS - 1, -1, -1):
        a2 = a2 * z + 2.0 * a1
        a1 = a1 * z + a
        a = a * z + COSINE_SERIES[k]
        b2 = b2 * z + 2.0 * b1
        b1 = b1 * z + b
        b = b * z + SINE_SERIES[k]
    return a, b, a1, b1, a2, b2


@kernel
def inverse_coefficients(u):
    """(c₃, its derivative by z), for |u| < 2π."""
    z = dot(u, u)
    if z < 0.05:
        # (1 − (t/2) cot(t/2))/t² = 1/12 + z/720 + z²/30240 + z³/1209600 + z⁴/47900160 + 691 z⁵/1307674368000 + …
        value = 1.0 / 12.0 + z * (
            1.0 / 720.0
            + z * (1.0 / 30240.0 + z * (1.0 / 1209600.0 + z * (1.0 / 47900160.0 + z * 691.0 / 1307674368000.0)))
        )
        slope = 1.0 / 720.0 + z * (
            2.0 / 30240.0 + z * (3.0 / 1209600.0 + z * (4.0 / 47900160.0 + z * 3455.0 / 1307674368000.0))
        )
        return value, slope
    h = 0.5 * sqrt(z)
    cotangent = cos(h) / sin(h)
    value = (1.0 - h * cotangent) / z
    # d(h cot h)/dz = (cot h − h/sin² h)/(8 h)
    slope = (-(cotangent - h / sin(h) ** 2) / (8.0 * h) - value) / z
    return value, slope


@kernel
def bend(u, m, a, b):
    """F(u; m) with coefficients a, b."""
    x = cross(u, m)
    y = cross(u, x)
    return (m[0] + a * x[0] + b * y[0], m[1] + a * x[1] + b * y[1], m[2] + a * x[2] + b * y[2])


@kernel
def bend_rate(u, m, a, b, a1, b1, d):
    """DF[d]; a1, b1 are the derivatives of the coefficients by z."""
    x, y = cross(u, m), cross(d, m)
    s = 2.0 * dot(u, d)
    out = axpy(a, y, scale(b, cross(d, x)))
    out = axpy(b, cross(u, y), out)
    return axpy(s * a1, x, axpy(s * b1, cross(u, x), out))


@kernel
def bend_second(u, m, a, b, a1, b1, a2, b2, d, e):
    """D²F[d, e], symmetric in d and e."""
    x, xd, xe = cross(u, m), cross(d, m), cross(e, m)
    ud, ue = 2.0 * dot(u, d), 2.0 * dot(u, e)
    out = scale(b, cross(d, xe))
    out = axpy(b, cross(e, xd), out)
    out = axpy(ue * a1, xd, axpy(ud * a1, xe, out))
    out = axpy(ue * b1, cross(d, x), axpy(ue * b1, cross(u, xd), out))
    out = axpy(ud * b1, cross(e, x), axpy(ud * b1, cross(u, xe), out))
    s, t = 2.0 * dot(d, e), ud * ue
    return axpy(s * a1 + t * a2, x, axpy(s * b1 + t * b2, cross(u, x), out))
