"""The bodies of a compiled MJCF model at its reference configuration, with one step of the way for each joint.

MuJoCo lets a body have several joints, one after another: each moves what the ones before it have moved. Between two of
them stands a frame without mass, called after the body and the joint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.formats.bodies import Group, Piece, in_world_axes
from dalembert.formats.mjcf.compiled import Compiled
from dalembert.formats.pose import IDENTITY, Pose, axis_turn, in_world, seen_from
from dalembert.model.declaration import WORLD
from dalembert.model.shapes import MassProperties
from dalembert.model.system import Floats

FREE, BALL, SLIDE, HINGE = 0, 1, 2, 3
"""The numbers of MuJoCo's joint types."""


@dataclass(eq=False)
class PlacedJoint:
    """A joint with its frames in the world at the reference configuration, where its coordinate is ``at``."""

    index: int
    name: str
    type: int
    parent: int
    """Number of a group."""
    child: int
    axis: Floats
    """(3,) in the axes of the frames."""
    parent_frame: Pose
    child_frame: Pose
    at: float


@dataclass(eq=False)
class Placed:
    """All of it."""

    groups: list[Group]
    group_of: list[int]
    """The group of each of MuJoCo's bodies."""
    poses: list[Pose]
    """Each of MuJoCo's bodies in the world."""
    joints: list[PlacedJoint]

    def body(self, number: int) -> str:
        """The name of the body that a group is."""
        group = self.groups[number]
        return WORLD if group.fixed else group.main.name


def place_bodies(compiled: Compiled, reference: Floats) -> Placed:
    """Groups of bodies that move together and the joints between them; ``reference`` (nq,) is the configuration."""
    placed = Placed([Group([Piece(WORLD, IDENTITY, None)], fixed=True)], [0], [IDENTITY], [])
    for body in range(1, compiled.model.nbody):
        _place(compiled, body, reference, placed)
    for group in placed.groups:
        group.weigh()
    return placed


def pose_of_arrays(position: Floats, orientation: Floats | None = None) -> Pose:
    """A pose from MuJoCo's arrays."""
    quaternion = np.array(IDENTITY[1] if orientation is None else orientation, dtype=np.float64)
    return np.array(position, dtype=np.float64), quaternion / np.linalg.norm(quaternion)


def _place(compiled: Compiled, body: int, reference: Floats, placed: Placed) -> None:
    model = compiled.model
    parent = int(model.body_parentid[body])
    pose = in_world(placed.poses[parent], pose_of_arrays(model.body_pos[body], model.body_quat[body]))
    group = placed.group_of[parent]
    name, joints = compiled.name("body", body), range(model.body_jntnum[body])
    for k in joints:
        index = int(model.body_jntadr[body]) + k
        pose, joint = _step(compiled, index, pose, reference, group, len(placed.groups))
        placed.joints.append(joint)
        last = k == len(joints) - 1
        piece = _piece(model, body, name, pose) if last else Piece(f"{name}.{joint.name}", pose, None)
        placed.groups.append(Group([piece], group))
        group = len(placed.groups) - 1
    if not joints:
        placed.groups[group].pieces.append(_piece(model, body, name, pose))
    placed.group_of.append(group)
    placed.poses.append(pose)


def _step(
    compiled: Compiled, index: int, before: Pose, reference: Floats, parent: int, child: int
) -> tuple[Pose, PlacedJoint]:
    """The pose after a joint, and the joint. With the anchor r in the body, A₀ = before · r and after = A₀ · D · r⁻¹.

    MuJoCo's coordinate is ``ref`` where the joint is not displaced, so ours is read from the frame A₀ · D(−ref).
    """
    model = compiled.model
    kind, address = int(model.jnt_type[index]), int(model.jnt_qposadr[index])
    axis, name = np.array(model.jnt_axis[index]), compiled.name("joint", index)
    if kind == FREE:
        after = pose_of_arrays(reference[address : address + 3], reference[address + 3 : address + 7])
        return after, PlacedJoint(index, name, kind, parent, child, axis, IDENTITY, after, 0.0)
    anchor = pose_of_arrays(model.jnt_pos[index])
    start = in_world(before, anchor)
    if kind == BALL:
        end = in_world(start, pose_of_arrays(np.zeros(3), reference[address : address + 4]))
        origin, at = start, 0.0
    else:
        at, zero = float(reference[address]), float(model.qpos0[address])
        end, origin = (in_world(start, _displacement(kind, axis, d)) for d in (at - zero, -zero))
    after = in_world(end, seen_from(anchor, IDENTITY))
    return after, PlacedJoint(index, name, kind, parent, child, axis, origin, end, at)


def _displacement(kind: int, axis: Floats, d: float) -> Pose:
    if d == 0.0:
        return IDENTITY
    return (d * axis, IDENTITY[1]) if kind == SLIDE else (np.zeros(3), axis_turn(axis, d))


def _piece(model: Any, body: int, name: str, pose: Pose) -> Piece:
    mass = float(model.body_mass[body])
    if not mass > 0.0:
        return Piece(name, pose, None)
    solid = MassProperties(mass, np.zeros(3), np.diag(model.body_inertia[body]))
    local = Piece(name, pose_of_arrays(model.body_ipos[body], model.body_iquat[body]), solid)
    return Piece(name, pose, in_world_axes(local))
