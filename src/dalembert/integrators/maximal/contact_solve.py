"""One interval with contact: a primal-dual interior-point method with predictor and corrector.

The equations of the step, the gaps and the pairs of cones are one non-linear system; each iteration linearises it,
factors the graph once with all elements condensed into it, and solves twice: towards κ = 0, which tells how far the
barrier can be lowered, and towards the κ chosen with the second-order products of that attempt. [Nocedal & Wright 2006]
sections 14.2 and 19.3; for contact [Howell 2022]. [Brüdigam 2023] algorithm 5 is the basic form.
"""

from math import inf, isfinite

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_condense import add_targets, condense, recover
from dalembert.integrators.maximal.contact_elements import (
    BETA,
    CONE,
    GAP,
    IMPULSE,
    LENGTH,
    MEASURE,
    MU,
    NORMAL,
    PSI,
    SIDED,
    SLACK,
    SLIPS,
    VALUES,
)
from dalembert.integrators.maximal.contact_rows import (
    complementarity,
    cone_size,
    evaluate_elements_trial,
    largest_defect,
    put_slips,
)
from dalembert.integrators.maximal.contact_start import start_elements
from dalembert.integrators.maximal.graph_step import keep_trial, move_trial
from dalembert.integrators.maximal.graph_system import fill_step
from dalembert.integrators.maximal.knot import CONVERGED, NO_CONVERGENCE, NOT_FINITE, SINGULAR
from dalembert.linalg.pivots import REGULAR
from dalembert.linalg.stiff import factor_stiff, solve_stiff
from dalembert.mechanics.constraint_graph import REDUNDANT
from dalembert.solve.barrier import centering, step_length
from dalembert.solve.cone import second_order, step_to_boundary, step_to_zero

WARM = 1e-6
"""Barrier parameter, in units of the elements, from which a step starts near the last one."""

COLD = 1e-2
"""From which it starts if that leads nowhere."""

LEAST = 2e-16
"""The barrier is not lowered below this."""

PATIENCE = 12
"""Iterations after which products below the tolerance of the step are enough."""

SHORT = 0.2
"""Part of a step below which it is a short one."""

STALLED = 5
"""Short steps in a row that are not waited for to end."""

HARMFUL = 0.5
"""Part of the predictor's step that the corrector must reach to be followed."""

MILD = 0.1
"""How much the barrier is lowered in a step without corrector."""

WORSE = 10.0
"""How many times the largest residual may grow in an iteration before the step is shortened."""


@kernel
def direction(system, graph, h, work, scene, kappa):
    """Increments of bodies, multipliers and elements towards the barrier parameter κ; False if they are not finite."""
    elements = scene.elements
    for i in range(work.rhs.shape[0]):
        work.rhs[i] = scene.base[i]
    add_targets(system.mass.shape[0] - 1, graph.body_unknown, elements, kappa, work.rhs)
    solve_stiff(graph.pattern, work.values, work.scratch, scene.exchange, work.deficiency, work.rhs)
    finite = True
    for i in range(work.rhs.shape[0]):
        finite = finite and isfinite(work.rhs[i])
    spread(system, graph, work)
    recover(h, work.trial.velocity, work.pose_step, elements, kappa)
    return finite


@kernel
def spread(system, graph, work):
    """Increments of bodies and multipliers out of the solution."""
    for i in range(system.mass.shape[0] - 1):
        row = graph.body_unknown[i]
        for k in range(6):
            work.pose_step[i, k] = work.rhs[row + k]
    for j in range(graph.n_rows.shape[0]):
        row = graph.joint_unknown[j]
        for r in range(graph.n_rows[j]):
            c = graph.component[j, r]
            work.impulse_step[j, c] = work.rhs[row + r] - work.trial.multiplier[j, c]


@kernel
def cone_size_step(elements, k, c):
    """Increment of `cone_size`."""
    return elements.fixed[k, MU + c] * elements.step[elements.whole[k, NORMAL], IMPULSE]


@kernel
def to_boundary(elements):
    """How much of the increments leads to the boundary of the cones."""
    most = inf
    for k in range(elements.used[0]):
        if elements.whole[k, SIDED]:
            most = min(most, step_to_zero(elements.value[k, SLACK], elements.step[k, SLACK]))
            most = min(most, step_to_zero(elements.value[k, IMPULSE], elements.step[k, IMPULSE]))
        for c in range(3):
            if elements.whole[k, CONE + c]:
                size, d_size = cone_size(elements, k, c), cone_size_step(elements, k, c)
                b1, b2 = elements.value[k, BETA + 2 * c], elements.value[k, BETA + 2 * c + 1]
                d1, d2 = elements.step[k, BETA + 2 * c], elements.step[k, BETA + 2 * c + 1]
                most = min(most, step_to_boundary(size, b1, b2, d_size, d1, d2))
                w1, w2 = elements.value[k, SLIPS + 2 * c], elements.value[k, SLIPS + 2 * c + 1]
                d1, d2 = elements.step[k, SLIPS + 2 * c], elements.step[k, SLIPS + 2 * c + 1]
                most = min(
                    most, step_to_boundary(elements.value[k, PSI + c], w1, w2, elements.step[k, PSI + c], d1, d2)
                )
    return most


@kernel
def move_elements(elements, share):
    """Add a share of the increments; slips follow from the velocities."""
    for k in range(elements.used[0]):
        for l in range(VALUES):
            elements.value[k, l] += share * elements.step[k, l]


@kernel
def keep_products(elements, share):
    """Second-order products of the predictor, for the corrector; ``share`` is how much of it is possible."""
    for k in range(elements.used[0]):
        elements.second[k, 0] = share * elements.step[k, SLACK] * elements.step[k, IMPULSE]
        for c in range(3):
            if not elements.whole[k, CONE + c]:
                continue
            value, step, at = elements.value, elements.step, 2 * c
            t0, t1, t2 = second_order(
                cone_size(elements, k, c),
                value[k, BETA + at],
                value[k, BETA + at + 1],
                value[k, PSI + c],
                value[k, SLIPS + at],
                value[k, SLIPS + at + 1],
                cone_size_step(elements, k, c),
                step[k, BETA + at],
                step[k, BETA + at + 1],
                step[k, PSI + c],
                step[k, SLIPS + at],
                step[k, SLIPS + at + 1],
            )
            at = 1 + 3 * c
            elements.second[k, at] = share * t0
            elements.second[k, at + 1], elements.second[k, at + 2] = share * t1, share * t2


@kernel
def forget_products(elements):
    """No second-order products."""
    for k in range(elements.used[0]):
        for l in range(10):
            elements.second[k, l] = 0.0


@kernel
def starting_barrier(elements):
    """The barrier parameter for a start from the last step: the square of the largest overlap to which that would lead.

    An impulse that undoes an overlap is as large in units of the elements, so this is where their product begins.
    """
    overlap = 0.0
    for k in range(elements.used[0]):
        if elements.whole[k, SIDED]:
            gap = elements.fixed[k, MEASURE] * elements.fixed[k, GAP] + elements.fixed[k, MEASURE + 1]
            overlap = max(overlap, -gap / elements.fixed[k, LENGTH])
    return min(COLD, max(WARM, overlap * overlap))


@kernel
def solve_with_elements(system, graph, options, knot, work, scene, far):
    """Solve the interval from the velocities in the trial; (status, iterations, worst node or element).

    It starts from the impulses of the last step and close to the boundary, or ``far`` from it and without them.
    """
    active, trial, elements = graph.active, work.trial, scene.elements
    watched, found, base = scene.limited.watched, scene.found, scene.base
    forget_products(elements)
    put_slips(elements, options.h, trial.velocity)
    evaluate_elements_trial(system, active, options.h, knot, work.interval, trial, watched, found, elements)
    start_elements(options.h, elements, scene.memory, COLD if far else starting_barrier(elements), not far)
    evaluate_elements_trial(system, active, options.h, knot, work.interval, trial, watched, found, elements)
    defect, worst = largest_defect(system, active, options, trial, elements)
    short = 0
    for iteration in range(1, options.max_iterations + 1):
        mean, largest, ratio = complementarity(elements, options.tolerance)
        if not isfinite(defect) or not isfinite(mean):
            return NOT_FINITE, iteration, worst
        if defect <= options.tolerance and ratio <= 1.0 and iteration > 1:
            return CONVERGED, iteration - 1, -1
        if defect <= options.tolerance and iteration > PATIENCE and largest <= options.tolerance:
            # where impulses are not unique the last digits can take very long
            return CONVERGED, iteration - 1, -1
        fill_step(system, graph, options.h, work.interval, trial, work.block, work.values, work.rhs)
        for i in range(base.shape[0]):
            base[i] = work.rhs[i]
        condense(graph, options.h, trial.velocity, elements, scene.pairs, work.values)
        status, node = factor_stiff(
            graph.pattern, work.values, graph.closing, REDUNDANT, work.scratch, scene.exchange, work.deficiency
        )
        if status != REGULAR:
            return SINGULAR, iteration, node
        forget_products(elements)
        if not direction(system, graph, options.h, work, scene, 0.0):
            return NOT_FINITE, iteration, worst
        share = min(1.0, to_boundary(elements))
        move_elements(elements, share)
        predicted, _, _ = complementarity(elements, 1.0)
        move_elements(elements, -share)
        target = max(centering(mean, predicted), LEAST)
        keep_products(elements, share)
        if not direction(system, graph, options.h, work, scene, target):
            return NOT_FINITE, iteration, worst
        boundary = to_boundary(elements)
        if boundary < HARMFUL * share:
            # what the corrector adds does harm where the path towards κ = 0 bends
            forget_products(elements)
            direction(system, graph, options.h, work, scene, max(MILD * mean, LEAST))
            boundary = to_boundary(elements)
        share = step_length(boundary, mean)
        short = short + 1 if share < SHORT else 0
        if short > STALLED:
            return NO_CONVERGENCE, iteration, worst
        keep_trial(work)
        halvings = 0
        moved = 0.0
        while True:
            inside = move_trial(system, options, work, share)
            move_elements(elements, share - moved)
            moved = share
            if inside:
                put_slips(elements, options.h, trial.velocity)
                evaluate_elements_trial(system, active, options.h, knot, work.interval, trial, watched, found, elements)
                reached, worst = largest_defect(system, active, options, trial, elements)
                if reached <= max(WORSE * defect, 1e-6) or halvings >= options.max_halvings:
                    break
            elif halvings >= options.max_halvings:
                return NO_CONVERGENCE, iteration, worst
            share *= 0.5
            halvings += 1
        defect = reached
    return NO_CONVERGENCE, options.max_iterations, worst
