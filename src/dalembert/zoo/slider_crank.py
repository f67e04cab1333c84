"""Turning made of sliding."""

from __future__ import annotations

from math import cos, sin, sqrt

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Prismatic, Revolute
from dalembert.model.model import Model
from dalembert.zoo.parts import GRAVITY, add_rod


def slider_crank(angle: float = 0.5, *, crank: float = 0.3, rod: float = 1.0, piston_mass: float = 2.0) -> Model:
    """A crank on the ground, a connecting rod, and a piston that slides along x: one degree of freedom.

    Lengths in m, crank and rod of 1 kg; starts at rest with the crank ``angle`` (rad) above the x axis; gravity −z.
    """
    pin = (crank * cos(angle), 0.0, crank * sin(angle))
    end = (pin[0] + sqrt(rod**2 - pin[2] ** 2), 0.0, 0.0)
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    add_rod(builder, "crank", (0, 0, 0), pin)
    add_rod(builder, "rod", pin, end)
    builder.add_body("piston", mass=piston_mass, inertia=(0.01, 0.01, 0.01), position=end)
    axis = Revolute(axis=(0, 1, 0))
    builder.add_joint("bearing", axis, parent="world", child="crank", anchor=(0, 0, 0))
    builder.add_joint("big_end", axis, parent="crank", child="rod", anchor=pin)
    builder.add_joint("small_end", axis, parent="rod", child="piston", anchor=end)
    builder.add_joint("cylinder", Prismatic(axis=(1, 0, 0)), parent="world", child="piston", anchor=end)
    return builder.build()
