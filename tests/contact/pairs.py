"""Two free bodies with a shape each, and poses in which they are near each other or overlap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import dalembert as da
from dalembert.model.shapes import Shape
from dalembert.model.system import Floats

SHAPES: dict[str, Shape] = {
    "box": da.Box(0.6, 0.4, 0.3),
    "sphere": da.Sphere(0.25),
    "capsule": da.Capsule(0.15, 0.5),
    "mesh": da.ConvexMesh(0.25 * np.random.default_rng(0).normal(size=(14, 3))),
    "cylinder": da.Cylinder(0.2, 0.5),
    "ellipsoid": da.Ellipsoid(0.1, 0.2, 0.3),
    "half-space": da.HalfSpace(),
}


def free_pair(first: Shape, second: Shape) -> da.Model:
    """Bodies "a" and "b", floating, each with a contact of its name."""
    builder = da.ModelBuilder()
    for name, shape in (("a", first), ("b", second)):
        builder.add_body(name, mass=1.0, inertia=(0.1, 0.1, 0.1))
        builder.add_joint(f"free {name}", da.Floating(), parent="world", child=name)
        builder.add_contact(name, shape)
    return builder.build()


def random_poses(seed: int, count: int) -> Iterator[tuple[Floats, Floats]]:
    """Positions (2, 3) some 0.5 m apart and orientations (2, 4)."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        turns = random.normal(size=(2, 4))
        yield 0.35 * random.normal(size=(2, 3)), turns / np.linalg.norm(turns, axis=1, keepdims=True)
