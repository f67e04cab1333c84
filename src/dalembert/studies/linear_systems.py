"""Systems on graphs with six rows a node, and the time that three solvers take for one factorisation and solution."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from dalembert.linalg import dense
from dalembert.linalg.factor import factor
from dalembert.linalg.pattern import BlockPattern
from dalembert.linalg.solve import solve
from dalembert.studies.measure import best_time

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SolverTimes:
    """Seconds of one factorisation and solution, NaN where a solver was left out, and how far solutions differ."""

    rows: int
    sparse: float
    dense: float
    superlu: float
    difference: float
    """The largest difference of the sparse solution from the others'."""


def solver_times(size: ArrayLike, edges: ArrayLike, *, with_dense: bool, repeats: int) -> SolverTimes:
    """Time the three solvers on an unsymmetric matrix with dominant diagonal blocks and random ones at all edges."""
    random = np.random.default_rng(0)
    layout = BlockPattern(size, edges)
    p = layout.pattern
    values = layout.values()
    matrix = np.zeros((layout.n_rows, layout.n_rows))
    pairs = [(i, j) for i, j in np.asarray(edges).tolist()]
    for i, j in [(i, i) for i in range(len(p.size))] + pairs + [(j, i) for i, j in pairs]:
        block = random.uniform(-1.0, 1.0, (p.size[i], p.size[j])) + (20.0 * np.eye(p.size[i]) if i == j else 0.0)
        address = layout.block(i, j)
        values[address : address + block.size] = block.ravel()
        matrix[p.start[i] : p.start[i + 1], p.start[j] : p.start[j + 1]] = block
    rhs = random.uniform(-1.0, 1.0, layout.n_rows)
    solutions: dict[str, Floats] = {}
    work, scratch, deficiency = values.copy(), layout.workspace(), np.zeros(len(p.size), dtype=np.int64)

    def sparse_solver() -> None:
        work[:] = values
        x = rhs.copy()
        factor(p, work, deficiency, scratch)
        solve(p, work, x)
        solutions["sparse"] = x

    full = np.empty_like(matrix) if with_dense else matrix

    def dense_solver() -> None:
        full[:] = matrix
        x = rhs.copy()
        dense.factor(full)
        dense.solve(full, x)
        solutions["dense"] = x

    columns = csc_array(matrix)

    def superlu_solver() -> None:
        solutions["superlu"] = splu(columns).solve(rhs)

    sparse_solver()
    sparse_time = best_time(sparse_solver, 3 * repeats)
    superlu_time = best_time(superlu_solver, repeats)
    dense_time = nan
    if with_dense:
        if layout.n_rows < 300:
            dense_solver()
        dense_time = best_time(dense_solver, repeats if layout.n_rows < 1000 else 1)
    found = solutions.pop("sparse")
    difference = max(float(np.abs(found - other).max()) for other in solutions.values())
    return SolverTimes(layout.n_rows, sparse_time, dense_time, superlu_time, difference)
