"""Graphs to try a solver on: chains, trees, ladders, nets and crystals, as (edges, 2) integer arrays.

The three graphs with loops are those of [Brüdigam 2023] section 5.2, figure 9(b–d).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def lattice(*shape: int) -> Integers:
    """Edges between the neighbours of a rectangular lattice; node numbers run fastest along the last axis."""
    node = np.arange(int(np.prod(shape))).reshape(shape)
    pairs = [np.empty((0, 2), dtype=np.int64)]
    for axis, length in enumerate(shape):
        first = np.take(node, range(length - 1), axis).ravel()
        second = np.take(node, range(1, length), axis).ravel()
        pairs.append(np.stack([first, second], axis=1))
    return np.concatenate(pairs)


def chain(nodes: int) -> Integers:
    """Nodes in a row, each joined to the next."""
    return lattice(nodes)


def ladder(nodes: int) -> Integers:
    """Loops of four nodes in a row, each sharing two nodes with the next; ``nodes`` is even."""
    if nodes < 2 or nodes % 2:
        raise ValueError(f"a ladder needs an even number of nodes, found {nodes}")
    return lattice(nodes // 2, 2)


def net(side: int) -> Integers:
    """A square net of side × side nodes."""
    return lattice(side, side)


def crystal(side: int) -> Integers:
    """A cube of side³ nodes, each joined to its neighbours along the three axes."""
    return lattice(side, side, side)


def random_tree(nodes: int, rng: np.random.Generator) -> Integers:
    """Every node but the first is joined to one of the earlier nodes."""
    second = np.arange(1, nodes, dtype=np.int64)
    first = np.array([rng.integers(node) for node in second], dtype=np.int64)
    return np.stack([first, second], axis=1)


def random_graph(nodes: int, extra: int, rng: np.random.Generator) -> Integers:
    """A random tree with ``extra`` more edges at most: repeated ones and those from a node to itself are left out."""
    more = rng.integers(nodes, size=(extra, 2))
    edges = np.sort(np.concatenate([random_tree(nodes, rng), more]), axis=1)
    return np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0)
