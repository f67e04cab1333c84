"""Rows, graph and memory of the maximal-coordinate integrator for one model, made before a run."""

from __future__ import annotations

import numpy as np

from dalembert.integrators.maximal.graph_step import Plan, Workspace
from dalembert.integrators.maximal.graph_system import Layout
from dalembert.integrators.maximal.knot import HISTORY, Knot
from dalembert.integrators.maximal.residual import Interval, Trial
from dalembert.linalg.pattern import BlockPattern
from dalembert.model.system import CUSTOM, LOWER_PAIR, Floats, Integers, System


def active_components(system: System) -> Integers:
    """(m, 6) 1 for each component that is a row: constraints, and free components with a force of the interval.

    The spring of a free rotation is a potential at the knots and needs no row.
    """
    turning = (system.joint_kind == LOWER_PAIR) & ~system.locked[:, 3:].any(axis=1)
    stiffness = system.stiffness.copy()
    stiffness[turning, 3:] = 0.0
    forced = (stiffness > 0.0) | (system.damping > 0.0) | (system.armature > 0.0)
    return ((system.locked > 0) | forced).astype(np.int64)


def elimination_constraints(system: System, active: Integers) -> list[tuple[int, int]]:
    """Pairs of nodes (first, second) that keep the pivots of joints regular, or singular for a reason.

    A tree joint is eliminated after the body it places, which then can still move as a whole with all that hangs on it:
    its pivot has full rank. A joint that closes a loop is eliminated after all tree joints of its loop. A direction in
    which its pivot vanishes is then a constraint that follows from the others, and its row vanishes throughout: the
    rest of the system sees what is eliminated only as one rigid body does, so it cannot make up for it.
    """
    n = system.tree_joint.size
    placed_by = np.empty(n + 1, dtype=np.int64)
    above = np.full(n + 1, -1, dtype=np.int64)
    depth = np.zeros(n + 1, dtype=np.int64)
    pairs: list[tuple[int, int]] = []
    for joint, body, parent in zip(system.tree_joint, system.tree_body, system.tree_parent, strict=True):
        placed_by[body], above[body], depth[body] = joint, parent, depth[parent] + 1
        pairs.append((int(body), n + int(joint)))
    for j in system.loop_joint.tolist():
        if not (active[j] & system.locked[j]).any():
            continue
        touched = system.incidence_body[system.incidence_start[j] : system.incidence_start[j + 1]].tolist()
        if system.joint_kind[j] == CUSTOM:
            # it may hold bodies against the world
            touched.append(n)
        meeting = touched[0]
        for body in touched[1:]:
            a, b = meeting, body
            while a != b:
                if depth[a] < depth[b]:
                    a, b = b, a
                pairs.append((n + int(placed_by[a]), n + j))
                a = int(above[a])
            # with more than two bodies the paths from each to the last meeting point cover the loop
            meeting = a
    return pairs


def make_plan(system: System, active: Integers, dense: bool = False) -> tuple[Plan, BlockPattern]:
    """Lay out the Newton system: bodies are nodes 0 … n − 1, joints n … n + m − 1.

    With ``dense`` every block is kept, as if each node touched all others.
    """
    n, m = system.tree_joint.size, system.joint_kind.size
    rows = active.sum(axis=1)
    joints = np.repeat(np.arange(m), np.diff(system.incidence_start))
    moving = (system.incidence_body < n) & (rows[joints] > 0)
    edges = np.column_stack([n + joints[moving], system.incidence_body[moving]])
    if dense:
        edges = np.column_stack(np.triu_indices(n + m, 1))
    size = np.concatenate([np.full(n, 6), rows])
    pattern = BlockPattern(size, edges, order="minimum_degree", before=elimination_constraints(system, active))
    component = np.full((m, 6), -1, dtype=np.int64)
    for j in range(m):
        component[j, : rows[j]] = np.flatnonzero(active[j])
    joint_body = np.full(joints.size, -1, dtype=np.int64)
    body_joint = np.full(joints.size, -1, dtype=np.int64)
    for e in np.flatnonzero(moving).tolist():
        joint, body = n + int(joints[e]), int(system.incidence_body[e])
        joint_body[e], body_joint[e] = pattern.block(joint, body), pattern.block(body, joint)
    flat = pattern.pattern
    layout = Layout(
        active=active,
        n_rows=rows.astype(np.int64),
        component=component,
        body_block=flat.diagonal[:n].copy(),
        joint_block=flat.diagonal[n:].copy(),
        joint_body=joint_body,
        body_joint=body_joint,
        body_unknown=flat.start[:n].copy(),
        joint_unknown=flat.start[n : n + m].copy(),
    )
    closing = np.zeros(n + m, dtype=np.int64)
    closing[n + system.loop_joint] = (active & system.locked)[system.loop_joint].any(axis=1)
    return Plan(layout, flat, closing), pattern


def make_workspace(system: System, pattern: BlockPattern) -> Workspace:
    """Zeros of the right shapes."""
    n, m, edges = system.tree_joint.size, system.joint_kind.size, system.incidence_body.size
    interval = Interval(
        target=np.zeros((n + 1, 6)),
        jacobian=np.zeros((edges, 6, 6)),
        value=np.zeros((m, 6)),
        offset=np.zeros((m, 6)),
        compliance=np.zeros((m, 6)),
        turns=np.zeros((m, 4)),
        force=np.zeros((n + 1, 6)),
    )
    trial = Trial(
        velocity=np.zeros((n + 1, 6)),
        multiplier=np.zeros((m, 6)),
        position=np.zeros((n + 1, 3)),
        orientation=world_turns(n),
        value=np.zeros((m, 6)),
        jacobian=np.zeros((edges, 6, 6)),
        body=np.zeros((n + 1, 6)),
        joint=np.zeros((m, 6)),
    )
    return Workspace(
        interval=interval,
        trial=trial,
        values=pattern.values(),
        scratch=pattern.workspace(),
        deficiency=np.zeros(n + m, dtype=np.int64),
        rhs=np.zeros(pattern.n_rows),
        pose_step=np.zeros((n + 1, 6)),
        impulse_step=np.zeros((m, 6)),
        velocity=np.zeros((n + 1, 6)),
        impulse=np.zeros((m, 6)),
        block=np.zeros((3, 3)),
    )


def make_knot(system: System, coordinates: int) -> Knot:
    """An empty knot."""
    n, m = system.tree_joint.size, system.joint_kind.size
    return Knot(
        position=np.zeros((n + 1, 3)),
        orientation=world_turns(n),
        momentum=np.zeros((n + 1, 6)),
        coordinates=np.zeros(coordinates),
        history=np.zeros((HISTORY, n + 1, 6)),
        age=np.zeros(1, dtype=np.int64),
        multiplier=np.zeros((m, 6)),
        newton_constant=np.zeros(1),
    )


def world_turns(n: int) -> Floats:
    """(n + 1, 4) identity quaternions."""
    turns = np.zeros((n + 1, 4))
    turns[:, 0] = 1.0
    return turns


def typical_length(system: System) -> float:
    """The largest distance of a joint or spring from the centre of mass of a body it touches, or 1 without any."""
    moving = np.concatenate(
        [
            np.linalg.norm(system.parent_point, axis=1)[system.joint_parent < system.tree_joint.size],
            np.linalg.norm(system.child_point, axis=1)[system.joint_child < system.tree_joint.size],
        ]
    )
    longest = float(moving.max(initial=0.0))
    return longest if longest > 0.0 else 1.0
