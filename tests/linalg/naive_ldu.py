"""[Brüdigam 2023] algorithms 3 and 4 as they stand, on a dictionary of blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Blocks = dict[tuple[int, int], NDArray[np.float64]]


def children(blocks: Blocks, order: Sequence[int]) -> dict[int, list[int]]:
    """All children of each node: the earlier nodes to which it is joined, fill included, sorted by the order."""
    joined = {frozenset(key) for key in blocks if key[0] != key[1]}
    for k, node in enumerate(order):
        later = [other for other in order[k + 1 :] if frozenset((node, other)) in joined]
        joined |= {frozenset((i, j)) for i in later for j in later if i != j}
    return {node: [c for c in order[:k] if frozenset((c, node)) in joined] for k, node in enumerate(order)}


def factor(f: Blocks, order: Sequence[int]) -> None:
    """Algorithm 3 in place; absent blocks are zero. Children are cyclic if one is a child of the other."""
    everyone = children(f, order)
    for i in order:
        for c in everyone[i]:
            f.setdefault((i, c), np.zeros((len(f[i, i]), len(f[c, c]))))
            f.setdefault((c, i), np.zeros((len(f[c, c]), len(f[i, i]))))
        cyclic = [c for c in everyone[i] if any(c in everyone[d] or d in everyone[c] for d in everyone[i])]
        for c1 in (c for c in everyone[i] if c not in cyclic):
            f[i, c1] = f[i, c1] @ np.linalg.inv(f[c1, c1])
            f[c1, i] = np.linalg.inv(f[c1, c1]) @ f[c1, i]
            f[i, i] = f[i, i] - f[i, c1] @ f[c1, c1] @ f[c1, i]
        for c1 in cyclic:
            for c2 in cyclic:
                if c1 == c2:
                    break
                if c2 not in everyone[c1]:
                    continue
                f[i, c1] = f[i, c1] - f[i, c2] @ f[c2, c2] @ f[c2, c1]
                f[c1, i] = f[c1, i] - f[c1, c2] @ f[c2, c2] @ f[c2, i]
            f[i, c1] = f[i, c1] @ np.linalg.inv(f[c1, c1])
            f[c1, i] = np.linalg.inv(f[c1, c1]) @ f[c1, i]
            f[i, i] = f[i, i] - f[i, c1] @ f[c1, c1] @ f[c1, i]


def solve(f: Blocks, order: Sequence[int], rhs: dict[int, NDArray[np.float64]]) -> dict[int, NDArray[np.float64]]:
    """Algorithm 4 (for the right-hand side itself, not its negative)."""
    everyone = children(f, order)
    x = {i: rhs[i].copy() for i in order}
    for i in order:
        for c in everyone[i]:
            x[i] -= f[i, c] @ x[c]
    for i in reversed(order):
        x[i] = np.linalg.inv(f[i, i]) @ x[i]
        for parent in (j for j in order if i in everyone[j]):
            x[i] -= f[i, parent] @ x[parent]
    return x
