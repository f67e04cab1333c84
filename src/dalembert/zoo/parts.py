"""Rods and turns: what most mechanisms of the zoo are made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dalembert.model.builder import ModelBuilder
from dalembert.model.shapes import Part
from dalembert.model.system import Floats

GRAVITY = 9.81
"""m/s², in every mechanism that does not say otherwise."""

SLENDERNESS = 0.02
"""Radius over length of a rod; gives it the little inertia about its own line that a body must have."""


def rod_inertia(length: float, mass: float) -> tuple[float, float, float]:
    """Principal inertia (kg m²) of a slender rod along its first axis: exactly m l²/12 across it."""
    across = mass * length**2 / 12.0
    return (0.5 * mass * (SLENDERNESS * length) ** 2, across, across)


def square_rod_inertia(length: float, width: float, mass: float) -> tuple[float, float, float]:
    """Principal inertia (kg m²) of a rod of square section along its first axis."""
    across = mass * (length**2 + width**2) / 12.0
    return (mass * width**2 / 6.0, across, across)


def quaternion_along(direction: Sequence[float] | Floats) -> Floats:
    """(4,) the shortest turn that takes the first axis into ``direction``."""
    x, y, z = np.asarray(direction, dtype=float) / np.linalg.norm(direction)
    if x < -1.0 + 1e-12:
        return np.array([0.0, 0.0, 0.0, 1.0])
    # half-way construction: q ∝ (1 + e·d, e×d)
    q = np.array([1.0 + x, 0.0, -z, y])
    return q / np.linalg.norm(q)


def quaternion_about(axis: Sequence[float], angle: float) -> Floats:
    """(4,) the turn by ``angle`` (rad) about ``axis``."""
    u = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    return np.concatenate(([np.cos(0.5 * angle)], np.sin(0.5 * angle) * u))


def into_axes(orientation: Floats, u: Sequence[float]) -> Floats:
    """(3,) the components in body axes of a vector ``u`` given in the world; orientation (4,) is body to world."""
    v = -orientation[1:]
    t = 2.0 * np.cross(v, u)
    return np.asarray(u) + orientation[0] * t + np.cross(v, t)


def add_rod(
    builder: ModelBuilder,
    name: str,
    start: Sequence[float] | Floats,
    end: Sequence[float] | Floats,
    *,
    mass: float = 1.0,
    inertia: Sequence[float] | None = None,
    shape: list[Part] | None = None,
) -> None:
    """A rod between two points (m, world) at the reference configuration, its first axis from start to end.

    ``inertia`` (3,) is about its middle in body axes; a slender rod's unless given. ``shape`` is what it looks like.
    """
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.linalg.norm(b - a))
    builder.add_body(
        name,
        mass=mass,
        inertia=tuple(inertia) if inertia is not None else rod_inertia(length, mass),
        shape=shape,
        position=0.5 * (a + b),
        orientation=quaternion_along(b - a),
    )
