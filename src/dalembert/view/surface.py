"""Surfaces of shapes as triangles, for everything that draws solids."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from dalembert.model.mesh import ConvexMesh
from dalembert.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Part, Shape, Sphere
from dalembert.model.surfaces import HeightField
from dalembert.view.skeleton import rotate

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

AROUND = 32
"""Corners of a circle."""
FEW = 12
"""Corners of the circle of a thin rod."""


@dataclass(frozen=True)
class Surface:
    """Triangles with a normal at each corner. Corners on a sharp edge stand there once for each side of it."""

    points: Floats
    """(k, 3) metres."""
    normals: Floats
    """(k, 3) unit vectors outwards."""
    triangles: Integers
    """(f, 3) counter-clockwise as seen from outside."""

    def placed(self, position: Floats, orientation: Floats) -> Surface:
        """The same surface turned by a quaternion and then moved."""
        return Surface(position + rotate(orientation, self.points), rotate(orientation, self.normals), self.triangles)


def joined(surfaces: list[Surface]) -> Surface:
    """Several surfaces as one."""
    start = np.cumsum([0] + [len(s.points) for s in surfaces])
    return Surface(
        np.concatenate([s.points for s in surfaces]),
        np.concatenate([s.normals for s in surfaces]),
        np.concatenate([s.triangles + first for s, first in zip(surfaces, start[:-1], strict=True)]),
    )


def surface_of(shape: Shape) -> Surface:
    """The surface of a shape in its own axes."""
    if isinstance(shape, Box):
        return _box(0.5 * np.array([shape.x, shape.y, shape.z]))
    if isinstance(shape, Sphere):
        return _stretched(np.full(3, shape.radius))
    if isinstance(shape, Ellipsoid):
        return _stretched(np.array([shape.x, shape.y, shape.z]))
    if isinstance(shape, Capsule):
        return capsule(shape.radius, shape.length)
    if isinstance(shape, Cylinder):
        return _cylinder(shape.radius, 0.5 * shape.length)
    if isinstance(shape, ConvexMesh):
        return flat(*shape.hull)
    if isinstance(shape, HeightField):
        return _terrain(*shape.grid)
    raise TypeError(f"{type(shape).__name__} has no surface to draw")


def surface_of_parts(parts: tuple[Part, ...]) -> Surface:
    """The surface of a body in its own axes, from its centre of mass."""
    return joined(
        [
            surface_of(part.shape).placed(np.asarray(part.position, float), np.asarray(part.orientation, float))
            for part in parts
        ]
    )


def flat(points: Floats, triangles: Integers) -> Surface:
    """Triangles that are each shaded as the plane they are."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / np.where(length > 0.0, length, 1.0)
    corners = np.stack([a, b, c], axis=1).reshape(-1, 3)
    return Surface(corners, np.repeat(normals, 3, axis=0), np.arange(len(corners), dtype=np.int64).reshape(-1, 3))


def capsule(radius: float, length: float, around: int = AROUND) -> Surface:
    """A cylinder along z with half a ball on each end: a ball drawn apart at its equator."""
    ball = _ball(around)
    shift = np.where(ball.points[:, 2] > 0.0, 0.5 * length, -0.5 * length)
    points = radius * ball.points + np.outer(shift, [0.0, 0.0, 1.0])
    return Surface(points, ball.points, ball.triangles)


def rod(start: Floats, end: Floats, radius: float) -> Surface:
    """A capsule from one point to another."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length == 0.0:
        return _stretched(np.full(3, radius), FEW).placed(start, np.array([1.0, 0.0, 0.0, 0.0]))
    return capsule(radius, length, FEW).placed(0.5 * (start + end), _turn_from_z(along / length))


def _turn_from_z(direction: Floats) -> Floats:
    """The shortest turn that takes the z axis to a unit vector."""
    x, y, z = direction
    if z < -1.0 + 1e-12:
        return np.array([0.0, 1.0, 0.0, 0.0])
    q = np.array([1.0 + z, -y, x, 0.0])
    return q / np.linalg.norm(q)


def _ball(around: int) -> Surface:
    """The unit ball as rings from pole to pole; two rings at the equator, just above and just below it."""
    below = np.linspace(-0.5 * pi, -1e-9, around // 4 + 1)
    latitude = np.concatenate([below, -below[::-1]])
    height, ring = np.sin(latitude), np.cos(latitude)
    x, y = _circle(around)
    points = np.stack([np.outer(ring, x), np.outer(ring, y), np.outer(height, np.ones(around))], axis=-1)
    points = points.reshape(-1, 3)
    return Surface(points, points, _bands(len(latitude), around))


def _circle(around: int) -> tuple[Floats, Floats]:
    angle = np.linspace(0.0, 2.0 * pi, around, endpoint=False)
    return np.cos(angle), np.sin(angle)


def _bands(rings: int, around: int) -> Integers:
    """Triangles between successive rings of ``around`` corners each."""
    k = np.arange(around)
    right = (k + 1) % around
    bands = []
    for r in range(rings - 1):
        low, high = r * around, (r + 1) * around
        bands += [np.stack([low + k, low + right, high + right], 1), np.stack([low + k, high + right, high + k], 1)]
    return np.concatenate(bands).astype(np.int64)


def _stretched(axes: Floats, around: int = AROUND) -> Surface:
    """A ball with these semi-axes."""
    ball = _ball(around)
    normals = ball.points / axes
    return Surface(ball.points * axes, normals / np.linalg.norm(normals, axis=1, keepdims=True), ball.triangles)


def _cylinder(radius: float, half: float) -> Surface:
    x, y = _circle(AROUND)
    out = np.stack([x, y, np.zeros(AROUND)], axis=1)
    up = np.array([0.0, 0.0, 1.0])
    low, high = radius * out - half * up, radius * out + half * up
    wall = Surface(np.concatenate([low, high]), np.concatenate([out, out]), _bands(2, AROUND))
    k = np.arange(1, AROUND - 1)
    fan = np.stack([np.zeros_like(k), k, k + 1], axis=1).astype(np.int64)
    top = Surface(high, np.tile(up, (AROUND, 1)), fan)
    bottom = Surface(low, np.tile(-up, (AROUND, 1)), fan[:, [0, 2, 1]])
    return joined([wall, top, bottom])


def _box(half: Floats) -> Surface:
    sides = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            u, v = np.zeros(3), np.zeros(3)
            u[(axis + 1) % 3], v[(axis + 2) % 3] = half[(axis + 1) % 3], half[(axis + 2) % 3]
            middle = normal * half
            corners = np.array([middle - u - v, middle + u - v, middle + u + v, middle - u + v])
            order = np.array([[0, 1, 2], [0, 2, 3]]) if sign > 0 else np.array([[0, 2, 1], [0, 3, 2]])
            sides.append(Surface(corners, np.tile(normal, (4, 1)), order.astype(np.int64)))
    return joined(sides)


def _terrain(heights: Floats, spacing: Floats) -> Surface:
    """A grid about the origin, each cell cut from its corner with the smallest indices to the opposite one."""
    rows, columns = heights.shape
    x = (np.arange(rows) - 0.5 * (rows - 1)) * spacing[0]
    y = (np.arange(columns) - 0.5 * (columns - 1)) * spacing[1]
    points = np.stack([*np.meshgrid(x, y, indexing="ij"), heights], axis=-1).reshape(-1, 3)
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, far, opposite = corner + columns, corner + 1, corner + columns + 1
    triangles = np.concatenate([np.stack([corner, right, opposite], axis=1), np.stack([corner, opposite, far], axis=1)])
    return flat(points, triangles.astype(np.int64))


def tile(reach: float) -> Surface:
    """A square about the origin with its normal along z, seen from both sides."""
    corners = reach * np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
    both = np.array([[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]])
    return flat(corners, both.astype(np.int64))
