"""The spanning tree: which joints place the bodies and which close loops.

Breadth first from the world, at each body in the order in which its joints were declared. A body is then as few joints
away from the world as it can be, so no loop has more joints than twice the depth of the tree and one. Joints that lock
nothing come later: they place what no other joint reaches. Joints that are said to close loops come last of all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class TreeEdge(NamedTuple):
    """One joint of the tree: it places ``body`` from ``parent``."""

    joint: int
    body: int
    parent: int
    reversed: bool


class Link(NamedTuple):
    """A joint as the search sees it: whether it constrains anything, and whether it is to be used last."""

    joint: int
    parent: int
    child: int
    locks: bool
    closes: bool = False


def grow(n_bodies: int, links: Sequence[Link]) -> list[TreeEdge]:
    """The tree edges from the world (number ``n_bodies``) outwards, over the bodies that can be reached."""
    around: list[list[Link]] = [[] for _ in range(n_bodies + 1)]
    for link in links:
        around[link.parent].append(link)
        around[link.child].append(link)
    reached = [False] * (n_bodies + 1)
    reached[n_bodies] = True
    edges: list[TreeEdge] = []
    waiting = deque([n_bodies])
    loose: deque[Link] = deque()
    closing: deque[Link] = deque()
    while waiting or loose or closing:
        if waiting:
            here = waiting.popleft()
            loose.extend(link for link in around[here] if not (link.locks or link.closes))
            closing.extend(link for link in around[here] if link.closes)
            crossings = list(_crossings(here, around[here], reached))
        else:
            link = loose.popleft() if loose else closing.popleft()
            here = link.parent if reached[link.parent] else link.child
            crossings = list(_crossings(here, [link], reached, last=True))
        for edge in crossings:
            # two joints may lead from here to the same body; the first one places it
            if not reached[edge.body]:
                reached[edge.body] = True
                edges.append(edge)
                waiting.append(edge.body)
    return edges


def _crossings(here: int, links: Sequence[Link], reached: Sequence[bool], last: bool = False) -> Iterator[TreeEdge]:
    for link in links:
        other = link.child if link.parent == here else link.parent
        if (last or (link.locks and not link.closes)) and not reached[other]:
            yield TreeEdge(link.joint, other, here, other == link.parent)


def groups(n_bodies: int, connections: Sequence[Sequence[int]]) -> list[int]:
    """A number per body and for the world, equal for those that are connected. Union of sets with path halving."""
    root = list(range(n_bodies + 1))

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for bodies in connections:
        for body in bodies[1:]:
            root[find(body)] = find(bodies[0])
    return [find(i) for i in range(n_bodies + 1)]
