"""From the records of a URDF file to calls of the builder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from dalembert.formats.bodies import Group, groups_in_loops, lend_masses, share_of
from dalembert.formats.paths import Reach
from dalembert.formats.pose import IDENTITY, Pose, in_world, pose_of, seen_from, unit
from dalembert.formats.urdf.geometry import Geometries
from dalembert.formats.urdf.placing import X_AXIS, Placed, check_groups, group_links, joint_frame, place_links
from dalembert.formats.urdf.records import Robot, UrdfJoint
from dalembert.formats.xml_reader import Remarks
from dalembert.model.builder import ModelBuilder
from dalembert.model.checks import VectorLike
from dalembert.model.declaration import WORLD
from dalembert.model.frame import Frame
from dalembert.model.joint_kind import JointKind
from dalembert.model.joints import Fixed, Floating, Gear, Planar, Prismatic, Revolute, Spherical

BASE_JOINT = "floating_base"
"""The name of the joint between the world and a base that floats."""


@dataclass(frozen=True)
class Choices:
    """What a file leaves open, and what of it to use."""

    base: str | None = None
    """"fixed" or "floating"; None: a root link with mass floats unless it is called "world"."""
    gravity: VectorLike = (0.0, 0.0, -9.81)
    merge_fixed: bool = True
    limits: bool = True
    friction: bool = True
    damping: bool = True
    repair_inertia: bool = False
    meshes: bool = False
    density: float | None = None


def fill_builder(robot: Robot, choices: Choices, reach: Reach, remarks: Remarks) -> ModelBuilder:
    """A builder with the bodies, joints and frames of the robot. Faults and notes are left in ``remarks``."""
    geometries = Geometries(reach, remarks, choices.meshes, _density(robot, choices, remarks))
    placed = place_links(robot, IDENTITY, geometries, remarks, repair=choices.repair_inertia)
    groups, group_of = group_links(placed, merge_fixed=choices.merge_fixed)
    floats = _floats(placed, groups[0], choices, remarks)
    groups[0].fixed = not floats
    _lend(groups, placed, groups_in_loops(groups, _closings(robot, group_of)), remarks)
    check_groups(groups, placed, remarks, repair=choices.repair_inertia)
    remarks.raise_if_any()
    builder = _Filling(robot, placed, groups, group_of, geometries, choices, remarks).builder(floats)
    remarks.raise_if_any()
    return builder


def _density(robot: Robot, choices: Choices, remarks: Remarks) -> float | None:
    density = choices.density
    if density is None or (isinstance(density, int | float) and 0.0 < density < inf):
        return density
    remarks.fault(robot.place(), "density", "a positive number (kg/m³) or None", repr(density))
    return None


def _floats(placed: Placed, base: Group, choices: Choices, remarks: Remarks) -> bool:
    """Whether the root moves freely."""
    root, choice = placed.links[placed.root], choices.base
    if choice is None:
        return root.name != WORLD and not base.massless
    if choice not in ("fixed", "floating"):
        remarks.fault(root.place(), "base", '"fixed", "floating" or None', repr(choice))
    if choice == "floating" and (root.name == WORLD or base.massless):
        found = "the world" if root.name == WORLD else "one without mass"
        remarks.fault(root.place(), f'base, link "{root.name}"', "a root link that can float", found)
    return choice == "floating"


def _closings(robot: Robot, group_of: dict[str, int]) -> Iterator[tuple[int, int]]:
    """The two groups that each joint which closes a loop, or follows another, brings together."""
    by_name = {joint.name: joint for joint in robot.joints}
    for joint in robot.joints:
        if joint.closes_loop:
            yield group_of[joint.parent], group_of[joint.child]
        elif joint.mimic is not None:
            leader = by_name[joint.mimic.joint]
            # a coupling takes hold of both bodies of both joints
            yield group_of[joint.child], group_of[leader.child]
            yield group_of[joint.parent], group_of[joint.child]
            yield group_of[leader.parent], group_of[leader.child]


def _lend(groups: Sequence[Group], placed: Placed, looped: set[int], remarks: Remarks) -> None:
    took, bare = lend_masses(groups, looped)
    for index in took:
        link = placed.links[groups[index].main.name]
        text = f"moves and has no mass; it takes {share_of(index, looped):g} of the mass of the body that it carries"
        remarks.note(link.place(), f'link "{link.name}" {text}')
    for index in bare:
        link = placed.links[groups[index].main.name]
        remedy = "give it an <inertial>, or make its joint fixed"
        expected = "a mass, because it moves and carries nothing"
        remarks.fault(link.place(), f'link "{link.name}"', expected, "none", remedy)


class _Filling:
    """The calls of a builder for one robot."""

    def __init__(
        self,
        robot: Robot,
        placed: Placed,
        groups: Sequence[Group],
        group_of: dict[str, int],
        geometries: Geometries,
        choices: Choices,
        remarks: Remarks,
    ) -> None:
        self._robot, self._placed, self._groups, self._group_of = robot, placed, groups, group_of
        self._geometries, self._choices, self._remarks = geometries, choices, remarks
        self._builder = ModelBuilder(gravity=choices.gravity)

    def builder(self, floats: bool) -> ModelBuilder:
        """All bodies, then all joints, then all frames."""
        for group in self._groups:
            if not group.fixed:
                self._add_body(group)
        if floats:
            self._add_base()
        for joint in (*self._placed.order, *(joint for joint in self._robot.joints if joint.closes_loop)):
            self._add_joint(joint)
        for joint in self._robot.joints:
            self._add_mimic(joint)
        for name, piece in self._placed.pieces.items():
            frame = Frame(*self._group(name).local(piece.pose))
            self._builder.add_frame(name, self._body(name), frame=frame)
        return self._builder

    def _group(self, link: str) -> Group:
        return self._groups[self._group_of[link]]

    def _body(self, link: str) -> str:
        """The name of the body that a link belongs to."""
        group = self._group(link)
        return WORLD if group.fixed else group.main.name

    def _add_body(self, group: Group) -> None:
        position, orientation = group.pose
        links = [(self._placed.links[piece.name], seen_from(group.pose, piece.pose)) for piece in group.pieces]
        self._builder.add_body(
            group.main.name,
            mass=group.solid.mass,
            inertia=group.inertia,
            shape=self._geometries.parts(links) or None,
            position=position,
            orientation=orientation,
        )

    def _add_base(self) -> None:
        """A free joint whose coordinates are the pose of the root link's frame."""
        name, taken = BASE_JOINT, {joint.name for joint in self._robot.joints}
        while name in taken:
            name = f"{name}_"
        root = self._placed.root
        at = Frame(*self._group(root).local(self._placed.pieces[root].pose))
        self._builder.add_joint(
            name, Floating(), parent=WORLD, child=self._body(root), parent_frame=Frame(), child_frame=at
        )

    def _add_joint(self, joint: UrdfJoint) -> None:
        if self._group_of[joint.parent] == self._group_of[joint.child]:
            if joint.closes_loop:
                at, expected = joint.place(), "links that move against each other"
                self._remarks.note(at, f"{joint.item}: {expected} are needed for a loop; these are one body, left out")
            return
        parent, child = self._placed.pieces[joint.parent].pose, self._placed.pieces[joint.child].pose
        frame = joint_frame(joint, parent)
        # the child's frame follows from that of the parent where all coordinates are zero
        other: Pose | None = None
        if joint.child_origin is not None:
            other = in_world(child, pose_of(joint.child_origin.xyz, joint.child_origin.rpy))
        elif not joint.closes_loop and joint.name in self._placed.start:
            other = child
        self._builder.add_joint(
            joint.name,
            _kind(joint),
            parent=self._body(joint.parent),
            child=self._body(joint.child),
            parent_frame=Frame(*self._group(joint.parent).local(frame)),
            child_frame=None if other is None else Frame(*self._group(joint.child).local(other)),
            limits=self._limits(joint),
            damping=self._dynamics(joint, "damping"),
            friction=self._dynamics(joint, "friction"),
            closes_loop=joint.closes_loop,
        )

    def _limits(self, joint: UrdfJoint) -> tuple[float, float] | None:
        limit = joint.limit
        if limit is None or joint.type not in ("revolute", "prismatic") or not self._choices.limits:
            return None
        lower, upper = limit.lower or 0.0, limit.upper or 0.0
        if lower == upper:
            self._remarks.note(limit.place(), f"{joint.item}, limit: no travel is given; the joint has no limits")
            return None
        return lower, upper

    def _dynamics(self, joint: UrdfJoint, what: str) -> float | None:
        if joint.dynamics is None or not getattr(self._choices, what):
            return None
        value: float = getattr(joint.dynamics, what)
        if value and joint.type in ("fixed", "floating", "planar", "spherical"):
            self._remarks.note(
                joint.dynamics.place(what), f"{joint.item}, {what}: not mapped (the joint has not one coordinate)"
            )
            return None
        return value or None

    def _add_mimic(self, joint: UrdfJoint) -> None:
        mimic = joint.mimic
        if mimic is None:
            return
        if joint.type == "fixed":
            self._remarks.note(mimic.place(), f"{joint.item}, mimic: a fixed joint follows nothing, left out")
        elif joint.name not in self._placed.held:
            name = f"{joint.name}:mimic"
            self._builder.add_joint(name, Gear(-mimic.multiplier), parent=joint.name, child=mimic.joint)


def _kind(joint: UrdfJoint) -> JointKind:
    axis = unit(joint.axis or X_AXIS)
    match joint.type:
        case "revolute" | "continuous":
            return Revolute(axis)
        case "prismatic":
            return Prismatic(axis)
        case "planar":
            return Planar(axis)
        case "spherical":
            return Spherical()
        case "floating":
            return Floating()
    return Fixed()
