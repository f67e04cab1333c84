"""Derivatives on the group of rotations, for perturbations in local axes: q ← q · exp(η)."""

from math import cos, sin, sqrt

from dalembert._jit import kernel
from dalembert.spatial.vector import cross


@kernel
def log_rate(u, w):
    """The rate of the rotation vector u = log(q) when q turns with the local angular velocity w.

    u̇ = w + ½ u×w + c u×(u×w) with c = (1 − (t/2) cot(t/2)) / t², t = |u|; regular for t < 2π. It is the inverse of the
    right Jacobian of SO(3), [Solà 2018] eq. (144).
    """
    t2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2]
    a = cross(u, w)
    b = cross(u, a)
    c = _log_coefficient(t2)
    return (w[0] + 0.5 * a[0] + c * b[0], w[1] + 0.5 * a[1] + c * b[1], w[2] + 0.5 * a[2] + c * b[2])


@kernel
def log_rate_transposed(u, f):
    """The transpose of `log_rate` in w: the local torque that does the work of f on u."""
    t2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2]
    a = cross(u, f)
    b = cross(u, a)
    c = _log_coefficient(t2)
    return (f[0] - 0.5 * a[0] + c * b[0], f[1] - 0.5 * a[1] + c * b[1], f[2] - 0.5 * a[2] + c * b[2])


@kernel
def exp_rate(u, du):
    """The local angular velocity of exp(u) when u changes with the rate du: the inverse of `log_rate`.

    w = du − (1 − cos t)/t² u×du + (t − sin t)/t³ u×(u×du), the right Jacobian of SO(3), [Solà 2018] eq. (143).
    """
    t2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2]
    a = cross(u, du)
    b = cross(u, a)
    if t2 < 1e-4:
        c1 = 0.5 - t2 / 24.0 + t2 * t2 / 720.0
        c2 = 1.0 / 6.0 - t2 / 120.0 + t2 * t2 / 5040.0
    else:
        t = sqrt(t2)
        c1 = (1.0 - cos(t)) / t2
        c2 = (t - sin(t)) / (t2 * t)
    return (du[0] - c1 * a[0] + c2 * b[0], du[1] - c1 * a[1] + c2 * b[1], du[2] - c1 * a[2] + c2 * b[2])


@kernel
def _log_coefficient(t2):
    if t2 < 1e-2:
        # (1 − (t/2) cot(t/2))/t² = 1/12 + t²/720 + t⁴/30240 + t⁶/1209600 + …
        return 1.0 / 12.0 + t2 * (1.0 / 720.0 + t2 * (1.0 / 30240.0 + t2 / 1209600.0))
    h = 0.5 * sqrt(t2)
    return (1.0 - h * cos(h) / sin(h)) / t2
