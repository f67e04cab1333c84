"""Where the links of a URDF file are when all joints are at zero, and which of them move together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dalembert.formats.bodies import Group, Piece, in_world_axes, moments_fault, repaired
from dalembert.formats.pose import IDENTITY, Pose, axis_turn, in_world, pose_of, unit
from dalembert.formats.urdf.geometry import Geometries
from dalembert.formats.urdf.read_link import NOTHING, inertia_matrix
from dalembert.formats.urdf.records import Inertial, Link, Robot, UrdfJoint
from dalembert.formats.xml_reader import Remarks
from dalembert.model.bodies import PLATE_DIGITS
from dalembert.model.shapes import MassProperties

X_AXIS = (1.0, 0.0, 0.0)


@dataclass(eq=False)
class Placed:
    """A robot at its reference configuration."""

    root: str
    links: dict[str, Link]
    pieces: dict[str, Piece]
    order: list[UrdfJoint]
    """Joints of the tree from the root outwards."""
    held: dict[str, float]
    """Joints of the tree that never move, and where they are held."""
    start: dict[str, float]
    """Coordinates at the reference that are not zero: joints that follow others at a distance."""
    doubts: dict[str, Doubt]
    """Links whose own inertia is that of no body, which the body that they are a part of may make good."""


class Doubt(NamedTuple):
    """A fault that is one only if it is still there in the body that a link is a part of."""

    place: str
    item: str
    expected: str
    found: str


def place_links(robot: Robot, root_pose: Pose, geometries: Geometries, remarks: Remarks, *, repair: bool) -> Placed:
    """The links in the world with the root at ``root_pose``. Faults of inertias are left in ``remarks``."""
    links = {link.name: link for link in robot.links}
    tree = [joint for joint in robot.joints if not joint.closes_loop]
    children = {joint.child for joint in tree}
    root = next(link.name for link in robot.links if link.name not in children)
    held, start = _followers(robot.joints)
    doubts: dict[str, Doubt] = {}

    def piece(link: Link, pose: Pose) -> Piece:
        if link.inertial is None:
            return Piece(link.name, pose, geometries.solid(link))
        return _piece(link, link.inertial, pose, remarks, doubts, repair=repair)

    pieces = {root: piece(links[root], root_pose)}
    by_parent: dict[str, list[UrdfJoint]] = {}
    for joint in tree:
        by_parent.setdefault(joint.parent, []).append(joint)
    order: list[UrdfJoint] = []
    waiting = [root]
    for name in waiting:
        for joint in by_parent.get(name, []):
            order.append(joint)
            waiting.append(joint.child)
            at = held.get(joint.name, start.get(joint.name, 0.0))
            pose = in_world(joint_frame(joint, pieces[name].pose), displacement(joint, at))
            pieces[joint.child] = piece(links[joint.child], pose)
    return Placed(root, links, pieces, order, held, start, doubts)


def joint_frame(joint: UrdfJoint, parent: Pose) -> Pose:
    """The frame of a joint in the world."""
    return in_world(parent, pose_of(joint.origin.xyz, joint.origin.rpy))


def displacement(joint: UrdfJoint, at: float) -> Pose:
    """The child's frame in the joint's frame when its only coordinate is ``at``."""
    if at == 0.0 or joint.type not in ("revolute", "continuous", "prismatic"):
        return IDENTITY
    axis = unit(joint.axis or X_AXIS)
    if joint.type == "prismatic":
        return at * axis, IDENTITY[1]
    return np.zeros(3), axis_turn(axis, at)


def group_links(placed: Placed, *, merge_fixed: bool) -> tuple[list[Group], dict[str, int]]:
    """The groups of links that move together, the root's first, and the number of each link's group.

    Without ``merge_fixed``, a fixed joint between two links with mass stays a joint.
    """
    groups = [Group([placed.pieces[placed.root]])]
    group_of = {placed.root: 0}
    for joint in placed.order:
        piece, parent = placed.pieces[joint.child], group_of[joint.parent]
        stuck = joint.type == "fixed" or joint.name in placed.held
        has_mass = any(other.massive for other in groups[parent].pieces)
        if stuck and (merge_fixed or not piece.massive or not has_mass):
            groups[parent].pieces.append(piece)
            group_of[joint.child] = parent
        else:
            group_of[joint.child] = len(groups)
            groups.append(Group([piece], parent))
    for group in groups:
        group.weigh()
    return groups, group_of


def check_groups(groups: Sequence[Group], placed: Placed, remarks: Remarks, *, repair: bool) -> None:
    """Refuse bodies that cannot turn like a body: points, needles, and what violates the triangle inequality.

    Only the sum over a body has a meaning in its motion, so a link that is fixed to others is judged by their sum.
    """
    for group in groups:
        doubts = [placed.doubts[piece.name] for piece in group.pieces if piece.name in placed.doubts]
        alone = sum(piece.massive for piece in group.pieces) < 2
        sound = not alone and moments_fault(group.solid.mass, group.solid.inertia, NOTHING) is None
        for doubt in doubts:
            if sound:
                text = f"expected {doubt.expected}, found {doubt.found}; the body that it is a part of is sound"
                remarks.note(doubt.place, f"{doubt.item}: {text}")
            else:
                remarks.fault(*doubt, "no body has such an inertia; correct it, or load with repair_inertia=True")
        if group.massless or group.fixed or (doubts and not sound):
            continue
        moments = np.linalg.eigvalsh(group.inertia)
        if moments[0] > 1e-15 * moments[2] and moments[2] > NOTHING * group.solid.mass:
            continue
        link = placed.links[group.main.name]
        if repair:
            group.solid = group.solid._replace(inertia=repaired(group.solid.mass, group.solid.inertia))
            remarks.note(
                link.place(), f'link "{link.name}", inertia: a body needs some about every axis; it was raised'
            )
            continue
        found = "principal moments " + ", ".join(f"{moment:.6g}" for moment in moments)
        at = link.inertial.inertia_place if link.inertial is not None else link.place()
        remedy = "a body that moves needs some about every axis; correct it, or load with repair_inertia=True"
        remarks.fault(at, f'link "{link.name}", inertia', "positive principal moments (kg m²)", found, remedy)


def _piece(
    link: Link, inertial: Inertial, pose: Pose, remarks: Remarks, doubts: dict[str, Doubt], *, repair: bool
) -> Piece:
    inertia, place = inertia_matrix(inertial.inertia), inertial.inertia_place
    fault = moments_fault(inertial.mass, inertia, NOTHING)
    if fault is not None and inertial.mass > 0.0:
        item, (expected, found) = f'link "{link.name}", inertia', fault
        if repair:
            inertia = repaired(inertial.mass, inertia)
            moments = ", ".join(f"{moment:.6g}" for moment in np.linalg.eigvalsh(inertia))
            remarks.note(place, f"{item}: repaired from {found} to {moments}")
        elif np.linalg.eigvalsh(inertia)[0] >= -PLATE_DIGITS * np.abs(inertia).max():
            doubts[link.name] = Doubt(place, item, expected, found)
        else:
            remedy = "no body has such an inertia; correct it, or load with repair_inertia=True"
            remarks.fault(place, item, expected, found, remedy)
    solid = MassProperties(inertial.mass, np.zeros(3), inertia)
    local = Piece(link.name, pose_of(inertial.origin.xyz, inertial.origin.rpy), solid)
    return Piece(link.name, pose, in_world_axes(local))


def _followers(joints: Sequence[UrdfJoint]) -> tuple[dict[str, float], dict[str, float]]:
    """(joints that never move and where they are held, coordinates other than zero of joints that follow others)."""
    by_name = {joint.name: joint for joint in joints}
    held: dict[str, float] = {}
    start: dict[str, float] = {}

    def at(joint: UrdfJoint) -> float:
        mimic = joint.mimic
        if mimic is None or joint.type == "fixed" or joint.name in start or joint.name in held:
            return held.get(joint.name, start.get(joint.name, 0.0))
        leader = by_name[mimic.joint]
        value = mimic.multiplier * at(leader) + mimic.offset
        stuck = mimic.multiplier == 0.0 or leader.type == "fixed" or leader.name in held
        (held if stuck else start)[joint.name] = value
        return value

    for joint in joints:
        at(joint)
    return held, {name: value for name, value in start.items() if value != 0.0}
