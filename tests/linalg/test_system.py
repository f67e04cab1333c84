"""`BlockSystem`, the solver as an object."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from dalembert.linalg import graphs, system
from dalembert.linalg.system import BlockSystem


def random_system(seed: int) -> tuple[BlockSystem, np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(seed)
    edges = graphs.random_graph(9, 6, rng)
    size = rng.integers(0, 7, size=9)
    blocks = BlockSystem(size, edges)
    start = np.concatenate([[0], np.cumsum(size)])
    dense = np.zeros((start[-1], start[-1]))
    for i, j in [(i, i) for i in range(9)] + [(i, j) for i, j in edges] + [(j, i) for i, j in edges]:
        block = rng.uniform(-1, 1, size=(size[i], size[j])) + (20 * np.eye(size[i]) if i == j else 0.0)
        blocks.set_block(i, j, block)
        dense[start[i] : start[i + 1], start[j] : start[j + 1]] = block
    return blocks, dense, rng


def test_the_example_of_its_text():
    assert doctest.testmod(system).attempted > 0
    assert doctest.testmod(system).failed == 0


def test_to_dense_gives_what_was_set():
    blocks, dense, _ = random_system(1)
    np.testing.assert_array_equal(blocks.to_dense(), dense)
    blocks.factor()
    np.testing.assert_array_equal(blocks.to_dense(), dense)


def test_solutions():
    blocks, dense, rng = random_system(2)
    assert not blocks.factor().any()
    for b in (rng.normal(size=len(dense)), rng.normal(size=(len(dense), 3)), rng.normal(size=(len(dense), 0))):
        given = b.copy()
        # condition numbers are below 10
        np.testing.assert_allclose(blocks.solve(b), np.linalg.solve(dense, b), rtol=0, atol=1e-15)
        np.testing.assert_allclose(blocks.solve(b, refinements=1), np.linalg.solve(dense, b), rtol=0, atol=1e-15)
        np.testing.assert_allclose(blocks.solve(b, transposed=True), np.linalg.solve(dense.T, b), rtol=0, atol=1e-15)
        np.testing.assert_array_equal(b, given)


def test_refinement_follows_a_matrix_that_has_changed():
    """The factors of a nearby matrix serve as a preconditioner: each step gains the digits that both share."""
    blocks, dense, rng = random_system(3)
    blocks.factor()
    size, start = blocks.layout.pattern.size, blocks.layout.pattern.start
    node = int(np.argmax(size))
    rows = slice(start[node], start[node + 1])
    blocks.set_block(node, node, dense[rows, rows] + 1e-3 * rng.normal(size=(size[node], size[node])))
    b = rng.normal(size=len(dense))
    error = [np.abs(blocks.to_dense() @ blocks.solve(b, refinements=k) - b).max() for k in (0, 1, 2, 6)]
    assert error[0] > 1e-7
    assert error[1] < 1e-2 * error[0]
    assert error[2] < 1e-2 * error[1]
    assert error[3] < 1e-14


def test_marked_nodes_may_be_singular():
    blocks = BlockSystem([2, 2], [(0, 1)], before=[(0, 1)])
    blocks.set_block(0, 0, np.eye(2))
    blocks.set_block(0, 1, [[1.0, 1.0], [0.0, 0.0]])
    blocks.set_block(1, 0, [[1.0, 0.0], [1.0, 0.0]])
    assert blocks.factor(marked=[1]).tolist() == [0, 1]
    # x + λ₁ + λ₂ = 3, y = 5, x = 1 twice: the multipliers share 2 between them
    np.testing.assert_allclose(blocks.solve([3.0, 5.0, 1.0, 1.0]), [1.0, 5.0, 1.0, 1.0], rtol=0, atol=1e-15)


def test_mistakes_are_named():
    blocks = BlockSystem([2, 1], [(0, 1)])
    with pytest.raises(RuntimeError, match="factor"):
        blocks.solve([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"shape \(2, 1\)"):
        blocks.set_block(0, 1, [[1.0, 2.0]])
    with pytest.raises(np.linalg.LinAlgError, match="node 0 is singular"):
        BlockSystem([2], []).factor()
    blocks.set_block(0, 0, [[1.0, 0.0], [0.0, np.nan]])
    blocks.set_block(1, 1, [[1.0]])
    with pytest.raises(np.linalg.LinAlgError, match="node 0 is not finite"):
        blocks.factor()
    blocks.set_block(0, 0, np.eye(2))
    blocks.factor()
    with pytest.raises(ValueError, match="3 rows"):
        blocks.solve([1.0, 2.0])
    with pytest.raises(ValueError, match="transposed"):
        blocks.solve([1.0, 2.0, 3.0], transposed=True, refinements=1)
