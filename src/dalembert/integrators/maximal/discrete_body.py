"""One free body over one step: discrete momenta and their derivative.

The discrete Lagrangian of an interval is h T(ż) with v = (x⁺ − x)/h and ω = (2/h) (q⁻¹ q⁺)_v, [Brüdigam 2023] eqs (7),
(13). Write the turn of the step as f = q⁻¹ q⁺ = (s, φ), φ = h ω/2, s = √(1 − |φ|²). Perturbing q⁺ ← q⁺·(1, η/2) gives
δφ = ½(s η + φ×η), perturbing q gives δφ = ½(−s η + φ×η), so the discrete Legendre transforms in body axes are

    left,  −∂/∂q :  p⁻ = s Jω + φ×Jω        right,  ∂/∂q⁺ :  p⁺ = s Jω − φ×Jω

and p⁻(ω_k) − p⁺(ω_{k−1}) is h/2 times [Brüdigam 2023] eq. (16). Linear momentum is m v at both ends. The unknowns of
Newton's method are increments (δx, η) of the end pose: δv = δx/h and δω = (s η + φ×η)/h.
"""

from math import sqrt

from dalembert._jit import kernel
from dalembert.spatial.quaternion import multiply
from dalembert.spatial.vector import axpy, cross, dot, mat_vec, scale


@kernel
def half_turn(h, omega):
    """(s, φ) of the turn q⁻¹ q⁺ made in a step h at angular velocity ω; s is NaN beyond half a revolution a step."""
    phi = scale(0.5 * h, omega)
    return sqrt(1.0 - dot(phi, phi)), phi


@kernel
def turned(h, q, omega):
    """q⁺ = q · (s, φ). [Brüdigam 2023] eq. (17)."""
    s, phi = half_turn(h, omega)
    return multiply(q, (s, phi[0], phi[1], phi[2]))


@kernel
def left_momentum(inertia, i, h, omega):
    """p⁻ of body i in its axes at the start of the interval."""
    s, phi = half_turn(h, omega)
    j = mat_vec(inertia, i, omega)
    return axpy(s, j, cross(phi, j))


@kernel
def right_momentum(inertia, i, h, omega):
    """p⁺ of body i in its axes at the end of the interval."""
    s, phi = half_turn(h, omega)
    j = mat_vec(inertia, i, omega)
    return axpy(s, j, cross(j, phi))


@kernel
def left_momentum_derivative(inertia, i, h, omega, out):
    """∂p⁻/∂η (3×3), η the turn of the end pose in its own axes.

    ∂p⁻/∂ω = s J − h²/(4 s) (Jω) ωᵀ + (h/2)(ω× J − (Jω)×) and δω = (s I + φ×) η / h.
    """
    s, phi = half_turn(h, omega)
    j = mat_vec(inertia, i, omega)
    c = -0.25 * h * h / s
    for k in range(3):
        # column k of (s I + φ×)/h is the change of ω for a unit turn about axis k
        e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        d = scale(1.0 / h, axpy(s, e, cross(phi, e)))
        jd = mat_vec(inertia, i, d)
        column = axpy(c * dot(omega, d), j, axpy(s, jd, axpy(0.5 * h, cross(omega, jd), scale(0.5 * h, cross(d, j)))))
        out[0, k] = column[0]
        out[1, k] = column[1]
        out[2, k] = column[2]
