"""Frames with names: from what was written to where they sit in their bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dalembert.model.checks import Findings, read_quaternion, read_vector, shown, suggestion
from dalembert.model.declaration import FrameDeclaration
from dalembert.model.frame import Frame
from dalembert.model.placement import Pose, seen_from
from dalembert.model.record import BodyFrame


def resolve_frame(
    declared: FrameDeclaration, bodies: Mapping[str, int], poses: Sequence[Pose], findings: Findings
) -> BodyFrame:
    """A frame in the axes of its body."""
    item = f'frame "{declared.name}"'
    if declared.body not in bodies:
        expected = 'the name of a body, or "world"'
        findings.add(f"{item}, body", expected, shown(declared.body), suggestion(declared.body, bodies))
    if declared.frame is not None:
        if declared.position is not None or declared.orientation is not None:
            findings.add(item, "frame= or a position and orientation in the world", "both", "leave one of them out")
        if not isinstance(declared.frame, Frame):
            findings.add(f"{item}, frame", "a da.Frame(position, orientation)", shown(declared.frame))
            position, orientation = Frame().read(findings, item)
        else:
            position, orientation = declared.frame.read(findings, item)
    else:
        given = declared.position if declared.position is not None else (0.0, 0.0, 0.0)
        turned = declared.orientation if declared.orientation is not None else (1.0, 0.0, 0.0, 0.0)
        position = read_vector(findings, f"{item}, position", given)
        orientation = read_quaternion(findings, f"{item}, orientation", turned)
        if not findings.lines:
            position, orientation = seen_from(poses[bodies[declared.body]], (position, orientation))
    for array in (position, orientation):
        array.setflags(write=False)
    return BodyFrame(declared.name, declared.body, position, orientation)
