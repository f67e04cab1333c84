"""Masses, inertias, and gravity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.adjoint.parameters.base import Parameter, body_number
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.adjoint.inputs import Inputs
    from dalembert.adjoint.sensitivity import Sensitivity


@dataclass(frozen=True)
class Mass(Parameter):
    """The mass of a body, kg; with ``scale_inertia`` its inertia is proportional to it, as for a given shape."""

    body: str
    scale_inertia: bool = False

    def read(self, inputs: Inputs) -> Floats:
        return np.array(inputs.system.mass[body_number(inputs.model, self.body, self)])

    def write(self, inputs: Inputs, value: Floats) -> None:
        i, system = body_number(inputs.model, self.body, self), inputs.system
        if self.scale_inertia:
            system.inertia[i] *= float(value) / system.mass[i]
        system.mass[i] = float(value)

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        i, system = body_number(inputs.model, self.body, self), inputs.system
        out = felt.mass[i]
        if self.scale_inertia:
            out = out + (felt.inertia[i] * system.inertia[i]).sum() / system.mass[i]
        return np.array(out)

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        inertia = {("inertia", self.body)} if self.scale_inertia else set()
        return frozenset({("mass", self.body)} | inertia)


@dataclass(frozen=True)
class Inertia(Parameter):
    """The inertia of a body about its centre of mass in its own axes, kg m²: (xx, yy, zz, xy, xz, yz)."""

    body: str

    def read(self, inputs: Inputs) -> Floats:
        inertia = inputs.system.inertia[body_number(inputs.model, self.body, self)]
        return inertia[ROWS, COLUMNS].copy()

    def write(self, inputs: Inputs, value: Floats) -> None:
        inertia = inputs.system.inertia[body_number(inputs.model, self.body, self)]
        inertia[ROWS, COLUMNS] = value
        inertia[COLUMNS, ROWS] = value

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        # an entry off the diagonal stands in the matrix twice
        twice = (1.0, 1.0, 1.0, 2.0, 2.0, 2.0)
        return felt.inertia[body_number(inputs.model, self.body, self)][ROWS, COLUMNS] * twice

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        return frozenset({("inertia", self.body)})


ROWS, COLUMNS = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]


@dataclass(frozen=True)
class Gravity(Parameter):
    """The acceleration of gravity in the world, (3,) m/s²."""

    def read(self, inputs: Inputs) -> Floats:
        return inputs.system.gravity.copy()

    def write(self, inputs: Inputs, value: Floats) -> None:
        inputs.system.gravity[:] = value

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        return felt.gravity.copy()

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        return frozenset({("gravity", "")})
