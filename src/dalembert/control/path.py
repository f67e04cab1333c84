"""Smooth paths through points, which kernels can follow."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from dalembert._jit import kernel
from dalembert.errors import ModelError
from dalembert.model.system import Floats

COUNT: Final = 0
COMPONENTS: Final = 1
PERIOD: Final = 2
KNOTS: Final = 3
"""Where a table of numbers has how many points there are, their components, the period (0: none), and their times;
behind these, for each piece and component, the coefficients of (t − tᵢ)³, (t − tᵢ)², t − tᵢ and 1."""


class Path:
    """A smooth function of time, called with seconds, and its rate. Made by `path`."""

    def __init__(self, times: Floats, coefficients: Floats, period: float, scalar: bool) -> None:
        self._scalar = scalar
        pieces = coefficients.transpose(1, 2, 0).ravel()
        self.table: Floats = np.concatenate([[len(times), coefficients.shape[2], period], times, pieces])
        """The path as one array of numbers."""
        self.components = int(coefficients.shape[2])

    def __call__(self, time: float) -> Floats | float:
        value, _ = self._at(time)
        return float(value[0]) if self._scalar else value

    def rate(self, time: float) -> Floats | float:
        """The rate of change per second; zero before and after the points."""
        _, rate = self._at(time)
        return float(rate[0]) if self._scalar else rate

    def _at(self, time: float) -> tuple[Floats, Floats]:
        found = np.array([follow(self.table, 0, float(time), c) for c in range(self.components)])
        return found[:, 0].copy(), found[:, 1].copy()


def path(times: Any, values: Any, *, repeat: bool = False) -> Path:
    """A smooth path through ``values`` (k,) or (k, c) at ``times`` (k,), s; at rest before and after them.

    Between the points it is a monotone cubic, which never overshoots them [Fritsch & Butland 1984]. With ``repeat`` it
    goes round for ever, before the first time too: the last value has to be the first one.
    """
    from scipy.interpolate import PchipInterpolator

    knots, points = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    if (
        knots.ndim != 1
        or len(knots) < 2
        or points.ndim not in (1, 2)
        or len(points) != len(knots)
        or not (np.diff(knots) > 0.0).all()
        or not (np.isfinite(knots).all() and np.isfinite(points).all())
    ):
        raise ModelError(
            f"path: expected at least two increasing times and as many values, found {times!r}, {values!r}"
        )
    if repeat and not np.array_equal(points[0], points[-1]):
        raise ModelError(
            f"path: expected the last value of a path that repeats to be the first one, found {points[0]} and "
            f"{points[-1]}"
        )
    scalar, rows = points.ndim == 1, points.reshape(len(points), -1)
    period = knots[-1] - knots[0] if repeat else 0.0
    first, last = 0, len(knots) - 1
    if repeat:
        # the slope at a point depends on its neighbours: a round before and one after make those of the seam agree
        knots = np.concatenate([knots[:-1] - period, knots, knots[1:] + period])
        rows = np.concatenate([rows[:-1], rows, rows[1:]])
        first, last = last, 2 * last
    pieces: Any = PchipInterpolator(knots, rows, axis=0).c
    return Path(knots[first : last + 1], np.asarray(pieces[:, first:last]), float(period), scalar)


@kernel
def follow(table, at, time, component):
    """(value, rate) of one component of the path whose table begins at ``at``."""
    count, components, period = int(table[at + COUNT]), int(table[at + COMPONENTS]), table[at + PERIOD]
    knots = at + KNOTS
    begin, end, moves = table[knots], table[knots + count - 1], 1.0
    if period > 0.0:
        time = begin + (time - begin) % period
    elif time < begin or time > end:
        time = min(max(time, begin), end)
        moves = 0.0
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if table[knots + middle] <= time:
            low = middle
        else:
            high = middle
    c = knots + count + 4 * (low * components + component)
    x = time - table[knots + low]
    value = ((table[c] * x + table[c + 1]) * x + table[c + 2]) * x + table[c + 3]
    return value, moves * ((3.0 * table[c] * x + 2.0 * table[c + 1]) * x + table[c + 2])
