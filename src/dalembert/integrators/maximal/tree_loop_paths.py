"""Which slots the impulses of a link are carried over, and which links meet there: graph code without mechanics."""

from __future__ import annotations

from dataclasses import dataclass

from dalembert.model.system import Integers


@dataclass
class Path:
    """A link as seen from the tree."""

    joint: int
    components: list[int]
    """Its ties, as components of its joint."""
    apex: int
    """The nearest common ancestor of the slots that it touches; n for the world."""
    passes: set[int]
    """Slots whose joints lie between its ends and the apex: its ties are carried over them."""
    net: int = -1
    """The same number for links whose impulses are coupled before they are eliminated."""
    first_tie: int = -1


def paths_of(parent: Integers, links: list[tuple[int, list[int], list[int]]]) -> list[Path]:
    """Paths of links (joint, components, slots touched) in the order of their elimination, ties numbered.

    ``parent`` (n + 1,) is the parent slot of each slot, n for the world. Links with one apex come together, those
    coupled with others that are carried on from there last.
    """
    paths = []
    for joint, components, ends in links:
        apex = meeting(parent, ends)
        passes: set[int] = set()
        for a in ends:
            while a != apex:
                passes.add(a)
                a = int(parent[a])
        paths.append(Path(joint, components, apex, passes))
    _find_nets(paths)
    onward = {slot: path.net for path in paths for slot in path.passes}
    paths.sort(key=lambda path: (path.apex, onward.get(path.apex) == path.net, path.net, path.joint))
    ties = 0
    for path in paths:
        path.first_tie = ties
        ties += len(path.components)
    return paths


def meeting(parent: Integers, slots: list[int]) -> int:
    """The nearest common ancestor of some slots, themselves included. A parent's number is below its children's."""
    n = parent.size - 1
    a = slots[0]
    for b in slots[1:]:
        while a != b:
            # the world, slot n, is above all others
            if b == n or (a != n and a > b):
                a = int(parent[a])
            else:
                b = int(parent[b])
    return a


def strands_of(paths: list[Path]) -> list[tuple[int, int, bool]]:
    """(slot, tie, whether the tie is carried on from there) by slot: at each those that end there first, in order."""
    strands = []
    for path in paths:
        for tie in range(path.first_tie, path.first_tie + len(path.components)):
            strands.append((path.apex, tie, False))
            strands.extend((slot, tie, True) for slot in path.passes)
    return sorted(strands, key=lambda strand: (strand[0], strand[2], strand[1]))


def widest(paths: list[Path]) -> int:
    """The largest number of coupled ties that are carried over one joint."""
    load: dict[int, int] = {}
    for path in paths:
        for slot in path.passes:
            load[slot] = load.get(slot, 0) + len(path.components)
    return max(load.values(), default=0)


def _find_nets(paths: list[Path]) -> None:
    """Impulses are coupled when they pass one joint, or each of them one with a third."""
    root = list(range(len(paths)))

    def find(k: int) -> int:
        while root[k] != k:
            k = root[k]
        return k

    first_on: dict[int, int] = {}
    for k, path in enumerate(paths):
        for slot in path.passes:
            root[find(k)] = find(first_on.setdefault(slot, k))
    for k, path in enumerate(paths):
        path.net = find(k)
