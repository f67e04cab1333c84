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

from dalembert._jit import inlined, kernel
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


@inlined
def logarithm(f):
    """(θ, c, c′) of the quaternion of a turn.

    Below a tenth of a radian all three are power series of q = sin²(t/2), summed side by side and in pairs: that t² is
    known only after θ would double the time of a body.
    """
    phi = (f[1], f[2], f[3])
    q = dot(phi, phi)
    if q < 2.5e-3 and f[0] > 0.0:
        r = q * q
        # 2 asin(√q)/√q; c(t²) and c′(t²) at t = 2 asin(√q)
        turn = (2.0 + q * (1.0 / 3.0)) + r * (
            (3.0 / 20.0 + q * (5.0 / 56.0)) + r * ((35.0 / 576.0 + q * (63.0 / 1408.0)) + r * (231.0 / 6656.0))
        )
        c = (1.0 / 12.0 + q * (1.0 / 180.0)) + r * (
            (1.0 / 420.0 + q * (79.0 / 56700.0)) + r * (1759.0 / 1871100.0 + q * (586297.0 / 851350500.0))
        )
        first = (1.0 / 720.0 + q * (1.0 / 3780.0)) + r * (
            (29.0 / 226800.0 + q * (59.0 / 748440.0)) + r * (559579.0 / 10216206000.0)
        )
        return scale(turn, phi), c, first
    theta = turn_vector(f)
    c, first, _ = cotangent_series(dot(theta, theta))
    return theta, c, first


@inlined
def body_momenta(h, m, j, d, f):
    """(p, p⁻, p⁺) for the turn f, a quaternion: linear momentum, and the angular ones about the centre of mass at the
    start and at the end.

    Double products are written out, θ×(θ×u) = (θ·u) θ − t² u, which leaves θ×d and θ×s.
    """
    theta, c, c_first = logarithm(f)
    k = m / h
    t2, td, d2 = dot(theta, theta), dot(theta, d), dot(d, d)
    kappa, kappa_first, _ = coupling(t2, c, c_first, 0.0)
    k_kappa = k * kappa
    along = k_kappa * td
    p = axpy(k + k_kappa * t2, d, scale(-along, theta))
    g = axpy(k_kappa * d2 + k * kappa_first * (t2 * d2 - td * td), theta, scale(-along, d))
    s = axpy(1.0 / h, symmetric(j, theta), g)
    right = axpy(1.0 - c * t2, s, axpy(c * dot(theta, s), theta, scale(0.5, cross(theta, s))))
    return p, axpy(along, cross(theta, d), right), right


@inlined
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
