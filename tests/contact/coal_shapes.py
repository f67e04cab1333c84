"""The same shapes as coal knows them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.model.shapes import Shape
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import columns

TOLERANCE = 1e-12
"""Of coal's iterations, m."""


def coal_shape(shape: Shape) -> Any:
    coal = pytest.importorskip("coal")
    if isinstance(shape, da.Sphere):
        return coal.Sphere(shape.radius)
    if isinstance(shape, da.Box):
        return coal.Box(shape.x, shape.y, shape.z)
    if isinstance(shape, da.Capsule):
        return coal.Capsule(shape.radius, shape.length)
    if isinstance(shape, da.Cylinder):
        return coal.Cylinder(shape.radius, shape.length)
    if isinstance(shape, da.Ellipsoid):
        return coal.Ellipsoid(shape.x, shape.y, shape.z)
    if isinstance(shape, da.HalfSpace):
        return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    assert isinstance(shape, da.ConvexMesh)
    corners, triangles = shape.hull
    points = coal.StdVec_Vec3s()
    for corner in corners:
        points.append(corner)
    faces = coal.StdVec_Triangle()
    for triangle in triangles.tolist():
        faces.append(coal.Triangle(*triangle))
    return coal.Convex(points, faces)


def coal_distance(shapes: tuple[Shape, Shape], position: Floats, orientation: Floats) -> float:
    """Signed distance of two shapes at poses (2, 3), (2, 4)."""
    coal = pytest.importorskip("coal")
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance = request.epa_tolerance = TOLERANCE
    request.gjk_max_iterations, request.epa_max_iterations = 1000, 1000
    placed = []
    for shape, x, q in zip(shapes, position, orientation, strict=True):
        placed += [coal_shape(shape), coal.Transform3s(np.column_stack(columns(tuple(q.tolist()))), x)]
    return float(coal.distance(placed[0], placed[1], placed[2], placed[3], request, result))
