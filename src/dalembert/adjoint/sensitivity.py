"""What an objective feels of all that a run depends on: filled by one pass backwards, whatever is asked of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert.model.system import Floats, System


class Sensitivity(NamedTuple):
    """Derivatives of the objective, in the shapes of what it is differentiated by (n bodies, m joints, N steps)."""

    joint_force: Floats
    """(N, rates of all joints) by the drive of each step."""
    start: Floats
    """(n_v,) by motions of the first knot, turns perturbed from the right, and (n_v,) by its rates."""
    start_rate: Floats
    gravity: Floats
    """(3,)"""
    mass: Floats
    """(n + 1,)"""
    inertia: Floats
    """(n + 1, 3, 3), symmetric: the change is Σ over all nine entries."""
    parent_point: Floats
    """(m, 3) and (m, 3), in the axes of the bodies."""
    child_point: Floats
    length: Floats
    """(m,) by the length of a rod."""
    stiffness: Floats
    """(m, 6) of the free components, as the next three."""
    damping: Floats
    rest: Floats
    armature: Floats


def no_sensitivity(system: System, steps: int) -> Sensitivity:
    """Zeros."""
    n, m, n_v = system.mass.size, system.joint_kind.size, system.n_v
    return Sensitivity(
        joint_force=np.zeros((steps, int(system.n_rates.sum()))),
        start=np.zeros(n_v),
        start_rate=np.zeros(n_v),
        gravity=np.zeros(3),
        mass=np.zeros(n),
        inertia=np.zeros((n, 3, 3)),
        parent_point=np.zeros((m, 3)),
        child_point=np.zeros((m, 3)),
        length=np.zeros(m),
        stiffness=np.zeros((m, 6)),
        damping=np.zeros((m, 6)),
        rest=np.zeros((m, 6)),
        armature=np.zeros((m, 6)),
    )
