"""Newton's method of `tree_step` for several motions in lanes.

Every lane goes through the iterates of a single run: sizes of increments are looked at lane by lane, with the same
decisions, and lanes that are done wait with their steps as they are. Sweeps over waiting lanes find what they found
before. Where a line search would begin, or anything else of the rare kind, the lane is *odd*: the scalar solver takes
its interval anew.
"""

from math import isfinite
from typing import Final, NamedTuple

from dalembert._jit import inlined, kernel
from dalembert._lanes import choose, root
from dalembert.integrators.maximal.knot import PAST_STEPS
from dalembert.integrators.maximal.lane_sweeps import follow_lanes, gather_lanes, reduce_lanes, spread_lanes
from dalembert.integrators.maximal.tree_motion import get4, swing
from dalembert.integrators.maximal.tree_plan import (
    BALL,
    COSINE,
    FIRST,
    HINGE,
    NEWTON,
    PARENT,
    PAST,
    RIGID,
    SHAPE,
    SLIDER,
    STEP,
    TURN,
)
from dalembert.integrators.maximal.tree_step import CAUTION, FORESIGHT, NOISE, REUSE
from dalembert.model.system import Floats, Integers
from dalembert.spatial.quaternion import multiply

FULL: Final = 0
"""A lane that waits for a full increment."""
REFINING: Final = 1
"""One that goes on with its pivots."""
DONE: Final = 2
ODD: Final = 3


class LaneMarks(NamedTuple):
    """Where each lane stands in Newton's method."""

    state: Integers
    """(WIDTH,) FULL, REFINING, DONE or ODD."""
    moving: Floats
    """(1, 2, WIDTH) 1 in lanes that take the increment at hand; sizes of increments as they are read."""
    before: Floats
    """(WIDTH,) the size of the increment before."""
    newton_constant: Floats
    """(WIDTH,) as `Knot.newton_constant`."""
    iterations: Integers
    """(WIDTH,) full increments in this interval."""


@inlined
def start_lanes(slot, dof, weights, age):
    """`tree_step.start_substeps`."""
    known = min(age, PAST_STEPS)
    w0, w1, w2, w3 = weights[known, 0], weights[known, 1], weights[known, 2], weights[known, 3]
    for i in range(slot.shape[0] - 1):
        shape, v = slot[i, SHAPE], slot[i, FIRST]
        if shape == RIGID:
            continue
        for c in range(v, v + (3 if shape == BALL else 1)):
            recent = w0 * dof[c, PAST] + w1 * dof[c, PAST + 1]
            dof[c, STEP] = recent + (w2 * dof[c, PAST + 2] + w3 * dof[c, PAST + 3])
        if shape == HINGE:
            step = dof[v, STEP]
            step = choose(step * step, 0.75 + 0.0 * step, dof[v, PAST], step)
            dof[v, STEP] = step
            left = 1.0 - step * step
            dof[v, COSINE] = root(choose(left, 0.0 * left, left, 0.0 * left))
        elif shape == BALL:
            x, y, z = dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP]
            square = x * x + y * y + z * z
            most = 0.75 + 0.0 * square
            for c in range(v, v + 3):
                dof[c, STEP] = choose(square, most, dof[c, PAST], dof[c, STEP])
            x, y, z = dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP]
            left = 1.0 - (x * x + y * y + z * z)
            dof[v, COSINE] = root(choose(left, 0.0 * left, left, 0.0 * left))


@inlined
def take_lanes(slot, row, dof, moving):
    """`tree_step.keep_steps` and `take_steps` by a whole increment, in the lanes where ``moving`` is 1."""
    on = moving[0, 0]
    off = 0.5 + 0.0 * on
    for i in range(slot.shape[0] - 1):
        shape, v = slot[i, SHAPE], slot[i, FIRST]
        if shape == SLIDER:
            old = dof[v, STEP]
            dof[v, STEP] = choose(on, off, old + 1.0 * dof[v, NEWTON], old)
        elif shape == HINGE:
            c, s = dof[v, COSINE], dof[v, STEP]
            t = 0.5 * dof[v, NEWTON]
            unit = 1.0 / root(1.0 + t * t)
            dof[v, COSINE] = choose(on, off, unit * (c - t * s), c)
            dof[v, STEP] = choose(on, off, unit * (s + t * c), s)
        elif shape == BALL:
            f = get4(row, slot[i, PARENT], TURN)
            eta = (dof[v, NEWTON], dof[v + 1, NEWTON], dof[v + 2, NEWTON])
            back = swing((f[0], -f[1], -f[2], -f[3]), eta)
            x, y, z = eta[0] + back[0], eta[1] + back[1], eta[2] + back[2]
            old = (dof[v, COSINE], dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP])
            w, x, y, z = multiply((1.0, 0.5 * x, 0.5 * y, 0.5 * z), old)
            unit = 1.0 / root(w * w + x * x + y * y + z * z)
            dof[v, COSINE] = choose(on, off, unit * w, old[0])
            dof[v, STEP] = choose(on, off, unit * x, old[1])
            dof[v + 1, STEP] = choose(on, off, unit * y, old[2])
            dof[v + 2, STEP] = choose(on, off, unit * z, old[3])


@inlined
def mark(marks, which):
    """``moving`` to the lanes in this state; whether there are any."""
    found = False
    for lane in range(marks.state.shape[0]):
        here = marks.state[lane] == which
        marks.moving[0, 0, lane] = 1.0 if here else 0.0
        found = found or here
    return found


@kernel
def judge_full(marks, options):
    """After a full increment, as `tree_step.solve_steps` goes on."""
    for lane in range(marks.state.shape[0]):
        if marks.state[lane] != FULL:
            continue
        size = marks.moving[0, 1, lane]
        marks.iterations[lane] += 1
        marks.before[lane] = size
        if not isfinite(size) or marks.iterations[lane] >= options.max_iterations:
            marks.state[lane] = ODD
            marks.moving[0, 0, lane] = 0.0
            continue
        expected = FORESIGHT * marks.newton_constant[lane] * size
        if 0.0 < expected * size <= options.tolerance:
            marks.newton_constant[lane] *= 1.1
            marks.state[lane] = DONE
        else:
            marks.state[lane] = REFINING


@kernel
def judge_refined(marks, options, first):
    """After a simplified increment, as `tree_step._refine` goes on; lanes that take it stay in ``moving``."""
    for lane in range(marks.state.shape[0]):
        if marks.state[lane] != REFINING:
            continue
        size, found = marks.before[lane], marks.moving[0, 1, lane]
        if first:
            if not found <= 0.75 * size:
                # a line search, or rounding error
                marks.state[lane] = ODD
                marks.moving[0, 0, lane] = 0.0
                continue
            if size > 1e-7:
                marks.newton_constant[lane] = max(found / (size * size), 0.5 * marks.newton_constant[lane])
        ratio = found / size if size > 0.0 else 0.0
        if found <= options.tolerance or CAUTION * ratio * found <= options.tolerance:
            marks.state[lane] = DONE
        elif not ratio <= REUSE:
            marks.state[lane] = DONE if size <= NOISE else FULL
            marks.moving[0, 0, lane] = 0.0
        else:
            marks.before[lane] = found


@inlined
def solve_lanes(slot, row, dof, moving, marks, options):
    """Find the steps of all lanes; those that end ODD are left to the scalar solver."""
    h, length = options.h, options.length
    for lane in range(marks.state.shape[0]):
        marks.state[lane] = FULL
        marks.iterations[lane] = 0
    while mark(marks, FULL):
        follow_lanes(slot, row, dof, h)
        gather_lanes(slot, row, dof, h)
        reduce_lanes(slot, row, dof)
        moving[0, 1] = spread_lanes(slot, row, dof, length)
        judge_full(marks, options)
        take_lanes(slot, row, dof, moving)
        first = True
        while mark(marks, REFINING):
            follow_lanes(slot, row, dof, h)
            reduce_lanes(slot, row, dof)
            moving[0, 1] = spread_lanes(slot, row, dof, length)
            judge_refined(marks, options, first)
            take_lanes(slot, row, dof, moving)
            first = False
    follow_lanes(slot, row, dof, h)
