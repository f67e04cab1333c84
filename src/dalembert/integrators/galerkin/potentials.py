"""Potentials that users write in Python, at the quadrature points of a trial."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.integrators.galerkin.memory import ARM_NOW, FRAME, POINT, Path
from dalembert.integrators.galerkin.plan import BODY, BODY_TURN, Plan
from dalembert.mechanics.user_functions import potential_wrenches
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import multiply

if TYPE_CHECKING:
    from dalembert.model.model import Model


def potential_points(model: Model, plan: Plan, path: Path, applied: Floats, out: Floats) -> None:
    """Wrenches (r, n + 1, 6) into ``out``: those ``applied`` (n + 1, 6) and those of all potentials."""
    carrying = np.flatnonzero(plan.node[:, BODY] >= 0)
    bodies = plan.node[carrying, BODY]
    for a in range(out.shape[0]):
        position, orientation = np.zeros((out.shape[1], 3)), np.zeros((out.shape[1], 4))
        orientation[-1, 0] = 1.0
        here = path.node[carrying, a]
        position[bodies] = here[:, POINT : POINT + 3] + here[:, ARM_NOW : ARM_NOW + 3]
        for i, body in zip(carrying, bodies, strict=True):
            frame = tuple(path.node[i, a, FRAME : FRAME + 4].tolist())
            orientation[body] = multiply(frame, tuple(plan.fixed[i, BODY_TURN : BODY_TURN + 4].tolist()))
        out[a] = applied + potential_wrenches(model, position, orientation)
