"""What the implicit methods on reduced coordinates offer to users in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from dalembert.errors import ModelError
from dalembert.integrators.base import Integrator, Stepper
from dalembert.integrators.options import check_count, check_number
from dalembert.model.product_kinds import EulerAngles
from dalembert.model.system import CUSTOM

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State


@dataclass(frozen=True)
class ImplicitIntegrator(Integrator):
    """Implicit integration in the minimal coordinates of the spanning tree [Sueda 2021].

    Springs, dampers, limits and gravity are taken at the end of a step, so that no stiffness limits it. Loops are
    closed by multipliers, exactly at every knot.

    Args:
        tol: Newton's method stops when a step changes rates by less than this, relative to 1 + the largest rate; the
            error that is left is about its square.
        max_iterations: Newton iterations after which a step fails.
        limit_stiffness: limits of joints are one-sided springs of this stiffness, N/m or N m/rad …
        limit_damping: … and dampers, N s/m or N m s/rad.
    """

    tol: float = 1e-9
    max_iterations: int = 50
    limit_stiffness: float = 1e4
    limit_damping: float = 10.0

    code: ClassVar[int]
    """Which method the kernels take."""
    order: ClassVar[int]
    coordinates: ClassVar[str] = "minimal"
    supports: ClassVar[frozenset[str]] = frozenset(
        {"loops", "springs", "dampers", "armature", "actuators", "limits", "forces", "damped forces"}
        | {"joints along curves", "custom constraints", "constraints", "inequalities", "potentials"}
        | {"spring laws", "changes of axes"}
    )

    def __post_init__(self) -> None:
        check_number(self, "tol", 1e-13, 1e-2)
        check_count(self, "max_iterations", 1)
        check_number(self, "limit_stiffness", 0.0)
        check_number(self, "limit_damping", 0.0)

    @property
    def declared_order(self) -> int:
        return self.order

    def start(self, model: Model, state: State, dt: float) -> Stepper:
        from dalembert.integrators.implicit.stepper import ImplicitStepper

        check_model(model, self.name)
        return ImplicitStepper(self, model, state, dt)


def check_model(model: Model, name: str) -> None:
    """Refuse what the equations on reduced coordinates leave out."""
    system, names = model.system, list(model.joints)
    for joint in model.joints.values():
        options = {option: getattr(system, option)[joint.index] for option in ("stiffness", "damping", "armature")} | {
            "limits": np.isfinite(joint.limits),
            "friction": joint.friction,
        }
        for option, values in options.items():
            if isinstance(joint.kind, EulerAngles) and joint.kind.switch > 0.0 and np.any(values > 0.0):
                raise ModelError(
                    f'joint "{joint.name}" has {option} on Euler angles that change their axes (switch > 0); leave it '
                    "out, or use a Spherical joint"
                )
    for j in system.loop_joint.tolist():
        if system.joint_kind[j] != CUSTOM and np.any(system.armature[j] > 0.0):
            raise ModelError(
                f'joint "{names[j]}" closes a loop and has armature, which {name} takes on joints of the spanning tree '
                "only; declare it before the joints that the tree should leave out, or use MaximalVI"
            )
