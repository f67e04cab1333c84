"""Links: inertia, visual and collision geometry, materials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from dalembert.formats.paths import ForbiddenPathError, Reach
from dalembert.formats.urdf import dialects
from dalembert.formats.urdf.records import (
    BoxGeometry,
    CapsuleGeometry,
    Collision,
    CylinderGeometry,
    Geometry,
    Inertial,
    Link,
    Material,
    MeshGeometry,
    Origin,
    PlaneGeometry,
    SphereGeometry,
    Surface,
    Visual,
)
from dalembert.formats.xml_reader import Reader
from dalembert.formats.xml_source import Element

SHAPES: Final = ("box", "cylinder", "capsule", "sphere", "mesh", "plane")
ZERO: Final = (0.0, 0.0, 0.0)
NOTHING: Final = 1e-12
"""An inertia below this times the mass is none: that of a point is written with the noise of some program, m²."""


def pass_dialect(reader: Reader, extras: tuple[dialects.Extras, ...]) -> tuple[str, ...]:
    """Pass over what dialects add to an element; the elements among it as they stand in the file."""
    passed: list[Element] = []
    for entry in extras:
        passed += reader.pass_over(entry.why, attributes=entry.attributes, children=entry.children)
    return tuple(element.outer_text for element in sorted(passed, key=lambda element: element.start))


def read_origin(reader: Reader, tag: str = "origin") -> Origin:
    """The frame of an element; the identity where none is given."""
    child = reader.child(tag)
    if child is None:
        return Origin()
    origin = Origin(child.numbers("xyz", 3, "m", ZERO), child.numbers("rpy", 3, "rad", ZERO), element=child.element)
    child.done()
    return origin


def read_link(reader: Reader, materials: Mapping[str, Material], reach: Reach) -> Link:
    """One ``<link>``."""
    name = reader.text("name")
    reader.item = f'link "{name}"'
    inertial = reader.child("inertial")
    link = Link(
        name=name,
        inertial=None if inertial is None else _read_inertial(inertial),
        visuals=tuple(_read_visual(child, materials, reach) for child in reader.children("visual")),
        collisions=tuple(_read_collision(child, reach) for child in reader.children("collision")),
        surface=_read_surface(reader.child("contact")),
        extras=pass_dialect(reader, dialects.LINK),
        element=reader.element,
    )
    reader.done()
    return link


def _read_inertial(reader: Reader) -> Inertial:
    origin = read_origin(reader)
    mass, inertia = reader.required_child("mass"), reader.required_child("inertia")
    kilograms = 0.0
    if mass is not None:
        kilograms = mass.number("value", "kg", least=0.0)
        mass.done()
    moments = (0.0,) * 6
    if inertia is not None:
        moments = tuple(inertia.number(f"i{axes}", "kg m²") for axes in ("xx", "xy", "xz", "yy", "yz", "zz"))
        inertia.done()
        _check_moments(inertia, kilograms, moments)
    reader.done()
    return Inertial(kilograms, moments, origin, element=reader.element)


def inertia_matrix(moments: tuple[float, ...]) -> np.ndarray:
    """(3, 3) from xx, xy, xz, yy, yz, zz."""
    xx, xy, xz, yy, yz, zz = moments
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _check_moments(reader: Reader, mass: float, moments: tuple[float, ...]) -> None:
    """Refuse negative entries on the diagonal; what moments must be to each other is seen to when bodies are made."""
    for name, value in (("ixx", moments[0]), ("iyy", moments[3]), ("izz", moments[5])):
        if value < -NOTHING * mass:
            reader.fault(name, "nothing negative (kg m²)", f'"{reader.element.attributes[name]}"', attribute=name)


def _read_visual(reader: Reader, materials: Mapping[str, Material], reach: Reach) -> Visual:
    material = reader.child("material")
    visual = Visual(
        geometry=_read_geometry(reader, reach),
        origin=read_origin(reader),
        name=reader.text("name", ""),
        material=None if material is None else read_material(material, materials, reach),
        element=reader.element,
    )
    reader.done()
    return visual


def _read_collision(reader: Reader, reach: Reach) -> Collision:
    collision = Collision(
        geometry=_read_geometry(reader, reach),
        origin=read_origin(reader),
        name=reader.text("name", ""),
        element=reader.element,
    )
    pass_dialect(reader, dialects.COLLISION)
    reader.done()
    return collision


def _read_geometry(owner: Reader, reach: Reach) -> Geometry:
    reader = owner.required_child("geometry")
    harmless = SphereGeometry(1.0)
    if reader is None:
        return harmless
    shapes = [child for tag in SHAPES for child in reader.children(tag)]
    pass_dialect(reader, dialects.GEOMETRY)
    before = len(reader.remarks.faults.lines)
    reader.done()
    if len(shapes) != 1:
        if len(reader.remarks.faults.lines) == before:
            reader.fault("", f"one shape ({', '.join(SHAPES)})", f"{len(shapes)} of them")
        return harmless
    shape = shapes[0]
    geometry = _read_shape(shape, reach)
    shape.done()
    return geometry


def _read_shape(shape: Reader, reach: Reach) -> Geometry:
    element = shape.element
    match element.tag:
        case "box":
            size = shape.numbers("size", 3, "m")
            if any(length < 0.0 for length in size):
                shape.fault(
                    "size", "three lengths (m), none negative", f'"{element.attributes["size"]}"', attribute="size"
                )
            return BoxGeometry(size, element=element)
        case "cylinder":
            return CylinderGeometry(
                shape.number("radius", "m", least=0.0), shape.number("length", "m", least=0.0), element=element
            )
        case "capsule":
            return CapsuleGeometry(
                shape.number("radius", "m", least=0.0), shape.number("length", "m", least=0.0), element=element
            )
        case "sphere":
            return SphereGeometry(shape.number("radius", "m", least=0.0), element=element)
        case "plane":
            return PlaneGeometry(shape.numbers("normal", 3, "a direction", (0.0, 0.0, 1.0)), element=element)
    filename = _read_path(shape, "filename", reach)
    return MeshGeometry(filename, shape.numbers("scale", 3, "a factor for each axis", (1.0, 1.0, 1.0)), element=element)


def _read_path(reader: Reader, attribute: str, reach: Reach) -> str:
    """A reference to a file that may be read."""
    reference = reader.text(attribute)
    if reference.strip():
        try:
            reach.check(reference)
        except ForbiddenPathError as problem:
            expected, found = problem.args
            reader.fault(attribute, expected, found, attribute=attribute)
    return reference


def read_material(reader: Reader, known: Mapping[str, Material], reach: Reach, *, defines: bool = False) -> Material:
    """A material; a name alone refers to one that the file has defined."""
    name = reader.text("name", None if defines else "")
    color, texture = reader.child("color"), reader.child("texture")
    rgba = filename = None
    if color is not None:
        rgba = color.numbers("rgba", 4, "red, green, blue, alpha")
        if any(not 0.0 <= value <= 1.0 for value in rgba):
            color.note(f'rgba="{color.element.attributes["rgba"]}": expected numbers from 0 to 1', "rgba")
        color.done()
    if texture is not None:
        filename = _read_path(texture, "filename", reach) if texture.has("filename") else None
        texture.done()
    if not defines and color is None and texture is None and name and name not in known:
        reader.note(f'material "{name}" is not defined in this file; the default look is used')
    pass_dialect(reader, dialects.MATERIAL)
    reader.done()
    return Material(name, rgba, filename, element=reader.element)


def _read_surface(reader: Reader | None) -> Surface | None:
    if reader is None:
        return None
    values: dict[str, float] = {}
    for name in ("lateral_friction", "spinning_friction", "rolling_friction", "restitution", "stiffness", "damping"):
        child = reader.child(name)
        if child is not None:
            values[name] = child.number("value", "a number", least=0.0)
            child.done()
    pass_dialect(reader, dialects.SURFACE)
    reader.done()
    return Surface(**values, element=reader.element)
