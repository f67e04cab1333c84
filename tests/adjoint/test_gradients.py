"""Adjoint gradients against central differences, for every kind of parameter, open and closed, short and long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from adjoint.mechanisms import Case, central, four_bar, grounded, open_chain, space_loops

import dalembert as da

METHODS = (da.BDF1(tol=1e-10), da.SDIRK2(tol=1e-10), da.BDF2(tol=1e-10))
"""The error that Newton's method leaves is the square of its tolerance."""


def check(
    make: Callable[[], Case], method: Any, steps: int, dt: float, limit: float, kinds: set[type] | None = None
) -> None:
    """Along a random way in the space of each parameter, relative to all of its gradient; with ``kinds``, one
    parameter of each kind that is not in it yet."""
    model, state, look, parameters = make()
    problem = da.Problem(model, state, look, parameters, duration=steps * dt, dt=dt, integrator=method)
    rng = np.random.default_rng(steps)
    drives = {one: rng.normal(size=v.shape) for one, v in problem.start_values().items() if v.shape and not v.any()}
    drives = {one: value for one, value in drives.items() if isinstance(one, da.JointForce)}
    found = problem.evaluate(drives)
    for one, slope in found.gradient.items():
        if kinds is not None and type(one) in kinds:
            continue
        if kinds is not None:
            kinds.add(type(one))
        way = rng.normal(size=slope.shape)
        size = float(np.linalg.norm(way))
        # a metre or a radian is large, and so is all of a mass or an inertia
        step = 1e-3 * max(float(np.abs(found.values[one]).max()), 0.1) / size
        if isinstance(one, da.Inertia):
            step *= 0.1
        expected = central(problem, found.values, one, way, step)
        assert abs(float((slope * way).sum()) - expected) < limit * float(np.linalg.norm(slope)) * size, one


@pytest.mark.compiled
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
@pytest.mark.parametrize("make", [open_chain, four_bar, space_loops, grounded], ids=lambda make: make.__name__)
def test_gradients_over_100_steps(make: Any, method: Any) -> None:
    """Open, through loops, and through a contact of springs with friction: every parameter for BDF2."""
    check(make, method, 100, 0.005, 1e-6, None if method.name == "BDF2" else set())


@pytest.mark.compiled
def test_gradients_over_1000_steps() -> None:
    """One parameter of each kind, open and through loops."""
    kinds: set[type] = set()
    for make in (open_chain, four_bar, space_loops):
        check(make, METHODS[2], 1000, 0.001, 1e-6, kinds)
    assert len(kinds) == 14


@pytest.mark.parametrize("make", [open_chain, four_bar], ids=lambda make: make.__name__)
def test_gradients_over_few_steps(make: Any) -> None:
    """One parameter of each kind: what runs as plain Python too."""
    check(make, METHODS[2], 3, 0.02, 1e-6, set())
