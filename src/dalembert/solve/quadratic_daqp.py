"""Quadratic programs by DAQP, a dual active-set method [Arnström 2022]: fastest where H is positive definite."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from dalembert.model.system import Floats
from dalembert.solve.quadratic import QuadraticFailure, QuadraticSolution

DAQP = import_module("daqp")
UNBOUNDED = 1e30
EQUALITY = 5
SOLVED = (1, 2)
SEMIDEFINITE = 1e-7
"""A multiple of the largest entry of H is added where H is singular and taken back by proximal steps."""


def solve(hessian: Floats, linear: Floats, rows: Floats, lower: Floats, upper: Floats) -> QuadraticSolution:
    """See `dalembert.solve.quadratic.solve_quadratic`."""
    sense = np.where(lower == upper, EQUALITY, 0).astype(np.intc)
    singular = np.linalg.eigvalsh(hessian)[0] < 1e-9 * np.abs(hessian).max()
    options = {"eps_prox": SEMIDEFINITE * float(np.abs(hessian).max())} if singular else {}
    x, _, flag, info = DAQP.solve(
        np.ascontiguousarray(hessian),
        np.ascontiguousarray(linear),
        np.ascontiguousarray(rows),
        np.clip(upper, -UNBOUNDED, UNBOUNDED),
        np.clip(lower, -UNBOUNDED, UNBOUNDED),
        sense,
        primal_tol=1e-10,
        dual_tol=1e-12,
        **options,
    )
    if flag not in SOLVED:
        raise QuadraticFailure(f"DAQP ended with status {flag}: the rows may contradict each other")
    return QuadraticSolution(np.array(x), -np.array(info["lam"]), int(info["iterations"]))
