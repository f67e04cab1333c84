"""How deep a cylinder overlaps another solid, or how far it is from it: the shortest move by which they would touch.

A move along the unit vector n by max n·a − min n·b, over the points a of one and b of the other, parts two convex
solids; the smallest of these widths over all directions is the depth, or minus the distance. It is looked for from many
directions at once, and then from the best of them downhill: a question that people ask, not a step.
"""

from __future__ import annotations

import numpy as np

from dalembert.contact.search import Shapes
from dalembert.model.contact_geometry import CYLINDER
from dalembert.model.downhill import downhill
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import rotate

DIRECTIONS = 600
BEST = 8
"""Directions that are looked at, and those from which the search goes on."""


def depth(shapes: Shapes, g: int, h: int, normals: Floats) -> float:
    """The depth of the overlap of two geoms (m); minus their distance if they are apart.

    ``normals`` (k, 3) from g to h are candidates: if the nearest points' is among them the distance is exact.
    """

    def width(n: Floats) -> Floats:
        n = n / np.linalg.norm(n, axis=-1, keepdims=True)
        return _furthest(shapes, g, n) + _furthest(shapes, h, -n)

    # a spiral of evenly spread points on the sphere
    height = 1.0 - (2.0 * np.arange(DIRECTIONS) + 1.0) / DIRECTIONS
    angle = np.pi * (1.0 + 5.0**0.5) * np.arange(DIRECTIONS)
    ring = np.sqrt(1.0 - height**2)
    spread = np.stack((ring * np.cos(angle), ring * np.sin(angle), height), axis=1)
    faces = [shapes.normal_now[shapes.face_start[k] : shapes.face_start[k + 1]] for k in (g, h)]
    ends = [_axis(shapes, k)[None] for k in (g, h) if shapes.kind[k] == CYLINDER]
    tried = np.concatenate((spread, normals, -normals, *faces, *(-n for n in faces), *ends, *(-n for n in ends)))
    found = width(tried)
    best = float(found.min())
    if best <= 0.0 and len(normals) and best == found[DIRECTIONS : DIRECTIONS + len(normals)].min():
        return best
    for k in np.argsort(found, kind="stable")[:BEST]:
        best = min(best, downhill(width, tried[k]))
    return best


def _axis(shapes: Shapes, g: int) -> Floats:
    return np.array(rotate(tuple(shapes.frame_now[g].tolist()), (0.0, 0.0, 1.0)))


def _furthest(shapes: Shapes, g: int, n: Floats) -> Floats:
    """max n·a over the points a of geom g, for unit vectors (…, 3)."""
    if shapes.kind[g] == CYLINDER:
        along = n @ _axis(shapes, g)
        radius, half = shapes.size[g, 0], shapes.size[g, 1]
        return n @ shapes.point_now[g] + half * np.abs(along) + radius * np.sqrt(np.maximum(0.0, 1.0 - along**2))
    corners = shapes.corner_now[shapes.corner_start[g] : shapes.corner_start[g + 1]]
    return (n @ corners.T).max(axis=-1) + shapes.radius[g]
