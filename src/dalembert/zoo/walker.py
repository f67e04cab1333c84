"""A small quadruped on the ground, of the size of Unitree's A1."""

from __future__ import annotations

from math import cos
from typing import Final

from dalembert.model.builder import ModelBuilder
from dalembert.model.frame import Frame
from dalembert.model.joints import Floating, Revolute
from dalembert.model.model import Model
from dalembert.model.shapes import Box, Capsule, Cylinder, Part, Sphere
from dalembert.model.state import State
from dalembert.zoo.parts import GRAVITY, square_rod_inertia

LEGS: Final = ("fr", "fl", "rr", "rl")
"""Front and rear, right and left."""
LINK, FOOT = 0.2, 0.02
"""Length of thigh and calf, radius of a foot, m."""
TRUNK_MASS, HIP_MASS, THIGH_MASS, CALF_MASS = 6.0, 0.7, 1.0, 0.2
ROTOR = 0.01
"""Inertia of the rotor of a motor as felt behind its gear, kg m²."""
STANDING: Final = {"hip": 0.0, "thigh": 1.0, "calf": -1.5}
"""Angles (rad) of the joints of a leg that stands."""


def walker(friction: float = 0.8, stiffness: float = 0.0, damping: float = 0.0) -> Model:
    """A walking machine of 13.6 kg that touches the plane z = 0 with four balls as feet: 18 degrees of freedom.

    13 bodies. Joints of leg ``fr``: "fr_hip" (about x), "fr_thigh" and "fr_calf" (about y: a positive thigh moves the
    knee back, a negative calf the foot forward). x forward, y to the left, gravity along −z. At the reference the legs
    are straight and the feet just touch. ``stiffness`` (N m/rad) and ``damping`` (N m s/rad) of the joints of the legs
    hold them as they stand.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    top = 2.0 * LINK + FOOT
    builder.add_body("trunk", shape=Box(0.36, 0.19, 0.11), mass=TRUNK_MASS, position=(0, 0, top))
    # its coordinates are the pose of the trunk in the world
    builder.add_joint("free", Floating(), parent="world", child="trunk", parent_frame=Frame(), child_frame=Frame())
    builder.add_ground(friction=friction)
    for leg in LEGS:
        x, side = (0.18 if leg[0] == "f" else -0.18), (-1.0 if leg[1] == "r" else 1.0)
        y, out = 0.05 * side, 0.13 * side
        hip, thigh, calf = f"{leg}_hip_link", f"{leg}_thigh_link", f"{leg}_calf_link"
        builder.add_body(
            hip,
            shape=Cylinder(0.045, 0.04),
            mass=HIP_MASS,
            position=(x, y + 0.03 * side, top),
            orientation=(0.5**0.5, 0.5**0.5, 0, 0),
        )
        builder.add_body(thigh, shape=Box(0.034, 0.025, LINK), mass=THIGH_MASS, position=(x, out, top - 0.4 * LINK))
        foot = Part(Sphere(FOOT), (0.0, 0.0, -0.5 * LINK))
        rod = Part(Capsule(0.008, LINK - 0.02))
        builder.add_body(
            calf,
            shape=[rod, foot],
            mass=CALF_MASS,
            inertia=square_rod_inertia(LINK, 0.02, CALF_MASS)[::-1],
            position=(x, out, top - 1.5 * LINK),
        )
        swing = Revolute(axis=(0, 1, 0))
        for name, kind, parent, child, anchor in (
            ("hip", Revolute(axis=(1, 0, 0)), "trunk", hip, (x, y, top)),
            ("thigh", swing, hip, thigh, (x, out, top)),
            ("calf", swing, thigh, calf, (x, out, top - LINK)),
        ):
            builder.add_joint(
                f"{leg}_{name}",
                kind,
                parent=parent,
                child=child,
                anchor=anchor,
                armature=ROTOR,
                stiffness=stiffness,
                damping=damping,
                rest=STANDING[name],
            )
        builder.add_contact(calf, [foot], name=f"{leg}_foot", friction=friction)
    return builder.build()


def walker_start(model: Model) -> State:
    """Standing at rest, knees bent back."""
    bent = STANDING["thigh"] + STANDING["calf"]
    height = LINK * (cos(STANDING["thigh"]) + cos(bent)) + FOOT
    positions: dict[str, object] = {f"{leg}_{name}": angle for leg in LEGS for name, angle in STANDING.items()}
    return model.state(positions=positions | {"free": ((0.0, 0.0, height), (0.0, 0.0, 0.0))})
