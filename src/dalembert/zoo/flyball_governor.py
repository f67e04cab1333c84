"""The stiff flyball governor."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Prismatic, Revolute
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.zoo.parts import GRAVITY, into_axes, quaternion_along

DENSITY = 3000.0
ROD_LENGTH, ROD_WIDTH = 1.0, 0.01
BALL_MASS = 5.0
HINGE, SLIDER_WIDTH = 0.05, 0.1
STIFFNESS, DAMPING, FREE_LENGTH = 8e5, 4e4, 0.5


def flyball_governor() -> Model:
    """A05 of the IFToMM benchmarks: two arms with balls on a turning shaft, held to a slider by very stiff springs.

    Three degrees of freedom (both arms alike): the turn of the shaft (z), the slope of the arms (30° below the level
    at the start) and the height of the slider (0.5 m at the start). Gravity along −z; the arms hinge at z = 1.
    """
    rod_mass = DENSITY * ROD_LENGTH * ROD_WIDTH**2
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    across, along = rod_mass * (ROD_LENGTH**2 + ROD_WIDTH**2) / 12.0, rod_mass * ROD_WIDTH**2 / 6.0
    builder.add_body("shaft", mass=rod_mass, inertia=(across, across, along), position=(0, 0, 0.5))
    slider_mass = DENSITY * SLIDER_WIDTH**3
    cube = slider_mass * SLIDER_WIDTH**2 / 6.0
    builder.add_body("slider", mass=slider_mass, inertia=(cube, cube, cube), position=(0, 0, 0.5))
    builder.add_joint("bearing", Revolute(axis=(0, 0, 1)), parent="world", child="shaft", anchor=(0, 0, 0))
    builder.add_joint("slide", Prismatic(axis=(0, 0, 1)), parent="shaft", child="slider", anchor=(0, 0, 0.5))

    # a rod with a point mass at its end, about their common centre of mass
    mass = rod_mass + BALL_MASS
    centre = ROD_LENGTH * (0.5 * rod_mass + BALL_MASS) / mass
    arm = across + rod_mass * (centre - 0.5 * ROD_LENGTH) ** 2 + BALL_MASS * (ROD_LENGTH - centre) ** 2
    for name, sign in (("right", 1.0), ("left", -1.0)):
        hinge = np.array([sign * HINGE, 0.0, 1.0])
        down = np.array([sign * 0.5 * sqrt(3.0), 0.0, -0.5])
        builder.add_body(
            name,
            mass=mass,
            inertia=(along, arm, arm),
            position=hinge + centre * down,
            orientation=quaternion_along(down),
        )
        axis = Revolute(axis=(0, sign, 0))
        builder.add_joint(f"{name}_hinge", axis, parent="shaft", child=name, anchor=hinge)
        builder.add_spring(
            f"{name}_spring",
            "slider",
            name,
            points=((sign * 0.5 * SLIDER_WIDTH, 0, 0.5), hinge + 0.5 * ROD_LENGTH * down),
            stiffness=STIFFNESS,
            damping=DAMPING,
            rest_length=FREE_LENGTH,
        )
    return builder.build()


def flyball_governor_start(model: Model, spin: float = 2.0 * pi) -> State:
    """Everything turning about the vertical like one body, at ``spin`` (rad/s)."""
    rest = model.state()
    velocity = np.stack([-spin * rest.position[:, 1], spin * rest.position[:, 0], 0.0 * rest.position[:, 2]], axis=1)
    angular_velocity = [into_axes(q, (0.0, 0.0, spin)) for q in rest.orientation]
    return model.state_from_bodies(rest.position, rest.orientation, velocity, angular_velocity)
