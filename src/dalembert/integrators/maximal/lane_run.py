"""Runs of several members of a batch in lanes: from their starts through all rows of their records.

Entering a knot, recording and reactions are the work of the scalar kernels, one lane at a time, and so are steps that
are not of the ordinary kind. The lanes take the steps between.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert._lanes import WIDTH, table
from dalembert.integrators.maximal.graph_run import write_multipliers
from dalembert.integrators.maximal.knot import CONVERGED, OLD, Knot, substep
from dalembert.integrators.maximal.lane_knot import add_angles, move_lanes, place_lanes, push_lanes
from dalembert.integrators.maximal.lane_step import ODD, LaneMarks, solve_lanes, start_lanes
from dalembert.integrators.maximal.tree_drive import knot_violation, write_row
from dalembert.integrators.maximal.tree_knot import enter, knot_velocities, leave, start_history, start_momentum
from dalembert.integrators.maximal.tree_plan import Tree
from dalembert.integrators.maximal.tree_reactions import joint_impulses
from dalembert.integrators.maximal.tree_run import find_steps
from dalembert.integrators.record import Record
from dalembert.model.system import Floats, Integers, System


class Starts(NamedTuple):
    """Where B members start: as `State`, the members first."""

    position: Floats
    orientation: Floats
    velocity: Floats
    angular_velocity: Floats
    coordinates: Floats
    rates: Floats


class LaneMemory(NamedTuple):
    """The arrays behind the tables of lanes."""

    row: Floats
    """(n + 1, columns of Tree.row, WIDTH)"""
    dof: Floats
    """(ν, columns of Tree.dof, WIDTH)"""
    coordinates: Floats
    """(coordinates, 1, WIDTH)"""
    marks: LaneMarks
    kept: Floats
    """(WIDTH,) Newton constants before the interval."""
    spent: Integers
    """(WIDTH,) full increments since the row before."""
    member: Integers
    """(WIDTH,) which member a lane runs; −1 if none, or none any more."""


def make_lanes(system: System, tree: Tree) -> LaneMemory:
    """Zeros of the right shapes."""
    marks = LaneMarks(
        np.zeros(WIDTH, np.int64), np.zeros((1, 2, WIDTH)), np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH, np.int64)
    )
    return LaneMemory(
        np.zeros((*tree.row.shape, WIDTH)),
        np.zeros((*tree.dof.shape, WIDTH)),
        np.zeros((int(system.n_coordinates.sum()), 1, WIDTH)),
        marks,
        np.zeros(WIDTH),
        np.zeros(WIDTH, np.int64),
        np.zeros(WIDTH, np.int64),
    )


@kernel
def run_lanes(system, tree, schedule, knot, check, lanes, starts, records, ends, failed, first, last, every):
    """Run members ``first`` … ``last`` − 1, at most WIDTH, into their rows of ``records``; ``ends`` are last knots.

    ``failed`` (B,) is set to 1 for those that cannot be continued. All arrays of ``records``, ``starts`` and ``ends``
    have the members first.
    """
    options, substeps, rows = schedule.options, schedule.share.shape[0], records.iterations.shape[1]
    gravity = (system.gravity[0], system.gravity[1], system.gravity[2])
    slot, marks, member = tree.slot, lanes.marks, lanes.member
    row, dof, q, moving = table(lanes.row), table(lanes.dof), table(lanes.coordinates), table(marks.moving)
    for lane in range(member.shape[0]):
        m = min(first + lane, last - 1)
        _load_start(system, tree, options, knot, check, starts, m)
        if first + lane < last:
            write_row(knot, check, _of(records, m), 0)
        member[lane] = m if first + lane < last else -1
        enter(tree, options, knot)
        _to_lane(tree, lanes, knot, lane)
        lanes.spent[lane] = 0
    age = 0
    for r in range(1, rows + 1):
        # the row after the last is a step for the reactions at the last
        steps = every if r < rows else 1
        for step in range(steps):
            for s in range(substeps):
                part = substep(schedule, s)
                half = 0.5 * part.h
                for lane in range(member.shape[0]):
                    lanes.kept[lane] = marks.newton_constant[lane]
                push_lanes(slot, row, gravity, half)
                start_lanes(slot, dof, schedule.step_start[s], age)
                solve_lanes(slot, row, dof, moving, marks, part)
                for lane in range(member.shape[0]):
                    if marks.state[lane] == ODD and member[lane] >= 0:
                        if not _solve_alone(tree, part, knot, lanes, lane, age, schedule.step_start[s]):
                            if r < rows:
                                failed[member[lane]] = 1
                            else:
                                _no_forces(records, member[lane], rows - 1)
                            member[lane] = -1
                    lanes.spent[lane] += marks.iterations[lane]
                last_step = r == rows - 1 and step == every - 1
                if s == 0 and (step == 0 or last_step):
                    for lane in range(member.shape[0]):
                        if member[lane] >= 0:
                            _from_lane(tree, lanes, knot, lane)
                            joint_impulses(tree, part.h, knot.coordinates, knot.multiplier)
                            if step == 0:
                                knot.age[0] = substeps if age == 0 else OLD
                                write_multipliers(part.h, substeps, knot, _of(records, member[lane]), r - 1)
                            if last_step:
                                _keep_multiplier(knot, ends, member[lane])
                if r == rows:
                    return
                add_angles(slot, lanes.dof, lanes.coordinates)
                move_lanes(slot, row, dof, q)
                place_lanes(slot, row, dof, q)
                push_lanes(slot, row, gravity, half)
                age = min(age + 1, OLD)
        for lane in range(member.shape[0]):
            if member[lane] >= 0:
                _record(system, tree, options, knot, check, lanes, starts, records, ends, lane, age, r)


@kernel
def _of(records, m):
    """The rows of one member."""
    return Record(
        records.position[m],
        records.orientation[m],
        records.velocity[m],
        records.angular_velocity[m],
        records.coordinates[m],
        records.multiplier[m],
        records.constraint_error[m],
        records.iterations[m],
        records.lost[m],
        records.contact_error[m],
        records.contact_force[m],
        records.contact_state[m],
    )


@kernel
def _load_start(system, tree, options, knot, check, starts, m):
    """The knot of a member before its first step, and its velocities."""
    knot.momentum[:] = 0.0
    knot.multiplier[:] = 0.0
    knot.age[0] = 0
    knot.newton_constant[0] = 0.0
    for i in range(starts.position.shape[1]):
        for k in range(3):
            knot.position[i, k] = starts.position[m, i, k]
        for k in range(4):
            knot.orientation[i, k] = starts.orientation[m, i, k]
    for k in range(knot.coordinates.shape[0]):
        knot.coordinates[k] = starts.coordinates[m, k]
    for k in range(check.rates.shape[0]):
        check.rates[k] = starts.rates[m, k]
    _load_velocities(knot, starts, m)
    start_momentum(system, tree, knot, check.rates)
    enter(tree, options, knot)
    knot_velocities(tree, options, knot, check.velocity)
    start_history(tree, options, knot)
    enter(tree, options, knot)
    knot_velocities(tree, options, knot, check.velocity)


@kernel
def _load_velocities(knot, starts, m):
    """The history of a knot from which a run starts: velocities of the bodies in row 0."""
    knot.history[:] = 0.0
    for i in range(starts.velocity.shape[1]):
        for k in range(3):
            knot.history[0, i, k] = starts.velocity[m, i, k]
            knot.history[0, i, 3 + k] = starts.angular_velocity[m, i, k]


@kernel
def _to_lane(tree, lanes, knot, lane):
    """The scalar solver's arrays into a lane."""
    for i in range(tree.row.shape[0]):
        for k in range(tree.row.shape[1]):
            lanes.row[i, k, lane] = tree.row[i, k]
    for v in range(tree.dof.shape[0]):
        for k in range(tree.dof.shape[1]):
            lanes.dof[v, k, lane] = tree.dof[v, k]
    for k in range(knot.coordinates.shape[0]):
        lanes.coordinates[k, 0, lane] = knot.coordinates[k]
    lanes.marks.newton_constant[lane] = knot.newton_constant[0]


@kernel
def _from_lane(tree, lanes, knot, lane):
    """A lane into the scalar solver's arrays."""
    for i in range(tree.row.shape[0]):
        for k in range(tree.row.shape[1]):
            tree.row[i, k] = lanes.row[i, k, lane]
    for v in range(tree.dof.shape[0]):
        for k in range(tree.dof.shape[1]):
            tree.dof[v, k] = lanes.dof[v, k, lane]
    for k in range(knot.coordinates.shape[0]):
        knot.coordinates[k] = lanes.coordinates[k, 0, lane]
    knot.newton_constant[0] = lanes.marks.newton_constant[lane]


@kernel
def _solve_alone(tree, options, knot, lanes, lane, age, weights):
    """The interval of one lane by the scalar solver; whether it found its steps."""
    _from_lane(tree, lanes, knot, lane)
    knot.newton_constant[0] = lanes.kept[lane]
    knot.age[0] = age
    status, iterations, _ = find_steps(tree.slot, tree.row, tree.dof, tree.loops, options, knot, weights)
    lanes.marks.iterations[lane] = iterations
    if status != CONVERGED:
        return False
    _to_lane(tree, lanes, knot, lane)
    return True


@kernel
def _record(system, tree, options, knot, check, lanes, starts, records, ends, lane, age, r):
    """Row r of the member in a lane, and its knot."""
    m = lanes.member[lane]
    _from_lane(tree, lanes, knot, lane)
    knot.age[0] = age
    # what a knot keeps behind the degrees of freedom of a joint is of its start
    _load_velocities(knot, starts, m)
    leave(system, tree, knot)
    _keep(knot, ends, m)
    violation = knot_violation(system, knot, check)
    enter(tree, options, knot)
    knot_velocities(tree, options, knot, check.velocity)
    write_row(knot, check, _of(records, m), r)
    records.iterations[m, r] = lanes.spent[lane]
    records.constraint_error[m, r] = violation
    lanes.spent[lane] = 0


@kernel
def _no_forces(records, m, r):
    """No reactions are known at row r."""
    for j in range(records.multiplier.shape[2]):
        for c in range(6):
            records.multiplier[m, r, j, c] = np.nan


@kernel
def _keep_multiplier(knot, ends, m):
    for j in range(knot.multiplier.shape[0]):
        for c in range(6):
            ends.multiplier[m, j, c] = knot.multiplier[j, c]


@kernel
def _keep(knot, ends, m):
    """A knot among the last ones; its multipliers are kept where they are found."""
    for i in range(knot.position.shape[0]):
        for k in range(3):
            ends.position[m, i, k] = knot.position[i, k]
        for k in range(4):
            ends.orientation[m, i, k] = knot.orientation[i, k]
        for k in range(6):
            ends.momentum[m, i, k] = knot.momentum[i, k]
            for p in range(knot.history.shape[0]):
                ends.history[m, p, i, k] = knot.history[p, i, k]
    for k in range(knot.coordinates.shape[0]):
        ends.coordinates[m, k] = knot.coordinates[k]
    ends.age[m, 0] = knot.age[0]
    ends.newton_constant[m, 0] = knot.newton_constant[0]


def many_knots(knot: Knot, members: int) -> Knot:
    """Arrays of knots with the members first."""
    fields: dict[str, Any] = {
        name: np.zeros((members, *array.shape), array.dtype) for name, array in knot._asdict().items()
    }
    return Knot(**fields)
