"""One free body over one step: discrete momenta on SE(3) and their derivative.

[Lee 2016] eqs (9), (10): the discrete Lagrangian of an interval takes the kinetic energy of the mean velocity V =
log(ΔT)/h, ΔT = T⁻¹ T⁺, with T at the centre of mass. In world axes at the knot let d be the displacement of the centre
and θ the rotation vector of the turn. Then log ΔT is A(θ) d and θ, A = 1 − θ×/2 + c θ×θ×, and since AᵀA = 1 − κ θ×θ×,

    h T = (1/2h) (θ·Jθ + m |d|² + m κ |θ×d|²),      κ = 1/4 − 2c + c² t²,  t = |θ|.

The momenta are its derivatives. A displacement of the end is one of d; a turn η of the end changes θ by Aη, and one of
the start by −Aη, with everything else turned by −η. With p = ∂(hT)/∂d, g = ∂(m κ |θ×d|²/2h)/∂θ and u = Jθ/h,

    p = (m/h) (d + κ θ×(d×θ)),        g = (m/h) (κ d×(θ×d) + κ′ |θ×d|² θ),
    left  p⁻ = (p, Aᵀu + A g),        right  p⁺ = (p, Aᵀ(u + g)).

This is [Lee 2016] eq. (21b), μ = dlogᵀ G V, and its transport to the end, Ad_expᵀ μ, in world axes. The two angular
momenta differ by −θ×g = d×p: about one point in space an interval changes no momentum.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_motion import symmetric, turn_angle
from dalembert.spatial.trigonometric import cotangent_series
from dalembert.spatial.vector import add, axpy, cross, dot, norm, scale, sub


@kernel
def turn_vector(f):
    """θ of the quaternion F = (s, φ) of a turn by less than π."""
    phi = (f[1], f[2], f[3])
    square = dot(phi, phi)
    if square < 2.5e-3 and f[0] > 0.0:
        t = square
        # 2 asin(s)/s
        return scale(
            2.0
            + t
            * (
                1.0 / 3.0
                + t * (3.0 / 20.0 + t * (5.0 / 56.0 + t * (35.0 / 576.0 + t * (63.0 / 1408.0 + t * (231.0 / 6656.0)))))
            ),
            phi,
        )
    length = norm(phi)
    return scale(turn_angle(f[0], length) / length, phi)


@kernel
def body_momenta(h, m, j, d, theta):
    """(p, p⁻, p⁺): linear momentum, and the angular ones about the centre of mass at the start and at the end."""
    k = m / h
    c, c_first, _ = cotangent_series(dot(theta, theta))
    kappa, kappa_first, _ = coupling(dot(theta, theta), c, c_first, 0.0)
    turned = cross(theta, d)
    p = scale(k, axpy(kappa, cross(turned, theta), d))
    g = axpy(k * kappa, cross(d, turned), scale(k * kappa_first * dot(turned, turned), theta))
    u = scale(1.0 / h, symmetric(j, theta))
    s = add(u, g)
    right = axpy(0.5, cross(theta, s), axpy(c, cross(theta, cross(theta, s)), s))
    return p, sub(right, cross(theta, g)), right


@kernel
def coupling(t2, c, c_first, c_second):
    """(κ, κ′, κ″) from c and its derivatives by t²."""
    return (
        0.25 - 2.0 * c + c * c * t2,
        -2.0 * c_first + c * c + 2.0 * c * c_first * t2,
        -2.0 * c_second + 4.0 * c * c_first + 2.0 * (c_first * c_first + c * c_second) * t2,
    )


@kernel
def body_matrix(h, m, j, d, theta):
    """∂(p, p⁻)/∂(d, η) as twelve rows A, B, C, D: of p by d, of p by η, of p⁻ by d, of p⁻ by η.

    With δθ = Aη and s = u + g, e = u − g,
    δp⁻ = Aᵀ δu + A δg + ½ δθ×e + 2c′ (θ·δθ) θ×(θ×s) + c (δθ×(θ×s) + θ×(δθ×s)).
    """
    k = m / h
    t2 = dot(theta, theta)
    c, c_first, c_second = cotangent_series(t2)
    kappa, kappa_first, kappa_second = coupling(t2, c, c_first, c_second)
    td = dot(theta, d)
    turned = cross(theta, d)
    square = dot(turned, turned)
    # half the gradients of |θ×d|² by d and by θ
    by_d, by_theta = cross(turned, theta), cross(d, turned)
    g = axpy(k * kappa, by_theta, scale(k * kappa_first * square, theta))
    u = scale(1.0 / h, symmetric(j, theta))
    s, e = add(u, g), sub(u, g)
    ts = cross(theta, s)
    tts = cross(theta, ts)
    o = (0.0, 0.0, 0.0)
    b, cc, dd = (o, o, o), (o, o, o), (o, o, o)
    for i in range(3):
        unit = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        # δg for a unit displacement, and A of it: column i of C
        dg = axpy(k * kappa, sub(scale(2.0 * d[i], theta), axpy(theta[i], d, scale(td, unit))), o)
        dg = axpy(2.0 * k * kappa_first * by_d[i], theta, dg)
        cc = _put_column(cc, i, _logarithmic(c, theta, dg, -0.5))
        # a unit turn
        dt = _logarithmic(c, theta, unit, -0.5)
        tdt = dot(theta, dt)
        dp = axpy(2.0 * kappa * tdt, d, axpy(-kappa * dot(dt, d), theta, scale(-kappa * td, dt)))
        dp = scale(k, axpy(2.0 * kappa_first * tdt, by_d, dp))
        b = _put_column(b, i, dp)
        change = dot(by_theta, dt)
        dg = sub(scale(dot(d, d), dt), scale(dot(d, dt), d))
        dg = axpy(kappa, dg, scale(2.0 * kappa_first * tdt, by_theta))
        dg = axpy(kappa_first * square, dt, dg)
        dg = axpy(2.0 * (kappa_first * change + kappa_second * square * tdt), theta, dg)
        column = _logarithmic(c, theta, scale(1.0 / h, symmetric(j, dt)), 0.5)
        column = add(column, _logarithmic(c, theta, scale(k, dg), -0.5))
        column = axpy(0.5, cross(dt, e), axpy(2.0 * c_first * tdt, tts, column))
        column = axpy(c, add(cross(dt, ts), cross(theta, cross(dt, s))), column)
        dd = _put_column(dd, i, column)
    x, y, z = theta
    diagonal, f = k * (1.0 + kappa * t2), -k * kappa
    return (
        (diagonal + f * x * x, f * x * y, f * x * z),
        (f * x * y, diagonal + f * y * y, f * y * z),
        (f * x * z, f * y * z, diagonal + f * z * z),
        b[0], b[1], b[2], cc[0], cc[1], cc[2], dd[0], dd[1], dd[2],
    )  # fmt: skip


@kernel
def _logarithmic(c, theta, u, half):
    """u + half θ×u + c θ×(θ×u): A u with half = −½, Aᵀ u with ½."""
    turned = cross(theta, u)
    return axpy(half, turned, axpy(c, cross(theta, turned), u))


@kernel
def _put_column(rows, i, u):
    """The rows with column i, zero so far, set to u."""
    e = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
    return axpy(u[0], e, rows[0]), axpy(u[1], e, rows[1]), axpy(u[2], e, rows[2])
