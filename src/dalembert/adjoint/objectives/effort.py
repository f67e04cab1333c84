"""What the drives of joints cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.adjoint.objectives.base import Objective

if TYPE_CHECKING:
    from dalembert.adjoint.forward import DrivenRun
    from dalembert.adjoint.objectives.motion_gradient import MotionGradient


@dataclass(frozen=True)
class Effort(Objective):
    """½ weight ∫ Σ u² dt over the forces u of drives.

    Args:
        joints: those that count; all if not given.
        weight: 1/(N² s) and 1/(N² m² s).
    """

    joints: tuple[str, ...] | None = None
    weight: float = 1.0

    def __call__(self, run: DrivenRun, gradient: MotionGradient) -> float:
        counted = np.zeros(run.joint_force.shape[1], dtype=bool)
        for name in run.model.joints if self.joints is None else self.joints:
            run.model.joint_index(name)
            counted[run.model.joints[name].rates] = True
        force = run.joint_force * counted
        gradient.joint_force += self.weight * run.dt * force
        return 0.5 * self.weight * run.dt * float((force * force).sum())
