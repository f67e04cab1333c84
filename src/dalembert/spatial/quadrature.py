"""Quadrature rules on [0, 1], and polynomials given by their values at points of it.

Sources: [Berrut 2004] for interpolation and differentiation in barycentric form; nodes of Legendre polynomials by
numpy, made exact to the last bits by Newton's method.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Quadrature(NamedTuple):
    """∫₀¹ f ≈ Σ weight · f(node)."""

    node: Floats
    """(r,) in increasing order."""
    weight: Floats
    """(r,) positive, of sum 1."""


def gauss(points: int) -> Quadrature:
    """Gauss–Legendre: exact for polynomials up to degree 2r − 1."""
    _, x = _legendre_roots(points, 0)
    coefficients = np.eye(points + 1)[points]
    slope = legendre.legval(x, legendre.legder(coefficients))
    return _on_unit_interval(x, 2.0 / ((1.0 - x * x) * slope * slope))


def lobatto(points: int) -> Quadrature:
    """Gauss–Lobatto, both ends of the interval among its nodes: exact up to degree 2r − 3; two points at least."""
    if points < 2:
        raise ValueError(f"Lobatto's rule: expected two points or more, found {points}")
    coefficients, inner = _legendre_roots(points - 1, 1)
    x = np.concatenate([[-1.0], inner, [1.0]])
    value = legendre.legval(x, coefficients)
    return _on_unit_interval(x, 2.0 / (points * (points - 1) * value * value))


def interpolation(node: Floats, at: Floats) -> Floats:
    """(len(at), len(node)) values at ``at`` of the polynomial through given values at the nodes.

    The rows sum to 1, and a row of a point that is a node is exactly that of the identity.
    """
    weight = _barycentric(node)
    gap = at[:, None] - node[None, :]
    hit = gap == 0.0
    rows = weight / np.where(hit, 1.0, gap)
    rows[hit.any(axis=1)] = 0.0
    rows[hit] = 1.0
    return rows / rows.sum(axis=1, keepdims=True)


def differentiation(node: Floats) -> Floats:
    """(len(node), len(node)) derivatives at the nodes of the polynomial through given values there; rows sum to 0."""
    weight = _barycentric(node)
    gap = node[:, None] - node[None, :]
    np.fill_diagonal(gap, 1.0)
    matrix = weight[None, :] / weight[:, None] / gap
    np.fill_diagonal(matrix, 0.0)
    # the derivative of a constant is zero: this form of the diagonal rounds least
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    return matrix


def _barycentric(node: Floats) -> Floats:
    gap = 4.0 * (node[:, None] - node[None, :])
    np.fill_diagonal(gap, 1.0)
    return 1.0 / gap.prod(axis=1)


def _legendre_roots(degree: int, derivative: int) -> tuple[Floats, Floats]:
    """(coefficients of P, roots of P or of its derivative) on [−1, 1]."""
    coefficients = np.eye(degree + 1)[degree]
    function = legendre.legder(coefficients, derivative)
    slope = legendre.legder(function)
    x = np.sort(np.real(legendre.legroots(function)))
    for _ in range(3):
        x = x - legendre.legval(x, function) / legendre.legval(x, slope) if x.size else x
    # symmetric to the last bit
    return coefficients, 0.5 * (x - x[::-1])


def _on_unit_interval(x: Floats, weight: Floats) -> Quadrature:
    return Quadrature(0.5 * (1.0 + x), weight / weight.sum())
