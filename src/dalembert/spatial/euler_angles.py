"""The twelve charts of Euler angles: R = exp(e_a q₁) exp(e_b q₂) exp(e_c q₃) about the rotated axes a, b, c.

With ω = S q̇ the angular velocity in rotated axes, and Rᵀ = exp(−e_c q₃) …,

    S = [ R₃ᵀ R₂ᵀ e_a,   R₃ᵀ e_b,   e_c ],       ∂S_k/∂q_l = S_k × S_l  for l > k, else 0,
    Ṡ_k = Σ_{l>k} (S_k × S_l) q̇_l,      ∂Ṡ_k/∂q_m = Σ_{l>k} (∂_m S_k × S_l + S_k × ∂_m S_l) q̇_l,      ∂R/∂q_k = R [S_k],

since a screw is turned along by the angles behind its own. This replaces tables 1 and 2 of [Sueda 2021]. The charts are
numbered as there: 0 … 5 the proper ones (a = c), 6 … 11 those about three axes. |det S| is |sin q₂| or |cos q₂|.
"""

from math import atan2, cos, hypot, sin

import numpy as np

from dalembert._jit import kernel
from dalembert.spatial.quaternion import columns, multiply, rotate_back
from dalembert.spatial.vector import add, axis, cross, dot, scale, unit

AXES = np.array(
    [
        *((0, 1, 0), (0, 2, 0), (1, 2, 1), (1, 0, 1), (2, 0, 2), (2, 1, 2)),
        *((0, 1, 2), (0, 2, 1), (1, 2, 0), (1, 0, 2), (2, 0, 1), (2, 1, 0)),
    ]
)
"""(12, 3) the axes of each chart."""
SWITCH = 0.3
"""Charts with |det S| below this are left."""


@kernel
def euler_turn(chart, q):
    """The quaternion of the angles."""
    p = _about(AXES[chart, 0], q[0])
    return multiply(multiply(p, _about(AXES[chart, 1], q[1])), _about(AXES[chart, 2], q[2]))


@kernel
def euler_screws(chart, q):
    """(S₁, S₂, S₃), the columns of S."""
    third = _about(AXES[chart, 2], q[2])
    first = rotate_back(third, rotate_back(_about(AXES[chart, 1], q[1]), unit(AXES[chart, 0])))
    return first, rotate_back(third, unit(AXES[chart, 1])), unit(AXES[chart, 2])


@kernel
def euler_screw_change(chart, q, k, l):
    """∂S_k/∂q_l."""
    s = euler_screws(chart, q)
    return _change(s, k, l)


@kernel
def euler_screw_rate(chart, q, dq, k):
    """Ṡ_k."""
    s, total = euler_screws(chart, q), (0.0, 0.0, 0.0)
    for l in range(k + 1, 3):
        total = add(total, scale(dq[l], cross(_column(s, k), _column(s, l))))
    return total


@kernel
def euler_screw_rate_change(chart, q, dq, k, m):
    """∂Ṡ_k/∂q_m."""
    s, total = euler_screws(chart, q), (0.0, 0.0, 0.0)
    for l in range(k + 1, 3):
        turned = add(cross(_change(s, k, m), _column(s, l)), cross(_column(s, k), _change(s, l, m)))
        total = add(total, scale(dq[l], turned))
    return total


@kernel
def euler_regularity(chart, q):
    """|det S|: 1 where the chart is best, 0 where two axes lie on one line."""
    return abs(sin(q[1])) if AXES[chart, 0] == AXES[chart, 2] else abs(cos(q[1]))


@kernel
def euler_angles(chart, p):
    """The angles of the quaternion p, q₂ in [0, π] or [−π/2, π/2]; where two axes lie on one line q₃ is taken as 0.

    For a = c, with d the axis that is neither a nor b and σ the sign of the order a, b, d: e_a · R e_a = cos q₂,
    R e_a = (cos q₂, sin q₂ sin q₁, −σ sin q₂ cos q₁) and Rᵀ e_a likewise along (a, b, d). Otherwise e_a · R e_c =
    σ sin q₂, σ that of a, b, c. [Sueda 2021] table 3.
    """
    a, b, c = AXES[chart, 0], AXES[chart, 1], AXES[chart, 2]
    axes = columns(p)
    if a == c:
        d = 3 - a - b
        sign = _order(a, b)
        across = hypot(_entry(axes, a, b), _entry(axes, a, d))
        if across < 1e-12:
            second = 0.0 if _entry(axes, a, a) > 0.0 else atan2(0.0, -1.0)
            return sign * atan2(_entry(axes, b, d), _entry(axes, b, b)), second, 0.0
        return (
            atan2(_entry(axes, a, b), -sign * _entry(axes, a, d)),
            atan2(across, _entry(axes, a, a)),
            atan2(_entry(axes, b, a), sign * _entry(axes, d, a)),
        )
    sign = _order(a, b)
    across = hypot(_entry(axes, b, a), _entry(axes, a, a))
    second = atan2(sign * _entry(axes, c, a), across)
    if across < 1e-12:
        return sign * atan2(_entry(axes, b, c), _entry(axes, b, b)), second, 0.0
    return (
        atan2(-sign * _entry(axes, c, b), _entry(axes, c, c)),
        second,
        atan2(-sign * _entry(axes, b, a), _entry(axes, a, a)),
    )


@kernel
def euler_rates(chart, q, w):
    """q̇ = S⁻¹ ω: each angle's rate is ω along what is at right angles to the other two screws."""
    s = euler_screws(chart, q)
    volume = dot(s[0], cross(s[1], s[2]))
    return (
        dot(cross(s[1], s[2]), w) / volume,
        dot(cross(s[2], s[0]), w) / volume,
        dot(cross(s[0], s[1]), w) / volume,
    )


@kernel
def best_chart(p):
    """The chart with the largest |det S| at the turn p."""
    best, largest = 0, -1.0
    for chart in range(12):
        value = euler_regularity(chart, euler_angles(chart, p))
        if value > largest:
            best, largest = chart, value
    return best


@kernel
def switch_chart(chart, q, dq):
    """(chart, q, q̇) of the same turn and angular velocity in the best chart, if this one is close to its end.

    q̇ is S_new⁻¹ S_old q̇_old, [Sueda 2021] eq. (2.40).
    """
    if euler_regularity(chart, q) >= SWITCH:
        return chart, (q[0], q[1], q[2]), (dq[0], dq[1], dq[2])
    p = euler_turn(chart, q)
    s = euler_screws(chart, q)
    w = add(add(scale(dq[0], s[0]), scale(dq[1], s[1])), scale(dq[2], s[2]))
    best = best_chart(p)
    found = euler_angles(best, p)
    return best, found, euler_rates(best, found, w)


@kernel
def euler_accelerations(chart, q, dq, dw):
    """q̈ = S⁻¹ (ω̇ − Ṡ q̇)."""
    for k in range(2):
        dw = add(dw, scale(-dq[k], euler_screw_rate(chart, q, dq, k)))
    return euler_rates(chart, q, dw)


@kernel
def _about(letter, angle):
    c, s = cos(0.5 * angle), sin(0.5 * angle)
    return (c, s if letter == 0 else 0.0, s if letter == 1 else 0.0, s if letter == 2 else 0.0)


@kernel
def _entry(axes, k, i):
    """Component i of the k-th of three axes."""
    column = axis(axes, k)
    return column[0] if i == 0 else (column[1] if i == 1 else column[2])


@kernel
def _column(s, k):
    return s[0] if k == 0 else (s[1] if k == 1 else s[2])


@kernel
def _change(s, k, l):
    return cross(_column(s, k), _column(s, l)) if l > k else (0.0, 0.0, 0.0)


@kernel
def _order(a, b):
    """1 if b follows a in cyclic order, else −1."""
    return 1.0 if (b - a) % 3 == 1 else -1.0
