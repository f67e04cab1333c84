"""What a run leaves behind for its gradient: every stage that was solved, and every knot.

A stage is told by its displacement and by what it carried over; the rest follows without solving anything again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.kinematics import joint_coordinates
from dalembert.mechanics.reduced_equations import largest_gap
from dalembert.model.system import Floats, Integers, System


class Tape(NamedTuple):
    """N steps of S stages in all (r rows of loops); made by `blank_tape`. With N = 0 nothing is recorded."""

    joint_force: Floats
    """(N, rates of all joints) what drives do in each step: read by the run, not written."""
    offset: Floats
    """(S, n_v) b, c and ξ of every stage, see `dalembert.integrators.implicit.stage`."""
    carried: Floats
    displacement: Floats
    multiplier: Floats
    """(S, r) λ"""
    q: Floats
    """(N + 1, n_q) minimal coordinates and (N + 1, n_v) rates of every knot."""
    v: Floats
    coordinates: Floats
    """(N + 1, coordinates of all joints) of every knot, angles unwrapped."""
    gap: Floats
    """(N,) how far loops are open at the end of each step, m or rad."""
    iterations: Integers
    """(N,) Newton iterations of each step."""
    done: Integers
    """(2,) steps and stages recorded."""


def blank_tape(system: System, rows: int, joint_force: Floats, stages: int) -> Tape:
    """A tape for as many steps as ``joint_force`` (N, rates of all joints) has rows; ``rows`` is r, ``stages`` S."""
    steps, n_v = len(joint_force), system.n_v
    return Tape(
        joint_force=np.ascontiguousarray(joint_force, dtype=np.float64),
        offset=np.zeros((stages, n_v)),
        carried=np.zeros((stages, n_v)),
        displacement=np.zeros((stages, n_v)),
        multiplier=np.zeros((stages, rows)),
        q=np.zeros((steps + 1, system.n_q)),
        v=np.zeros((steps + 1, n_v)),
        coordinates=np.zeros((steps + 1, int(system.n_coordinates.sum()))),
        gap=np.zeros(steps),
        iterations=np.zeros(steps, np.int64),
        done=np.zeros(2, np.int64),
    )


@kernel
def record_stage(stage, tape):
    """Keep the stage that was just solved."""
    s = tape.done[1]
    for k in range(stage.displacement.size):
        tape.offset[s, k] = stage.offset[k]
        tape.carried[s, k] = stage.carried[k]
        tape.displacement[s, k] = stage.displacement[k]
    for i in range(stage.multiplier.size):
        tape.multiplier[s, i] = stage.multiplier[i]
    tape.done[1] = s + 1


@kernel
def record_knot(system, stage, knots, tape, iterations):
    """Keep the knot that was just reached, with the coordinates of the joints outside the tree there."""
    tree, loops = stage.equations.tree, stage.equations.loops
    joint_coordinates(system, tree.position, tree.orientation, loops.coordinates, loops.coordinates)
    for k in range(system.n_q):
        loops.coordinates[k] = knots.q[k]
    k = tape.done[0]
    gap, _ = largest_gap(loops)
    tape.gap[k] = gap
    tape.iterations[k] = iterations
    tape.done[0] = k + 1
    _write_knot(loops, knots, tape, k + 1)


@kernel
def record_start(stage, knots, tape):
    """Keep the knot that a run starts from."""
    _write_knot(stage.equations.loops, knots, tape, 0)


@kernel
def _write_knot(loops, knots, tape, row):
    for k in range(knots.q.size):
        tape.q[row, k] = knots.q[k]
    for k in range(knots.v.size):
        tape.v[row, k] = knots.v[k]
    for k in range(loops.coordinates.size):
        tape.coordinates[row, k] = loops.coordinates[k]
