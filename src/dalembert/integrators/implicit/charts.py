"""Joints in Euler angles that go on about other axes before their own come to lie on one line.

Where |det S| of a joint falls to its ``switch``, the chart is taken whose smaller |det S| at the present knot and the
one before is largest, and angles and rates of both knots are taken over: q by the turn, v by S_new⁻¹ S_old v.
[Sueda 2021] section 2.4.5. The axes are data of the system, of which a run with such joints has its own copy; outside
the run coordinates are always those that the model declares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.product_kinds import CHARTS, EulerAngles
from dalembert.spatial.euler_angles import (
    AXES,
    euler_angles,
    euler_rates,
    euler_regularity,
    euler_screws,
    euler_turn,
)

if TYPE_CHECKING:
    from dalembert.integrators.implicit.steps import Knots
    from dalembert.model.model import Model
    from dalembert.model.system import Floats, System

Angles = tuple[float, float, float]


class _Joint(NamedTuple):
    name: str
    number: int
    declared: int
    switch: float
    q: slice
    v: slice


class Charts:
    """The joints of a model that change their axes, and the system of the run."""

    def __init__(self, model: Model) -> None:
        self._joints = [
            _Joint(name, one.index, CHARTS.index(one.kind.axes), one.kind.switch, one.coordinates, one.rates)
            for name, one in model.joints.items()
            if isinstance(one.kind, EulerAngles) and one.kind.switch > 0.0
        ]
        self.system: System = model.system
        if self._joints:
            self.system = model.system._replace(product_data=model.system.product_data.copy())
        self._present = [joint.declared for joint in self._joints]

    def __len__(self) -> int:
        return len(self._joints)

    def switch(self, knots: Knots) -> bool:
        """Change the charts of joints that need it; whether any did."""
        changed = False
        for k, joint in enumerate(self._joints):
            q = _three(knots.q[joint.q])
            old = self._present[k]
            if euler_regularity(old, q) > joint.switch:
                continue
            past = _three(knots.q[joint.q] - knots.past[joint.v])
            turns = euler_turn(old, q), euler_turn(old, past)
            new = max(range(len(CHARTS)), key=lambda chart: min(_regularity(chart, p) for p in turns))
            moved = _over(old, new, q, _three(knots.v[joint.v]))
            before = _over(old, new, past, _three(knots.past_v[joint.v]))
            step = moved[0] - before[0]
            knots.q[joint.q], knots.v[joint.v] = moved
            # angles of neighbours may stand a whole turn apart
            knots.past[joint.v] = step - 2.0 * np.pi * np.round(step / (2.0 * np.pi))
            knots.past_v[joint.v] = before[1]
            self._set(k, new)
            changed = True
        return changed

    def declared(self, q: Floats, v: Floats) -> None:
        """Replace the angles and rates of these joints, in the present charts, by those that the model declares."""
        for joint, present in zip(self._joints, self._present, strict=True):
            if present != joint.declared:
                q[joint.q], v[joint.v] = _over(present, joint.declared, _three(q[joint.q]), _three(v[joint.v]))

    def refuse_forces(self, joint_force: Floats) -> None:
        """Forces on angles mean nothing once the angles are others."""
        for joint in self._joints:
            if joint_force[joint.v].any():
                raise ModelError(
                    f'force at joint "{joint.name}": expected none on Euler angles that change their axes; give '
                    "the body a torque, or use a Spherical joint"
                )

    def keep(self) -> list[int]:
        """The present charts, for `restore`."""
        return list(self._present)

    def restore(self, kept: Any) -> None:
        """The charts of a run that goes on."""
        for k, chart in enumerate(kept):
            self._set(k, chart)

    def _set(self, k: int, chart: int) -> None:
        system, self._present[k] = self.system, chart
        first = system.product_start[self._joints[k].number]
        for m, axis in enumerate(AXES[chart].tolist()):
            # the twist of a factor: linear, angular
            at = system.product_factor[first + m, 3]
            system.product_data[at + 3 : at + 6] = np.eye(3)[axis]


def _three(values: Floats) -> Angles:
    a, b, c = values.tolist()
    return a, b, c


def _regularity(chart: int, turn: tuple[float, float, float, float]) -> float:
    return float(euler_regularity(chart, euler_angles(chart, turn)))


def _over(old: int, new: int, q: Angles, v: Angles) -> tuple[Floats, Floats]:
    """The same turn and angular velocity in another chart."""
    screws = np.array(euler_screws(old, q))
    spin = _three(np.array(v) @ screws)
    angles = euler_angles(new, euler_turn(old, q))
    return np.array(angles), np.array(euler_rates(new, angles, spin))
