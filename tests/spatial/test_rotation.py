"""Derivatives on the group of rotations, against central differences and against one another."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.spatial.quaternion import exp, log, multiply, relative
from dalembert.spatial.rotation import exp_rate, log_rate, log_rate_transposed

RNG = np.random.default_rng(21)
STEP = 1e-5
# second-order differences with a step of 1e-5: 1e-10 of truncation, 1e-11 of round-off
DIFFERENCE = 5e-10


def vector(length: float) -> tuple[float, float, float]:
    u = RNG.normal(size=3)
    x, y, z = (u * (length / np.linalg.norm(u))).tolist()
    return x, y, z


def scaled(s: float, u) -> tuple[float, float, float]:
    return s * u[0], s * u[1], s * u[2]


# lengths on both sides of the switches to a series (1e-2 and 1e-1), and far from zero
LENGTHS = [1e-6, 0.009, 0.011, 0.099, 0.101, 1.0, 3.0]


@pytest.mark.parametrize("length", LENGTHS)
def test_log_rate_is_the_derivative_of_the_logarithm(length):
    u, w = vector(length), vector(1.0)
    forward = np.array(log(multiply(exp(u), exp(scaled(STEP, w)))))
    backward = np.array(log(multiply(exp(u), exp(scaled(-STEP, w)))))
    np.testing.assert_allclose(log_rate(u, w), (forward - backward) / (2 * STEP), atol=DIFFERENCE)


@pytest.mark.parametrize("length", LENGTHS)
def test_exp_rate_is_the_derivative_of_the_exponential(length):
    u, du = vector(length), vector(1.0)
    ahead = exp(tuple((np.array(u) + STEP * np.array(du)).tolist()))
    behind = exp(tuple((np.array(u) - STEP * np.array(du)).tolist()))
    difference = np.array(log(relative(behind, ahead))) / (2 * STEP)
    np.testing.assert_allclose(exp_rate(u, du), difference, atol=DIFFERENCE)


@pytest.mark.parametrize("length", LENGTHS)
def test_rates_are_inverse_to_each_other(length):
    u, w = vector(length), vector(1.0)
    np.testing.assert_allclose(exp_rate(u, log_rate(u, w)), w, atol=2e-13)


@pytest.mark.parametrize("length", LENGTHS)
def test_transposed_does_the_same_work(length):
    u, w, f = vector(length), vector(1.0), vector(1.0)
    assert abs(np.dot(log_rate(u, w), f) - np.dot(w, log_rate_transposed(u, f))) < 1e-14


def test_turn_about_its_own_axis_changes_length_only():
    u = vector(0.7)
    np.testing.assert_allclose(log_rate(u, u), u, atol=1e-15)
    np.testing.assert_allclose(exp_rate(u, u), u, atol=1e-15)
