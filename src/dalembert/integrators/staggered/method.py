"""The integrator that users hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from dalembert.errors import ModelError
from dalembert.integrators.base import Integrator, Stepper
from dalembert.integrators.options import check_choice, check_count, check_number

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State


@dataclass(frozen=True)
class StaggeredEuler(Integrator):
    """Semi-implicit Euler on velocities, with loops, limits, contact and friction in every step, first order.

    v⁺ = v + M⁻¹ (h f + impulses), q⁺ = q ⊕ h v⁺, the impulses such that joints do not part, contacts do not approach
    further than their gaps and friction obeys Coulomb's law on a pyramid of four sides. [Sueda 2021] chapters 1 and 2.

    Args:
        unknowns: "minimal" (the tree's rates; joints that close loops are rows) or "maximal" (six rates of each body;
            all joints are rows).
        friction: "staggered": contact and friction in turn until they agree [Kaufman 2008]; "pyramid": one program for
            both, which lifts sliding bodies a little [Anitescu 2004]; "none".
        stabilisation: how gaps of joints are taken back: "baumgarte" in the velocities of the next step, "post" by a
            correction of positions after each [Cline 2003].
        gain: the part of a gap, or of a penetration, that a step takes back, from 0 to 1.
        qp: "interior", "daqp" or "clarabel": what solves the quadratic programs.
        tol: contact and friction agree when neither changes by more than this part of both.
        max_projections: so many times before a step fails.
    """

    unknowns: Literal["minimal", "maximal"] = "minimal"
    friction: Literal["staggered", "pyramid", "none"] = "staggered"
    stabilisation: Literal["baumgarte", "post"] = "baumgarte"
    gain: float = 0.2
    qp: Literal["interior", "daqp", "clarabel"] = "interior"
    tol: float = 1e-8
    max_projections: int = 1000

    name: ClassVar[str] = "StaggeredEuler"
    coordinates: ClassVar[str] = "minimal"
    supports: ClassVar[frozenset[str]] = frozenset(
        {"loops", "springs", "dampers", "armature", "actuators", "potentials", "forces", "damped forces"}
        | {"limits", "friction", "contact", "custom constraints", "constraints", "inequalities"}
        | {"bearings", "spring laws"}
    )
    summary: ClassVar[str] = "velocity steps with contact and friction as quadratic programs, first order"

    def __post_init__(self) -> None:
        check_choice(self, "unknowns", ("minimal", "maximal"))
        check_choice(self, "friction", ("staggered", "pyramid", "none"))
        check_choice(self, "stabilisation", ("baumgarte", "post"))
        check_choice(self, "qp", ("interior", "daqp", "clarabel"))
        check_number(self, "gain", 0.0, 1.0, closed_end=True)
        check_number(self, "tol", 1e-12, 1.0)
        check_count(self, "max_projections", 1)

    @property
    def declared_order(self) -> int:
        return 1

    def start(self, model: Model, state: State, dt: float) -> Stepper:
        from dalembert.integrators.implicit.method import check_model
        from dalembert.integrators.staggered.stepper import StaggeredStepper

        check_model(model, self.name)
        if model.bearings and self.friction == "pyramid":
            raise ModelError(
                f'joint "{next(iter(model.bearings))}" has a bearing whose friction follows its load, which '
                'StaggeredEuler takes with friction="staggered" only'
            )
        for contact in model.contacts.values():
            if contact.stiffness is not None or contact.torsional_friction or contact.rolling_friction:
                raise ModelError(
                    f'contact "{contact.name}": expected a rigid one without torsional or rolling friction, which '
                    "StaggeredEuler does not know; a ground that is soft is a PenaltyGround"
                )
        for name, constraint in model.constraints.items() if self.unknowns == "maximal" else ():
            if constraint.coordinates:
                raise ModelError(
                    f'constraint "{name}" is one on coordinates, which StaggeredEuler takes in minimal unknowns only; '
                    'use unknowns="minimal"'
                )
        for joint in model.joints.values() if self.unknowns == "maximal" else ():
            options = {
                "armature": model.system.armature[joint.index].any(),
                "limits": np.isfinite(joint.limits).any(),
                "friction": joint.friction.any(),
            }
            for option, given in options.items():
                if given:
                    raise ModelError(
                        f'joint "{joint.name}" has {option}, which StaggeredEuler takes in minimal unknowns only; use '
                        'unknowns="minimal"'
                    )
        return StaggeredStepper(self, model, state, dt)
