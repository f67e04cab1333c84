"""Bodies that fall onto the ground and each other: a cube, a chain of balls, a pile."""

from __future__ import annotations

import numpy as np

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Floating, Spherical
from dalembert.model.model import Model
from dalembert.model.shapes import Box, Capsule, Sphere
from dalembert.zoo.parts import GRAVITY

APART = 0.5
"""Between the columns of a pile, and from its middle to each wall, m: more than its largest box is long."""


def dropped_cube(height: float = 0.4, edge: float = 0.5, friction: float = 0.5) -> Model:
    """A cube of 1 kg whose lower face is ``height`` over the plane z = 0. [Brüdigam 2023] figure 7(d)"""
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    builder.add_body("cube", mass=1.0, shape=Box(edge, edge, edge), position=(0, 0, 0.5 * edge + height))
    builder.add_joint("free", Floating(), parent="world", child="cube")
    builder.add_contact("cube")
    builder.add_ground(friction=friction)
    return builder.build()


def sphere_chain(
    spheres: int = 10, radius: float = 0.25, drop: float = 0.2, rise: float = 0.05, friction: float = 0.5
) -> Model:
    """Balls of 1 kg in a row that touch, ball joints between them, over the plane z = 0. [Brüdigam 2023] figure 8(b)

    The first is ``drop`` over the ground and each ``rise`` higher than the one before, m. Of the balls only the ground
    is touched: neighbours are joined, and the others meet the ground first.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    along = (4.0 * radius * radius - rise * rise) ** 0.5
    places = [np.array([along * k, 0.0, radius + drop + rise * k]) for k in range(spheres)]
    for k, place in enumerate(places):
        builder.add_body(f"sphere {k}", mass=1.0, shape=Sphere(radius), position=place)
        builder.add_contact(f"sphere {k}", only=["ground"])
        if k == 0:
            builder.add_joint("free", Floating(), parent="world", child="sphere 0")
        else:
            anchor = 0.5 * (places[k - 1] + place)
            builder.add_joint(f"joint {k}", Spherical(), parent=f"sphere {k - 1}", child=f"sphere {k}", anchor=anchor)
    builder.add_ground(friction=friction)
    return builder.build()


def pile(bodies: int = 20, seed: int = 0, friction: float = 0.5) -> Model:
    """Boxes, balls and capsules of some decimetres let go above each other in four columns, between four walls.

    They are turned at random and do not touch at first.
    """
    rng = np.random.default_rng(seed)
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    for k in range(bodies):
        size = rng.uniform(0.8, 1.2)
        shapes = (Sphere(0.12 * size), Box(0.3 * size, 0.2 * size, 0.16 * size), Capsule(0.08 * size, 0.2 * size))
        column, level = k % 4, k // 4
        place = (APART * (column % 2 - 0.5), APART * (column // 2 - 0.5), 0.25 + APART * level)
        turn = rng.normal(size=4)
        name, shape = f"body {k}", shapes[k % 3]
        builder.add_body(name, shape=shape, density=300.0, position=place, orientation=turn / np.linalg.norm(turn))
        builder.add_joint(f"free {k}", Floating(), parent="world", child=name)
        builder.add_contact(name)
    builder.add_ground(friction=friction)
    for name, normal in (("west", (1, 0, 0)), ("east", (-1, 0, 0)), ("south", (0, 1, 0)), ("north", (0, -1, 0))):
        builder.add_ground(name, normal=normal, point=tuple(-APART * x for x in normal), friction=friction)
    return builder.build()
