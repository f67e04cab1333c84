"""All joints of a mechanism in numbers: pairs of bodies, custom constraints, and gears, which name other joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dalembert.model.checks import Findings, shown
from dalembert.model.declaration import JointDeclaration
from dalembert.model.joint_kind import JointKind
from dalembert.model.joints import CustomConstraint, Gear
from dalembert.model.placement import Pose
from dalembert.model.resolve import Resolved, resolve_custom, resolve_gear, resolve_pair


def resolve_joints(
    declared: Sequence[JointDeclaration], bodies: Mapping[str, int], poses: Sequence[Pose], findings: Findings
) -> list[Resolved]:
    """The joints that are sound, in their order; what is wrong with the others is in the findings."""
    resolved: list[Resolved | None] = []
    for joint in declared:
        with findings.separate() as own:
            if not isinstance(joint.kind, JointKind):
                remedy = "a kind is called: Spherical()" if isinstance(joint.kind, type) else ""
                own.add(
                    f"{joint.item}, kind",
                    "a joint kind such as da.Revolute(axis=(0, 1, 0))",
                    shown(joint.kind),
                    remedy,
                )
                resolved.append(None)
            elif isinstance(joint.kind, Gear):
                resolved.append(None)
            elif isinstance(joint.kind, CustomConstraint):
                resolved.append(resolve_custom(joint, bodies, poses, own))
            else:
                resolved.append(resolve_pair(joint, bodies, poses, own))
    # gears may name joints that were declared after them
    pairs, numbers = list(resolved), {joint.name: k for k, joint in enumerate(declared)}
    for k, joint in enumerate(declared):
        if isinstance(joint.kind, Gear):
            with findings.separate() as own:
                resolved[k] = resolve_gear(joint, numbers, pairs, poses, own)
    return [joint for joint in resolved if joint is not None]
