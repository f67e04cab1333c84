"""Poses of frames while a description is read: where a frame is, seen from another."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin

import numpy as np

from dalembert.model.placement import Pose, in_world, seen_from
from dalembert.model.system import Floats

__all__ = ["IDENTITY", "Pose", "axis_turn", "in_world", "pose_of", "seen_from", "unit"]

IDENTITY: Pose = (np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))


def pose_of(xyz: Sequence[float], rpy: Sequence[float]) -> Pose:
    """A frame from its position and its roll, pitch and yaw about the fixed axes x, y, z, one after another."""
    (cr, cp, cy), (sr, sp, sy) = ([f(0.5 * angle) for angle in rpy] for f in (cos, sin))
    turn = (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )
    return np.array(xyz, dtype=np.float64), np.array(turn)


def axis_turn(axis: Floats, angle: float) -> Floats:
    """The quaternion of a turn by ``angle`` about a unit vector."""
    return np.concatenate(([cos(0.5 * angle)], sin(0.5 * angle) * axis))


def unit(axis: Sequence[float]) -> Floats:
    """The direction of a vector that is not zero."""
    vector = np.array(axis, dtype=np.float64)
    # numbers far from one would overflow in their squares
    vector /= np.abs(vector).max()
    return vector / np.linalg.norm(vector)
