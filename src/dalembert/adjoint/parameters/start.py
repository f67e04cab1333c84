"""Where a run starts and how fast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.adjoint.parameters.base import Parameter, plain, tree_joint
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import exp, log, multiply, normalize, relative
from dalembert.spatial.rotation_second import exp_rate_transposed

if TYPE_CHECKING:
    from dalembert.adjoint.inputs import Inputs
    from dalembert.adjoint.sensitivity import Sensitivity
    from dalembert.model.record import Joint


@dataclass(frozen=True)
class InitialPosition(Parameter):
    """The coordinates of a joint of the spanning tree at the start, m and rad.

    A rotation about a point counts as a rotation vector from where the joint stands in the given state, in the axes of
    its child's frame. Where loops are closed, the coordinates that no parameter holds follow.
    """

    joint: str

    def read(self, inputs: Inputs) -> Floats:
        joint, scalars = self._joint(inputs)
        q = inputs.q[joint.coordinates]
        return plain(np.concatenate([q[:scalars], np.zeros(3)]) if len(q) > scalars else q.copy())

    def write(self, inputs: Inputs, value: Floats) -> None:
        joint, scalars = self._joint(inputs)
        value = value.reshape(-1)
        q = inputs.q[joint.coordinates]
        if len(q) > scalars:
            turned = normalize(multiply(_tuple(q[scalars:]), exp(_tuple(value[scalars:]))))
            q[scalars:] = turned
        q[:scalars] = value[:scalars]

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        joint, scalars = self._joint(inputs)
        out = felt.start[joint.rates].copy()
        if len(out) > scalars:
            now = _tuple(inputs.q[joint.coordinates][scalars:])
            vector = log(relative(self._origin(inputs, joint, scalars), now))
            out[scalars:] = exp_rate_transposed(vector, _tuple(out[scalars:]))
        return plain(out)

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        return frozenset({("position", self.joint)})

    @property
    def moves_start(self) -> bool:
        return True

    @property
    def held_positions(self) -> tuple[str, ...]:
        return (self.joint,)

    def _joint(self, inputs: Inputs) -> tuple[Joint, int]:
        """The joint, and how many of its coordinates are lengths and angles."""
        joint = tree_joint(inputs.model, self.joint, self)
        rates = joint.rates.stop - joint.rates.start
        turns = joint.coordinates.stop - joint.coordinates.start > rates
        return joint, rates - 3 if turns else rates

    def _origin(self, inputs: Inputs, joint: Joint, scalars: int) -> tuple[float, ...]:
        return _tuple(inputs.origin[joint.coordinates][scalars:])


@dataclass(frozen=True)
class InitialVelocity(Parameter):
    """The rates of a joint of the spanning tree at the start, m/s and rad/s.

    Where loops are closed, the rates that no parameter holds follow.
    """

    joint: str

    def read(self, inputs: Inputs) -> Floats:
        return plain(inputs.v[tree_joint(inputs.model, self.joint, self).rates].copy())

    def write(self, inputs: Inputs, value: Floats) -> None:
        inputs.v[tree_joint(inputs.model, self.joint, self).rates] = value.reshape(-1)

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        return plain(felt.start_rate[tree_joint(inputs.model, self.joint, self).rates].copy())

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        return frozenset({("velocity", self.joint)})

    @property
    def moves_start(self) -> bool:
        return True

    @property
    def held_velocities(self) -> tuple[str, ...]:
        return (self.joint,)


def _tuple(a: Floats) -> tuple[float, ...]:
    return tuple(a.tolist())
