"""A model that was read from MJCF beside MuJoCo itself: mass matrix, gravity and bias forces."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from dalembert.formats.mjcf.mjcf import Mjcf
from dalembert.mechanics.recursive import mass_matrix
from dalembert.model.model import Model
from dalembert.model.system import Floats
from dalembert.studies.against_pinocchio import Differences, bias


def against_mujoco(mjcf: Mjcf, model: Model, seed: int, configurations: int = 3) -> Differences:
    """Compare at random states, in MuJoCo's order of rates."""
    mujoco: Any = import_module("mujoco")
    other, rng = mjcf.compiled.model, np.random.default_rng(seed)
    data, found = mujoco.MjData(other), [0.0, 0.0, 0.0]
    order = rate_order(mjcf, model)
    for _ in range(configurations):
        positions, velocities = random_mujoco_state(other, rng)
        state = model.state(mjcf.positions(positions), mjcf.velocities(velocities))
        still = model.state(mjcf.positions(positions))
        data.qpos[:], data.qvel[:] = positions, 0.0
        mujoco.mj_forward(other, data)
        full, gravity = np.zeros((other.nv, other.nv)), np.array(data.qfrc_bias)
        mujoco.mj_fullM(other, data, full)
        data.qvel[:] = velocities
        mujoco.mj_forward(other, data)
        pairs = (
            (mass_matrix(model.system, *state.with_world()[:2])[np.ix_(order, order)], full),
            (bias(model, still)[order], gravity),
            (bias(model, state)[order], np.array(data.qfrc_bias)),
        )
        for k, (ours, theirs) in enumerate(pairs):
            # where gravity has no part in the motion, its round-off is measured by the inertia
            scale = max(float(np.abs(theirs).max(initial=0.0)), float(np.abs(full).max(initial=0.0)), 1e-300)
            found[k] = max(found[k], float(np.abs(ours - theirs).max(initial=0.0)) / scale)
    return Differences(*found)


def rate_order(mjcf: Mjcf, model: Model) -> list[int]:
    """Where MuJoCo's rates stand among those of the model."""
    other = mjcf.compiled.model
    order: list[int] = []
    for joint in range(other.njnt):
        rates = model.joints[mjcf.compiled.name("joint", joint)].rates
        order += range(rates.start, rates.stop)
    return order


def random_mujoco_state(other: Any, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Coordinates away from the reference, with unit quaternions, and rates."""
    mujoco: Any = import_module("mujoco")
    positions = np.array(other.qpos0)
    mujoco.mj_integratePos(other, positions, rng.uniform(-1.0, 1.0, other.nv), 1.0)
    return positions, rng.normal(size=other.nv)
