"""Control values of splines that pass through given frames or numbers.

Open splines are given one control value more at each end, by going on from the last two as from the last but one: the
curve then starts and ends at its outer frames, without curvature.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dalembert.model.system import Floats

FramePose = tuple[tuple[float, float, float], tuple[float, float, float, float]]
Frames = list[FramePose]
Twist = tuple[tuple[float, float, float], tuple[float, float, float]]

RELAXATION = 1.5
"""Of the corrections: the matrix of the weights (1, 4, 1)/6 has eigenvalues from 1/3 to 1, so an error halves."""
MAX_ITERATIONS = 200
CLOSE = 1e-13
"""What a curve may miss a frame by, relative to 1 m or to its extent: rounding keeps it from the last digits."""
LARGEST_TURN = 3.0
"""Radians from one control frame to the next: beyond half a turn the way from one to the other is not unique."""


def relative_frames(base: FramePose, frames: Frames) -> Frames:
    """base⁻¹ · frame of each."""
    from dalembert.spatial.rigid_motion import inverse_motion

    return [_product(inverse_motion(*base), frame) for frame in frames]


def steps(controls: Frames) -> list[Twist]:
    """log(Cₖ₋₁⁻¹ Cₖ) of each control frame but the first, for which nothing stands."""
    zero: Twist = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return [zero, *(_between(a, b) for a, b in pairwise(controls))]


def knot_pose(controls: Frames, s: int) -> FramePose:
    """The curve at knot s: weights 5/6, 1/6 and 0 of the three steps."""
    pose = controls[s]
    for k, weight in ((1, 5.0 / 6.0), (2, 1.0 / 6.0)):
        pose = _product(pose, _exp(_between(controls[s + k - 1], controls[s + k]), weight))
    return pose


def curve_controls(frames: Frames, *, closed: bool, through: bool) -> Frames | None:
    """Control frames with those that the ends need, or None if the turns between them are too large.

    Passing through is reached by moving every control frame by what the curve misses its frame by, over and over.
    """
    controls, extent = list(frames), 1.0 + max(float(np.abs(x).max()) for x, _ in frames)
    if not through:
        return _sound(_with_ends(controls, closed=closed, through=False))
    for _ in range(MAX_ITERATIONS):
        whole = _sound(_with_ends(controls, closed=closed, through=True))
        if whole is None:
            return None
        misses = [_between(knot_pose(whole, i), frame) for i, frame in enumerate(frames)]
        if max(float(np.abs(part).max()) for miss in misses for part in miss) < CLOSE * extent:
            return whole
        controls = [_product(control, _exp(miss, RELAXATION)) for control, miss in zip(controls, misses, strict=True)]
    return None


def _sound(controls: Frames) -> Frames | None:
    """The same, or None where the way from one to the next is not unique."""
    return controls if max(np.linalg.norm(angular) for _, angular in steps(controls)) <= LARGEST_TURN else None


def _with_ends(controls: Frames, *, closed: bool, through: bool) -> Frames:
    if closed:
        return [controls[-1], *controls, *controls[:2]]
    if not through:
        return controls
    first = _product(controls[0], _exp(_between(controls[0], controls[1]), -1.0))
    last = _product(controls[-1], _exp(_between(controls[-2], controls[-1]), 1.0))
    return [first, *controls, last]


def fitted_grid(values: Floats) -> Floats:
    """(n + 2, m + 2, k) control values of k tensor-product splines through values (n, m, k)."""
    rows = np.apply_along_axis(fitted_values, 0, values)
    return np.asarray(np.apply_along_axis(fitted_values, 1, rows), dtype=np.float64)


def fitted_values(values: Floats, *, closed: bool = False) -> Floats:
    """Control values of a spline through values (n,): n + 2 of an open one, n + 3 of one that repeats."""
    n = len(values)
    if closed:
        unit = np.eye(n)
        coupling = (4.0 * unit + np.roll(unit, 1, 0) + np.roll(unit, -1, 0)) / 6.0
        inner: Floats = np.linalg.solve(coupling, values).astype(np.float64)
        return np.array([inner[-1], *inner, inner[0], inner[1]])
    matrix = np.eye(n)
    for i in range(1, n - 1):
        matrix[i, i - 1 : i + 2] = 1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0
    inner = np.linalg.solve(matrix, values).astype(np.float64)
    return np.array([2.0 * inner[0] - inner[1], *inner, 2.0 * inner[-1] - inner[-2]])


def _product(a: FramePose, b: FramePose) -> FramePose:
    from dalembert.spatial.quaternion import multiply, normalize, rotate

    turned = rotate(a[1], b[0])
    x = (a[0][0] + turned[0], a[0][1] + turned[1], a[0][2] + turned[2])
    return x, normalize(multiply(a[1], b[1]))


def _between(a: FramePose, b: FramePose) -> Twist:
    """log(a⁻¹ b)."""
    from dalembert.spatial.rigid_motion import inverse_motion, motion_log

    return motion_log(*_product(inverse_motion(*a), b))


def _exp(twist: Twist, factor: float) -> FramePose:
    from dalembert.spatial.rigid_motion import motion_exp

    (x, y, z), (a, b, c) = twist
    return motion_exp((factor * x, factor * y, factor * z), (factor * a, factor * b, factor * c))
