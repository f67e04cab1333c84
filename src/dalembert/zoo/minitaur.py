"""A quadruped whose legs are closed five-bar loops."""

from __future__ import annotations

from math import acos, atan2, cos, hypot, pi, sin, sqrt

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Floating, Revolute
from dalembert.model.model import Model
from dalembert.model.shapes import Box, Capsule, Part, Sphere
from dalembert.zoo.parts import GRAVITY, add_rod, quaternion_about

UPPER, LOWER = 0.1, 0.2
"""Lengths (m) of the links at the hip and at the foot."""
FOOT = 0.015
"""Radius (m) of the ball at a foot."""
BALL = Part(Sphere(FOOT), (0.5 * LOWER, 0.0, 0.0))
ROD = Part(Capsule(0.005, LOWER), orientation=quaternion_about((0.0, 1.0, 0.0), 0.5 * pi))
"""What a lower link with a foot looks like, its first axis along it."""
UPPER_MASS, LOWER_MASS = 0.06, 0.1
LENGTH, WIDTH = 0.4, 0.22
"""Distances (m) between the hips, along and across."""


def minitaur_leg(spread: float = pi / 3) -> Model:
    """One leg of the quadruped Minitaur on a fixed hip: two coaxial motors move the foot by a diamond of four links.

    Two degrees of freedom, `hip_front` and `hip_back`; the upper links start ``spread`` (rad) to either side of the
    downward vertical; gravity along −z, axes y.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    _add_leg(builder, "", "world", 0.0, 0.0, spread)
    return builder.build()


def minitaur(spread: float = pi / 3, *, body_mass: float = 5.0, friction: float | None = None) -> Model:
    """The quadruped Minitaur: a free body (kg) on four closed legs, 17 bodies and 14 degrees of freedom.

    Nominal dimensions; the hips of legs ``fl``, ``fr``, ``bl``, ``br`` start in the plane z = 0. With ``friction``
    there is level ground under the balls at its feet, which just touch it: contacts ``fl_foot`` and so on.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    builder.add_body("body", shape=Box(LENGTH, WIDTH, 0.1), mass=body_mass, position=(0, 0, 0))
    builder.add_joint("free", Floating(), parent="world", child="body", anchor=(0, 0, 0))
    for leg, x, y in (("fl", 0.5, 0.5), ("fr", 0.5, -0.5), ("bl", -0.5, 0.5), ("br", -0.5, -0.5)):
        _add_leg(builder, f"{leg}_", "body", x * LENGTH, y * WIDTH, spread, feet=friction is not None)
        if friction is not None:
            builder.add_contact(f"{leg}_lower_front", [BALL], name=f"{leg}_foot", friction=friction)
    if friction is not None:
        builder.add_ground(friction=friction, point=(0, 0, -reach(spread) - FOOT))
    return builder.build()


def reach(spread: float) -> float:
    """How far (m) a foot is from its hip when the upper links stand ``spread`` (rad) to either side."""
    return UPPER * cos(spread) + sqrt(LOWER**2 - (UPPER * sin(spread)) ** 2)


def hip_angles(x: float, down: float, spread: float = pi / 3) -> tuple[float, float]:
    """Coordinates of the joints `hip_front` and `hip_back` with the foot ``x`` before and ``down`` below the hip (m).

    The upper links stand β to either side of the line to the foot, b² = a² + r² − 2 a r cos β.
    """
    r, lean = hypot(x, down), atan2(x, down)
    beta = acos((UPPER**2 + r**2 - LOWER**2) / (2.0 * UPPER * r))
    return spread - beta - lean, beta - spread - lean


def _add_leg(
    builder: ModelBuilder, prefix: str, base: str, x: float, y: float, spread: float, *, feet: bool = False
) -> None:
    axis = Revolute(axis=(0, 1, 0))
    hip = (x, y, 0.0)
    foot = (x, y, -reach(spread))
    for side, sign in (("front", 1.0), ("back", -1.0)):
        knee = (x + sign * UPPER * sin(spread), y, -UPPER * cos(spread))
        upper, lower = f"{prefix}upper_{side}", f"{prefix}lower_{side}"
        add_rod(builder, upper, hip, knee, mass=UPPER_MASS)
        balled = [ROD, BALL] if feet and side == "front" else None
        add_rod(builder, lower, knee, foot, mass=LOWER_MASS, shape=balled)
        builder.add_joint(f"{prefix}hip_{side}", axis, parent=base, child=upper, anchor=hip)
        builder.add_joint(f"{prefix}knee_{side}", axis, parent=upper, child=lower, anchor=knee)
    lower_front, lower_back = f"{prefix}lower_front", f"{prefix}lower_back"
    builder.add_joint(f"{prefix}foot", axis, parent=lower_front, child=lower_back, anchor=foot)
