"""Steps and recorded rows behind one compiled entry."""

from typing import Final

from dalembert._jit import kernel
from dalembert.integrators.galerkin.state import enter, leave
from dalembert.integrators.galerkin.step import CONVERGED, take_step

ENTER: Final = 0
"""Set the knot from coordinates and rates."""
LEAVE: Final = 1
"""Bring the knot into the coordinates of the model."""
RUN: Final = 2
"""Take steps and fill rows of the record."""


@kernel
def drive(
    system, plan, rule, options, knot, outside, path, solver, instant, quick, points, task, record, first, count, every
):
    """Do one of the tasks above; (status, steps done, worst node, iterations).

    RUN takes ``count`` times ``every`` steps and writes a row after each ``every``, from row ``first`` on, or none if
    ``first`` < 0. With ``every`` = 0 the present knot is written.
    """
    if task == ENTER:
        enter(system, plan, knot, instant)
    elif task == LEAVE:
        leave(system, plan, knot, instant)
    else:
        total = 0
        for row in range(count):
            spent = 0
            for step in range(every):
                status, iterations, worst = take_step(plan, rule, options, knot, outside, path, solver, quick, points)
                spent += iterations
                if status != CONVERGED:
                    return status, row * every + step, worst, total + spent
            if first >= 0:
                leave(system, plan, knot, instant)
                write_row(instant, record, first + row)
                record.iterations[first + row] = spent
            total += spent
        return CONVERGED, count * every, -1, total
    return CONVERGED, 0, -1, 0


@kernel
def write_row(instant, record, row):
    """Poses, velocities and coordinates of an instant."""
    for i in range(instant.position.shape[0] - 1):
        for k in range(3):
            record.position[row, i, k] = instant.position[i, k]
            record.velocity[row, i, k] = instant.velocity[i, k]
            record.angular_velocity[row, i, k] = instant.angular_velocity[i, k]
        for k in range(4):
            record.orientation[row, i, k] = instant.orientation[i, k]
    for k in range(instant.q.size):
        record.coordinates[row, k] = instant.q[k]
