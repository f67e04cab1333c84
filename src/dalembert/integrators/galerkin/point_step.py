"""A step of the Galerkin integrator by cheap increments at all quadrature points at once.

An increment is a sweep inwards and one outwards (`point_sweeps`), for all points together about what the scalar sweeps
cost for one. Increments shrink by a ratio Θ; what is left after one of size e is about Θ e/(1 − Θ).
"""

from math import isfinite
from typing import Final

from dalembert._jit import kernel
from dalembert._lanes import WIDTH, table
from dalembert.integrators.galerkin.advance import GOING_ON
from dalembert.integrators.galerkin.point_masses import factor_masses
from dalembert.integrators.galerkin.point_sweeps import apply, inwards, outwards, prepare_links
from dalembert.integrators.galerkin.points import (
    OFFSET,
    PAST_TO_OFFSET,
    PAST_TO_RATE,
    PLACE,
    RATE,
    RATE_TO_ENDING,
    RATE_TO_INCREMENT,
    SINGLES,
)

MOST_INCREMENTS: Final = 100
"""So many increments cost about as much as an elimination."""

RENEWING: Final = 0.3
"""Ratio of successive increments above which the mass matrices are factored where the trial is now."""

SLOW: Final = 0.7
"""Ratio at which an increment does not help: `BEARABLE` such ones may be, while the start is being forgotten."""
BEARABLE: Final = 6
DIVERGING: Final = 3.0
"""Ratio above which Newton's method takes over at once."""

FARTHEST_OFFSET: Final = 2.0
"""Radians of a turn in a step up to which its sine is known."""

NOISE: Final = 1e-10
"""An increment below this that does not shrink any more is rounding error."""


@kernel
def take_point_step(plan, rule, options, knot, outside, points, start):
    """Try to solve a step and move on to its end; (whether it is solved, how many increments)."""
    h, row, dof, tables = options.h, table(points.row), table(points.dof), table(points.matrix)
    prepare_links(plan, knot, outside, (options.gx, options.gy, options.gz), points)
    _predict(knot, h, points, dof, tables, start)
    sizes = table(points.largest)
    last, ratio, count, done, slow = 0.0, 0.0, 0, False, 0
    while True:
        change, offset = outwards(points, row, dof, tables, h, options.length, count > 0)
        sizes[0, 0], sizes[0, 1] = change, offset
        size, farthest = 0.0, 0.0
        for lane in range(WIDTH):
            size = max(size, points.largest[0, 0, lane])
            farthest = max(farthest, points.largest[0, 1, lane])
            if not isfinite(points.largest[0, 0, lane]):
                return False, count
        if not farthest <= FARTHEST_OFFSET:
            return False, count
        if count == 0:
            factor_masses(plan, points, row)
        else:
            ratio = size / last if last > 0.0 else 0.0
            noise = size <= NOISE and ratio > 0.5
            if not (ratio <= SLOW or noise):
                slow += 1
                if slow > BEARABLE or not ratio <= DIVERGING:
                    return False, count
            left = ratio * size / (1.0 - ratio) if 0.0 < ratio < 1.0 else size
            done = noise or left <= options.tolerance
            if not done and ratio > RENEWING:
                factor_masses(plan, points, row)
            last = size
        inwards(plan, knot, outside.joint_force, points, row, dof, tables, h, not done)
        if done:
            _move_on(rule, h, knot, points, dof, tables)
            return True, count
        if count == MOST_INCREMENTS:
            return False, count
        count += 1


@kernel
def _predict(knot, h, points, dof, tables, start):
    """`start_increments` at the points."""
    zero = 0.0 * tables[SINGLES, PLACE]
    for v in range(points.dof.shape[0]):
        if start == GOING_ON:
            for g in range(knot.past.shape[0]):
                points.dof[v, RATE, g] = knot.past[g, v]
            for g in range(knot.past.shape[0], WIDTH):
                points.dof[v, RATE, g] = 0.0
            offset = apply(tables, PAST_TO_OFFSET, points.dof, v, RATE, zero)
            rate = (1.0 / h) * apply(tables, PAST_TO_RATE, points.dof, v, RATE, zero)
        else:
            offset, rate = h * knot.ending[v] * tables[SINGLES, PLACE], knot.ending[v] + zero
        dof[v, OFFSET], dof[v, RATE] = offset, rate


@kernel
def _move_on(rule, h, knot, points, dof, tables):
    """Coordinates to the end of the step, the increments of its polynomials, and its last rates.

    Momenta have moved on by the balance over the step, which `inwards` adds up.
    """
    zero, s = 0.0 * tables[SINGLES, PLACE], knot.past.shape[0]
    for v in range(points.dof.shape[0]):
        knot.ending[v] = 0.0
        for b in range(WIDTH):
            knot.ending[v] += points.matrix[SINGLES, RATE_TO_ENDING, b] * points.dof[v, RATE, b]
        dof[v, OFFSET] = h * apply(tables, RATE_TO_INCREMENT, points.dof, v, RATE, zero)
        for g in range(s):
            knot.past[g, v] = points.dof[v, OFFSET, g]
        knot.start[v] += knot.past[s - 1, v]
    knot.age[0] = 1
