"""Dense LU with pivots: solutions forwards and transposed, singular matrices, redundant rows."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.linalg.dense_lu import (
    factor_full,
    factor_lu,
    solve_full,
    solve_full_transposed,
    solve_lu,
    solve_lu_transposed,
)


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_solutions(n: int) -> None:
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(n, n)), rng.normal(size=n)
    factors, pivots = a.copy(), np.zeros(n, np.int64)
    assert factor_lu(factors, pivots)
    x, y = b.copy(), b.copy()
    solve_lu(factors, pivots, x)
    solve_lu_transposed(factors, pivots, y)
    assert np.abs(a @ x - b).max() < 1e-12
    assert np.abs(a.T @ y - b).max() < 1e-12


def test_a_zero_in_the_corner_is_no_harm_and_a_singular_matrix_is_told() -> None:
    pivots = np.zeros(2, np.int64)
    factors, x = np.array([[0.0, 2.0], [3.0, 1.0]]), np.array([2.0, 4.0])
    assert factor_lu(factors, pivots)
    solve_lu(factors, pivots, x)
    assert np.abs(x - 1.0).max() < 1e-15
    for singular in ([[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 1.0]], [[np.nan, 0.0], [0.0, 1.0]]):
        assert not factor_lu(np.array(singular), pivots)


@pytest.mark.parametrize("rank", [0, 1, 3, 5])
def test_redundant_rows_that_agree_are_solved(rank: int) -> None:
    """A matrix of rank r and a right side in its range: the rank is found and the equations hold."""
    rng = np.random.default_rng(rank)
    left, right = rng.normal(size=(5, rank)), rng.normal(size=(rank, 5))
    a = left @ right
    exchange, b = np.zeros((2, 5), np.int64), a @ rng.normal(size=5)
    factors, x = a.copy(), b.copy()
    assert factor_full(factors, exchange[0], exchange[1], 1e-10) == rank
    solve_full(factors, exchange[0], exchange[1], rank, x)
    assert np.abs(a @ x - b).max() < 1e-12
    c = a.T @ rng.normal(size=5)
    y = c.copy()
    solve_full_transposed(factors, exchange[0], exchange[1], rank, y)
    assert np.abs(a.T @ y - c).max() < 1e-12
    assert np.count_nonzero(x) <= rank
