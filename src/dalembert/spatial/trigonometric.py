"""Even functions of an angle t that the exponential maps are made of, as functions of t² and with their derivatives.

Each is a quotient in which digits cancel near zero: below a quarter of a radian its Taylor series is summed, to
round-off.
"""

from math import cos, sin, sqrt
from typing import Final

from dalembert._jit import kernel

SMALL: Final = 0.0625
"""t² below which the series are used: six terms reach round-off there."""


@kernel
def cotangent_series(t2):
    """(c, c′, c″) of c = (1 − (t/2) cot(t/2))/t², derivatives with respect to t²; regular for t < 2π.

    Its series has the Bernoulli numbers, 1/12 + t²/720 + t⁴/30240 + …
    """
    if t2 < SMALL:
        a1, a2, a3 = 1.0 / 720.0, 1.0 / 30240.0, 1.0 / 1209600.0
        a4, a5, a6 = 1.0 / 47900160.0, 691.0 / 1307674368000.0, 1.0 / 74724249600.0
        c = 1.0 / 12.0 + t2 * (a1 + t2 * (a2 + t2 * (a3 + t2 * (a4 + t2 * (a5 + t2 * a6)))))
        first = a1 + t2 * (2.0 * a2 + t2 * (3.0 * a3 + t2 * (4.0 * a4 + t2 * (5.0 * a5 + t2 * 6.0 * a6))))
        second = 2.0 * a2 + t2 * (6.0 * a3 + t2 * (12.0 * a4 + t2 * (20.0 * a5 + t2 * 30.0 * a6)))
        return c, first, second
    x = 0.5 * sqrt(t2)
    cotangent, cosecant2 = cos(x) / sin(x), 1.0 / sin(x) ** 2
    c = (1.0 - x * cotangent) / t2
    # r = −d(x cot x)/dt² and its derivative; dt² = 8 x dx
    r = (cosecant2 - cotangent / x) / 8.0
    r_first = (-2.0 * cotangent * cosecant2 + (cosecant2 + cotangent / x) / x) / (64.0 * x)
    first = (r - c) / t2
    return c, first, (r_first - 2.0 * first) / t2


@kernel
def versine_series(t2):
    """(C, C′) of C = (1 − cos t)/t², derivative with respect to t²."""
    if t2 < SMALL:
        a1, a2, a3, a4, a5 = -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40320.0, 1.0 / 3628800.0, -1.0 / 479001600.0
        return (
            0.5 + t2 * (a1 + t2 * (a2 + t2 * (a3 + t2 * (a4 + t2 * a5)))),
            a1 + t2 * (2.0 * a2 + t2 * (3.0 * a3 + t2 * (4.0 * a4 + t2 * 5.0 * a5))),
        )
    t = sqrt(t2)
    # 1 − cos t without cancellation
    value = 2.0 * sin(0.5 * t) ** 2 / t2
    return value, (0.5 * sin(t) / t - value) / t2


@kernel
def sine_series(t2):
    """(E, E′) of E = (t − sin t)/t³, derivative with respect to t²."""
    if t2 < SMALL:
        a1, a2, a3, a4, a5 = -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362880.0, 1.0 / 39916800.0, -1.0 / 6227020800.0
        return (
            1.0 / 6.0 + t2 * (a1 + t2 * (a2 + t2 * (a3 + t2 * (a4 + t2 * a5)))),
            a1 + t2 * (2.0 * a2 + t2 * (3.0 * a3 + t2 * (4.0 * a4 + t2 * 5.0 * a5))),
        )
    t = sqrt(t2)
    value = (t - sin(t)) / (t2 * t)
    return value, (0.5 * (1.0 - cos(t)) / t2 - 1.5 * value) / t2
