"""Who touches whom: geoms of one body never touch, nor bodies that a joint connects, unless they are asked to.

A joint to the world does not keep a body from touching the ground, except a `Fixed` one. Rods, springs, gears and
custom constraints keep nothing apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dalembert.model.declaration import WORLD
from dalembert.model.joints import Distance, Fixed
from dalembert.model.record import Contact, Joint


def partners(
    contacts: Sequence[Contact], joints: Sequence[Joint]
) -> tuple[list[int], list[list[int]], list[list[int]]]:
    """(choosy, wanted, barred) of each contact: whether it touches wanted ones only, these, and those it never does."""
    of_body: dict[str, set[int]] = {}
    for contact in contacts:
        of_body.setdefault(contact.body, set()).add(contact.index)
    # a contact may have the name of its body; then the name means all contacts of the body
    called = {contact.name: {contact.index} for contact in contacts} | of_body
    barred: list[set[int]] = [set() for _ in contacts]
    for joint in joints:
        if keeps_apart(joint):
            _pair(barred, of_body.get(joint.parent, ()), of_body.get(joint.child, ()))
    for contact in contacts:
        for name in contact.collide:
            for other in called.get(name, ()):
                barred[contact.index].discard(other)
                barred[other].discard(contact.index)
    for contact in contacts:
        for name in contact.ignore:
            _pair(barred, [contact.index], called.get(name, ()))
    wanted: list[set[int]] = [set() for _ in contacts]
    for contact in contacts:
        for name in contact.only or ():
            wanted[contact.index] |= called.get(name, set())
    choosy = [int(contact.only is not None) for contact in contacts]
    return choosy, [sorted(own) for own in wanted], [sorted(own) for own in barred]


def keeps_apart(joint: Joint) -> bool:
    """Whether the two bodies of a joint do not touch unless asked."""
    if not joint.kind.has_coordinates or isinstance(joint.kind, Distance) or not any(joint.kind.locked):
        return False
    return WORLD not in (joint.parent, joint.child) or isinstance(joint.kind, Fixed)


def _pair(barred: list[set[int]], ones: Iterable[int], others: Iterable[int]) -> None:
    others = list(others)
    for one in ones:
        for other in others:
            barred[one].add(other)
            barred[other].add(one)
