"""The integrator that users hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from dalembert.errors import ModelError
from dalembert.integrators.base import Integrator, Stepper
from dalembert.integrators.options import check_choice, check_count, check_number

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State


@dataclass(frozen=True)
class MinimalVI(Integrator):
    """The linear-time variational integrator in minimal coordinates of [Lee 2016], second order.

    Args:
        tol: largest predicted error of the root of a step in a position, relative to the mechanism's typical length,
        or in
            an orientation in radians. Down to 1e-14.
        root: how the root is found. "exact": Newton's direction by a recursive solve in linear time; "riqn": the
        paper's
            impulse-based quasi-Newton direction; "broyden": the same with Broyden's updates; "newton": the dense
            Jacobian, in cubic time. All find the same root.
        initial_guess: "ig1": nothing moves; "ig2": the last step again; "ig3": the last step and the acceleration;
            "extrapolation": quadratic, from the last three steps.
        max_iterations: evaluations of the residual after which a step fails.
        max_halvings: how often the line search may halve an increment.
        slow_rate: if given, steps are of variable length: ``dt`` where the joints are slower than this (rad/s), and
            shorter in proportion to their speed above it, ``|q̇|²`` added up over all joints. The energy stays in a band
            as with fixed steps. For open trees without forces from outside.
    """

    tol: float = 1e-10
    root: Literal["exact", "riqn", "newton", "broyden"] = "exact"
    initial_guess: Literal["ig1", "ig2", "ig3", "extrapolation"] = "extrapolation"
    max_iterations: int = 100
    max_halvings: int = 20
    slow_rate: float | None = None

    name: ClassVar[str] = "MinimalVI"
    coordinates: ClassVar[str] = "minimal"
    supports: ClassVar[frozenset[str]] = frozenset(
        {"loops", "springs", "dampers", "armature", "actuators", "potentials", "forces", "reactions"}
    )
    summary: ClassVar[str] = "variational, symplectic, joint coordinates, linear time; fast spins"

    def __post_init__(self) -> None:
        from dalembert.integrators.minimal.memory import GUESSES, ROOTS

        check_number(self, "tol", 1e-14, 1e-2)
        check_choice(self, "root", tuple(ROOTS))
        check_choice(self, "initial_guess", tuple(GUESSES))
        check_count(self, "max_iterations", 1)
        check_count(self, "max_halvings", 1)
        if self.slow_rate is not None:
            check_number(self, "slow_rate", 0.0, open_start=True, unit=" rad/s, or None")

    @property
    def declared_order(self) -> int:
        return 2

    def start(self, model: Model, state: State, dt: float) -> Stepper:
        from dalembert.integrators.minimal.stepper import MinimalTreeStepper

        if self.root == "newton" and model.loop_joints:
            raise ModelError(
                f'MinimalVI(root="newton"): expected an open tree, found joint "{model.loop_joints[0]}" outside of it; '
                'use root="exact"'
            )
        if self.slow_rate is None:
            return MinimalTreeStepper(self, model, state, dt)
        for what, names in (
            ("joint", [list(model.joints)[j] for j in model.system.loop_joint]),
            ("potential", list(model.potentials)),
        ):
            if names:
                raise ModelError(
                    f"MinimalVI(slow_rate=…): expected an open tree without user potentials, found {what} "
                    f'"{names[0]}"; use a fixed step, slow_rate=None'
                )
        from dalembert.integrators.minimal.variable_stepper import VariableStepper

        return VariableStepper(self, model, state, dt)
