"""The loop over steps of the method with a compiled law.

A status other than CONVERGED leaves ``port.progress`` where it came; called again with the same arguments it goes on.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.graph_run import RUN, write_multipliers
from dalembert.integrators.maximal.knot import CONVERGED
from dalembert.integrators.minimal.run import drive
from dalembert.integrators.port import ANSWERED, ASKED, ROW, STEP, ask, count_step, finish_row


@kernel
def run_minimal(system, tree, options, knot, control, check, root, loops, port, record, first, count, every):
    """Fill rows as `run.drive` does; (status, worst body)."""
    seen, so_far = port.scratch, port.progress
    while so_far[ROW] < count:
        while so_far[STEP] < every:
            if so_far[ASKED] == 0:
                drive(system, tree, options, knot, control, check, root, loops, RUN, seen, 0, 1, 0)
                answer = ask(system, port, control.joint_force)
                if answer != ANSWERED:
                    return answer, -1
            status, _, worst, iterations, violation = drive(
                system, tree, options, knot, control, check, root, loops, RUN, seen, -1, 1, 1
            )
            if status != CONVERGED:
                return status, worst
            if so_far[STEP] == 0:
                write_multipliers(options.h, 1, knot, record, first + so_far[ROW] - 1)
            count_step(port, iterations, violation)
        drive(system, tree, options, knot, control, check, root, loops, RUN, record, first + so_far[ROW], 1, 0)
        finish_row(port, record, first)
    return CONVERGED, -1
