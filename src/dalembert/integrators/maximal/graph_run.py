"""The loop over steps, recorded rows and what else a run needs, behind one compiled entry.

Every compiled function that Python calls carries the machine code of all that it calls, so there is one: `drive`.
"""

from typing import Final

from dalembert._jit import kernel
from dalembert.integrators.maximal.graph_step import aim, begin, finish, set_compliance, solve_interval, start_momentum
from dalembert.integrators.maximal.graph_system import fill_projection
from dalembert.integrators.maximal.knot import CONVERGED, substep
from dalembert.linalg.factor import factor_revealing_rank
from dalembert.linalg.solve import solve
from dalembert.mechanics.constraint_graph import REDUNDANT

ENTER: Final = 0
"""Evaluate the knot and set its momentum from the velocities of its history."""
RESUME: Final = 1
"""Evaluate the knot."""
RUN: Final = 2
"""Take steps and fill rows of the record."""


@kernel
def drive(system, graph, schedule, knot, control, work, task, record, first, count, every):
    """Do one of the tasks above; returns (status, steps done, worst node, Newton iterations, largest violation).

    RUN takes ``count`` times ``every`` steps and writes a row after each ``every``, from row ``first`` on. With
    ``first`` < 0 nothing is written; with ``every`` = 0 the present knot is. The multipliers at a recorded knot are
    known once the step after it is solved.
    """
    options, substeps = schedule.options, schedule.share.shape[0]
    if task != RUN:
        begin(system, graph, options, knot, control, work)
        if task == ENTER:
            start_momentum(system, graph, knot.history[0], work, knot.momentum)
        return CONVERGED, 0, -1, 0, 0.0
    total, largest = 0, 0.0
    for row in range(count):
        spent, violation = 0, 0.0
        for step in range(every):
            for s in range(substeps):
                part = substep(schedule, s)
                if substeps > 1:
                    set_compliance(system, graph, part.h, work.interval)
                status, iterations, worst = _find_interval(system, graph, schedule, part, knot, work, s)
                spent += iterations
                if status != CONVERGED:
                    return status, row * every + step, worst, total + spent, max(largest, violation)
                violation = max(violation, finish(system, graph, part, knot, control, work, s))
            if step == 0 and first > 0:
                write_multipliers(options.h * schedule.share[0], substeps, knot, record, first + row - 1)
        if first >= 0:
            write_knot(system, graph, knot, work, record, first + row)
            record.iterations[first + row] = spent
            record.constraint_error[first + row] = violation
        total += spent
        largest = max(largest, violation)
    return CONVERGED, count * every, -1, total, largest


@kernel
def _find_interval(system, graph, schedule, options, knot, work, s):
    """Solve the interval of substep ``s`` that begins at the knot; (status, iterations, worst node)."""
    total, age = 0, knot.age[0]
    while True:
        aim(system, graph, schedule, knot, work, s, age)
        status, iterations, worst = solve_interval(system, graph, options, knot, work)
        total += iterations
        if status == CONVERGED or age < 0:
            return status, total, worst
        # where the motion is too rough to extrapolate, the last interval or none at all is the better start
        age = 1 if age > 1 else -1


@kernel
def write_knot(system, graph, knot, work, record, row):
    """Record poses, joint coordinates and the velocities on the hidden constraint."""
    fill_projection(system, graph, work.interval, knot.momentum, work.values, work.rhs)
    factor_revealing_rank(graph.pattern, work.values, graph.closing, REDUNDANT, work.scratch, work.deficiency)
    solve(graph.pattern, work.values, work.rhs)
    for i in range(system.mass.shape[0] - 1):
        unknown = graph.body_unknown[i]
        for k in range(3):
            record.position[row, i, k] = knot.position[i, k]
            record.velocity[row, i, k] = work.rhs[unknown + k]
            record.angular_velocity[row, i, k] = work.rhs[unknown + 3 + k]
        for k in range(4):
            record.orientation[row, i, k] = knot.orientation[i, k]
    for k in range(knot.coordinates.shape[0]):
        record.coordinates[row, k] = knot.coordinates[k]


@kernel
def write_multipliers(h, substeps, knot, record, row):
    """Forces of the joint components at the knot that was left by the last step, with a first substep of length h.

    The impulse at a knot belongs to the half intervals on both sides of it, which are of one length as a step ends as
    it begins; at the first knot of all there is only one.
    """
    interval = 0.5 * h if knot.age[0] == substeps else h
    for j in range(knot.multiplier.shape[0]):
        for c in range(6):
            record.multiplier[row, j, c] = knot.multiplier[j, c] / interval
