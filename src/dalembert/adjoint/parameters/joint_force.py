"""The drive of a joint over time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dalembert.adjoint.parameters.base import Parameter, any_joint
from dalembert.errors import ModelError
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.adjoint.inputs import Inputs
    from dalembert.adjoint.sensitivity import Sensitivity

SHAPES = ("hold", "linear", "cubic")


@dataclass(frozen=True)
class JointForce(Parameter):
    """Force or torque of an actuator, N or N m, zero unless other values are given.

    The value is (K,), or (K, k) for a joint with k rates.

    Args:
        joint: any joint with rates, those that close loops included.
        knots: K values at equal distances over the run, from its start to its end; if not given, one for each step.
        between: what lies between knots: "hold" (K equal spans), "linear" or "cubic" (a natural spline). The integrator
            holds it for each step at the value of the step's middle.
    """

    joint: str
    knots: int | None = None
    between: str = "linear"

    def __post_init__(self) -> None:
        if self.between not in SHAPES:
            raise ModelError(f"{self}: expected between to be one of {', '.join(SHAPES)}, found {self.between!r}")
        if self.knots is not None and not self.knots >= (1 if self.between == "hold" else 2):
            raise ModelError(f"{self}: expected at least two knots (one to hold), found {self.knots!r}")

    def read(self, inputs: Inputs) -> Floats:
        rates = self._rates(inputs)
        count = len(inputs.joint_force) if self.knots is None else self.knots
        return np.zeros(count if rates.stop - rates.start == 1 else (count, rates.stop - rates.start))

    def write(self, inputs: Inputs, value: Floats) -> None:
        rates = self._rates(inputs)
        columns = value.reshape(len(value), -1)
        steps = len(inputs.joint_force)
        inputs.joint_force[:, rates] += columns if self.knots is None else self._basis(steps) @ columns

    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        columns = felt.joint_force[:, self._rates(inputs)]
        if self.knots is not None:
            columns = self._basis(len(columns)).T @ columns
        return columns.reshape(self.read(inputs).shape).copy()

    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        # drives add up
        return frozenset()

    def _rates(self, inputs: Inputs) -> slice:
        rates = any_joint(inputs.model, self.joint).rates
        if rates.stop == rates.start:
            raise ModelError(f"{self}: expected a joint that can be driven, found one without rates")
        return rates

    def _basis(self, steps: int) -> Floats:
        assert self.knots is not None
        return basis(steps, self.knots, self.between)


@lru_cache(maxsize=16)
def basis(steps: int, knots: int, between: str) -> Floats:
    """(steps, knots): the values in the middles of steps are this times those at the knots."""
    middle = (np.arange(steps) + 0.5) / steps
    if between == "hold":
        return np.eye(knots)[np.minimum((middle * knots).astype(int), knots - 1)]
    at = np.linspace(0.0, 1.0, knots)
    if between == "linear":
        return np.stack([np.interp(middle, at, row) for row in np.eye(knots)], axis=1)
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(at, np.eye(knots), bc_type="natural")(middle))
