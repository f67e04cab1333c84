"""Solid shapes with their exact mass properties, and composites of them.

Each shape is described in its own axes; the primitives have their centre of mass at the origin.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from math import pi
from typing import ClassVar, NamedTuple

import numpy as np

from dalembert.model.checks import Findings, VectorLike, read_number
from dalembert.model.material import Material
from dalembert.model.system import Floats


class MassProperties(NamedTuple):
    """Mass (kg), centre of mass (3,) in the axes of the description, and inertia (3, 3) about the centre of mass."""

    mass: float
    center: Floats
    inertia: Floats


@dataclass(frozen=True)
class Shape:
    """The base of all shapes."""

    solid: ClassVar[bool] = True
    """Whether it has a volume, so that a body can be made of it."""

    def check(self, findings: Findings, item: str) -> None:
        """Note every size that is not a positive number."""
        for field in fields(self):
            value = getattr(self, field.name)
            read_number(
                findings, f"{item}, {field.name}", value, "a positive length in metres", least=0.0, open_end=True
            )

    def mass_properties(self, density: float) -> MassProperties:
        """Mass properties of the solid shape; ``density`` in kg/m³."""
        raise TypeError(f"{type(self).__name__} has no volume")


def _centred(mass: float, *moments: float) -> MassProperties:
    return MassProperties(mass, np.zeros(3), np.diag(moments))


@dataclass(frozen=True)
class Box(Shape):
    """A cuboid; ``x``, ``y``, ``z`` are full lengths."""

    x: float
    y: float
    z: float

    def mass_properties(self, density: float) -> MassProperties:
        """[Sueda 2021] eq. (1.24)."""
        m = density * self.x * self.y * self.z
        a, b, c = m / 12.0 * self.x**2, m / 12.0 * self.y**2, m / 12.0 * self.z**2
        return _centred(m, b + c, c + a, a + b)


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball."""

    radius: float

    def mass_properties(self, density: float) -> MassProperties:
        """⅖ m r² about every axis."""
        m = density * 4.0 / 3.0 * pi * self.radius**3
        moment = 0.4 * m * self.radius**2
        return _centred(m, moment, moment, moment)


@dataclass(frozen=True)
class Cylinder(Shape):
    """A cylinder along its z axis; ``length`` is the full one."""

    radius: float
    length: float

    def mass_properties(self, density: float) -> MassProperties:
        """½ m r² about the axis, m (r²/4 + l²/12) across."""
        m = density * pi * self.radius**2 * self.length
        across = m * (self.radius**2 / 4.0 + self.length**2 / 12.0)
        return _centred(m, across, across, 0.5 * m * self.radius**2)


@dataclass(frozen=True)
class Capsule(Shape):
    """A cylinder along z with half a ball on each end; ``length`` is that of the cylinder alone."""

    radius: float
    length: float

    def mass_properties(self, density: float) -> MassProperties:
        """A cylinder and two hemispheres, whose centres of mass lie ⅜ r outside the cylinder's ends."""
        r, half = self.radius, 0.5 * self.length
        rod = Cylinder(r, self.length).mass_properties(density)
        ball = Sphere(r).mass_properties(density)
        # a hemisphere about the ball's centre has half of the ball's moments; shift to its own centre of mass and out
        caps = ball.inertia[0, 0] + ball.mass * ((half + 0.375 * r) ** 2 - (0.375 * r) ** 2)
        across = rod.inertia[0, 0] + caps
        return _centred(rod.mass + ball.mass, across, across, rod.inertia[2, 2] + ball.inertia[2, 2])


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """An ellipsoid; ``x``, ``y``, ``z`` are its semi-axes."""

    x: float
    y: float
    z: float

    def mass_properties(self, density: float) -> MassProperties:
        """m/5 times the sums of squared semi-axes."""
        m = density * 4.0 / 3.0 * pi * self.x * self.y * self.z
        a, b, c = m / 5.0 * self.x**2, m / 5.0 * self.y**2, m / 5.0 * self.z**2
        return _centred(m, b + c, c + a, a + b)


@dataclass(frozen=True)
class Part:
    """A shape somewhere in a body. Without a density or material of its own it takes the body's."""

    shape: Shape
    position: VectorLike = (0.0, 0.0, 0.0)
    orientation: VectorLike = (1.0, 0.0, 0.0, 0.0)
    density: float | None = None
    material: Material | str | None = None


def turned(properties: MassProperties, position: Floats, rotation: Floats) -> MassProperties:
    """The same solid described in another frame: turned by ``rotation`` (3, 3), then moved by ``position``."""
    mass, center, inertia = properties
    return MassProperties(mass, position + rotation @ center, rotation @ inertia @ rotation.T)


def combined(parts: Iterable[MassProperties]) -> MassProperties:
    """One rigid body out of several, all described in the same axes. [Sueda 2021] eqs (1.25), (1.26).

    The body keeps these axes; the paper goes on to the principal ones, which kernels here do not need.
    """
    parts = list(parts)
    mass = sum(part.mass for part in parts)
    center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in parts:
        r = part.center - center
        inertia += part.inertia + part.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return MassProperties(mass, center, inertia)
