"""The layout of blocks in one flat array, and what `BlockPattern` refuses."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.linalg import graphs
from dalembert.linalg.pattern import BlockPattern


@pytest.fixture
def layout() -> BlockPattern:
    rng = np.random.default_rng(8)
    return BlockPattern(rng.integers(0, 7, size=25), graphs.random_graph(25, 20, rng))


def test_blocks_tile_the_values(layout):
    p = layout.pattern
    count = np.zeros(layout.n_values, dtype=int)
    for i in range(25):
        count[layout.block(i, i) : layout.block(i, i) + p.size[i] ** 2] += 1
    for k in range(25):
        for slot in range(p.first[k], p.first[k + 1]):
            i, j = int(p.order[k]), int(p.neighbour[slot])
            for a in (layout.block(i, j), layout.block(j, i)):
                count[a : a + p.size[i] * p.size[j]] += 1
    assert np.all(count == 1)


def test_targets_are_the_blocks_between_the_later_neighbours(layout):
    p = layout.pattern
    for k in range(25):
        later = p.neighbour[p.first[k] : p.first[k + 1]].tolist()
        expected = [layout.block(i, j) for j in later for i in later]
        start = p.target_start[k]
        assert p.target[start : start + len(expected)].tolist() == expected


def test_flops_count_every_product(layout):
    p, total = layout.pattern, 0
    for k in range(25):
        c, later = p.size[p.order[k]], p.size[p.neighbour[p.first[k] : p.first[k + 1]]]
        total += 2 * c**3 + sum(2 * c * c * j for j in later) + sum(2 * i * c * j for i in later for j in later)
    assert layout.flops == total


def test_flops_and_storage_of_a_chain_are_linear():
    small, large = (BlockPattern([6, 5] * n, graphs.chain(2 * n)) for n in (50, 100))
    joint = BlockPattern([6, 5] * 2, graphs.chain(4))
    ends = 2 * BlockPattern([6, 5], graphs.chain(2)).flops - joint.flops
    assert large.flops == 2 * small.flops - ends
    assert large.n_values == 2 * small.n_values + 60


def test_a_given_order_is_kept():
    given = [3, 0, 2, 1]
    layout = BlockPattern([1, 2, 3, 4], graphs.chain(4), given)
    assert layout.pattern.order.tolist() == given
    assert layout.order == "given"


def test_repeated_edges_count_once():
    assert BlockPattern([2, 2], [(0, 1), (1, 0), (0, 1)]).n_values == 16


def test_an_empty_system():
    layout = BlockPattern([], [])
    assert (layout.n_rows, layout.n_values, layout.flops) == (0, 0, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([7], []), "from 0 to 6"),
        (([-1], []), "from 0 to 6"),
        (([6, 6], [(0, 2)]), "node numbers from 0 to 1"),
        (([6, 6], [(1, 1)]), "node 1 twice"),
        (([6, 6], [(0, 1)], "nested"), "order must be"),
        (([6, 6], [(0, 1)], [0, 0]), "every node once"),
        (([6, 6], [(0, 1)], [0, 1], [(1, 0)]), "contradicts"),
    ],
)
def test_mistakes_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        BlockPattern(*arguments)


def test_a_block_outside_the_pattern_is_refused():
    layout = BlockPattern([2, 2, 2], [(0, 1), (1, 2)])
    with pytest.raises(KeyError, match=r"\(0, 2\)"):
        layout.block(0, 2)
