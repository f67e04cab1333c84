"""A model that was read from URDF beside Pinocchio's reading of the same file: mass matrix, gravity and bias forces."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dalembert.mechanics.recursive import bias_forces, mass_matrix
from dalembert.mechanics.recursive_tree import prepare_tree, tree_memory
from dalembert.model.model import Model
from dalembert.model.record import Joint
from dalembert.model.state import State
from dalembert.model.system import Floats


class Differences(NamedTuple):
    """Largest absolute differences over all configurations, each over the largest entry of the quantity."""

    mass: float
    gravity: float
    bias: float

    @property
    def worst(self) -> float:
        """The largest of them."""
        return max(self)


def bias(model: Model, state: State) -> Floats:
    """(n_v,) the forces that hold the accelerations of all minimal rates at zero."""
    system = model.system
    position, orientation, _, angular_velocity = state.with_world()
    tree, out = tree_memory(system), np.zeros(system.n_v)
    prepare_tree(system, tree, state.rates[: system.n_v], position, orientation, angular_velocity)
    bias_forces(system, tree, out)
    return out


def random_motion(model: Model, rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    """Positions and velocities for every joint of the tree."""
    positions, velocities = {}, {}
    for joint in model.joints.values():
        if joint.in_tree and joint.kind.coordinate_names:
            positions[joint.name] = _random_position(joint, rng)
            velocities[joint.name] = rng.normal(size=len(joint.kind.rate_names))
    return positions, velocities


def _random_position(joint: Joint, rng: np.random.Generator) -> list[float]:
    names = joint.kind.coordinate_names
    values = rng.uniform(-1.5, 1.5, len(names))
    if joint.kind.turns_freely:
        values[-4:] /= np.linalg.norm(values[-4:])
    return values.tolist()


def pinocchio_reads(path: Path) -> bool:
    """Whether Pinocchio makes a model of a file; it looks at neither meshes nor whether its bodies can exist."""
    pin: Any = import_module("pinocchio")
    try:
        pin.buildModelFromUrdf(str(path))
    except (ValueError, RuntimeError, IndexError):
        return False
    return True


def against_pinocchio(path: Path, model: Model, seed: int, configurations: int = 3) -> Differences:
    """Compare at random states. The root floats in Pinocchio if it does in ``model``; joints are matched by name."""
    pin: Any = import_module("pinocchio")
    floating = next((joint for joint in model.joints.values() if joint.kind.name == "Floating"), None)
    arguments = [str(path)] if floating is None else [str(path), pin.JointModelFreeFlyer()]
    other = pin.buildModelFromUrdf(*arguments)
    other.gravity = pin.Motion(model.system.gravity, np.zeros(3))
    data, rng = other.createData(), np.random.default_rng(seed)
    found = [0.0, 0.0, 0.0]
    for _ in range(configurations):
        positions, velocities = random_motion(model, rng)
        state = model.state(positions, velocities)
        still = model.state(positions)
        q, transform, turning = _for_pinocchio(other, model, state, floating)
        v = transform @ state.rates[: model.system.n_v]
        pairs = (
            (mass_matrix(model.system, *state.with_world()[:2]), transform.T @ pin.crba(other, data, q) @ transform),
            (bias(model, still), transform.T @ pin.rnea(other, data, q, 0.0 * v, 0.0 * v)),
            (bias(model, state), transform.T @ pin.rnea(other, data, q, v, turning)),
        )
        for k, (ours, theirs) in enumerate(pairs):
            # where gravity has no part in the motion, its round-off is measured by the inertia
            scale = max(np.abs(theirs).max(initial=1e-300), np.abs(pairs[0][1]).max(initial=0.0))
            found[k] = max(found[k], float(np.abs(ours - theirs).max(initial=0.0) / scale))
    return Differences(*found)


def _for_pinocchio(other: Any, model: Model, state: State, floating: Joint | None) -> tuple[Floats, Floats, Floats]:
    """Coordinates, the matrix T with v_pin = T v, and Ṫ v: a floating base moves in its own axes there."""
    q, transform, turning = np.zeros(other.nq), np.zeros((other.nv, model.system.n_v)), np.zeros(other.nv)
    matched = 0
    for index in range(1, other.njoints):
        theirs, name = other.joints[index], other.names[index]
        joint = floating if name == "root_joint" and floating is not None else model.joints[name]
        c = state.coordinates[joint.coordinates]
        at_q, at_v = slice(theirs.idx_q, theirs.idx_q + theirs.nq), slice(theirs.idx_v, theirs.idx_v + theirs.nv)
        block = np.eye(theirs.nv)
        if theirs.nq == 7:
            q[at_q] = [*c[:3], *c[-3:], c[3]]
            block[:3, :3] = _matrix(c[3:]).T
            linear, angular = block[:3, :3] @ state.rates[joint.rates][:3], state.rates[joint.rates][3:]
            turning[at_v.start : at_v.start + 3] = -np.cross(angular, linear)
        elif theirs.nq == 2 and theirs.nv == 1:
            q[at_q] = np.cos(c[0]), np.sin(c[0])
        else:
            q[at_q] = c
        transform[at_v, joint.rates] = block
        matched += theirs.nv
    if matched != model.system.n_v:
        raise ValueError(f"expected {matched} rates as Pinocchio has, found {model.system.n_v}")
    return q, transform, turning


def _matrix(q: Sequence[float] | Floats) -> Floats:
    from dalembert.model.bodies import rotation_matrix

    return rotation_matrix(np.asarray(q, dtype=np.float64))
