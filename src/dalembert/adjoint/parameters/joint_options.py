"""Springs, dampers and rotors of joints: one number, or one for each free component of the joint."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.adjoint.parameters.base import Parameter, any_joint, plain
from dalembert.errors import ModelError
from dalembert.model.springs import PointSpring
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.adjoint.inputs import Inputs
    from dalembert.adjoint.sensitivity import Sensitivity
    from dalembert.model.system import System


@dataclass(frozen=True)
class JointOption(Parameter):
    """An option of a joint, with a value for each free component."""

    joint: str

    @abstractmethod
    def table(self, source: System | Sensitivity) -> Floats:
        """(m, 6) where it stands, and where its derivative does."""

    def read(self, inputs: Inputs) -> Floats:
        values = self.table(inputs.system)[self._place(inputs)]
        return np.array(values[0]) if self._uniform(inputs) else plain(values)

    def write(self, inputs: Inputs, value: Floats) -> None:
        if self.must_not_be_negative and (value < 0.0).any():
            raise ModelError(f"{self}: expected numbers from 0, found {value}; give it bounds")
        self.table(inputs.system)[self._place(inputs)] = value.reshape(-1)

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        slopes = self.table(felt)[self._place(inputs)]
        return np.array(slopes.sum()) if self._uniform(inputs) else plain(slopes)

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        return frozenset({(type(self).__name__, self.joint)})

    @property
    def must_not_be_negative(self) -> bool:
        return True

    def _uniform(self, inputs: Inputs) -> bool:
        """Whether one number stands for all components: a spring of zero rest length pulls alike in all directions."""
        return isinstance(any_joint(inputs.model, self.joint).kind, PointSpring)

    def _place(self, inputs: Inputs) -> tuple[int, list[int]]:
        joint = any_joint(inputs.model, self.joint)
        if not joint.components:
            raise ModelError(f"{self}: expected a joint with a free component, found a {joint.kind.name}")
        if not joint.in_tree and not isinstance(self, Armature):
            system = inputs.model.system
            if self._uniform(inputs):
                if isinstance(self, Rest):
                    raise ModelError(f"{self}: expected a joint or a spring with a length, found a spring without one")
                return joint.index, [0, 1, 2]
            idle = (system.stiffness[joint.index] == 0.0) & (system.damping[joint.index] == 0.0)
            if idle[list(joint.components)].any():
                raise ModelError(
                    f"{self}: expected a joint with springs or dampers on all its free components, found one that "
                    "closes a loop without them; build it with a positive stiffness"
                )
        return joint.index, list(joint.components)


@dataclass(frozen=True)
class Stiffness(JointOption):
    """Stiffness of a joint or spring, N/m and N m/rad."""

    def table(self, source: System | Sensitivity) -> Floats:
        return source.stiffness


@dataclass(frozen=True)
class Damping(JointOption):
    """Damping of a joint or spring, N s/m and N m s/rad."""

    def table(self, source: System | Sensitivity) -> Floats:
        return source.damping


@dataclass(frozen=True)
class Rest(JointOption):
    """Where the springs of a joint, or a spring, are at rest: m and rad; of a rotation about a point its rotation
    vector."""

    def table(self, source: System | Sensitivity) -> Floats:
        return source.rest

    @property
    def must_not_be_negative(self) -> bool:
        return False


@dataclass(frozen=True)
class Armature(JointOption):
    """Inertia added to the rates of a joint of the spanning tree, kg and kg m²."""

    def table(self, source: System | Sensitivity) -> Floats:
        return source.armature
