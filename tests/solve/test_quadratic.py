"""Quadratic programs: conditions of optimality, solvers against each other, redundancy, contradictions."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from dalembert.errors import ModelError
from dalembert.solve.quadratic import QP_SOLVERS, QuadraticFailure, solve_quadratic

HERE = [name for name in QP_SOLVERS if name == "interior" or find_spec(name)]


def program(seed: int, *, singular: bool) -> tuple[np.ndarray, ...]:
    """A feasible program with equalities, one-sided and two-sided rows."""
    rng = np.random.default_rng(seed)
    n, m = 8, 12
    a = rng.normal(size=(5 if singular else n + 2, n))
    rows, inside = rng.normal(size=(m, n)), rng.normal(size=n)
    value = rows @ inside
    lower, upper = value - rng.uniform(0.1, 1.0, m), value + rng.uniform(0.1, 1.0, m)
    lower[:2] = upper[:2] = value[:2]
    upper[2:5], lower[5:7] = np.inf, -np.inf
    return a.T @ a, rng.normal(size=n) * 3.0, rows, lower, upper


@pytest.mark.parametrize("solver", HERE)
@pytest.mark.parametrize("singular", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_conditions_of_optimality(solver: str, singular: bool, seed: int) -> None:
    hessian, linear, rows, lower, upper = program(seed, singular=singular)
    found = solve_quadratic(hessian, linear, rows, lower, upper, solver)
    value, z = rows @ found.x, found.multiplier
    limit = 1e-9 if solver != "daqp" or not singular else 1e-6
    assert np.abs(hessian @ found.x + linear - rows.T @ z).max() < limit * 10.0
    assert max((lower - value).max(), (value - upper).max()) < limit
    open_below, open_above = value - lower > 1e-5, upper - value > 1e-5
    assert np.abs(z[open_below & open_above]).max(initial=0.0) < limit * 1e3
    assert z[open_below].max(initial=0.0) < limit * 1e3
    assert z[open_above & (lower < upper)].min(initial=0.0) > -limit * 1e3


def test_redundant_rows_do_no_harm() -> None:
    """Equalities and inequalities twice: the same x."""
    hessian, linear, rows, lower, upper = program(1, singular=False)
    once = solve_quadratic(hessian, linear, rows, lower, upper)
    twice = solve_quadratic(hessian, linear, np.tile(rows, (2, 1)), np.tile(lower, 2), np.tile(upper, 2))
    assert np.abs(once.x - twice.x).max() < 1e-10


def test_without_inequalities_it_is_a_linear_system() -> None:
    hessian, linear, rows, lower, _ = program(2, singular=False)
    found = solve_quadratic(hessian, linear, rows[:2], lower[:2], lower[:2])
    system = np.block([[hessian, -rows[:2].T], [rows[:2], np.zeros((2, 2))]])
    expected = np.linalg.solve(system, np.concatenate([-linear, lower[:2]]))
    assert np.abs(np.concatenate([found.x, found.multiplier]) - expected).max() < 1e-11


@pytest.mark.parametrize("solver", HERE)
def test_contradictions_are_reported(solver: str) -> None:
    rows = np.array([[1.0, 0.0], [1.0, 0.0]])
    bounds = np.array([1.0, -np.inf]), np.array([np.inf, 0.0])
    with pytest.raises(QuadraticFailure, match="contradict"):
        solve_quadratic(np.eye(2), np.zeros(2), rows, *bounds, solver)


def test_equalities_that_contradict_each_other_are_reported() -> None:
    rows, value = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0.0, 1.0])
    with pytest.raises(QuadraticFailure, match="contradict"):
        solve_quadratic(np.eye(2), np.zeros(2), rows, value, value)


def test_an_unknown_solver_is_refused() -> None:
    with pytest.raises(ModelError, match="expected one of interior"):
        solve_quadratic(np.eye(1), np.ones(1), np.ones((1, 1)), np.zeros(1), np.ones(1), "simplex")
