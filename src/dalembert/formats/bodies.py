"""Links that a format lists one by one, joined to the rigid bodies of a model.

Links that nothing moves against each other are one body. A link without mass that moves has no motion of its own: if it
carries a body, it takes a share of the mass and inertia of that body so small that no result shows it, and so every
joint of a stack keeps its name, its coordinate and its limits; if it carries nothing, its motion has no equation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from dalembert.formats.pose import Pose, seen_from
from dalembert.model.bodies import PLATE_DIGITS, rotation_matrix
from dalembert.model.shapes import MassProperties, combined
from dalembert.model.system import Floats

OPEN_SHARE = 1e-12
"""Share of its load that a link without mass takes."""
LOOP_SHARE = 1e-7
"""The same inside a loop, where the impulse that closes it is found by dividing by masses."""
REPAIRED_RADIUS = 1e-3
"""A point with mass turns like a ball of this radius (m) when inertias are repaired."""


@dataclass(eq=False)
class Piece:
    """A link at the reference configuration."""

    name: str
    pose: Pose
    """Its frame in the world."""
    solid: MassProperties | None
    """Mass, centre (3,) and inertia (3, 3) about it in the axes of ``pose``; None for a mere frame."""
    shapes: list[tuple[object, Pose]] = field(default_factory=list)
    """Its geometry, placed in its own frame."""

    @property
    def massive(self) -> bool:
        """Whether it has mass or inertia."""
        return self.solid is not None and (self.solid.mass > 0.0 or bool(np.any(self.solid.inertia)))


@dataclass(eq=False)
class Group:
    """Links that are one body. Masses and inertias are in world axes, about the centre of mass."""

    pieces: list[Piece]
    parent: int | None = None
    """The group that carries it, None for the first one."""
    solid: MassProperties = field(default_factory=lambda: MassProperties(0.0, np.zeros(3), np.zeros((3, 3))))
    fixed: bool = False
    """Whether it is a part of the world."""

    @property
    def main(self) -> Piece:
        """The link that gives the body its name and axes: the first one with mass."""
        return next((piece for piece in self.pieces if piece.massive), self.pieces[0])

    @property
    def pose(self) -> Pose:
        """The body: its centre of mass in the world, and the axes of its main link."""
        return self.solid.center, self.main.pose[1]

    @property
    def inertia(self) -> Floats:
        """(3, 3) in body axes."""
        axes = rotation_matrix(self.main.pose[1])
        inertia = axes.T @ self.solid.inertia @ axes
        return 0.5 * (inertia + inertia.T)

    @property
    def massless(self) -> bool:
        """Whether nothing gives it mass."""
        return not self.solid.mass > 0.0

    def weigh(self) -> None:
        """Sum up the masses of its links."""
        solids = [in_world_axes(piece) for piece in self.pieces if piece.massive]
        if sum(solid.mass for solid in solids) > 0.0:
            only = len(solids) == 1
            self.solid = solids[0] if only else combined(solids)

    def local(self, pose: Pose) -> Pose:
        """A pose in the world as seen from the body; from the world's origin for a part of the world."""
        return pose if self.fixed else seen_from(self.pose, pose)


def in_world_axes(piece: Piece) -> MassProperties:
    """The mass properties of a link in the world."""
    assert piece.solid is not None
    rotation = rotation_matrix(piece.pose[1])
    mass, center, inertia = piece.solid
    return MassProperties(mass, piece.pose[0] + rotation @ center, rotation @ inertia @ rotation.T)


def share_of(group: int, looped: Collection[int]) -> float:
    """The share of its load that a group without mass takes; ``looped`` are the groups in loops."""
    return LOOP_SHARE if group in looped else OPEN_SHARE


def groups_in_loops(groups: Sequence[Group], closings: Iterable[tuple[int, int]]) -> set[int]:
    """The groups on the ways from both sides of each closing joint to where the ways meet."""
    looped: set[int] = set()
    for sides in closings:
        ways: list[set[int]] = []
        for side in sides:
            way, at = set[int](), side
            while at is not None:
                way.add(at)
                at = groups[at].parent
            ways.append(way)
        looped |= ways[0] ^ ways[1]
    return looped


def lend_masses(groups: Sequence[Group], looped: Collection[int]) -> tuple[list[int], list[int]]:
    """Give every moving group without mass a share of the body that it carries.

    Groups are sorted from the first one outwards; ``looped`` are those in loops. Returns (groups that took a share,
    groups that carry nothing).
    """
    lenders: dict[int, int] = {}
    for index in reversed(range(len(groups))):
        # the heaviest of what is attached gives; a group without mass hands on what it carries
        giver = lenders.get(index) if groups[index].massless else index
        parent = groups[index].parent
        if giver is None or parent is None:
            continue
        known = lenders.get(parent)
        if known is None or groups[giver].solid.mass > groups[known].solid.mass:
            lenders[parent] = giver
    took, bare = [], []
    for index, group in enumerate(groups):
        if not group.massless or group.fixed:
            continue
        if index not in lenders:
            bare.append(index)
            continue
        giver = groups[lenders[index]]
        mass, center, inertia = giver.solid
        share = share_of(index, looped)
        group.solid = MassProperties(share * mass, center, share * inertia)
        giver.solid = MassProperties((1.0 - share) * mass, center, (1.0 - share) * inertia)
        took.append(index)
    return took, bare


def moments_fault(mass: float, inertia: Floats, nothing: float) -> tuple[str, str] | None:
    """What is wrong with an inertia about a centre of mass, as (expected, found); None if nothing is."""
    a, b, c = np.linalg.eigvalsh(inertia).tolist()
    if max(abs(a), abs(c)) <= nothing * mass:
        return None
    found = f"principal moments {a:.6g}, {b:.6g}, {c:.6g}"
    if a < -PLATE_DIGITS * c:
        return "principal moments that are not negative (kg m²)", found
    if c > (a + b) * (1.0 + PLATE_DIGITS):
        return "the largest principal moment to be at most the sum of the others", found
    return None


def repaired(mass: float, inertia: Floats) -> Floats:
    """The inertia of a body near ``inertia``: its second moments of mass, where they are negative, become zero.

    With principal moments a, b, c the second moments along the principal axes are (b + c − a)/2 and so on.
    """
    moments, axes = np.linalg.eigh(inertia)
    second = np.maximum(0.5 * moments.sum() - moments, 0.0)
    least = 0.2 * mass * REPAIRED_RADIUS**2
    if np.sort(second)[1] < 1e-6 * least:
        # a line or a point does not resist turning about every axis
        second = np.maximum(second, least)
    return (axes * (second.sum() - second)) @ axes.T
