"""The loop over steps of the graph solver with a compiled law.

A status other than CONVERGED leaves ``port.progress`` where it came; called again with the same arguments it goes on.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.graph_run import RESUME, RUN, drive, write_multipliers
from dalembert.integrators.maximal.knot import CONVERGED
from dalembert.integrators.port import ANSWERED, ASKED, ROW, STEP, ask, count_step, finish_row


@kernel
def run_graph(system, graph, schedule, knot, control, work, port, record, first, count, every):
    """Fill rows as `graph_run.drive` does; (status, worst node)."""
    seen, so_far = port.scratch, port.progress
    while so_far[ROW] < count:
        while so_far[STEP] < every:
            if so_far[ASKED] == 0:
                drive(system, graph, schedule, knot, control, work, RUN, seen, 0, 1, 0)
                answer = ask(system, port, control.joint_force)
                if answer != ANSWERED:
                    return answer, -1
                drive(system, graph, schedule, knot, control, work, RESUME, seen, 0, 0, 0)
            status, _, worst, iterations, violation = drive(
                system, graph, schedule, knot, control, work, RUN, seen, -1, 1, 1
            )
            if status != CONVERGED:
                return status, worst
            if so_far[STEP] == 0:
                share = schedule.share
                write_multipliers(schedule.options.h * share[0], share.shape[0], knot, record, first + so_far[ROW] - 1)
            count_step(port, iterations, violation)
        drive(system, graph, schedule, knot, control, work, RUN, record, first + so_far[ROW], 1, 0)
        finish_row(port, record, first)
    return CONVERGED, -1
