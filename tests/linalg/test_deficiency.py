"""Pivots of deficient rank: redundant constraints are found, dropped, and share their multipliers evenly."""

from __future__ import annotations

import numpy as np
import pytest
from linalg.block_matrices import Matrix

from dalembert.linalg.factor import factor, factor_revealing_rank
from dalembert.linalg.pivots import NOT_FINITE, REGULAR, numerical_rank, pseudo_invert
from dalembert.linalg.solve import solve, solve_transposed

SEEDS = range(12)
UNITS = [1.0, 1e-5, 1e5]


class Loop:
    """Bodies 0 … 3 in a row held by joints 4 … 6, and joint 7 that closes the loop; some of its rows are redundant.

    The matrix is [[M, Gᵀ], [G, 0]], or with `skew` [[M, G₁ᵀ], [G₂, 0]] where both G have the same dependent rows.
    """

    def __init__(self, seed: int, redundant: int, unit: float = 1.0, skew: float = 0.0) -> None:
        self.rng = np.random.default_rng(seed)
        self.redundant = redundant
        joints = {4: (0, 1), 5: (1, 2), 6: (2, 3), 7: (3, 0)}
        edges = [(body, joint) for joint, bodies in joints.items() for body in bodies]
        before = edges + [(joint, 7) for joint in (4, 5, 6)]
        self.matrix = Matrix([6] * 4 + [5] * 4, edges, "auto", before)
        right = self._constraints(joints)
        left = right + skew * self._keeping_dependence(right)
        for body in range(4):
            turn = np.linalg.qr(self.rng.normal(size=(6, 6)))[0]
            self.matrix.set(body, body, turn @ np.diag(self.rng.uniform(1.0, 3.0, 6)) @ turn.T)
        scale = np.repeat([1.0, 1.0, 1.0, unit], 5)[:, None]
        self.left, self.right = scale * left, scale * right
        for joint, bodies in joints.items():
            for body in bodies:
                rows, columns = slice(5 * (joint - 4), 5 * (joint - 3)), slice(6 * body, 6 * body + 6)
                self.matrix.set(joint, body, self.right[rows, columns])
                self.matrix.set(body, joint, self.left[rows, columns].T)
        self.original = self.matrix.values.copy()
        self.workspace = self.matrix.layout.workspace()
        self.marked = np.array([0] * 7 + [1])
        # a combination of columns, and one of rows: both systems have solutions
        self.truth = self.rng.normal(size=44)

    def _constraints(self, joints: dict[int, tuple[int, int]]) -> np.ndarray:
        """(20, 24) rows; in joint 7, the first ones are minus the sum of those of the other joints."""
        g = np.zeros((20, 24))
        for joint, (a, b) in joints.items():
            for body, sign in ((a, -1.0), (b, 1.0)):
                rows = slice(5 * (joint - 4), 5 * (joint - 3))
                g[rows, 6 * body : 6 * body + 6] = sign * np.eye(6)[:5]
                g[rows, 6 * body + 5] = self.rng.normal(size=5)
        g[15:, 18:] = self.rng.normal(size=(5, 6))
        # −(x₁ − x₀) − (x₂ − x₁) − (x₃ − x₂) is x₀ − x₃ once the column of the sixth unknown is out of the way
        for k in range(self.redundant):
            for body in range(4):
                g[[k, 5 + k, 10 + k, 15 + k], 6 * body + 5] = 0.0
            g[15 + k] = -(g[k] + g[5 + k] + g[10 + k])
        # no single row of the block is redundant, combinations of them are
        g[15:] = np.linalg.qr(self.rng.normal(size=(5, 5)))[0] @ g[15:]
        return g

    def _keeping_dependence(self, g: np.ndarray) -> np.ndarray:
        """A change of the columns of each body by one matrix keeps every dependence between rows."""
        change = np.zeros_like(g)
        turn = self.rng.uniform(-1.0, 1.0, size=(6, 6))
        for body in range(4):
            change[:, 6 * body : 6 * body + 6] = g[:, 6 * body : 6 * body + 6] @ turn
        return change

    def factor(self) -> np.ndarray:
        deficiency = np.full(8, -1)
        self.matrix.values[:] = self.original
        p, values = self.matrix.pattern, self.matrix.values
        status = factor_revealing_rank(p, values, self.marked, 1e-9, self.workspace, deficiency)
        assert status == (REGULAR, -1)
        return deficiency

    def solve(self, b: np.ndarray, transposed: bool = False) -> np.ndarray:
        x = b.copy()
        (solve_transposed if transposed else solve)(self.matrix.pattern, self.matrix.values, x)
        return x


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("skew", [0.0, 0.02])
@pytest.mark.parametrize("redundant", [0, 1, 2, 3, 4, 5])
def test_redundant_rows_are_counted_and_the_equations_hold(redundant, skew, unit):
    for seed in SEEDS:
        loop = Loop(seed, redundant, unit, skew)
        assert np.linalg.matrix_rank(loop.right, tol=1e-10 * unit) == 20 - redundant
        assert loop.factor().tolist() == [0] * 7 + [redundant]
        dense = loop.matrix.dense
        for transposed, matrix in ((False, dense), (True, dense.T)):
            truth = loop.truth.copy()
            truth[39:] /= unit
            b = matrix @ truth
            x = loop.solve(b, transposed)
            # entries of b are about 10, and 10 units in the rows of the joint that closes the loop
            residual = np.abs(matrix @ x - b)
            assert residual[:39].max() < 1e-11
            assert residual[39:].max() < 1e-11 * unit
            # motion is unique, whatever the multipliers
            np.testing.assert_allclose(x[:24], truth[:24], rtol=0, atol=1e-11)


@pytest.mark.parametrize("redundant", [1, 2, 4, 5])
def test_multipliers_of_the_block_have_the_least_norm(redundant):
    """They are orthogonal to every set of multipliers that the other joints can balance."""
    for seed in SEEDS:
        loop = Loop(seed, redundant)
        loop.factor()
        x = loop.solve(loop.matrix.dense @ loop.truth)
        # left null space of all rows, its part in the block
        u, s, _ = np.linalg.svd(loop.right)
        assert s[19 - redundant] > 1e-3 > 1e-12 > s[20 - redundant]
        null = u[15:, 20 - redundant :]
        np.testing.assert_allclose(null.T @ x[39:], 0.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("redundant", [1, 3, 5])
def test_a_known_deficiency_gives_the_same_factors(redundant):
    for seed in SEEDS:
        loop = Loop(seed, redundant, skew=0.02)
        deficiency = loop.factor()
        found = loop.matrix.values.copy()
        loop.matrix.values[:] = loop.original
        status = factor(loop.matrix.pattern, loop.matrix.values, deficiency, loop.workspace)
        assert status == (REGULAR, -1)
        np.testing.assert_array_equal(loop.matrix.values, found)


def test_a_direction_that_vanishes_for_a_moment_is_dropped_as_well():
    """One direction is known to be redundant; a second one is exactly zero at this configuration only."""
    matrix = Matrix([6, 3], [(0, 1)], before=[(0, 1)])
    gradient = np.zeros((3, 6))
    gradient[0, :2] = 3.0, 4.0
    matrix.set(0, 0, 2.0 * np.eye(6))
    matrix.set(0, 1, gradient.T)
    matrix.set(1, 0, gradient)
    status = factor(matrix.pattern, matrix.values, np.array([0, 1]), matrix.layout.workspace())
    assert status == (REGULAR, -1)
    x = np.concatenate([np.zeros(6), [5.0, 0.0, 0.0]])
    solve(matrix.pattern, matrix.values, x)
    np.testing.assert_allclose(x, [0.6, 0.8, 0, 0, 0, 0, -0.4, 0, 0], rtol=0, atol=1e-15)


def test_what_is_not_finite_is_reported_in_marked_nodes_too():
    loop = Loop(0, 2)
    loop.matrix.values[:] = loop.original
    loop.matrix.values[loop.matrix.layout.block(7, 7)] = np.nan
    memory = (loop.marked, 1e-9, loop.workspace, np.zeros(8, dtype=np.int64))
    assert factor_revealing_rank(loop.matrix.pattern, loop.matrix.values, *memory) == (NOT_FINITE, 7)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_pseudo_inverse_of_blocks(n):
    rng = np.random.default_rng(n)
    work = np.zeros(4 * n * n)
    for rank in range(n + 1):
        for _ in range(20):
            u, v = (np.linalg.qr(rng.normal(size=(n, n)))[0] for _ in range(2))
            scale = 10.0 ** rng.integers(-9, 10)
            block = scale * u[:, :rank] @ np.diag(rng.uniform(1.0, 10.0, rank)) @ v[:, :rank].T
            for asked in {rank, n} if rank == 0 else {rank}:
                values = block.ravel().copy()
                assert pseudo_invert(values, 0, n, asked, 10 * scale, work) == rank
                # inverses are below 1 in units of 1/scale
                result, expected = scale * values.reshape(n, n), scale * np.linalg.pinv(block, rcond=1e-10)
                np.testing.assert_allclose(result, expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_rank_does_not_depend_on_units(n):
    rng = np.random.default_rng(30 + n)
    work = np.zeros(2 * n * n)
    for rank in range(n + 1):
        for _ in range(20):
            rows = np.linalg.qr(rng.normal(size=(n, n)))[0][:, :rank] * rng.uniform(0.5, 1.0, rank)
            units = 10.0 ** rng.uniform(-6, 6, n)
            block = units[:, None] * (rows @ rows.T) * units
            scale = np.concatenate([[0.0], units**2 * (rows**2).sum(axis=1) + (units**2 if rank == 0 else 0.0)])
            assert numerical_rank(block.ravel().copy(), 0, n, 1e-9, scale, 1, work) == rank
