"""Second derivatives of the action at a quadrature point, for all pairs of coordinates: O(n²).

[Fan 2018] propositions 3 and 4. There K and V_g are differentiated in turn; here their recursions are one, with forces
that need not be conservative (D₁F of the paper) in the place of gravity. With the composite mass matrix ℳ_i, momentum
μ_i and impulse Γ_i of all that node i carries, a coordinate j that varies does so along z_j = (η; δ̄v),

    (S; Ṡ) by its value,     (0; S) by its rate,     (S*; Ṡ*) by a ball's knot,

and for i above j, or j itself, the equations of i see y_j = (K η − ad*_η Γ; ℳ δ̄v − ad*_η μ) of what j carries:

    δ(push) = w h Ṡᵀ y_μ + Sᵀ y_Γ,     δ(w P) = w Sᵀ y_μ,

while for i below j they see z_j itself: y = (K η; ℳ δ̄v) of what i carries, and −w h ad*_S μ_i · δ̄v. In the paper these
are Ṡ_jᵀ M^A_i and S_jᵀ M^B_i, M^A = ℳ S, M^B = ℳ Ṡ − ad^D_μ S, and K is Σ m (g×η; c×(g×η)). A ball is two joints
in a row, the knot's own turn and that of the chart.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.galerkin.memory import (
    ARM_NOW,
    IMPULSE,
    INERTIA_NOW,
    MOMENTUM,
    POINT,
    SCREW,
    STILL,
)
from dalembert.integrators.galerkin.own_terms import P_V, P_X, R_V, R_X, Z_V, Z_X, own_blocks
from dalembert.integrators.galerkin.plan import BALL, BODY, DOFS, FIRST, MASS, MOTION, PARENT
from dalembert.model.system import Floats
from dalembert.spatial.vector import add, axpy, cross, dot, part3, scale, set_part3, sub, unit

PUSH: Final = 0
"""Row w h (Ṡᵀμ + R) + SᵀΓ of a coordinate; w is the weight of the point."""
MOMENTA: Final = 1
"""Row w (Sᵀμ + P)."""
BALANCE: Final = 2
"""Of balls, the row of the push with the screws of the knot."""

VALUE: Final = 0
"""Column of a coordinate."""
RATE: Final = 1
"""Column of its rate."""
KNOT: Final = 2
"""Column of its value at the knot, the polynomials held."""

# columns of what a node carries, about the common point
FIRST_MOMENT: Final = 1
INERTIA: Final = 4
FORCE: Final = 10
PULL: Final = 13
CARRIED_WIDTH: Final = 22


def second_derivatives(plan: Any, rule: Any, knot: Any, outside: Any, gravity: Any, h: float, path: Any) -> Floats:
    """(r, 3, 3, ν, ν) derivatives of the rows by the columns at all quadrature points.

    Of a trial that `follow` and `evaluate` have been through. The laws of balls lack their dependence on the knot.
    """
    nodes, dofs, points = len(plan.node), len(plan.law), len(rule.weight)
    out = np.zeros((points, 3, 3, dofs, dofs))
    carried, screw, block = np.zeros((nodes, CARRIED_WIDTH)), np.zeros((dofs, 24)), np.zeros((points, 8, 3, 3))
    for a in range(points):
        carried[:] = 0.0
        fill_point(plan, rule, knot, outside, gravity, h, path, a, carried, screw, block, out[a])
    return out


@kernel
def fill_point(plan, rule, knot, outside, gravity, h, path, a, carried, screw, block, out):
    """``out`` (3, 3, ν, ν) of quadrature point a."""
    nodes, share, w = plan.node.shape[0] - 1, rule.weight[a] * h, rule.weight[a]
    for i in range(nodes):
        _about_common_point(plan, path, i, a, screw)
    for i in range(nodes - 1, -1, -1):
        if plan.node[i, BODY] >= 0:
            _add_body(plan, outside, gravity, share, path, i, a, carried[i])
        if plan.node[i, DOFS] > 0:
            own_blocks(plan, rule, knot, path, outside.joint_force, h, i, block)
            p, angular = _momentum(path, i, a, MOMENTUM)
            force, torque = _momentum(path, i, a, IMPULSE)
            for l in range(plan.node[i, FIRST], plan.node[i, FIRST] + plan.node[i, DOFS]):
                ball = plan.node[i, MOTION] == BALL
                for kind in range(3):
                    eta, moved = _variation(screw, l, kind, ball)
                    y = _answer(carried[i], eta, moved)
                    y = _carried_along(y, eta, p, angular, force, torque)
                    _own(plan, w, share, screw, i, l, kind, y, block[a], out)
                    up = plan.node[i, PARENT]
                    while up < nodes:
                        for k in range(plan.node[up, FIRST], plan.node[up, FIRST] + plan.node[up, DOFS]):
                            _rows(w, share, screw, k, l, kind, plan.node[up, MOTION] == BALL, y, out)
                        up = plan.node[up, PARENT]
            up = plan.node[i, PARENT]
            while up < nodes:
                for k in range(plan.node[up, FIRST], plan.node[up, FIRST] + plan.node[up, DOFS]):
                    for kind in range(3):
                        eta, moved = _variation(screw, k, kind, plan.node[up, MOTION] == BALL)
                        _inner_rows(plan, w, share, screw, i, k, kind, eta, moved, carried[i], p, angular, out)
                up = plan.node[up, PARENT]
            if plan.node[i, MOTION] == BALL:
                for k in range(plan.node[i, FIRST], plan.node[i, FIRST] + 3):
                    eta, moved = _variation(screw, k, KNOT, True)
                    _inner_rows(plan, w, share, screw, i, k, KNOT, eta, moved, carried[i], p, angular, out)
        parent = plan.node[i, PARENT]
        for c in range(CARRIED_WIDTH):
            carried[parent, c] += carried[i, c]


@kernel
def _about_common_point(plan, path, i, a, screw):
    """SCREW, SCREW_RATE, STILL, STILL_RATE of node i about the point of the world where the first node is."""
    arm = sub(part3(path.node[i], a, POINT), part3(path.node[0], 0, POINT))
    for v in range(plan.node[i, FIRST], plan.node[i, FIRST] + plan.node[i, DOFS]):
        for k in range(4):
            at = SCREW + 6 * k if k < 2 else STILL + 6 * (k - 2)
            angular = part3(path.dof[v], a, at + 3)
            set_part3(screw, v, 6 * k, add(part3(path.dof[v], a, at), cross(arm, angular)))
            set_part3(screw, v, 6 * k + 3, angular)


@kernel
def _momentum(path, i, a, first):
    """Momentum or impulse of all that node i carries, about the common point."""
    arm = sub(part3(path.node[i], a, POINT), part3(path.node[0], 0, POINT))
    p = part3(path.node[i], a, first)
    return p, add(part3(path.node[i], a, first + 3), cross(arm, p))


@kernel
def _add_body(plan, outside, gravity, share, path, i, a, carried):
    """Mass, first moment, inertia, force, and the matrix of the torques c×(f×·) of a body."""
    here, mass = path.node[i], plan.fixed[i, MASS]
    c = add(sub(part3(here, a, POINT), part3(path.node[0], 0, POINT)), part3(here, a, ARM_NOW))
    force = scale(share, axpy(mass, gravity, part3(outside.wrench[a], plan.node[i, BODY], 0)))
    square = dot(c, c)
    carried[0] += mass
    for k in range(3):
        carried[FIRST_MOMENT + k] += mass * c[k]
        carried[INERTIA + k] += here[a, INERTIA_NOW + k] + mass * (square - c[k] * c[k])
        carried[FORCE + k] += force[k]
        twist = cross(c, cross(force, unit(k)))
        for l in range(3):
            carried[PULL + 3 * l + k] += twist[l]
    carried[INERTIA + 3] += here[a, INERTIA_NOW + 3] - mass * c[1] * c[2]
    carried[INERTIA + 4] += here[a, INERTIA_NOW + 4] - mass * c[0] * c[2]
    carried[INERTIA + 5] += here[a, INERTIA_NOW + 5] - mass * c[0] * c[1]


@kernel
def _part(screw, v, at):
    return part3(screw, v, at), part3(screw, v, at + 3)


@kernel
def _variation(screw, v, kind, ball):
    """(η, δ̄v) of a unit of degree of freedom v; where there is no chart, the knot's value is the coordinate's."""
    o = (0.0, 0.0, 0.0)
    if kind == RATE:
        return (o, o), _part(screw, v, 0)
    first = 12 if kind == KNOT and ball else 0
    return _part(screw, v, first), _part(screw, v, first + 6)


@kernel
def _answer(carried, eta, moved):
    """(K η; ℳ δ̄v) as four vectors."""
    b, turn = moved
    s = (carried[FIRST_MOMENT], carried[FIRST_MOMENT + 1], carried[FIRST_MOMENT + 2])
    xx, yy, zz = carried[INERTIA], carried[INERTIA + 1], carried[INERTIA + 2]
    yz, xz, xy = carried[INERTIA + 3], carried[INERTIA + 4], carried[INERTIA + 5]
    x, y, z = turn
    swept = (xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z)
    e = eta[1]
    pull = (
        carried[PULL] * e[0] + carried[PULL + 1] * e[1] + carried[PULL + 2] * e[2],
        carried[PULL + 3] * e[0] + carried[PULL + 4] * e[1] + carried[PULL + 5] * e[2],
        carried[PULL + 6] * e[0] + carried[PULL + 7] * e[1] + carried[PULL + 8] * e[2],
    )
    force = cross((carried[FORCE], carried[FORCE + 1], carried[FORCE + 2]), e)
    return force, pull, axpy(carried[0], b, cross(turn, s)), add(swept, cross(s, b))


@kernel
def _turned_with(p, angular, screw):
    """ad*_S of a momentum or impulse."""
    return cross(p, screw[1]), add(cross(p, screw[0]), cross(angular, screw[1]))


@kernel
def _carried_along(y, eta, p, angular, force, torque):
    """y − ad*_η of impulse and momentum."""
    f, t = _turned_with(force, torque, eta)
    g, u = _turned_with(p, angular, eta)
    return sub(y[0], f), sub(y[1], t), sub(y[2], g), sub(y[3], u)


@kernel
def _product(screw, linear, angular):
    return dot(screw[0], linear) + dot(screw[1], angular)


@kernel
def _rows(w, share, screw, k, l, kind, ball, y, out):
    """Rows of degree of freedom k in column l, of which y reaches its node from outside."""
    s, rate = _part(screw, k, 0), _part(screw, k, 6)
    out[PUSH, kind, k, l] += share * _product(rate, y[2], y[3]) + _product(s, y[0], y[1])
    out[MOMENTA, kind, k, l] += w * _product(s, y[2], y[3])
    if ball:
        s, rate = _part(screw, k, 12), _part(screw, k, 18)
        out[BALANCE, kind, k, l] += share * _product(rate, y[2], y[3]) + _product(s, y[0], y[1])


@kernel
def _own(plan, w, share, screw, i, l, kind, y, block, out):
    """Rows of node i in the columns of its own degrees of freedom; those of a ball's knot are `_inner_rows`."""
    first, ball = plan.node[i, FIRST], plan.node[i, MOTION] == BALL
    if kind == KNOT and ball:
        return
    r, p, z = (R_V, P_V, Z_V) if kind == RATE else (R_X, P_X, Z_X)
    for k in range(first, first + plan.node[i, DOFS]):
        _rows(w, share, screw, k, l, kind, ball, y, out)
        out[PUSH, kind, k, l] += share * block[r, k - first, l - first]
        out[MOMENTA, kind, k, l] += w * block[p, k - first, l - first]
        out[BALANCE, kind, k, l] += share * block[z, k - first, l - first]


@kernel
def _inner_rows(plan, w, share, screw, i, l, kind, eta, moved, carried, p, angular, out):
    """Rows of node i in column l of a joint further in, which takes the node's screws along with (η; δ̄v)."""
    y = _answer(carried, eta, moved)
    for k in range(plan.node[i, FIRST], plan.node[i, FIRST] + plan.node[i, DOFS]):
        for turned in range(2 if plan.node[i, MOTION] == BALL else 1):
            s, rate = _part(screw, k, 12 * turned), _part(screw, k, 12 * turned + 6)
            f, t = _turned_with(p, angular, s)
            push = share * (_product(rate, y[2], y[3]) - _product(moved, f, t)) + _product(s, y[0], y[1])
            out[BALANCE if turned else PUSH, kind, k, l] += push
            if not turned:
                out[MOMENTA, kind, k, l] += w * _product(s, y[2], y[3])
