"""A block-sparse linear system as an object: set blocks, factor, solve. For stand-alone use and for trying things out.

Programs that solve many systems of one pattern in compiled code use `BlockPattern`, `factor` and `solve`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.linalg.factor import factor_revealing_rank
from dalembert.linalg.pattern import BlockPattern, Order
from dalembert.linalg.pivots import NOT_FINITE, SINGULAR
from dalembert.linalg.solve import solve_many, solve_transposed_many, subtract_product_many

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class BlockSystem:
    """A square matrix of blocks on a graph, its factors and its solutions.

    >>> system = BlockSystem([2, 1], [(0, 1)], before=[(0, 1)])
    >>> system.set_block(0, 0, [[2.0, 1.0], [0.0, 1.0]])
    >>> system.set_block(0, 1, [[1.0], [0.0]])
    >>> system.set_block(1, 0, [[3.0, 0.0]])
    >>> system.factor()  # no pivot lost a direction
    array([0, 0])
    >>> system.solve([4.0, 1.0, 3.0])
    array([1., 1., 1.])

    The diagonal block of node 1 is left zero: the node gets its pivot from node 0, which must be eliminated before.
    """

    def __init__(
        self,
        size: ArrayLike,
        edges: ArrayLike | Iterable[tuple[int, int]],
        order: Order | Sequence[int] = "auto",
        before: ArrayLike | Iterable[tuple[int, int]] = (),
    ) -> None:
        """See `BlockPattern` for the arguments. All blocks are zero at first."""
        self.layout = BlockPattern(size, edges, order, before)
        self._size = self.layout.pattern.size
        self._values = self.layout.values()
        self._factors: Floats | None = None
        self._workspace = self.layout.workspace()

    def set_block(self, i: int, j: int, block: ArrayLike) -> None:
        """Set block (i, j), (size[i], size[j]); the factors, if there are any, stay those of the matrix before."""
        shape = (int(self._size[i]), int(self._size[j]))
        array = np.asarray(block, dtype=np.float64)
        if array.shape != shape:
            raise ValueError(f"block ({i}, {j}) must have the shape {shape}, found {array.shape}")
        if array.size:
            address = self.layout.block(i, j)
            self._values[address : address + array.size] = array.ravel()

    def factor(self, marked: Iterable[int] = (), threshold: float = 1e-9) -> Integers:
        """Factor the matrix; returns how many directions were dropped from the pivot of each node.

        Args:
            marked: nodes whose pivot may be of deficient rank: directions in which it vanishes are left out of the
                solution, see `dalembert.linalg.pivots`.
            threshold: how small a direction of a marked node is, relative to the size its pivot had before
                cancellation, when it counts as vanishing.

        Raises:
            numpy.linalg.LinAlgError: a block holds NaN or infinity, or the pivot of a node that is not marked is
                singular. The message names the node.
        """
        pattern = self.layout.pattern
        flags = np.zeros(len(self._size), dtype=np.int64)
        flags[list(marked)] = 1
        deficiency = np.zeros_like(flags)
        factors = self._values.copy()
        status, node = factor_revealing_rank(pattern, factors, flags, threshold, self._workspace, deficiency)
        if status == NOT_FINITE:
            raise np.linalg.LinAlgError(f"the pivot of node {node} is not finite: a block holds NaN or infinity")
        if status == SINGULAR:
            raise np.linalg.LinAlgError(
                f"the pivot of node {node} is singular; if its equations may be redundant, mark it (marked=[{node}]); "
                "if its diagonal block is zero, have a neighbour eliminated before it (before=[(neighbour, node)])"
            )
        self._factors = factors
        return deficiency

    def solve(self, rhs: ArrayLike, transposed: bool = False, refinements: int = 0) -> Floats:
        """The solution x of A x = b, or of Aᵀ x = b.

        Args:
            rhs: (n_rows,) or (n_rows, any number); rows of node 0, of node 1, …
            transposed: solve with Aᵀ instead.
            refinements: steps of iterative refinement, each with the residual of the matrix as it is set now. They
                sharpen a solution that ill-conditioned pivots have blurred; they are not offered for the transpose.
        """
        if self._factors is None:
            raise RuntimeError("there are no factors yet: call factor() before solve()")
        if transposed and refinements:
            raise ValueError("refinement is not offered for the transposed system")
        b = np.array(rhs, dtype=np.float64)
        if b.shape[:1] != (self.layout.n_rows,) or b.ndim > 2:
            raise ValueError(f"a right-hand side must have {self.layout.n_rows} rows, found the shape {b.shape}")
        columns = np.ascontiguousarray(b.reshape(self.layout.n_rows, -1))
        pattern = self.layout.pattern
        x = columns.copy()
        (solve_transposed_many if transposed else solve_many)(pattern, self._factors, x)
        for _ in range(refinements):
            residual = columns.copy()
            subtract_product_many(pattern, self._values, x, residual)
            solve_many(pattern, self._factors, residual)
            x += residual
        return x.reshape(b.shape)

    def to_dense(self) -> Floats:
        """The matrix as it is set, (n_rows, n_rows)."""
        p = self.layout.pattern
        dense = np.zeros((self.layout.n_rows, self.layout.n_rows))
        for k, c in enumerate(p.order):
            pairs = [(c, c, p.diagonal[c])]
            for slot in range(p.first[k], p.first[k + 1]):
                other = p.neighbour[slot]
                pairs += [(c, other, p.upper[slot]), (other, c, p.lower[slot])]
            for i, j, address in pairs:
                block = self._values[address : address + p.size[i] * p.size[j]]
                dense[p.start[i] : p.start[i + 1], p.start[j] : p.start[j + 1]] = block.reshape(p.size[i], p.size[j])
        return dense
