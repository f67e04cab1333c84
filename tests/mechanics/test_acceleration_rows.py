"""The complete orthogonal decomposition against numpy's pseudo-inverse, with and without dependent rows."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.mechanics.acceleration_rows import decompose, shortest_solution


@pytest.mark.parametrize(
    ("r", "n", "rank"), [(1, 1, 1), (3, 7, 3), (7, 3, 3), (6, 6, 6), (6, 9, 4), (9, 6, 4), (5, 5, 0), (30, 20, 13)]
)
def test_equals_the_pseudo_inverse(r, n, rank):
    rng = np.random.default_rng(r * 100 + n)
    g = rng.normal(size=(r, rank)) @ rng.normal(size=(rank, n))
    b = rng.normal(size=r)
    rows, left, pivots = g.copy(), np.zeros((min(r, n), r)), np.zeros((2, r))
    order = np.zeros(r, np.int64)
    assert decompose(rows, left, pivots, order, 1e-9) == rank
    y, multiplier = np.full((1, n), np.nan), np.full(r, np.nan)
    shortest_solution(rows, left, pivots, order, rank, b, np.zeros((1, r)), y, multiplier)
    inverse = np.linalg.pinv(g, rcond=1e-9)
    assert np.abs(y[0] - inverse @ b).max() < 1e-11
    assert np.abs(multiplier - inverse.T @ y[0]).max() < 1e-11


def test_nearly_dependent_rows_are_told_apart_by_the_tolerance():
    g = np.array([[1.0, 0.0, 0.0], [1.0, 1e-5, 0.0]])
    for tolerance, rank in ((1e-4, 1), (1e-6, 2)):
        order = np.zeros(2, np.int64)
        assert decompose(g.copy(), np.zeros((2, 2)), np.zeros((2, 2)), order, tolerance) == rank
