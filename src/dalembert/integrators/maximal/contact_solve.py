"""One interval with contact: a primal-dual interior-point method with predictor and corrector.

The equations of the step, the gaps and the pairs of cones are one non-linear system; each iteration linearises it,
factors the graph once with all elements condensed into it, and solves twice: towards κ = 0, which tells how far the
barrier can be lowered, and towards the κ chosen with the second-order products of that attempt. [Nocedal & Wright 2006]
sections 14.2 and 19.3; for contact [Howell 2022]. [Brüdigam 2023] algorithm 5 is the basic form.
"""

from math import inf, isfinite, sqrt

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_condense import add_steps, add_targets, condense, recover
from dalembert.integrators.maximal.contact_elements import (
    BETA,
    CONE,
    IMPULSE,
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
    nearest,
    put_slips,
    slip_size,
)
from dalembert.integrators.maximal.contact_start import start_elements
from dalembert.integrators.maximal.graph_step import keep_trial, move_trial
from dalembert.integrators.maximal.graph_system import fill_step
from dalembert.integrators.maximal.knot import CONVERGED, NO_CONVERGENCE, NOT_FINITE, SINGULAR
from dalembert.linalg.factor import factor_revealing_rank
from dalembert.linalg.pivots import REGULAR
from dalembert.linalg.solve import solve, subtract_product
from dalembert.mechanics.constraint_graph import REDUNDANT
from dalembert.solve.barrier import centering, step_length
from dalembert.solve.cone import step_to_boundary, step_to_zero

WARM = 1e-6
"""Barrier parameter, in units of the elements, from which a step starts near the last one."""

COLD = 1e-2
"""From which it starts if that leads nowhere."""

CLOSED = 1e-15
"""Products of impulses and displacements, in units of the elements, that count as zero."""

LEAST = 2e-16
"""The barrier is not lowered below this."""

PATIENCE = 12
"""Iterations after which products below the tolerance of the step are enough."""

SHORT = 0.2
"""Part of a step that was taken below which the next one aims at the central path and not at the solution."""

WORSE = 10.0
"""How many times the largest residual may grow in an iteration before the step is shortened."""


@kernel
def direction(system, graph, h, work, elements, base, plain, solution, refinements, kappa):
    """Increments of bodies, multipliers and elements towards the barrier parameter κ; False if they are not finite.

    With ``refinements`` they are solved again so many times with what is left of the equations of the bodies, in which
    the elements' impulses appear as they are and not as stiffness times displacement: where γ/s is large, round-off in
    the first solution is as large as the impulses.
    """
    for i in range(work.rhs.shape[0]):
        work.rhs[i] = base[i]
    add_targets(system.mass.shape[0] - 1, graph.body_unknown, elements, kappa, work.rhs)
    solve(graph.pattern, work.values, work.rhs)
    finite = True
    for i in range(work.rhs.shape[0]):
        finite = finite and isfinite(work.rhs[i])
    spread(system, graph, work)
    recover(h, work.trial.velocity, work.pose_step, elements, kappa, False)
    for _ in range(refinements if finite else 0):
        for i in range(work.rhs.shape[0]):
            solution[i], work.rhs[i] = work.rhs[i], base[i]
        subtract_product(graph.pattern, plain, solution, work.rhs)
        add_steps(system.mass.shape[0] - 1, graph.body_unknown, elements, work.rhs)
        solve(graph.pattern, work.values, work.rhs)
        spread(system, graph, work)
        recover(h, work.trial.velocity, work.pose_step, elements, kappa, True)
        for i in range(work.rhs.shape[0]):
            work.rhs[i] += solution[i]
            finite = finite and isfinite(work.rhs[i])
        spread(system, graph, work)
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
def keep_off(elements):
    """Move what fell much nearer to the boundary than `nearest` allows back to a tenth of that.

    Gaps and slips, and impulses of friction at the edge of the cone: (x₀ − |β|) ψ is their product.
    """
    for k in range(elements.used[0]):
        if elements.whole[k, SIDED]:
            least = 0.1 * nearest(elements, k, elements.value[k, IMPULSE])
            elements.value[k, SLACK] = max(elements.value[k, SLACK], least)
        for c in range(3):
            if elements.whole[k, CONE + c]:
                least = 0.1 * nearest(elements, k, cone_size(elements, k, c))
                psi = max(elements.value[k, PSI + c], slip_size(elements, k, c) + least)
                elements.value[k, PSI + c] = psi
                x0, at = cone_size(elements, k, c), BETA + 2 * c
                beta = sqrt(elements.value[k, at] ** 2 + elements.value[k, at + 1] ** 2)
                most = x0 * (1.0 - min(0.5, least / psi))
                if beta > most:
                    elements.value[k, at] *= most / beta
                    elements.value[k, at + 1] *= most / beta


@kernel
def keep_products(elements, share):
    """Second-order products of the predictor, for the corrector; ``share`` is how much of it is possible."""
    for k in range(elements.used[0]):
        elements.second[k, 0] = share * elements.step[k, SLACK] * elements.step[k, IMPULSE]
        for c in range(3):
            at = 1 + 3 * c
            d0 = cone_size_step(elements, k, c)
            psi = elements.step[k, PSI + c]
            b1, b2 = elements.step[k, BETA + 2 * c], elements.step[k, BETA + 2 * c + 1]
            w1, w2 = elements.step[k, SLIPS + 2 * c], elements.step[k, SLIPS + 2 * c + 1]
            elements.second[k, at] = share * (d0 * psi + b1 * w1 + b2 * w2)
            elements.second[k, at + 1] = share * (d0 * w1 + psi * b1)
            elements.second[k, at + 2] = share * (d0 * w2 + psi * b2)


@kernel
def forget_products(elements):
    """No second-order products."""
    for k in range(elements.used[0]):
        for l in range(10):
            elements.second[k, l] = 0.0


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
    start_elements(elements, scene.memory, COLD if far else WARM, not far)
    evaluate_elements_trial(system, active, options.h, knot, work.interval, trial, watched, found, elements)
    defect, worst = largest_defect(system, active, options, trial, elements)
    taken = 1.0
    for iteration in range(1, options.max_iterations + 1):
        mean, largest = complementarity(elements, CLOSED)
        if not isfinite(defect) or not isfinite(mean):
            return NOT_FINITE, iteration, worst
        if defect <= options.tolerance and largest <= 1.0 and iteration > 1:
            return CONVERGED, iteration - 1, -1
        if defect <= options.tolerance and iteration > PATIENCE:
            # where impulses are not unique the last digits can take very long
            mean, largest = complementarity(elements, options.tolerance)
            if largest <= 1.0:
                return CONVERGED, iteration - 1, -1
        fill_step(system, graph, options.h, work.interval, trial, work.block, work.values, work.rhs)
        for i in range(base.shape[0]):
            base[i] = work.rhs[i]
        for i in range(work.values.shape[0]):
            scene.plain[i] = work.values[i]
        condense(graph, options.h, trial.velocity, elements, scene.pairs, work.values)
        status, node = factor_revealing_rank(
            graph.pattern, work.values, graph.closing, REDUNDANT, work.scratch, work.deficiency
        )
        if status != REGULAR:
            return SINGULAR, iteration, node
        forget_products(elements)
        if not direction(system, graph, options.h, work, elements, base, scene.plain, scene.solution, 0, 0.0):
            return NOT_FINITE, iteration, worst
        share = min(1.0, to_boundary(elements))
        move_elements(elements, share)
        predicted, _ = complementarity(elements, 1.0)
        move_elements(elements, -share)
        target = max(centering(mean, predicted), LEAST)
        keep_products(elements, share)
        if taken < SHORT:
            # some pair is much nearer to the boundary than the others: back to the central path first
            target = max(mean, LEAST) * min(10.0, SHORT / max(taken, 1e-3))
            forget_products(elements)
        if not direction(system, graph, options.h, work, elements, base, scene.plain, scene.solution, 2, target):
            return NOT_FINITE, iteration, worst
        share = step_length(to_boundary(elements), mean)
        taken = share
        keep_trial(work)
        halvings = 0
        moved = 0.0
        while True:
            inside = move_trial(system, options, work, share)
            move_elements(elements, share - moved)
            moved = share
            if inside:
                put_slips(elements, options.h, trial.velocity)
                keep_off(elements)
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
