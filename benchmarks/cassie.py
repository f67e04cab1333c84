"""The biped Cassie from its SDF file: four closed loops, two leaf springs a leg. Enough of SDF for this file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import dalembert as da
from dalembert.formats.pose import IDENTITY, Pose, in_world, pose_of
from dalembert.formats.xml_source import Element, parse_xml, read_bytes
from dalembert.model.bodies import rotation_matrix

FOLDER = "example-robot-data/robots/cassie_description"
MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def cassie(share: Path, *, floating: bool = False, springs: bool = True, damping: bool = True) -> da.Model:
    """Cassie as `cassie_v2.sdf` below ``share`` describes it; the pelvis is held unless ``floating``."""
    path = share / FOLDER / "robots" / "cassie_v2.sdf"
    root = parse_xml(read_bytes(path), str(path)).children[0]
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    poses: dict[str, Pose] = {}
    for link in _all(root, "link"):
        name, inertial = link.attributes["name"], _one(link, "inertial")
        poses[name] = _pose(link)
        position, orientation = in_world(poses[name], _pose(inertial))
        xx, xy, xz, yy, yz, zz = (_number(_one(inertial, "inertia"), tag) for tag in MOMENTS)
        builder.add_body(
            name,
            mass=_number(inertial, "mass"),
            inertia=[[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
            position=position,
            orientation=orientation,
        )
    base = da.Floating() if floating else da.Fixed()
    builder.add_joint("base", base, parent="world", child="pelvis", anchor=poses["pelvis"][0])
    for joint in _all(root, "joint"):
        parent, child = _one(joint, "parent").text.strip(), _one(joint, "child").text.strip()
        anchor, turn = in_world(poses[child], _pose(joint))
        axis = rotation_matrix(turn) @ np.array([float(word) for word in _one(_one(joint, "axis"), "xyz").text.split()])
        dynamics = _all(_one(joint, "axis"), "dynamics")
        kind = da.Spherical() if joint.attributes["type"] == "ball" else da.Revolute(axis / np.linalg.norm(axis))
        if "plantar-foot" in joint.attributes["name"]:
            # crank, rod and foot turn about parallel axes, so along them this ball holds what is held already
            kind = da.CylindricalFree(axis / np.linalg.norm(axis))
        builder.add_joint(
            joint.attributes["name"],
            kind,
            parent=parent,
            child=child,
            anchor=anchor,
            stiffness=(_number(dynamics[0], "spring_stiffness") or None) if dynamics and springs else None,
            damping=(_number(dynamics[0], "damping") or None) if dynamics and damping else None,
        )
    return builder.build()


def _all(element: Element, tag: str) -> list[Element]:
    return [child for child in element.children if child.tag == tag]


def _one(element: Element, tag: str) -> Element:
    return _all(element, tag)[0]


def _number(element: Element, tag: str) -> float:
    found = _all(element, tag)
    return float(found[0].text) if found else 0.0


def _pose(element: Element) -> Pose:
    found = _all(element, "pose")
    if not found:
        return IDENTITY
    numbers = [float(word) for word in found[0].text.split()]
    return pose_of(numbers[:3], numbers[3:])
