"""The block-sparse solver against SciPy's SuperLU and the dense LDU of the paper, one thread, ratios in one run.

    python benchmarks/linear_solver.py            all of it; the dense LDU of 6000 rows takes about a minute, twice
    python benchmarks/linear_solver.py --quick    without the dense LDU above 1500 rows

Chains of bodies and joints, and ladders, nets and crystals of nodes with six rows, [Brüdigam 2023] figure 9(b–d).
Matrices are random and unsymmetric, with dominant diagonal blocks. Times are the best of several runs of one
factorisation and one solution; a ratio is how many times longer the other solver takes. SuperLU is run as it comes
(``splu``) and, in the column "MMD", with its order of columns for symmetric patterns. SuperLU's time contains that of
finding the order; ours is found at set-up, the column "symbolic".
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from dalembert.linalg import dense, graphs
from dalembert.linalg.factor import factor
from dalembert.linalg.pattern import BlockPattern
from dalembert.linalg.solve import solve

QUICK_ROWS = 1500


def main() -> None:
    """Run everything and print one line for each system."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"no dense LDU above {QUICK_ROWS} rows")
    quick = parser.parse_args().quick
    print(
        f"{'system':<22}{'rows':>6}{'fill':>7}{'order':>16}{'symbolic':>10}{'factor':>10}{'solve':>9}"
        f"{'SuperLU':>9}{'MMD':>7}{'dense':>10}"
    )
    print(f"{'':<22}{'':>6}{'':>7}{'':>16}{'ms':>10}{'ms':>10}{'ms':>9}{'ratio':>9}{'ratio':>7}{'ratio':>10}")
    row("warming up", [6, 5, 3] * 3, graphs.chain(9), with_dense=True, silent=True)
    for name, joint in (("revolute", 5), ("spherical", 3)):
        for bodies in (100, 3000):
            row(f"{name} chain {bodies}", [6, joint] * bodies, graphs.chain(2 * bodies), with_dense=False)
    for nodes in (10, 100, 1000):
        row(f"ladder {nodes}", [6] * nodes, graphs.ladder(nodes), with_dense=not quick or 6 * nodes <= QUICK_ROWS)
    for side in (5, 10, 20, 30):
        nodes = side**2
        row(f"net {side} x {side}", [6] * nodes, graphs.net(side), with_dense=not quick or 6 * nodes <= QUICK_ROWS)
    for side in (2, 4, 6, 8, 10):
        row(f"crystal {side}^3", [6] * side**3, graphs.crystal(side), with_dense=6 * side**3 <= QUICK_ROWS)


def row(name: str, size: list[int], edges: NDArray[np.int64], with_dense: bool, silent: bool = False) -> None:
    """Time all solvers on one random system, check that they agree, and print the comparison."""
    start = time.perf_counter()
    layout = BlockPattern(size, edges)
    symbolic = time.perf_counter() - start
    p, original, matrix = layout.pattern, *random_matrix(layout, size, edges)
    rng = np.random.default_rng(1)
    b = rng.uniform(-1.0, 1.0, layout.n_rows)
    values, x = original.copy(), b.copy()
    ordinary, workspace = np.zeros(len(size), dtype=np.int64), layout.workspace()

    def refill() -> None:
        values[:] = original

    def refill_and_factor() -> None:
        values[:] = original
        factor(p, values, ordinary, workspace)

    def copy_and_solve() -> None:
        x[:] = b
        solve(p, values, x)

    repeats = 200 if layout.flops < 3e6 else 20
    factoring = -best(refill, repeats) + best(refill_and_factor, repeats)
    solving = best(copy_and_solve, repeats)
    check(matrix, x, b)

    default = best(lambda: splu(matrix).solve(b), 5) / (factoring + solving)
    symmetric = best(lambda: splu(matrix, permc_spec="MMD_AT_PLUS_A").solve(b), 5) / (factoring + solving)

    ratio = ""
    if with_dense:
        full, y = np.empty((layout.n_rows, layout.n_rows)), np.empty_like(b)

        def fill_and_solve() -> None:
            matrix.toarray(out=full)
            y[:] = b
            dense.factor(full)
            dense.solve(full, y)

        # filling the matrix is a thousandth of the work; the largest ones are run once
        ratio = f"{best(fill_and_solve, 5 if layout.n_rows <= QUICK_ROWS else 1) / (factoring + solving):.1f}"
        check(matrix, y, b)
    if not silent:
        print(
            f"{name:<22}{layout.n_rows:>6}{layout.fill:>7}{layout.order:>16}{1e3 * symbolic:>10.1f}"
            f"{1e3 * factoring:>10.3f}{1e3 * solving:>9.3f}{default:>9.1f}{symmetric:>7.1f}{ratio:>10}",
            flush=True,
        )


def random_matrix(
    layout: BlockPattern, size: list[int], edges: NDArray[np.int64]
) -> tuple[NDArray[np.float64], csc_array]:
    """The same random numbers as values of the pattern and as a SciPy matrix."""
    rng = np.random.default_rng(0)
    p, values = layout.pattern, layout.values()
    data, rows, columns = [], [], []
    pairs = [(int(i), int(j)) for i, j in edges]
    for i, j in [(i, i) for i in range(len(size))] + pairs + [(j, i) for i, j in pairs]:
        block = rng.uniform(-1.0, 1.0, (size[i], size[j])) + (20.0 * np.eye(size[i]) if i == j else 0.0)
        a = layout.block(i, j)
        values[a : a + block.size] = block.ravel()
        r, c = np.indices(block.shape)
        data.append(block.ravel())
        rows.append(r.ravel() + p.start[i])
        columns.append(c.ravel() + p.start[j])
    entries = (np.concatenate(data), (np.concatenate(rows), np.concatenate(columns)))
    return values, csc_array(entries, shape=(layout.n_rows, layout.n_rows))


def best(action: Callable[[], object], repeats: int) -> float:
    """Seconds that the action takes, the best of several runs."""
    taken = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        taken = min(taken, time.perf_counter() - start)
    return taken


def check(matrix: csc_array, x: NDArray[np.float64], b: NDArray[np.float64]) -> None:
    """A fast wrong answer is worth nothing: the residual must be rounding error (entries are about 20)."""
    residual = float(np.abs(matrix @ x - b).max())
    if not residual < 1e-12:
        raise SystemExit(f"the residual is {residual:.1e}, expected below 1e-12")


if __name__ == "__main__":
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        # the library reads it when it is loaded, which has happened by now
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.argv])
    main()
