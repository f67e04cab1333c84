"""Triangular factors: the dense answer for all sizes, digits kept where blocks are stiff, redundant rows left out."""

from __future__ import annotations

import numpy as np
import pytest
from linalg.block_matrices import Matrix, random_matrix

from dalembert.linalg import graphs
from dalembert.linalg.pivots import NOT_FINITE, REGULAR, SINGULAR
from dalembert.linalg.stiff import factor_stiff, solve_stiff


def solved(matrix: Matrix, b: np.ndarray, marked: np.ndarray | None = None) -> tuple[np.ndarray, tuple[int, int]]:
    n = len(matrix.size)
    deficiency, exchange = np.zeros(n, dtype=np.int64), np.zeros(matrix.layout.n_rows, dtype=np.int64)
    workspace = matrix.layout.workspace()
    marked = np.zeros(n, dtype=np.int64) if marked is None else marked
    status = factor_stiff(matrix.pattern, matrix.values, marked, 1e-9, workspace, exchange, deficiency)
    x = b.copy()
    if status[0] == REGULAR:
        solve_stiff(matrix.pattern, matrix.values, workspace, exchange, deficiency, x)
    return x, status


def test_sparse_equals_dense():
    rng = np.random.default_rng(3)
    for trial in range(25):
        n = int(rng.integers(1, 25))
        edges = graphs.random_graph(n, int(rng.integers(0, 20)), rng)
        matrix = random_matrix(rng, rng.integers(0, 7, size=n).tolist(), edges)
        b = rng.normal(size=matrix.layout.n_rows)
        x, status = solved(matrix, b)
        assert status == (REGULAR, -1)
        # condition numbers below 100, solutions of size 1
        np.testing.assert_allclose(x, np.linalg.solve(matrix.dense, b), rtol=0, atol=2e-14, err_msg=f"trial {trial}")


def rods_between(rng: np.random.Generator, n: int, stiffness: float) -> Matrix:
    """Masses 1 of six coordinates in a row, each tied to the next, and the first to the world, by stiff springs."""
    matrix = Matrix([6] * n, [(i, i + 1) for i in range(n - 1)])
    diagonal = [np.eye(6) for _ in range(n)]
    for i in range(n):
        for _ in range(2):
            left, right = rng.normal(size=6), rng.normal(size=6)
            diagonal[i] += stiffness * np.outer(right, right)
            if i:
                diagonal[i - 1] += stiffness * np.outer(left, left)
                coupling = matrix.dense[matrix.rows(i - 1), matrix.rows(i)] - stiffness * np.outer(left, right)
                matrix.set(i - 1, i, coupling)
                matrix.set(i, i - 1, coupling.T)
    for i in range(n):
        matrix.set(i, i, diagonal[i])
    return matrix


@pytest.mark.parametrize("stiffness", [1e6, 1e10, 1e13])
def test_what_is_left_of_the_equations_does_not_grow_with_the_stiffness(stiffness: float) -> None:
    rng = np.random.default_rng(5)
    matrix = rods_between(rng, 12, stiffness)
    b = matrix.dense @ rng.normal(size=matrix.layout.n_rows)
    x, status = solved(matrix, b)
    assert status == (REGULAR, -1)
    # backward error: what is left over the size of the terms of each row
    left = np.abs(b - matrix.dense @ x) / (np.abs(matrix.dense) @ np.abs(x))
    assert left.max() < 1e-14


def test_redundant_rows_are_left_out() -> None:
    # two bodies held to each other by the same five rows twice: the second time they add nothing
    rng = np.random.default_rng(7)
    rows, b = rng.normal(size=(5, 12)), rng.normal(size=22)
    b[17:] = b[12:17]
    matrix = Matrix([6, 6, 5, 5], [(0, 2), (1, 2), (0, 3), (1, 3)], before=[(0, 2), (1, 2), (0, 3), (1, 3)])
    for i in range(2):
        matrix.set(i, i, np.eye(6) * (1.0 + i))
        for j in (2, 3):
            matrix.set(j, i, rows[:, 6 * i : 6 * i + 6])
            matrix.set(i, j, rows[:, 6 * i : 6 * i + 6].T)
    x, status = solved(matrix, b, np.array([0, 0, 1, 1]))
    assert status == (REGULAR, -1)
    np.testing.assert_allclose(matrix.dense @ x, b, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("entry", "expected"), [(0.0, SINGULAR), (np.nan, NOT_FINITE)])
def test_a_pivot_that_is_not_regular_is_reported(entry: float, expected: int) -> None:
    matrix = random_matrix(np.random.default_rng(1), [6, 3, 5], [(0, 1), (1, 2)], [0, 1, 2])
    block = np.ones((6, 6)) if entry == 0.0 else np.full((6, 6), entry)
    matrix.set(0, 0, block)
    _, (status, node) = solved(matrix, np.ones(14))
    assert (status, node) == (expected, 0)
