"""The loop over steps with contact, behind one compiled entry."""

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_knot import project_knot
from dalembert.integrators.maximal.contact_scene import IMPACT
from dalembert.integrators.maximal.contact_step import whole_step
from dalembert.integrators.maximal.graph_run import ENTER, RUN, write_multipliers
from dalembert.integrators.maximal.graph_step import begin, start_momentum
from dalembert.integrators.maximal.knot import CONVERGED
from dalembert.integrators.maximal.residual import evaluate_knot


@kernel
def drive_contact(system, graph, schedule, knot, control, work, surfaces, scene, task, record, first, count, every):
    """Do one of the tasks of `graph_run`; returns (status, steps done, worst node, iterations, largest violation).

    With ROOM or PAIRS nothing has failed: the caller makes room or blocks, and calls again with the same arguments;
    ``scene.tally`` and ``scene.marks`` say where to go on.
    """
    options = schedule.options
    tally, marks = scene.tally, scene.marks
    if task != RUN:
        begin(system, graph, options, knot, control, work)
        evaluate_knot(system, scene.limited.watched, knot, work.interval)
        if task == ENTER:
            start_momentum(system, graph, knot.history[0], work, knot.momentum)
        return CONVERGED, 0, -1, 0, 0.0
    while tally[0] < count:
        while tally[1] < every:
            status, iterations, worst, violation = whole_step(
                system, graph, schedule, knot, control, work, surfaces, scene
            )
            tally[2] += iterations
            marks[0] = max(marks[0], violation)
            if status != CONVERGED:
                return status, tally[0] * every + tally[1], worst, tally[3] + tally[2], max(marks[0], marks[1])
            if tally[1] == 0 and first > 0:
                write_multipliers(options.h, 1, knot, record, first + tally[0] - 1)
                write_contacts(options, knot, scene, record, first + tally[0] - 1)
            tally[1] += 1
        if first >= 0:
            write_contact_knot(system, graph, knot, work, scene, record, first + tally[0])
            record.iterations[first + tally[0]] = tally[2]
            record.constraint_error[first + tally[0]] = marks[0]
        tally[3] += tally[2]
        marks[1] = max(marks[1], marks[0])
        tally[0] += 1
        tally[1], tally[2], marks[0] = 0, 0, 0.0
    return CONVERGED, count * every, -1, tally[3], marks[1]


@kernel
def write_contact_knot(system, graph, knot, work, scene, record, row):
    """Record poses, velocities that respect joints and contacts, losses and the errors since the row before."""
    taken = project_knot(system, graph, scene.last[0], knot, work, scene)
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
    for k in range(4):
        record.lost[row, k] = scene.lost[k]
    record.lost[row, IMPACT] += taken
    for k in range(3):
        record.contact_error[row, k] = scene.largest[k]
        scene.largest[k] = 0.0


@kernel
def write_contacts(options, knot, scene, record, row):
    """Forces, gaps and slips at the knot that was left by the last step; at the first knot of all half a step acted."""
    share = 0.5 if knot.age[0] == 1 else 1.0
    for c in range(scene.force.shape[0]):
        for l in range(6):
            record.contact_force[row, c, l] = scene.force[c, l] / (share * options.h)
        for l in range(5):
            record.contact_state[row, c, l] = scene.touch[c, l]
