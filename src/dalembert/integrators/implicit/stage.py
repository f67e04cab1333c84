"""One implicit stage: its memory, the motion that it stands for, and its Newton matrix.

All three methods solve stages of one form. With the displacement ξ from a base knot q₀ as unknown and t = βh,

    q = q₀ ⊕ ξ,     ξ̇ = (ξ − b)/t,     v = T(ξ) ξ̇,     v̇ = (v − c)/t,       g(q, v, v̇, λ) = 0,

where b and c hold what the method carries over from earlier knots. For lengths and angles ⊕ is + and T = 1, which gives
the equations of [Sueda 2021] section 3.4. A rotation about a point is p = p₀·exp(ξ) with T the right Jacobian of SO(3):
the method is applied to exponential coordinates that start afresh at every step, and no chart is ever left.

Newton's matrix, times t², is

    H = t² (∂g/∂η) T + (t² ∂g/∂v + t M) ∂v/∂ξ,       ∂v/∂ξ = T/t + ∂(T ξ̇)/∂ξ,

[Sueda 2021] eq. (3.65), (3.69), (3.74) and (3.80) where T = 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.kinematics_coordinates import advance_coordinates
from dalembert.mechanics.reduced_equations import ReducedEquations, reduced_equations
from dalembert.model.system import Floats, Integers, System
from dalembert.spatial.rotation import exp_rate
from dalembert.spatial.rotation_second import exp_rate_change
from dalembert.spatial.vector import part3


class Stage(NamedTuple):
    """Memory of one stage (r rows of loops, s rotations about points); made by `stage_memory`."""

    equations: ReducedEquations
    turn_start: Integers
    """(s,) the first rate of each rotation about a point."""
    base: Floats
    """(n_q,) q₀."""
    offset: Floats
    """(n_v,) b and c."""
    carried: Floats
    q: Floats
    """(n_q,) and the next four (n_v,): the motion at the unknown."""
    displacement: Floats
    rate: Floats
    v: Floats
    acceleration: Floats
    residual: Floats
    """(n_v,) t² g."""
    multiplier: Floats
    """(r,) λ."""
    turn: Floats
    """(s, 3, 3) T, and ∂v/∂ξ, of every rotation about a point."""
    speed: Floats
    hessian: Floats
    """(n_v, n_v) H, factored."""
    pivots: Integers
    rows: Floats
    """(r, n_v) ∂c/∂ξ = G T."""
    columns: Floats
    """(r, n_v) H⁻¹ Gᵀ by rows."""
    schur: Floats
    """(r, r) G T H⁻¹ Gᵀ, scaled and factored."""
    exchange: Integers
    """(2, r)"""
    step: Floats
    """(n_v,) and (r,) Newton's step."""
    change: Floats
    tried: Floats
    """(n_v,) and (r,) where the line search started."""
    kept: Floats
    weight: Floats
    """(n_v,) 1/M on the diagonal: what residuals weigh."""


def stage_memory(system: System) -> Stage:
    """Memory for the stages of a run."""
    equations = reduced_equations(system)
    n_v, r = system.n_v, equations.loops.row_joint.size
    turns = [
        int(system.v_start[j] + system.n_rates[j] - 3)
        for j in system.tree_joint
        if system.n_coordinates[j] > system.n_rates[j]
    ]
    s = len(turns)
    return Stage(
        equations=equations,
        turn_start=np.array(turns, np.int64),
        base=np.zeros(system.n_q),
        offset=np.zeros(n_v),
        carried=np.zeros(n_v),
        q=np.zeros(system.n_q),
        displacement=np.zeros(n_v),
        rate=np.zeros(n_v),
        v=np.zeros(n_v),
        acceleration=np.zeros(n_v),
        residual=np.zeros(n_v),
        multiplier=np.zeros(r),
        turn=np.zeros((s, 3, 3)),
        speed=np.zeros((s, 3, 3)),
        hessian=np.zeros((n_v, n_v)),
        pivots=np.zeros(n_v, np.int64),
        rows=np.zeros((r, n_v)),
        columns=np.zeros((r, n_v)),
        schur=np.zeros((r, r)),
        exchange=np.zeros((2, r), np.int64),
        step=np.zeros(n_v),
        change=np.zeros(r),
        tried=np.zeros(n_v),
        kept=np.zeros(r),
        weight=np.zeros(n_v),
    )


@kernel
def follow(system, stage, t):
    """q, ξ̇, v and v̇ from the displacement."""
    for k in range(system.n_q):
        stage.q[k] = stage.base[k]
    advance_coordinates(system, stage.displacement, 1.0, stage.q)
    for k in range(system.n_v):
        stage.rate[k] = (stage.displacement[k] - stage.offset[k]) / t
        stage.v[k] = stage.rate[k]
    for k in stage.turn_start:
        w = exp_rate(three(stage.displacement, k), three(stage.rate, k))
        for i in range(3):
            stage.v[k + i] = w[i]
    for k in range(system.n_v):
        stage.acceleration[k] = (stage.v[k] - stage.carried[k]) / t


@kernel
def three(a, k):
    """Three numbers of a vector from place k on."""
    return (a[k], a[k + 1], a[k + 2])


@kernel
def form_turns(stage, t):
    """T and ∂v/∂ξ of the rotations about points."""
    for s in range(stage.turn_start.size):
        k = stage.turn_start[s]
        u, du = three(stage.displacement, k), three(stage.rate, k)
        for c in range(3):
            e = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
            column, change = exp_rate(u, e), exp_rate_change(u, du, e)
            for r in range(3):
                stage.turn[s, r, c] = column[r]
                stage.speed[s, r, c] = column[r] / t + change[r]


@kernel
def form_hessian(system, stage, t):
    """H of the derivatives that stand in the equations."""
    derivatives = stage.equations.derivatives
    n = system.n_v
    for r in range(n):
        for c in range(n):
            stage.hessian[r, c] = (
                t * t * derivatives.by_place[r, c] + t * derivatives.by_rate[r, c] + derivatives.mass[r, c]
            )
    form_turns(stage, t)
    for s in range(stage.turn_start.size):
        k = stage.turn_start[s]
        for r in range(n):
            place = part3(derivatives.by_place, r, k)
            rate, mass = part3(derivatives.by_rate, r, k), part3(derivatives.mass, r, k)
            for c in range(3):
                value = 0.0
                for i in range(3):
                    value += t * t * place[i] * stage.turn[s, i, c]
                    value += (t * t * rate[i] + t * mass[i]) * stage.speed[s, i, c]
                stage.hessian[r, k + c] = value


@kernel
def form_rows(system, stage):
    """∂c/∂ξ = G T."""
    rows = stage.equations.loops.rows
    for i in range(rows.shape[0]):
        for k in range(system.n_v):
            stage.rows[i, k] = rows[i, k]
        for s in range(stage.turn_start.size):
            k = stage.turn_start[s]
            row = part3(rows, i, k)
            for c in range(3):
                stage.rows[i, k + c] = (
                    row[0] * stage.turn[s, 0, c] + row[1] * stage.turn[s, 1, c] + row[2] * stage.turn[s, 2, c]
                )
