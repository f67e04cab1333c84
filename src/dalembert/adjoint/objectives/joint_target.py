"""Where a joint should be and how it should move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.adjoint.objectives.base import Objective, rows_at
from dalembert.errors import ModelError
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import exp, log, relative

if TYPE_CHECKING:
    from dalembert.adjoint.forward import DrivenRun
    from dalembert.adjoint.objectives.motion_gradient import MotionGradient
    from dalembert.model.record import Joint


@dataclass(frozen=True)
class JointTarget(Objective):
    """``½ weight (|coordinates − position|² + |rates − velocity|²)`` of a joint of the spanning tree.

    Args:
        joint: its name.
        position: a number, or one for each rate; of a rotation about a point a rotation vector. m and rad.
        velocity: the same of its rates, m/s and rad/s.
        time: s, or several, of which the mean is taken; the end of the run if not given; "all": all instants but the
            first.
        weight: one number, 1/m² or 1/rad² and so on.
    """

    joint: str
    position: Any = None
    velocity: Any = None
    time: Any = None
    weight: float = 1.0

    def __call__(self, run: DrivenRun, gradient: MotionGradient) -> float:
        model = run.model
        model.joint_index(self.joint)
        joint = model.joints[self.joint]
        if not (joint.in_tree and joint.components):
            raise ModelError(
                f"{self}: expected a joint of the spanning tree that moves; target a point of a body instead"
            )
        rows, total = rows_at(run, self.time, self), 0.0
        weight = self.weight / len(rows)
        for row in rows:
            if self.position is not None:
                gap = self._gap(joint, run.record.coordinates[row, joint.coordinates])
                total += 0.5 * weight * float(gap @ gap)
                gradient.coordinates[row, joint.rates] += weight * gap
            if self.velocity is not None:
                slip = run.knot_rates[row, joint.rates] - self._wanted(self.velocity, joint)
                total += 0.5 * weight * float(slip @ slip)
                gradient.rates[row, joint.rates] += weight * slip
        return total

    def _wanted(self, value: Any, joint: Joint) -> Floats:
        size = joint.rates.stop - joint.rates.start
        wanted = np.asarray(value, dtype=float).reshape(-1)
        if wanted.size != size or not np.isfinite(wanted).all():
            raise ModelError(f"{self}: expected {size} finite numbers, one for each rate of the joint, found {value!r}")
        return wanted

    def _gap(self, joint: Joint, found: Floats) -> Floats:
        """From the target to the joint; a rotation by u = log(target⁻¹ p), whose square has the gradient u."""
        wanted = self._wanted(self.position, joint)
        if len(found) == len(wanted):
            return found - wanted
        scalars = len(wanted) - 3
        target = exp(tuple(wanted[scalars:].tolist()))
        turn = log(relative(target, tuple(found[scalars:].tolist())))
        return np.concatenate([found[:scalars] - wanted[:scalars], turn])
