"""The integrator that users hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from dalembert.integrators.base import Integrator, Stepper
from dalembert.integrators.options import check_choice, check_number
from dalembert.integrators.runge_kutta.tableaus import TABLEAUS

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State

_ADAPTIVE = {"RK45": 5, "DOP853": 8, "Radau": 5}


@dataclass(frozen=True)
class RungeKutta(Integrator):
    """Runge–Kutta methods on the continuous equations in the minimal coordinates of the spanning tree.

    Loops are closed at the level of accelerations only and open slowly; ``stabilisation`` pulls them together again.

    Args:
        method: "DOP853", "RK45" (explicit) or "Radau" (implicit, for stiff mechanisms) choose their own steps between
            the recorded instants; "euler", "heun" and "rk4" take steps of dt.
        rtol: relative error of a step that the adaptive methods allow.
        atol: the absolute one, in the units of the coordinates and rates.
        stabilisation: "baumgarte" demands c̈ + 2 a ċ + a² c = 0 of every constraint c that closes a loop; None: c̈ = 0.
        stabilisation_rate: a in 1/s; a violation decays by e in about 1/a. Steps must be well shorter than that.
    """

    method: Literal["DOP853", "RK45", "Radau", "heun", "rk4", "euler"] = "DOP853"
    rtol: float = 1e-9
    atol: float = 1e-12
    stabilisation: Literal["baumgarte"] | None = None
    stabilisation_rate: float = 20.0

    name: ClassVar[str] = "RungeKutta"
    coordinates: ClassVar[str] = "minimal"
    supports: ClassVar[frozenset[str]] = frozenset(
        {"loops", "springs", "dampers", "armature", "actuators", "potentials", "forces", "damped forces"}
        | {"joints along curves"}
    )
    summary: ClassVar[str] = "the usual methods, fixed or adaptive step: short accurate runs; energy and loops drift"

    def __post_init__(self) -> None:
        check_choice(self, "method", (*_ADAPTIVE, *TABLEAUS))
        check_choice(self, "stabilisation", (None, "baumgarte"))
        check_number(self, "stabilisation_rate", 0.0, open_start=True, unit=" in 1/s")
        check_number(self, "rtol", 3e-14, 1.0)
        check_number(self, "atol", 0.0, 1.0)

    @property
    def declared_order(self) -> int:
        return _ADAPTIVE[self.method] if self.method in _ADAPTIVE else TABLEAUS[self.method][0]

    def start(self, model: Model, state: State, dt: float) -> Stepper:
        rate = self.stabilisation_rate if self.stabilisation == "baumgarte" else 0.0
        gains = (2.0 * rate, rate * rate)
        if self.method in _ADAPTIVE:
            from dalembert.integrators.runge_kutta.adaptive import AdaptiveStepper

            return AdaptiveStepper(self, model, state, dt, gains, self.method, self.rtol, self.atol)
        from dalembert.integrators.runge_kutta.explicit import ExplicitStepper

        return ExplicitStepper(self, model, state, dt, gains, TABLEAUS[self.method][1])
