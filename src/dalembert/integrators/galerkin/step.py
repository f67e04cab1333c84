"""One step by cheap increments or Newton's method.

Where the motion within a step is smooth, increments by the mass matrix alone (`quick`) lead to the solution first.

An elimination costs several times what the equations and a substitution cost, the more the higher the degree. So an
increment with fresh pivots is followed by increments with the same ones (*simplified*, [Deuflhard 2004] section 3.3),
whose sizes also tell how far the solution is, in units of the unknowns and whatever the masses: with the ratio
Θ = |increment| / |increment before|, what is left after taking an increment of size e is about Θ e/(1 − Θ), and the
number of increments still to come is that of powers of Θ; where it is larger than `PATIENCE` the pivots are renewed.
A fresh increment e leaves c e², with c = Θ/e as last observed.

A trial whose increments do not shrink is taken back by halves, as is one in which a ball turns by half a revolution.
"""

from math import isfinite, log
from typing import Final, NamedTuple

from dalembert._jit import kernel
from dalembert.integrators.galerkin.advance import COASTING, GOING_ON, RESTING, move_on, start_increments
from dalembert.integrators.galerkin.chart import FARTHEST
from dalembert.integrators.galerkin.eliminate import eliminate
from dalembert.integrators.galerkin.motion import follow
from dalembert.integrators.galerkin.plan import BALL, DOFS, FIRST, MOTION
from dalembert.integrators.galerkin.point_step import take_point_step
from dalembert.integrators.galerkin.quick import factor_mass, quick_increment
from dalembert.integrators.galerkin.residual import evaluate
from dalembert.integrators.galerkin.substitute import largest, substitute

CONVERGED: Final = 0
NO_CONVERGENCE: Final = 1
NO_DESCENT: Final = 2
SINGULAR: Final = 3
NOT_FINITE: Final = 4
TOO_FAST: Final = 5

FORESIGHT: Final = 100.0
"""Factor on an error predicted from the constant of an earlier step."""

UNFORESEEN: Final = 1e100
"""The factor where the pivots leave forces out (those of user potentials), so that errors do not shrink by squares."""

PATIENCE: Final = 4.0
"""How many simplified increments are cheaper than an elimination."""

NOISE: Final = 1e-10
"""An increment below this that does not shrink any more is rounding error."""


SLOW: Final = 0.5
"""Ratio of successive cheap increments above which Newton's method is the better one."""

MOST_CHEAP: Final = 30
"""So many cheap increments cost as much as an elimination."""

CAUTIOUS: Final = 10
"""Steps by Newton's method after one in which cheap increments did not do."""

FAR: Final = 1e300
"""Stands for the increment where a ball turns by half a revolution."""


class Options(NamedTuple):
    """Numbers that govern a step."""

    h: float
    """Step size in seconds."""
    tolerance: float
    """Largest error left in an increment, in radians or parts of ``length``."""
    length: float
    """Typical length of the mechanism in metres."""
    max_iterations: int
    max_halvings: int
    foresight: float
    """`FORESIGHT` or `UNFORESEEN`."""
    gx: float
    gy: float
    gz: float


@kernel
def try_increments(plan, rule, options, knot, outside, path):
    """All that follows from the increments at hand."""
    follow(plan, rule, knot, options.h, path)
    evaluate(plan, rule, knot, outside, (options.gx, options.gy, options.gz), options.h, path)


@kernel
def take(path, solver, share):
    """The kept increments and ``share`` of the kept direction."""
    for g in range(path.delta.shape[0]):
        for v in range(path.delta.shape[1]):
            path.delta[g, v] = solver.old_delta[g, v] + share * solver.old_x[g, v]


@kernel
def keep(path, solver):
    """Remember where the increments are and where the last solution points."""
    for g in range(path.delta.shape[0]):
        for v in range(path.delta.shape[1]):
            solver.old_delta[g, v] = path.delta[g, v]
            solver.old_x[g, v] = solver.x[g, v]


@kernel
def fastest_ball(plan, path):
    """(node, square of its largest turn) of the ball that turns farthest in the step."""
    worst, farthest = -1, 0.0
    for i in range(plan.node.shape[0] - 1):
        if plan.node[i, MOTION] == BALL:
            v = plan.node[i, FIRST]
            for g in range(path.delta.shape[0]):
                square = path.delta[g, v] ** 2 + path.delta[g, v + 1] ** 2 + path.delta[g, v + 2] ** 2
                if square > farthest:
                    worst, farthest = i, square
    return worst, farthest


@kernel
def next_increment(plan, rule, options, path, solver):
    """Size of the increment that the equations of the trial call for; infinite if a ball turns too far."""
    _, farthest = fastest_ball(plan, path)
    if farthest > FARTHEST * FARTHEST:
        return FAR
    substitute(plan, rule, options.h, path.residual, solver)
    return largest(plan, solver.x, options.length)


@kernel
def worst_node(plan, solver):
    """The node with the largest increment, or one whose increment is no number."""
    worst, size = -1, 0.0
    for i in range(plan.node.shape[0] - 1):
        for v in range(plan.node[i, FIRST], plan.node[i, FIRST] + plan.node[i, DOFS]):
            for g in range(solver.x.shape[0]):
                value = abs(solver.x[g, v])
                if not value <= size:
                    worst, size = i, value
    return worst


@kernel
def take_cheap_step(plan, rule, options, knot, outside, path, solver, quick):
    """Try to solve the step by the increments of `quick`; (whether it is solved, how many)."""
    last = 0.0
    for count in range(1, MOST_CHEAP + 1):
        try_increments(plan, rule, options, knot, outside, path)
        if last < 0.0:
            return True, count - 1
        _, farthest = fastest_ball(plan, path)
        if farthest > FARTHEST * FARTHEST:
            break
        if count == 1:
            factor_mass(plan, path, quick)
        quick_increment(plan, options.h, path, quick, solver.x)
        size = largest(plan, solver.x, options.length)
        ratio = size / last if last > 0.0 else SLOW
        noise = size <= NOISE and ratio > SLOW
        if not (isfinite(size) and (ratio <= SLOW or noise)):
            break
        for g in range(path.delta.shape[0]):
            for v in range(path.delta.shape[1]):
                path.delta[g, v] += solver.x[g, v]
        done = noise or (last > 0.0 and ratio * size <= (1.0 - ratio) * options.tolerance) or size == 0.0
        last = -1.0 if done else size
    return False, MOST_CHEAP


@kernel
def take_step(plan, rule, options, knot, outside, path, solver, quick, points):
    """Find the increments of a step and move on to its end; (status, iterations, worst node).

    Cheap increments first. What they do not solve is Newton's:

    One loop around one place where a trial is evaluated, one where it is eliminated and one where it is solved, since
    every place is machine code. ``fresh`` says that the increment just taken is the first with its pivots.
    """
    gravity = (options.gx, options.gy, options.gz)
    start = GOING_ON if knot.age[0] > 0 else COASTING
    if knot.patience[0] > 0:
        knot.patience[0] -= 1
    elif options.foresight == FORESIGHT:
        caution = CAUTIOUS
        if points.usable:
            solved, cheap = take_point_step(plan, rule, options, knot, outside, points, start)
            if not solved and start == GOING_ON:
                solved, cheap = take_point_step(plan, rule, options, knot, outside, points, COASTING)
            # a trial by lanes costs so little that every step may begin with one
            caution = 0
        else:
            start_increments(plan, rule, options.h, knot, path, start)
            solved, cheap = take_cheap_step(plan, rule, options, knot, outside, path, solver, quick)
            if solved:
                move_on(plan, rule, options.h, knot, path)
        if solved:
            return CONVERGED, cheap, -1
        knot.patience[0] = caution
    start_increments(plan, rule, options.h, knot, path, start)
    renew, tried, last, fresh = True, False, False, False
    size, share, iterations, halvings = 0.0, 1.0, 0, 0
    while True:
        status, worst = CONVERGED, -1
        if not tried:
            try_increments(plan, rule, options, knot, outside, path)
            if last:
                break
        if renew:
            iterations += 1
            worst = eliminate(plan, rule, knot, outside, gravity, options.h, path, solver)
        found = next_increment(plan, rule, options, path, solver)
        tried = False
        if renew:
            size, share, halvings, renew, fresh = found, 1.0, 0, False, True
            if worst >= 0:
                status = SINGULAR
            elif not isfinite(size):
                status, worst = NOT_FINITE, worst_node(plan, solver)
            elif size == FAR:
                status, worst = TOO_FAST, fastest_ball(plan, path)[0]
            else:
                keep(path, solver)
                take(path, solver, 1.0)
                last = 0.0 < options.foresight * knot.newton_constant[0] * size * size <= options.tolerance
                if last:
                    # the constant is trusted a little less each time that it is not observed
                    knot.newton_constant[0] *= 1.1
        elif fresh and not found <= (1.0 - 0.25 * share) * size:
            if size <= NOISE and found <= NOISE:
                break
            halvings += 1
            share *= 0.5
            take(path, solver, share)
            if halvings > options.max_halvings:
                status, worst = (TOO_FAST if found == FAR else NO_DESCENT), worst_node(plan, solver)
        elif share < 1.0:
            renew, tried = True, True
        else:
            if fresh and size > 1e-7:
                knot.newton_constant[0] = max(found / (size * size), 0.5 * knot.newton_constant[0])
            fresh = False
            ratio = found / size if size > 0.0 else 0.0
            left = found / max(1.0 - ratio, 0.1)
            if left <= options.tolerance or (size <= NOISE and ratio > 0.5):
                break
            last = ratio * left <= options.tolerance
            # log left + k log Θ = log tol after k more increments
            if not last and log(options.tolerance / left) < PATIENCE * log(min(ratio, 0.9)):
                renew, tried = True, True
            else:
                size = found
                keep(path, solver)
                take(path, solver, 1.0)
        if status == CONVERGED and renew and iterations == options.max_iterations:
            status, worst = NO_CONVERGENCE, worst_node(plan, solver)
        if status != CONVERGED:
            # where the motion is too rough to continue, a simpler start may be the better one
            if start == RESTING:
                return status, iterations, worst
            start -= 1
            start_increments(plan, rule, options.h, knot, path, start)
            renew, tried, last, iterations = True, False, False, 0
    move_on(plan, rule, options.h, knot, path)
    return CONVERGED, iterations, -1
