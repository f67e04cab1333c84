"""The geometry of links as shapes of bodies, and masses made of it on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dalembert.formats.meshes import Triangles, UnreadableMeshError, read_triangles
from dalembert.formats.paths import Reach
from dalembert.formats.pose import Pose, in_world, pose_of
from dalembert.formats.urdf.records import (
    BoxGeometry,
    CapsuleGeometry,
    Collision,
    CylinderGeometry,
    Geometry,
    Link,
    MeshGeometry,
    SphereGeometry,
    Visual,
)
from dalembert.formats.xml_reader import Remarks
from dalembert.model.bodies import rotation_matrix
from dalembert.model.checks import Findings
from dalembert.model.mesh import ConvexMesh
from dalembert.model.shapes import Box, Capsule, Cylinder, MassProperties, Part, Shape, Sphere, combined, turned


@dataclass(eq=False)
class Geometries:
    """Makes shapes of what a file says; opens meshes only if it is told to."""

    reach: Reach
    remarks: Remarks
    meshes: bool = False
    """Whether links are shown by the convex hulls of their meshes."""
    density: float | None = None
    """kg/m³ of links without an ``<inertial>``; None leaves them without mass."""
    _read: dict[MeshGeometry, Triangles | None] = field(default_factory=dict)

    def parts(self, links: Sequence[tuple[Link, Pose]]) -> list[Part]:
        """What links look like, as parts of the body that they form; each link comes with its frame in the body.

        A link without a visual shape that can be made is shown by its collision geometry.
        """
        parts: list[Part] = []
        for link, frame in links:
            seen = self._shapes(link.visuals) or self._shapes(link.collisions)
            for shape, pose in seen:
                position, orientation = in_world(frame, pose)
                parts.append(Part(shape, tuple(position.tolist()), tuple(orientation.tolist())))
        return parts

    def solid(self, link: Link) -> MassProperties | None:
        """Mass properties of the collision geometry of a link, or else of its visual one, in the link's frame."""
        if self.density is None:
            return None
        parts = []
        for entry in link.collisions or link.visuals:
            properties = self._solid_of(entry.geometry)
            if properties is not None:
                position, orientation = pose_of(entry.origin.xyz, entry.origin.rpy)
                parts.append(turned(properties, position, rotation_matrix(orientation)))
        return combined(parts) if parts else None

    def _solid_of(self, geometry: Geometry) -> MassProperties | None:
        assert self.density is not None
        if not isinstance(geometry, MeshGeometry):
            shape = shape_of(geometry)
            return None if shape is None else shape.mass_properties(self.density)
        triangles = self._triangles(geometry)
        if triangles is None:
            return None
        try:
            return triangles.mass_properties(self.density)
        except UnreadableMeshError as problem:
            expected, found = problem.args
            remedy = "a mass needs a volume; write an <inertial>"
            self.remarks.fault(geometry.place("filename"), f'mesh "{geometry.filename}"', expected, found, remedy)
            return None

    def _shapes(self, entries: Sequence[Visual | Collision]) -> list[tuple[Shape, Pose]]:
        found = ((self._shape(entry.geometry), pose_of(entry.origin.xyz, entry.origin.rpy)) for entry in entries)
        return [(shape, pose) for shape, pose in found if shape is not None]

    def _shape(self, geometry: Geometry) -> Shape | None:
        if not isinstance(geometry, MeshGeometry):
            return shape_of(geometry)
        triangles = self._triangles(geometry) if self.meshes else None
        if triangles is None:
            return None
        hull = ConvexMesh(triangles.corners)
        findings = Findings()
        hull.check(findings, "")
        return None if findings.lines else ConvexMesh(hull.hull[0])

    def _triangles(self, geometry: MeshGeometry) -> Triangles | None:
        """The triangles of a file; None with a note where there are none."""
        if geometry not in self._read:
            self._read[geometry] = None
            place, item = geometry.place("filename"), f'mesh "{geometry.filename}"'
            path = self.reach.find(geometry.filename)
            if path is None:
                self.remarks.note(place, f"{item}: not found in the folder of the file or the search paths; left out")
                return None
            try:
                self._read[geometry] = read_triangles(path, geometry.scale)
            except UnreadableMeshError as problem:
                expected, found = problem.args
                self.remarks.note(place, f"{item}: expected {expected}, found {found}; left out")
        return self._read[geometry]


def shape_of(geometry: Geometry) -> Shape | None:
    """The shape; None for what has no volume or is in a file of its own."""
    match geometry:
        case BoxGeometry(size=(x, y, z)) if min(x, y, z) > 0.0:
            return Box(x, y, z)
        case SphereGeometry(radius=radius) if radius > 0.0:
            return Sphere(radius)
        case CylinderGeometry(radius=radius, length=length) if radius > 0.0 and length > 0.0:
            return Cylinder(radius, length)
        case CapsuleGeometry(radius=radius, length=length) if radius > 0.0 and length > 0.0:
            return Capsule(radius, length)
    return None
