"""Rigid motions against matrix exponentials, and the derivatives against their power series."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.special import zeta

from dalembert.spatial import rigid_motion as se3
from dalembert.spatial.quaternion import columns
from dalembert.spatial.trigonometric import SMALL, cotangent_series, sine_series, versine_series

ANGLES = [0.0, 1e-9, 1e-4, 0.1, 0.2499, 0.2501, 1.0, 3.0, np.pi - 1e-3, np.pi - 1e-7, np.pi - 1e-12]
SERIES = [angle for angle in ANGLES if angle < 3.1]


def skew(u: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])


def ad(rho: np.ndarray, theta: np.ndarray) -> np.ndarray:
    return np.block([[skew(theta), skew(rho)], [np.zeros((3, 3)), skew(theta)]])


def twist(angle: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    axis = random.normal(size=3)
    return random.normal(size=3), angle * axis / np.linalg.norm(axis)


def matrix(function: object, *at: object) -> np.ndarray:
    """The 6×6 matrix of a linear function of twists or wrenches."""
    columns_ = []
    for e in np.eye(6):
        first, second = function(*at, tuple(e[:3]), tuple(e[3:]))  # pyright: ignore[reportCallIssue]
        columns_.append(np.concatenate([first, second]))
    return np.array(columns_).T


@pytest.mark.parametrize("angle", ANGLES)
def test_exponential_is_that_of_the_matrix(angle: float) -> None:
    rho, theta = twist(angle)
    x, q = se3.motion_exp(tuple(rho), tuple(theta))
    expected = expm(np.block([[skew(theta), rho[:, None]], [np.zeros((1, 4))]]))
    np.testing.assert_allclose(np.array(columns(q)).T, expected[:3, :3], rtol=0, atol=1e-14)
    np.testing.assert_allclose(x, expected[:3, 3], rtol=0, atol=1e-14)


@pytest.mark.parametrize("angle", ANGLES)
def test_logarithm_undoes_the_exponential_up_to_half_a_turn(angle: float) -> None:
    rho, theta = twist(angle, seed=1)
    back = se3.motion_log(*se3.motion_exp(tuple(rho), tuple(theta)))
    np.testing.assert_allclose(back, (rho, theta), rtol=0, atol=2e-15)


@pytest.mark.parametrize("angle", SERIES)
def test_dlog_is_its_power_series(angle: float) -> None:
    rho, theta = twist(angle, seed=2)
    power, total = ad(rho, theta), np.eye(6) - 0.5 * ad(rho, theta)
    for j in range(2, 100, 2):
        # Bⱼ/j! by the zeta function: the series falls as (t/2π)ʲ
        power = power @ ad(rho, theta)
        total -= 2.0 * (-1.0) ** (j // 2) * zeta(j) / (2.0 * np.pi) ** j * power
        power = power @ ad(rho, theta)
    found = matrix(se3.dlog, tuple(rho), tuple(theta))
    # just above the series' limit c′ has lost two digits
    np.testing.assert_allclose(found, total, rtol=0, atol=5e-14)
    np.testing.assert_allclose(matrix(se3.dlog_transposed, tuple(rho), tuple(theta)), found.T, rtol=0, atol=1e-15)


@pytest.mark.parametrize("angle", ANGLES)
def test_dexp_is_the_inverse_of_dlog(angle: float) -> None:
    rho, theta = twist(angle, seed=3)
    product = matrix(se3.dexp, tuple(rho), tuple(theta)) @ matrix(se3.dlog, tuple(rho), tuple(theta))
    np.testing.assert_allclose(product, np.eye(6), rtol=0, atol=2e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-4, 0.3, 2.0, 3.1])
def test_dlog_is_the_derivative_of_the_logarithm(angle: float) -> None:
    rho, theta = twist(angle, seed=4)
    x, q = se3.motion_exp(tuple(rho), tuple(theta))
    from dalembert.spatial.quaternion import multiply, rotate

    eps = 1e-5
    for e, column in zip(np.eye(6), matrix(se3.dlog, tuple(rho), tuple(theta)).T, strict=True):
        ends = []
        for sign in (eps, -eps):
            dx, dq = se3.motion_exp(tuple(sign * e[:3]), tuple(sign * e[3:]))
            moved = np.add(dx, rotate(dq, x))
            ends.append(np.concatenate(se3.motion_log(tuple(moved), multiply(dq, q))))
        # the third derivative times the square of the step
        np.testing.assert_allclose((ends[0] - ends[1]) / (2.0 * eps), column, rtol=0, atol=1e-9)


def test_adjoints_and_their_transposes() -> None:
    rho, theta = twist(1.3, seed=5)
    x, q = se3.motion_exp(tuple(rho), tuple(theta))
    found = matrix(se3.adjoint, x, q)
    np.testing.assert_allclose(found, expm(ad(rho, theta)), rtol=0, atol=1e-14)
    inverse = matrix(se3.adjoint_inverse, x, q)
    np.testing.assert_allclose(found @ inverse, np.eye(6), rtol=0, atol=1e-15)
    np.testing.assert_allclose(matrix(se3.adjoint_transposed, x, q), found.T, rtol=0, atol=1e-15)
    np.testing.assert_allclose(matrix(se3.adjoint_inverse_transposed, x, q), inverse.T, rtol=0, atol=1e-15)
    np.testing.assert_allclose(matrix(se3.adjoint, *se3.inverse_motion(x, q)), inverse, rtol=0, atol=1e-15)


@pytest.mark.parametrize("series", [cotangent_series, versine_series, sine_series])
def test_closed_forms_and_series_meet(series: object) -> None:
    below = series(np.nextafter(SMALL, 0.0))  # pyright: ignore[reportCallIssue]
    above = series(SMALL)  # pyright: ignore[reportCallIssue]
    # each derivative loses the digits of a division by t², which is 1/16 here
    for k, (first, second) in enumerate(zip(below, above, strict=True)):
        assert abs(first - second) <= 1e-15 * 40.0**k
