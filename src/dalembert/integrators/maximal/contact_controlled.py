"""The loop over steps with contact and a compiled law.

A status other than CONVERGED leaves ``port.progress`` where it came; called again with the same arguments it goes on.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_run import drive_contact, write_contacts
from dalembert.integrators.maximal.graph_run import RESUME, RUN, write_multipliers
from dalembert.integrators.maximal.knot import CONVERGED
from dalembert.integrators.port import ANSWERED, ASKED, ROW, STEP, ask, count_step, finish_row


@kernel
def run_contact(system, graph, schedule, knot, control, work, surfaces, scene, port, record, first, count, every):
    """Fill rows as `contact_run.drive_contact` does; (status, worst node)."""
    seen, so_far = port.scratch, port.progress
    while so_far[ROW] < count:
        while so_far[STEP] < every:
            if so_far[ASKED] == 0:
                look(system, graph, schedule, knot, control, work, surfaces, scene, seen)
                answer = ask(system, port, control.joint_force)
                if answer != ANSWERED:
                    return answer, -1
                drive_contact(system, graph, schedule, knot, control, work, surfaces, scene, RESUME, seen, 0, 0, 0)
                forget(scene)
            status, _, worst, iterations, violation = drive_contact(
                system, graph, schedule, knot, control, work, surfaces, scene, RUN, seen, -1, 1, 1
            )
            if status != CONVERGED:
                return status, worst
            if so_far[STEP] == 0:
                row = first + so_far[ROW] - 1
                write_multipliers(schedule.options.h, 1, knot, record, row)
                write_contacts(schedule.options, knot, scene, record, row)
            count_step(port, iterations, violation)
        forget(scene)
        drive_contact(
            system,
            graph,
            schedule,
            knot,
            control,
            work,
            surfaces,
            scene,
            RUN,
            record,
            first + so_far[ROW],
            1,
            0,
        )
        finish_row(port, record, first)
    return CONVERGED, -1


@kernel
def look(system, graph, schedule, knot, control, work, surfaces, scene, seen):
    """Write the knot into a record that is not the run's; the errors since its last row are kept for that."""
    a, b, c = scene.largest[0], scene.largest[1], scene.largest[2]
    forget(scene)
    drive_contact(system, graph, schedule, knot, control, work, surfaces, scene, RUN, seen, 0, 1, 0)
    scene.largest[0], scene.largest[1], scene.largest[2] = a, b, c


@kernel
def forget(scene):
    """Begin `drive_contact` from its start."""
    for k in range(scene.tally.size):
        scene.tally[k] = 0
    for k in range(scene.marks.size):
        scene.marks[k] = 0.0
