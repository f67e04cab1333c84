"""The step of the Galerkin integrator as a linear map, exactly: what [Fan 2018] linearises for optimal control.

The equations r(Δ; q_k, p_k, u) = 0 give δΔ = −(∂r/∂Δ)⁻¹ (∂r/∂q δq + ∂r/∂p δp + ∂r/∂u δu), and the end is q_k + Δ^s and
p_{k+1} = g^s. All derivatives of r and g are sums over the quadrature points of `second_derivatives`,

    ∂g^α/∂q^γ = Σ_a φ_aα (push_x φ_aγ + push_v b_aγ/h) + b_aα (P_x φ_aγ + P_v b_aγ/h).

Small motions of a ball are P ← P exp(ζ), at the knot and at the end: ζ' = Q(exp −ξ^s) ζ + J_r(ξ^s) δξ^s.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dalembert.integrators.galerkin.ball_law import ball_terms
from dalembert.integrators.galerkin.chart import bend, bend_rate, inverse_coefficients, turn_coefficients
from dalembert.integrators.galerkin.plan import BALL, FIRST, MOTION, REVERSED
from dalembert.integrators.galerkin.second_derivatives import (
    BALANCE,
    KNOT,
    MOMENTA,
    PUSH,
    RATE,
    VALUE,
    second_derivatives,
)
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import exp, multiply, rotate_back, row4
from dalembert.spatial.vector import unit


class StepMap(NamedTuple):
    """δ(q, p) after a step from δ(q, p) before it and forces on the rates, in the nodes' coordinates."""

    state: Floats
    """(2 ν, 2 ν)"""
    force: Floats
    """(2 ν, ν) by the forces as the joints were declared."""


def step_map(plan: Any, rule: Any, knot: Any, outside: Any, gravity: Any, h: float, path: Any) -> StepMap:
    """Linearise the solved step whose trial is in ``path``; ``knot`` is where it started."""
    second = second_derivatives(plan, rule, knot, outside, gravity, h, path)
    _add_knot_laws(plan, rule, knot, outside.joint_force, h, path, second)
    push_u, still_u = _by_force(plan, rule, knot, h, path)
    s, dofs = path.delta.shape
    slope = rule.slope / h
    # ∂g^α/∂q^γ, α = 0 … s, γ = 1 … s, then by the knot and by the forces
    terms = (
        (rule.phi, second[:, PUSH, VALUE], rule.phi),
        (rule.phi, second[:, PUSH, RATE], slope),
        (rule.slope, second[:, MOMENTA, VALUE], rule.phi),
        (rule.slope, second[:, MOMENTA, RATE], slope),
    )
    g = np.zeros((s + 1, dofs, s, dofs))
    for left, matrix, right in terms:
        g += np.einsum("am,avw,ac->mvcw", left, matrix, right[:, 1:])
    g_knot = np.einsum("am,avw->mvw", rule.phi, second[:, PUSH, KNOT])
    g_knot += np.einsum("am,avw->mvw", rule.slope, second[:, MOMENTA, KNOT])
    g_force = np.einsum("am,avw->mvw", rule.phi, push_u)
    rows, rows_knot, rows_force = g[:s].copy(), g_knot[:s].copy(), g_force[:s].copy()
    end, end_knot, end_force = g[s].copy(), g_knot[s].copy(), g_force[s].copy()
    balance = np.einsum("avw,ac->vcw", second[:, BALANCE, VALUE], rule.phi[:, 1:])
    balance += np.einsum("avw,ac->vcw", second[:, BALANCE, RATE], slope[:, 1:])
    moved, moved_knot = np.zeros((dofs, s, dofs)), np.eye(dofs)
    moved[:, -1] = np.eye(dofs)
    for i in _balls(plan):
        at = slice(plan.node[i, FIRST], plan.node[i, FIRST] + 3)
        ball = _ball_end(tuple(path.delta[-1, at]), tuple(path.ending[at]))
        rows[0, at] = balance[at] - np.tensordot(ball.back, g[s, at], 1)
        rows[0, at, -1, at] -= ball.back_rate
        rows_knot[0, at] = second[:, BALANCE, KNOT].sum(axis=0)[at] - ball.back @ g_knot[s, at]
        rows_force[0, at] = still_u.sum(axis=0)[at] - ball.back @ g_force[s, at]
        end[at] = np.tensordot(ball.on, g[s, at], 1)
        end[at, -1, at] += ball.on_rate
        end_knot[at], end_force[at] = ball.on @ g_knot[s, at], ball.on @ g_force[s, at]
        moved[at, -1, at], moved_knot[at, at] = ball.turned, ball.turned_knot
    by_momentum = np.zeros((s, dofs, dofs))
    by_momentum[0] = np.eye(dofs)
    right = np.concatenate([rows_knot, by_momentum, rows_force], axis=2).reshape(s * dofs, 3 * dofs)
    change: Any = -np.linalg.solve(rows.reshape(s * dofs, s * dofs), right)
    state = np.vstack([moved.reshape(dofs, -1) @ change, end.reshape(dofs, -1) @ change])
    state[:dofs, :dofs] += moved_knot
    state[dofs:, :dofs] += end_knot
    state[dofs:, 2 * dofs :] += end_force
    return StepMap(state[:, : 2 * dofs], state[:, 2 * dofs :])


class BallEnd(NamedTuple):
    """3×3 matrices at the end of a step."""

    back: Floats
    """J_l⁻ᵀ, and its derivative by ξ times g^s."""
    back_rate: Floats
    on: Floats
    """J_r⁻ᵀ, likewise."""
    on_rate: Floats
    turned: Floats
    """J_r"""
    turned_knot: Floats
    """Q(exp −ξ)"""


def _ball_end(xi: Any, last: Any) -> BallEnd:
    c3, d3 = inverse_coefficients(xi)
    c1, c2, *_ = turn_coefficients(xi)
    return BallEnd(
        _matrix(lambda u: bend(xi, u, 0.5, c3)),
        _matrix(lambda u: bend_rate(xi, last, 0.5, c3, 0.0, d3, u)),
        _matrix(lambda u: bend(xi, u, -0.5, c3)),
        _matrix(lambda u: bend_rate(xi, last, -0.5, c3, 0.0, d3, u)),
        _matrix(lambda u: bend(xi, u, -c1, c2)),
        _matrix(lambda u: rotate_back(exp(xi), u)),
    )


def declared_motions(plan: Any, turn: Floats) -> Floats:
    """(ν, ν) small motions of the nodes from those of the joints as declared: −Q(p) for balls that are crossed."""
    out = np.eye(len(plan.law))
    for i, at in _crossed_balls(plan):
        out[at, at] = -_matrix(lambda u, i=i: rotate_back(row4(turn, i), u))
    return out


def declared_rates(plan: Any, turn: Floats, rate: Floats) -> Floats:
    """(ν, ν) what a small motion, as declared, adds to the rates of the nodes at the declared rates ``rate`` (ν,).

    W = −Q(p) w changes by −Q(p) (δ×w) where p ← p exp(δ).
    """
    out = np.zeros((len(plan.law), len(plan.law)))
    for i, at in _crossed_balls(plan):
        w = rate[at]
        out[at, at] = -_matrix(lambda u, i=i, w=w: rotate_back(row4(turn, i), tuple(np.cross(u, w))))
    return out


def _crossed_balls(plan: Any) -> list[tuple[int, slice]]:
    chosen = (plan.node[:-1, MOTION] == BALL) & (plan.node[:-1, REVERSED] != 0)
    return [(int(i), slice(plan.node[i, FIRST], plan.node[i, FIRST] + 3)) for i in np.flatnonzero(chosen)]


def _matrix(function: Any) -> Floats:
    """(3, 3) of a linear function of vectors."""
    return np.array([function(unit(k)) for k in range(3)]).T


def _balls(plan: Any) -> list[int]:
    return np.flatnonzero(plan.node[:-1, MOTION] == BALL).tolist()


def _by_force(plan: Any, rule: Any, knot: Any, h: float, path: Any) -> tuple[Floats, Floats]:
    """(r, ν, ν) each: pushes and balances by the forces as declared, which enter linearly."""
    dofs, points = len(plan.law), len(rule.weight)
    share = h * rule.weight
    push, still = share[:, None, None] * np.eye(dofs), np.zeros((points, dofs, dofs))
    for i in _balls(plan):
        v = int(plan.node[i, FIRST])
        push[:, v : v + 3] = 0.0
        for a in range(points):
            rest = ball_terms(plan, knot, path, np.zeros(dofs), i, a)
            for k in range(3):
                one = ball_terms(plan, knot, path, np.eye(dofs)[v + k], i, a)
                push[a, v : v + 3, v + k] = share[a] * np.subtract(one[0], rest[0])
                still[a, v : v + 3, v + k] = share[a] * np.subtract(one[2], rest[2])
    return push, still


def _add_knot_laws(plan: Any, rule: Any, knot: Any, force: Floats, h: float, path: Any, second: Floats) -> None:
    """Springs, dampers and drives of balls by the turn of the knot: differences of eighth order, to rounding."""
    step = 1e-2
    for i in _balls(plan):
        v = int(plan.node[i, FIRST])
        if not (plan.law[v : v + 3, :3].any() or force[v : v + 3].any()):
            continue
        start = row4(knot.turn, i)
        for k in range(3):
            for m, c in ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280)):
                for sign in (1.0, -1.0):
                    knot.turn[i] = multiply(start, exp(tuple(sign * m * step * np.eye(3)[k])))
                    for a, w in enumerate(rule.weight):
                        r, p, z = ball_terms(plan, knot, path, force, i, a)
                        part = sign * c / step * w
                        second[a, PUSH, KNOT, v : v + 3, v + k] += part * h * np.array(r)
                        second[a, MOMENTA, KNOT, v : v + 3, v + k] += part * np.array(p)
                        second[a, BALANCE, KNOT, v : v + 3, v + k] += part * h * np.array(z)
        knot.turn[i] = start
