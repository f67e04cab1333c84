"""Objectives are functions of a run; those that come with the library can be added and scaled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.adjoint.objectives.motion_gradient import MotionGradient
from dalembert.errors import ModelError

if TYPE_CHECKING:
    from dalembert.adjoint.forward import DrivenRun

ObjectiveFunction = Callable[["DrivenRun", MotionGradient], float]
"""``objective(run, gradient)`` returns its value and adds to the gradient how it changes with the run."""


@dataclass(frozen=True)
class Objective(ABC):
    """A function of a run with its gradient. ``+`` and ``*`` make new ones; plain functions may be added too."""

    @abstractmethod
    def __call__(self, run: DrivenRun, gradient: MotionGradient) -> float:
        """The value; what it changes with is added to the gradient."""

    def __add__(self, other: ObjectiveFunction) -> Sum:
        return Sum(_terms(self) + _terms(other))

    def __radd__(self, other: Any) -> Sum:
        # sum() begins with 0
        return Sum(_terms(self) if other == 0 else _terms(other) + _terms(self))

    def __mul__(self, factor: float) -> Sum:
        return Sum(tuple((factor * weight, one) for weight, one in _terms(self)))

    __rmul__ = __mul__


@dataclass(frozen=True)
class Sum(Objective):
    """A weighted sum of objectives."""

    terms: tuple[tuple[float, ObjectiveFunction], ...]

    def __call__(self, run: DrivenRun, gradient: MotionGradient) -> float:
        total = 0.0
        for weight, one in self.terms:
            own = MotionGradient(run)
            total += weight * one(run, own)
            gradient.add(own, weight)
        return total


def _terms(objective: ObjectiveFunction) -> tuple[tuple[float, ObjectiveFunction], ...]:
    if isinstance(objective, Sum):
        return objective.terms
    if not callable(objective):
        raise ModelError(f"objective: expected objective(run, gradient), found {objective!r}")
    return ((1.0, objective),)


def rows_at(run: DrivenRun, time: Any, who: Objective) -> np.ndarray:
    """The instants that are meant: the last, those nearest to one or several times, or all but the first ("all")."""
    if time is None:
        return np.array([len(run) - 1])
    if isinstance(time, str):
        if time != "all":
            raise ModelError(f'{type(who).__name__}: expected times in seconds or "all", found {time!r}')
        return np.arange(1, len(run))
    times = np.atleast_1d(np.asarray(time, dtype=float))
    rows = np.rint((times - run.time[0]) / run.dt)
    if times.ndim != 1 or not times.size or not ((rows >= 0) & (rows < len(run))).all():
        raise ModelError(
            f"{type(who).__name__}: expected times from {run.time[0]:g} to {run.time[-1]:g} s, as the run lasts, "
            f"found {time!r}"
        )
    return rows.astype(int)
