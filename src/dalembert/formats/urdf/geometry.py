"""The geometry of links as shapes of bodies."""

from __future__ import annotations

from collections.abc import Sequence

from dalembert.formats.pose import Pose, in_world, pose_of
from dalembert.formats.urdf.records import (
    BoxGeometry,
    CapsuleGeometry,
    CylinderGeometry,
    Geometry,
    Link,
    SphereGeometry,
)
from dalembert.formats.xml_reader import Remarks
from dalembert.model.shapes import Box, Capsule, Cylinder, Part, Shape, Sphere


def link_shapes(links: Sequence[tuple[Link, Pose]], remarks: Remarks) -> list[Part]:
    """What links look like, as parts of the body that they form; each link comes with its frame in the body.

    A link without a visual shape that can be made is shown by its collision geometry.
    """
    parts: list[Part] = []
    for link, frame in links:
        seen = [(shape_of(visual.geometry), visual.origin) for visual in link.visuals]
        if not any(shape for shape, _ in seen):
            seen = [(shape_of(collision.geometry), collision.origin) for collision in link.collisions]
        for shape, origin in seen:
            if shape is not None:
                position, orientation = in_world(frame, pose_of(origin.xyz, origin.rpy))
                parts.append(Part(shape, tuple(position.tolist()), tuple(orientation.tolist())))
    return parts


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
