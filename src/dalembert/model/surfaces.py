"""Shapes without volume, for contact only: a point, the ground, terrain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dalembert.model.checks import Findings, read_number, shown
from dalembert.model.shapes import Shape
from dalembert.model.system import Floats


@dataclass(frozen=True)
class Point(Shape):
    """A point, such as the tip of a foot."""

    solid: ClassVar[bool] = False


@dataclass(frozen=True)
class HalfSpace(Shape):
    """Everything below the plane through the origin whose outward normal is the third axis."""

    solid: ClassVar[bool] = False


@dataclass(frozen=True, eq=False)
class HeightField(Shape):
    """Terrain: heights on a rectangular grid, flat triangles between them, everything below is solid.

    ``heights`` (rows, columns) in metres along the third axis; rows go along x, columns along y, ``spacing`` apart (one
    length, or one for each direction, in metres), and the grid is centred at the origin. The diagonal of each cell runs
    from its corner with the smallest indices to the opposite one. Beyond the grid there is nothing.
    """

    heights: Sequence[Sequence[float]] | Floats
    spacing: float | Sequence[float]
    solid: ClassVar[bool] = False

    def check(self, findings: Findings, item: str) -> None:
        """Note heights that are not a grid of finite numbers, and a spacing that is not positive."""
        expected = "an array (rows, columns) of finite heights in metres, at least (2, 2)"
        try:
            heights = np.array(self.heights, dtype=np.float64)
        except (TypeError, ValueError):
            findings.add(f"{item}, heights", expected, "something else")
        else:
            if heights.ndim != 2 or min(heights.shape) < 2:
                findings.add(f"{item}, heights", expected, f"shape {heights.shape}")
            elif not np.isfinite(heights).all():
                findings.add(f"{item}, heights", expected, "NaN or infinity among them")
        pair = [self.spacing] if np.ndim(self.spacing) == 0 else list(self.spacing)  # pyright: ignore[reportArgumentType]
        if len(pair) > 2:
            findings.add(f"{item}, spacing", "one length or two", shown(self.spacing))
        for value in pair:
            expected = "a positive length in metres"
            read_number(findings, f"{item}, spacing", value, expected, least=0.0, open_end=True)

    @property
    def grid(self) -> tuple[Floats, Floats]:
        """(rows, columns) heights and (2,) spacing along x and y."""
        spacing = np.broadcast_to(np.array(self.spacing, dtype=np.float64), 2).copy()
        return np.array(self.heights, dtype=np.float64), spacing
