"""What the tree solver knows about a mechanism before the first step, and the memory it works in.

Bodies of an open tree are renumbered into *slots* in depth-first order, so that a chain lies in memory as it hangs in
space. Slot i holds the body that its tree joint places, seen from one frame H_i that is fixed in it: the joint's own
frame there (B, or A where the joint is crossed from child to parent), with the joint's point as the *reference point*
of the slot. Nothing below this file knows positions in the world: every vector reaches from one reference point to the
next, and that is why a chain of a thousand links loses no digits at its end.

The last row of every array over slots stands for the world.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from dalembert.integrators.maximal.tree_loop_paths import widest
from dalembert.integrators.maximal.tree_loop_plan import find_paths, make_loops
from dalembert.integrators.maximal.tree_loops import CLOSING, STRANDS, Loops
from dalembert.model.system import CUSTOM, LOWER_PAIR, PRODUCT, SCREW, UNIVERSAL, Floats, Integers, System
from dalembert.spatial.quaternion import conjugate, relative, rotate_back, row4
from dalembert.spatial.vector import row3, sub

# columns of Tree.slot
BODY: Final = 0
PARENT: Final = 1
JOINT: Final = 2
SHAPE: Final = 3
FIRST: Final = 4
DOFS: Final = 5
REVERSED: Final = 6
TURNING: Final = 7
FREE_X: Final = 8
COORDINATE: Final = 11
RATE: Final = 12
SPRUNG: Final = 13
BRANCHED: Final = 14
TIED: Final = 15
SLOT_WIDTH: Final = 16

# slot[:, SHAPE]: which of the specialised eliminations a joint takes
RIGID: Final = 0
HINGE: Final = 1
SLIDER: Final = 2
BALL: Final = 3
GENERAL: Final = 4

# slot[:, TURNING]: how the joint turns
NO_TURN: Final = 0
ANGLE: Final = 1
TWO_ANGLES: Final = 2
FREE_TURN: Final = 3

# columns of Tree.row. First what the solver leaves and needs most:
BLOCK: Final = 0
PIVOT: Final = 36
TWIST: Final = 63
# constant over a run, in H:
MASS: Final = 69
ARM_H: Final = 70
REACH_H: Final = 73
SIDE_H: Final = 76
INERTIA_H: Final = 80
PITCH: Final = 86
BODY_TURN: Final = 87
# at the start of the interval, vectors in world axes:
FRAME: Final = 91
ARM: Final = 95
REACH: Final = 98
AXIS: Final = 101
INERTIA: Final = 104
TARGET: Final = 110
OFFSET: Final = 116
SIDE: Final = 119
# over and at the end of the interval:
TURN: Final = 123
SHIFT: Final = 127
ARM_END: Final = 130
REACH_END: Final = 133
AXIS_END: Final = 136
MOMENTUM: Final = 139
WRENCH: Final = 145
ROW_WIDTH: Final = 152

# columns of Tree.dof. The law of the coordinate, constant over a run:
STIFFNESS: Final = 0
DAMPING: Final = 1
ROTOR: Final = 2
REST: Final = 3
# its step over the interval:
STEP: Final = 4
COSINE: Final = 5
NEWTON: Final = 6
LOAD: Final = 7
CARRIED: Final = 8
OLD_STEP: Final = 9
OLD_COSINE: Final = 10
OLD_NEWTON: Final = 11
PAST: Final = 12
PIVOT_SIDE: Final = 16
GROWTH: Final = 17
HALF_COSINE: Final = 18
HALF_SINE: Final = 19
# in general joints its screws and what its elimination leaves:
LEFT: Final = 20
RIGHT: Final = 26
RAISED: Final = 32
PULLED: Final = 38
INVERSE: Final = 44
DOF_WIDTH: Final = 50


class Tree(NamedTuple):
    """An open tree of n bodies with ν degrees of freedom, and the memory of its solver.

    Three arrays, because handing more of them from function to function costs as much as a hinge's step. What closed
    loops need stands apart and is missing in open trees.
    """

    slot: Integers
    """(n + 1, 16) BODY its body; PARENT slot (n for the world); JOINT; SHAPE; FIRST of its degrees of freedom and how
    many, DOFS; REVERSED; TURNING; FREE_X, +1, +2 whether translations 1, 2, 3 are free; COORDINATE and RATE, where the
    joint's coordinates and rates start; SPRUNG, whether an interval force acts on its coordinates; BRANCHED, whether a
    slot other than the next hangs on it; TIED, whether loops are solved across or at it."""
    row: Floats
    """(n + 1, 152). BLOCK articulated matrix (6×6), end twists to residual wrenches; PIVOT what the elimination of a
    hinge, slider or ball leaves for the solution; TWIST Newton increment of the end pose (displacement of the reference
    point, turn in world axes).

    MASS; ARM_H from the reference point to the centre of mass; REACH_H from the parent's reference point to the joint's
    point on the parent, in the parent's H; SIDE_H turn from the parent's H to the joint's frame there; INERTIA_H (xx,
    yy, zz, yz, xz, xy); PITCH metres per radian of a screw; BODY_TURN from H to the body's own axes.

    FRAME quaternion of H; ARM; REACH from the parent's reference point to the reference point; AXIS of a hinge or
    slider; INERTIA; TARGET momentum P; OFFSET from the joint's point on the parent to the reference point; SIDE
    quaternion of the joint's frame on the parent (not of rigid joints and hinges).

    TURN of the interval; SHIFT of the reference point; ARM_END, REACH_END, AXIS_END at its end; MOMENTUM p⁻; WRENCH the
    residual about the reference point."""
    dof: Floats
    """(ν, 50). STIFFNESS, DAMPING, ROTOR inertia, REST of the coordinate.

    STEP over the interval (sine of half the angle; metres; vector part of a free turn); COSINE of half the angle;
    NEWTON increment; LOAD known impulse on the coordinate; CARRIED right impulse of the interval before; OLD_STEP,
    OLD_COSINE, OLD_NEWTON where a line search starts and goes; PAST four steps, newest first; PIVOT_SIDE D⁻¹ times the
    residual; GROWTH κ; HALF_COSINE and HALF_SINE of half a hinge's angle at the knot.

    LEFT and RIGHT screw, columns U (RAISED) and rows X = D⁻¹V (PULLED) of the elimination, rows of D⁻¹ (INVERSE)."""
    loops: Loops | None
    """The joints outside the tree, if there are any and the solver sees to them."""


def refusal(system: System) -> str | None:
    """Why the tree solver cannot take this mechanism, or None if it can."""
    if (system.joint_kind == CUSTOM).any():
        return "the mechanism has constraints that are functions of the user"
    if (system.joint_kind == PRODUCT).any():
        return "the mechanism has joints whose axes change with their coordinates"
    return None


WIDE: Final = 48
"""Coupled ties carried over one joint beyond which the graph's elimination is faster than the tree's."""


def too_wide(system: System) -> str | None:
    """Why the graph solver is faster for this mechanism, or None if the tree solver is.

    The measure is the number of equations of loops that are open at one joint of the tree: the work on them grows with
    its square, and a net of many meshes opens many.
    """
    if not system.loop_joint.size:
        return None
    order, parent = _depth_first(system)
    n = len(order)
    body = np.append(system.tree_body[order], n)
    width = widest(find_paths(system, body, np.append(parent, n)))
    return f"{width} equations of loops are open at one joint, more than {WIDE}" if width > WIDE else None


def make_tree(system: System, *, with_loops: bool = True) -> Tree:
    """Number the slots and write down each in its own frame; ``with_loops``: and the joints outside the tree."""
    n = system.tree_joint.size
    order, parent = _depth_first(system)
    joints = system.tree_joint[order]
    slot = np.zeros((n + 1, SLOT_WIDTH), np.int64)
    row = np.zeros((n + 1, ROW_WIDTH))
    dof = np.zeros((int(system.n_rates[joints].sum()), DOF_WIDTH))
    slot[n, BODY], slot[n, PARENT], slot[n, JOINT] = n, n, -1
    frames = [(1.0, 0.0, 0.0, 0.0)] * (n + 1)
    points = [(0.0, 0.0, 0.0)] * (n + 1)
    first = 0
    for i, (tree, j) in enumerate(zip(order, joints, strict=True)):
        crossed = bool(system.tree_reversed[tree])
        near = (row3(system.child_point, j), row4(system.child_frame, j))
        far = (row3(system.parent_point, j), row4(system.parent_frame, j))
        if crossed:
            near, far = far, near
        points[i], frames[i] = near
        b, up = system.tree_body[tree], parent[i]
        row[i, MASS] = system.mass[b]
        row[i, ARM_H : ARM_H + 3] = rotate_back(frames[i], tuple(-x for x in points[i]))
        row[i, REACH_H : REACH_H + 3] = rotate_back(frames[up], sub(far[0], points[up]))
        row[i, SIDE_H : SIDE_H + 4] = relative(frames[up], far[1])
        row[i, INERTIA_H : INERTIA_H + 6] = _turned_inertia(system.inertia[b], frames[i])
        row[i, BODY_TURN : BODY_TURN + 4] = conjugate(frames[i])
        row[i, PITCH] = system.parameter[j] if system.joint_kind[j] == SCREW else 0.0
        slot[i, BODY], slot[i, PARENT], slot[i, JOINT], slot[i, REVERSED] = b, up, j, crossed
        slot[up, BRANCHED] |= up != i - 1
        slot[i, FIRST], slot[i, DOFS] = first, system.n_rates[j]
        slot[i, COORDINATE], slot[i, RATE] = system.q_start[j], system.v_start[j]
        components = _describe(system, int(j), slot[i])
        for k, c in enumerate(components):
            law = (system.stiffness[j, c], system.damping[j, c], system.armature[j, c], system.rest[j, c])
            dof[first + k, STIFFNESS : REST + 1] = law
        first += len(components)
    row[n, FRAME] = row[n, SIDE] = row[n, TURN] = 1.0
    loops = None
    if with_loops and system.loop_joint.size:
        paths = find_paths(system, slot[:, BODY], slot[:, PARENT])
        loops = make_loops(system, paths, slot[:, BODY], slot[:, PARENT], frames, points)
        slot[:n, TIED] = loops.at[:n, STRANDS] > 0
        passes = loops.at[:n, STRANDS] > loops.at[:n, CLOSING]
        # ties pass hinges and rigid joints in a way of their own, and all others in the general one
        slot[:n, SHAPE][passes & np.isin(slot[:n, SHAPE], (SLIDER, BALL))] = GENERAL
    return Tree(slot, row, dof, loops)


def _depth_first(system: System) -> tuple[list[int], list[int]]:
    """Tree joints in depth-first order and the slot of each one's parent."""
    n = system.tree_joint.size
    children: dict[int, list[int]] = {}
    for tree in range(n):
        children.setdefault(int(system.tree_parent[tree]), []).append(tree)
    order: list[int] = []
    parent: list[int] = []
    waiting = [(tree, n) for tree in reversed(children.get(n, []))]
    while waiting:
        tree, up = waiting.pop()
        here = len(order)
        order.append(tree)
        parent.append(up)
        waiting.extend((t, here) for t in reversed(children.get(int(system.tree_body[tree]), [])))
    return order, parent


def _describe(system: System, j: int, slot: Integers) -> list[int]:
    """Fill in how the joint moves; its free components in the order of its rates."""
    kind, free = system.joint_kind[j], system.locked[j] == 0
    if kind == UNIVERSAL:
        turning, components = TWO_ANGLES, [3, 4]
    elif kind == SCREW:
        turning, components = ANGLE, [5]
    elif kind == LOWER_PAIR:
        slot[FREE_X : FREE_X + 3] = free[:3]
        turning = FREE_TURN if free[3:].all() else ANGLE if free[5] else NO_TURN
        components = [int(c) for c in np.flatnonzero(free)]
    else:
        raise ValueError(f"joint {j} of kind {kind} has no minimal coordinates and cannot be a tree joint")
    compliant = [c for c in components if turning != FREE_TURN or c < 3]
    slot[TURNING] = turning
    slot[SPRUNG] = bool(
        system.damping[j, components].any()
        or system.armature[j, components].any()
        or system.stiffness[j, compliant].any()
    )
    slot[SHAPE] = GENERAL
    if not components:
        slot[SHAPE] = RIGID
    elif components == [5] and kind == LOWER_PAIR:
        slot[SHAPE] = HINGE
    elif len(components) == 1 and turning == NO_TURN:
        slot[SHAPE] = SLIDER
    elif components == [3, 4, 5] and not slot[SPRUNG]:
        slot[SHAPE] = BALL
    return components


def _turned_inertia(inertia: Floats, frame: tuple[float, float, float, float]) -> tuple[float, ...]:
    """(xx, yy, zz, yz, xz, xy) of an inertia in body axes, in the axes of a frame fixed in the body."""
    axes = np.array([rotate_back(frame, e) for e in np.eye(3)]).T
    turned = axes @ inertia @ axes.T
    return turned[0, 0], turned[1, 1], turned[2, 2], turned[1, 2], turned[0, 2], turned[0, 1]
