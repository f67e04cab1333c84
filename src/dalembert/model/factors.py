"""Factors of a joint that is a product of exponentials, as kinds write them down; see `dalembert.model.system`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dalembert.model.system import FRAME, LINEAR


class Factor(NamedTuple):
    """One factor: its kind, its coordinates, what else its kind says, and its data."""

    kind: int
    data: tuple[float, ...]
    coordinate: int = 0
    second: int = 0
    counts: tuple[int, int] = (0, 0)
    shares_data: bool = False
    """Whether its data are those of the factor before."""

    def shifted(self, coordinates: int) -> Factor:
        """The same factor of coordinates that come later."""
        from dalembert.model.system import GRID

        second = self.second + coordinates if self.kind == GRID else self.second
        return self._replace(coordinate=self.coordinate + coordinates, second=second)


def frame_factor(position: Sequence[float], quaternion: Sequence[float]) -> Factor:
    """A constant frame."""
    return Factor(FRAME, (*map(float, position), *map(float, quaternion)))


def linear_factor(linear: Sequence[float], angular: Sequence[float], coordinate: int) -> Factor:
    """exp(ê q)."""
    return Factor(LINEAR, (*map(float, linear), *map(float, angular)), coordinate)


def pack_factors(joints: Sequence[Sequence[Factor]]) -> tuple[list[int], list[list[int]], list[float]]:
    """(first factor of each joint and their number, rows of factors, data) of all joints."""
    starts, rows, data, last = [0], [], [], 0
    for factors in joints:
        for factor in factors:
            if not factor.shares_data:
                last = len(data)
                data.extend(factor.data)
            rows.append([factor.kind, factor.coordinate, factor.second, last, *factor.counts])
        starts.append(len(rows))
    return starts, rows, data
