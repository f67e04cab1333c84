"""From resolved joints and a spanning tree to the flat arrays that kernels see."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from dalembert.model.factors import pack_factors
from dalembert.model.record import Body
from dalembert.model.resolve import Resolved
from dalembert.model.spanning_tree import TreeEdge
from dalembert.model.system import FACTOR_WIDTH, Floats, Integers, System


def flatten(gravity: Floats, bodies: Sequence[Body], joints: Sequence[Resolved], tree: Sequence[TreeEdge]) -> System:
    """The `System` of a mechanism."""
    n, m = len(bodies), len(joints)
    mass, inertia = np.zeros(n + 1), np.zeros((n + 1, 3, 3))
    for body in bodies:
        mass[body.index] = body.mass
        inertia[body.index] = body.inertia

    tree_joints = [edge.joint for edge in tree]
    in_tree = set(tree_joints)
    loops = [j for j in range(m) if j not in in_tree]
    n_coordinates = [len(joint.kind.coordinate_names) for joint in joints]
    n_rates = [len(joint.kind.rate_names) for joint in joints]
    order = tree_joints + loops
    starts, factors, data = pack_factors([joint.factors for joint in joints])

    return System(
        gravity=gravity,
        mass=mass,
        inertia=inertia,
        joint_kind=_integers([joint.kind.code for joint in joints], m),
        joint_parent=_integers([joint.parent for joint in joints], m),
        joint_child=_integers([joint.child for joint in joints], m),
        parent_point=_floats([joint.placement.parent_point for joint in joints], m, 3),
        parent_frame=_floats([joint.placement.parent_frame for joint in joints], m, 4),
        child_point=_floats([joint.placement.child_point for joint in joints], m, 3),
        child_frame=_floats([joint.placement.child_frame for joint in joints], m, 4),
        locked=_integers([joint.locked for joint in joints], m, 6),
        parameter=_floats([joint.parameter for joint in joints], m),
        offset=_floats([joint.offset for joint in joints], m),
        gear_joint=_integers([joint.gear_joint for joint in joints], m, 2),
        gear_component=_integers([joint.gear_component for joint in joints], m, 2),
        product_start=_integers(starts, m + 1),
        product_factor=_integers(factors, -1, FACTOR_WIDTH),
        product_data=_floats(data, -1),
        stiffness=_floats([joint.options.stiffness for joint in joints], m, 6),
        damping=_floats([joint.options.damping for joint in joints], m, 6),
        rest=_floats([joint.options.rest for joint in joints], m, 6),
        armature=_floats([joint.options.armature for joint in joints], m, 6),
        incidence_start=_integers([0, *accumulate(len(joint.incidence) for joint in joints)], m + 1),
        incidence_body=_integers([body for joint in joints for body in joint.incidence], -1),
        q_start=_starts(order, n_coordinates),
        v_start=_starts(order, n_rates),
        n_coordinates=_integers(n_coordinates, m),
        n_rates=_integers(n_rates, m),
        n_q=sum(n_coordinates[j] for j in tree_joints),
        n_v=sum(n_rates[j] for j in tree_joints),
        tree_joint=_integers(tree_joints, n),
        tree_body=_integers([edge.body for edge in tree], n),
        tree_parent=_integers([edge.parent for edge in tree], n),
        tree_reversed=_integers([edge.reversed for edge in tree], n),
        loop_joint=_integers(loops, m - n),
    )


def _starts(order: Sequence[int], sizes: Sequence[int]) -> Integers:
    """Where each joint begins when the joints are packed in ``order``."""
    starts = np.zeros(len(order), dtype=np.int64)
    position = 0
    for j in order:
        starts[j] = position
        position += sizes[j]
    return starts


def _floats(values: Sequence[object], *shape: int) -> Floats:
    # an empty list has no shape of its own
    return np.array(values, dtype=np.float64).reshape(shape)


def _integers(values: Sequence[object], *shape: int) -> Integers:
    return np.array(values, dtype=np.int64).reshape(shape)
