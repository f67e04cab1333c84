"""The symbolic phase: order, fill and every address that the numeric phase needs.

A system has nodes of 0 to 6 rows. Its matrix has a square block for each node and, for each edge {i, j}, the blocks
(i, j) and (j, i). Node c is eliminated by

    V_cj = D_c⁻¹ U_cj,    A_ij ← A_ij − L_ic V_cj        for all later neighbours i, j of c,

so the later neighbours of c become neighbours of one another. `BlockPattern` does this once on the graph and lays all
blocks, fill included, into one flat array: each block row-major without gaps; for each node in the order of elimination
its diagonal block, then the blocks L_ic below it, then the blocks U_cj beside it. The numeric phase walks the arrays of
`Pattern` and never searches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert._jit import kernel
from dalembert.linalg import orders

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Order = Literal["depth_first", "loops_last", "minimum_degree", "auto"]

LARGEST = 6
"""Largest size of a node."""

SCRATCH = 4 * LARGEST * LARGEST
"""Scratch numbers that a pivot of deficient rank needs."""


class Pattern(NamedTuple):
    """What kernels see of a `BlockPattern` (n nodes, m block pairs off the diagonal, fill included)."""

    size: Integers
    """(n,) rows of each node."""
    start: Integers
    """(n + 1,) first row of each node in a right-hand side; nodes follow one another by number."""
    order: Integers
    """(n,) the nodes in the order of elimination."""
    position: Integers
    """(n,) where each node stands in that order."""
    diagonal: Integers
    """(n,) address of each node's diagonal block in the values."""
    first: Integers
    """(n + 1,) the later neighbours of node ``order[k]`` are ``neighbour[first[k] : first[k + 1]]``."""
    neighbour: Integers
    """(m,) later neighbours, each list in the order of elimination."""
    rows: Integers
    """(m,) sizes of these neighbours."""
    lower: Integers
    """(m,) address of the block (neighbour, node); those of one node follow one another without gaps."""
    upper: Integers
    """(m,) address of the block (node, neighbour); those of one node follow one another without gaps."""
    target_start: Integers
    """(n,) address of the first target of each node of the order in ``target``."""
    target: Integers
    """(Σ d²,) for a node with d later neighbours: address of the block (i, j), j the slow index, i the fast one."""


class BlockPattern:
    """A block-sparse matrix on a graph: which blocks exist, in which order nodes go, where numbers are kept.

    Attributes:
        pattern: the arrays for the kernels.
        n_rows: rows of the matrix.
        n_values: length of the array of values.
        fill: number of block pairs that the elimination adds.
        flops: floating-point operations (additions and multiplications) of a factorisation.
        order: the name of the order that was chosen.
    """

    def __init__(
        self,
        size: ArrayLike,
        edges: ArrayLike | Iterable[tuple[int, int]],
        order: Order | Sequence[int] = "auto",
        before: ArrayLike | Iterable[tuple[int, int]] = (),
    ) -> None:
        """Choose the order and lay out the blocks.

        Args:
            size: (n,) rows of each node, 0 … 6.
            edges: pairs of nodes (i, j), i ≠ j, whose blocks (i, j) and (j, i) may be non-zero; repeats count once.
            order: "depth_first", "loops_last", "minimum_degree", "auto" (the one with the fewest operations), or the
                nodes themselves in the wanted order.
            before: pairs (first, second): node ``first`` is eliminated before node ``second``.
        """
        sizes = np.asarray(size, dtype=np.int64)
        if sizes.ndim != 1 or np.any(sizes < 0) or np.any(sizes > LARGEST):
            raise ValueError(f"sizes must be a list of integers from 0 to {LARGEST}, found {size!r}")
        pairs = _pairs(edges, len(sizes), "edges")
        precedence = [(int(i), int(j)) for i, j in _pairs(before, len(sizes), "before")]
        adjacency: list[set[int]] = [set() for _ in range(len(sizes))]
        # a block of no rows or no columns is no block
        for i, j in pairs[(sizes[pairs[:, 0]] > 0) & (sizes[pairs[:, 1]] > 0)].tolist():
            adjacency[i].add(j)
            adjacency[j].add(i)

        self.order, elimination, later = _chosen(order, adjacency, sizes.tolist(), precedence)
        counts = np.array([len(neighbours) for neighbours in later], dtype=np.int64)
        self.fill = int(counts.sum()) - sum(map(len, adjacency)) // 2
        self.flops = _flops(sizes, elimination, later)
        self.pattern = _layout(sizes, elimination, later, counts)
        self.n_rows = int(sizes.sum())
        self.n_values = _n_values(self.pattern)

    def block(self, i: int, j: int) -> int:
        """Address of block (i, j) in the values: entry (r, c) is ``values[address + r * size[j] + c]``.

        Raises KeyError if the block is outside the pattern, fill included.
        """
        p = self.pattern
        if i == j:
            return int(p.diagonal[i])
        upper = p.position[i] < p.position[j]
        node, other = (i, j) if upper else (j, i)
        k = p.position[node]
        for slot in range(p.first[k], p.first[k + 1]):
            if p.neighbour[slot] == other:
                return int(p.upper[slot] if upper else p.lower[slot])
        raise KeyError(f"there is no block ({i}, {j}): the graph has no edge between these nodes")

    def values(self) -> Floats:
        """A new zero array for the blocks."""
        return np.zeros(self.n_values)

    def workspace(self) -> Floats:
        """A new array for the scratch numbers of `factor`: one for each row, and room for a pivot block."""
        return np.zeros(self.n_rows + SCRATCH)


def _pairs(pairs: ArrayLike | Iterable[tuple[int, int]], n: int, name: str) -> Integers:
    array = np.asarray(pairs if isinstance(pairs, np.ndarray) else list(pairs), dtype=np.int64).reshape(-1, 2)  # type: ignore[arg-type]
    if np.any(array < 0) or np.any(array >= n):
        raise ValueError(f"{name} must hold node numbers from 0 to {n - 1}, found {array.min()} … {array.max()}")
    if np.any(array[:, 0] == array[:, 1]):
        raise ValueError(
            f"{name} must hold pairs of different nodes, found node {array[array[:, 0] == array[:, 1]][0, 0]} twice"
        )
    return array


def _chosen(
    order: Order | Sequence[int], adjacency: list[set[int]], size: list[int], before: list[tuple[int, int]]
) -> tuple[str, list[int], list[list[int]]]:
    """The name of the order, the order and the later neighbours, the cheapest for "auto"."""
    if not isinstance(order, str):
        given = [int(node) for node in order]
        if sorted(given) != list(range(len(size))):
            raise ValueError("an order given as a list must name every node once")
        if orders.respecting(given, before) != given:
            raise ValueError("the order given contradicts the precedence pairs")
        return "given", given, later_neighbours(adjacency, given)
    if order == "depth_first":
        names = ["depth_first"]
    elif order == "loops_last":
        names = ["loops_last"]
    elif order == "minimum_degree":
        names = ["minimum_degree"]
    elif order == "auto":
        names = ["depth_first", "minimum_degree", "loops_last"]
    else:
        raise ValueError(
            f'order must be "depth_first", "loops_last", "minimum_degree", "auto" or a list, found {order!r}'
        )
    edges = sum(map(len, adjacency)) // 2
    best: tuple[str, list[int], list[list[int]]] | None = None
    least = np.inf
    for name in names:
        if name == "depth_first":
            elimination = orders.depth_first(adjacency, before)
        elif name == "loops_last":
            elimination = orders.loops_last(adjacency, size, before)
        else:
            elimination = orders.minimum_degree(adjacency, size, before)
        later = later_neighbours(adjacency, elimination)
        cost = _flops(np.array(size, dtype=np.int64), elimination, later)
        if cost < least:
            best, least = (name, elimination, later), cost
        if sum(map(len, later)) == edges:
            break  # no fill: nothing can be cheaper
    assert best is not None
    return best


def later_neighbours(adjacency: Sequence[set[int]], order: Sequence[int]) -> list[list[int]]:
    """For each node of the order its later neighbours, fill included, in the order of elimination.

    They are the later neighbours in the graph, and those of each earlier node whose first later neighbour it is.
    """
    position = [0] * len(order)
    for k, node in enumerate(order):
        position[node] = k
    later: list[list[int]] = []
    children: list[list[int]] = [[] for _ in order]
    for k, node in enumerate(order):
        positions = {position[other] for other in adjacency[node] if position[other] > k}
        for child in children[k]:
            positions.update(position[other] for other in later[child])
        positions.discard(k)
        ordered = sorted(positions)
        if ordered:
            children[ordered[0]].append(k)
        later.append([order[other] for other in ordered])
    return later


def _flops(size: Integers, order: Sequence[int], later: Sequence[Sequence[int]]) -> int:
    """Additions and multiplications: 2 c³ to invert a pivot of size c, 2 c² w for V and 2 c w² for the updates."""
    rows = size.tolist()
    total = 0
    for node, neighbours in zip(order, later, strict=True):
        c, w = rows[node], sum([rows[other] for other in neighbours])
        total += 2 * c * (c * c + c * w + w * w)
    return total


def _layout(size: Integers, order: list[int], later: list[list[int]], counts: Integers) -> Pattern:
    n = len(size)
    nodes = np.array(order, dtype=np.int64)
    position = np.empty(n, dtype=np.int64)
    position[nodes] = np.arange(n)
    neighbour = np.array([other for neighbours in later for other in neighbours], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    squares = np.concatenate([[0], np.cumsum(counts**2)]).astype(np.int64)
    pattern = Pattern(
        size=size,
        start=np.concatenate([[0], np.cumsum(size)]).astype(np.int64),
        order=nodes,
        position=position,
        diagonal=np.zeros(n, dtype=np.int64),
        first=first,
        neighbour=neighbour,
        rows=size[neighbour],
        lower=np.zeros(len(neighbour), dtype=np.int64),
        upper=np.zeros(len(neighbour), dtype=np.int64),
        target_start=squares[:-1],
        target=np.zeros(int(squares[-1]), dtype=np.int64),
    )
    _fill_addresses(pattern)
    _fill_targets(pattern)
    return pattern


def _n_values(p: Pattern) -> int:
    off_diagonal = np.repeat(p.size[p.order], np.diff(p.first)) * p.size[p.neighbour]
    return int((p.size**2).sum() + 2 * off_diagonal.sum())


@kernel
def _fill_addresses(p):
    address = 0
    for k in range(p.order.shape[0]):
        c = p.order[k]
        p.diagonal[c] = address
        address += p.size[c] * p.size[c]
        for slot in range(p.first[k], p.first[k + 1]):
            p.lower[slot] = address
            address += p.size[c] * p.size[p.neighbour[slot]]
        for slot in range(p.first[k], p.first[k + 1]):
            p.upper[slot] = address
            address += p.size[c] * p.size[p.neighbour[slot]]


@kernel
def _fill_targets(p):
    """Addresses of the blocks (i, j) between the later neighbours of each node: merge sorted lists."""
    for k in range(p.order.shape[0]):
        a, e = p.first[k], p.first[k + 1]
        d = e - a
        for x in range(d):
            i = p.neighbour[a + x]
            base = p.target_start[k]
            p.target[base + x * d + x] = p.diagonal[i]
            slot = p.first[p.position[i]]
            for y in range(x + 1, d):
                j = p.neighbour[a + y]
                # i and j are neighbours by now, and both lists stand in the order of elimination
                while p.neighbour[slot] != j:
                    slot += 1
                p.target[base + y * d + x] = p.upper[slot]
                p.target[base + x * d + y] = p.lower[slot]
