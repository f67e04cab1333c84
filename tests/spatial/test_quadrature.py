"""Quadrature and interpolation on [0, 1]: exact for the polynomials that they must be exact for."""

import numpy as np
import pytest

from dalembert.spatial.quadrature import differentiation, gauss, interpolation, lobatto


@pytest.mark.parametrize("points", range(1, 10))
def test_gauss_integrates_polynomials_of_twice_its_points(points: int) -> None:
    rule = gauss(points)
    for power in range(2 * points):
        assert abs(rule.weight @ rule.node**power - 1.0 / (power + 1)) < 4e-16
    assert abs(rule.weight @ rule.node ** (2 * points) - 1.0 / (2 * points + 1)) > 1e-12


@pytest.mark.parametrize("points", range(2, 10))
def test_lobatto_has_both_ends_and_loses_two_degrees(points: int) -> None:
    rule = lobatto(points)
    assert rule.node[0] == 0.0 and rule.node[-1] == 1.0
    for power in range(2 * points - 2):
        assert abs(rule.weight @ rule.node**power - 1.0 / (power + 1)) < 4e-16
    assert abs(rule.weight @ rule.node ** (2 * points - 2) - 1.0 / (2 * points - 1)) > 1e-12


def test_lobatto_known_rules() -> None:
    """The trapezium, Simpson's rule, and the four points of [Hairer 2006] table II.1.1."""
    assert np.array_equal(lobatto(2).weight, [0.5, 0.5])
    assert np.abs(lobatto(3).weight - np.array([1, 4, 1]) / 6.0).max() < 2e-16
    inner = 0.5 - 0.1 * np.sqrt(5.0)
    assert np.abs(lobatto(4).node - [0.0, inner, 1.0 - inner, 1.0]).max() < 2e-16


@pytest.mark.parametrize("degree", range(1, 9))
def test_polynomials_through_their_values(degree: int) -> None:
    """Monomials up to the degree, their values elsewhere and their derivatives at the nodes.

    Rounding errors are multiplied by the sums of the rows, which grow with the degree where one extrapolates.
    """
    node = lobatto(degree + 1).node
    elsewhere = np.concatenate([gauss(5).node, node[:1], [1.3]])
    values, slopes = interpolation(node, elsewhere), differentiation(node)
    assert np.array_equal(values[5], np.eye(degree + 1)[0])
    for power in range(degree + 1):
        error = np.abs(values @ node**power - elsewhere**power)
        assert (error < 4e-16 * np.abs(values).sum(axis=1)).all()
        expected = power * node ** max(power - 1, 0) if power else 0.0 * node
        assert np.abs(slopes @ node**power - expected).max() < 4e-14


def test_one_point_is_not_a_lobatto_rule() -> None:
    with pytest.raises(ValueError, match="two points or more, found 1"):
        lobatto(1)
