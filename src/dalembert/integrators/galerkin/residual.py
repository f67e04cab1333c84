"""The discrete Euler–Lagrange equations, gathered from the leaves inwards in O(s n).

[Fan 2018] proposition 1. With μ^a the momentum and Γ^a the impulse (w_a h times the forces) of all that a node carries,
both about the node's reference point, and P, R the momentum and force of the joint's own rotor, spring, damper, drive,

    g^α = Σ_a  φ_aα (w_a h (Ṡᵀμ^a + R^a) + SᵀΓ^a) + w_a b_aα (Sᵀμ^a + P^a)

is the derivative of the action by control point α. The equations are p_k + g⁰ = 0 and g^α = 0 for α = 1 … s − 1, and
then p_{k+1} = g^s. (The paper's Ω joins Ṡᵀμ and SᵀΓ.)

The chart of a ball is laid about the knot, so the knot's turn moves the chart too, and to derive the action by it at a
fixed end is to derive it by a *still* turn ζ of everything after the knot and to turn the end back, J_l(ξ^s) δξ^s = −ζ:

    p_k + g* − J_l(ξ^s)⁻ᵀ g^s = 0,     g* = Σ_a w_a h (Ṡ*ᵀμ^a + Z^a) + S*ᵀΓ^a,     p_{k+1} = J_r(ξ^s)⁻ᵀ g^s.

The first of these is the balance of angular momentum over the step, and the reason why it is conserved exactly. The
paper has joints of one degree of freedom only, whose charts are the same everywhere.
"""

from dalembert._jit import kernel
from dalembert.integrators.galerkin.ball_law import ball_acts, ball_terms
from dalembert.integrators.galerkin.chart import bend, inverse_coefficients
from dalembert.integrators.galerkin.memory import (
    ARM_NOW,
    FRAME,
    IMPULSE,
    INERTIA_NOW,
    MOMENTUM,
    POINT,
    RATE,
    SCREW,
    SCREW_RATE,
    SPIN,
    STILL,
    STILL_RATE,
    VALUE,
    VELOCITY,
)
from dalembert.integrators.galerkin.plan import (
    ARMATURE,
    BALL,
    BODY,
    BODY_TURN,
    DAMPING,
    DOFS,
    FIRST,
    MASS,
    MOTION,
    PARENT,
    REST,
    STIFFNESS,
)
from dalembert.spatial.quaternion import multiply, part4, rotate
from dalembert.spatial.vector import add, axpy, cross, part3, scale, set_part3, sub


@kernel
def evaluate(plan, rule, knot, outside, gravity, h, path):
    """``path.residual`` (s, ν) and ``path.ending`` (ν,) g^s of a trial that `follow` has been through."""
    nodes = plan.node.shape[0] - 1
    for i in range(nodes):
        for a in range(rule.weight.size):
            _own_momentum(plan, outside, gravity, rule.weight[a] * h, path, i, a)
    for i in range(nodes - 1, -1, -1):
        if plan.node[i, MOTION] == BALL:
            _ball_rows(plan, rule, knot, outside.joint_force, h, path, i)
        else:
            for v in range(plan.node[i, FIRST], plan.node[i, FIRST] + plan.node[i, DOFS]):
                _rows(plan, rule, knot, outside.joint_force, h, path, i, v)
        parent = plan.node[i, PARENT]
        if parent < nodes:
            for a in range(rule.weight.size):
                _hand_on(path.node[i], path.node[parent], a)


@kernel
def _own_momentum(plan, outside, gravity, share, path, i, a):
    """Momentum and impulse of the node's own body; ``share`` is w_a h."""
    here, body = path.node[i], plan.node[i, BODY]
    if body < 0:
        for k in range(MOMENTUM, IMPULSE + 6):
            here[a, k] = 0.0
        return
    mass, arm, spin = plan.fixed[i, MASS], part3(here, a, ARM_NOW), part3(here, a, SPIN)
    p = scale(mass, add(part3(here, a, VELOCITY), cross(spin, arm)))
    x, y, z = spin
    xx, yy, zz = here[a, INERTIA_NOW], here[a, INERTIA_NOW + 1], here[a, INERTIA_NOW + 2]
    yz, xz, xy = here[a, INERTIA_NOW + 3], here[a, INERTIA_NOW + 4], here[a, INERTIA_NOW + 5]
    turning = (xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z)
    set_part3(here, a, MOMENTUM, p)
    set_part3(here, a, MOMENTUM + 3, add(turning, cross(arm, p)))
    force = axpy(mass, gravity, part3(outside.wrench[a], body, 0))
    axes = multiply(part4(here, a, FRAME), part4(plan.fixed, i, BODY_TURN))
    torque = add(rotate(axes, part3(outside.wrench[a], body, 3)), cross(arm, force))
    set_part3(here, a, IMPULSE, scale(share, force))
    set_part3(here, a, IMPULSE + 3, scale(share, torque))


@kernel
def _hand_on(here, parent, a):
    """Momentum and impulse of node and parent together, about the parent's reference point."""
    arm = sub(part3(here, a, POINT), part3(parent, a, POINT))
    for first in (MOMENTUM, IMPULSE):
        linear, angular = part3(here, a, first), part3(here, a, first + 3)
        set_part3(parent, a, first, add(part3(parent, a, first), linear))
        set_part3(parent, a, first + 3, add(part3(parent, a, first + 3), add(angular, cross(arm, linear))))


@kernel
def _product(dof, v, screw, here, first, a):
    """A screw of degree of freedom v times momentum or impulse."""
    total = 0.0
    for k in range(6):
        total += dof[v, a, screw + k] * here[a, first + k]
    return total


@kernel
def _rows(plan, rule, knot, joint_force, h, path, i, v):
    """Equations of a length or an angle."""
    s, here, dof, law = path.residual.shape[0], path.node[i], path.dof, plan.law
    path.ending[v] = 0.0
    for g in range(s):
        path.residual[g, v] = knot.momentum[v] if g == 0 else 0.0
    for a in range(rule.weight.size):
        w, value, rate = rule.weight[a], dof[v, a, VALUE], dof[v, a, RATE]
        momentum = _product(dof, v, SCREW, here, MOMENTUM, a) + law[v, ARMATURE] * rate
        force = joint_force[v] - law[v, STIFFNESS] * (value - law[v, REST]) - law[v, DAMPING] * rate
        push = w * h * (_product(dof, v, SCREW_RATE, here, MOMENTUM, a) + force)
        push += _product(dof, v, SCREW, here, IMPULSE, a)
        for g in range(s):
            path.residual[g, v] += rule.phi[a, g] * push + w * rule.slope[a, g] * momentum
        path.ending[v] += rule.phi[a, s] * push + w * rule.slope[a, s] * momentum


@kernel
def _ball_rows(plan, rule, knot, joint_force, h, path, i):
    """Equations of a ball: the balance over the step first, then those of the inner control points."""
    s, here, dof, first = path.residual.shape[0], path.node[i], path.dof, plan.node[i, FIRST]
    for v in range(first, first + 3):
        path.ending[v] = 0.0
        for g in range(s):
            path.residual[g, v] = knot.momentum[v] if g == 0 else 0.0
    acts = ball_acts(plan, joint_force, i)
    for a in range(rule.weight.size):
        w = rule.weight[a]
        own_force, own_momentum, own_still = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if acts:
            own_force, own_momentum, own_still = ball_terms(plan, knot, path, joint_force, i, a)
        for k in range(3):
            v = first + k
            momentum = _product(dof, v, SCREW, here, MOMENTUM, a) + own_momentum[k]
            push = w * h * (_product(dof, v, SCREW_RATE, here, MOMENTUM, a) + own_force[k])
            push += _product(dof, v, SCREW, here, IMPULSE, a)
            still = w * h * (_product(dof, v, STILL_RATE, here, MOMENTUM, a) + own_still[k])
            path.residual[0, v] += still + _product(dof, v, STILL, here, IMPULSE, a)
            for g in range(1, s):
                path.residual[g, v] += rule.phi[a, g] * push + w * rule.slope[a, g] * momentum
            path.ending[v] += rule.phi[a, s] * push + w * rule.slope[a, s] * momentum
    xi = (path.delta[s - 1, first], path.delta[s - 1, first + 1], path.delta[s - 1, first + 2])
    end = (path.ending[first], path.ending[first + 1], path.ending[first + 2])
    c3, _ = inverse_coefficients(xi)
    back = bend(xi, end, 0.5, c3)
    for k in range(3):
        path.residual[0, first + k] -= back[k]
