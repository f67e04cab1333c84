"""What a model tells of its joints, once they have their places among the coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from dalembert.model.declaration import WORLD
from dalembert.model.record import Body, Joint
from dalembert.model.resolve import Resolved
from dalembert.model.system import System


def joint_records(bodies: Sequence[Body], joints: Sequence[Resolved], system: System) -> tuple[Joint, ...]:
    """One `Joint` for each resolved joint, in their order; their options become read-only."""
    names = [body.name for body in bodies] + [WORLD]
    in_tree = set(system.tree_joint.tolist())
    records = []
    for j, joint in enumerate(joints):
        for array in (joint.options.limits, joint.options.friction):
            array.setflags(write=False)
        q, v = int(system.q_start[j]), int(system.v_start[j])
        records.append(
            Joint(
                name=joint.declared.name,
                index=j,
                kind=joint.kind,
                parent=joint.declared.parent or "",
                child=joint.declared.child or "",
                bodies=tuple(names[i] for i in joint.incidence),
                components=joint.kind.free,
                limits=joint.options.limits,
                friction=joint.options.friction,
                coincide=joint.placement.coincide,
                in_tree=j in in_tree,
                coordinates=slice(q, q + int(system.n_coordinates[j])),
                rates=slice(v, v + int(system.n_rates[j])),
            )
        )
    return tuple(records)
