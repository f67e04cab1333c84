"""Proportional-derivative action and linear feedback written with matrices and scipy's rotations."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dalembert as da
from dalembert.control.lqr import LQR

Floats = NDArray[np.float64]


def turn_between(first: Floats, second: Floats) -> Floats:
    """The rotation vector from one quaternion (w, x, y, z) to another, in the axes of the first."""
    a, b = (Rotation.from_quat(np.roll(q, -1)) for q in (first, second))
    return (a.inv() * b).as_rotvec()


def joint_error(model: da.Model, name: str, goal: Floats, now: Floats) -> Floats:
    """What leads a joint from ``now`` to ``goal``."""
    if not model.joints[name].kind.turns_freely:
        return goal - now
    return np.concatenate([goal[:-4] - now[:-4], turn_between(now[-4:], goal[-4:])])


def pd_forces(
    model: da.Model, goals: Mapping[str, tuple[Floats, Floats]], k: float, d: float, limit: float, state: da.State
) -> dict[str, Floats]:
    """k (goal − q) + d (goal rate − rate), at most ``limit``; by joint (goal, goal rate)."""
    out = {}
    for name, (goal, rate) in goals.items():
        joint = model.joints[name]
        error = joint_error(model, name, goal, state.coordinates[joint.coordinates])
        out[name] = np.clip(k * error + d * (rate - state.rates[joint.rates]), -limit, limit)
    return out


def feedback_forces(control: LQR, state: da.State) -> Floats:
    """u₀ − K x at the driven rates."""
    model, linear = control.model, control.linear
    n_v = model.system.n_v
    motion = np.zeros(n_v)
    for name, joint in model.joints.items():
        if joint.in_tree and joint.components:
            q0, q = linear.state.coordinates[joint.coordinates], state.coordinates[joint.coordinates]
            motion[joint.rates] = -joint_error(model, name, q0, q)
            if joint.kind.turns_freely:
                motion[joint.rates.stop - 3 : joint.rates.stop] = turn_between(q0[-4:], q[-4:])
    rates = state.rates[:n_v] - linear.state.rates[:n_v]
    x = np.concatenate([linear.basis.T @ motion, linear.basis.T @ rates])
    force = np.zeros(n_v)
    force[list(linear.rates)] = control.holding - control.gain @ x
    return force
