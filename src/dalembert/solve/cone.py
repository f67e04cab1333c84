"""Pairs of dual variables in second-order cones, for primal-dual interior-point methods.

The cone is K = {(x₀, x₁) : |x₁| ≤ x₀} with x₁ in the plane; on a line the second component of x₁ is zero throughout. A
pair x, y ∈ K is complementary if x·y = 0, which is the same as x∘y = 0 with the Jordan product

    x∘y = (x₀ y₀ + x₁·y₁, x₀ y₁ + y₀ x₁).                                                    [Alizadeh 2003] section 4

Coulomb friction is such a pair: x = (μγ, β) of the normal impulse γ and the friction impulse β, y = (ψ, w) of the slip
w and its size ψ. x₀ y₁ + y₀ x₁ = 0 says that β opposes w, and the first component that |β| = μγ where w ≠ 0. The
central path keeps x∘y = (κ, 0) while κ → 0.
"""

from math import inf, sqrt

from dalembert._jit import kernel


@kernel
def step_to_boundary(x0, x1, x2, d0, d1, d2):
    """The largest α for which x + α d stays in the cone; x lies inside.

    The smallest positive root of a α² + 2 b α + c with c = x₀² − |x₁|² > 0, in the form that does not cancel.
    """
    r = sqrt(x1 * x1 + x2 * x2)
    a = d0 * d0 - d1 * d1 - d2 * d2
    b = x0 * d0 - x1 * d1 - x2 * d2
    c = (x0 - r) * (x0 + r)
    if a >= 0.0 and b >= 0.0:
        return inf
    square = b * b - a * c
    if square < 0.0:
        return inf
    root = sqrt(square)
    return c / (root - b) if b <= 0.0 else (b + root) / -a


@kernel
def step_to_zero(x, d):
    """The largest α for which x + α d ≥ 0."""
    return -x / d if d < 0.0 else inf


@kernel
def on_central_path(x0, w1, w2, kappa):
    """y₀ for which x₁ = −x₀ y₁ / y₀ makes x∘y = (κ, 0), given y₁ = w.

    x₀ (y₀ − |w|²/y₀) = κ is a quadratic equation for y₀.
    """
    c = kappa / x0
    return 0.5 * (c + sqrt(c * c + 4.0 * (w1 * w1 + w2 * w2)))


@kernel
def scaling(x0, b1, b2, psi, w1, w2):
    """(η², p₀, p₁, p₂, √det x, √det y) of the pair x = (x₀, b), y = (ψ, w) inside their cones. [Nesterov & Todd 1997]

    With det x = x₀² − |b|² and J = diag(1, −1, −1), the unit vector p = (x/√det x + J y/√det y)/2g, g² = (1 + c)/2,
    c = x·y/√(det x det y), and η² = √(det x/det y), the matrix H = η² (2 p pᵀ − J) maps y to x.
    """
    r, s = sqrt(b1 * b1 + b2 * b2), sqrt(w1 * w1 + w2 * w2)
    dx, dy = sqrt((x0 - r) * (x0 + r)), sqrt((psi - s) * (psi + s))
    c = (x0 * psi + b1 * w1 + b2 * w2) / (dx * dy)
    f = 0.5 / sqrt(0.5 * (1.0 + max(c, 1.0)))
    return dx / dy, f * (x0 / dx + psi / dy), f * (b1 / dx - w1 / dy), f * (b2 / dx - w2 / dy), dx, dy


@kernel
def friction_response(x0, b1, b2, psi, w1, w2, kappa, t0, t1, t2):
    """The linearised pair, solved for the changes of b and ψ: three rows (by w₁, by w₂, by x₀, constant).

    In the scaling in which both are the same vector λ = W⁻¹ x = W y, W² = H, the Newton equation of x∘y = (κ, 0) is

        λ∘(W⁻¹ δx + W δy) = (κ, 0) − λ∘λ − d_x∘d_y    or    δx + H δy = κ y⁻¹ − x − t,    y⁻¹ = J y/det y,

    with the predictor's t from `second_order`. H is positive definite however near to the boundary both are. Its first
    row gives δψ, and what is left of it is η² (I − 2 p₁ p₁ᵀ/H₀₀'), H₀₀' = 1 + 2 |p₁|², for b.
    """
    eta, p0, p1, p2, _, dy = scaling(x0, b1, b2, psi, w1, w2)
    h = 1.0 + 2.0 * (p1 * p1 + p2 * p2)
    q1, q2 = 2.0 * p0 * p1 / h, 2.0 * p0 * p2 / h
    goal = kappa / (dy * dy)
    c0, c1, c2 = goal * psi - x0 - t0, -goal * w1 - b1 - t1, -goal * w2 - b2 - t2
    e = eta * 2.0 / h
    return (
        (e * p1 * p1 - eta, e * p1 * p2, q1, c1 - q1 * c0),
        (e * p1 * p2, e * p2 * p2 - eta, q2, c2 - q2 * c0),
        (-q1, -q2, -1.0 / (eta * h), c0 / (eta * h)),
    )


@kernel
def second_order(x0, b1, b2, psi, w1, w2, dx0, db1, db2, dpsi, dw1, dw2):
    """t = W (λ \\ (d_x∘d_y)), d_x = W⁻¹ δx, d_y = W δy, where λ \\ r solves λ∘u = r: what the corrector takes off."""
    eta, p0, p1, p2, _, _ = scaling(x0, b1, b2, psi, w1, w2)
    f = sqrt(eta)
    x = turned(p0, -p1, -p2, 1.0 / f, dx0, db1, db2)
    y = turned(p0, p1, p2, f, dpsi, dw1, dw2)
    r0 = x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
    r1, r2 = x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]
    l0, l1, l2 = turned(p0, p1, p2, f, psi, w1, w2)
    size = sqrt(l1 * l1 + l2 * l2)
    u0 = (l0 * r0 - l1 * r1 - l2 * r2) / ((l0 - size) * (l0 + size))
    return turned(p0, p1, p2, f, u0, (r1 - u0 * l1) / l0, (r2 - u0 * l2) / l0)


@kernel
def turned(p0, p1, p2, f, v0, v1, v2):
    """f P^½ v, where P = 2 p pᵀ − J for p₀² − |p₁|² = 1; with −p₁ its inverse."""
    along = p1 * v1 + p2 * v2
    g = v0 + along / (1.0 + p0)
    return f * (p0 * v0 + along), f * (v1 + g * p1), f * (v2 + g * p2)
