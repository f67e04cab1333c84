"""Where a joint sits: its frames A on the parent and B on the child, from an anchor or from local frames.

With an anchor r and the joint's turn f (the quaternion from the joint's axes to the world's), A and B coincide at the
reference configuration, so for a body (x, q): point = Q(q)ᵀ (r − x) and frame = q⁻¹ f. A local frame (p, o) gives
point = p and frame = o f; the frame that is left out then follows from the one that is given.
"""

from __future__ import annotations

from math import atan2
from typing import Any, NamedTuple

import numpy as np

from dalembert.model.checks import Findings, read_array, read_vector, shown
from dalembert.model.declaration import WORLD, JointDeclaration
from dalembert.model.frame import Frame
from dalembert.model.joints import Distance, Floating
from dalembert.model.springs import PointSpring, Spring
from dalembert.model.system import Floats

Pose = tuple[Floats, Floats]
"""(3,) position and (4,) quaternion."""


class Placement(NamedTuple):
    """The frames A and B of a joint, as in `dalembert.model.system.System`."""

    parent_point: Floats
    parent_frame: Floats
    child_point: Floats
    child_frame: Floats
    coincide: bool = False
    """Whether A and B are one at the reference configuration, so that all coordinates are zero there."""


def place_joint(declared: JointDeclaration, parent: Pose, child: Pose, findings: Findings) -> Placement:
    """The frames of a joint between two bodies with the given reference poses."""
    kind, item = declared.kind, declared.item
    turn = kind.turn(findings, item)
    framed = declared.parent_frame is not None or declared.child_frame is not None
    if framed and declared.anchor is not None:
        findings.add(item, "an anchor or frames", "both", "leave one of them out")
    if framed:
        return _from_frames(declared, parent, child, turn, findings)
    if isinstance(kind, Distance | Spring | PointSpring):
        name = "anchor" if isinstance(kind, Distance) else "points"
        points = _two_points(declared.anchor, findings, f"{item}, {name}")
        return Placement(*_local(parent, points[0], turn), *_local(child, points[1], turn))
    if declared.anchor is not None:
        anchor = read_vector(findings, f"{item}, anchor", declared.anchor)
        return Placement(*_local(parent, anchor, turn), *_local(child, anchor, turn), coincide=True)
    if isinstance(kind, Floating):
        zero, one = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
        return Placement(zero, one, zero, one)
    if kind.anchor_matters:
        findings.add(item, "an anchor", "none", "give anchor=(x, y, z) in world coordinates, or parent_frame=")
    # without a rotation the motion is the same wherever the joint sits: take the child's centre of mass
    anchor = parent[0] if declared.child == WORLD else child[0]
    return Placement(*_local(parent, anchor, turn), *_local(child, anchor, turn), coincide=True)


def _from_frames(declared: JointDeclaration, parent: Pose, child: Pose, turn: Floats, findings: Findings) -> Placement:
    sides: list[Pose | None] = []
    for name in ("parent_frame", "child_frame"):
        frame = getattr(declared, name)
        if frame is not None and not isinstance(frame, Frame):
            findings.add(f"{declared.item}, {name}", "a da.Frame(position, orientation)", shown(frame))
            frame = Frame()
        if frame is None:
            sides.append(None)
        else:
            point, orientation = frame.read(findings, f"{declared.item}, {name}")
            sides.append((point, product(orientation, turn)))
    a, b = sides
    coincide = a is None or b is None
    if a is None and b is not None:
        a = _local(parent, *in_world(child, b))
    if b is None and a is not None:
        b = _local(child, *in_world(parent, a))
    assert a is not None
    assert b is not None
    return Placement(*a, *b, coincide=coincide)


def _two_points(anchor: Any, findings: Findings, item: str) -> Floats:
    expected = "two points in the world, (point on the parent, point on the child)"
    return read_array(findings, item, anchor, (2, 3), expected)


def _local(body: Pose, point: Floats, turn: Floats) -> Pose:
    return seen_from(body, (point, turn))


def seen_from(body: Pose, frame: Pose) -> Pose:
    """A frame in the world as seen from a body."""
    from dalembert.spatial.quaternion import normalize, relative, rotate_back

    q = _tuple(body[1])
    return np.array(rotate_back(q, _tuple(frame[0] - body[0]))), np.array(normalize(relative(q, _tuple(frame[1]))))


def in_world(body: Pose, frame: Pose) -> Pose:
    """A frame of a body in the world."""
    from dalembert.spatial.quaternion import rotate

    return body[0] + np.array(rotate(_tuple(body[1]), _tuple(frame[0]))), product(body[1], frame[1])


def product(p: Floats, q: Floats) -> Floats:
    """p · q of two quaternions."""
    from dalembert.spatial.quaternion import multiply, normalize

    return np.array(normalize(multiply(_tuple(p), _tuple(q))))


def frame_distance(placement: Placement, parent: Pose, child: Pose) -> float:
    """|r_B − r_A| at the given poses."""
    a = in_world(parent, (placement.parent_point, placement.parent_frame))
    b = in_world(child, (placement.child_point, placement.child_frame))
    return float(np.linalg.norm(b[0] - a[0]))


def component(placement: Placement, parent: Pose, child: Pose, c: int) -> float:
    """A translation (c < 3) or the angle about the third axis (c = 5) at the given poses."""
    from dalembert.spatial.quaternion import relative, rotate_back

    a = in_world(parent, (placement.parent_point, placement.parent_frame))
    b = in_world(child, (placement.child_point, placement.child_frame))
    if c < 3:
        return float(rotate_back(_tuple(a[1]), _tuple(b[0] - a[0]))[c])
    p = relative(_tuple(a[1]), _tuple(b[1]))
    if p[0] < 0.0:
        p = (-p[0], -p[1], -p[2], -p[3])
    return 2.0 * atan2(p[3], p[0])


def _tuple(a: Floats) -> tuple[float, ...]:
    """Plain floats, so that kernels see one type whatever the user wrote."""
    return tuple(a.tolist())
