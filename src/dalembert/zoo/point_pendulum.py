"""The simplest benchmark: a mass on a weightless rod."""

from __future__ import annotations

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Distance, PlanarFixedOrientation
from dalembert.model.model import Model
from dalembert.zoo.parts import GRAVITY


def point_pendulum() -> Model:
    """A01 of the IFToMM benchmarks: a mass of 1 kg, 1 m from the origin, starting level with it at (−1, 0, 0).

    The mass moves in the plane z = 0 under gravity along −y; a distance constraint is the rod.
    """
    builder = ModelBuilder(gravity=(0, -GRAVITY, 0))
    builder.add_body("bob", mass=1.0, inertia=(0.004, 0.004, 0.004), position=(-1, 0, 0))
    builder.add_joint("plane", PlanarFixedOrientation(axis=(0, 0, 1)), parent="world", child="bob", anchor=(0, 0, 0))
    builder.add_joint("rod", Distance(), parent="world", child="bob", anchor=((0, 0, 0), (-1, 0, 0)))
    return builder.build()
