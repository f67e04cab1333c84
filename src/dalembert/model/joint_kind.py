"""The base of all joint kinds: six relative components, of which a kind leaves some free.

Components 0, 1, 2 are the translations along the joint's axes, 3, 4, 5 the rotations; see `dalembert.model.system`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dalembert.model.checks import Findings, VectorLike, read_unit
from dalembert.model.frame import turn_to_axis
from dalembert.model.system import LOWER_PAIR, Floats

TRANSLATIONS = ("x", "y", "z")
Z_AXIS = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class JointKind:
    """The base of all kinds."""

    code: ClassVar[int] = LOWER_PAIR
    """The number of the kind in `System.joint_kind`."""
    free: ClassVar[tuple[int, ...]] = ()
    """The components that the joint leaves free."""
    components: ClassVar[tuple[int, ...]] = (0, 1, 2, 3, 4, 5)
    """The components that exist."""
    has_coordinates: ClassVar[bool] = True
    """Whether the joint can place a body, that is, be a part of the spanning tree."""

    @property
    def name(self) -> str:
        """The name of the kind."""
        return type(self).__name__

    @property
    def locked(self) -> tuple[int, ...]:
        """Six numbers, 1 for each component that is a constraint."""
        return tuple(int(c in self.components and c not in self.free) for c in range(6))

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the joint coordinates in their order; a free rotation is a quaternion."""
        return self._translation_names + (("qw", "qx", "qy", "qz") if self.turns_freely else self._angle_names)

    @property
    def rate_names(self) -> tuple[str, ...]:
        """Names of the joint rates in their order; those of a free rotation are angular velocities in B's axes."""
        return self._translation_names + (("wx", "wy", "wz") if self.turns_freely else self._angle_names)

    @property
    def turns_freely(self) -> bool:
        """Whether all three rotations are free."""
        return {3, 4, 5} <= set(self.free)

    @property
    def anchor_matters(self) -> bool:
        """Whether the motion depends on where the joint sits, not on its axes alone."""
        return any(c >= 3 for c in self.free)

    @property
    def _translation_names(self) -> tuple[str, ...]:
        return tuple(TRANSLATIONS[c] for c in self.free if c < 3)

    @property
    def _angle_names(self) -> tuple[str, ...]:
        return ("angle",) if any(c >= 3 for c in self.free) else ()

    def turn(self, findings: Findings, item: str) -> Floats:
        """The quaternion that brings x, y, z onto the joint's three axes."""
        return np.array([1.0, 0.0, 0.0, 0.0])

    def parameter(self, findings: Findings, item: str) -> float:
        """The number that goes into `System.parameter`."""
        return 0.0


@dataclass(frozen=True)
class AxisKind(JointKind):
    """The base of the kinds that have an axis."""

    axis: VectorLike = Z_AXIS

    def turn(self, findings: Findings, item: str) -> Floats:
        """The quaternion that brings z onto the axis."""
        return turn_to_axis(read_unit(findings, f"{item}, axis", self.axis, 3, "an axis"))
