"""One slot of the tree over one interval: how it moves, its momentum and the derivative of its momentum.

Everything is in the world's axes at the knot. The turn of the interval is the unit quaternion F = (s, φ) with R(q⁺) =
R(F) R(q), the shift of a point is its displacement, so that the velocity of the centre of mass is shift/h and the
angular velocity (2/h) φ. In these axes the left momentum of `discrete_body` reads

    p⁻ = (2/h) (s Jφ + φ×Jφ),

and the right momentum is the same vector: the discrete Lagrangian does not change when both ends turn together, so
spatial momentum passes through an interval unchanged.
"""

from math import atan2

from dalembert._jit import kernel
from dalembert.spatial.vector import add, axpy, cross, dot, scale


@kernel
def put3(a, i, k, u):
    """Write a vector into row i of a matrix, from column k."""
    a[i, k] = u[0]
    a[i, k + 1] = u[1]
    a[i, k + 2] = u[2]


@kernel
def get4(a, i, k):
    """The quaternion in row i of a matrix, from column k."""
    return (a[i, k], a[i, k + 1], a[i, k + 2], a[i, k + 3])


@kernel
def put4(a, i, k, q):
    """Write a quaternion into row i of a matrix, from column k."""
    a[i, k] = q[0]
    a[i, k + 1] = q[1]
    a[i, k + 2] = q[2]
    a[i, k + 3] = q[3]


@kernel
def swing(f, u):
    """(R(F) − 1) u = 2 s φ×u + 2 φ×(φ×u), without the cancellation of a difference."""
    tx = 2.0 * (f[2] * u[2] - f[3] * u[1])
    ty = 2.0 * (f[3] * u[0] - f[1] * u[2])
    tz = 2.0 * (f[1] * u[1] - f[2] * u[0])
    return (
        f[0] * tx + f[2] * tz - f[3] * ty,
        f[0] * ty + f[3] * tx - f[1] * tz,
        f[0] * tz + f[1] * ty - f[2] * tx,
    )


@kernel
def hinged(f, c, s, a):
    """F · (c, s a): a turn about the axis a at the knot, before the turn F of the body that carries the axis."""
    p = f[1] * a[0] + f[2] * a[1] + f[3] * a[2]
    t = s * f[0]
    return (
        c * f[0] - s * p,
        c * f[1] + t * a[0] + s * (f[2] * a[2] - f[3] * a[1]),
        c * f[2] + t * a[1] + s * (f[3] * a[0] - f[1] * a[2]),
        c * f[3] + t * a[2] + s * (f[1] * a[1] - f[2] * a[0]),
    )


@kernel
def turn_angle(c, s):
    """2 atan2(s, c), the angle of a turn with half-angle cosine c and sine s, by its series where it is small."""
    t = s * s
    if t < 2.5e-3 and c > 0.0:
        # 2 asin(s) = 2 s (1 + t/6 + 3 t²/40 + 5 t³/112 + 35 t⁴/1152 + 63 t⁵/2816 + …)
        return (
            2.0
            * s
            * (1.0 + t * (1.0 / 6.0 + t * (3.0 / 40.0 + t * (5.0 / 112.0 + t * (35.0 / 1152.0 + t * (63.0 / 2816.0))))))
        )
    return 2.0 * atan2(s, c)


@kernel
def nearly_unit(q):
    """q/|q| for a quaternion whose length is off by rounding only: 1/|q| = (3 − |q|²)/2 to second order."""
    s = 1.5 - 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (s * q[0], s * q[1], s * q[2], s * q[3])


@kernel
def symmetric(j, u):
    """J u for J = (xx, yy, zz, yz, xz, xy)."""
    return (
        j[0] * u[0] + j[5] * u[1] + j[4] * u[2],
        j[5] * u[0] + j[1] * u[1] + j[3] * u[2],
        j[4] * u[0] + j[3] * u[1] + j[2] * u[2],
    )


@kernel
def get_inertia(a, i, k):
    """The symmetric matrix in row i of a matrix, from column k."""
    return (a[i, k], a[i, k + 1], a[i, k + 2], a[i, k + 3], a[i, k + 4], a[i, k + 5])


@kernel
def angular_momentum(h, j, f):
    """p⁻ in world axes."""
    phi = (f[1], f[2], f[3])
    j_phi = symmetric(j, phi)
    return scale(2.0 / h, axpy(f[0], j_phi, cross(phi, j_phi)))


@kernel
def angular_momentum_derivative(h, j, f):
    """The rows of G = ∂p⁻/∂η for a turn η of the end pose in world axes, F ← exp(η) F.

    δφ = ½ (s η − φ×η), δs = −½ φ·η give  h G = −(Jφ) φᵀ + (s J + φ×J − (Jφ)×) (s − φ×).
    """
    s, x, y, z = f
    u = symmetric(j, (x, y, z))
    # H = s J + φ×J − (Jφ)×, column by column: the columns of J are its rows
    c0, c1, c2 = (j[0], j[5], j[4]), (j[5], j[1], j[3]), (j[4], j[3], j[2])
    phi = (x, y, z)
    h0 = axpy(s, c0, cross(phi, c0))
    h1 = axpy(s, c1, cross(phi, c1))
    h2 = axpy(s, c2, cross(phi, c2))
    # (Jφ)× has the columns (0, u₂, −u₁), (−u₂, 0, u₀), (u₁, −u₀, 0)
    r0 = (h0[0], h1[0] + u[2], h2[0] - u[1])
    r1 = (h0[1] - u[2], h1[1], h2[1] + u[0])
    r2 = (h0[2] + u[1], h1[2] - u[0], h2[2])
    k = 1.0 / h
    # a row rᵀ (s − φ×) is s r − r×φ
    return (
        scale(k, axpy(-u[0], phi, axpy(s, r0, cross(phi, r0)))),
        scale(k, axpy(-u[1], phi, axpy(s, r1, cross(phi, r1)))),
        scale(k, axpy(-u[2], phi, axpy(s, r2, cross(phi, r2)))),
    )


@kernel
def turned_inertia(j, axes):
    """R J Rᵀ for the columns of R."""
    a, b, c = axes
    u = add(add(scale(j[0], a), scale(j[5], b)), scale(j[4], c))
    v = add(add(scale(j[5], a), scale(j[1], b)), scale(j[3], c))
    w = add(add(scale(j[4], a), scale(j[3], b)), scale(j[2], c))
    # R J has the columns u, v, w; (R J) Rᵀ = u aᵀ + v bᵀ + w cᵀ
    return (
        u[0] * a[0] + v[0] * b[0] + w[0] * c[0],
        u[1] * a[1] + v[1] * b[1] + w[1] * c[1],
        u[2] * a[2] + v[2] * b[2] + w[2] * c[2],
        u[1] * a[2] + v[1] * b[2] + w[1] * c[2],
        u[0] * a[2] + v[0] * b[2] + w[0] * c[2],
        u[0] * a[1] + v[0] * b[1] + w[0] * c[1],
    )


@kernel
def toward(axes, u):
    """R u for the columns of R."""
    return axpy(u[0], axes[0], axpy(u[1], axes[1], scale(u[2], axes[2])))


@kernel
def against(axes, u):
    """Rᵀ u for the columns of R."""
    return (dot(axes[0], u), dot(axes[1], u), dot(axes[2], u))
