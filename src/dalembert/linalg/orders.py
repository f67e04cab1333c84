"""In which order to eliminate the nodes of a graph.

Eliminating a node joins all its remaining neighbours with one another; the edges that did not exist before are the
fill. A tree eliminated from its leaves has none. Three orders are offered:

- `depth_first`, [Brüdigam 2023] section 4: nodes in the reverse of the order in which a depth-first search finds them.
  Every edge that is not in the search tree leads from a node to one of its ancestors, so fill stays on the loops,
  between the nodes of a loop and the node that opens it.
- `loops_last`, [Brüdigam 2020] section 4.3: the nodes that close loops are taken out, what remains is a forest and is
  eliminated without fill, the loop-closing nodes come last and form a dense block.
- `minimum_degree`, [George & Liu 1989]: always the node with the fewest remaining neighbours.

Each respects ``before``: a list of pairs (first, second) such that ``first`` must be eliminated before ``second``.
Nodes of a zero diagonal block need this: they have a pivot only after one of their neighbours is eliminated.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

Adjacency = Sequence[set[int]]
Precedence = Sequence[tuple[int, int]]


def depth_first(adjacency: Adjacency, before: Precedence = ()) -> list[int]:
    """The nodes in the reverse of the order in which a depth-first search finds them, from each component's first."""
    found, _ = search(adjacency)
    return respecting(found[::-1], before)


def loops_last(adjacency: Adjacency, size: Sequence[int], before: Precedence = ()) -> list[int]:
    """Depth-first order with one end of every loop-closing edge, the smaller node, moved to the end."""
    found, parent = search(adjacency)
    position = {node: k for k, node in enumerate(found)}
    last: set[int] = set()
    for node in found:
        for other in adjacency[node]:
            closes = parent[node] != other and parent[other] != node and position[other] < position[node]
            if closes and node not in last and other not in last:
                last.add(other if size[other] < size[node] else node)
    order = [node for node in reversed(found) if node not in last]
    return respecting(order + [node for node in reversed(found) if node in last], before)


def minimum_degree(adjacency: Adjacency, size: Sequence[int], before: Precedence = ()) -> list[int]:
    """The node whose remaining neighbours have the least total size comes next; ties go to the lower number.

    The graph during elimination is kept as a quotient graph: an eliminated node becomes an element, and its neighbours
    are the members of that element. An element whose members all belong to a newer one is absorbed, so storage never
    grows beyond that of the graph. The degree is the upper bound of [Amestoy, Davis & Duff 1996]: the newest element of
    a node counts in full, an older one with what it holds outside the newest; what two older ones share counts twice.
    """
    n = len(adjacency)
    waiting, followers = _precedence(n, before)
    variables = [set(neighbours) for neighbours in adjacency]  # neighbours by an edge not yet covered by an element
    elements: list[set[int]] = [set() for _ in range(n)]  # elements that the node belongs to
    members: dict[int, set[int]] = {}  # variables of each living element
    weight: dict[int, int] = {}  # total size of each living element
    degree = [sum(size[other] for other in variables[node]) for node in range(n)]
    heap = [(degree[node], node) for node in range(n) if waiting[node] == 0]
    heapify(heap)
    done = [False] * n
    order: list[int] = []
    while heap:
        known, pivot = heappop(heap)
        if done[pivot] or known != degree[pivot]:
            continue
        done[pivot] = True
        order.append(pivot)
        front = variables[pivot]
        for element in elements[pivot]:
            front |= members.pop(element)
        front.discard(pivot)
        absorbed = elements[pivot]
        total = sum(size[node] for node in front)
        if front:
            members[pivot], weight[pivot] = front, total
        # what each neighbouring element holds outside the new one
        outside: dict[int, int] = {}
        for node in front:
            elements[node] -= absorbed
            for element in elements[node]:
                outside[element] = outside.get(element, weight[element]) - size[node]
        covered = {element for element, rest in outside.items() if rest == 0}
        for node in front:
            variables[node] -= front
            variables[node].discard(pivot)
            elements[node] -= covered
            bound = total - size[node] + sum([size[other] for other in variables[node]])
            bound += sum([outside[element] for element in elements[node]])
            elements[node].add(pivot)
            degree[node] = bound
            if waiting[node] == 0:
                heappush(heap, (bound, node))
        for element in covered:
            del members[element]
        for node in followers[pivot]:
            waiting[node] -= 1
            if waiting[node] == 0:
                heappush(heap, (degree[node], node))
    if len(order) < n:
        raise ValueError("the precedence pairs contradict one another: they form a cycle")
    return order


def search(adjacency: Adjacency) -> tuple[list[int], list[int]]:
    """Depth-first search: the nodes in the order they are found, and each node's parent (−1 for a root)."""
    n = len(adjacency)
    parent = [-1] * n
    seen = [False] * n
    found: list[int] = []
    for root in range(n):
        if seen[root]:
            continue
        stack = [(root, -1)]
        while stack:
            node, origin = stack.pop()
            if seen[node]:
                continue
            seen[node] = True
            parent[node] = origin
            found.append(node)
            stack.extend((other, node) for other in sorted(adjacency[node], reverse=True) if not seen[other])
    return found, parent


def respecting(order: list[int], before: Precedence) -> list[int]:
    """The order closest to ``order`` that respects the pairs: always the earliest node whose predecessors are done."""
    if not len(before):
        return order
    waiting, followers = _precedence(len(order), before)
    position = [0] * len(order)
    for k, node in enumerate(order):
        position[node] = k
    heap = [k for k, node in enumerate(order) if waiting[node] == 0]
    result: list[int] = []
    while heap:
        node = order[heappop(heap)]
        result.append(node)
        for other in followers[node]:
            waiting[other] -= 1
            if waiting[other] == 0:
                heappush(heap, position[other])
    if len(result) < len(order):
        raise ValueError("the precedence pairs contradict one another: they form a cycle")
    return result


def _precedence(n: int, before: Precedence) -> tuple[list[int], list[list[int]]]:
    """How many predecessors each node waits for, and which nodes wait for it."""
    waiting = [0] * n
    followers: list[list[int]] = [[] for _ in range(n)]
    for first, second in before:
        waiting[second] += 1
        followers[first].append(second)
    return waiting, followers
