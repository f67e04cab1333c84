"""From forces as users wrote them to checked ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert.model.checks import Findings, read_array, read_number, read_unit, read_vector, shown, suggestion
from dalembert.model.forces import (
    CABLE,
    DRAG,
    PENALTY_GROUND,
    POINT_FORCE,
    ROUTED_SPRING,
    Cable,
    Drag,
    Force,
    GenericSpring,
    PenaltyGround,
    PointForce,
    RoutedSpring,
)
from dalembert.model.placement import Pose, in_world, seen_from
from dalembert.model.system import Floats

Numbers = tuple[float, float, float, float, float]
_UNTURNED = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class ForceDeclaration:
    """One call of `ModelBuilder.add_force`."""

    name: str
    kind: Any

    @property
    def item(self) -> str:
        """How messages call it."""
        return f'force "{self.name}"'


def resolve_force(
    declared: ForceDeclaration, bodies: Mapping[str, int], poses: Sequence[Pose], findings: Findings
) -> Force | None:
    """The checked force; None if its kind is not one."""
    kind, item = declared.kind, declared.item
    if isinstance(kind, Cable | RoutedSpring):
        return _resolve_path(declared.name, kind, item, bodies, poses, findings)
    if isinstance(kind, GenericSpring):
        path = RoutedSpring(kind.through, 0.0, rest_length=0.0, local=kind.local)
        found = _resolve_path(declared.name, path, item, bodies, poses, findings)
        if not callable(kind.law):
            findings.add(f"{item}, law", "law(length, rate) -> (tension, by length, by rate)", shown(kind.law))
        return None if found is None else replace(found, law=kind.law)
    if isinstance(kind, PointForce):
        point = _point(kind.body, kind.point, kind.local, item, bodies, poses, findings)
        vectors = np.array([read_vector(findings, f"{item}, force", kind.force, "newtons"), np.zeros(3)])
        numbers = _numbers(float(bool(kind.follows)))
        return _made(declared.name, POINT_FORCE, (kind.body,), point[None, :], numbers, vectors)
    if isinstance(kind, Drag):
        _check_body(kind.body, item, bodies, findings)
        vectors = np.array([_three(getattr(kind, name), f"{item}, {name}", findings) for name in ("linear", "angular")])
        return _made(declared.name, DRAG, (kind.body,), np.zeros((1, 3)), _numbers(), vectors)
    if isinstance(kind, PenaltyGround):
        return _resolve_ground(declared.name, kind, item, bodies, findings)
    remedy = "a force is called: Cable(…)" if isinstance(kind, type) else ""
    findings.add(f"{item}, kind", "a force such as da.Cable(…)", shown(kind), remedy)
    return None


def _resolve_path(
    name: str,
    kind: Cable | RoutedSpring,
    item: str,
    bodies: Mapping[str, int],
    poses: Sequence[Pose],
    findings: Findings,
) -> Force | None:
    stiffness = _least_zero(kind.stiffness, f"{item}, stiffness", "N/m", findings)
    damping = _least_zero(kind.damping, f"{item}, damping", "N s/m", findings)
    try:
        through = [(body, point) for body, point in kind.through]
    except (TypeError, ValueError):
        findings.add(f"{item}, through", "pairs (body, point)", shown(kind.through))
        return None
    if len(through) < 2:
        findings.add(f"{item}, through", "two or more points", str(len(through)))
        return None
    points = np.array(
        [_point(body, point, kind.local, f"{item}, through", bodies, poses, findings) for body, point in through]
    )
    names = tuple(body for body, _ in through)
    if findings.lines:
        return None
    for k in range(len(names) - 1):
        if names[k] == names[k + 1] and np.array_equal(points[k], points[k + 1]):
            findings.add(f"{item}, through", "different points", f"point {k} twice on {names[k]!r}", "leave one out")
    if kind.rest_length is None:
        ends = zip(names, points, strict=True)
        placed = np.array([in_world(poses[bodies[body]], (point, _UNTURNED))[0] for body, point in ends])
        rest = float(np.linalg.norm(np.diff(placed, axis=0), axis=1).sum())
    else:
        rest = _least_zero(kind.rest_length, f"{item}, rest_length", "m", findings)
    code = CABLE if isinstance(kind, Cable) else ROUTED_SPRING
    return _made(name, code, names, points, _numbers(stiffness, damping, rest), np.zeros((2, 3)))


def _resolve_ground(
    name: str, kind: PenaltyGround, item: str, bodies: Mapping[str, int], findings: Findings
) -> Force | None:
    _check_body(kind.body, item, bodies, findings)
    try:
        count = len(kind.points)
    except TypeError:
        count = 0
    if count == 0:
        findings.add(f"{item}, points", "one or more points", shown(kind.points))
        return None
    points = read_array(findings, f"{item}, points", kind.points, (count, 3), "points of three numbers (metres)")
    units = {
        "stiffness": "N/m",
        "damping": "N s/m",
        "sticking": "N s/m",
        "friction": "a coefficient",
        "dissipation": "s/m",
    }
    found = [_least_zero(getattr(kind, option), f"{item}, {option}", unit, findings) for option, unit in units.items()]
    normal = read_unit(findings, f"{item}, normal", kind.normal, 3, "a direction")
    origin = read_vector(findings, f"{item}, point", kind.point)
    return _made(name, PENALTY_GROUND, (kind.body,) * count, points, _numbers(*found), np.array([normal, origin]))


def _made(
    name: str,
    code: int,
    bodies: tuple[str, ...],
    points: Floats,
    numbers: Numbers,
    vectors: Floats,
) -> Force:
    points.setflags(write=False)
    vectors.setflags(write=False)
    return Force(name, code, bodies, points, numbers, vectors)


def _numbers(a: float = 0.0, b: float = 0.0, c: float = 0.0, d: float = 0.0, e: float = 0.0) -> Numbers:
    return a, b, c, d, e


def _check_body(name: Any, item: str, bodies: Mapping[str, int], findings: Findings) -> bool:
    if isinstance(name, str) and name in bodies:
        return True
    findings.add(f"{item}, body", "the name of a body", shown(name), suggestion(name, bodies))
    return False


def _point(
    body: Any,
    point: Any,
    local: bool,
    item: str,
    bodies: Mapping[str, int],
    poses: Sequence[Pose],
    findings: Findings,
) -> Floats:
    """In the axes of the body."""
    found = read_vector(findings, f"{item}, point", point)
    if not _check_body(body, item, bodies, findings) or local:
        return found
    return seen_from(poses[bodies[body]], (found, _UNTURNED))[0]


def _three(value: Any, item: str, findings: Findings) -> Floats:
    shape = () if np.ndim(value) == 0 else (3,)
    found = read_array(findings, item, value, shape, "a number or three of them")
    if (found < 0.0).any():
        findings.add(item, "nothing negative", shown(value))
    return np.zeros(3) + found


def _least_zero(value: Any, item: str, unit: str, findings: Findings) -> float:
    return read_number(findings, item, value, f"a number from 0 ({unit})", least=0.0, open_end=False)
