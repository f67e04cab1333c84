"""The loop over steps of the method with a compiled law.

A status other than CONVERGED leaves ``port.progress`` where it came; called again with the same arguments it goes on.
"""

from dalembert._jit import kernel
from dalembert.integrators.galerkin.run import LEAVE, RUN, drive
from dalembert.integrators.galerkin.step import CONVERGED
from dalembert.integrators.port import ANSWERED, ASKED, ROW, STEP, ask_law, count_step, finish_row


@kernel
def run_galerkin(
    system, plan, rule, options, knot, outside, path, solver, instant, quick, points, port, record, first, count, every
):
    """Fill rows as `run.drive` does; (status, worst node)."""
    seen, so_far = port.scratch, port.progress
    while so_far[ROW] < count:
        while so_far[STEP] < every:
            if so_far[ASKED] == 0:
                drive(
                    system,
                    plan,
                    rule,
                    options,
                    knot,
                    outside,
                    path,
                    solver,
                    instant,
                    quick,
                    points,
                    LEAVE,
                    seen,
                    -1,
                    0,
                    0,
                )
                show(instant, port)
                answer = ask_law(port, outside.joint_force)
                if answer != ANSWERED:
                    return answer, -1
            status, _, worst, iterations = drive(
                system, plan, rule, options, knot, outside, path, solver, instant, quick, points, RUN, seen, -1, 1, 1
            )
            if status != CONVERGED:
                return status, worst
            count_step(port, iterations, 0.0)
        row = first + so_far[ROW]
        drive(system, plan, rule, options, knot, outside, path, solver, instant, quick, points, RUN, record, row, 1, 0)
        finish_row(port, record, first)
    return CONVERGED, -1


@kernel
def show(instant, port):
    """Copy an instant into ``port.motion``."""
    position, orientation, velocity, angular_velocity = port.poses
    for i in range(position.shape[0] - 1):
        for k in range(3):
            position[i, k] = instant.position[i, k]
            velocity[i, k] = instant.velocity[i, k]
            angular_velocity[i, k] = instant.angular_velocity[i, k]
        for k in range(4):
            orientation[i, k] = instant.orientation[i, k]
    for k in range(port.motion.coordinates.size):
        port.motion.coordinates[k] = instant.q[k]
    for k in range(port.motion.rates.size):
        port.motion.rates[k] = instant.v[k]
