"""Convex quadratic programs through one door:

    minimise ½ xᵀ H x + gᵀ x    subject to    lower ≤ A x ≤ upper,

H positive semidefinite. Equal bounds make an equality, infinite ones none. Problems are small and dense, as those of
contact are. The interior-point method of `dalembert.solve.quadratic_interior` is always there; DAQP and Clarabel are
used where they are installed (``dalembert[qp]``).
"""

from __future__ import annotations

from importlib import import_module
from typing import Final, NamedTuple

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.system import Floats

QP_SOLVERS: Final = ("interior", "daqp", "clarabel")


class QuadraticSolution(NamedTuple):
    """What a quadratic program has as its answer."""

    x: Floats
    """(n,)"""
    multiplier: Floats
    """(m,) of the rows: H x + g = Aᵀ multiplier, positive where a lower bound pushes, negative at an upper one."""
    iterations: int


class QuadraticFailure(Exception):
    """There is no answer: the rows contradict each other, or the method did not converge."""


def solve_quadratic(
    hessian: Floats, linear: Floats, rows: Floats, lower: Floats, upper: Floats, solver: str = "interior"
) -> QuadraticSolution:
    """Solve the program above with H (n, n), g (n,), A (m, n) and bounds (m,).

    Args:
        hessian: H, and ``linear``: g.
        rows: A, and its bounds ``lower`` and ``upper``.
        solver: "interior", "daqp" or "clarabel".

    Raises:
        QuadraticFailure: there is no answer.
        ModelError: the solver is not known or not installed.
    """
    if solver not in QP_SOLVERS:
        raise ModelError(f"qp: expected one of {', '.join(QP_SOLVERS)}, found {solver!r}")
    if not linear.size:
        return QuadraticSolution(np.zeros(0), np.zeros(rows.shape[0]), 0)
    try:
        module = import_module(f"dalembert.solve.quadratic_{solver}")
    except ImportError as problem:
        raise ModelError(f'qp: the solver "{solver}" is not installed; pip install "dalembert[qp]"') from problem
    return module.solve(hessian, linear, rows, lower, upper)
