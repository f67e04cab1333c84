"""Equations and inequalities that users write, on the poses of bodies or on the coordinates of joints.

[Sueda 2021] section 2.8: constraints on maximal and on reduced quantities. They are no joints: `ModelBuilder.build`
resolves them last, when it is known which joints place the bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.model.checks import Findings, shown, suggestion
from dalembert.model.placement import Pose
from dalembert.model.record import Joint
from dalembert.model.system import Floats
from dalembert.model.trial import try_out


class ConstraintKind:
    """What `ModelBuilder.add_constraint` takes."""


@dataclass(frozen=True)
class PoseConstraint(ConstraintKind):
    """Functions of the poses of some bodies that stay zero, or do not become negative.

    Args:
        function: ``function(positions (k, 3), orientations (k, 4)) -> (rows,)``, poses of ``bodies`` in their order.
        bodies: their names; "world" is one.
        jacobian: of the same arguments, (rows, k, 6): by the displacement of the centre of mass in the world and by the
            turn in body axes. Without it, central differences are used.
        hessian: of the same arguments, (rows, k, 6, k, 6): how the jacobian changes with such displacements and turns.
            Without it, differences are used.
        inequality: whether the functions are only kept from becoming negative.
    """

    function: Callable[[Floats, Floats], Any]
    bodies: Sequence[str]
    jacobian: Callable[[Floats, Floats], Any] | None = None
    hessian: Callable[[Floats, Floats], Any] | None = None
    inequality: bool = False


@dataclass(frozen=True)
class CoordinateConstraint(ConstraintKind):
    """Functions of the coordinates of some joints that stay zero, or do not become negative.

    Args:
        function: ``function(coordinates (k,)) -> (rows,)``, the coordinates of ``joints`` one after the other.
        joints: names of joints of the spanning tree whose coordinates are lengths and angles.
        jacobian: of the same argument, (rows, k). Without it, central differences are used.
        hessian: of the same argument, (rows, k, k). Without it, differences are used.
        inequality: whether the functions are only kept from becoming negative.
    """

    function: Callable[[Floats], Any]
    joints: Sequence[str]
    jacobian: Callable[[Floats], Any] | None = None
    hessian: Callable[[Floats], Any] | None = None
    inequality: bool = False


@dataclass(frozen=True, eq=False)
class ConstraintDeclaration:
    """One call of `ModelBuilder.add_constraint`."""

    name: str
    kind: ConstraintKind


@dataclass(frozen=True, eq=False)
class UserConstraint:
    """A constraint of a model, checked."""

    name: str
    kind: PoseConstraint | CoordinateConstraint
    bodies: tuple[int, ...]
    """Of a `PoseConstraint`; the world is the last body."""
    coordinates: tuple[int, ...]
    """Of a `CoordinateConstraint`, and the rates that belong to them."""
    rates: tuple[int, ...]
    rows: int


def resolve_constraints(
    declared: Sequence[ConstraintDeclaration],
    bodies: Mapping[str, int],
    poses: Sequence[Pose],
    joints: Mapping[str, Joint],
    reference: Floats,
    findings: Findings,
) -> list[UserConstraint]:
    """The constraints that are sound; what is wrong with the others is in the findings."""
    resolved = []
    for constraint in declared:
        with findings.separate() as own:
            resolved.append(_resolve(constraint, bodies, poses, joints, reference, own))
    return [constraint for constraint in resolved if constraint is not None]


def _resolve(
    declared: ConstraintDeclaration,
    bodies: Mapping[str, int],
    poses: Sequence[Pose],
    joints: Mapping[str, Joint],
    reference: Floats,
    findings: Findings,
) -> UserConstraint | None:
    """A constraint, tried out at the reference configuration, whose coordinates are ``reference``."""
    item, kind = f'constraint "{declared.name}"', declared.kind
    if isinstance(kind, PoseConstraint):
        names = [kind.bodies] if isinstance(kind.bodies, str) else list(kind.bodies)
        for name in names:
            if name not in bodies:
                findings.add(f"{item}, bodies", "names of bodies", f'"{name}"', suggestion(name, bodies))
        if len(set(names)) < len(names) or not names:
            findings.add(f"{item}, bodies", "one or more different bodies", shown(names))
        if findings.lines:
            return None
        indices = tuple(bodies[name] for name in names)
        rows = _tried(kind, [poses[i] for i in indices], (len(names), 6), item, findings)
        return UserConstraint(declared.name, kind, indices, (), (), rows)
    if isinstance(kind, CoordinateConstraint):
        names = [kind.joints] if isinstance(kind.joints, str) else list(kind.joints)
        coordinates, rates = _coordinates(names, joints, item, findings)
        if findings.lines:
            return None
        rows = _tried(_OfCoordinates(kind), [(reference[coordinates], np.zeros(0))], (len(rates),), item, findings)
        return UserConstraint(declared.name, kind, (), tuple(coordinates), tuple(rates), rows)
    findings.add(f"{item}, kind", "a PoseConstraint or a CoordinateConstraint", shown(kind))
    return None


class _OfCoordinates:
    """A `CoordinateConstraint` as functions of one "pose", for `try_out`."""

    def __init__(self, kind: CoordinateConstraint) -> None:
        self.function = lambda x, q: kind.function(x[0])
        self.jacobian = None if kind.jacobian is None else lambda x, q: kind.jacobian(x[0])  # pyright: ignore[reportOptionalCall]
        self.hessian = None if kind.hessian is None else lambda x, q: kind.hessian(x[0])  # pyright: ignore[reportOptionalCall]


def _tried(
    kind: PoseConstraint | _OfCoordinates, at: Sequence[Pose], each: tuple[int, ...], item: str, findings: Findings
) -> int:
    """How many rows the functions have."""
    expected = "a function that gives one or more numbers"
    value = try_out(kind.function, at, findings, f"{item}, function", expected)
    if value is None:
        return 0
    if value.ndim != 1 or not value.size:
        findings.add(f"{item}, function", expected, f"{value} of shape {value.shape}")
        return 0
    for name, shape in (("jacobian", (value.size, *each)), ("hessian", (value.size, *each, *each))):
        function = getattr(kind, name)
        if function is not None:
            expected = f"an array of shape {shape}"
            found = try_out(function, at, findings, f"{item}, {name}", expected)
            if found is not None and found.shape != shape:
                findings.add(f"{item}, {name}", expected, f"shape {found.shape}")
    return value.size


def _coordinates(
    names: Sequence[str], joints: Mapping[str, Joint], item: str, findings: Findings
) -> tuple[list[int], list[int]]:
    coordinates, rates = [], []
    for name in names:
        if name not in joints:
            findings.add(f"{item}, joints", "names of joints", f'"{name}"', suggestion(name, joints))
            continue
        joint = joints[name]
        if not joint.in_tree or joint.kind.turns_freely or joint.rates.start == joint.rates.stop:
            found = f'joint "{name}", a {joint.kind.name}' + ("" if joint.in_tree else " that closes a loop")
            findings.add(f"{item}, joints", "joints of the spanning tree with lengths and angles", found)
            continue
        coordinates += range(joint.coordinates.start, joint.coordinates.stop)
        rates += range(joint.rates.start, joint.rates.stop)
    if len(set(names)) < len(names) or not names:
        findings.add(f"{item}, joints", "one or more different joints", shown(list(names)))
    return coordinates, rates
