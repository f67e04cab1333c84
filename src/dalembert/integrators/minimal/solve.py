"""The root of a step: a start, increments until they are small, a line search where they do not shrink.

All directions are judged alike, by the size of the next increment in units of length and angle: whatever the masses,
it says how far the trial is from the root, and its ratio Θ to the one before what the next one will be [Deuflhard
2004]. An iteration is one evaluation of the residual.

exact     the elimination is kept while Θ is small, and not even a first increment is confirmed when the constant of
          quadratic convergence, as last observed, says that it was enough
newton    a new Jacobian in every iteration
riqn      one elimination a step, at the knot: linear convergence, with a ratio of the order of the turn per step
broyden   the same, and what the steps taken have taught

For open trees ``loops`` is None, and what it takes to close loops is not even compiled.
"""

from math import isfinite
from typing import Final

from dalembert._jit import kernel
from dalembert.integrators.maximal.knot import CONVERGED, NO_CONVERGENCE, NO_DESCENT, NOT_FINITE, SINGULAR, TOO_FAST
from dalembert.integrators.maximal.tree_loop_sweep import reduce_all, spread_all
from dalembert.integrators.maximal.tree_plan import BODY, TURN
from dalembert.integrators.maximal.tree_step import keep_steps, start_steps, take_steps, worst_body
from dalembert.integrators.minimal.broyden import learned
from dalembert.integrators.minimal.drnea import move
from dalembert.integrators.minimal.elimination import eliminate
from dalembert.integrators.minimal.increments import spread_at_knot, twists
from dalembert.integrators.minimal.knot_elimination import eliminate_at_knot
from dalembert.integrators.minimal.loop_solve import close_loops
from dalembert.integrators.minimal.loops import (
    add_wrench,
    impulse_wrench,
    keep_impulses,
    start_impulses,
    take_impulses,
)
from dalembert.integrators.minimal.memory import BROYDEN, EXACT, EXTRAPOLATION, IG1, IG3, NEWTON, RIQN
from dalembert.integrators.minimal.newton import newton_increment

CAUTION: Final = 100.0
"""Factor on errors predicted from the last two increments."""

FORESIGHT: Final = 1e4
"""Factor on errors predicted from the constant of earlier steps, as in `maximal.tree_step`."""

REUSE: Final = 0.1
"""Largest ratio of successive increments for which the exact direction keeps its elimination."""

STALLED: Final = 0.9
"""Ratio at which the increments of the linearly convergent directions do not shrink any more."""

NOISE: Final = 1e-11
"""An increment below this, in scaled units, that does not shrink any more is rounding error."""


@kernel
def increment(slot, row, dof, options, root, loops, knot, afresh, count):
    """NEWTON ← the method's next increment from the steps at hand; (size, body without pivot or −1).

    ``afresh``: with a new elimination; ``count``: increments taken before in this step.
    """
    move(slot, row, dof, options.h)
    if loops is not None:
        impulse_wrench(loops, loops.interval.jacobian, loops.impulse)
        add_wrench(slot, row, loops, knot.orientation)
    worst = -1
    if root.method == NEWTON:
        newton_increment(slot, row, dof, options.h, root)
        return twists(slot, row, dof, options.length), worst
    if root.method == EXACT:
        if afresh:
            worst = eliminate(slot, row, dof, options.h)
        reduce_all(slot, row, dof, None)
        size = spread_all(slot, row, dof, None, options.length)
    else:
        reduce_all(slot, row, dof, None)
        size = spread_at_knot(slot, row, dof, options.length)
    if loops is not None:
        size = close_loops(slot, row, dof, options, root, loops, knot, afresh)
    if root.method == BROYDEN:
        learned(dof, root, count)
        size = twists(slot, row, dof, options.length)
    return size, worst


@kernel
def start(slot, row, dof, options, root, loops, knot, guess):
    """The first trial; (evaluations, slot without pivot or −1). [Lee 2016] section 3.3 and, beyond it, extrapolation.

    IG3's acceleration is that of the discrete balance of impulses, M(q_k)⁻¹ of the residual that the last step leaves:
    h q̇ + h² q̈ up to h³, from the same recursion as RIQN's direction.
    """
    worst = -1
    if root.method == RIQN or root.method == BROYDEN or guess == IG3:
        worst = eliminate_at_knot(slot, row, dof, options.h)
    if guess == EXTRAPOLATION:
        start_steps(slot, row, dof, max(knot.age[0], 1))
        return 0, worst
    start_steps(slot, row, dof, -1 if guess == IG1 else 1)
    if guess != IG3:
        return 0, worst
    move(slot, row, dof, options.h)
    reduce_all(slot, row, dof, None)
    spread_at_knot(slot, row, dof, options.length)
    if loops is not None:
        close_loops(slot, row, dof, options, root, loops, knot, True)
    take_whole(slot, row, dof, loops)
    return 1, worst


@kernel
def solve_steps(slot, row, dof, options, root, loops, knot, guess):
    """Find the steps; (status, evaluations of the residual, worst body).

    TURN, MOMENTUM and WRENCH belong to the solution afterwards.
    """
    newton_constant = knot.newton_constant
    if loops is not None:
        start_impulses(loops)
    spent, worst = start(slot, row, dof, options, root, loops, knot, guess)
    if worst >= 0:
        return SINGULAR, spent, slot[worst, BODY]
    size, worst = increment(slot, row, dof, options, root, loops, knot, True, 0)
    fresh, taken = True, 0
    while True:
        spent += 1
        if worst >= 0:
            return SINGULAR, spent, slot[worst, BODY]
        if not isfinite(size):
            return NOT_FINITE, spent, worst_body(slot, row, dof, options)
        take_whole(slot, row, dof, loops)
        taken += 1
        expected = FORESIGHT * newton_constant[0] * size
        if root.method == EXACT and fresh and 0.0 < expected * size <= options.tolerance:
            # the constant is trusted a little less each time that it is not observed
            newton_constant[0] *= 1.1
            break
        status, evaluations, found, share = descend(slot, row, dof, options, root, loops, knot, size, taken)
        spent += evaluations
        if status != CONVERGED:
            return status, spent, worst_body(slot, row, dof, options)
        if share == 0.0:
            break
        ratio = found / size if size > 0.0 else 0.0
        if root.method == EXACT and fresh and share == 1.0 and size > 1e-7:
            newton_constant[0] = max(found / (size * size), 0.5 * newton_constant[0])
        left = ratio * ratio * found if root.method == NEWTON else ratio * found
        if share == 1.0 and (found <= options.tolerance or CAUTION * left <= options.tolerance):
            take_whole(slot, row, dof, loops)
            break
        if size <= NOISE and ratio > (REUSE if root.method == EXACT or root.method == NEWTON else STALLED):
            break
        if spent >= options.max_iterations:
            return NO_CONVERGENCE, spent, worst_body(slot, row, dof, options)
        fresh = root.method == EXACT and (share < 1.0 or ratio > REUSE)
        size = found
        if fresh:
            size, worst = increment(slot, row, dof, options, root, loops, knot, True, taken)
        else:
            # this evaluation has been counted
            spent -= 1
    move(slot, row, dof, options.h)
    return checked(slot, row, spent)


@kernel
def take_whole(slot, row, dof, loops):
    """Keep the trial and the increment found there, and take all of it."""
    keep_steps(slot, row, dof)
    take_steps(slot, row, dof, 1.0)
    if loops is not None:
        keep_impulses(loops)
        take_impulses(loops, 1.0)


@kernel
def descend(slot, row, dof, options, root, loops, knot, size, taken):
    """The increment after one of ``size``, which is taken back by halves until the next is smaller.

    (status, evaluations, size, share that was taken); a share of zero says that only rounding error is left.
    """
    share, halvings = 1.0, 0
    found, _ = increment(slot, row, dof, options, root, loops, knot, False, taken)
    if root.method == BROYDEN:
        # its increments need not shrink, and its memory knows whole ones only
        return CONVERGED if isfinite(found) else NO_DESCENT, 1, found, share
    while not found <= (1.0 - 0.25 * share if root.method == EXACT else 1.0) * size:
        if size <= NOISE and found <= NOISE:
            return CONVERGED, halvings + 1, found, 0.0
        if halvings == options.max_halvings:
            return NO_DESCENT, halvings + 1, found, share
        halvings += 1
        share *= 0.5
        take_steps(slot, row, dof, share)
        if loops is not None:
            take_impulses(loops, share)
        found, _ = increment(slot, row, dof, options, root, loops, knot, False, taken)
    return CONVERGED, halvings + 1, found, share


@kernel
def checked(slot, row, spent):
    """A body that turned by half a revolution or more in the step has two answers: refuse."""
    for i in range(slot.shape[0] - 1):
        if not row[i, TURN] > 0.0:
            return TOO_FAST, spent, slot[i, BODY]
    return CONVERGED, spent, -1
