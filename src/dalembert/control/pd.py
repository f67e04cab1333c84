"""Joints held at a position or moved along a path by proportional and derivative action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.compiled_controller import CompiledController
from dalembert.control.path import Path
from dalembert.control.pd_law import (
    BLOCK,
    COORDINATE,
    DAMPING,
    GOAL,
    GOAL_RATE,
    LIMIT,
    PATH,
    RATE,
    SCALARS,
    STIFFNESS,
    TURNS,
    compiled_pd,
)
from dalembert.control.tangent import joint_difference
from dalembert.errors import ModelError
from dalembert.model.checks import Findings
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.model.values import read_coordinates

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.record import Joint

Target = Any
"""Coordinates of a joint, as ``Model.state`` takes them, a `Path` of them, or a function of time that gives them."""

HALF = 1e-6
"""s, half the width of the differences that give the rates of targets that are functions."""


class PD:
    """Force = stiffness · (target − position) + damping · (target rate − rate), within a limit, held for one step.

    It runs inside the compiled loop unless a target is a function other than a `path`.

    A force that is held for a step adds damping to the step's own limit: keep damping · dt below the inertia that the
    joint moves, and stiffness · dt² below a few times that. Springs and dampers of the model itself have no such limit.

    Args:
        model: the mechanism.
        targets: by joint: coordinates as `Model.state` takes them, a `path` of them, or a function of time in s that
            gives them. Rates of functions are central differences over a microsecond.
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
        self.model, self.targets = model, dict(targets)
        for name, target in self.targets.items():
            model.joint_index(name)
            joint = model.joints[name]
            if not joint.components:
                raise ModelError(f'PD, joint "{name}": expected a joint that moves, found a {joint.kind.name}')
            _read(joint, target(0.0) if callable(target) else target)
        self.stiffness = _by_joint("stiffness", stiffness, self.targets)
        self.damping = _by_joint("damping", damping, self.targets)
        self.limit = _by_joint("limit", np.inf if limit is None else limit, self.targets)
        self._inner = CompiledController(model, compiled_pd(), parameters=self._table())
        self._asked = {
            name: 1 + BLOCK * k
            for k, (name, target) in enumerate(self.targets.items())
            if callable(target) and not isinstance(target, Path)
        }

    @property
    def compiled(self) -> CompiledController | None:
        """The controller that runs inside the loop over steps; None if a target has to be asked from Python."""
        return None if self._asked else self._inner

    def __call__(self, time: float, state: State) -> dict[str, Floats]:
        """Forces by joint."""
        # a table of its own: several runs may ask at the same time
        table = self._inner.parameters.copy() if self._asked else self._inner.parameters
        for name, at in self._asked.items():
            joint, target = self.model.joints[name], self.targets[name]
            goal = _read(joint, target(time))
            before, after = _read(joint, target(time - HALF)), _read(joint, target(time + HALF))
            rate = joint_difference(joint, after, before) / (2.0 * HALF)
            table[at + GOAL : at + GOAL + goal.size] = goal
            table[at + GOAL_RATE : at + GOAL_RATE + rate.size] = rate
        force = self._inner.forces(time, state, table)
        return {name: force[self.model.joints[name].rates] for name in self.targets}

    def _table(self) -> Floats:
        """The parameters of `pd_law`."""
        blocks = np.zeros((len(self.targets), BLOCK))
        paths: list[Floats] = []
        end = 1 + blocks.size
        for block, (name, target) in zip(blocks, self.targets.items(), strict=True):
            joint = self.model.joints[name]
            turns = joint.kind.turns_freely
            block[COORDINATE], block[RATE] = joint.coordinates.start, joint.rates.start
            block[SCALARS], block[TURNS] = len(joint.components) - (3 if turns else 0), turns
            block[STIFFNESS], block[DAMPING] = self.stiffness[name], self.damping[name]
            block[LIMIT], block[PATH] = self.limit[name], -1
            if isinstance(target, Path):
                block[PATH] = end
                paths.append(target.table)
                end += target.table.size
            elif not callable(target):
                goal = _read(joint, target)
                block[GOAL : GOAL + goal.size] = goal
        return np.concatenate([[len(blocks)], blocks.ravel(), *paths])


def _read(joint: Joint, value: Any) -> Floats:
    findings = Findings()
    coordinates = read_coordinates(joint, value, findings)
    findings.raise_if_any()
    return np.asarray(coordinates, dtype=float)


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
