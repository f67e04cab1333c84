"""The corners, edges and faces of boxes and convex hulls, as contact sees them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert.model.system import Floats, Integers

COPLANAR = 1e-9
"""Sine of the angle below which two triangles of a hull are one face."""


class Polytope(NamedTuple):
    """A convex solid with flat faces (k corners, e edges, f faces), in its own axes."""

    corners: Floats
    """(k, 3) metres."""
    edges: Integers
    """(e, 2) corners at both ends."""
    edge_faces: Integers
    """(e, 2) the two faces that meet there; −1 for none."""
    faces: list[Integers]
    """Corners of each face, counter-clockwise from outside."""
    normals: Floats
    """(f, 3) outward."""


def box(half: Floats) -> Polytope:
    """A cuboid with the given half lengths (3,)."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    # corner 4i + 2j + k stands at the signs (i, j, k)
    faces = [
        np.array(corners)
        for corners in ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    ]
    normals = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], dtype=np.float64)
    return _with_edges(signs * half, faces, normals)


def hull(corners: Floats, triangles: Integers) -> Polytope:
    """The solid within outward triangles of a convex hull; those in one plane become one face."""
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    sizes = np.linalg.norm(normals, axis=1)
    normals /= sizes[:, None]
    # the largest triangles come first: their normals are the most accurate
    order = np.argsort(-sizes, kind="stable")
    size = float(np.ptp(corners, axis=0).max())
    groups: list[list[int]] = []
    for t in order.tolist():
        for group in groups:
            n, p = normals[group[0]], a[group[0]]
            if n @ normals[t] > 0.0 and np.abs((corners[triangles[t]] - p) @ n).max() < COPLANAR * size:
                group.append(t)
                break
        else:
            groups.append([t])
    faces = [_outline(triangles[group]) for group in groups]
    used, renumbered = np.unique(np.concatenate(faces), return_inverse=True)
    ends = np.cumsum([len(face) for face in faces])[:-1]
    return _with_edges(corners[used], np.split(renumbered, ends), normals[[group[0] for group in groups]])


def _outline(triangles: Integers) -> Integers:
    """The polygon around triangles that lie in one plane."""
    arrows = {(t[k], t[(k + 1) % 3]) for t in triangles.tolist() for k in range(3)}
    following = dict(arrow for arrow in arrows if arrow[::-1] not in arrows)
    loop = [min(following)]
    while following[loop[-1]] != loop[0]:
        loop.append(following[loop[-1]])
    return np.array(loop)


def _with_edges(corners: Floats, faces: list[Integers], normals: Floats) -> Polytope:
    met: dict[tuple[int, int], list[int]] = {}
    for f, face in enumerate(faces):
        for tail, tip in zip(face.tolist(), np.roll(face, -1).tolist(), strict=True):
            met.setdefault((min(tail, tip), max(tail, tip)), []).append(f)
    edges = np.array(list(met), dtype=np.int64).reshape(-1, 2)
    sides = np.array([(both + [-1])[:2] for both in met.values()], dtype=np.int64).reshape(-1, 2)
    return Polytope(corners, edges, sides, [np.asarray(face, dtype=np.int64) for face in faces], normals)
