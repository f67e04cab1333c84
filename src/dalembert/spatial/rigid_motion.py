"""Rigid motions, SE(3): exponential, logarithm, their derivatives, and twists and wrenches from frame to frame.

A motion is a pair (x, q): displacement of the origin and unit quaternion. A twist is a pair (v, w), linear part first;
a wrench is a pair (f, τ), and their product is power. In this order

    ad_(ρ,θ) = [θ×  ρ×]        Ad_(x,q) = [R  x× R]
               [0   θ× ],                 [0     R].

The derivative of the exponential is right-trivialised, as in [Lee 2016] eqs (11)–(13): exp(ξ + δξ) = exp(dexp_ξ δξ)
exp(ξ), and dlog is its inverse. Both are power series in ad, and ad satisfies (ad² + t²)² ad = 0 with t = |θ|; so each
is a polynomial of degree four. Matching value and derivative at ad² = −t² gives its coefficients in the functions of
`dalembert.spatial.trigonometric`:

    dlog = 1 − ad/2 + (c − c′ t²) ad² − c′ ad⁴,
    dexp = 1 + (C − C′ t²) ad + (E − E′ t²) ad² − C′ ad³ − E′ ad⁴.
"""

from dalembert._jit import kernel
from dalembert.spatial.quaternion import exp, log, rotate, rotate_back
from dalembert.spatial.trigonometric import cotangent_series, sine_series, versine_series
from dalembert.spatial.vector import add, axpy, cross, dot, scale, sub


@kernel
def motion_exp(rho, theta):
    """(x, q) of the twist (ρ, θ): q = exp θ and x = ρ + C θ×ρ + E θ×(θ×ρ)."""
    t2 = dot(theta, theta)
    turned = cross(theta, rho)
    x = axpy(versine_series(t2)[0], turned, axpy(sine_series(t2)[0], cross(theta, turned), rho))
    return x, exp(theta)


@kernel
def motion_log(x, q):
    """(ρ, θ) of a motion, |θ| ≤ π: ρ = x − θ×x/2 + c θ×(θ×x)."""
    theta = log(q)
    turned = cross(theta, x)
    c = cotangent_series(dot(theta, theta))[0]
    return axpy(-0.5, turned, axpy(c, cross(theta, turned), x)), theta


@kernel
def bracket(rho, theta, v, w):
    """ad_(ρ,θ) (v, w)."""
    return add(cross(theta, v), cross(rho, w)), cross(theta, w)


@kernel
def bracket_transposed(rho, theta, f, tau):
    """adᵀ_(ρ,θ) (f, τ)."""
    return cross(f, theta), add(cross(f, rho), cross(tau, theta))


@kernel
def dlog(rho, theta, v, w):
    """The change of log T for a left perturbation T ← exp(v, w) T, at log T = (ρ, θ)."""
    t2 = dot(theta, theta)
    c, first, _ = cotangent_series(t2)
    v1, w1 = bracket(rho, theta, v, w)
    v2, w2 = bracket(rho, theta, v1, w1)
    v3, w3 = bracket(rho, theta, v2, w2)
    v4, w4 = bracket(rho, theta, v3, w3)
    c2 = c - first * t2
    return (
        axpy(-0.5, v1, axpy(c2, v2, axpy(-first, v4, v))),
        axpy(-0.5, w1, axpy(c2, w2, axpy(-first, w4, w))),
    )


@kernel
def dlog_transposed(rho, theta, f, tau):
    """The transpose of `dlog`: the wrench that does the work of (f, τ) on log T."""
    t2 = dot(theta, theta)
    c, first, _ = cotangent_series(t2)
    f1, t1 = bracket_transposed(rho, theta, f, tau)
    f2, torque2 = bracket_transposed(rho, theta, f1, t1)
    f3, t3 = bracket_transposed(rho, theta, f2, torque2)
    f4, t4 = bracket_transposed(rho, theta, f3, t3)
    c2 = c - first * t2
    return (
        axpy(-0.5, f1, axpy(c2, f2, axpy(-first, f4, f))),
        axpy(-0.5, t1, axpy(c2, torque2, axpy(-first, t4, tau))),
    )


@kernel
def dexp(rho, theta, v, w):
    """The left perturbation of exp(ρ, θ) that a change (v, w) of its argument makes; the inverse of `dlog`."""
    t2 = dot(theta, theta)
    versine, versine_first = versine_series(t2)
    sine, sine_first = sine_series(t2)
    v1, w1 = bracket(rho, theta, v, w)
    v2, w2 = bracket(rho, theta, v1, w1)
    v3, w3 = bracket(rho, theta, v2, w2)
    v4, w4 = bracket(rho, theta, v3, w3)
    a1, a2 = versine - versine_first * t2, sine - sine_first * t2
    return (
        axpy(a1, v1, axpy(a2, v2, axpy(-versine_first, v3, axpy(-sine_first, v4, v)))),
        axpy(a1, w1, axpy(a2, w2, axpy(-versine_first, w3, axpy(-sine_first, w4, w)))),
    )


@kernel
def adjoint(x, q, v, w):
    """Ad (v, w): a twist in the frame at (x, q) as seen from the frame that (x, q) is given in."""
    turned = rotate(q, w)
    return add(rotate(q, v), cross(x, turned)), turned


@kernel
def adjoint_inverse(x, q, v, w):
    """Ad⁻¹ (v, w)."""
    return rotate_back(q, sub(v, cross(x, w))), rotate_back(q, w)


@kernel
def adjoint_transposed(x, q, f, tau):
    """Adᵀ (f, τ): a wrench about the outer origin, taken to the frame at (x, q)."""
    return rotate_back(q, f), rotate_back(q, sub(tau, cross(x, f)))


@kernel
def adjoint_inverse_transposed(x, q, f, tau):
    """Ad⁻ᵀ (f, τ): a wrench in the frame at (x, q), taken outward."""
    force = rotate(q, f)
    return force, add(rotate(q, tau), cross(x, force))


@kernel
def inverse_motion(x, q):
    """(x, q)⁻¹."""
    return scale(-1.0, rotate_back(q, x)), (q[0], -q[1], -q[2], -q[3])
