"""The mechanism as the Galerkin integrator sees it: a tree of *nodes*, each with one elementary motion.

A joint of the tree is one node, or several where it slides and turns, in the order met on the way outwards: the slides
along A's axes first if the joint is crossed from parent to child, last if it is crossed the other way. The screws of a
node are therefore constant in the frame it starts from, except those of a ball. Only the last node of a joint carries a
body; the others have no mass. Nodes are numbered in depth-first order; the last row of every array is the world.

A node's frame is the joint's frame after the motion, and its *reference point* the joint's point there. Every vector
reaches from one reference point to the next, so a long chain loses no digits at its end.

A joint crossed from child to parent turns by p⁻¹ and slides by −t. Inside the integrator such a ball has the quaternion
P = p⁻¹ and the angular velocity W = −Q(p) w of A relative to B in A's axes; with those it is like any other.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from dalembert.model.system import LOWER_PAIR, SCREW, UNIVERSAL, Floats, Integers, System
from dalembert.spatial.quaternion import conjugate, relative, rotate_back, row4
from dalembert.spatial.vector import row3, sub

# columns of Plan.node
MOTION: Final = 0
PARENT: Final = 1
BODY: Final = 2
FIRST: Final = 3
DOFS: Final = 4
COORDINATE: Final = 5
JOINT: Final = 6
REVERSED: Final = 7
BUFFER: Final = 8
HANDED: Final = 9
FRESH: Final = 10
AXES: Final = 11
NODE_WIDTH: Final = 14

# node[:, MOTION]
RIGID: Final = 0
SLIDE: Final = 1
TURN: Final = 2
BALL: Final = 3

# columns of Plan.fixed, in the node's frame unless said otherwise
REACH: Final = 0
SIDE: Final = 3
PITCH: Final = 7
MASS: Final = 8
ARM: Final = 9
INERTIA: Final = 12
BODY_TURN: Final = 18
FIXED_WIDTH: Final = 22

# columns of Plan.law
STIFFNESS: Final = 0
DAMPING: Final = 1
ARMATURE: Final = 2
REST: Final = 3


class Plan(NamedTuple):
    """N nodes, ν minimal rates."""

    node: Integers
    """(N + 1, 14) MOTION; PARENT node (N for the world); BODY, or −1 where there is none; FIRST minimal rate and how
    many, DOFS; COORDINATE, the first minimal coordinate; JOINT; REVERSED; BUFFER, the matrix that collects what hangs
    on the node, and whether it is HANDED on to the parent or added to the parent's; FRESH if nothing hangs on the node;
    AXES, +1, +2 of a slide, AXES of a turn: which of the three."""
    fixed: Floats
    """(N + 1, 22) REACH from the parent's reference point to where the motion starts, in the parent's frame; SIDE turn
    from the parent's frame to that of the joint there; PITCH metres per radian; MASS; ARM from the reference point to
    the centre of mass; INERTIA about it (xx, yy, zz, yz, xz, xy); BODY_TURN from the node's frame to the body's."""
    law: Floats
    """(ν, 4) STIFFNESS, DAMPING, ARMATURE and REST of each minimal rate."""
    n_buffers: int
    balls: int
    """How many nodes are balls."""


def make_plan(system: System) -> Plan:
    """Number the nodes and write down what does not change."""
    rows: list[tuple[list[int], list[float]]] = []
    law = np.zeros((system.n_v, 4))
    last: dict[int, int] = {}
    frames, points = {}, {}
    world = int(system.mass.size - 1)
    frames[world], points[world] = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for tree in _depth_first(system):
        j, body, up = int(system.tree_joint[tree]), int(system.tree_body[tree]), int(system.tree_parent[tree])
        crossed = bool(system.tree_reversed[tree])
        near = (row3(system.child_point, j), row4(system.child_frame, j))
        far = (row3(system.parent_point, j), row4(system.parent_frame, j))
        if crossed:
            near, far = far, near
        points[body], frames[body] = near
        reach = rotate_back(frames[up], sub(far[0], points[up]))
        side = relative(frames[up], far[1])
        parent = last.get(up, -1)
        components = _components(system, j)
        for k, c in enumerate(components):
            law[system.v_start[j] + k] = (
                system.stiffness[j, c],
                system.damping[j, c],
                system.armature[j, c],
                system.rest[j, c],
            )
        for motion, axes, offset in _motions(system, j, crossed):
            first, coordinate = int(system.v_start[j]) + offset, int(system.q_start[j]) + offset
            turned = [*axes, 0, 0, 0][:3]
            node = [motion, parent, -1, first, len(axes), coordinate, j, int(crossed), 0, 0, 0, *turned]
            pitch = float(system.parameter[j]) if system.joint_kind[j] == SCREW else 0.0
            rows.append((node, [*reach, *side, pitch, *(0.0,) * 14]))
            parent = len(rows) - 1
            reach, side = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
        node, fixed = rows[-1]
        node[BODY] = body
        fixed[MASS] = float(system.mass[body])
        fixed[ARM : ARM + 3] = rotate_back(near[1], sub((0.0, 0.0, 0.0), near[0]))
        fixed[INERTIA : INERTIA + 6] = _turned_inertia(system.inertia[body], near[1])
        fixed[BODY_TURN : BODY_TURN + 4] = conjugate(near[1])
        last[body] = parent
    node = np.array([row[0] for row in rows] + [[RIGID, -1, -1, 0, 0, 0, -1] + [0] * (NODE_WIDTH - 7)], dtype=np.int64)
    fixed = np.array([row[1] for row in rows] + [[0.0] * FIXED_WIDTH])
    fixed[-1, SIDE] = fixed[-1, BODY_TURN] = 1.0
    node[node[:, PARENT] < 0, PARENT] = len(rows)
    return Plan(node, fixed, law, _share_buffers(node), int((node[:, MOTION] == BALL).sum()))


def _depth_first(system: System) -> list[int]:
    """Numbers of the tree joints in depth-first order."""
    children: dict[int, list[int]] = {}
    for tree, parent in enumerate(system.tree_parent.tolist()):
        children.setdefault(parent, []).append(tree)
    order: list[int] = []
    waiting = children.get(int(system.mass.size - 1), [])[::-1]
    while waiting:
        tree = waiting.pop()
        order.append(tree)
        waiting.extend(children.get(int(system.tree_body[tree]), [])[::-1])
    return order


def _components(system: System, j: int) -> list[int]:
    """The free components of joint j in the order of its rates."""
    kind = system.joint_kind[j]
    if kind == UNIVERSAL:
        return [3, 4]
    if kind == SCREW:
        return [5]
    if kind != LOWER_PAIR:
        raise ValueError(f"joint {j} of kind {kind} has no minimal coordinates and cannot be a tree joint")
    return [c for c in range(6) if not system.locked[j, c]]


def _motions(system: System, j: int, crossed: bool) -> list[tuple[int, list[int], int]]:
    """(motion, axes, offset of its rates in the joint) of the nodes of joint j, on the way outwards."""
    kind, components = system.joint_kind[j], _components(system, j)
    slides = [c for c in components if c < 3]
    turns = [c - 3 for c in components if c >= 3]
    motions = [(SLIDE, slides, 0)] if slides else []
    if kind == LOWER_PAIR and len(turns) == 3:
        motions.append((BALL, turns, len(slides)))
    else:
        motions += [(TURN, [axis], len(slides) + k) for k, axis in enumerate(turns)]
    return (motions[::-1] if crossed else motions) or [(RIGID, [], 0)]


def _turned_inertia(inertia: Floats, frame: tuple[float, float, float, float]) -> tuple[float, ...]:
    """(xx, yy, zz, yz, xz, xy) of an inertia in body axes, in the axes of a frame fixed in the body."""
    axes = np.array([rotate_back(frame, e) for e in np.eye(3)]).T
    m = axes @ inertia @ axes.T
    return m[0, 0], m[1, 1], m[2, 2], m[1, 2], m[0, 2], m[0, 1]


def _share_buffers(node: Integers) -> int:
    """Give every node a matrix to collect in, from the leaves inwards; returns how many are needed at once.

    A node's matrix becomes that of its parent, unless another branch of the parent came first.
    """
    n = len(node) - 1
    free: list[int] = []
    held: dict[int, int] = {}
    count = 0
    for i in range(n - 1, -1, -1):
        if i not in held:
            if not free:
                free.append(count)
                count += 1
            held[i] = free.pop()
            node[i, FRESH] = 1
        parent = int(node[i, PARENT])
        node[i, BUFFER] = held[i]
        if parent == n or parent in held:
            free.append(held[i])
        else:
            node[i, HANDED] = 1
            held[parent] = held[i]
    return max(count, 1)
