"""From records back to the text of a URDF file. Numbers have all their digits: reading gives the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import quoteattr

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
    Robot,
    SphereGeometry,
    Surface,
    UrdfJoint,
    Visual,
)

INDENT = "  "


def write_robot(robot: Robot) -> str:
    """The text of a file."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<robot{_attributes(name=robot.name)}>"]
    for material in robot.materials:
        lines += _indented(_material(material))
    for link in robot.links:
        lines += _indented(_link(link))
    for joint in robot.joints:
        lines += _indented(_joint(joint))
    lines += [INDENT + text for text in robot.extensions]
    return "\n".join([*lines, "</robot>", ""])


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (INDENT + line for line in lines)


def _element(tag: str, inside: Sequence[str], **attributes: object) -> Iterator[str]:
    """An element with what is inside it."""
    if not inside:
        yield f"<{tag}{_attributes(**attributes)}/>"
        return
    yield f"<{tag}{_attributes(**attributes)}>"
    for line in inside:
        yield INDENT + line
    yield f"</{tag}>"


def _attributes(**values: object) -> str:
    """Attributes; None is left out, and a name's trailing underscore."""
    return "".join(
        f" {name.rstrip('_')}={quoteattr(_text(value))}" for name, value in values.items() if value is not None
    )


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(_text(entry) for entry in value)
    return repr(float(value)) if isinstance(value, int | float) else str(value)


def _origin(origin: Origin | None, tag: str = "origin") -> list[str]:
    if origin is None or (tag == "origin" and origin == Origin()):
        return []
    return list(_element(tag, (), xyz=origin.xyz, rpy=origin.rpy))


def _link(link: Link) -> Iterator[str]:
    inside = _inertial(link.inertial) if link.inertial is not None else []
    for visual in link.visuals:
        inside += _visual(visual)
    for collision in link.collisions:
        inside += _collision(collision)
    if link.surface is not None:
        inside += _surface(link.surface)
    return _element("link", [*inside, *link.extras], name=link.name)


def _inertial(inertial: Inertial) -> list[str]:
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    inside = [
        *_origin(inertial.origin),
        *_element("mass", (), value=inertial.mass),
        *_element("inertia", (), **dict(zip(names, inertial.inertia, strict=True))),
    ]
    return list(_element("inertial", inside))


def _visual(visual: Visual) -> Iterator[str]:
    inside = [*_origin(visual.origin), *_geometry(visual.geometry)]
    if visual.material is not None:
        inside += _material(visual.material)
    return _element("visual", inside, name=visual.name or None)


def _collision(collision: Collision) -> Iterator[str]:
    inside = [*_origin(collision.origin), *_geometry(collision.geometry)]
    return _element("collision", inside, name=collision.name or None)


def _geometry(geometry: Geometry) -> Iterator[str]:
    match geometry:
        case BoxGeometry():
            shape = _element("box", (), size=geometry.size)
        case CylinderGeometry():
            shape = _element("cylinder", (), radius=geometry.radius, length=geometry.length)
        case CapsuleGeometry():
            shape = _element("capsule", (), radius=geometry.radius, length=geometry.length)
        case SphereGeometry():
            shape = _element("sphere", (), radius=geometry.radius)
        case PlaneGeometry():
            shape = _element("plane", (), normal=geometry.normal)
        case MeshGeometry():
            shape = _element("mesh", (), filename=geometry.filename, scale=geometry.scale)
    return _element("geometry", list(shape))


def _material(material: Material) -> Iterator[str]:
    inside: list[str] = []
    if material.color is not None:
        inside += _element("color", (), rgba=material.color)
    if material.texture is not None:
        inside += _element("texture", (), filename=material.texture)
    return _element("material", inside, name=material.name)


def _surface(surface: Surface) -> Iterator[str]:
    names = ("lateral_friction", "spinning_friction", "rolling_friction", "restitution", "stiffness", "damping")
    values = [(name, getattr(surface, name)) for name in names]
    inside = [line for name, value in values if value is not None for line in _element(name, (), value=value)]
    return _element("contact", inside)


def _joint(joint: UrdfJoint) -> Iterator[str]:
    inside = [
        *_element("parent", (), link=joint.parent),
        *_element("child", (), link=joint.child),
        *_origin(joint.origin),
        *_origin(joint.child_origin, "child_origin"),
    ]
    if joint.axis is not None:
        inside += _element("axis", (), xyz=joint.axis)
    if joint.limit is not None:
        names = ("lower", "upper", "effort", "velocity")
        inside += _element("limit", (), **{name: getattr(joint.limit, name) for name in names})
    if joint.dynamics is not None:
        inside += _element("dynamics", (), damping=joint.dynamics.damping, friction=joint.dynamics.friction)
    if joint.mimic is not None:
        mimic = joint.mimic
        inside += _element("mimic", (), joint=mimic.joint, multiplier=mimic.multiplier, offset=mimic.offset)
    tag = "loop_joint" if joint.closes_loop else "joint"
    return _element(tag, [*inside, *joint.extras], name=joint.name, type=joint.type)
