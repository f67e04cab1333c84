"""The integrator that users hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from dalembert.integrators.base import Integrator, Stepper
from dalembert.integrators.options import check_number

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State


@dataclass(frozen=True)
class LinearlyImplicitEuler(Integrator):
    """Linearly implicit Euler in the minimal coordinates of the spanning tree, first order. [Sueda 2021] eq. (2.86)

    Every force is taken at the end of the step along its tangent: one linear system a step, stable with stiff springs,
    dampers and cables, and cheaper than `BDF1`, which solves the same step exactly. Loops are closed at the level of
    velocities, and a part of the gap is taken back in every step.

    Args:
        gain: the part of a loop's gap that a step takes back, from 0 to 1.
    """

    gain: float = 0.2

    name: ClassVar[str] = "LinearlyImplicitEuler"
    coordinates: ClassVar[str] = "minimal"
    supports: ClassVar[frozenset[str]] = frozenset(
        {"loops", "springs", "dampers", "armature", "actuators", "forces", "damped forces", "spring laws"}
    )
    summary: ClassVar[str] = "one linear system a step: stiff mechanisms where speed counts more than accuracy"

    def __post_init__(self) -> None:
        check_number(self, "gain", 0.0, 1.0, closed_end=True)

    @property
    def declared_order(self) -> int:
        return 1

    def start(self, model: Model, state: State, dt: float) -> Stepper:
        from dalembert.integrators.implicit.method import check_model
        from dalembert.integrators.linearly_implicit.stepper import LinearlyImplicitStepper

        check_model(model, self.name)
        return LinearlyImplicitStepper(self, model, state, dt)
