"""Joints held at a position or moved along a path by proportional and derivative action."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.control.tangent import joint_difference
from dalembert.errors import ModelError
from dalembert.model.checks import Findings
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.model.values import read_coordinates

if TYPE_CHECKING:
    from dalembert.model.model import Model

Target = Any
"""Coordinates of a joint, as ``Model.state`` takes them, or a function of time that gives them."""


class PD:
    """Force = stiffness · (target − position) + damping · (target rate − rate), within a limit, held for one step.

    A force that is held for a step adds damping to the step's own limit: keep damping · dt below the inertia that the
    joint moves, and stiffness · dt² below a few times that. Springs and dampers of the model itself have no such limit.

    Args:
        model: the mechanism.
        targets: by joint: coordinates as `Model.state` takes them, or a function of time in s that gives them. Rates of
            moving targets are central differences over a microsecond.
        stiffness: N/m or N m/rad: one number, or by joint.
        damping: N s/m or N m s/rad: one number, or by joint.
        limit: largest force of each rate, N or N m: one number, or by joint; none if not given.
    """

    def __init__(
        self,
        model: Model,
        targets: Mapping[str, Target],
        *,
        stiffness: float | Mapping[str, float],
        damping: float | Mapping[str, float] = 0.0,
        limit: float | Mapping[str, float] | None = None,
    ) -> None:
        findings = Findings()
        self.model, self.targets = model, dict(targets)
        for name, target in self.targets.items():
            model.joint_index(name)
            joint = model.joints[name]
            if not joint.components:
                raise ModelError(f'PD, joint "{name}": expected a joint that moves, found a {joint.kind.name}')
            read_coordinates(joint, target(0.0) if callable(target) else target, findings)
        findings.raise_if_any()
        self.stiffness = _by_joint("stiffness", stiffness, self.targets)
        self.damping = _by_joint("damping", damping, self.targets)
        self.limit = _by_joint("limit", np.inf if limit is None else limit, self.targets)

    def __call__(self, time: float, state: State) -> dict[str, Floats]:
        """Forces by joint."""
        forces = {}
        for name, target in self.targets.items():
            joint = self.model.joints[name]
            goal, rate = self._goal(name, target, time)
            error = joint_difference(joint, goal, state.coordinates[joint.coordinates])
            force = self.stiffness[name] * error + self.damping[name] * (rate - state.rates[joint.rates])
            forces[name] = np.clip(force, -self.limit[name], self.limit[name])
        return forces

    def _goal(self, name: str, target: Target, time: float) -> tuple[Floats, Floats]:
        if not callable(target):
            return self._read(name, target), np.zeros(len(self.model.joints[name].components))
        half = 1e-6
        before, after = self._read(name, target(time - half)), self._read(name, target(time + half))
        rate = joint_difference(self.model.joints[name], after, before) / (2.0 * half)
        return self._read(name, target(time)), rate

    def _read(self, name: str, value: Any) -> Floats:
        findings = Findings()
        coordinates = read_coordinates(self.model.joints[name], value, findings)
        findings.raise_if_any()
        return np.asarray(coordinates, dtype=float)


def path(times: Any, values: Any) -> Callable[[float], Floats | float]:
    """A smooth path through ``values`` (k,) or (k, c) at ``times`` (k,), s; at rest before and after them.

    Between the points it is a monotone cubic, which never overshoots them [Fritsch & Butland 1984].
    """
    from scipy.interpolate import PchipInterpolator

    knots, points = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    if knots.ndim != 1 or len(knots) < 2 or len(points) != len(knots) or not (np.diff(knots) > 0.0).all():
        raise ModelError(
            f"path: expected at least two increasing times and as many values, found {times!r}, {values!r}"
        )
    curve = PchipInterpolator(knots, points, axis=0)

    def target(time: float) -> Floats | float:
        value = curve(min(max(time, knots[0]), knots[-1]))
        return float(value) if np.ndim(value) == 0 else np.asarray(value)

    return target


def _by_joint(item: str, value: float | Mapping[str, float], joints: Mapping[str, Target]) -> dict[str, float]:
    numbers = dict.fromkeys(joints, value) if not isinstance(value, Mapping) else dict(value)
    for name in joints:
        number = numbers.get(name)
        if not isinstance(number, int | float) or np.isnan(number) or number < 0.0:
            raise ModelError(f'PD, {item} of joint "{name}": expected a number from 0, found {number!r}')
    for name in numbers:
        if name not in joints:
            raise ModelError(f'PD, {item}: joint "{name}" has no target; it has: {", ".join(joints)}')
    return {name: float(numbers[name]) for name in joints}
