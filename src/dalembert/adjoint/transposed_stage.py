"""One stage of an implicit method, transposed: from what the objective feels of its end to what it feels of its start.

With the letters of `dalembert.integrators.implicit.stage`, P, D and M the derivatives of g by place, rate and
acceleration, R(ξ) the turn of a rotation about a point (1 elsewhere) and S = ∂v/∂ξ, a stage varies as

    δη = Rᵀ δη₀ + T δξ,     δv = S δξ − T δb/t,     δv̇ = (δv − δc)/t,
    H δξ − t² Gᵀ δλ = −t² P Rᵀ δη₀ + (t D + M) T δb + t M δc − t² ∂g/∂p δp,
    G T δξ          = −G Rᵀ δη₀ − ∂c/∂p δp,

H being Newton's matrix. Let the objective feel η̄, v̄ and ξ̄ of the end. One transposed solve,

    Hᵀ z + (G T)ᵀ μ = Tᵀ η̄ + Sᵀ v̄ + ξ̄,      G z = 0,

gives what it feels of everything else:

    η̄₀ = R (η̄ − t² Pᵀ z − Gᵀ μ),   b̄ = Tᵀ ((t D + M)ᵀ z − v̄/t),   c̄ = t Mᵀ z,   p̄ = −t² (∂g/∂p)ᵀ z − (∂c/∂p)ᵀ μ.

This is [Sueda 2021] eq. (3.88)–(3.105) block by block, with velocities and displacements kept as unknowns instead of
eliminated in favour of up to four past positions, and with loops. Nothing is solved for anew: the tape tells the stage.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.implicit.saddle import factor_saddle, solve_saddle_transposed
from dalembert.integrators.implicit.stage import follow, form_hessian, form_rows, three
from dalembert.mechanics.reduced_equations import differentiate_equations, evaluate_equations, largest_gap
from dalembert.model.system import Floats, System
from dalembert.spatial.quaternion import exp, rotate


class Felt(NamedTuple):
    """What the objective feels of the end of a stage, and of its start; made by `felt_memory`."""

    place: Floats
    """(n_v,) η̄, v̄, ξ̄ of the end."""
    rate: Floats
    displacement: Floats
    base: Floats
    """(n_v,) η̄₀, b̄, c̄ of the start."""
    offset: Floats
    carried: Floats


def felt_memory(system: System) -> Felt:
    """Memory for the stages of this mechanism."""
    return Felt(*(np.zeros(system.n_v) for _ in Felt._fields))


@kernel
def recall_stage(system, stage, loads, tape, k, s, t):
    """Put the stage s of the step from knot k back as it was, with derivatives and factors; (regular, rank)."""
    for i in range(system.n_q):
        stage.base[i] = tape.q[k, i]
    for i in range(system.n_v):
        stage.offset[i] = tape.offset[s, i]
        stage.carried[i] = tape.carried[s, i]
        stage.displacement[i] = tape.displacement[s, i]
    for i in range(stage.multiplier.size):
        stage.multiplier[i] = tape.multiplier[s, i]
    loops = stage.equations.loops
    for i in range(loops.coordinates.size):
        loops.coordinates[i] = tape.coordinates[k, i]
    for i in range(loads.joint_force.size):
        loads.joint_force[i] = tape.joint_force[k, i]
    follow(system, stage, t)
    evaluate_equations(
        system, stage.equations, loads, stage.q, stage.v, stage.acceleration, stage.multiplier, stage.residual
    )
    differentiate_equations(system, stage.equations, loads, stage.q)
    form_hessian(system, stage, t)
    form_rows(system, stage)
    gap, _ = largest_gap(loops)
    return factor_saddle(stage, gap)


@kernel
def transpose_stage(system, stage, rank, t, felt):
    """From the end of the stage to its start; z is left in ``stage.step`` and μ in ``stage.change``."""
    derivatives, rows = stage.equations.derivatives, stage.equations.loops.rows
    n = system.n_v
    z, mu = stage.step, stage.change
    for i in range(n):
        z[i] = felt.place[i] + felt.rate[i] / t + felt.displacement[i]
    for s in range(stage.turn_start.size):
        k = stage.turn_start[s]
        for c in range(3):
            value = felt.displacement[k + c]
            for r in range(3):
                value += stage.turn[s, r, c] * felt.place[k + r] + stage.speed[s, r, c] * felt.rate[k + r]
            z[k + c] = value
    for i in range(mu.size):
        mu[i] = 0.0
    solve_saddle_transposed(stage, rank, z, mu)
    for i in range(n):
        felt.base[i] = felt.place[i]
        felt.offset[i] = -felt.rate[i] / t
        felt.carried[i] = 0.0
    for r in range(n):
        if z[r] != 0.0:
            for c in range(n):
                felt.base[c] -= t * t * derivatives.by_place[r, c] * z[r]
                felt.offset[c] += (t * derivatives.by_rate[r, c] + derivatives.mass[r, c]) * z[r]
                felt.carried[c] += t * derivatives.mass[r, c] * z[r]
    for i in range(mu.size):
        if mu[i] != 0.0:
            for c in range(n):
                felt.base[c] -= rows[i, c] * mu[i]
    for s in range(stage.turn_start.size):
        k = stage.turn_start[s]
        turned = rotate(exp(three(stage.displacement, k)), three(felt.base, k))
        b = three(felt.offset, k)
        for c in range(3):
            felt.base[k + c] = turned[c]
            felt.offset[k + c] = stage.turn[s, 0, c] * b[0] + stage.turn[s, 1, c] * b[1] + stage.turn[s, 2, c] * b[2]
