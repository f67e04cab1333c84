"""What the stepper asks of the tree solver, in one kernel with the tasks of `graph_run.drive`."""

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.maximal.graph_run import ENTER, RUN, write_multipliers
from dalembert.integrators.maximal.knot import CONVERGED
from dalembert.integrators.maximal.tree_knot import enter, knot_velocities, start_history, start_momentum
from dalembert.integrators.maximal.tree_loop_knot import noted_violation
from dalembert.integrators.maximal.tree_run import advance
from dalembert.mechanics.constraints import evaluate_constraints, worst_violation
from dalembert.model.system import Floats, Integers, System


class TreeCheck(NamedTuple):
    """Memory for looking at a knot from outside."""

    active: Integers
    """(m, 6) the constraints."""
    value: Floats
    """(m, 6)"""
    jacobian: Floats
    """(edges, 6, 6)"""
    velocity: Floats
    """(n + 1, 6) at the knot."""
    rates: Floats
    """Of all joints, at the start."""


def make_check(system: System) -> TreeCheck:
    """Zeros of the right shapes."""
    m, edges = system.joint_kind.size, system.incidence_body.size
    return TreeCheck(
        active=(system.locked > 0).astype(np.int64),
        value=np.zeros((m, 6)),
        jacobian=np.zeros((edges, 6, 6)),
        velocity=np.zeros((system.mass.size, 6)),
        rates=np.zeros(int(system.n_rates.sum())),
    )


@kernel
def drive(system, tree, schedule, knot, control, check, task, record, first, count, every):
    """Do one of the tasks ENTER, RESUME, RUN; (status, steps done, worst body, iterations, largest violation).

    RUN takes ``count`` times ``every`` steps and writes a row after each ``every``, from row ``first`` on. With
    ``first`` < 0 nothing is written; with ``every`` = 0 the present knot is. The solver goes through the knot's arrays
    at every row, so a run that resumes at a recorded knot gets the same bits.
    """
    options = schedule.options
    if task == ENTER:
        start_momentum(system, tree, knot, check.rates)
        enter(tree, options, knot)
        knot_velocities(tree, options, knot, check.velocity)
        start_history(tree, options, knot)
    if task != RUN:
        return CONVERGED, 0, -1, 0, 0.0
    total, largest = 0, 0.0
    for row in range(count):
        spent, done = 0, 0
        while done < every:
            # the multipliers at a recorded knot are known once the step after it is solved
            ahead = 1 if first > 0 and done == 0 else every - done
            status, more, worst, iterations = advance(system, tree, schedule, knot, control, ahead, True)
            spent += iterations
            if status != CONVERGED:
                return status, row * every + done + more, worst, total + spent, largest
            if first > 0 and done == 0:
                write_multipliers(options.h * schedule.share[0], schedule.share.shape[0], knot, record, first + row - 1)
            done += more
        violation = max(knot_violation(system, knot, check), noted_violation(tree.loops))
        if first >= 0:
            enter(tree, options, knot)
            knot_velocities(tree, options, knot, check.velocity)
            write_row(knot, check, record, first + row)
            record.iterations[first + row] = spent
            record.constraint_error[first + row] = violation
        total += spent
        largest = max(largest, violation)
    return CONVERGED, count * every, -1, total, largest


@kernel
def knot_violation(system, knot, check):
    """The largest violation of a constraint: rounding error, as poses are placed by the coordinates."""
    evaluate_constraints(
        system, check.active, knot.coordinates, knot.position, knot.orientation, check.value, check.jacobian
    )
    return worst_violation(system, check.value)[0]


@kernel
def write_row(knot, check, record, row):
    """Record poses, joint coordinates and velocities at the knot."""
    for i in range(record.position.shape[1]):
        for k in range(3):
            record.position[row, i, k] = knot.position[i, k]
            record.velocity[row, i, k] = check.velocity[i, k]
            record.angular_velocity[row, i, k] = check.velocity[i, 3 + k]
        for k in range(4):
            record.orientation[row, i, k] = knot.orientation[i, k]
    for k in range(knot.coordinates.shape[0]):
        record.coordinates[row, k] = knot.coordinates[k]
