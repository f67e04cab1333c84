"""The integrator that users hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from dalembert.errors import ModelError
from dalembert.integrators.base import Integrator, Stepper
from dalembert.integrators.options import check_choice, check_count, check_number

if TYPE_CHECKING:
    from dalembert.integrators.galerkin.derivatives import StepDerivatives
    from dalembert.model.model import Model
    from dalembert.model.state import State
    from dalembert.model.system import Floats

MOST_STAGES = 10


@dataclass(frozen=True)
class GalerkinVI(Integrator):
    """Variational integrators of any even order in minimal coordinates, [Fan 2018]: large steps, high accuracy.

    Coordinates are polynomials of degree ``stages`` over a step, and the action is summed up at quadrature points. A
    step costs O(s³ n). For open trees.

    Args:
        stages: s, the degree of the polynomials; the order is 2 s. From 1 to 10; 2 to 5 suit most purposes.
        quadrature: "lobatto" (the method of the paper; s = 1 is the trapezoidal rule, Störmer–Verlet where the mass
            matrix is constant) or "gauss" (Gauss's collocation methods; s = 1 is the midpoint rule), which stays stable
            on stiff springs.
        tol: largest error left by Newton's method in an angle in radians, or in a length relative to the mechanism's
            typical length.
        max_iterations: eliminations after which a step fails.
        max_halvings: how often an increment may be halved.
    """

    stages: int = 2
    quadrature: Literal["lobatto", "gauss"] = "lobatto"
    tol: float = 1e-12
    max_iterations: int = 30
    max_halvings: int = 10

    name: ClassVar[str] = "GalerkinVI"
    coordinates: ClassVar[str] = "minimal"
    supports: ClassVar[frozenset[str]] = frozenset({"springs", "dampers", "armature", "actuators", "potentials"})
    summary: ClassVar[str] = "variational, symplectic, order 2s: the most accurate for its cost; open trees"

    def __post_init__(self) -> None:
        check_count(self, "stages", 1, MOST_STAGES)
        check_choice(self, "quadrature", ("lobatto", "gauss"))
        check_number(self, "tol", 1e-15, 1e-2)
        check_count(self, "max_iterations", 1)
        check_count(self, "max_halvings", 0)

    @property
    def declared_order(self) -> int:
        return 2 * self.stages

    def start(self, model: Model, state: State, dt: float) -> Stepper:
        outside = model.system.loop_joint.tolist()
        if outside:
            name = list(model.joints)[outside[0]]
            raise ModelError(
                f'GalerkinVI: joint "{name}" is not part of the spanning tree (it closes a loop or is a spring between '
                "points), and open trees are expected; use MaximalVI"
            )
        from dalembert.integrators.galerkin.stepper import GalerkinStepper

        return GalerkinStepper(self, model, state, dt)

    def linearize(
        self,
        model: Model,
        state: State,
        dt: float,
        force: Sequence[float] | Floats | None = None,
        wrenches: Floats | None = None,
    ) -> StepDerivatives:
        """One step and its derivatives, from the second derivatives of the action: no differences of steps.

        Args:
            model: an open tree without user potentials.
            state: where the step starts.
            dt: step in seconds.
            force: (n_v,) forces on the minimal rates during the step, N or N m.
            wrenches: (n, 6) on the bodies: force in the world, torque in body axes.
        """
        from dalembert.integrators.galerkin.derivatives import step_derivatives

        forces, outside = np.zeros(model.system.n_v), np.zeros((model.n_bodies + 1, 6))
        for name, given, target in (("force", force, forces), ("wrenches", wrenches, outside[:-1])):
            if given is None:
                continue
            values = np.asarray(given, dtype=float)
            if values.shape != target.shape or not np.isfinite(values).all():
                raise ModelError(
                    f"GalerkinVI.linearize, {name}: expected finite numbers of shape {target.shape}, found {given!r}"
                )
            target[:] = values
        return step_derivatives(self, model, state, float(dt), forces, outside)
