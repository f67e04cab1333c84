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
def friction_response(x0, b1, b2, psi, w1, w2, r0, r1, r2):
    """The linearised pair, solved for the changes of β and ψ: three rows (by w₁, by w₂, by x₀, constant).

    With x = (x₀, β), y = (ψ, w) and a right-hand side r, the Newton equation x∘δy + y∘δx = r reads

        x₀ δψ + w·δβ = r₀ − β·δw − ψ δx₀,      β δψ + ψ δβ = r₁ − x₀ δw − w δx₀.

    Eliminating δβ leaves δψ = [ψ r₀ − w·r₁ + (x₀ w − ψ β)·δw − (ψ² − |w|²) δx₀] / (x₀ ψ − w·β), whose denominator is
    positive inside the cones.
    """
    q = 1.0 / (x0 * psi - w1 * b1 - w2 * b2)
    p1, p2 = q * (x0 * w1 - psi * b1), q * (x0 * w2 - psi * b2)
    s = sqrt(w1 * w1 + w2 * w2)
    pg = -q * (psi - s) * (psi + s)
    p0 = q * (psi * r0 - w1 * r1 - w2 * r2)
    f = 1.0 / psi
    return (
        (-f * (x0 + b1 * p1), -f * b1 * p2, -f * (w1 + b1 * pg), f * (r1 - b1 * p0)),
        (-f * b2 * p1, -f * (x0 + b2 * p2), -f * (w2 + b2 * pg), f * (r2 - b2 * p0)),
        (p1, p2, pg, p0),
    )
