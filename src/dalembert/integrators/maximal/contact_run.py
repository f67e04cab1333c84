"""The loop over steps with contact, behind one compiled entry."""

from typing import Final

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_find import (
    expected_motion,
    find_elements,
    limit_passed,
    outgrown,
    pair_elements,
)
from dalembert.integrators.maximal.contact_forces import gather
from dalembert.integrators.maximal.contact_impact import bounce
from dalembert.integrators.maximal.contact_knot import count_losses, project_knot
from dalembert.integrators.maximal.contact_memory import store_impulses
from dalembert.integrators.maximal.contact_scene import IMPACT
from dalembert.integrators.maximal.contact_solve import solve_with_elements
from dalembert.integrators.maximal.graph_run import ENTER, RUN, write_multipliers
from dalembert.integrators.maximal.graph_step import aim, begin, finish, solve_interval, start_momentum
from dalembert.integrators.maximal.knot import CONVERGED
from dalembert.integrators.maximal.residual import evaluate_knot, place_end
from dalembert.mechanics.constraints import evaluate_constraints

ROOM: Final = 100
"""Status: there are more features than there is room for."""
PAIRS: Final = 101
"""Status: two bodies meet that have no blocks."""


@kernel
def drive_contact(system, graph, schedule, knot, control, work, surfaces, scene, task, record, first, count, every):
    """Do one of the tasks of `graph_run`; returns (status, steps done, worst node, iterations, largest violation).

    With ROOM or PAIRS nothing has failed: the caller makes room or blocks, and calls again with the same arguments;
    ``scene.tally`` and ``scene.marks`` say where to go on.
    """
    options = schedule.options
    tally, marks, elements, owner = scene.tally, scene.marks, scene.elements, surfaces.geometry.contact
    watching = scene.limited.joint.shape[0] + scene.limited.dry_joint.shape[0] > 0
    if task != RUN:
        begin(system, graph, options, knot, control, work)
        evaluate_knot(system, scene.limited.watched, knot, work.interval)
        if task == ENTER:
            start_momentum(system, graph, knot.history[0], work, knot.momentum)
        return CONVERGED, 0, -1, 0, 0.0
    while tally[0] < count:
        while tally[1] < every:
            status, iterations, worst = contact_step(system, graph, schedule, knot, work, surfaces, scene)
            tally[2] += iterations
            if status != CONVERGED:
                return status, tally[0] * every + tally[1], worst, tally[3] + tally[2], max(marks[0], marks[1])
            for i in range(scene.before.shape[0]):
                for l in range(6):
                    scene.before[i, l] = knot.history[0, i, l] + scene.kick[i, l]
            velocity = work.trial.velocity
            first_knot = knot.age[0] == 0
            count_losses(
                system, options.h, first_knot, work.interval.force, scene.before, velocity, elements, scene.lost
            )
            gather(
                options.h,
                knot.orientation,
                elements,
                scene.lines,
                owner,
                scene.knock,
                scene.force,
                scene.touch,
                scene.largest,
            )
            store_impulses(elements, scene.memory)
            marks[0] = max(marks[0], finish(system, graph, options, knot, control, work, 0))
            if watching:
                evaluate_knot(system, scene.limited.watched, knot, work.interval)
            if tally[1] == 0 and first > 0:
                write_multipliers(options.h, 1, knot, record, first + tally[0] - 1)
                write_contacts(options, knot, scene, record, first + tally[0] - 1)
            tally[1] += 1
        if first >= 0:
            write_contact_knot(system, graph, options, knot, work, scene, record, first + tally[0])
            record.iterations[first + tally[0]] = tally[2]
            record.constraint_error[first + tally[0]] = marks[0]
        tally[3] += tally[2]
        marks[1] = max(marks[1], marks[0])
        tally[0] += 1
        tally[1], tally[2], marks[0] = 0, 0, 0.0
    return CONVERGED, count * every, -1, tally[3], marks[1]


@kernel
def contact_step(system, graph, schedule, knot, work, surfaces, scene):
    """Solve the interval that starts at the knot; (status, iterations, worst)."""
    options = schedule.options
    interval, trial, elements, limited = work.interval, work.trial, scene.elements, scene.limited
    expected_motion(system, options, knot, interval.force, scene.reach, scene.margin)
    spent, every_limit = 0, False
    for i in range(scene.kick.shape[0]):
        for l in range(6):
            scene.kick[i, l] = 0.0
    for c in range(scene.knock.shape[0]):
        for l in range(6):
            scene.knock[c, l] = 0.0
    while True:
        if not find_elements(system, options, knot, interval, surfaces, scene, every_limit):
            return ROOM, spent, -1
        if not pair_elements(system.mass.shape[0] - 1, elements, scene.pairs):
            return PAIRS, spent, -1
        bounce(system, graph, options.h, knot, work, scene, surfaces.geometry.contact)
        # first from close to the last step; then from rest, or with elements from far inside the cones
        age, far = knot.age[0], False
        if elements.used[0] > 0:
            age = min(age, 1)
        while True:
            aim(system, graph, schedule, knot, work, 0, age)
            if elements.used[0] == 0:
                status, iterations, worst = solve_interval(system, graph, options, knot, work)
            else:
                status, iterations, worst = solve_with_elements(system, graph, options, knot, work, scene, far)
            spent += iterations
            if status == CONVERGED or age < 0 or far:
                break
            if elements.used[0] > 0:
                far = True
            else:
                age = 1 if age > 1 else -1
        if status != CONVERGED:
            return status, spent, worst
        again = outgrown(options, trial.velocity, scene.reach, scene.margin)
        if limited.joint.shape[0] > 0 and not every_limit:
            if elements.used[0] == 0:
                place_end(system, options.h, knot, trial)
                evaluate_constraints(
                    system,
                    limited.watched,
                    knot.coordinates,
                    trial.position,
                    trial.orientation,
                    trial.value,
                    trial.jacobian,
                )
            every_limit = limit_passed(limited, trial.value)
            again = again or every_limit
        if not again:
            return CONVERGED, spent, -1


@kernel
def write_contact_knot(system, graph, options, knot, work, scene, record, row):
    """Record poses, velocities that respect joints and contacts, losses and the errors since the row before."""
    taken = project_knot(system, graph, options.h, knot, work, scene)
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
