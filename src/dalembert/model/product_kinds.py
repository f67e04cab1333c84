"""Joint kinds that are products of exponentials: composites of simple joints, and a ball in Euler angles.

A kind of this family says which factors its motion is made of (`dalembert.model.factors`); its pose, screws and their
derivatives follow from these alone. It has as many coordinates as rates.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from dalembert.model.checks import Findings, read_number, shown
from dalembert.model.factors import Factor, frame_factor, linear_factor
from dalembert.model.joint_kind import TRANSLATIONS, JointKind
from dalembert.model.system import CUSTOM, DISTANCE, GEAR, PRODUCT, SCREW, UNIVERSAL, Floats

CHARTS = ("XYX", "XZX", "YZY", "YXY", "ZXZ", "ZYZ", "XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")
"""The twelve orders of axes: Euler angles proper, then Tait–Bryan angles."""


@dataclass(frozen=True)
class ProductKind(JointKind):
    """The base of the family."""

    code = PRODUCT

    @abstractmethod
    def factors(self, findings: Findings, item: str) -> tuple[Factor, ...]:
        """The factors of the motion of B against A, in the axes of A; at coordinates of zero it must be none."""

    @property
    def turns_freely(self) -> bool:
        """No quaternion is among its coordinates."""
        return False

    @property
    def anchor_matters(self) -> bool:
        return True

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return self.rate_names


@dataclass(frozen=True)
class EulerAngles(ProductKind):
    """Turns about a point in Euler angles: about three of its own axes, one after the other. Coordinates: the angles.

    ``axes``: one of the twelve orders, such as "XYZ" or "ZXZ". Where the first and the third axis come to lie on one
    line the angles stop; `Spherical` has no such place and is what to use unless the angles themselves are wanted.

    ``switch``: from 0 to 0.5; where the determinant of the screws, sine or cosine of the second angle, falls to it, the
    motion goes on in the best of the twelve orders. 0: never. The joint then has no springs, dampers, limits, armature
    or forces of its own; coordinates outside of a run remain those of ``axes``.
    """

    axes: str = "XYZ"
    switch: float = 0.0
    free = (0, 1, 2)

    @property
    def rate_names(self) -> tuple[str, ...]:
        return ("angle_1", "angle_2", "angle_3")

    def factors(self, findings: Findings, item: str) -> tuple[Factor, ...]:
        if self.axes not in CHARTS:
            findings.add(f"{item}, axes", f"one of {', '.join(CHARTS)}", shown(self.axes))
            return ()
        switch = read_number(findings, f"{item}, switch", self.switch, "0 to 0.5", least=0.0, open_end=False)
        if switch > 0.5:
            findings.add(f"{item}, switch", "0 to 0.5", shown(self.switch))
        units = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
        return tuple(linear_factor((0.0, 0.0, 0.0), units[letter], k) for k, letter in enumerate(self.axes))


@dataclass(frozen=True)
class Composite(ProductKind):
    """Several joints in one, with nothing between them: the first sits on the parent, the last carries the child.

    ``parts``: joint kinds, with six coordinates between them at most; `EulerAngles` for a turn about a point.
    Coordinates: those of the parts in turn. All axes are given at the reference configuration. A body that is free in
    space is ``Composite((FixedOrientation(), EulerAngles("XYZ")))`` or, with the turn first, the two in reverse order.
    """

    parts: Sequence[JointKind] = ()

    def __post_init__(self) -> None:
        count = sum(len(part.rate_names) for part in self.parts if isinstance(part, JointKind))
        object.__setattr__(self, "free", tuple(range(min(count, 6))))

    @property
    def rate_names(self) -> tuple[str, ...]:
        names = [f"{name}_{i}" for i, part in enumerate(self.parts, 1) for name in part.rate_names]
        return tuple(names[: len(self.free)])

    def factors(self, findings: Findings, item: str) -> tuple[Factor, ...]:
        kinds = self.parts
        if not isinstance(kinds, Sequence) or not kinds or not all(isinstance(part, JointKind) for part in kinds):
            findings.add(f"{item}, parts", "joint kinds such as (da.Prismatic(), da.Revolute())", shown(kinds))
            return ()
        count = sum(len(part.rate_names) for part in kinds)
        if count > 6:
            findings.add(f"{item}, parts", "six coordinates at most", f"{count}", "put a body between the joints")
            return ()
        found: list[Factor] = []
        first = 0
        for i, part in enumerate(kinds):
            found += [factor.shifted(first) for factor in _part_factors(part, findings, f"{item}, parts[{i}]")]
            first += len(part.rate_names)
        return tuple(found)


def _part_factors(part: JointKind, findings: Findings, item: str) -> tuple[Factor, ...]:
    """A simple joint as exponentials of twists along and about its axes, or those of a kind of the family."""
    from dalembert.spatial.quaternion import conjugate, rotate

    before = len(findings.lines)
    turn: Floats = part.turn(findings, item)
    q = (float(turn[0]), float(turn[1]), float(turn[2]), float(turn[3]))
    if isinstance(part, EulerAngles) and part.switch:
        findings.add(f"{item}, switch", "0 inside a Composite", shown(part.switch), "give it a joint of its own")
    if isinstance(part, ProductKind):
        own = part.factors(findings, item)
        # its factors are in its own axes
        return (frame_factor((0.0, 0.0, 0.0), q), *own, frame_factor((0.0, 0.0, 0.0), conjugate(q)))
    if part.turns_freely or part.code in (DISTANCE, GEAR, CUSTOM) or not part.has_coordinates:
        remedy = "for a turn about a point take EulerAngles" if part.turns_freely else ""
        findings.add(item, "a joint whose coordinates are lengths and angles about axes", f"a {part.name}", remedy)
        return ()
    if len(findings.lines) > before:
        return ()
    axes = [rotate(q, (1.0 * (k == 0), 1.0 * (k == 1), 1.0 * (k == 2))) for k in range(3)]
    zero, factors = (0.0, 0.0, 0.0), []
    advance = part.parameter(findings, item) if part.code == SCREW else 0.0
    for coordinate, c in enumerate(part.free):
        if c < len(TRANSLATIONS):
            factors.append(linear_factor(axes[c], zero, coordinate))
        else:
            about = axes[c - 3] if part.code == UNIVERSAL else axes[2]
            factors.append(linear_factor([advance * a for a in about], about, coordinate))
    return tuple(factors)
