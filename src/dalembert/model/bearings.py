"""Bearings of joints: friction that grows with what the joint carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dalembert.model.checks import Findings, read_number, shown, suggestion
from dalembert.model.joints import Cylindrical, Prismatic, Revolute, Spherical
from dalembert.model.record import Joint

TURNING: Final = (Revolute, Cylindrical, Spherical)
SLIDING: Final = (Prismatic, Cylindrical)


@dataclass(frozen=True)
class BearingDeclaration:
    """One call of `ModelBuilder.add_bearing`."""

    joint: str
    friction: Any
    radius: Any
    length: Any


@dataclass(frozen=True)
class Bearing:
    """The bearing of a joint, checked."""

    joint: str
    friction: float
    """Coulomb's coefficient."""
    radius: float
    """Of the pin, the shaft or the ball, m; of a slide the arm that takes up torque along it."""
    length: float
    """Between the two ends that carry the joint, m; 0: what tilts the joint is carried without friction."""


def resolve_bearings(
    declared: Sequence[BearingDeclaration], joints: Mapping[str, Joint], findings: Findings
) -> list[Bearing]:
    """The bearings that are sound; what is wrong with the others is in the findings."""
    resolved = []
    for bearing in declared:
        with findings.separate() as own:
            resolved.append(_resolve(bearing, joints, own))
    return [bearing for bearing in resolved if bearing is not None]


def _resolve(declared: BearingDeclaration, joints: Mapping[str, Joint], findings: Findings) -> Bearing | None:
    """A bearing, checked."""
    item = f'bearing of joint "{declared.joint}"'
    if declared.joint not in joints:
        findings.add(item, "the name of a joint", f'"{declared.joint}"', suggestion(declared.joint, joints))
        return None
    joint = joints[declared.joint]
    if not isinstance(joint.kind, TURNING + SLIDING):
        findings.add(item, "a Revolute, Prismatic, Cylindrical or Spherical", f"a {joint.kind.name}")
    friction = read_number(findings, f"{item}, friction", declared.friction, "a coefficient", least=0.0, open_end=False)
    radius = read_number(findings, f"{item}, radius", declared.radius, "a length in metres", least=0.0, open_end=False)
    length = read_number(findings, f"{item}, length", declared.length, "a length in metres", least=0.0, open_end=False)
    if isinstance(joint.kind, TURNING) and radius == 0.0:
        findings.add(f"{item}, radius", "a length above 0, where the joint rubs", shown(declared.radius))
    return Bearing(declared.joint, friction, radius, length)
