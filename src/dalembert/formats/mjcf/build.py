"""From a compiled MJCF model to calls of the builder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.formats.bodies import groups_in_loops, lend_masses, share_of
from dalembert.formats.mjcf.compiled import Compiled
from dalembert.formats.mjcf.equalities import (
    active_equalities,
    add_equality,
    closed_groups,
    maps,
    reference_configuration,
)
from dalembert.formats.mjcf.geometry import add_contacts, body_parts
from dalembert.formats.mjcf.placing import BALL, FREE, HINGE, SLIDE, Placed, PlacedJoint, place_bodies, pose_of_arrays
from dalembert.formats.mjcf.tendons import add_tendon
from dalembert.formats.mjcf.unmapped import note_unmapped
from dalembert.formats.pose import Pose, in_world
from dalembert.formats.xml_reader import Remarks
from dalembert.model.builder import ModelBuilder
from dalembert.model.frame import Frame
from dalembert.model.joint_kind import JointKind
from dalembert.model.joints import Floating, Prismatic, Revolute, Spherical
from dalembert.model.system import Floats


@dataclass(frozen=True)
class Choices:
    """What of a file to use."""

    limits: bool = True
    friction: bool = True
    damping: bool = True
    contacts: bool = False


def fill_builder(compiled: Compiled, choices: Choices, remarks: Remarks) -> ModelBuilder:
    """A builder with the bodies, joints, loops, springs and frames of the model."""
    model = compiled.model
    equalities = active_equalities(compiled)
    placed = place_bodies(compiled, reference_configuration(compiled, equalities))
    closings = [pair for e in equalities if maps(compiled, e) for pair in closed_groups(compiled, placed, e)]
    _lend(compiled, placed, groups_in_loops(placed.groups, closings), remarks)
    builder = ModelBuilder(gravity=np.zeros(3) if compiled.disabled("GRAVITY") else np.array(model.opt.gravity))
    parts = body_parts(compiled, placed, remarks)
    for number, group in enumerate(placed.groups):
        if not group.fixed:
            position, orientation = group.pose
            builder.add_body(
                group.main.name,
                mass=group.solid.mass,
                inertia=group.inertia,
                shape=parts.get(number),
                position=position,
                orientation=orientation,
            )
    for joint in placed.joints:
        _add_joint(compiled, placed, joint, choices, builder, remarks)
    for equality in range(model.neq):
        add_equality(compiled, placed, equality, equality in equalities, builder, remarks)
    for tendon in range(model.ntendon):
        add_tendon(compiled, placed, tendon, builder, remarks)
    _add_frames(compiled, placed, builder)
    if choices.contacts:
        add_contacts(compiled, placed, builder, remarks)
    note_unmapped(compiled, remarks, contacts=choices.contacts)
    return builder


def _lend(compiled: Compiled, placed: Placed, looped: set[int], remarks: Remarks) -> None:
    took, bare = lend_masses(placed.groups, looped)
    for number in took:
        name = placed.groups[number].main.name
        place = compiled.places.of(name.rsplit(".", 1)[-1], "joint", "freejoint", "body")
        text = (
            f"stands between two joints and takes {share_of(number, looped):g} of the mass of the body that it carries"
        )
        remarks.note(place, f'body "{name}" {text}')
    for number in bare:
        name = placed.groups[number].main.name
        expected = "a mass, because it moves and carries nothing"
        remarks.fault(compiled.places.of(name, "body"), f'body "{name}"', expected, "none")
    remarks.raise_if_any()


def _frame(placed: Placed, number: int, pose: Pose) -> Frame:
    return Frame(*placed.groups[number].local(pose))


def _add_joint(
    compiled: Compiled, placed: Placed, joint: PlacedJoint, choices: Choices, builder: ModelBuilder, remarks: Remarks
) -> None:
    model, index = compiled.model, joint.index
    dof = int(model.jnt_dofadr[index])
    rates = slice(dof, dof + {FREE: 6, BALL: 3}.get(joint.type, 1))
    stiffness = 0.0 if compiled.disabled("SPRING") else float(np.ravel(model.jnt_stiffness[index])[0])
    if stiffness and joint.type == FREE:
        remarks.note(compiled.place("joint", index), f'joint "{joint.name}", stiffness: not mapped (the joint is free)')
        stiffness = 0.0
    friction = choices.friction and not compiled.disabled("FRICTIONLOSS")
    damping = choices.damping and not compiled.disabled("DAMPER")
    limits = choices.limits and not compiled.disabled("LIMIT")
    # where all coordinates are zero, the child's frame follows from the parent's without rounding
    zero = joint.type in (HINGE, SLIDE) and joint.at == 0.0 and model.qpos0[model.jnt_qposadr[index]] == 0.0
    builder.add_joint(
        joint.name,
        _kind(joint),
        parent=placed.body(joint.parent),
        child=placed.body(joint.child),
        parent_frame=_frame(placed, joint.parent, joint.parent_frame),
        child_frame=None if zero else _frame(placed, joint.child, joint.child_frame),
        stiffness=stiffness or None,
        rest=_rest(compiled, joint) if stiffness else None,
        damping=_values(model.dof_damping[rates]) if damping else None,
        armature=_values(model.dof_armature[rates]),
        friction=_values(model.dof_frictionloss[rates]) if friction else None,
        limits=_limits(compiled, joint, remarks) if limits else None,
    )


def _kind(joint: PlacedJoint) -> JointKind:
    if joint.type == FREE:
        return Floating()
    if joint.type == BALL:
        return Spherical()
    return Prismatic(joint.axis) if joint.type == SLIDE else Revolute(joint.axis)


def _values(values: Floats) -> list[float] | float | None:
    """An option from the values of a joint's rates; None where all are zero."""
    if not np.any(values):
        return None
    return [float(value) for value in values] if len(values) > 1 else float(values[0])


def _rest(compiled: Compiled, joint: PlacedJoint) -> list[float] | float:
    """Where the spring of a joint is at rest: a coordinate, or a rotation vector."""
    from dalembert.spatial.quaternion import log

    model = compiled.model
    address = int(model.jnt_qposadr[joint.index])
    if joint.type != BALL:
        return float(model.qpos_spring[address])
    return list(log(tuple(model.qpos_spring[address : address + 4].tolist())))


def _limits(compiled: Compiled, joint: PlacedJoint, remarks: Remarks) -> tuple[float, float] | None:
    model = compiled.model
    if not model.jnt_limited[joint.index]:
        return None
    if joint.type == BALL:
        text = f'joint "{joint.name}", range: not mapped (the joint turns about a point)'
        remarks.note(compiled.place("joint", joint.index), text)
        return None
    low, high = model.jnt_range[joint.index]
    return float(low), float(high)


def _add_frames(compiled: Compiled, placed: Placed, builder: ModelBuilder) -> None:
    """Bodies and sites; a site with the name of a body is called after its kind."""
    model = compiled.model
    names: set[str] = set()
    for body in range(1, model.nbody):
        number, name = placed.group_of[body], compiled.name("body", body)
        names.add(name)
        builder.add_frame(name, placed.body(number), frame=_frame(placed, number, placed.poses[body]))
    for site in range(model.nsite):
        body, name = int(model.site_bodyid[site]), compiled.name("site", site)
        if name in names:
            name = f"site:{name}"
        names.add(name)
        pose = in_world(placed.poses[body], pose_of_arrays(model.site_pos[site], model.site_quat[site]))
        number = placed.group_of[body]
        builder.add_frame(name, placed.body(number), frame=_frame(placed, number, pose))
