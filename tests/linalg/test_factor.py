"""Factor and solve: the dense answer for every order and mix of sizes, honest status, no allocation, linear cost."""

from __future__ import annotations

import importlib
import time
from typing import Any

import numpy as np
import pytest
from linalg import naive_ldu
from linalg.block_matrices import Matrix, random_matrix

from dalembert._jit import kernel
from dalembert.linalg import graphs
from dalembert.linalg.blocks import FIVE, FOUR, ONE, SIX, THREE, TWO
from dalembert.linalg.factor import factor
from dalembert.linalg.inverse import invert_above_three
from dalembert.linalg.pivots import NOT_FINITE, REGULAR, SINGULAR, invert, invert_with_exchanges
from dalembert.linalg.solve import (
    refine,
    solve,
    solve_many,
    solve_transposed,
    solve_transposed_many,
    subtract_product,
    subtract_product_many,
)

ORDERS: list[Any] = ["depth_first", "loops_last", "minimum_degree", "auto"]

# matrices of these tests have condition numbers below 100 and solutions of size 1, so rounding leaves about 1e-15
ROUNDING = 2e-14


def factored(matrix: Matrix) -> tuple[int, int]:
    ordinary = np.zeros(len(matrix.size), dtype=np.int64)
    return factor(matrix.pattern, matrix.values, ordinary, matrix.layout.workspace())


@pytest.mark.parametrize("order", ORDERS)
def test_sparse_equals_dense(order):
    rng = np.random.default_rng(11)
    for trial in range(25):
        n = int(rng.integers(1, 25))
        edges = graphs.random_graph(n, int(rng.integers(0, 20)), rng)
        matrix = random_matrix(rng, rng.integers(0, 7, size=n).tolist(), edges, order)
        b = rng.normal(size=(matrix.layout.n_rows, 4))
        expected, transposed = np.linalg.solve(matrix.dense, b), np.linalg.solve(matrix.dense.T, b)
        assert factored(matrix) == (REGULAR, -1)

        x = b[:, 0].copy()
        solve(matrix.pattern, matrix.values, x)
        np.testing.assert_allclose(x, expected[:, 0], rtol=0, atol=ROUNDING, err_msg=f"trial {trial}")
        x = b[:, 0].copy()
        solve_transposed(matrix.pattern, matrix.values, x)
        np.testing.assert_allclose(x, transposed[:, 0], rtol=0, atol=ROUNDING, err_msg=f"trial {trial}")

        many = b.copy()
        solve_many(matrix.pattern, matrix.values, many)
        np.testing.assert_allclose(many, expected, rtol=0, atol=ROUNDING, err_msg=f"trial {trial}")
        many = b.copy()
        solve_transposed_many(matrix.pattern, matrix.values, many)
        np.testing.assert_allclose(many, transposed, rtol=0, atol=ROUNDING, err_msg=f"trial {trial}")


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("other", [1, 2, 3, 4, 5, 6])
def test_every_pair_of_sizes(size, other):
    rng = np.random.default_rng(10 * size + other)
    matrix = random_matrix(rng, [size, other, size, other], [(0, 1), (1, 2), (2, 3), (3, 0)])
    b = rng.normal(size=matrix.layout.n_rows)
    factored(matrix)
    x, y = b.copy(), b.copy()
    solve(matrix.pattern, matrix.values, x)
    solve_transposed(matrix.pattern, matrix.values, y)
    np.testing.assert_allclose(x, np.linalg.solve(matrix.dense, b), rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(y, np.linalg.solve(matrix.dense.T, b), rtol=0, atol=ROUNDING)


def test_many_right_hand_sides_give_the_bits_of_single_ones():
    rng = np.random.default_rng(12)
    matrix = random_matrix(rng, [6, 5, 3, 4, 2, 1] * 3, graphs.random_graph(18, 8, rng))
    b = rng.normal(size=(matrix.layout.n_rows, 3))
    factored(matrix)
    for one, several in ((solve, solve_many), (solve_transposed, solve_transposed_many)):
        many = b.copy()
        several(matrix.pattern, matrix.values, many)
        for q in range(3):
            x = b[:, q].copy()
            one(matrix.pattern, matrix.values, x)
            np.testing.assert_array_equal(many[:, q], x)


def test_factors_are_those_of_the_paper():
    rng = np.random.default_rng(13)
    for _ in range(10):
        n = int(rng.integers(2, 12))
        size = rng.integers(1, 7, size=n).tolist()
        edges = graphs.random_graph(n, 8, rng)
        matrix = random_matrix(rng, size, edges, "depth_first")
        order = matrix.pattern.order.tolist()
        ends = [(int(i), int(j)) for i, j in edges]
        keys = [(i, i) for i in range(n)] + ends + [(j, i) for i, j in ends]
        blocks = {(i, j): matrix.dense[matrix.rows(i), matrix.rows(j)].copy() for i, j in keys}
        naive_ldu.factor(blocks, order)
        factored(matrix)
        for (i, j), block in blocks.items():
            a = matrix.layout.block(i, j)
            ours = matrix.values[a : a + block.size].reshape(block.shape)
            if i == j:
                ours = np.linalg.inv(ours)
            elif matrix.pattern.position[i] > matrix.pattern.position[j]:
                d = matrix.layout.block(j, j)
                ours = ours @ matrix.values[d : d + size[j] ** 2].reshape(size[j], size[j])
            # the entries of D are as large as 100, those of L and U are below 1
            np.testing.assert_allclose(ours, block, rtol=0, atol=1e-12 if i == j else ROUNDING)
        b = rng.normal(size=matrix.layout.n_rows)
        naive = naive_ldu.solve(blocks, order, {i: b[matrix.rows(i)] for i in range(n)})
        x = b.copy()
        solve(matrix.pattern, matrix.values, x)
        for i in range(n):
            np.testing.assert_allclose(x[matrix.rows(i)], naive[i], rtol=0, atol=ROUNDING)


def test_zero_diagonal_blocks_get_their_pivot_from_a_neighbour():
    """A chain of bodies and joints as in a variational integrator: joints come with a zero block."""
    rng = np.random.default_rng(14)
    joints = [6 + k for k in range(5)]
    edges = [(k, 6 + k) for k in range(5)] + [(k + 1, 6 + k) for k in range(5)] + [(5, 0)]
    before = [(body, joint) for body, joint in edges[:10] if (body + joint) % 2 == 0]
    size = [6] * 6 + [5, 3, 6, 1, 4]
    for order in ORDERS:
        matrix = random_matrix(rng, size, edges, order, before)
        for joint in joints:
            matrix.set(joint, joint, np.zeros((size[joint], size[joint])))
        for body in range(6):
            matrix.set(body, body, np.diag(rng.uniform(1.0, 3.0, 6)) + 0.1 * rng.normal(size=(6, 6)))
        for body, joint in edges[:10]:
            # constraints at the two ends of a step: nearly, not quite, each other's transposes
            gradient = np.linalg.qr(rng.normal(size=(6, 6)))[0][: size[joint]]
            matrix.set(joint, body, gradient)
            matrix.set(body, joint, gradient.T + 0.01 * rng.normal(size=(6, size[joint])))
        matrix.set(5, 0, 0.1 * rng.normal(size=(6, 6)))
        matrix.set(0, 5, 0.1 * rng.normal(size=(6, 6)))
        assert factored(matrix) == (REGULAR, -1)
        b = rng.normal(size=matrix.layout.n_rows)
        x = b.copy()
        solve(matrix.pattern, matrix.values, x)
        # condition numbers are about 100 and solutions about 10
        np.testing.assert_allclose(x, np.linalg.solve(matrix.dense, b), rtol=0, atol=1e-12)


def test_product_and_refinement():
    """A pivot of condition 1e4 makes the factors grow and costs digits; one step of refinement restores them."""
    rng = np.random.default_rng(15)
    matrix = random_matrix(rng, [6, 5, 6, 5], [(0, 1), (1, 2), (2, 3), (0, 3)])
    u, _, vt = np.linalg.svd(rng.normal(size=(6, 6)))
    first = int(matrix.pattern.order[0])
    n = matrix.size[first]
    block = u[:n, :n] @ np.diag(np.geomspace(1.0, 1e-4, n)) @ vt[:n, :n]
    matrix.set(first, first, block)
    original = matrix.values.copy()
    expected = rng.normal(size=matrix.layout.n_rows)
    b = np.zeros_like(expected)
    subtract_product(matrix.pattern, original, -expected, b)
    np.testing.assert_allclose(b, matrix.dense @ expected, rtol=0, atol=1e-13)
    several = np.zeros((len(b), 2))
    subtract_product_many(matrix.pattern, original, -np.stack([expected, 2 * expected], axis=1), several)
    np.testing.assert_allclose(several, np.stack([b, 2 * b], axis=1), rtol=0, atol=1e-13)

    factored(matrix)
    x, residual = b.copy(), np.empty_like(b)
    solve(matrix.pattern, matrix.values, x)
    before = np.abs(matrix.dense @ x - b).max()
    change = refine(matrix.pattern, matrix.values, original, b, x, residual)
    after = np.abs(matrix.dense @ x - b).max()
    assert change == np.abs(residual).max()
    assert before > 1e-12
    assert after < 1e-14


def test_a_singular_pivot_is_reported_and_its_zero_directions_dropped():
    matrix = random_matrix(np.random.default_rng(16), [3, 3, 3], [(0, 1), (1, 2)], [0, 2, 1])
    for i, j in ((0, 1), (1, 0)):
        matrix.set(i, j, np.zeros((3, 3)))
    matrix.set(0, 0, np.diag([2.0, 0.0, 4.0]))
    assert factored(matrix) == (SINGULAR, 0)
    x = np.ones(9)
    solve(matrix.pattern, matrix.values, x)
    np.testing.assert_allclose(x[:3], [0.5, 0.0, 0.25], rtol=0, atol=1e-15)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_what_is_not_finite_is_reported(bad, size):
    rng = np.random.default_rng(17)
    for row in range(size):
        for column in range(size):
            matrix = random_matrix(rng, [4, size], [(0, 1)], [0, 1])
            matrix.values[matrix.layout.block(1, 1) + size * row + column] = bad
            assert factored(matrix) == (NOT_FINITE, 1)
    matrix = random_matrix(rng, [4, size], [(0, 1)], [0, 1])
    matrix.values[matrix.layout.block(0, 1)] = bad
    assert factored(matrix) == (NOT_FINITE, 1)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_inverse_of_blocks(n):
    """Random blocks, diagonal ones, permutations (which need row exchanges), and scales from 1e-9 to 1e9."""
    rng = np.random.default_rng(18)
    work = np.zeros(100)
    for trial in range(60):
        q = np.linalg.qr(rng.normal(size=(n, n)))[0]
        block = [q, q @ np.diag(rng.uniform(1.0, 100.0, n)) @ q.T, np.eye(n)[rng.permutation(n)]][trial % 3]
        scale = 10.0 ** rng.integers(-9, 10)
        for inverted in (invert, invert_with_exchanges):
            values = np.concatenate([[7.0], (scale * block).ravel(), [7.0]])
            assert inverted(values, 1, n, work) == REGULAR
            assert values[0] == values[-1] == 7.0
            # condition numbers are below 100, inverses below 1 in units of 1/scale
            np.testing.assert_allclose(
                scale * values[1:-1].reshape(n, n), np.linalg.inv(block), rtol=0, atol=1e-13, err_msg=f"trial {trial}"
            )


@pytest.mark.parametrize(("n", "size", "rest"), [(4, FOUR, ONE), (5, FIVE, TWO), (6, SIX, THREE)])
def test_definite_blocks_in_any_units_need_no_exchanges(n, size, rest):
    rng = np.random.default_rng(23)
    for _ in range(50):
        turn = np.linalg.qr(rng.normal(size=(n, n)))[0]
        block = turn @ np.diag(rng.uniform(1.0, 30.0, n)) @ turn.T
        units = 10.0 ** rng.uniform(-3, 3, n)
        values = (units[:, None] * block * units).ravel()
        assert invert_above_three(values, 0, size, rest, np.zeros(36))
        inverse = units[:, None] * values.reshape(n, n) * units
        # condition numbers are below 30 in units of their own, inverses below 1
        np.testing.assert_allclose(inverse, np.linalg.inv(block), rtol=0, atol=1e-14)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_exchanges_take_over_where_the_diagonal_is_small(n):
    """Without them the pivot 1e-12 would cost twelve digits."""
    rng = np.random.default_rng(19)
    for _ in range(20):
        block = np.linalg.qr(rng.normal(size=(n, n)))[0]
        block[0, 0] = 1e-12
        if np.linalg.cond(block) > 100:
            continue
        values = block.ravel().copy()
        assert invert(values, 0, n, np.zeros(100)) == REGULAR
        np.testing.assert_allclose(values.reshape(n, n) @ block, np.eye(n), rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_singular_blocks_are_left_as_they_were(n):
    rng = np.random.default_rng(20)
    thin = rng.integers(-3, 4, size=(n, n - 1)).astype(float)
    block = thin @ rng.integers(-3, 4, size=(n - 1, n))
    values = block.ravel().copy()
    assert invert(values, 0, n, np.zeros(100)) == SINGULAR
    np.testing.assert_array_equal(values, block.ravel())


@kernel
def _repeated(p, values, original, deficiency, workspace, b, x, residual, many, times):
    for _ in range(times):
        for i in range(values.shape[0]):
            values[i] = original[i]
        factor(p, values, deficiency, workspace)
        solve(p, values, x)
        solve_transposed(p, values, x)
        solve_many(p, values, many)
        solve_transposed_many(p, values, many)
        refine(p, values, original, b, x, residual)


@pytest.mark.compiled
def test_nothing_is_allocated():
    """As many allocations for twenty repetitions as for ten: those of handing the arrays over from Python."""
    _nrt_python = importlib.import_module("numba.core.runtime._nrt_python")
    rtsys = importlib.import_module("numba.core.runtime.nrt").rtsys
    rng = np.random.default_rng(21)
    matrix = random_matrix(rng, [6, 5, 3, 4, 6, 6] * 3, graphs.random_graph(18, 10, rng))
    b = rng.normal(size=matrix.layout.n_rows)
    deficiency = np.zeros(18, dtype=np.int64)
    deficiency[matrix.pattern.order[-1]] = 1
    memory = (deficiency, matrix.layout.workspace(), b, b.copy(), b.copy(), np.stack([b, b], axis=1))

    def allocated(times: int) -> int:
        before = rtsys.get_allocation_stats().alloc
        _repeated(matrix.pattern, matrix.values, matrix.values.copy(), *memory, times)
        return rtsys.get_allocation_stats().alloc - before

    _nrt_python.memsys_enable_stats()
    allocated(1)
    assert allocated(20) == allocated(10)


@pytest.mark.compiled
def test_cost_of_a_chain_is_linear():
    """Eight times the nodes take about eight times as long: the exponent, from the best of many runs, is 1 ± 0.15."""
    taken = {}
    for pairs in (200, 1600):
        rng = np.random.default_rng(22)
        matrix = random_matrix(rng, [6, 5] * pairs, graphs.chain(2 * pairs))
        original, x = matrix.values.copy(), rng.normal(size=matrix.layout.n_rows)
        ordinary, workspace = np.zeros(2 * pairs, dtype=np.int64), matrix.layout.workspace()
        best = np.inf
        for _ in range(60):
            matrix.values[:] = original
            start = time.perf_counter()
            factor(matrix.pattern, matrix.values, ordinary, workspace)
            solve(matrix.pattern, matrix.values, x)
            best = min(best, time.perf_counter() - start)
        taken[pairs] = best
    assert abs(np.log(taken[1600] / taken[200]) / np.log(8) - 1.0) < 0.15
