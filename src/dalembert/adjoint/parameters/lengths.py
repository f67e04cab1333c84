"""Lengths: where joints sit in their bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.adjoint.parameters.base import Parameter, any_joint, body_number
from dalembert.errors import ModelError
from dalembert.model.system import DISTANCE, GEAR, Floats

if TYPE_CHECKING:
    from dalembert.adjoint.inputs import Inputs
    from dalembert.adjoint.sensitivity import Sensitivity
    from dalembert.model.system import System


@dataclass(frozen=True)
class Length(Parameter):
    """A change of points: closed loops are closed again at the start."""

    @property
    def moves_start(self) -> bool:
        return True


@dataclass(frozen=True)
class JointPoint(Length):
    """Where a joint, rod or spring sits on one of its bodies: (3,) from the centre of mass in the body's axes, m.

    Args:
        joint: its name.
        on: "parent" or "child".
    """

    joint: str
    on: str = "parent"

    def __post_init__(self) -> None:
        if self.on not in ("parent", "child"):
            raise ModelError(f'{self}: expected on to be "parent" or "child", found {self.on!r}')

    def read(self, inputs: Inputs) -> Floats:
        return self._row(inputs, inputs.system).copy()

    def write(self, inputs: Inputs, value: Floats) -> None:
        self._row(inputs, inputs.system)[:] = value

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        return self._row(inputs, felt).copy()

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        return frozenset({(self.on, any_joint(inputs.model, self.joint).index)})

    def _row(self, inputs: Inputs, source: System | Sensitivity) -> Floats:
        joint = any_joint(inputs.model, self.joint)
        if inputs.system.joint_kind[joint.index] == GEAR or not joint.parent:
            raise ModelError(f"{self}: expected a joint with points on two bodies, found a {joint.kind.name}")
        return (source.parent_point if self.on == "parent" else source.child_point)[joint.index]


@dataclass(frozen=True)
class CentreOfMass(Length):
    """Where the centre of mass of a body lies: (3,) in its axes from where the model has it, m.

    Its joints stay where they are in the material; shapes, frames and contacts move along.
    """

    body: str

    def read(self, inputs: Inputs) -> Floats:
        return np.zeros(3)

    def write(self, inputs: Inputs, value: Floats) -> None:
        for points, j in _points(inputs, self.body, inputs.system, self):
            points[j] -= value

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        out = np.zeros(3)
        for points, j in _points(inputs, self.body, felt, self):
            out -= points[j]
        return out

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        return _sides(inputs, self.body, self)


@dataclass(frozen=True)
class LinkLength(Length):
    """The distance between two joints on a body, m: all joint points of the body stretch along the line between them.

    Mass and inertia stay.

    Args:
        body: its name.
        joints: the two joints.
    """

    body: str
    joints: tuple[str, str]

    def read(self, inputs: Inputs) -> Floats:
        return np.array(self._line(inputs)[0])

    def write(self, inputs: Inputs, value: Floats) -> None:
        length, along = self._line(inputs)
        if not value > 0.0:
            raise ModelError(f"{self}: expected a positive length, found {value:g}; give it bounds")
        for points, j in _points(inputs, self.body, inputs.system, self):
            points[j] += (float(value) / length - 1.0) * (points[j] @ along) * along

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        length, along = self._line(inputs)
        now = _points(inputs, self.body, inputs.system, self)
        bars = _points(inputs, self.body, felt, self)
        pairs = zip(now, bars, strict=True)
        return np.array(sum((p[j] @ along) * (bar[j] @ along) for (p, j), (bar, _) in pairs) / length)

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        return _sides(inputs, self.body, self)

    def _line(self, inputs: Inputs) -> tuple[float, Floats]:
        """Length and direction of the line between the two joints, as they now are."""
        ends = []
        for name in self.joints:
            joint = any_joint(inputs.model, name)
            own = [points[j] for points, j in _points(inputs, self.body, inputs.system, self) if j == joint.index]
            if not own:
                raise ModelError(f'{self}: expected joints on body "{self.body}", found "{name}"')
            ends.append(own[0])
        line = ends[1] - ends[0]
        length = float(np.linalg.norm(line))
        if not length > 0.0:
            raise ModelError(f"{self}: expected joints at different points, found them at one")
        return length, line / length


@dataclass(frozen=True)
class RodLength(Length):
    """The length of a rod (`Distance`), m."""

    rod: str

    def read(self, inputs: Inputs) -> Floats:
        return np.array(inputs.system.parameter[self._index(inputs)])

    def write(self, inputs: Inputs, value: Floats) -> None:
        if not value > 0.0:
            raise ModelError(f"{self}: expected a positive length, found {value:g}; give it bounds")
        inputs.system.parameter[self._index(inputs)] = float(value)

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        return np.array(felt.length[self._index(inputs)])

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        return frozenset({("length", self.rod)})

    def _index(self, inputs: Inputs) -> int:
        joint, system = any_joint(inputs.model, self.rod), inputs.system
        if not (system.joint_kind[joint.index] == DISTANCE and system.locked[joint.index, 0]):
            raise ModelError(f"{self}: expected a rod, da.Distance(), found a {joint.kind.name}")
        return joint.index


def _points(inputs: Inputs, body: str, source: System | Sensitivity, who: Parameter) -> list[tuple[Floats, int]]:
    """(array, row) of every joint point on a body."""
    i, system = body_number(inputs.model, body, who), inputs.system
    found: list[tuple[Floats, int]] = []
    for joint in inputs.model.joints.values():
        j = joint.index
        if joint.parent and system.joint_kind[j] != GEAR:
            found += [(source.parent_point, j)] if system.joint_parent[j] == i else []
            found += [(source.child_point, j)] if system.joint_child[j] == i else []
    return found


def _sides(inputs: Inputs, body: str, who: Parameter) -> frozenset[tuple[str, object]]:
    system = inputs.system
    points = _points(inputs, body, system, who)
    return frozenset(("parent" if array is system.parent_point else "child", j) for array, j in points)
