"""Joints along splines: a curve of frames, and a surface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.model.checks import Findings, read_array, read_quaternion, shown
from dalembert.model.factors import Factor, frame_factor
from dalembert.model.product_kinds import ProductKind
from dalembert.model.spline_fit import Frames, curve_controls, fitted_grid, knot_pose, relative_frames, steps
from dalembert.model.system import CURVE_FRAME, CURVE_STEP, GRID, Floats


@dataclass(frozen=True)
class SplineCurve(ProductKind):
    """A body that follows a curve of frames: a roller coaster, a cam. Coordinate: 0 at the first point, 1 at the next …

    The curve is moved so that it starts at the joint's anchor, where the body is at the reference configuration.

    Args:
        points: (n, 3) in world axes at the reference configuration (or those of ``parent_frame``), m.
        orientations: (n, 4) quaternions from the body's frame there to these axes; without them the body does not turn.
        closed: whether the last point is followed by the first one.
        through: whether the curve passes through the frames; else they are control frames of a uniform cubic B-spline
            of rigid motions, and an open curve has three segments less than it has frames.

    Beyond its ends an open curve goes on as its first and last segments do: give it limits. [Lee 2008]
    """

    points: Sequence[Sequence[float]] | Floats = ()
    orientations: Sequence[Sequence[float]] | Floats | None = None
    closed: bool = False
    through: bool = True
    free = (0,)

    @property
    def rate_names(self) -> tuple[str, ...]:
        return ("s",)

    def turn(self, findings: Findings, item: str) -> Floats:
        """The quaternion from the body's frame at the start of the curve."""
        controls = self._controls(Findings(), item)
        return np.array([1.0, 0.0, 0.0, 0.0]) if controls is None else np.array(knot_pose(controls, 0)[1])

    def factors(self, findings: Findings, item: str) -> tuple[Factor, ...]:
        controls = self._controls(findings, item)
        if controls is None:
            return ()
        controls = relative_frames(knot_pose(controls, 0), controls)
        counts = (len(controls) - 3, int(self.closed))
        data = [
            value
            for (x, q), (linear, angular) in zip(controls, steps(controls), strict=True)
            for value in (*x, *q, *linear, *angular)
        ]
        first = Factor(CURVE_FRAME, tuple(data), counts=counts)
        return (first, *(Factor(CURVE_STEP, (), 0, part, counts, shares_data=True) for part in (1, 2, 3)))

    def _controls(self, findings: Findings, item: str) -> Frames | None:
        least = 3 if self.closed else (2 if self.through else 4)
        points = _grid_of(self.points, 2, findings, f"{item}, points", f"{least} or more points in the world")
        if points is None or len(points) < least:
            if points is not None:
                findings.add(f"{item}, points", f"{least} or more points", f"{len(points)}")
            return None
        turns = np.tile([1.0, 0.0, 0.0, 0.0], (len(points), 1))
        if self.orientations is not None:
            expected = f"{len(points)} quaternions"
            before = len(findings.lines)
            turns = read_array(findings, f"{item}, orientations", self.orientations, (len(points), 4), expected)
            if len(findings.lines) == before:
                turns = np.array(
                    [read_quaternion(findings, f"{item}, orientations[{i}]", q) for i, q in enumerate(turns)]
                )
            if len(findings.lines) > before:
                return None
        frames: Frames = [_frame(x, q) for x, q in zip(points, turns, strict=True)]
        controls = curve_controls(frames, closed=self.closed, through=self.through)
        if controls is None:
            findings.add(
                f"{item}, orientations",
                "frames that a smooth curve can pass through",
                "turns from one frame to the next that are too large",
                "give more frames between them, or through=False",
            )
        return controls


@dataclass(frozen=True)
class SplineSurface(ProductKind):
    """A body that follows a surface: a shoulder blade on the ribs. Coordinates: two, 0 at the first row or column.

    Args:
        points: (n, m, 3), the surface passes through them; in world axes at the reference configuration, m.
        angles: (n, m, 3) turns of the body at the points about its own x, then y, then z axis, from these axes, rad;
            without them it does not turn. Below ±π/2 about y.

    The surface is moved so that it starts at the joint's anchor, where the body is at the reference configuration.
    Beyond its edges it goes on as its outer segments do: give it limits. [Lee 2008]
    """

    points: Any = ()
    angles: Any = None
    free = (0, 1)

    @property
    def rate_names(self) -> tuple[str, ...]:
        return ("s", "t")

    def turn(self, findings: Findings, item: str) -> Floats:
        """The quaternion from the body's frame at the first point."""
        values = self._values(Findings(), item)
        return np.array([1.0, 0.0, 0.0, 0.0]) if values is None else np.array(_start(values)[1])

    def factors(self, findings: Findings, item: str) -> tuple[Factor, ...]:
        from dalembert.spatial.rigid_motion import inverse_motion

        values = self._values(findings, item)
        if values is None:
            return ()
        controls, counts = fitted_grid(values), (values.shape[0] - 1, values.shape[1] - 1)
        found = [frame_factor(*inverse_motion(*_start(values)))]
        for k in range(6):
            twist = [1.0 if c == k else 0.0 for c in range(6)]
            found.append(Factor(GRID, (*twist, *controls[:, :, k].ravel().tolist()), 0, 1, counts))
        return tuple(found)

    def _values(self, findings: Findings, item: str) -> Floats | None:
        """(n, m, 6) positions and angles."""
        points = _grid_of(self.points, 3, findings, f"{item}, points", "a grid of points (n, m, 3)")
        if points is None:
            return None
        if min(points.shape[:2]) < 2:
            findings.add(
                f"{item}, points", "a grid of at least 2 by 2 points", f"{points.shape[0]} by {points.shape[1]}"
            )
            return None
        angles = np.zeros_like(points)
        if self.angles is not None:
            before = len(findings.lines)
            angles = read_array(findings, f"{item}, angles", self.angles, points.shape, f"angles {points.shape} in rad")
            if len(findings.lines) > before:
                return None
        return np.concatenate([points, angles], axis=2)


def _grid_of(value: Any, dimensions: int, findings: Findings, item: str, expected: str) -> Floats | None:
    try:
        points = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        points = np.zeros(0)
    if points.ndim != dimensions or points.shape[-1] != 3 or not np.isfinite(points).all():
        findings.add(item, expected, shown(value))
        return None
    return points


def _frame(x: Floats, q: Floats) -> tuple[tuple[float, float, float], tuple[float, float, float, float]]:
    return (float(x[0]), float(x[1]), float(x[2])), (float(q[0]), float(q[1]), float(q[2]), float(q[3]))


def _start(values: Floats) -> tuple[tuple[float, float, float], tuple[float, float, float, float]]:
    """The pose at the first point."""
    from dalembert.spatial.quaternion import exp, multiply

    x, y, z, a, b, c = values[0, 0].tolist()
    return (x, y, z), multiply(multiply(exp((a, 0.0, 0.0)), exp((0.0, b, 0.0))), exp((0.0, 0.0, c)))
