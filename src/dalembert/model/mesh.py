"""The convex hull of some points as a solid, with exact mass properties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dalembert.model.checks import Findings, VectorLike
from dalembert.model.shapes import MassProperties, Shape
from dalembert.model.system import Floats, Integers


@dataclass(frozen=True, eq=False)
class ConvexMesh(Shape):
    """The convex hull of ``vertices`` (k, 3), in metres. Its centre of mass is where it falls."""

    vertices: Sequence[VectorLike] | Floats

    def check(self, findings: Findings, item: str) -> None:
        """Note vertices that are not four or more points in space that span a volume."""
        expected = "an array (k, 3) of at least four finite points in metres"
        try:
            points = np.array(self.vertices, dtype=np.float64)
        except (TypeError, ValueError):
            findings.add(f"{item}, vertices", expected, "something else")
            return
        if points.ndim != 2 or points.shape[1] != 3 or len(points) < 4:
            findings.add(f"{item}, vertices", expected, f"shape {points.shape}")
        elif not np.isfinite(points).all():
            findings.add(f"{item}, vertices", expected, "NaN or infinity among them")
        else:
            spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
            if spread[2] <= 1e-9 * spread[0]:
                findings.add(f"{item}, vertices", "points that span a volume", "points in one plane")

    @cached_property
    def hull(self) -> tuple[Floats, Integers]:
        """(k, 3) corners of the hull and (f, 3) its triangles, each seen counter-clockwise from outside."""
        from scipy.spatial import ConvexHull

        points = np.array(self.vertices, dtype=np.float64)
        hull = ConvexHull(points)
        triangles = np.array(hull.simplices, dtype=np.int64)
        a, b, c = (points[triangles[:, k]] for k in range(3))
        inward = np.einsum("fk,fk->f", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
        triangles[inward] = triangles[inward][:, [0, 2, 1]]
        used, renumbered = np.unique(triangles, return_inverse=True)
        return points[used], renumbered.reshape(triangles.shape)

    def mass_properties(self, density: float) -> MassProperties:
        """Those of the hull."""
        return solid_properties(*self.hull, density)


def solid_properties(corners: Floats, triangles: Integers, density: float) -> MassProperties:
    """Mass properties of what triangles (f, 3) between ``corners`` (k, 3) enclose; ``density`` in kg/m³.

    Sums over tetrahedra from the middle of the corners to each triangle. A tetrahedron with corners 0, a, b, c has
    volume V = a·(b×c)/6, centre s/4 and second moment ∫ x xᵀ = V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), with s = a + b + c.
    """
    middle = corners.mean(axis=0)
    a, b, c = (corners[triangles[:, k]] - middle for k in range(3))
    s = a + b + c
    volumes = np.einsum("fk,fk->f", a, np.cross(b, c)) / 6.0
    volume = float(volumes.sum())
    center = volumes @ s / (4.0 * volume)
    second = sum(np.einsum("f,fi,fj->ij", volumes, u, u) for u in (a, b, c, s)) / 20.0
    second = second - volume * np.outer(center, center)
    inertia = density * (np.trace(second) * np.eye(3) - second)
    return MassProperties(density * volume, middle + center, 0.5 * (inertia + inertia.T))
