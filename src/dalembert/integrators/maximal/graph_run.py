"""Many steps per call: advance, record, and look one step ahead for the last reaction forces."""

from dalembert._jit import kernel
from dalembert.integrators.maximal.graph_step import aim, finish, project, solve_interval
from dalembert.integrators.maximal.knot import CONVERGED


@kernel
def advance(system, graph, options, knot, control, work, n_steps):
    """Take up to ``n_steps`` steps; (status, steps done, worst node, Newton iterations, largest violation)."""
    total, violation = 0, 0.0
    for step in range(n_steps):
        aim(system, graph, options, knot, work)
        status, iterations, worst = solve_interval(system, graph, options, knot, work)
        total += iterations
        if status != CONVERGED:
            return status, step, worst, total, violation
        violation = max(violation, finish(system, graph, options, knot, control, work))
    return CONVERGED, n_steps, -1, total, violation


@kernel
def run(system, graph, options, knot, control, work, every, record, first, count):
    """Fill ``count`` rows of the record from row ``first`` on, one for every ``every`` steps.

    Returns (status, steps done, worst node). The forces of constraints at a recorded knot are known once the step after it
    is solved, so row r gets its multipliers while row r + 1 is computed.
    """
    done = 0
    for row in range(first, first + count):
        status, steps, worst, iterations, violation = advance(system, graph, options, knot, control, work, 1)
        if status == CONVERGED:
            write_multipliers(options, knot, record, row - 1)
            status, more, worst, spent, worse = advance(system, graph, options, knot, control, work, every - 1)
            steps += more
            iterations += spent
            violation = max(violation, worse)
        done += steps
        if status != CONVERGED:
            return status, done, worst
        write_knot(system, graph, knot, work, record, row)
        record.iterations[row] = iterations
        record.constraint_error[row] = violation
    return CONVERGED, done, -1


@kernel
def write_knot(system, graph, knot, work, record, row):
    """Record poses, joint coordinates and the velocities on the hidden constraint."""
    project(system, graph, knot, work)
    for i in range(system.mass.shape[0] - 1):
        for k in range(3):
            record.position[row, i, k] = knot.position[i, k]
            record.velocity[row, i, k] = work.velocity[i, k]
            record.angular_velocity[row, i, k] = work.velocity[i, 3 + k]
        for k in range(4):
            record.orientation[row, i, k] = knot.orientation[i, k]
    record.coordinates[row] = knot.coordinates


@kernel
def write_multipliers(options, knot, record, row):
    """Forces of the joint components at the knot that was left by the last step.

    The impulse at a knot belongs to the half intervals on both sides of it; at the first knot of all there is only one.
    """
    share = 0.5 if knot.age[0] == 1 else 1.0
    for j in range(knot.multiplier.shape[0]):
        for c in range(6):
            record.multiplier[row, j, c] = knot.multiplier[j, c] / (share * options.h)


@kernel
def look_ahead(system, graph, options, knot, work, record, row):
    """Multipliers of the last recorded knot, from solving the step after it without taking it."""
    kept = knot.newton_constant[0]
    aim(system, graph, options, knot, work)
    status, _, _ = solve_interval(system, graph, options, knot, work)
    knot.newton_constant[0] = kept
    share = 0.5 if knot.age[0] == 0 else 1.0
    for j in range(knot.multiplier.shape[0]):
        for c in range(6):
            force = work.trial.multiplier[j, c] / (share * options.h)
            record.multiplier[row, j, c] = force if status == CONVERGED else 0.0
    return status
