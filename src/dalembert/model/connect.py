"""Connects the bodies to the world: the spanning tree, and floating joints where only rods or springs hold."""

from __future__ import annotations

from collections.abc import Sequence

from dalembert.model.checks import Findings
from dalembert.model.declaration import FREE_PREFIX, WORLD, JointDeclaration
from dalembert.model.joints import CustomConstraint, Floating
from dalembert.model.placement import Pose
from dalembert.model.record import Body
from dalembert.model.resolve import Resolved, resolve_pair
from dalembert.model.spanning_tree import Link, TreeEdge, groups, grow


def connect(
    bodies: Sequence[Body], joints: Sequence[Resolved], poses: Sequence[Pose], findings: Findings
) -> tuple[list[Resolved], list[TreeEdge]]:
    """The joints, with a floating one added where it is needed, and the spanning tree.

    Bodies that hang on nothing but rods, springs, gears or custom constraints float: the first of each such group gets
    a joint to the world named "free:" and its name. A group that nothing at all connects to the world is a fault.
    """
    n = len(bodies)
    joints = list(joints)
    placing = [joint for joint in joints if joint.kind.has_coordinates]
    rigid = groups(n, [(joint.parent, joint.child) for joint in placing])
    # a function of absolute poses refers to the world, whichever bodies it is about
    touching = [
        [n, *joint.incidence] if isinstance(joint.kind, CustomConstraint) else joint.incidence for joint in joints
    ]
    touched = groups(n, touching)
    served = {rigid[n]}
    for body in bodies:
        if rigid[body.index] in served:
            continue
        served.add(rigid[body.index])
        if touched[body.index] == touched[n]:
            declared = JointDeclaration(FREE_PREFIX + body.name, Floating(), WORLD, body.name)
            indices = {WORLD: n, body.name: body.index}
            joints.append(resolve_pair(declared, indices, poses, findings))
        else:
            remedy = f'for a free body write add_joint("…", da.Floating(), parent="world", child="{body.name}")'
            findings.add(f'body "{body.name}"', "a connection to the world", "none", remedy)
    links = [
        Link(j, joint.parent, joint.child, any(joint.locked), joint.declared.closes_loop)
        for j, joint in enumerate(joints)
        if joint.kind.has_coordinates
    ]
    return joints, grow(n, links)
