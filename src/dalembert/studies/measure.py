"""How studies measure: fitted exponents and slopes, and times that are fair."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from time import process_time

import numpy as np
from numpy.typing import ArrayLike


def exponent(x: ArrayLike, y: ArrayLike) -> float:
    """The power p of the best fit y ∝ xᵖ, least squares of the logarithms."""
    return float(np.polyfit(np.log(np.asarray(x, dtype=float)), np.log(np.asarray(y, dtype=float)), 1)[0])


def linear_slope(x: ArrayLike, y: ArrayLike) -> float:
    """The slope of the straight line through the points, least squares."""
    along, values = np.array(x, dtype=float), np.array(y, dtype=float)
    along -= along.mean()
    return float(along @ (values - values.mean()) / (along @ along))


def best_time(work: Callable[[], object], repeats: int) -> float:
    """Seconds of processor time of the fastest of several runs: the one that the machine disturbed least."""
    seconds = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            begun = process_time()
            work()
            seconds.append(process_time() - begun)
    finally:
        gc.enable()
    return min(seconds)


def worst_ratio(slow: Sequence[float], fast: Sequence[float]) -> float:
    """The smallest of slow/fast over pairs: the advantage that is there everywhere."""
    return float(min(a / b for a, b in zip(slow, fast, strict=True)))
