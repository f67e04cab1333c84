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
class MaximalVI(Integrator):
    """The variational integrator in maximal coordinates of [Brüdigam 2020] and [Brüdigam 2023], second order.

    Args:
        tol: largest predicted error of Newton's method in a position, relative to the mechanism's typical length, or in
            an orientation in radians. Down to 1e-12.
        max_iterations: Newton iterations after which a step fails.
        max_halvings: how often the line search may halve an increment.
        linear_solver: "tree" (recursion in the null space of the joints of the spanning tree; loops are eliminated
            where they close), "graph" (block LDU on the mechanism's graph), "dense" (the same with all blocks kept), or
            "auto": the tree, unless so many loops overlap that the graph is faster, or there are custom constraints.
            All solve the same equations.
        order: 2, 4 or 6. A step of higher order is made of 5 or 9 substeps of second order, some of them back in time,
            and is symplectic and symmetric as these are. It asks for a tolerance to match, 1e-12 or so. Not with
            contact, nor with dampers that are stiff in a step.
        initial_velocity: "knot": the velocities of the start belong to the first instant (second order). "interval":
            they are the constant velocities of the first step, as the papers start (first order).
        friction_cone: "exact" (round, no direction is preferred), or the even number of sides of a linearised cone: a
            regular polygon inside the exact one, with a corner along the first tangent of each contact, for a
            horizontal ground the world's x axis. Friction is then too small by up to 1 − cos(π/sides) between corners,
            and pulls to the side.
    """

    tol: float = 1e-10
    max_iterations: int = 50
    max_halvings: int = 20
    linear_solver: Literal["auto", "tree", "graph", "dense"] = "auto"
    order: Literal[2, 4, 6] = 2
    initial_velocity: Literal["knot", "interval"] = "knot"
    friction_cone: Literal["exact"] | int = "exact"

    name: ClassVar[str] = "MaximalVI"
    coordinates: ClassVar[str] = "maximal"
    supports: ClassVar[frozenset[str]] = frozenset(
        {
            "loops",
            "springs",
            "dampers",
            "armature",
            "actuators",
            "potentials",
            "forces",
            "custom constraints",
            "reactions",
            "contact",
            "limits",
            "friction",
            "joints along curves",
            "loops along curves",
        }
    )
    summary: ClassVar[str] = "variational, symplectic, loops closed exactly, no drift; the one to start with"

    def __post_init__(self) -> None:
        check_number(self, "tol", 1e-14, 1e-2)
        check_count(self, "max_iterations", 1)
        check_count(self, "max_halvings", 0)
        check_choice(self, "linear_solver", ("auto", "tree", "graph", "dense"))
        check_choice(self, "initial_velocity", ("knot", "interval"))
        check_choice(self, "order", (2, 4, 6))
        cone = self.friction_cone
        if cone != "exact" and (not isinstance(cone, int) or cone < 4 or cone % 2):
            raise ModelError(
                f'MaximalVI, friction_cone: expected "exact" or an even number of sides from 4, found {cone!r}'
            )
        if self.order > 2 and self.initial_velocity == "interval":
            raise ModelError(
                f'MaximalVI, order: expected 2 with initial_velocity="interval", which is a start of first order, '
                f'found {self.order}; use initial_velocity="knot"'
            )

    @property
    def declared_order(self) -> int:
        return self.order if self.initial_velocity == "knot" else 1

    @property
    def friction_sides(self) -> int:
        """Sides of the friction cone, 0 for the exact one."""
        return 0 if self.friction_cone == "exact" else self.friction_cone

    def start(self, model: Model, state: State, dt: float) -> Stepper:
        from dalembert.integrators.maximal.contact_start_run import contact_stepper
        from dalembert.integrators.maximal.substep_limits import check_order
        from dalembert.integrators.maximal.tree_plan import refusal, too_wide

        check_order(self, model, state, dt)
        stepper = contact_stepper(self, model, state, dt)
        if stepper is not None:
            return stepper
        reason = refusal(model.system)
        if self.initial_velocity == "interval":
            reason = "the papers' start is made by the graph solver only"
        if self.linear_solver == "tree" and reason is not None:
            raise ModelError(f'MaximalVI(linear_solver="tree"): {reason}; use linear_solver="auto"')
        if reason is None and self.linear_solver == "auto":
            reason = too_wide(model.system)
        if reason is None and self.linear_solver in ("auto", "tree"):
            from dalembert.integrators.maximal.tree_stepper import TreeStepper

            return TreeStepper(self, model, state, dt)
        from dalembert.integrators.maximal.graph_stepper import GraphStepper

        return GraphStepper(self, model, state, dt)
