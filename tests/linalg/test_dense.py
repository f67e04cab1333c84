"""The dense LDU of the paper against its definition and against LAPACK."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.linalg import dense


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_factors_multiply_to_the_matrix_and_solve(n):
    rng = np.random.default_rng(n)
    matrix = rng.uniform(-1.0, 1.0, size=(n, n)) + 2 * n * np.eye(n)
    f = matrix.copy()
    dense.factor(f)
    lower, upper = np.tril(f, -1) + np.eye(n), np.triu(f, 1) + np.eye(n)
    # entries are as large as 60
    np.testing.assert_allclose(lower @ np.diag(np.diag(f)) @ upper, matrix, rtol=0, atol=1e-13)
    b = rng.normal(size=n)
    x = b.copy()
    dense.solve(f, x)
    np.testing.assert_allclose(x, np.linalg.solve(matrix, b), rtol=0, atol=1e-14)
