"""Discrete momenta on SE(3) against the formulas of the paper, in body axes and as matrices."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.integrators.minimal.discrete_body import body_matrix, body_momenta, turn_vector
from dalembert.spatial import rigid_motion as se3
from dalembert.spatial.quaternion import exp, multiply, relative, rotate, rotate_back

H, MASS = 0.1, 1.7
ANGLES = [0.0, 1e-6, 1e-2, 0.0999, 0.24, 0.26, 1.0, 2.5, 3.1]


def body(angle: float, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Inertia in body axes, orientation, displacement and rotation vector in the world."""
    random = np.random.default_rng(seed)
    half = random.normal(size=(3, 3))
    q = random.normal(size=4)
    axis = random.normal(size=3)
    theta = angle * axis / np.linalg.norm(axis)
    return half @ half.T + np.eye(3), q / np.linalg.norm(q), random.normal(size=3), theta


def in_world(inertia: np.ndarray, q: np.ndarray) -> tuple[float, ...]:
    turned = np.array([rotate(tuple(q), e) for e in np.eye(3)]).T
    j = turned @ inertia @ turned.T
    return j[0, 0], j[1, 1], j[2, 2], j[1, 2], j[0, 2], j[0, 1]


def momenta_of_the_paper(
    inertia: np.ndarray, q: np.ndarray, d: np.ndarray, theta: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """[Lee 2016] (10), (16), (21b) in body axes; then turned into world axes."""
    start = tuple(q)
    end = multiply(exp(tuple(theta)), start)
    rho, angle = se3.motion_log(rotate_back(start, tuple(d)), relative(start, end))
    v, w = np.array(rho) / H, np.array(angle) / H
    f, tau = se3.dlog_transposed(rho, angle, tuple(MASS * v), tuple(inertia @ w))
    right = se3.adjoint_transposed(*se3.motion_exp(rho, angle), f, tau)
    np.testing.assert_allclose(rotate(start, f), rotate(end, right[0]), rtol=0, atol=1e-11)
    return np.array(rotate(start, f)), np.array(rotate(start, tau)), np.array(rotate(end, right[1]))


@pytest.mark.parametrize("angle", ANGLES)
def test_momenta_are_those_of_the_paper(angle: float) -> None:
    inertia, q, d, theta = body(angle, 1)
    found = body_momenta(H, MASS, in_world(inertia, q), tuple(d), exp(tuple(theta)))
    # momenta of about a hundred
    np.testing.assert_allclose(found, momenta_of_the_paper(inertia, q, d, theta), rtol=0, atol=5e-12)


@pytest.mark.parametrize("angle", ANGLES)
def test_an_interval_changes_no_momentum(angle: float) -> None:
    inertia, q, d, theta = body(angle, 2)
    p, left, right = body_momenta(H, MASS, in_world(inertia, q), tuple(d), exp(tuple(theta)))
    np.testing.assert_allclose(np.array(left), np.array(right) + np.cross(d, p), rtol=0, atol=5e-12)


@pytest.mark.parametrize("angle", ANGLES)
def test_matrix_is_the_derivative_of_the_left_momentum(angle: float) -> None:
    inertia, q, d, theta = body(angle, 3)
    j = in_world(inertia, q)
    rows = np.array(body_matrix(H, MASS, j, tuple(d), tuple(theta)))
    found = np.block([[rows[:3], rows[3:6]], [rows[6:9], rows[9:]]])
    eps = 1e-5
    for k, e in enumerate(np.eye(6)):
        ends = []
        for sign in (eps, -eps):
            turned = multiply(exp(tuple(sign * e[3:])), exp(tuple(theta)))
            p, left, _ = body_momenta(H, MASS, j, tuple(d + sign * e[:3]), turned)
            ends.append(np.concatenate([p, left]))
        # third derivatives of about a thousand times the square of the step
        np.testing.assert_allclose((ends[0] - ends[1]) / (2.0 * eps), found[:, k], rtol=0, atol=1e-6)


@pytest.mark.parametrize("angle", [0.0, 1e-8, 0.09, 0.11, 1.0, 3.0, np.pi - 1e-9])
def test_turn_vector_is_the_logarithm(angle: float) -> None:
    theta = body(angle, 4)[3]
    np.testing.assert_allclose(turn_vector(exp(tuple(theta))), theta, rtol=0, atol=1e-15)
