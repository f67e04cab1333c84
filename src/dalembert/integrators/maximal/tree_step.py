"""One step by Newton's method on the tree.

An increment solved with the pivots of an earlier iterate (a *simplified* increment) costs a third of a full one: no
elimination, only a sweep of wrenches inward and one of twists outward. It is also the natural measure of how far a
trial is from the solution, in units of the unknowns themselves and whatever the masses [Deuflhard 2004, section 3.3].
So each full increment is followed by a simplified one:

    ratio Θ = |simplified| / |increment before|     Θ ≥ 1 − share/4: halve the step;
    Θ small: take the simplified increment too and go on with the same pivots;     otherwise: eliminate afresh.

The error left after taking an increment of size e₁ that was found with ratio Θ is Θ e₁. After a full increment e₀ it is
c e₀², with c = Θ/e₀ as last observed: when that is below the tolerance, not even the simplified increment is computed.
"""

from math import isfinite, sqrt
from typing import Final

from dalembert._jit import inlined, kernel
from dalembert.integrators.maximal.knot import (
    CONVERGED,
    NO_CONVERGENCE,
    NO_DESCENT,
    NOT_FINITE,
    PAST_STEPS,
    SINGULAR,
    TOO_FAST,
)
from dalembert.integrators.maximal.tree_loop_knot import close_interval, violation
from dalembert.integrators.maximal.tree_loop_sweep import gather_all, reduce_all, spread_all
from dalembert.integrators.maximal.tree_motion import get4, swing
from dalembert.integrators.maximal.tree_path import follow
from dalembert.integrators.maximal.tree_plan import (
    ANGLE,
    BODY,
    COSINE,
    DOFS,
    FIRST,
    FREE_TURN,
    NEWTON,
    OLD_COSINE,
    OLD_NEWTON,
    OLD_STEP,
    PARENT,
    PAST,
    STEP,
    TURN,
    TURNING,
    TWIST,
    TWO_ANGLES,
)
from dalembert.spatial.quaternion import multiply

CAUTION: Final = 100.0
"""Factor on errors predicted from the last two increments."""

FORESIGHT: Final = 1e4
"""Factor on errors predicted from the constant of earlier steps, which changes along a motion.

An error of a position is one of the velocity h times smaller that stays in the momentum, so a run is to 1/h times the
error of its steps: these factors keep a run of 10 s at a tolerance of 1e-10 within 1e-9 of the exact steps.
"""

REUSE: Final = 0.1
"""Largest ratio of successive increments for which the pivots are kept."""

NOISE: Final = 1e-11
"""An increment below this, in scaled units, that does not shrink any more is rounding error."""

SLACK: Final = 10.0
"""Factor on the tolerance up to which a loop may be open after a step: more, and the iteration goes on.

Where bars line up, a direction of a loop is dropped from the linear systems, and increments alone do not tell that it
has closed.
"""

FLOOR: Final = 1e-11
"""A loop that is open by less (m or rad) is closed to rounding error."""


@kernel
def start_substeps(slot, row, dof, weights, age):
    """Extrapolate the last ``age`` steps with their ``weights`` (5, 4), see `composition`.

    At the start of a run, ``age`` 0, a step at the knot's velocity serves; below that, nothing moves.
    """
    known = min(max(age, 0), PAST_STEPS)
    w0, w1, w2, w3 = weights[known, 0], weights[known, 1], weights[known, 2], weights[known, 3]
    if age < 0:
        w0 = 0.0
    for v in range(dof.shape[0]):
        recent = w0 * dof[v, PAST] + w1 * dof[v, PAST + 1]
        dof[v, STEP] = recent + (w2 * dof[v, PAST + 2] + w3 * dof[v, PAST + 3])
    _start_turns(slot, dof)


@kernel
def start_steps(slot, row, dof, age):
    """The same for steps of one length: constant, linear or quadratic."""
    for v in range(dof.shape[0]):
        step = dof[v, PAST] if age >= 0 else 0.0
        if age >= 3:
            step = 3.0 * (step - dof[v, PAST + 1]) + dof[v, PAST + 2]
        elif age == 2:
            step = 2.0 * step - dof[v, PAST + 1]
        dof[v, STEP] = step
    _start_turns(slot, dof)


@kernel
def _start_turns(slot, dof):
    """COSINE of all turns from their STEP."""
    for i in range(slot.shape[0] - 1):
        turning = slot[i, TURNING]
        last = slot[i, FIRST] + slot[i, DOFS] - 1
        if turning == ANGLE:
            _start_angle(dof, last)
        elif turning == TWO_ANGLES:
            _start_angle(dof, last - 1)
            _start_angle(dof, last)
        elif turning == FREE_TURN:
            v = last - 2
            square = dof[v, STEP] ** 2 + dof[v + 1, STEP] ** 2 + dof[v + 2, STEP] ** 2
            if square > 0.75:
                for c in range(3):
                    dof[v + c, STEP] = dof[v + c, PAST]
                square = dof[v, STEP] ** 2 + dof[v + 1, STEP] ** 2 + dof[v + 2, STEP] ** 2
            dof[v, COSINE] = sqrt(max(0.0, 1.0 - square))


@kernel
def _start_angle(dof, v):
    # beyond 120° a step an extrapolated sine says little: start from the last one
    if dof[v, STEP] ** 2 > 0.75:
        dof[v, STEP] = dof[v, PAST]
    dof[v, COSINE] = sqrt(max(0.0, 1.0 - dof[v, STEP] ** 2))


@kernel
def keep_steps(slot, row, dof):
    """Remember the steps and the increment, the starting point and direction of a line search."""
    for i in range(slot.shape[0] - 1):
        keep_slot(slot, row, dof, i)


@inlined
def keep_slot(slot, row, dof, i):
    """`keep_steps` for slot i.

    The increment of a free turn comes about the world's axes at the end and is turned back with its parent to the knot.
    """
    first, dofs = slot[i, FIRST], slot[i, DOFS]
    for v in range(first, first + dofs):
        dof[v, OLD_STEP] = dof[v, STEP]
        dof[v, OLD_COSINE] = dof[v, COSINE]
        dof[v, OLD_NEWTON] = dof[v, NEWTON]
    if slot[i, TURNING] == FREE_TURN:
        v = first + dofs - 3
        f = get4(row, slot[i, PARENT], TURN)
        eta = (dof[v, NEWTON], dof[v + 1, NEWTON], dof[v + 2, NEWTON])
        back = swing((f[0], -f[1], -f[2], -f[3]), eta)
        for c in range(3):
            dof[v + c, OLD_NEWTON] = eta[c] + back[c]


@kernel
def take_steps(slot, row, dof, share):
    """The kept steps moved by ``share`` of the kept increment."""
    for i in range(slot.shape[0] - 1):
        take_slot(slot, dof, i, share)


@inlined
def take_slot(slot, dof, i, share):
    """`take_steps` for slot i.

    Turns are multiplied by (1, η/2)/|(1, η/2)|: it differs from exp(η) by the third power of η and needs no sine.
    """
    turning, v, dofs = slot[i, TURNING], slot[i, FIRST], slot[i, DOFS]
    angles = 1 if turning == ANGLE else (2 if turning == TWO_ANGLES else 0)
    straight = dofs - 3 if turning == FREE_TURN else dofs - angles
    for k in range(v, v + straight):
        dof[k, STEP] = dof[k, OLD_STEP] + share * dof[k, OLD_NEWTON]
    for k in range(v + straight, v + straight + angles):
        t = 0.5 * share * dof[k, OLD_NEWTON]
        unit = 1.0 / sqrt(1.0 + t * t)
        dof[k, COSINE] = unit * (dof[k, OLD_COSINE] - t * dof[k, OLD_STEP])
        dof[k, STEP] = unit * (dof[k, OLD_STEP] + t * dof[k, OLD_COSINE])
    if turning == FREE_TURN:
        v += straight
        half = 0.5 * share
        turn = (1.0, half * dof[v, OLD_NEWTON], half * dof[v + 1, OLD_NEWTON], half * dof[v + 2, OLD_NEWTON])
        old = (dof[v, OLD_COSINE], dof[v, OLD_STEP], dof[v + 1, OLD_STEP], dof[v + 2, OLD_STEP])
        w, x, y, z = multiply(turn, old)
        unit = 1.0 / sqrt(w * w + x * x + y * y + z * z)
        dof[v, COSINE] = unit * w
        dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP] = unit * x, unit * y, unit * z


@kernel
def simplified(slot, row, dof, loops, options):
    """Move to the steps at hand and solve there with the pivots of an earlier iterate; the increment's size."""
    follow(slot, row, dof, options.h)
    close_interval(row, loops)
    reduce_all(slot, row, dof, loops)
    return spread_all(slot, row, dof, loops, options.length)


@kernel
def solve_steps(slot, row, dof, loops, options, newton_constant):
    """Find the steps; (status, iterations, worst body). TURN and MOMENTUM belong to the solution afterwards."""
    for iteration in range(1, options.max_iterations + 1):
        # a reduction uses the wrenches up, so every elimination begins with fresh ones
        follow(slot, row, dof, options.h)
        close_interval(row, loops)
        worst = gather_all(slot, row, dof, loops, options.h)
        if worst >= 0:
            return SINGULAR, iteration, slot[worst, BODY]
        reduce_all(slot, row, dof, loops)
        size = spread_all(slot, row, dof, loops, options.length)
        if not isfinite(size):
            return NOT_FINITE, iteration, worst_body(slot, row, dof, options)
        keep_steps(slot, row, dof)
        take_steps(slot, row, dof, 1.0)
        expected = FORESIGHT * newton_constant[0] * size
        if 0.0 < expected * size <= options.tolerance:
            # the constant is trusted a little less each time that it is not observed
            newton_constant[0] *= 1.1
            converged, descended = True, True
        else:
            converged, descended = _refine(slot, row, dof, loops, options, newton_constant, size)
        if converged:
            follow(slot, row, dof, options.h)
            close_interval(row, loops)
            if violation(loops) <= max(SLACK * options.tolerance, FLOOR):
                return _checked(slot, row, dof, iteration)
        if not descended:
            return NO_DESCENT, iteration, worst_body(slot, row, dof, options)
    return NO_CONVERGENCE, options.max_iterations, worst_body(slot, row, dof, options)


@kernel
def _refine(slot, row, dof, loops, options, newton_constant, size):
    """From a full increment just taken, go on with the same pivots; (converged, came closer)."""
    share = 1.0
    found = simplified(slot, row, dof, loops, options)
    halvings = 0
    while not found <= (1.0 - 0.25 * share) * size:
        if size <= NOISE and found <= NOISE:
            return True, True
        if halvings == options.max_halvings:
            return False, False
        halvings += 1
        share *= 0.5
        take_steps(slot, row, dof, share)
        found = simplified(slot, row, dof, loops, options)
    if share < 1.0:
        return False, True
    if size > 1e-7:
        newton_constant[0] = max(found / (size * size), 0.5 * newton_constant[0])
    while True:
        # nothing moved where nothing can move
        ratio = found / size if size > 0.0 else 0.0
        if found <= options.tolerance or CAUTION * ratio * found <= options.tolerance:
            keep_steps(slot, row, dof)
            take_steps(slot, row, dof, 1.0)
            return True, True
        # written so that a NaN goes on to the next elimination, which names its body
        if not ratio <= REUSE:
            return size <= NOISE, True
        keep_steps(slot, row, dof)
        take_steps(slot, row, dof, 1.0)
        size = found
        found = simplified(slot, row, dof, loops, options)


@kernel
def _checked(slot, row, dof, iteration):
    """A body that turned by half a revolution or more in the step has two answers: refuse."""
    for i in range(slot.shape[0] - 1):
        if not row[i, TURN] > 0.0:
            return TOO_FAST, iteration, slot[i, BODY]
    return CONVERGED, iteration, -1


@kernel
def worst_body(slot, row, dof, options):
    """The body whose end pose the last increment would move most, or make not finite."""
    worst, body = -1.0, -1
    for i in range(slot.shape[0] - 1):
        size = 0.0
        for c in range(3):
            size += (row[i, TWIST + c] / options.length) ** 2 + row[i, TWIST + 3 + c] ** 2
        if not isfinite(size):
            return slot[i, BODY]
        if size > worst:
            worst, body = size, slot[i, BODY]
    return body
