"""Small motions of the joints of the spanning tree: from one state to a neighbour and back.

A motion is a vector like the minimal rates: metres, radians, and for a rotation about a point the rotation vector in
the axes of the child's frame, p ← p · exp(δ).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.spatial.rotation import log_rate

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.record import Joint


def displaced(model: Model, state: State, motion: Floats, rates: Floats) -> State:
    """The state moved by ``motion`` (n_v,) with the minimal rates ``rates`` (n_v,); loops are not closed again."""
    positions: dict[str, Floats] = {}
    velocities: dict[str, Floats] = {}
    for name, joint in model.joints.items():
        if joint.in_tree and joint.components:
            step = motion[joint.rates]
            positions[name] = moved(joint, state.coordinates[joint.coordinates], step)
            velocities[name] = rates[joint.rates]
    return model.state(positions, velocities, time=state.time)


def moved(joint: Joint, coordinates: Floats, step: Floats) -> Floats:
    """Coordinates of one joint after a small motion."""
    if not joint.kind.turns_freely:
        return coordinates + step
    scalars = len(step) - 3
    turn = product(coordinates[scalars:], rotation(step[scalars:]))
    return np.concatenate([coordinates[:scalars] + step[:scalars], turn])


def difference(model: Model, state: State, origin: State) -> Floats:
    """(n_v,) the motion that takes ``origin`` to ``state``."""
    out = np.zeros(model.system.n_v)
    for joint in model.joints.values():
        if joint.in_tree and joint.components:
            q, p = state.coordinates[joint.coordinates], origin.coordinates[joint.coordinates]
            out[joint.rates] = joint_difference(joint, q, p)
    return out


def difference_rate(model: Model, state: State, origin: State) -> Floats:
    """(n_v, n_v) how `difference` changes with a small motion of ``state``."""
    out = np.eye(model.system.n_v)
    for joint in model.joints.values():
        if joint.in_tree and joint.components and joint.kind.turns_freely:
            at = slice(joint.rates.stop - 3, joint.rates.stop)
            q, p = state.coordinates[joint.coordinates], origin.coordinates[joint.coordinates]
            turn = joint_difference(joint, q, p)[-3:]
            out[at, at] = np.array([log_rate(turn, axis) for axis in np.eye(3)]).T
    return out


def joint_difference(joint: Joint, coordinates: Floats, origin: Floats) -> Floats:
    """The motion of one joint from ``origin`` to ``coordinates``."""
    if not joint.kind.turns_freely:
        return coordinates - origin
    scalars = len(joint.components) - 3
    inverse = origin[scalars:] * (1.0, -1.0, -1.0, -1.0)
    return np.concatenate([coordinates[:scalars] - origin[:scalars], vector(product(inverse, coordinates[scalars:]))])


def product(p: Floats, q: Floats) -> Floats:
    """Hamilton's product of two quaternions."""
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def rotation(turn: Floats) -> Floats:
    """The unit quaternion of a rotation vector."""
    angle = float(np.linalg.norm(turn))
    return np.concatenate([[np.cos(0.5 * angle)], 0.5 * np.sinc(0.5 * angle / np.pi) * turn])


def vector(q: Floats) -> Floats:
    """The rotation vector, at most half a revolution long, of a unit quaternion."""
    if q[0] < 0.0:
        q = -q
    length = float(np.linalg.norm(q[1:]))
    return 2.0 * q[1:] if length < 1e-12 else 2.0 * np.arctan2(length, q[0]) / length * q[1:]
