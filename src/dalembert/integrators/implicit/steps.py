"""Steps made of stages: BDF1, SDIRK2, and BDF2 that starts with one step of SDIRK2.

With ξₖ the displacement that led to knot k, so that knot k − 1 lies at −ξₖ from it (and exp(−ξ) undoes exp(ξ)):

* BDF1: t = h, b = 0, c = vₖ. [Sueda 2021] eq. (3.60)
* SDIRK2, α = 1 − √½, from the same knot twice: t = αh, b = 0, c = vₖ gives ξ_α and v_α; then t = αh,
  b = (1−α)/α ξ_α, c = vₖ + (1−α)/α (v_α − vₖ). eq. (3.67), (3.71), [Nishikawa 2019]
* BDF2: t = 2h/3, b = ξₖ/3, c = (4 vₖ − vₖ₋₁)/3. eq. (3.77)
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.implicit.newton import CONVERGED, solve_stage
from dalembert.integrators.implicit.tape import record_knot, record_stage, record_start
from dalembert.mechanics.reduced_equations import largest_gap
from dalembert.model.system import Floats, Integers, System

BDF1_METHOD = 0
SDIRK2_METHOD = 1
BDF2_METHOD = 2
ALPHA = 1.0 - sqrt(0.5)


class Knots(NamedTuple):
    """The present knot and what BDF2 remembers of the one before."""

    q: Floats
    """(n_q,) minimal coordinates, and (n_v,) rates."""
    v: Floats
    past_v: Floats
    """(n_v,) rates of the knot before, and the displacement from it."""
    past: Floats
    started: Integers
    """(1,) 1 once there is a knot before."""


def knots_memory(system: System) -> Knots:
    """Memory for the knots of a run."""
    n_v = system.n_v
    return Knots(np.zeros(system.n_q), np.zeros(n_v), np.zeros(n_v), np.zeros(n_v), np.zeros(1, np.int64))


@kernel
def start_stage(stage, knots, method, part, h):
    """Set base, b and c of stage ``part`` of a step; returns t. Part 1 of SDIRK2 follows its part 0 in memory."""
    for k in range(knots.q.size):
        stage.base[k] = knots.q[k]
    if method == BDF2_METHOD and knots.started[0] == 1:
        for k in range(knots.v.size):
            stage.offset[k] = knots.past[k] / 3.0
            stage.carried[k] = (4.0 * knots.v[k] - knots.past_v[k]) / 3.0
        return 2.0 * h / 3.0
    if part == 1:
        ratio = (1.0 - ALPHA) / ALPHA
        for k in range(knots.v.size):
            stage.offset[k] = ratio * stage.displacement[k]
            stage.carried[k] = knots.v[k] + ratio * (stage.v[k] - knots.v[k])
        return ALPHA * h
    for k in range(knots.v.size):
        stage.offset[k] = 0.0
        stage.carried[k] = knots.v[k]
    return h if method == BDF1_METHOD else ALPHA * h


@kernel
def stages_of(knots, method):
    """How many stages the next step has."""
    return 1 if method == BDF1_METHOD or (method == BDF2_METHOD and knots.started[0] == 1) else 2


def stage_count(method: int, steps: int) -> int:
    """How many stages a fresh run of so many steps has."""
    return {BDF1_METHOD: steps, SDIRK2_METHOD: 2 * steps, BDF2_METHOD: steps + 1 if steps else 0}[method]


@kernel
def take_steps(system, stage, knots, loads, tape, method, h, tolerance, max_iterations, count):
    """Take steps; (status, complete steps, iterations, largest gap of a loop, row of the worst residual).

    If ``tape`` has room, it is begun anew: its forces drive the joints and it keeps what the steps find.
    """
    spent, worst_gap, taped = 0, 0.0, tape.joint_force.shape[0] > 0
    if taped:
        tape.done[0], tape.done[1] = 0, 0
        record_start(stage, knots, tape)
    for done in range(count):
        before = spent
        if taped:
            for k in range(loads.joint_force.size):
                loads.joint_force[k] = tape.joint_force[done, k]
        for part in range(stages_of(knots, method)):
            t = start_stage(stage, knots, method, part, h)
            status, iterations, row = solve_stage(system, stage, loads, t, tolerance, max_iterations)
            spent += iterations
            if status != CONVERGED:
                return status, done, spent, worst_gap, row
            if taped:
                record_stage(stage, tape)
        finish_step(system, stage, knots)
        if taped:
            record_knot(system, stage, knots, tape, spent - before)
        gap, _ = largest_gap(stage.equations.loops)
        worst_gap = max(worst_gap, gap)
    return CONVERGED, count, spent, worst_gap, -1


@kernel
def finish_step(system, stage, knots):
    """Move to the knot that the stage has found."""
    for k in range(system.n_q):
        knots.q[k] = stage.q[k]
        stage.equations.loops.coordinates[k] = stage.q[k]
    for k in range(system.n_v):
        knots.past_v[k] = knots.v[k]
        knots.past[k] = stage.displacement[k]
        knots.v[k] = stage.v[k]
    knots.started[0] = 1
