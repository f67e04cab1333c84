"""Unit quaternions against rotation matrices, exponentials of matrices and central differences."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from dalembert.spatial import quaternion

RNG = np.random.default_rng(20)
# a few operations on numbers of size one
ROUND_OFF = 4e-15


def random_quaternions(count: int) -> list[tuple[float, ...]]:
    q = RNG.normal(size=(count, 4))
    return [tuple(row) for row in (q / np.linalg.norm(q, axis=1)[:, None]).tolist()]


def matrix(q) -> np.ndarray:
    """Q(q) by scipy, whose quaternions have the scalar last."""
    return Rotation.from_quat([*q[1:], q[0]]).as_matrix()


def skew(u) -> np.ndarray:
    return np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])


@pytest.mark.parametrize("q", random_quaternions(5))
def test_rotations_are_the_matrix(q):
    u = tuple(RNG.normal(size=3).tolist())
    np.testing.assert_allclose(quaternion.rotate(q, u), matrix(q) @ u, atol=ROUND_OFF)
    np.testing.assert_allclose(quaternion.rotate_back(q, u), matrix(q).T @ u, atol=ROUND_OFF)
    np.testing.assert_allclose(np.column_stack(quaternion.columns(q)), matrix(q), atol=ROUND_OFF)


@pytest.mark.parametrize(("p", "q"), list(zip(random_quaternions(5), random_quaternions(5), strict=True)))
def test_products_compose_turns(p, q):
    np.testing.assert_allclose(matrix(quaternion.multiply(p, q)), matrix(p) @ matrix(q), atol=ROUND_OFF)
    np.testing.assert_allclose(matrix(quaternion.relative(p, q)), matrix(p).T @ matrix(q), atol=ROUND_OFF)
    np.testing.assert_allclose(quaternion.multiply(p, quaternion.conjugate(p)), [1, 0, 0, 0], atol=ROUND_OFF)


# lengths on both sides of the switch to a series (1e-4), and near the full turn
@pytest.mark.parametrize("length", [0.0, 1e-9, 0.99e-4, 1.01e-4, 0.3, 3.0, pi - 1e-7])
def test_exponential_and_logarithm(length):
    u = RNG.normal(size=3)
    u *= length / np.linalg.norm(u)
    q = quaternion.exp(tuple(u.tolist()))
    np.testing.assert_allclose(np.linalg.norm(q), 1.0, atol=ROUND_OFF)
    np.testing.assert_allclose(matrix(q), expm(skew(u)), atol=2e-14)
    # near π the scalar part is small and a digit of u costs a digit of it
    np.testing.assert_allclose(quaternion.log(q), u, atol=ROUND_OFF)
    np.testing.assert_allclose(quaternion.log(tuple(-c for c in q)), u, atol=ROUND_OFF)


def test_logarithm_keeps_small_turns_to_full_precision():
    u = (3e-9, -2e-9, 1e-9)
    np.testing.assert_allclose(quaternion.log(quaternion.exp(u)), u, rtol=1e-15, atol=0)


def test_normalize_gives_unit_length():
    np.testing.assert_allclose(np.linalg.norm(quaternion.normalize((1.0, -2.0, 3.0, 0.5))), 1.0, atol=ROUND_OFF)


def test_rows_are_read_and_written():
    a = RNG.normal(size=(3, 4))
    q = quaternion.row4(a, 1)
    quaternion.set_row4(a, 2, q)
    np.testing.assert_array_equal(a[2], a[1])
