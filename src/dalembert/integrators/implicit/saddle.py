"""The linear system of a stage, forwards and transposed:

    [ H    −Gᵀ ] [ δξ ]   [ a ]
    [ G T    0 ] [ δλ ] = [ b ]        with S = G T H⁻¹ Gᵀ:   S δλ = b − G T H⁻¹ a,   δξ = H⁻¹ (a + Gᵀ δλ).

Rows of loops may depend on each other. Each is scaled by what a unit force along it would move if its bodies were free,
so that metres and radians weigh alike and a row that the tree cannot move stays as short as rounding made it. S is then
factored with full pivots; rows without a pivot follow from the others and get no multiplier.
"""

from dalembert._jit import kernel
from dalembert.linalg.dense_lu import (
    factor_full,
    factor_lu,
    solve_full,
    solve_full_transposed,
    solve_lu,
    solve_lu_transposed,
)

REDUNDANT = 1e-11
"""Pivots of S below this are redundant rows …"""
OPEN = 10.0
"""… and where loops are open by δ, relative to 1 m, redundant rows leave pivots of about δ²: those below (10 δ)²."""
LARGEST = 1e-4


@kernel
def factor_saddle(stage, gap):
    """Factor H and S; (whether H is regular, rank of S)."""
    if not factor_lu(stage.hessian, stage.pivots):
        return False, 0
    loops, r = stage.equations.loops, stage.schur.shape[0]
    for i in range(r):
        for k in range(stage.hessian.shape[0]):
            stage.columns[i, k] = loops.rows[i, k]
        solve_lu(stage.hessian, stage.pivots, stage.columns[i])
    for i in range(r):
        for j in range(r):
            value = 0.0
            for k in range(stage.hessian.shape[0]):
                value += stage.rows[i, k] * stage.columns[j, k]
            size = loops.size[i] * loops.size[j]
            stage.schur[i, j] = value / size if size > 0.0 else 0.0
    tolerance = max(REDUNDANT, min((OPEN * gap) ** 2, LARGEST))
    return True, factor_full(stage.schur, stage.exchange[0], stage.exchange[1], tolerance)


@kernel
def solve_saddle(stage, rank, x, y):
    """Replace (a, b) in (x, y) by (δξ, δλ)."""
    r, size = stage.schur.shape[0], stage.equations.loops.size
    solve_lu(stage.hessian, stage.pivots, x)
    for i in range(r):
        for k in range(x.size):
            y[i] -= stage.rows[i, k] * x[k]
        y[i] /= size[i]
    solve_full(stage.schur, stage.exchange[0], stage.exchange[1], rank, y)
    for i in range(r):
        y[i] /= size[i]
        for k in range(x.size):
            x[k] += stage.columns[i, k] * y[i]


@kernel
def solve_saddle_transposed(stage, rank, x, y):
    """Replace (a, b) in (x, y) by the solution (z, μ) of Hᵀ z + (G T)ᵀ μ = a, −G z = b.

    z = H⁻ᵀ (a − (G T)ᵀ μ) gives −(G H⁻ᵀ (a − (GT)ᵀ μ)) = b, that is Sᵀ μ = b + G H⁻ᵀ a.
    """
    r, size = stage.schur.shape[0], stage.equations.loops.size
    for i in range(r):
        for k in range(x.size):
            y[i] += stage.columns[i, k] * x[k]
        y[i] /= size[i]
    solve_full_transposed(stage.schur, stage.exchange[0], stage.exchange[1], rank, y)
    for i in range(r):
        y[i] /= size[i]
        for k in range(x.size):
            x[k] -= stage.rows[i, k] * y[i]
    solve_lu_transposed(stage.hessian, stage.pivots, x)
