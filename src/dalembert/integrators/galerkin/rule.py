"""Where a step is sampled: the tables of control points and quadrature points.

A coordinate is the polynomial of degree s through its values at s + 1 *control points*, Lobatto's nodes c_γ h; the
action is the sum over r *quadrature points* a. With φ_aγ the value and b_aγ the slope there of the polynomial that is 1
at control point γ and 0 at all others ([Fan 2018] eqs. (2) and (3), where points and nodes are the same and φ = 1),

    q^a = Σ φ_aγ q^γ,     q̇^a = (1/h) Σ b_aγ q^γ,     S = h Σ w_a L(q^a, q̇^a).

Lobatto's s + 1 points make the method of the paper. Gauss's s points make another of the same order 2s, the collocation
method of Gauss: stable at any step on linear oscillators.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from dalembert.model.system import Floats, Integers
from dalembert.spatial.quadrature import differentiation, gauss, interpolation, lobatto

TERMS: Final = 5
"""Derivatives at the end of a step by which it is continued. Higher ones would do harm in large steps."""


class Rule(NamedTuple):
    """s stages, s + 1 control points, r quadrature points."""

    control: Floats
    """(s + 1,) control points in [0, 1]."""
    weight: Floats
    """(r,) w_a."""
    phi: Floats
    """(r, s + 1) φ_aγ."""
    slope: Floats
    """(r, s + 1) b_aγ."""
    final: Floats
    """(s + 1,) the slopes at the end of the step."""
    ahead: Floats
    """(s, s + 1) values at 1 + c_γ, γ = 1 … s, of the first Taylor terms of the polynomial at 1, less its value there:
    where a motion goes on to."""
    turned: Integers
    """(r,) number of the point among those where poses depend on unknowns; −1 where they do not."""
    pushed: Integers
    """(r,) number of the point among those whose impulses enter the equations; −1 where they do not."""
    n_turned: int
    n_pushed: int


def make_rule(stages: int, quadrature: str, all_pushed: bool) -> Rule:
    """The tables of ``stages`` s and quadrature "lobatto" or "gauss".

    With ``all_pushed`` the impulse at the end of the step enters too (balls need it), although it does no work on any
    unknown but the last control point's.
    """
    control = lobatto(stages + 1).node
    points = lobatto(stages + 1) if quadrature == "lobatto" else gauss(stages)
    phi = interpolation(control, points.node)
    slope = phi @ differentiation(control)
    ahead = _continuation(control, min(stages, TERMS))
    turned = (phi[:, 1:] != 0.0).any(axis=1)
    pushed = (phi[:, :-1] != 0.0).any(axis=1) | all_pushed
    return Rule(
        control,
        points.weight,
        phi,
        slope,
        differentiation(control)[-1],
        ahead,
        _number(turned),
        _number(pushed),
        int(turned.sum()),
        int(pushed.sum()),
    )


def _continuation(control: Floats, terms: int) -> Floats:
    """Σ_m c^m/m! times the m-th derivative at 1, m = 1 … terms."""
    by = differentiation(control)
    derivative, power, total = np.eye(len(control)), np.ones(len(control) - 1), 0.0
    for m in range(1, terms + 1):
        derivative, power = by @ derivative, power * control[1:] / m
        total = total + np.outer(power, derivative[-1])
    return np.asarray(total)


def _number(chosen: np.ndarray) -> Integers:
    return np.where(chosen, np.cumsum(chosen) - 1, -1).astype(np.int64)
