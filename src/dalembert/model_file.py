"""A model as plain JSON and arrays, and back: no pickle, nothing is executed.

Arrays of the system are kept as they are. Records (names, joint kinds, shapes, materials) become JSON by one rule: a
frozen dataclass is an object with its class's name and its fields. Classes outside the list below, and functions that
users wrote in Python, cannot be written down; what needs them is named, and the model must then be given on loading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.bearings import Bearing
from dalembert.model.declaration import WORLD
from dalembert.model.forces import DRAG, Force
from dalembert.model.joints import JOINT_KINDS, Distance, Gear
from dalembert.model.material import Material
from dalembert.model.mesh import ConvexMesh
from dalembert.model.model import Model
from dalembert.model.product_kinds import Composite, EulerAngles
from dalembert.model.record import Body, BodyFrame, Contact, Joint
from dalembert.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Part, Sphere
from dalembert.model.spline_kinds import SplineCurve, SplineSurface
from dalembert.model.springs import PointSpring, Spring
from dalembert.model.surfaces import HalfSpace, HeightField, Point
from dalembert.model.system import System
from dalembert.system_file import Arrays, checked_array, checked_system

_CLASSES: Final[dict[str, type[Any]]] = {
    kind.__name__: kind
    for kind in (
        *(type(kind) for kind in JOINT_KINDS.values()),
        *(Distance, Gear, Spring, PointSpring),
        *(Composite, EulerAngles, SplineCurve, SplineSurface),
        *(Box, Sphere, Cylinder, Capsule, Ellipsoid, ConvexMesh),
        *(Point, HalfSpace, HeightField),
        *(Part, Material, Contact, Force, Bearing),
    )
}


class _NotPlainError(Exception):
    """A value that JSON cannot hold."""


def describe_model(model: Model) -> tuple[dict[str, Any], Arrays]:
    """(description for JSON, arrays) of a model. ``description["functions"]`` names what only Python can say."""
    functions = [f'potential "{name}"' for name in model.potentials]
    functions += [f'force "{name}"' for name, force in model.forces.items() if force.law is not None]
    functions += [f'constraint "{name}"' for name in model.constraints]
    bodies, joints = [], []
    for body in model.bodies.values():
        bodies.append({"name": body.name, "shape": _described(body, functions)})
    for joint in model.joints.values():
        try:
            kind = _plain(joint.kind)
        except _NotPlainError:
            kind = None
            functions.append(f'joint "{joint.name}"')
        entry = {name: getattr(joint, name) for name in ("name", "parent", "child", "coincide", "in_tree")}
        joints.append(entry | {"kind": kind, "bodies": list(joint.bodies), "components": list(joint.components)})
    contacts = []
    for contact in model.contacts.values():
        try:
            contacts.append(_plain(contact))
        except _NotPlainError:
            contacts.append({"name": contact.name})
            functions.append(f'the shape of contact "{contact.name}"')
    description = {
        "bodies": bodies,
        "joints": joints,
        "contacts": contacts,
        "potentials": list(model.potentials),
        "forces": [_plain(replace(force, law=None)) for force in model.forces.values()],
        "bearings": [_plain(bearing) for bearing in model.bearings.values()],
        "frames": [[frame.name, frame.body] for frame in model.frames.values()],
        "functions": functions,
        "n_q": model.system.n_q,
        "n_v": model.system.n_v,
    }
    arrays = {f"system.{name}": value for name, value in _arrays_of(model.system).items()}
    arrays["bodies.position"] = np.array([body.position for body in model.bodies.values()]).reshape(-1, 3)
    arrays["bodies.orientation"] = np.array([body.orientation for body in model.bodies.values()]).reshape(-1, 4)
    arrays["joints.limits"] = np.array([joint.limits for joint in model.joints.values()]).reshape(-1, 6, 2)
    arrays["joints.friction"] = np.array([joint.friction for joint in model.joints.values()]).reshape(-1, 6)
    arrays["frames.position"] = np.array([frame.position for frame in model.frames.values()]).reshape(-1, 3)
    arrays["frames.orientation"] = np.array([frame.orientation for frame in model.frames.values()]).reshape(-1, 4)
    return description, arrays


def rebuild_model(description: Mapping[str, Any], arrays: Mapping[str, Any], given: Model | None) -> Model:
    """The model that was described, or ``given`` if it is the same. Raises `ModelError` or `ValueError`."""
    n, m = len(description["bodies"]), len(description["joints"])
    system = checked_system(arrays, n, m, int(description["n_q"]), int(description["n_v"]))
    names = _names(description)
    if given is not None:
        _check_same(given, system, names)
        return given
    if description["functions"]:
        raise ModelError(
            f"the model has parts written in Python, which a file cannot hold ({', '.join(description['functions'])}); "
            "pass the model that the run was made with: load_run(path, model=model)"
        )
    position = checked_array(arrays, "bodies.position", (n, 3))
    orientation = checked_array(arrays, "bodies.orientation", (n, 4))
    limits = checked_array(arrays, "joints.limits", (m, 6, 2), finite=False)
    friction = checked_array(arrays, "joints.friction", (m, 6))
    bodies = [
        Body(
            name=entry["name"],
            index=i,
            mass=float(system.mass[i]),
            inertia=_frozen(system.inertia[i].copy()),
            position=_frozen(position[i]),
            orientation=_frozen(orientation[i]),
            parts=tuple(_restored(part) for part in entry["shape"]["parts"]),
            material=_restored(entry["shape"]["material"]),
        )
        for i, entry in enumerate(description["bodies"])
    ]
    joints = [
        Joint(
            name=entry["name"],
            index=j,
            kind=_restored(entry["kind"]),
            parent=entry["parent"],
            child=entry["child"],
            bodies=tuple(entry["bodies"]),
            components=tuple(entry["components"]),
            limits=_frozen(limits[j]),
            friction=_frozen(friction[j]),
            coincide=bool(entry["coincide"]),
            in_tree=bool(entry["in_tree"]),
            coordinates=_slice(system.q_start[j], system.n_coordinates[j]),
            rates=_slice(system.v_start[j], system.n_rates[j]),
        )
        for j, entry in enumerate(description["joints"])
    ]
    contacts = [_restored(entry) for entry in description.get("contacts", ())]
    bearings = [_restored(entry) for entry in description.get("bearings", ())]
    return Model(bodies, joints, (), system, contacts, _frames(description, arrays), _forces(description), (), bearings)


def _forces(description: Mapping[str, Any]) -> list[Force]:
    """Force elements, checked as far as kernels trust them; files from before there were any have none."""
    forces = [_restored(entry) for entry in description.get("forces", ())]
    bodies = {WORLD, *(entry["name"] for entry in description["bodies"])}
    for force in forces:
        shapes = (force.points.shape, force.vectors.shape, len(force.numbers))
        sizes = (len(force.bodies) >= 1, 0 <= force.code <= DRAG, shapes == ((len(force.bodies), 3), (2, 3), 5))
        if not isinstance(force, Force) or not bodies.issuperset(force.bodies) or not all(sizes):
            raise ValueError(f"forces: expected forces on bodies of the model, found {force!r}")
        if not all(np.isfinite(part).all() for part in (force.points, force.vectors, force.numbers)):
            raise ValueError(f'force "{force.name}": expected finite numbers')
    return forces


def _frames(description: Mapping[str, Any], arrays: Mapping[str, Any]) -> list[BodyFrame]:
    """Frames with names; files from before there were any have none."""
    named = description.get("frames", [])
    if not named:
        return []
    position = checked_array(arrays, "frames.position", (len(named), 3))
    orientation = checked_array(arrays, "frames.orientation", (len(named), 4))
    bodies = {WORLD, *(entry["name"] for entry in description["bodies"])}
    for name, body in named:
        if body not in bodies:
            raise ValueError(f'frame "{name}": expected a body of the model, found {body!r}')
    return [
        BodyFrame(name, body, _frozen(position[k]), _frozen(orientation[k])) for k, (name, body) in enumerate(named)
    ]


def _described(body: Body, functions: list[str]) -> dict[str, Any]:
    try:
        return {"parts": [_plain(part) for part in body.parts], "material": _plain(body.material)}
    except _NotPlainError:
        functions.append(f'the shape of body "{body.name}"')
        return {"parts": [], "material": None}


def _plain(value: Any) -> Any:
    """A value as JSON knows it."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return {"array": value.tolist()}
    if isinstance(value, slice):
        return {"slice": [value.start, value.stop]}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    kind = type(value)
    if _CLASSES.get(kind.__name__) is not kind:
        raise _NotPlainError
    return {"class": kind.__name__} | {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _restored(value: Any) -> Any:
    """The value that `_plain` wrote; sequences come back as tuples."""
    if isinstance(value, list):
        return tuple(_restored(entry) for entry in value)
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return _frozen(np.array(value["array"], dtype=np.float64))
    if "slice" in value:
        return slice(*(int(end) for end in value["slice"]))
    name = value.get("class")
    if name not in _CLASSES:
        raise ValueError(f"there is no joint kind or shape called {name!r}")
    return _CLASSES[name](**{key: _restored(entry) for key, entry in value.items() if key != "class"})


def _names(description: Mapping[str, Any]) -> dict[str, list[str]]:
    return {
        "bodies": [entry["name"] for entry in description["bodies"]],
        "joints": [entry["name"] for entry in description["joints"]],
        "contacts": [entry["name"] for entry in description.get("contacts", ())],
        "potentials": list(description["potentials"]),
        "forces": [entry["name"] for entry in description.get("forces", ())],
    }


def _check_same(given: Model, system: System, names: Mapping[str, list[str]]) -> None:
    """Refuse a model other than that of the run. Rebuilding a model elsewhere may change its last bits, not more."""
    for what, expected in names.items():
        found = list(getattr(given, what))
        if found != expected:
            raise ModelError(
                f"model: expected the one that the run was made with, whose {what} are {_some(expected)}, found one "
                f"whose {what} are {_some(found)}"
            )
    for name, expected in _arrays_of(system).items():
        found = getattr(given.system, name)
        if found.shape != expected.shape or not np.allclose(found, expected, rtol=1e-12, atol=1e-12):
            raise ModelError(
                f"model: expected the one that the run was made with, found one that differs in system.{name}"
            )


def _some(names: list[str], shown: int = 5) -> str:
    return ", ".join(f'"{name}"' for name in names[:shown]) + (" …" if len(names) > shown else "") or "none"


def _arrays_of(system: System) -> Arrays:
    return {name: value for name, value in system._asdict().items() if isinstance(value, np.ndarray)}


def _slice(start: Any, size: Any) -> slice:
    return slice(int(start), int(start + size))


def _frozen(array: Any) -> Any:
    array.setflags(write=False)
    return array
