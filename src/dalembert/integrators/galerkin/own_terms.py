"""Second derivatives of a node's own terms: of its springs, dampers and rotors, and of screws that depend on the chart.

At a quadrature point the node's equations have the force R and momentum P of its own law. Their derivatives by the
coordinates x and rates ẋ go to ``block[a]`` (8, 3, 3) in the order R_x, R_v, P_x, P_v, Z_x, Z_v.

The screws of a ball vary with ξ: with f(m) = Sᵀm = J_l(ξ)ᵀ m for a fixed angular momentum m (in the axes of the knot)

    δ(Sᵀμ) = Df(μ)[δξ],    δ(SᵀΓ) = Df(Γ)[δξ],
    δ(Ṡᵀμ) = Df(ad_vᵀμ)[δξ] + D²f(μ)[ξ̇, δξ] + Df(μ)[δξ̇],

besides what follows from the variations of μ, Γ and the parent's frame. They have the places of R and P.
"""

from dalembert._jit import kernel
from dalembert.integrators.galerkin.ball_law import ball_acts, ball_blocks
from dalembert.integrators.galerkin.chart import bend_rate, bend_second, turn_coefficients
from dalembert.integrators.galerkin.memory import CARRIED, FRAME, IMPULSE, MOMENTUM, RATE, SPIN, VALUE
from dalembert.integrators.galerkin.plan import ARMATURE, BALL, DAMPING, DOFS, FIRST, MOTION, PARENT, STIFFNESS
from dalembert.spatial.quaternion import exp, multiply, part4, rotate_back
from dalembert.spatial.vector import add, cross, part3, scale, unit

R_X, R_V, P_X, P_V, Z_X, Z_V = 0, 1, 2, 3, 4, 5


@kernel
def own_blocks(plan, rule, knot, path, force, h, i, block):
    """Fill ``block`` (r, 8, 3, 3) for node i."""
    for a in range(rule.weight.size):
        for b in range(6):
            for k in range(3):
                for l in range(3):
                    block[a, b, k, l] = 0.0
        if plan.node[i, MOTION] == BALL:
            if ball_acts(plan, force, i):
                ball_blocks(plan, knot, path, force, i, a, block[a])
            _chart_blocks(plan, path, rule.weight[a] * h, i, a, block[a])
        else:
            for k in range(plan.node[i, DOFS]):
                law = plan.law[plan.node[i, FIRST] + k]
                block[a, R_X, k, k] = -law[STIFFNESS]
                block[a, R_V, k, k] = -law[DAMPING]
                block[a, P_V, k, k] = law[ARMATURE]


@kernel
def _chart_blocks(plan, path, share, i, a, out):
    """Add the terms of screws that depend on ξ; ``share`` is w_a h."""
    here, dof, v = path.node[i], path.dof, plan.node[i, FIRST]
    xi = (dof[v, a, VALUE], dof[v + 1, a, VALUE], dof[v + 2, a, VALUE])
    rate = (dof[v, a, RATE], dof[v + 1, a, RATE], dof[v + 2, a, RATE])
    axes = multiply(part4(here, a, FRAME), exp(scale(-1.0, xi)))
    spin = part3(path.node[plan.node[i, PARENT]], a, SPIN)
    linear, angular = part3(here, a, MOMENTUM), part3(here, a, MOMENTUM + 3)
    momentum = rotate_back(axes, angular)
    # ad_vᵀ μ, angular part, and Γ which enters without w h
    carried = add(cross(angular, spin), cross(linear, part3(here, a, CARRIED)))
    force = rotate_back(axes, add(carried, scale(1.0 / share, part3(here, a, IMPULSE + 3))))
    c1, c2, d1, d2, s1, s2 = turn_coefficients(xi)
    for l in range(3):
        e = unit(l)
        by_turn = add(
            bend_rate(xi, force, -c1, c2, -d1, d2, e), bend_second(xi, momentum, -c1, c2, -d1, d2, -s1, s2, rate, e)
        )
        by_rate = bend_rate(xi, momentum, -c1, c2, -d1, d2, e)
        for k in range(3):
            out[R_X, k, l] += by_turn[k]
            out[R_V, k, l] += by_rate[k]
            out[P_X, k, l] += by_rate[k]
