"""Names and connections of a URDF file: one tree from one root, loops only where a ``<loop_joint>`` closes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dalembert.formats.urdf.read_joint import SINGLE
from dalembert.formats.urdf.records import Link, Record, UrdfJoint
from dalembert.formats.xml_reader import Remarks
from dalembert.formats.xml_source import Element
from dalembert.model.checks import suggestion


def check_structure(root: Element, links: Sequence[Link], joints: Sequence[UrdfJoint], remarks: Remarks) -> None:
    """Note every name that is used twice or not known, and every link that is not placed by exactly one joint."""
    if not links:
        remarks.fault(root.place(), "robot", "at least one <link>", "none")
        return
    _check_names("link", [(link.name, link) for link in links], remarks)
    _check_names("joint", [(joint.name, joint) for joint in joints], remarks)
    names = {link.name for link in links}
    placed: dict[str, UrdfJoint] = {}
    sound = True
    for joint in joints:
        ends = [name for name in (joint.parent, joint.child) if name]
        for side, name in (("parent", joint.parent), ("child", joint.child)):
            if name and name not in names:
                sound = False
                at = _child_place(joint, side)
                remarks.fault(at, f"{joint.item}, {side}", "the name of a link", f'"{name}"', suggestion(name, names))
        if len(ends) == 2 and ends[0] == ends[1]:
            sound = False
            remarks.fault(joint.place(), joint.item, "two different links", f'"{ends[0]}" twice')
        if joint.closes_loop or not joint.child:
            continue
        if joint.child in placed:
            sound = False
            first = placed[joint.child]
            expected = f'one joint that places link "{joint.child}"'
            remedy = f"{first.item} on line {_line(first)} does; write a joint that closes a loop as <loop_joint>"
            remarks.fault(joint.place(), joint.item, expected, "a second one", remedy)
        else:
            placed[joint.child] = joint
    if sound and not remarks.faults.lines:
        _check_tree(links, placed, remarks)
    _check_mimics(joints, remarks)


def _check_names(noun: str, named: Iterable[tuple[str, Record]], remarks: Remarks) -> None:
    seen: dict[str, Record] = {}
    for name, record in named:
        if not name:
            # a missing name has its own fault
            continue
        if name in seen:
            item, first = f'{noun} "{name}"', _line(seen[name])
            remarks.fault(record.place("name"), item, "different names", f"a name that line {first} has taken")
        else:
            seen[name] = record


def _check_tree(links: Sequence[Link], placed: dict[str, UrdfJoint], remarks: Remarks) -> None:
    """One root; every other link leads to it."""
    roots = [link for link in links if link.name not in placed]
    for link in roots[1:]:
        item, expected = f'link "{link.name}"', "a joint that places it"
        remedy = f'the root is link "{roots[0].name}", and there is only one'
        remarks.fault(link.place(), item, expected, "none", remedy)
    reached = {link.name for link in roots}
    for link in links:
        path: list[str] = []
        name = link.name
        while name not in reached and name not in path:
            path.append(name)
            name = placed[name].parent
        if name not in reached:
            around = path[path.index(name) :]
            joint = placed[around[0]]
            remedy = "write the joint that closes the loop as <loop_joint>"
            found = " → ".join(reversed([*around, around[0]]))
            remarks.fault(joint.place(), joint.item, "joints that form a tree", f"a loop of links: {found}", remedy)
        reached.update(path)


def _check_mimics(joints: Sequence[UrdfJoint], remarks: Remarks) -> None:
    by_name = {joint.name: joint for joint in joints}
    for joint in joints:
        mimic = joint.mimic
        if mimic is None:
            continue
        place, item = mimic.place("joint"), f"{joint.item}, mimic"
        if mimic.joint not in by_name:
            if mimic.joint:
                remedy = suggestion(mimic.joint, by_name)
                remarks.fault(place, item, "the name of a joint", f'"{mimic.joint}"', remedy)
            continue
        for one in (joint, by_name[mimic.joint]):
            if one.type not in (*SINGLE, "fixed"):
                remarks.fault(
                    place, item, "joints with one coordinate", f"{one.item}, which is {one.type or 'nothing'}"
                )
        seen = [joint.name]
        follower = mimic
        while follower is not None and follower.joint in by_name:
            if follower.joint in seen:
                if follower.joint == joint.name:
                    found = " → ".join([*seen, joint.name])
                    remarks.fault(
                        place, item, "a joint that moves by itself", f"joints that follow each other: {found}"
                    )
                break
            seen.append(follower.joint)
            follower = by_name[follower.joint].mimic


def _line(record: Record) -> int:
    return record.element.line if record.element is not None else 0


def _child_place(joint: UrdfJoint, tag: str) -> str:
    if joint.element is not None:
        for child in joint.element.children:
            if child.tag == tag:
                return child.place("link")
    return joint.place()
