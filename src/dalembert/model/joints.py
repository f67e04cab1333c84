"""The kinds of joints: which of the six relative components a kind leaves free, and along which axes.

A kind is two general constraint functions, one of translation and one of rotation, and a selection of their
components: [Brüdigam 2023] appendix B, table B.2. Components 0, 1, 2 are the translations along the joint's axes,
3, 4, 5 the rotations; an axis joint has its axis as the third one. The first two axes follow from the shortest turn
that brings z onto the axis (over the x axis when the joint's axis points below the horizon).

Axes are unit vectors in world coordinates at the reference configuration, or in the axes of ``parent_frame`` and
``child_frame`` where a joint is given by those.

A new kind made of the two functions is a class with a ``free`` tuple and a line in `JOINT_KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import pi
from types import MappingProxyType
from typing import Any

import numpy as np

from dalembert.model.checks import PRINTED_DIGITS, Findings, VectorLike, read_number, read_unit, shown
from dalembert.model.frame import turn_to_axes
from dalembert.model.joint_kind import AxisKind, JointKind
from dalembert.model.system import CUSTOM, DISTANCE, GEAR, SCREW, UNIVERSAL, Floats


@dataclass(frozen=True)
class Fixed(JointKind):
    """Welds two bodies together."""


@dataclass(frozen=True)
class Prismatic(AxisKind):
    """Slides along its axis. Coordinate: metres."""

    free = (2,)


@dataclass(frozen=True)
class PlanarFixedOrientation(AxisKind):
    """Slides in the plane whose normal is the axis, without turning. Coordinates: two lengths."""

    free = (0, 1)


@dataclass(frozen=True)
class FixedOrientation(JointKind):
    """Moves freely without turning. Coordinates: three lengths in the parent frame's axes."""

    free = (0, 1, 2)


@dataclass(frozen=True)
class Revolute(AxisKind):
    """Turns about its axis: a hinge. Coordinate: radians."""

    free = (5,)


@dataclass(frozen=True)
class Cylindrical(AxisKind):
    """Slides along its axis and turns about it. Coordinates: a length and an angle."""

    free = (2, 5)


@dataclass(frozen=True)
class Planar(AxisKind):
    """Slides in the plane whose normal is the axis and turns about the normal. Coordinates: two lengths, an angle."""

    free = (0, 1, 5)


@dataclass(frozen=True)
class FreeRevolute(AxisKind):
    """Turns about its axis and moves freely. Coordinates: three lengths and an angle."""

    free = (0, 1, 2, 5)


@dataclass(frozen=True)
class Spherical(JointKind):
    """Turns about a point: ball and socket. Coordinates: a quaternion; rates: an angular velocity."""

    free = (3, 4, 5)


@dataclass(frozen=True)
class CylindricalFree(AxisKind):
    """A point that slides along the axis, and any turn about it. Coordinates: a length and a quaternion."""

    free = (2, 3, 4, 5)


@dataclass(frozen=True)
class PlanarFree(AxisKind):
    """A point that slides in the plane normal to the axis, and any turn. Coordinates: two lengths and a quaternion."""

    free = (0, 1, 3, 4, 5)


@dataclass(frozen=True)
class Floating(JointKind):
    """Moves freely. Coordinates: three lengths and a quaternion.

    Without an anchor the frames are the bodies' own, so that the coordinates of a body floating in the world are its
    pose: the position of its centre of mass and its orientation.
    """

    free = (0, 1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Universal(JointKind):
    """Turns about an axis fixed in the parent and about one fixed in the child, at right angles: a Cardan joint.

    ``axes``: the parent's axis and the child's. Coordinates: the two angles.
    """

    axes: tuple[VectorLike, VectorLike] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    code = UNIVERSAL
    free = (3, 4)

    @property
    def _angle_names(self) -> tuple[str, ...]:
        return ("angle_1", "angle_2")

    def turn(self, findings: Findings, item: str) -> Floats:
        """The quaternion that brings x onto the parent's axis and y onto the child's."""
        if not isinstance(self.axes, Sequence | np.ndarray) or len(self.axes) != 2:
            findings.add(f"{item}, axes", "two axes", shown(self.axes))
            return super().turn(findings, item)
        before = len(findings.lines)
        first = read_unit(findings, f"{item}, axes[0]", self.axes[0], 3, "an axis")
        second = read_unit(findings, f"{item}, axes[1]", self.axes[1], 3, "an axis")
        if len(findings.lines) > before:
            return super().turn(findings, item)
        cosine = float(first @ second)
        if abs(cosine) > PRINTED_DIGITS:
            findings.add(f"{item}, axes", "two perpendicular axes", f"axes whose cosine is {cosine:.9g}")
            return super().turn(findings, item)
        second = second - cosine * first
        return turn_to_axes(first, second / np.linalg.norm(second))


@dataclass(frozen=True)
class Screw(AxisKind):
    """Turns about its axis and advances by ``pitch`` metres per turn (negative: left-handed). Coordinate: radians."""

    pitch: float = 0.0
    code = SCREW
    free = (5,)

    def parameter(self, findings: Findings, item: str) -> float:
        """Metres of advance per radian."""
        pitch = read_number(findings, f"{item}, pitch", self.pitch, "metres per turn", least=-np.inf, open_end=False)
        if pitch == 0.0:
            findings.add(
                f"{item}, pitch", "metres per turn other than zero", shown(self.pitch), "for none use Revolute"
            )
        return pitch / (2.0 * pi)


@dataclass(frozen=True)
class Distance(JointKind):
    """Keeps two points at a fixed distance: a massless rod. Without ``length``, at that of the reference configuration.

    Its anchor is a pair: the point on the parent and the point on the child, in world coordinates.
    """

    length: float | None = None
    code = DISTANCE
    components = (0,)
    has_coordinates = False


@dataclass(frozen=True)
class Gear(JointKind):
    """Couples the coordinates of two other joints: θ₁ + ratio·θ₂ keeps its value of the reference configuration.

    ``parent`` and ``child`` name the two joints. A ratio between an angle and a length is in rad/m or m/rad. Joints
    with several coordinates need ``coordinates``, the names of the two that are coupled: ``("angle", "z")``.
    """

    ratio: float
    coordinates: tuple[str | None, str | None] = (None, None)
    code = GEAR
    components = (0,)
    has_coordinates = False

    def parameter(self, findings: Findings, item: str) -> float:
        """The factor of the second coordinate."""
        ratio = read_number(findings, f"{item}, ratio", self.ratio, "a number", least=-np.inf, open_end=False)
        if ratio == 0.0:
            findings.add(f"{item}, ratio", "a number other than zero", shown(self.ratio), "to hold one joint use Fixed")
        return ratio


@dataclass(frozen=True)
class CustomConstraint(JointKind):
    """A constraint of the user's: at most six functions of the poses of some bodies that stay zero.

    ``function(positions (k, 3), orientations (k, 4)) -> (rows,)`` with the poses of ``bodies`` in their order.
    ``jacobian``, of the same arguments, gives (rows, k, 6): the derivatives by the displacement of the centre of mass
    in the world and by the turn in body axes. Without it, central differences are used.
    """

    function: Callable[[Floats, Floats], Any]
    bodies: Sequence[str]
    jacobian: Callable[[Floats, Floats], Any] | None = None
    code = CUSTOM
    components = ()
    has_coordinates = False


JOINT_KINDS: Mapping[str, JointKind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            Fixed(),
            Prismatic(),
            PlanarFixedOrientation(),
            FixedOrientation(),
            Revolute(),
            Cylindrical(),
            Planar(),
            FreeRevolute(),
            Spherical(),
            CylindricalFree(),
            PlanarFree(),
            Floating(),
            Universal(),
            Screw(pitch=0.1),
        )
    }
)
"""One of each kind that has coordinates, by name, with its default axes: for loops over all of them."""
