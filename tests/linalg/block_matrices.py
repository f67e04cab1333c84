"""Random matrices on a pattern, beside their dense form, and what a slow twin says about elimination."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.pattern import BlockPattern

Floats = NDArray[np.float64]


class Matrix:
    """A pattern with values: set blocks, look at the dense form."""

    def __init__(self, size: Sequence[int], edges: Any, order: Any = "auto", before: Any = ()) -> None:
        self.layout = BlockPattern(size, edges, order, before)
        self.pattern = self.layout.pattern
        self.size = list(size)
        self.values = self.layout.values()
        self.dense = np.zeros((self.layout.n_rows, self.layout.n_rows))

    def rows(self, node: int) -> slice:
        return slice(int(self.pattern.start[node]), int(self.pattern.start[node + 1]))

    def set(self, i: int, j: int, block: Floats) -> None:
        assert block.shape == (self.size[i], self.size[j])
        if block.size:
            a = self.layout.block(i, j)
            self.values[a : a + block.size] = block.ravel()
        self.dense[self.rows(i), self.rows(j)] = block


def random_matrix(
    rng: np.random.Generator, size: Sequence[int], edges: Iterable[Any], order: Any = "auto", before: Any = ()
) -> Matrix:
    """An unsymmetric matrix, well conditioned: each diagonal block outweighs its row."""
    pairs = [(int(i), int(j)) for i, j in edges]
    matrix = Matrix(size, pairs, order, before)
    degree = np.bincount(np.array(pairs, dtype=int).ravel(), minlength=len(size))
    for i, n in enumerate(size):
        turn = np.linalg.qr(rng.normal(size=(n, n)))[0] if n else np.zeros((0, 0))
        matrix.set(i, i, 6.0 * (1 + degree[i]) * turn)
    for i, j in pairs:
        matrix.set(i, j, rng.uniform(-1.0, 1.0, size=(size[i], size[j])))
        matrix.set(j, i, rng.uniform(-1.0, 1.0, size=(size[j], size[i])))
    return matrix


def eliminated(n: int, edges: Iterable[Any], order: Sequence[int]) -> tuple[int, list[set[int]]]:
    """Eliminate nodes one by one, joining the neighbours of each: the edges added, and each node's neighbours then."""
    graph: list[set[int]] = [set() for _ in range(n)]
    for i, j in edges:
        graph[i].add(int(j))
        graph[j].add(int(i))
    fill, later = 0, []
    for node in order:
        around = graph[node]
        later.append(set(around))
        for i in around:
            graph[i].discard(node)
            new = around - graph[i] - {i}
            fill += len(new)
            graph[i] |= new
    return fill // 2, later
