"""The graph of bodies and joints, and the saddle-point systems on it.

[Brüdigam 2020] section 4.2: the pattern of the matrix is the graph of the mechanism. Bodies are nodes 0 … n − 1 with
six unknowns each, joints are nodes n … n + m − 1 with one unknown for each active row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.linalg.pattern import BlockPattern, Pattern
from dalembert.model.system import CUSTOM, Integers, System

REDUNDANT: Final = 1e-11
"""A direction of a closing joint's pivot, relative to what was cancelled in it, that counts as redundant.

At a configuration that satisfies the constraints to rounding error a redundant row shows as about 1e-15. A true
constraint that nearly loses its grip, as when bars line up within an angle ε, shows as ε².
"""


class ConstraintGraph(NamedTuple):
    """Where the blocks of bodies and joints stand in the flat values and right-hand side of the linear solver."""

    active: Integers
    """(m, 6) 1 where a component of a joint is a row of the system."""
    n_rows: Integers
    """(m,)"""
    component: Integers
    """(m, 6) component of each row."""
    closing: Integers
    """(n + m,) 1 for the nodes of joints that close loops, whose constraints may be redundant."""
    body_block: Integers
    """(n,) offset of the diagonal block of a body, 6×6."""
    joint_block: Integers
    """(m,) offset of the diagonal block of a joint, rows×rows."""
    joint_body: Integers
    """(edges,) offset of the block (joint, body), rows×6; −1 for the world."""
    body_joint: Integers
    """(edges,) offset of the block (body, joint), 6×rows."""
    body_unknown: Integers
    """(n,) first unknown of a body."""
    joint_unknown: Integers
    """(m,) first unknown of a joint."""
    pattern: Pattern


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


def constraint_graph(
    system: System, active: Integers, dense: bool = False, pairs: Sequence[tuple[int, int]] = ()
) -> tuple[ConstraintGraph, BlockPattern]:
    """Choose the order of elimination and lay out the blocks.

    With ``dense`` every block is kept, as if each node touched all others; ``pairs`` of bodies have blocks besides.
    """
    n, m = system.tree_joint.size, system.joint_kind.size
    rows = active.sum(axis=1)
    joints = np.repeat(np.arange(m), np.diff(system.incidence_start))
    moving = (system.incidence_body < n) & (rows[joints] > 0)
    edges = np.column_stack([n + joints[moving], system.incidence_body[moving]])
    edges = np.concatenate([edges, np.array(pairs, dtype=np.int64).reshape(-1, 2)])
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
    closing = np.zeros(n + m, dtype=np.int64)
    closing[n + system.loop_joint] = (active & system.locked)[system.loop_joint].any(axis=1)
    graph = ConstraintGraph(
        active=active,
        n_rows=rows.astype(np.int64),
        component=component,
        closing=closing,
        body_block=flat.diagonal[:n].copy(),
        joint_block=flat.diagonal[n:].copy(),
        joint_body=joint_body,
        body_joint=body_joint,
        body_unknown=flat.start[:n].copy(),
        joint_unknown=flat.start[n : n + m].copy(),
        pattern=flat,
    )
    return graph, pattern


@kernel
def fill_saddle(system, graph, jacobian, softness, values):
    """The matrix [[M, −Gᵀ], [G, softness·I]] of bodies and active rows."""
    values[:] = 0.0
    for i in range(system.mass.shape[0] - 1):
        fill_mass(system.mass[i], system.inertia, i, graph.body_block[i], values)
    first, n_rows, component = system.incidence_start, graph.n_rows, graph.component
    for j in range(n_rows.shape[0]):
        rows = n_rows[j]
        for r in range(rows):
            values[graph.joint_block[j] + r * (rows + 1)] = softness
            for e in range(first[j], first[j + 1]):
                lower, upper = graph.joint_body[e], graph.body_joint[e]
                fill_row(lower, upper, r, rows, component[j, r], e, jacobian, jacobian, values)


@kernel
def fill_mass(mass, inertia, i, at, values):
    """The mass matrix of body i into its diagonal block at ``at``."""
    for k in range(3):
        values[at + 7 * k] = mass
        for l in range(3):
            values[at + 6 * (3 + k) + 3 + l] = inertia[i, k, l]


@kernel
def fill_row(lower, upper, r, rows, c, e, left, right, values):
    """Row r of the ``rows`` of a joint, its component c, on edge e.

    Adds ``right[e, c]`` to the block (joint, body) at ``lower`` and −``left[e, c]`` to the block (body, joint) at
    ``upper``; the world has no blocks, ``lower`` < 0.
    """
    if lower >= 0:
        for k in range(6):
            values[lower + 6 * r + k] += right[e, c, k]
            values[upper + r + rows * k] -= left[e, c, k]
