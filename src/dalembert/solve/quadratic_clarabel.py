"""Quadratic programs by Clarabel, an interior-point method [Goulart 2024]: H may be singular."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from dalembert.model.system import Floats
from dalembert.solve.quadratic import QuadraticFailure, QuadraticSolution

CLARABEL: Any = import_module("clarabel")
SPARSE: Any = import_module("scipy.sparse")
PRECISE = 1e-12


def solve(hessian: Floats, linear: Floats, rows: Floats, lower: Floats, upper: Floats) -> QuadraticSolution:
    """See `dalembert.solve.quadratic.solve_quadratic`."""
    equal = lower == upper
    above, below = np.isfinite(upper) & ~equal, np.isfinite(lower) & ~equal
    matrix = np.vstack([rows[equal], rows[above], -rows[below]])
    right = np.concatenate([upper[equal], upper[above], -lower[below]])
    cones = [CLARABEL.ZeroConeT(int(equal.sum())), CLARABEL.NonnegativeConeT(int(above.sum() + below.sum()))]
    settings = CLARABEL.DefaultSettings()
    settings.verbose = False
    for name in ("tol_gap_abs", "tol_gap_rel", "tol_feas"):
        setattr(settings, name, PRECISE)
    upper_part = SPARSE.csc_matrix(np.triu(hessian))
    found = CLARABEL.DefaultSolver(upper_part, linear, SPARSE.csc_matrix(matrix), right, cones, settings).solve()
    if str(found.status) not in ("Solved", "AlmostSolved"):
        raise QuadraticFailure(f"Clarabel ended with {found.status}: the rows may contradict each other")
    z, a, b = np.array(found.z), int(equal.sum()), int(above.sum())
    multiplier = np.zeros(rows.shape[0])
    multiplier[equal] = -z[:a]
    multiplier[above] -= z[a : a + b]
    multiplier[below] += z[a + b :]
    return QuadraticSolution(np.array(found.x), multiplier, int(found.iterations))
