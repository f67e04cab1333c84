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
class SemiImplicitEuler(Integrator):
    """Semi-implicit (symplectic) Euler in the minimal coordinates of the spanning tree, first order.

    Forces are explicit: stiff springs and dampers need small steps. Loops are closed at the level of velocities, and a
    part of the gap is taken back in every step.

    Args:
        loop_gain: the part of a loop's gap that a step takes back, from 0 to 1.
    """

    loop_gain: float = 0.2

    name: ClassVar[str] = "SemiImplicitEuler"
    coordinates: ClassVar[str] = "minimal"
    supports: ClassVar[frozenset[str]] = frozenset(
        {"loops", "springs", "dampers", "armature", "actuators", "potentials", "forces", "damped forces"}
        | {"joints along curves"}
    )
    summary: ClassVar[str] = "what most engines do: first order, loops pulled together, for comparison"

    def __post_init__(self) -> None:
        check_number(self, "loop_gain", 0.0, 1.0, closed_end=True)

    @property
    def declared_order(self) -> int:
        return 1

    def start(self, model: Model, state: State, dt: float) -> Stepper:
        from dalembert.integrators.semi_implicit_euler.stepper import SemiImplicitStepper

        # ċ⁺ = ċ + h c̈ = −gain c/h
        return SemiImplicitStepper(self, model, state, dt, (1.0 / dt, self.loop_gain / (dt * dt)))
