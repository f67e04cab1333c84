"""A tree of bodies that touch in MuJoCo: floating, revolute, spherical and fixed joints, and the shapes of contacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.bodies import rotation_matrix
from dalembert.model.declaration import WORLD
from dalembert.model.model import Model
from dalembert.model.shapes import Box, Capsule, Cylinder, Part, Sphere
from dalembert.model.state import State
from dalembert.model.surfaces import HalfSpace
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import relative, rotate_back

JOINTS = {"Floating": "free", "Revolute": "hinge", "Spherical": "ball"}


def contact_mjcf(model: Model, step: float, option: Mapping[str, str] | None = None, solref: str = "") -> str:
    """The model as MJCF at its reference configuration; what MuJoCo does not say here has its defaults.

    ``option`` are attributes of the element of this name; ``solref`` sets how stiff contacts are. Springs and dampers
    of hinges and their armature go along. Joint axes are those of the reference configuration.
    """
    system, names = model.system, list(model.bodies)
    root = ElementTree.Element("mujoco")
    ElementTree.SubElement(root, "compiler", angle="radian", inertiafromgeom="false", autolimits="true")
    ElementTree.SubElement(root, "option", {"timestep": repr(step), "gravity": _text(system.gravity), **(option or {})})
    world = ElementTree.SubElement(root, "worldbody")
    elements = {model.n_bodies: world}
    for contact in model.contacts.values():
        if contact.body == WORLD:
            for part in contact.parts:
                _add_geom(world, part, contact.friction, solref)
    for j, body, parent in zip(system.tree_joint, system.tree_body, system.tree_parent, strict=True):
        record, joint = model.bodies[names[body]], list(model.joints.values())[j]
        position, orientation = record.position, tuple(record.orientation)
        if parent < model.n_bodies:
            base = model.bodies[names[parent]]
            position = np.array(rotate_back(tuple(base.orientation), tuple(position - base.position)))
            orientation = relative(tuple(base.orientation), orientation)
        element = ElementTree.SubElement(
            elements[int(parent)], "body", name=names[body], pos=_text(position), quat=_text(orientation)
        )
        inertia = record.inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        ElementTree.SubElement(element, "inertial", pos="0 0 0", mass=repr(record.mass), fullinertia=_text(inertia))
        kind = JOINTS.get(joint.kind.name)
        if kind is None:
            raise ModelError(f'joint "{joint.name}": expected {", ".join(JOINTS)}, found {joint.kind.name}')
        attributes: dict[str, str] = {"name": joint.name, "type": kind}
        if kind != "free":
            attributes["pos"] = _text(system.child_point[j])
        if kind == "hinge":
            c = joint.components[0]
            attributes["axis"] = _text(rotation_matrix(system.child_frame[j])[:, 2])
            attributes |= {"armature": repr(float(system.armature[j, c])), "damping": repr(float(system.damping[j, c]))}
            attributes |= {
                "stiffness": repr(float(system.stiffness[j, c])),
                "springref": repr(float(system.rest[j, c])),
            }
        ElementTree.SubElement(element, "joint", attributes)
        for contact in model.contacts.values():
            if contact.body == record.name:
                for part in contact.parts:
                    _add_geom(element, part, contact.friction, solref)
        elements[int(body)] = element
    return ElementTree.tostring(root, encoding="unicode")


def put_state(engine: Any, data: Any, model: Model, state: State) -> None:
    """Poses of floating bodies and angles of hinges; at rest."""
    system, names = model.system, list(model.bodies)
    for j, body in zip(system.tree_joint, system.tree_body, strict=True):
        kind = list(model.joints.values())[j].kind.name
        first = int(engine.jnt_qposadr[engine.body(names[body]).jntadr[0]])
        if kind == "Floating":
            data.qpos[first : first + 3] = state.position[body]
            data.qpos[first + 3 : first + 7] = state.orientation[body]
        elif kind == "Revolute":
            data.qpos[first] = state.coordinates[system.q_start[j]]


def _add_geom(element: ElementTree.Element, part: Part, friction: float | None, solref: str) -> None:
    shape = part.shape
    if isinstance(shape, HalfSpace):
        size, kind = (50.0, 50.0, 1.0), "plane"
    elif isinstance(shape, Sphere):
        size, kind = (shape.radius,), "sphere"
    elif isinstance(shape, Box):
        size, kind = (0.5 * shape.x, 0.5 * shape.y, 0.5 * shape.z), "box"
    elif isinstance(shape, Capsule | Cylinder):
        size, kind = (shape.radius, 0.5 * shape.length), "capsule" if isinstance(shape, Capsule) else "cylinder"
    else:
        raise ModelError(f"expected planes, balls, boxes, capsules and cylinders, found {type(shape).__name__}")
    attributes = {"type": kind, "size": _text(size), "pos": _text(part.position), "quat": _text(part.orientation)}
    # MuJoCo takes the larger of two coefficients: one that is left open here must not count
    attributes["friction"] = _text((friction if friction is not None else 0.0, 0.0, 0.0))
    if solref:
        attributes["solref"] = solref
    ElementTree.SubElement(element, "geom", attributes)


def _text(numbers: Sequence[float] | Floats | Any) -> str:
    return " ".join(repr(float(x)) for x in np.asarray(numbers, dtype=float))
