"""One step with contact, in one interval or in several.

Where bodies meet hard, one interval can be too long: a body turns so far in it that the directions of the impulses, at
the knot, have little to do with the gaps at its end, and the equations may have no solution; or bodies reach each other
with parts that were far apart at the knot. What overlaps at the end of an interval enters it, and it is solved again;
where this does not do, and where no solution is found, the interval is taken in halves, and these in halves again. All
of them end at the knots of the run, and each is an interval like any other.
"""

from typing import Final

from dalembert._jit import kernel
from dalembert.contact.detect import find_features
from dalembert.contact.features import GEOM_A, GEOM_B, IDENTITY, STIFFNESS
from dalembert.contact.gaps import evaluate_feature
from dalembert.integrators.maximal.contact_elements import CONTACT, KIND, START
from dalembert.integrators.maximal.contact_find import (
    enter,
    expected_motion,
    find_elements,
    limit_passed,
    outgrown,
    pair_elements,
)
from dalembert.integrators.maximal.contact_forces import gather
from dalembert.integrators.maximal.contact_impact import bounce
from dalembert.integrators.maximal.contact_knot import count_losses
from dalembert.integrators.maximal.contact_memory import store_impulses
from dalembert.integrators.maximal.contact_solve import solve_with_elements
from dalembert.integrators.maximal.graph_step import aim, finish, set_compliance, solve_interval
from dalembert.integrators.maximal.knot import CONVERGED, Options, Schedule, copy_rows
from dalembert.integrators.maximal.residual import evaluate_knot, place_end
from dalembert.mechanics.constraints import evaluate_constraints

ROOM: Final = 100
"""Status: there are more features than there is room for."""
PAIRS: Final = 101
"""Status: two bodies meet that have no blocks."""
OVERLAP: Final = 102
"""Status: bodies overlap at the end of the interval where no element was."""

WHOLE: Final = 64
"""Parts of the shortest interval that make a step."""

CLEAR = 1e-6
"""Overlap at the end of an interval, in units of the typical length, that is no reason to solve it again."""

ROUNDS = 4
"""How often an interval is solved again with what overlapped at its end."""


@kernel
def whole_step(system, graph, schedule, knot, control, work, surfaces, scene):
    """Move the knot by one step; (status, iterations, worst node or element, largest violation of a joint).

    A step that fails leaves the knot where the step began. With ROOM or PAIRS it goes on when called again:
    ``scene.tally`` holds how many parts of it are left, and how many the next interval tries to take.
    """
    tally, owner, spent, violation = scene.tally, surfaces.geometry.contact, 0, 0.0
    if tally[4] == 0:
        tally[4], tally[5] = WHOLE, WHOLE
        keep_knot(knot, scene)
    while tally[4] > 0:
        size = tally[5]
        options = part_of(schedule.options, size)
        part = Schedule(options, schedule.share, schedule.rate_start, schedule.step_start)
        if scene.last[1] != options.h:
            set_compliance(system, graph, options.h, work.interval)
            scene.last[1] = options.h
        copy_rows(knot.momentum, scene.momentum)
        for k in range(4):
            scene.lost_before[k] = scene.lost[k]
        status, iterations, worst = one_interval(system, graph, part, knot, work, surfaces, scene)
        spent += iterations
        if status == OVERLAP and size == 1:
            status = CONVERGED
        if status != CONVERGED:
            copy_rows(scene.momentum, knot.momentum)
            for k in range(4):
                scene.lost[k] = scene.lost_before[k]
            if status == ROOM or status == PAIRS:
                return status, spent, worst, violation
            if size == 1 or scene.elements.used[0] == 0:
                restore_knot(knot, scene)
                tally[4] = 0
                return status, spent, worst, violation
            tally[5] = size // 2
            continue
        for i in range(scene.before.shape[0]):
            for l in range(6):
                scene.before[i, l] = knot.history[0, i, l] + scene.kick[i, l]
        first, whole = knot.age[0] == 0, tally[4] == WHOLE
        elements, trial = scene.elements, work.trial
        count_losses(system, options.h, first, work.interval.force, scene.before, trial.velocity, elements, scene.lost)
        gather(options.h, whole, knot.orientation, elements, owner, scene)
        store_impulses(options.h, elements, scene.memory)
        violation = max(violation, finish(system, graph, options, knot, control, work, 0))
        if scene.limited.joint.shape[0] + scene.limited.dry_joint.shape[0] > 0:
            evaluate_knot(system, scene.limited.watched, knot, work.interval)
        scene.last[0] = options.h
        for j in range(knot.multiplier.shape[0]):
            for c in range(6):
                if not whole:
                    knot.multiplier[j, c] += scene.reaction[j, c]
                scene.reaction[j, c] = knot.multiplier[j, c]
        tally[4] -= size
        if tally[4] % (2 * size) == 0 and tally[4] > 0:
            tally[5] = 2 * size
    if scene.last[1] != schedule.options.h:
        set_compliance(system, graph, schedule.options.h, work.interval)
        scene.last[1] = schedule.options.h
    # a step in parts counts as one
    knot.age[0] = min(knot.age[0], scene.saved.age[0] + 1)
    return CONVERGED, spent, -1, violation


@kernel
def part_of(options, size):
    """The options of an interval of so many parts."""
    return Options(
        options.h * size / WHOLE, options.tolerance, options.length, options.max_iterations, options.max_halvings
    )


@kernel
def keep_knot(knot, scene):
    """Remember where the step began."""
    copy_knot(knot, scene.saved)
    for k in range(4):
        scene.lost_saved[k] = scene.lost[k]


@kernel
def restore_knot(knot, scene):
    """Go back to there."""
    copy_knot(scene.saved, knot)
    for k in range(4):
        scene.lost[k] = scene.lost_saved[k]


@kernel
def copy_knot(source, target):
    """All that a step changes in a knot."""
    copy_rows(source.position, target.position)
    copy_rows(source.orientation, target.orientation)
    copy_rows(source.momentum, target.momentum)
    copy_rows(source.multiplier, target.multiplier)
    for k in range(source.history.shape[0]):
        copy_rows(source.history[k], target.history[k])
    for k in range(source.coordinates.shape[0]):
        target.coordinates[k] = source.coordinates[k]
    target.age[0] = source.age[0]


@kernel
def one_interval(system, graph, schedule, knot, work, surfaces, scene):
    """Solve the interval that starts at the knot; (status, iterations, worst)."""
    options = schedule.options
    interval, trial, elements, limited = work.interval, work.trial, scene.elements, scene.limited
    expected_motion(system, options, knot, interval.force, scene.reach, scene.margin)
    spent, every_limit, rounds = 0, False, 0
    scene.entered.used[0] = 0
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
        if again:
            continue
        if surfaces.geometry.kind.shape[0] == 0:
            return CONVERGED, spent, -1
        overlap, added = note_overlaps(system, options, knot, trial, surfaces, scene)
        if scene.after.missed[0] > 0:
            return ROOM, spent, -1
        if not overlap:
            return CONVERGED, spent, -1
        rounds += 1
        if added == 0 or rounds > ROUNDS:
            return OVERLAP, spent, -1


@kernel
def note_overlaps(system, options, knot, trial, surfaces, scene):
    """(whether bodies overlap at the end of the interval by more than they did anywhere at its knot, how many of the
    features there were new): these enter the interval when it is solved again."""
    after, elements, allowed = scene.after, scene.elements, CLEAR * options.length
    for k in range(elements.used[0]):
        if elements.whole[k, KIND] == CONTACT:
            allowed = max(allowed, -elements.fixed[k, START])
    place_end(system, options.h, knot, trial)
    find_features(surfaces.geometry, surfaces.search, trial.position, trial.orientation, scene.nothing, after)
    overlap, added = False, 0
    for f in range(after.used[0]):
        if after.numbers[f, STIFFNESS] > 0.0:
            continue
        gap, _, _, _ = evaluate_feature(after.integers, after.numbers, f, trial.position, trial.orientation)
        if gap < -allowed:
            overlap = True
            if not known(scene.found, after, f):
                added += 1
                enter(scene.entered, after, f)
    return overlap, added


@kernel
def known(found, other, f):
    """Whether feature f of others is among those found."""
    for k in range(found.used[0]):
        if (
            found.integers[k, GEOM_A] == other.integers[f, GEOM_A]
            and found.integers[k, GEOM_B] == other.integers[f, GEOM_B]
            and found.integers[k, IDENTITY] == other.integers[f, IDENTITY]
        ):
            return True
    return False
