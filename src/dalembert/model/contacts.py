"""From what was written about contacts to records: shapes, surface, partners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.model.bodies import read_material, read_parts
from dalembert.model.checks import Findings, read_array, read_number, read_quaternion, read_unit, shown, suggestion
from dalembert.model.declaration import WORLD, ContactDeclaration
from dalembert.model.frame import turn_to_axis
from dalembert.model.placement import in_world
from dalembert.model.record import Body, Contact
from dalembert.model.shapes import Part
from dalembert.model.surfaces import Point
from dalembert.model.system import Floats


def resolve_contacts(
    declared: Sequence[ContactDeclaration], bodies: Sequence[Body], findings: Findings
) -> tuple[Contact, ...]:
    """All contacts of a mechanism, checked."""
    by_name = {body.name: body for body in bodies}
    _check_names(declared, by_name, findings)
    known = {*(contact.name for contact in declared), *by_name, WORLD}
    contacts, geoms = [], 0
    for index, contact in enumerate(declared):
        with findings.separate() as own:
            resolved = _resolve(contact, index, geoms, by_name, known, own)
        contacts.append(resolved)
        geoms = resolved.geoms.stop
    return tuple(contacts)


def _check_names(declared: Sequence[ContactDeclaration], bodies: Mapping[str, Body], findings: Findings) -> None:
    seen: set[str] = set()
    for contact in declared:
        if not isinstance(contact.name, str) or not contact.name:
            findings.add("contact name", "a text that is not empty", shown(contact.name))
        elif contact.name in seen:
            findings.add(contact.item, "different names", "two of this name", "rename one of them with name=…")
        elif contact.name in {*bodies, WORLD} - {contact.body}:
            findings.add(contact.item, "a name that no other body has", f'body "{contact.name}"', "rename one of them")
        else:
            seen.add(contact.name)


def _resolve(
    declared: ContactDeclaration,
    index: int,
    first: int,
    bodies: Mapping[str, Body],
    known: Iterable[str],
    findings: Findings,
) -> Contact:
    item, known = declared.item, list(known)
    body = bodies.get(declared.body)
    if body is None and declared.body != WORLD:
        findings.add(
            f"{item}, body", "the name of a body", shown(declared.body), suggestion(declared.body, [*bodies, WORLD])
        )
    parts = _parts(declared, body, findings)

    def number(name: str, unit: str, most: float = np.inf, open_end: bool = False) -> float | None:
        given = getattr(declared, name)
        if given is None:
            return None
        sign = "a positive number" if open_end else ("a number from 0 to 1" if most == 1.0 else "a number from 0")
        expected = f"{sign}{f' ({unit})' if unit else ''}"
        before = len(findings.lines)
        value = read_number(findings, f"{item}, {name}", given, expected, least=0.0, open_end=open_end)
        if len(findings.lines) == before and value > most:
            findings.add(f"{item}, {name}", expected, shown(given))
        return value

    stiffness, damping = number("stiffness", "N/m", open_end=True), number("damping", "N s/m")
    if damping and stiffness is None:
        findings.add(f"{item}, damping", "a stiffness beside it", "none", "a rigid contact has restitution=… instead")
    partners = {}
    for name in ("only", "ignore", "collide"):
        given = getattr(declared, name)
        partners[name] = None if given is None else tuple([given] if isinstance(given, str) else given)
        for partner in partners[name] or ():
            if partner not in known:
                findings.add(
                    f"{item}, {name}", "names of contacts or bodies", shown(partner), suggestion(partner, known)
                )
    return Contact(
        name=declared.name,
        index=index,
        body=declared.body,
        parts=tuple(parts),
        friction=number("friction", ""),
        restitution=number("restitution", "", most=1.0),
        torsional_friction=number("torsional_friction", "m") or 0.0,
        rolling_friction=number("rolling_friction", "m") or 0.0,
        stiffness=stiffness,
        damping=damping or 0.0,
        only=partners["only"],
        ignore=partners["ignore"],
        collide=partners["collide"],
        geoms=slice(first, first + len(parts)),
    )


def _parts(declared: ContactDeclaration, body: Body | None, findings: Findings) -> list[Part]:
    """The shapes of a contact in body axes: those that are given, or else the body's own."""
    item = declared.item
    common = read_material(declared.material, findings, item)
    if declared.normal is not None:
        orientation = turn_to_axis(read_unit(findings, f"{item}, normal", declared.normal, 3, "a normal"))
    else:
        orientation = read_quaternion(findings, f"{item}, orientation", declared.orientation)
    position = read_array(findings, f"{item}, position", declared.position, (3,), "three numbers (metres)")
    if declared.shape is not None and declared.points is not None:
        findings.add(item, "a shape or points", "both", "use add_contact(…) twice")
    if declared.points is not None:
        points = _points(declared.points, findings, f"{item}, points")
        given = [Part(Point(), tuple(point.tolist())) for point in points]
    elif declared.shape is not None:
        given = read_parts(declared.shape, findings, item, surfaces=True)
    elif body is not None and body.parts:
        given = list(body.parts)
    else:
        findings.add(item, "shape= or points=, or a body that has a shape", "none")
        given = []
    parts = []
    for part in given:
        own = read_material(part.material, findings, item)
        material = common or own or (body.material if body is not None else None)
        pose = (np.asarray(part.position, float), np.asarray(part.orientation, float))
        place, turn = in_world((position, orientation), pose)
        parts.append(Part(part.shape, place, turn, None, material))
        for array in (place, turn):
            array.setflags(write=False)
    return parts


def _points(value: Any, findings: Findings, item: str) -> Floats:
    expected = "an array (k, 3) of points in body axes from the centre of mass (metres)"
    try:
        points = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        findings.add(item, expected, shown(value))
        return np.zeros((1, 3))
    if points.ndim == 1:
        points = points[None, :]
    if points.ndim != 2 or points.shape[1] != 3 or not len(points):
        findings.add(item, expected, f"shape {np.shape(value)}")
        return np.zeros((1, 3))
    if not np.isfinite(points).all():
        findings.add(item, f"{expected} without NaN or infinity", shown(value))
    return points
