"""Tuples as vectors, against numpy."""

from __future__ import annotations

import numpy as np

from dalembert.spatial import vector

RNG = np.random.default_rng(22)
U, V = RNG.normal(size=(2, 3))
SIX = RNG.normal(size=(1, 6))
u, v = (U[0], U[1], U[2]), (V[0], V[1], V[2])


def test_sums_and_products():
    np.testing.assert_array_equal(vector.add(u, v), U + V)
    np.testing.assert_array_equal(vector.sub(u, v), U - V)
    np.testing.assert_array_equal(vector.scale(2.5, u), 2.5 * U)
    np.testing.assert_allclose(vector.axpy(2.5, u, v), 2.5 * U + V, atol=1e-15)
    np.testing.assert_allclose(vector.cross(u, v), np.cross(U, V), atol=1e-15)
    assert abs(vector.dot(u, v) - U @ V) < 1e-15
    assert abs(vector.norm(u) - np.linalg.norm(U)) < 1e-15


def test_rows_of_arrays():
    a = RNG.normal(size=(4, 3))
    before = a.copy()
    assert vector.row3(a, 2) == tuple(a[2])
    assert vector.part3(SIX, 0, 3) == tuple(SIX[0, 3:])
    vector.set_row3(a, 1, u)
    vector.add_row3(a, 3, v)
    np.testing.assert_array_equal(a[[0, 2]], before[[0, 2]])
    np.testing.assert_array_equal(a[1], U)
    np.testing.assert_array_equal(a[3], before[3] + V)


def test_a_matrix_out_of_many():
    m = RNG.normal(size=(5, 3, 3))
    np.testing.assert_allclose(vector.mat_vec(m, 3, u), m[3] @ U, atol=1e-15)
