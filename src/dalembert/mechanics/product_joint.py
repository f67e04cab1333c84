"""A joint that is a product of exponentials: its pose, its screws and their derivatives by its coordinates.

    Q(q) = Π exp(ê_m f_m(q)),      S_k = (Q⁻¹ ∂_k Q) as a twist in the axes of B, [linear; angular].

Going from factor to factor with A = Ad(exp(−ê f)), which takes twists into the axes behind the factor, ∂_l(A x) =
A ∂_l x − ∂_l f ê × A x, so that

    S_k ← ê ∂_k f + A S_k,      ∂_l S_k ← ê ∂_kl f + A ∂_l S_k − ∂_l f ê × A S_k,

[Lee 2008], [Sueda 2021] algorithms 3 and 4 (whose last terms lack the derivative of f; × is the bracket of twists).
The same rule gives the velocity u = Σ S_k v_k, a = Σ ∂_l S_k v_k v_l, and their derivatives by a coordinate at constant
rates, which second derivatives of the screws would only be formed for:

    ∂_l a ← ê ∂_l f̈ + A ∂_l a − ∂_l f ê × A a − ∂_l ḟ ê × A u − ḟ ê × (A ∂_l u − ∂_l f ê × A u).
"""

from dalembert._jit import kernel
from dalembert.mechanics.product_function import factor_frame, factor_function, factor_twist, is_frame
from dalembert.model.system import GRID
from dalembert.spatial.quaternion import multiply, normalize, rotate
from dalembert.spatial.rigid_motion import adjoint_inverse, bracket, motion_exp
from dalembert.spatial.vector import add, axpy, scale

ZERO = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@kernel
def product_pose(system, j, q, first):
    """(t, p) of joint j at the coordinates that begin at q[first]."""
    t, p = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    for m in range(system.product_start[j], system.product_start[j + 1]):
        if is_frame(system, m):
            x, turn = factor_frame(system, m, q, first)
        else:
            f = factor_function(system, m, q, first)[0]
            linear, angular = factor_twist(system, m, q, first)
            x, turn = motion_exp(scale(f, linear), scale(f, angular))
        t, p = add(t, rotate(p, x)), multiply(p, turn)
    return t, normalize(p)


@kernel
def product_screw(system, j, q, first, k):
    """S_k in the axes of B, about its origin."""
    screw = ZERO
    for m in range(system.product_start[j], system.product_start[j + 1]):
        if is_frame(system, m):
            x, turn = factor_frame(system, m, q, first)
            screw = adjoint_inverse(x, turn, screw[0], screw[1])
        else:
            f = factor_function(system, m, q, first)
            e = factor_twist(system, m, q, first)
            x, turn = motion_exp(scale(f[0], e[0]), scale(f[0], e[1]))
            screw = adjoint_inverse(x, turn, screw[0], screw[1])
            screw = plus(_first(system, m, k, f), e, screw)
    return screw


@kernel
def product_velocity(system, j, q, v):
    """(ṫ, w) of joint j: the rate of t in the axes of A, the angular velocity of B in its own axes."""
    first = system.q_start[j]
    _, p = product_pose(system, j, q, first)
    u = ZERO
    for k in range(system.n_rates[j]):
        u = plus(v[system.v_start[j] + k], product_screw(system, j, q, first, k), u)
    return rotate(p, u[0]), u[1]


@kernel
def product_jet(system, j, q, first, v, rates, k, l):
    """(S_k, ∂_l S_k, u, a, ∂_l u, ∂_l a) in the axes of B, about its origin."""
    s = s_l = u = a = u_l = a_l = ZERO
    for m in range(system.product_start[j], system.product_start[j + 1]):
        if is_frame(system, m):
            x, turn = factor_frame(system, m, q, first)
            s, s_l = adjoint_inverse(x, turn, s[0], s[1]), adjoint_inverse(x, turn, s_l[0], s_l[1])
            u, u_l = adjoint_inverse(x, turn, u[0], u[1]), adjoint_inverse(x, turn, u_l[0], u_l[1])
            a, a_l = adjoint_inverse(x, turn, a[0], a[1]), adjoint_inverse(x, turn, a_l[0], a_l[1])
            continue
        f = factor_function(system, m, q, first)
        e = factor_twist(system, m, q, first)
        x, turn = motion_exp(scale(f[0], e[0]), scale(f[0], e[1]))
        s, s_l = adjoint_inverse(x, turn, s[0], s[1]), adjoint_inverse(x, turn, s_l[0], s_l[1])
        u, u_l = adjoint_inverse(x, turn, u[0], u[1]), adjoint_inverse(x, turn, u_l[0], u_l[1])
        a, a_l = adjoint_inverse(x, turn, a[0], a[1]), adjoint_inverse(x, turn, a_l[0], a_l[1])
        f_k, f_l, f_kl = _first(system, m, k, f), _first(system, m, l, f), _second(system, m, k, l, f)
        speed, speeding, speed_l, speeding_l = _motion(system, m, l, f, v, rates)
        swept = bracket(e[0], e[1], u[0], u[1])
        turned = plus(-f_l, swept, u_l)
        a_l = plus(-f_l, bracket(e[0], e[1], a[0], a[1]), a_l)
        a_l = plus(-speed_l, swept, plus(-speed, bracket(e[0], e[1], turned[0], turned[1]), a_l))
        a_l = plus(speeding_l, e, a_l)
        a = plus(speeding, e, plus(-speed, swept, a))
        u_l = plus(speed_l, e, turned)
        s_l = plus(f_kl, e, plus(-f_l, bracket(e[0], e[1], s[0], s[1]), s_l))
        u = plus(speed, e, u)
        s = plus(f_k, e, s)
    return s, s_l, u, a, u_l, a_l


@kernel
def plus(factor, x, y):
    """factor x + y of two twists."""
    return axpy(factor, x[0], y[0]), axpy(factor, x[1], y[1])


@kernel
def _first(system, m, k, f):
    """∂_k f."""
    value = f[1] if system.product_factor[m, 1] == k else 0.0
    return value + (f[2] if _second_coordinate(system, m) == k else 0.0)


@kernel
def _second(system, m, k, l, f):
    """∂_kl f."""
    c, d = system.product_factor[m, 1], _second_coordinate(system, m)
    value = 0.0
    if k == c:
        value += (f[3] if l == c else 0.0) + (f[4] if l == d else 0.0)
    if k == d:
        value += (f[4] if l == c else 0.0) + (f[5] if l == d else 0.0)
    return value


@kernel
def _motion(system, m, l, f, v, rates):
    """(ḟ, f̈ at constant rates, ∂_l ḟ, ∂_l f̈)."""
    c, d = system.product_factor[m, 1], _second_coordinate(system, m)
    x = v[rates + c]
    y = v[rates + d] if d >= 0 else 0.0
    speed = f[1] * x + f[2] * y
    speeding = f[3] * x * x + 2.0 * f[4] * x * y + f[5] * y * y
    speed_l = speeding_l = 0.0
    if l == c:
        speed_l += f[3] * x + f[4] * y
        speeding_l += f[6] * x * x + 2.0 * f[7] * x * y + f[8] * y * y
    if l == d:
        speed_l += f[4] * x + f[5] * y
        speeding_l += f[7] * x * x + 2.0 * f[8] * x * y + f[9] * y * y
    return speed, speeding, speed_l, speeding_l


@kernel
def _second_coordinate(system, m):
    """The second coordinate of factor m, −1 if it has none."""
    return system.product_factor[m, 2] if system.product_factor[m, 0] == GRID else -1
