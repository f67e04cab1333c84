"""Springs, dampers, rotors and drives of a ball, and their derivatives.

They are declared for the turn p of B against A and its angular velocity w in B's axes. Over a step p = p_k exp(ξ) and
w = J_r(ξ) ξ̇. Where the joint is crossed from child to parent the node's own P = p⁻¹ is P_k exp(ξ'), and

    p = exp(−ξ') p_k = p_k exp(ξ),     ξ = C ξ',     C = −Q(P_k),

a constant matrix over the step: both charts hold the same polynomials. With the torque τ on B of spring, damper and
drive, the rotor's momentum m = I w and its energy T = ½ w·m, the terms of the node's equations are

    force R = J_rᵀ τ + ∂T/∂ξ,     momentum P = J_rᵀ m,     force on the knot's own turn Z,

Z = Q(exp ξ) τ where the knot's turn comes first, and τ + m×w where, seen from the other side, it comes last.
"""

from dalembert._jit import kernel
from dalembert.integrators.galerkin.chart import bend, bend_rate, bend_second, inverse_coefficients, turn_coefficients
from dalembert.integrators.galerkin.memory import RATE, VALUE
from dalembert.integrators.galerkin.plan import ARMATURE, DAMPING, FIRST, REST, REVERSED, STIFFNESS
from dalembert.spatial.quaternion import conjugate, exp, log, multiply, relative, rotate, rotate_back, row4
from dalembert.spatial.vector import add, cross, dot, scale, unit


@kernel
def ball_acts(plan, force, i):
    """Whether anything acts on the coordinates of ball i."""
    first = plan.node[i, FIRST]
    for v in range(first, first + 3):
        law = plan.law[v]
        if law[STIFFNESS] != 0.0 or law[DAMPING] != 0.0 or law[ARMATURE] != 0.0 or force[v] != 0.0:
            return True
    return False


@kernel
def _declared(plan, knot, i, u):
    """C u."""
    return scale(-1.0, rotate(row4(knot.turn, i), u)) if plan.node[i, REVERSED] else u


@kernel
def _own(plan, knot, i, u):
    """Cᵀ u."""
    return scale(-1.0, rotate_back(row4(knot.turn, i), u)) if plan.node[i, REVERSED] else u


@kernel
def _times(plan, i, column, u):
    """The diagonal matrix of a law's column times u."""
    v = plan.node[i, FIRST]
    return (plan.law[v, column] * u[0], plan.law[v + 1, column] * u[1], plan.law[v + 2, column] * u[2])


@kernel
def _chart(plan, knot, path, i, a):
    """(ξ, ξ̇) as declared."""
    v, dof = plan.node[i, FIRST], path.dof
    xi = (dof[v, a, VALUE], dof[v + 1, a, VALUE], dof[v + 2, a, VALUE])
    rate = (dof[v, a, RATE], dof[v + 1, a, RATE], dof[v + 2, a, RATE])
    return _declared(plan, knot, i, xi), _declared(plan, knot, i, rate)


@kernel
def _stretch(plan, knot, i, xi):
    """u = log(rest⁻¹ p)."""
    v = plan.node[i, FIRST]
    start = row4(knot.turn, i)
    if plan.node[i, REVERSED]:
        start = conjugate(start)
    rest = exp((plan.law[v, REST], plan.law[v + 1, REST], plan.law[v + 2, REST]))
    return log(relative(rest, multiply(start, exp(xi))))


@kernel
def _torque(plan, knot, force, i, xi, w):
    """τ = −(∂u/∂ζ)ᵀ k u − d w + drive."""
    v = plan.node[i, FIRST]
    u = _stretch(plan, knot, i, xi)
    c3, _ = inverse_coefficients(u)
    spring = bend(u, _times(plan, i, STIFFNESS, u), -0.5, c3)
    damper = _times(plan, i, DAMPING, w)
    return (
        force[v] - spring[0] - damper[0],
        force[v + 1] - spring[1] - damper[1],
        force[v + 2] - spring[2] - damper[2],
    )


@kernel
def ball_terms(plan, knot, path, force, i, a):
    """(R, P, Z) of ball i at quadrature point a, on the node's own coordinates."""
    xi, rate = _chart(plan, knot, path, i, a)
    c1, c2, d1, d2, _, _ = turn_coefficients(xi)
    w = bend(xi, rate, -c1, c2)
    m = _times(plan, i, ARMATURE, w)
    torque = _torque(plan, knot, force, i, xi, w)
    # ∂T/∂ξ·e = m·(DJ_r[e] ξ̇)
    by_turn = (
        dot(m, bend_rate(xi, rate, -c1, c2, -d1, d2, unit(0))),
        dot(m, bend_rate(xi, rate, -c1, c2, -d1, d2, unit(1))),
        dot(m, bend_rate(xi, rate, -c1, c2, -d1, d2, unit(2))),
    )
    still = add(torque, cross(m, w)) if plan.node[i, REVERSED] else rotate(exp(xi), torque)
    return (
        _own(plan, knot, i, add(bend(xi, torque, c1, c2), by_turn)),
        _own(plan, knot, i, bend(xi, m, c1, c2)),
        _own(plan, knot, i, still),
    )


@kernel
def ball_blocks(plan, knot, path, force, i, a, out):
    """Add the derivatives of (R, P, Z) by ξ' and ξ̇' to ``out`` (8, 3, 3): R_x, R_v, P_x, P_v, Z_x, Z_v."""
    xi, rate = _chart(plan, knot, path, i, a)
    coefficients = turn_coefficients(xi)
    c1, c2, d1, d2, _, _ = coefficients
    w = bend(xi, rate, -c1, c2)
    torque = _torque(plan, knot, force, i, xi, w)
    for l in range(3):
        # a unit of the node's own coordinate l
        e = _declared(plan, knot, i, unit(l))
        turned, bent = bend(xi, e, -c1, c2), bend_rate(xi, rate, -c1, c2, -d1, d2, e)
        by_turn = _torque_rate(plan, knot, i, xi, turned, bent)
        by_rate = scale(-1.0, _times(plan, i, DAMPING, turned))
        _put(plan, knot, i, out[0], l, add(bend_rate(xi, torque, c1, c2, d1, d2, e), bend(xi, by_turn, c1, c2)))
        _put(plan, knot, i, out[1], l, bend(xi, by_rate, c1, c2))
        if plan.node[i, REVERSED]:
            _put(plan, knot, i, out[4], l, by_turn)
            _put(plan, knot, i, out[5], l, by_rate)
        else:
            q = exp(xi)
            _put(plan, knot, i, out[4], l, rotate(q, add(by_turn, cross(turned, torque))))
            _put(plan, knot, i, out[5], l, rotate(q, by_rate))
        _add_rotor(plan, knot, i, xi, rate, coefficients, e, l, out)


@kernel
def _torque_rate(plan, knot, i, xi, turned, bent):
    """δτ where B turns by ``turned`` in its axes and w changes by ``bent``."""
    u = _stretch(plan, knot, i, xi)
    c3, d3 = inverse_coefficients(u)
    change = bend(u, turned, 0.5, c3)
    spring = add(
        bend_rate(u, _times(plan, i, STIFFNESS, u), -0.5, c3, 0.0, d3, change),
        bend(u, _times(plan, i, STIFFNESS, change), -0.5, c3),
    )
    return scale(-1.0, add(spring, _times(plan, i, DAMPING, bent)))


@kernel
def _add_rotor(plan, knot, i, xi, rate, coefficients, e, l, out):
    """Second derivatives of T = ½ w·I w, w = J_r ξ̇, in direction e of ξ and of ξ̇."""
    c1, c2, d1, d2, s1, s2 = coefficients
    w = bend(xi, rate, -c1, c2)
    m = _times(plan, i, ARMATURE, w)
    turned, bent = bend(xi, e, -c1, c2), bend_rate(xi, rate, -c1, c2, -d1, d2, e)
    by_turn, by_rate = _times(plan, i, ARMATURE, bent), _times(plan, i, ARMATURE, turned)
    for k in range(3):
        f = _declared(plan, knot, i, unit(k))
        bent_f = bend_rate(xi, rate, -c1, c2, -d1, d2, f)
        second = bend_second(xi, rate, -c1, c2, -d1, d2, -s1, s2, e, f)
        out[0, k, l] += dot(bent_f, by_turn) + dot(m, second)
        cross_term = dot(bent_f, by_rate) + dot(m, bend_rate(xi, e, -c1, c2, -d1, d2, f))
        out[1, k, l] += cross_term
        out[2, l, k] += cross_term
        out[3, k, l] += dot(bend(xi, f, -c1, c2), by_rate)
    if plan.node[i, REVERSED]:
        _put(plan, knot, i, out[4], l, add(cross(by_turn, w), cross(m, bent)))
        _put(plan, knot, i, out[5], l, add(cross(by_rate, w), cross(m, turned)))


@kernel
def _put(plan, knot, i, out, l, u):
    """Add Cᵀ u to column l."""
    column = _own(plan, knot, i, u)
    for k in range(3):
        out[k, l] += column[k]
