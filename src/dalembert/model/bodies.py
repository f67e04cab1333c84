"""From what was written about a body to its mass, centre of mass and inertia."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dalembert.model.checks import (
    PRINTED_DIGITS,
    Findings,
    read_array,
    read_number,
    read_quaternion,
    read_vector,
    shown,
    suggestion,
)
from dalembert.model.declaration import BodyDeclaration, PartLike
from dalembert.model.material import MATERIALS, Material
from dalembert.model.record import Body
from dalembert.model.shapes import MassProperties, Part, Shape, combined, turned
from dalembert.model.system import Floats

PLATE_DIGITS = 1e-5
"""A flat plate has c = a + b exactly; written with six digits, c may come out larger by some 4e-6 of it."""


def resolve_body(declared: BodyDeclaration, index: int, findings: Findings) -> Body:
    """A body with its mass properties, with the pose of its centre of mass."""
    item = f'body "{declared.name}"'
    position = read_vector(findings, f"{item}, position", declared.position)
    orientation = read_quaternion(findings, f"{item}, orientation", declared.orientation)
    material = read_material(declared.material, findings, item)
    parts = read_parts(declared.shape, findings, item)
    if declared.inertia is not None:
        properties = _given(declared, findings, item)
    else:
        properties = _from_shape(declared, parts, material, findings, item)
    placed = tuple(
        Part(p.shape, tuple(np.asarray(p.position, float) - properties.center), p.orientation, p.density, p.material)
        for p in parts
        if not findings.lines
    )
    place = position + rotation_matrix(orientation) @ properties.center
    for array in (properties.inertia, place, orientation):
        array.setflags(write=False)
    return Body(
        name=declared.name,
        index=index,
        mass=properties.mass,
        inertia=properties.inertia,
        position=place,
        orientation=orientation,
        parts=placed,
        material=material,
    )


def rotation_matrix(q: Floats) -> Floats:
    """(3, 3) the matrix of a quaternion."""
    from dalembert.spatial.quaternion import columns

    return np.column_stack(columns(tuple(q.tolist())))


def _given(declared: BodyDeclaration, findings: Findings, item: str) -> MassProperties:
    """Mass and inertia as written."""
    if declared.mass is None:
        findings.add(f"{item}, mass", "a mass in kg beside the inertia", "none", "give mass=…")
    if declared.density is not None:
        findings.add(
            f"{item}, density", "none beside an inertia", shown(declared.density), "leave out density or inertia"
        )
    mass = _mass(1.0 if declared.mass is None else declared.mass, findings, item)
    before = len(findings.lines)
    expected, moments = "3 moments or a 3×3 matrix (kg m²)", _is_vector(declared.inertia)
    inertia = read_array(findings, f"{item}, inertia", declared.inertia, (3,) if moments else (3, 3), expected)
    inertia = np.diag(inertia) if moments else inertia
    if len(findings.lines) == before:
        check_inertia(inertia, findings, f"{item}, inertia")
    return MassProperties(mass, np.zeros(3), 0.5 * (inertia + inertia.T))


def check_inertia(inertia: Floats, findings: Findings, item: str) -> None:
    """Symmetric, positive definite, and no principal moment larger than the sum of the other two."""
    largest = float(np.abs(inertia).max())
    if np.abs(inertia - inertia.T).max() > PRINTED_DIGITS * largest:
        findings.add(item, "a symmetric matrix", shown(inertia))
        return
    a, b, c = np.linalg.eigvalsh(inertia).tolist()
    moments = f"principal moments {a:.9g}, {b:.9g}, {c:.9g}"
    if not a > 1e-15 * largest:
        findings.add(item, "positive principal moments (kg m²)", moments, "a thin rod still has a small one: ½ m r²")
    elif c > (a + b) * (1.0 + PLATE_DIGITS):
        remedy = "check the units and that it is taken about the centre of mass"
        findings.add(item, "the largest principal moment to be at most the sum of the others", moments, remedy)


def _from_shape(
    declared: BodyDeclaration, parts: Sequence[Part], material: Material | None, findings: Findings, item: str
) -> MassProperties:
    """Mass properties of the body's parts."""
    harmless = MassProperties(1.0, np.zeros(3), np.eye(3))
    if not parts:
        if declared.shape is None:
            findings.add(item, "mass= and inertia=, or shape= with a mass or density", "neither")
        return harmless
    if declared.mass is not None and declared.density is not None:
        findings.add(item, "a mass or a density", "both", "leave one of them out")
        return harmless
    if findings.lines:
        return harmless
    common = declared.density if declared.density is not None else (material.density if material else None)
    if common is None and declared.mass is not None:
        # the mass is shared out by volume, or as the parts' own densities say
        common = 1.0
    solids = [_solid(part, common, findings, f"{item}, part {k}") for k, part in enumerate(parts)]
    if findings.lines:
        return harmless
    whole = combined(solids)
    if declared.mass is None:
        return whole
    factor = _mass(declared.mass, findings, item) / whole.mass
    return MassProperties(factor * whole.mass, whole.center, factor * whole.inertia)


def _solid(part: Part, common: float | None, findings: Findings, item: str) -> MassProperties:
    material = read_material(part.material, findings, item)
    density = part.density if part.density is not None else (material.density if material else common)
    if density is None:
        findings.add(f"{item}, density", "a density in kg/m³, a material, or a mass of the body", "none")
        return MassProperties(1.0, np.zeros(3), np.eye(3))
    density = read_number(
        findings, f"{item}, density", density, "a positive density in kg/m³", least=0.0, open_end=True
    )
    rotation = rotation_matrix(read_quaternion(findings, item, part.orientation))
    return turned(part.shape.mass_properties(density), np.asarray(part.position, float), rotation)


def read_parts(
    shape: Shape | Sequence[PartLike] | None, findings: Findings, item: str, *, surfaces: bool = False
) -> list[Part]:
    """The shapes of a body as checked parts; ``surfaces`` if those without volume will do."""
    if shape is None:
        return []
    single = isinstance(shape, Shape | str) or not isinstance(shape, Iterable)
    given: Any = [shape] if single else shape
    parts = []
    for k, entry in enumerate(given):
        where = f"{item}, shape" if single else f"{item}, part {k}"
        part = _part(entry)
        if not isinstance(part.shape, Shape):
            findings.add(where, "a shape such as da.Box(x, y, z)", shown(part.shape))
            continue
        if not (part.shape.solid or surfaces):
            findings.add(where, "a solid shape", shown(part.shape), "a surface goes into add_contact(…)")
            continue
        part.shape.check(findings, where)
        position = read_vector(findings, f"{where}, position", part.position)
        orientation = read_quaternion(findings, f"{where}, orientation", part.orientation)
        parts.append(Part(part.shape, position, orientation, part.density, part.material))
    if not parts and not findings.lines:
        findings.add(f"{item}, shape", "at least one shape", shown(shape))
    return parts


def _part(entry: PartLike) -> Part:
    if isinstance(entry, Part):
        return entry
    return Part(*entry) if isinstance(entry, tuple) else Part(entry)


def _is_vector(value: Any) -> bool:
    """Whether the entries of a sequence are numbers rather than rows."""
    try:
        return all(np.ndim(entry) == 0 for entry in value)
    except (TypeError, ValueError):
        return False


def read_material(given: Material | str | None, findings: Findings, item: str) -> Material | None:
    if given is None or isinstance(given, Material):
        return given
    if not isinstance(given, str) or given not in MATERIALS:
        findings.add(f"{item}, material", "a Material or the name of one", shown(given), suggestion(given, MATERIALS))
        return None
    return MATERIALS[given]


def _mass(given: float, findings: Findings, item: str) -> float:
    return read_number(findings, f"{item}, mass", given, "a positive mass in kg", least=0.0, open_end=True)
