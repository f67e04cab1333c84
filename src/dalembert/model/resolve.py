"""From what was written about a joint to the numbers that describe it, still one joint at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dalembert.model.checks import Findings, read_number, shown, suggestion
from dalembert.model.declaration import WORLD, JointDeclaration
from dalembert.model.factors import Factor
from dalembert.model.joint_kind import JointKind
from dalembert.model.joints import CustomConstraint, Distance, Gear
from dalembert.model.options import Options, read_options
from dalembert.model.placement import Placement, Pose, component, frame_distance, place_joint
from dalembert.model.product_kinds import ProductKind
from dalembert.model.springs import PointSpring, Spring
from dalembert.model.system import PRODUCT, SCREW, UNIVERSAL
from dalembert.model.trial import try_out

TOUCHING = 1e-12
"""Points closer than this, in metres, are one point: the direction from one to the other is round-off."""

NO_FRAMES = Placement(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))


@dataclass
class Resolved:
    """A joint in numbers. Bodies are indices, the world is the last one."""

    declared: JointDeclaration
    kind: JointKind
    parent: int
    child: int
    incidence: list[int]
    locked: Sequence[int]
    placement: Placement
    options: Options
    parameter: float = 0.0
    offset: float = 0.0
    gear_joint: tuple[int, int] = (-1, -1)
    gear_component: tuple[int, int] = (-1, -1)
    factors: Sequence[Factor] = ()


def resolve_pair(
    declared: JointDeclaration, bodies: Mapping[str, int], poses: Sequence[Pose], findings: Findings
) -> Resolved:
    """A joint, rod or spring between two bodies."""
    item, kind = declared.item, declared.kind
    ends = [_body(getattr(declared, side), bodies, findings, f"{item}, {side}") for side in ("parent", "child")]
    parent, child = ends
    if parent == child and not findings.lines:
        findings.add(item, "two different bodies", f'"{declared.parent}" twice')
    placement = place_joint(declared, poses[parent], poses[child], findings)
    parameter = kind.parameter(findings, item)
    if isinstance(kind, Distance | Spring) and not findings.lines:
        kind, parameter = _length(declared, kind, frame_distance(placement, poses[parent], poses[child]), findings)
    options = read_options(replace(declared, kind=kind), findings)
    if isinstance(declared.kind, Spring) and not findings.lines and not (options.stiffness[0] or options.damping[0]):
        findings.add(item, "a stiffness or a damping", "neither")
    if isinstance(kind, Spring):
        options.rest[0] = parameter
    elif isinstance(kind, PointSpring):
        # the options of a spring are one number; turns stay free of it
        for values in (options.stiffness, options.damping):
            values[3:] = 0.0
    factors = kind.factors(findings, item) if isinstance(kind, ProductKind) else ()
    resolved = Resolved(declared, kind, parent, child, [parent, child], kind.locked, placement, options, parameter)
    return replace(resolved, factors=factors)


def _length(
    declared: JointDeclaration, kind: Distance | Spring, distance: float, findings: Findings
) -> tuple[JointKind, float]:
    """The length of a rod or the rest length of a spring, which may turn out to be a spring of zero length."""
    given = kind.length if isinstance(kind, Distance) else kind.rest_length
    name = "length" if isinstance(kind, Distance) else "rest_length"
    length = distance
    if given is not None:
        length = read_number(
            findings, f"{declared.item}, {name}", given, "a length in metres", least=0.0, open_end=False
        )
    if isinstance(kind, Distance):
        if length < TOUCHING or distance < TOUCHING:
            found = f"length {length:.3g} m between points {distance:.3g} m apart"
            remedy = "points that stay together are a Spherical joint"
            findings.add(declared.item, "two points that are apart", found, remedy)
        return kind, length
    if length < TOUCHING:
        return PointSpring(), 0.0
    if distance < TOUCHING:
        remedy = "a spring with a length has no direction there; move a point or give rest_length=0"
        findings.add(declared.item, "two points that are apart", "points that coincide", remedy)
    return kind, length


def resolve_custom(
    declared: JointDeclaration, bodies: Mapping[str, int], poses: Sequence[Pose], findings: Findings
) -> Resolved:
    """A constraint of the user's; its rows are counted by evaluating it at the reference configuration."""
    kind, item = declared.kind, declared.item
    assert isinstance(kind, CustomConstraint)
    _unused(declared, ("parent", "child", "anchor", "parent_frame", "child_frame"), findings)
    names = [kind.bodies] if isinstance(kind.bodies, str) else list(kind.bodies)
    indices = [_body(name, bodies, findings, f"{item}, bodies[{k}]") for k, name in enumerate(names)]
    if len(set(indices)) < len(indices) and not findings.lines:
        findings.add(f"{item}, bodies", "different bodies", shown(names))
    if not indices:
        findings.add(f"{item}, bodies", "at least one body", shown(names))
    rows = 0
    if not findings.lines:
        rows = _count_rows(kind, [poses[i] for i in indices], findings, item)
    locked = [int(c < rows) for c in range(6)]
    world = len(poses) - 1
    options = read_options(declared, findings)
    return Resolved(declared, kind, world, world, indices, locked, NO_FRAMES, options)


def _count_rows(kind: CustomConstraint, poses: Sequence[Pose], findings: Findings, item: str) -> int:
    expected = "a function that gives one to six numbers"
    value = try_out(kind.function, poses, findings, f"{item}, function", expected)
    if value is None:
        return 0
    if value.ndim != 1 or not 1 <= value.size <= 6:
        findings.add(f"{item}, function", expected, f"{value} of shape {value.shape}")
        return 0
    if kind.jacobian is not None:
        shape = (value.size, len(poses), 6)
        expected = f"an array of shape {shape}"
        slope = try_out(kind.jacobian, poses, findings, f"{item}, jacobian", expected)
        if slope is not None and slope.shape != shape:
            findings.add(f"{item}, jacobian", expected, f"shape {slope.shape}")
    return value.size


def resolve_gear(
    declared: JointDeclaration,
    joints: Mapping[str, int],
    pairs: Sequence[Resolved | None],
    poses: Sequence[Pose],
    findings: Findings,
) -> Resolved:
    """A coupling of the coordinates of two joints, which are resolved already (``pairs`` by joint index)."""
    kind, item = declared.kind, declared.item
    assert isinstance(kind, Gear)
    _unused(declared, ("anchor", "parent_frame", "child_frame"), findings)
    world = len(poses) - 1
    ratio = kind.parameter(findings, item)
    options = read_options(declared, findings)
    resolved = Resolved(declared, kind, world, world, [], (1, 0, 0, 0, 0, 0), NO_FRAMES, options, ratio)
    coordinates = kind.coordinates
    if not isinstance(coordinates, tuple | list) or len(coordinates) != 2:
        findings.add(f"{item}, coordinates", "two names of coordinates or None", shown(coordinates))
        coordinates = (None, None)
    partners: list[int] = []
    components: list[int] = []
    sides = (("parent", declared.parent, coordinates[0]), ("child", declared.child, coordinates[1]))
    for side, name, wanted in sides:
        partner = pairs[joints[name]] if name is not None and name in joints else None
        if name is None or partner is None or not partner.kind.has_coordinates:
            remedy = suggestion(name, [p.declared.name for p in pairs if p and p.kind.has_coordinates])
            findings.add(f"{item}, {side}", "the name of a joint with coordinates", f'"{name}"', remedy)
            continue
        c = _coupled_component(partner, wanted, findings, f"{item}, {side}")
        partners.append(joints[name])
        components.append(c)
        resolved.incidence += [partner.parent, partner.child]
        factor = 1.0 if side == "parent" else ratio
        resolved.offset += factor * component(partner.placement, poses[partner.parent], poses[partner.child], c)
    if len(partners) == 2:
        if partners[0] == partners[1] and components[0] == components[1]:
            findings.add(item, "two different coordinates", f'"{declared.parent}" twice')
        resolved.gear_joint = (partners[0], partners[1])
        resolved.gear_component = (components[0], components[1])
    return resolved


def _coupled_component(partner: Resolved, wanted: str | None, findings: Findings, item: str) -> int:
    kind = partner.kind
    able = (
        {}
        if kind.code in (UNIVERSAL, PRODUCT)
        else {
            name: c
            for name, c in zip(("x", "y", "z", "angle"), (0, 1, 2, 5), strict=True)
            if c in kind.free and not (c == 5 and kind.turns_freely) and (kind.code != SCREW or c == 5)
        }
    )
    named = f'"{partner.declared.name}", a {kind.name}'
    if wanted is None and len(able) == 1:
        return next(iter(able.values()))
    if wanted in able:
        return able[wanted]
    if not able:
        findings.add(item, "a joint with a length or an angle about one axis", named)
    else:
        remedy = f"name one of its coordinates in Gear(coordinates=…): {', '.join(able)}"
        findings.add(item, "a joint with one coordinate", named if wanted is None else f'"{wanted}" of {named}', remedy)
    return 5


def _body(name: str | None, bodies: Mapping[str, int], findings: Findings, item: str) -> int:
    if isinstance(name, str) and name in bodies:
        return bodies[name]
    expected = f'the name of a body, or "{WORLD}"'
    if name is None:
        findings.add(item, expected, "none")
    else:
        findings.add(item, expected, f'"{name}"' if isinstance(name, str) else repr(name), suggestion(name, bodies))
    return bodies[WORLD]


def _unused(declared: JointDeclaration, names: Sequence[str], findings: Findings) -> None:
    for name in names:
        value = getattr(declared, name)
        if value is not None:
            findings.add(f"{declared.item}, {name}", f"none for a {declared.kind.name}", shown(value))
