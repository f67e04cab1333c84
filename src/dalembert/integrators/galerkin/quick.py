"""Increments by the mass matrix alone: cheap where the motion within a step is smooth.

Beside the kinetic terms the others of Newton's matrix are smaller by the step or its square. With the mass matrix of
one quadrature point in the middle for all of them, a Kronecker product is left,

    ∂g^α/∂q^γ ≈ (1/h) W_αγ M,     W_αγ = Σ_a w_a b_aα b_aγ,     δ = −h (W⁻¹ ⊗ M⁻¹) r,

[Lee 2016]'s RIQN for polynomials. M⁻¹ is the articulated-body recursion [Featherstone 1983], factored once a step: an
increment costs s of its solutions, a thirtieth of an elimination. It converges linearly, with a ratio of the order of
what the joints turn in a step. The first equation of a ball is a balance over the step, the sum of those of the control
points 0 … s − 1; the others are subtracted from it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.galerkin.memory import ARM_NOW, INERTIA_NOW, POINT, SCREW
from dalembert.integrators.galerkin.plan import ARMATURE, BALL, BODY, DOFS, FIRST, MASS, MOTION, PARENT, Plan
from dalembert.integrators.galerkin.rule import Rule
from dalembert.integrators.minimal.knot_elimination import (
    about_parent,
    combine,
    symmetric_times,
    without,
)
from dalembert.linalg.pivots import invert_with_exchanges
from dalembert.model.system import Floats
from dalembert.spatial.vector import add, axpy, cross, dot, part3, scale, set_part3, sub

INERTIA_WIDTH = 21


class Quick(NamedTuple):
    """Memory of the mass matrix's elimination (N nodes, ν rates)."""

    polynomial: Floats
    """(s, s) W⁻¹."""
    middle: int
    """The quadrature point whose mass matrix is taken."""
    inertia: Floats
    """(N + 1, 21) articulated inertia about the reference point: A, rows of B, D."""
    lift: Floats
    """(ν, 6) U = I S."""
    inverse: Floats
    """(N, 9) (SᵀU + armature)⁻¹."""
    side: Floats
    """(ν,) right-hand side, then solution."""
    wrench: Floats
    """(N + 1, 6)"""
    motion: Floats
    """(N + 1, 6)"""
    work: Floats
    """(12,) of the inversion of a pivot."""


def make_quick(plan: Plan, rule: Rule) -> Quick:
    """Zeros, and what does not change."""
    nodes, dofs, s = len(plan.node), len(plan.law), len(rule.control) - 1
    weights = np.einsum("a,ac,ag->cg", rule.weight, rule.slope[:, :s], rule.slope[:, 1:])
    return Quick(
        np.ascontiguousarray(np.linalg.inv(weights)),
        len(rule.weight) // 2,
        np.zeros((nodes, INERTIA_WIDTH)),
        np.zeros((dofs, 6)),
        np.zeros((nodes, 9)),
        np.zeros(dofs),
        np.zeros((nodes, 6)),
        np.zeros((nodes, 6)),
        np.zeros(12),
    )


@kernel
def factor_mass(plan, path, quick):
    """Eliminate the joints of the mass matrix at the middle point, leaves first."""
    nodes, a, inertia = plan.node.shape[0] - 1, quick.middle, quick.inertia
    for i in range(nodes + 1):
        for c in range(inertia.shape[1]):
            inertia[i, c] = 0.0
    for i in range(nodes - 1, -1, -1):
        here, first, dofs = path.node[i], plan.node[i, FIRST], plan.node[i, DOFS]
        if plan.node[i, BODY] >= 0:
            _add_body(plan, here, i, a, inertia)
        m, b0, b1, b2, d = _load(inertia, i)
        for k in range(dofs):
            b, turn = part3(path.dof[first + k], a, SCREW), part3(path.dof[first + k], a, SCREW + 3)
            force = add(symmetric_times(m, b), (dot(b0, turn), dot(b1, turn), dot(b2, turn)))
            torque = add(combine(b, b0, b1, b2), symmetric_times(d, turn))
            set_part3(quick.lift, first + k, 0, force)
            set_part3(quick.lift, first + k, 3, torque)
            for l in range(k + 1):
                b, turn = part3(path.dof[first + l], a, SCREW), part3(path.dof[first + l], a, SCREW + 3)
                value = dot(b, force) + dot(turn, torque)
                quick.inverse[i, k * dofs + l] = value
                quick.inverse[i, l * dofs + k] = value
            quick.inverse[i, k * dofs + k] += plan.law[first + k, ARMATURE]
        if dofs == 1:
            quick.inverse[i, 0] = 1.0 / quick.inverse[i, 0]
        elif dofs > 1:
            invert_with_exchanges(quick.inverse[i], 0, dofs, quick.work)
        parent = plan.node[i, PARENT]
        if parent == nodes:
            continue
        for k in range(dofs):
            uf, ut = part3(quick.lift, first + k, 0), part3(quick.lift, first + k, 3)
            xf, xt = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
            for l in range(dofs):
                xf = axpy(quick.inverse[i, k * dofs + l], part3(quick.lift, first + l, 0), xf)
                xt = axpy(quick.inverse[i, k * dofs + l], part3(quick.lift, first + l, 3), xt)
            # u xᵀ is symmetric once it is summed up over k
            m, d = without(m, uf, xf), without(d, ut, xt)
            b0, b1, b2 = axpy(-uf[0], xt, b0), axpy(-uf[1], xt, b1), axpy(-uf[2], xt, b2)
        arm = sub(part3(here, a, POINT), part3(path.node[parent], a, POINT))
        b0, b1, b2, d = about_parent(arm, m, b0, b1, b2, d)
        for c in range(6):
            inertia[parent, c] += m[c]
            inertia[parent, 15 + c] += d[c]
        for c in range(3):
            inertia[parent, 6 + c] += b0[c]
            inertia[parent, 9 + c] += b1[c]
            inertia[parent, 12 + c] += b2[c]


@kernel
def _load(inertia, i):
    x = inertia[i]
    return (
        (x[0], x[1], x[2], x[3], x[4], x[5]),
        (x[6], x[7], x[8]),
        (x[9], x[10], x[11]),
        (x[12], x[13], x[14]),
        (x[15], x[16], x[17], x[18], x[19], x[20]),
    )


@kernel
def _add_body(plan, here, i, a, inertia):
    """A = m, B = −m c×, D = J − m c× c×."""
    m, c = plan.fixed[i, MASS], part3(here, a, ARM_NOW)
    for k in range(3):
        inertia[i, k] += m
        inertia[i, 15 + k] += here[a, INERTIA_NOW + k] + m * (dot(c, c) - c[k] * c[k])
        # rows of −m c×
        row = scale(m, cross(c, (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)))
        for l in range(3):
            inertia[i, 6 + 3 * k + l] += row[l]
    inertia[i, 18] += here[a, INERTIA_NOW + 3] - m * c[1] * c[2]
    inertia[i, 19] += here[a, INERTIA_NOW + 4] - m * c[0] * c[2]
    inertia[i, 20] += here[a, INERTIA_NOW + 5] - m * c[0] * c[1]


@kernel
def solve_mass(plan, path, quick):
    """``quick.side`` ← M⁻¹ of it."""
    nodes, a, side = plan.node.shape[0] - 1, quick.middle, quick.side
    for i in range(nodes + 1):
        for c in range(6):
            quick.wrench[i, c] = 0.0
            quick.motion[i, c] = 0.0
    for i in range(nodes - 1, -1, -1):
        first, dofs, parent = plan.node[i, FIRST], plan.node[i, DOFS], plan.node[i, PARENT]
        force, torque = part3(quick.wrench, i, 0), part3(quick.wrench, i, 3)
        for k in range(first, first + dofs):
            side[k] -= dot(part3(path.dof[k], a, SCREW), force) + dot(part3(path.dof[k], a, SCREW + 3), torque)
        _times_inverse(quick, i, first, dofs)
        if parent == nodes:
            continue
        for k in range(first, first + dofs):
            force = axpy(side[k], part3(quick.lift, k, 0), force)
            torque = axpy(side[k], part3(quick.lift, k, 3), torque)
        arm = sub(part3(path.node[i], a, POINT), part3(path.node[parent], a, POINT))
        set_part3(quick.wrench, parent, 0, add(part3(quick.wrench, parent, 0), force))
        moved = add(torque, cross(arm, force))
        set_part3(quick.wrench, parent, 3, add(part3(quick.wrench, parent, 3), moved))
    for i in range(nodes):
        first, dofs, parent = plan.node[i, FIRST], plan.node[i, DOFS], plan.node[i, PARENT]
        turn = part3(quick.motion, parent, 3)
        arm = sub(part3(path.node[i], a, POINT), part3(path.node[parent], a, POINT))
        move = add(part3(quick.motion, parent, 0), cross(turn, arm))
        for k in range(dofs):
            quick.work[k] = dot(part3(quick.lift, first + k, 0), move) + dot(part3(quick.lift, first + k, 3), turn)
        onward, turned = move, turn
        for k in range(dofs):
            for l in range(dofs):
                side[first + k] -= quick.inverse[i, k * dofs + l] * quick.work[l]
            onward = axpy(side[first + k], part3(path.dof[first + k], a, SCREW), onward)
            turned = axpy(side[first + k], part3(path.dof[first + k], a, SCREW + 3), turned)
        set_part3(quick.motion, i, 0, onward)
        set_part3(quick.motion, i, 3, turned)


@kernel
def _times_inverse(quick, i, first, dofs):
    """The node's part of ``side`` times its inverse pivot."""
    for k in range(dofs):
        quick.work[k] = 0.0
        for l in range(dofs):
            quick.work[k] += quick.inverse[i, k * dofs + l] * quick.side[first + l]
    for k in range(dofs):
        quick.side[first + k] = quick.work[k]


@kernel
def quick_increment(plan, h, path, quick, x):
    """``x`` (s, ν) ← −h (W⁻¹ ⊗ M⁻¹) r; the mass matrix stays that of `factor_mass`."""
    s, residual = x.shape[0], path.residual
    for i in range(plan.node.shape[0] - 1):
        if plan.node[i, MOTION] == BALL:
            for v in range(plan.node[i, FIRST], plan.node[i, FIRST] + 3):
                for g in range(1, s):
                    residual[0, v] -= residual[g, v]
    for g in range(s):
        for v in range(x.shape[1]):
            total = 0.0
            for c in range(s):
                total += quick.polynomial[g, c] * residual[c, v]
            quick.side[v] = -h * total
        solve_mass(plan, path, quick)
        for v in range(x.shape[1]):
            x[g, v] = quick.side[v]
