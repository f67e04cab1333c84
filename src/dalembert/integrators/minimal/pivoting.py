"""A small dense system whose rank shows: elimination with complete pivoting."""

from typing import Final

from dalembert._jit import kernel

REDUNDANT: Final = 1e-11
"""A pivot below this, in units in which the matrix has ones on its diagonal, is a row that follows from the others.

At a configuration that satisfies the constraints to rounding error a redundant row shows as about 1e-15; bars that line
up within an angle ε show as ε².
"""


@kernel
def factor_by_rank(matrix, order, rank):
    """Replace ``matrix`` by its factors, rows and columns exchanged as ``order`` (2, r) says, up to its rank."""
    r = matrix.shape[0]
    for k in range(r):
        order[0, k] = k
        order[1, k] = k
    rank[0] = 0
    for k in range(r):
        largest, row, column = 0.0, k, k
        for i in range(k, r):
            for j in range(k, r):
                size = abs(matrix[i, j])
                if size > largest:
                    largest, row, column = size, i, j
        if not largest > REDUNDANT:
            return
        for j in range(r):
            matrix[k, j], matrix[row, j] = matrix[row, j], matrix[k, j]
        for i in range(r):
            matrix[i, k], matrix[i, column] = matrix[i, column], matrix[i, k]
        order[0, k], order[0, row] = order[0, row], order[0, k]
        order[1, k], order[1, column] = order[1, column], order[1, k]
        for i in range(k + 1, r):
            factor = matrix[i, k] / matrix[k, k]
            matrix[i, k] = factor
            for j in range(k + 1, r):
                matrix[i, j] -= factor * matrix[k, j]
        rank[0] = k + 1


@kernel
def solve_by_rank(matrix, order, rank, side, out):
    """The basic solution: unknowns without a pivot are zero, equations without one are left out.

    ``side`` (2, r): the right-hand side, and room for its reordering.
    """
    r = rank[0]
    for i in range(r):
        value = side[0, order[0, i]]
        for j in range(i):
            value -= matrix[i, j] * side[1, j]
        side[1, i] = value
    for k in range(out.shape[0]):
        out[k] = 0.0
    for i in range(r - 1, -1, -1):
        value = side[1, i]
        for j in range(i + 1, r):
            value -= matrix[i, j] * side[1, j]
        side[1, i] = value / matrix[i, i]
        out[order[1, i]] = side[1, i]
