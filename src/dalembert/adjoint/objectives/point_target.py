"""Where a point of a body should be, and how fast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.adjoint.objectives.base import Objective, rows_at
from dalembert.adjoint.objectives.motion_gradient import matrices
from dalembert.errors import ModelError
from dalembert.model.checks import shown
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.adjoint.forward import DrivenRun
    from dalembert.adjoint.objectives.motion_gradient import MotionGradient


@dataclass(frozen=True)
class PointTarget(Objective):
    """``½ weight (|x − position|² + |ẋ − velocity|²)`` of a point fixed in a body.

    Args:
        body: its name.
        position: (3,) in the world, m; ``None`` or NaN in place of a number leaves that axis free. With several times
            it may be (k, 3), a path.
        velocity: (3,) in the world, m/s; the same.
        point: (3,) in body axes from the centre of mass, m.
        time: s, or k of them, of which the mean is taken; the end of the run if not given; "all": all instants but the
            first.
        weight: 1/m² and s²/m².
    """

    body: str
    position: Any = None
    velocity: Any = None
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    time: Any = None
    weight: float = 1.0

    def __call__(self, run: DrivenRun, gradient: MotionGradient) -> float:
        i, p = run.model.body_index(self.body), np.asarray(self.point, dtype=float)
        if i == run.model.n_bodies:
            raise ModelError(f"{self}: expected a body that can move, found the world")
        rows = rows_at(run, self.time, self)
        weight = self.weight / len(rows)
        axes = matrices(run.orientation[rows, i])
        gap = self._gap(self.position, run.position[rows, i] + axes @ p)
        swung = np.einsum("kab,kb->ka", axes, np.cross(run.angular_velocity[rows, i], p))
        slip = self._gap(self.velocity, run.velocity[rows, i] + swung)
        gradient.add_at_point(self.body, rows, p, weight * gap, weight * slip)
        return 0.5 * weight * float((gap * gap).sum() + (slip * slip).sum())

    def _gap(self, wanted: Any, found: Floats) -> Floats:
        if wanted is None:
            return np.zeros_like(found)
        target = np.asarray(wanted, dtype=np.float64)
        if target.shape not in ((3,), found.shape):
            raise ModelError(
                f"PointTarget: expected three numbers, or three for each of the {len(found)} instants, "
                f"found {shown(wanted)}"
            )
        return np.where(np.isnan(target), 0.0, found - target)
