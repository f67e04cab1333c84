"""The impulses of a step: loops first, then contact and friction on what loops leave.

With v̄ the velocity after everything but contact and friction, and P = M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁺ G M⁻¹ the inverse
inertia that loops leave, v⁺ = v̄ + P (Nᵀ α + Tᵀ β). Contact and friction are convex programs in their impulses,
[Sueda 2021] eq. (2.120), (2.121):

    α = argmin ½ αᵀ N P Nᵀ α + αᵀ (N (v̄ + P Tᵀ β) − b),      α ≥ 0,
    β = argmin ½ βᵀ T P Tᵀ β + βᵀ T (v̄ + P Nᵀ α),           |β| ≤ μ α + (constant),

the dual of (1.94), and greatest dissipation. They are solved in turn until neither changes, in the metric of P. The
signs are those of impulses on the rates, as everywhere here; those of the source are the other way round. One program
for both is that of [Anitescu 2004], section 1.13: over α ≥ 0 and |β| ≤ μ α together.

More contacts than a body needs leave α undetermined, but bound friction: as in (2.125) the smallest α is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dalembert.integrators.staggered.rows import ImpulseRows
from dalembert.model.system import Floats
from dalembert.solve.quadratic import QuadraticFailure, solve_quadratic

SMALLEST = 1e-9
"""Added to the scaled diagonal of N P Nᵀ, so that of many α the smallest is found."""
CALM = 20
"""Projections after which half of each change is taken: the two programs may answer each other for ever."""


class Impulses(NamedTuple):
    """Impulses of the rows of `ImpulseRows`, N s or N m s."""

    push: Floats
    slip: Floats
    projections: int


def find_impulses(
    rows: ImpulseRows,
    inverse: Floats,
    v: Floats,
    mode: str,
    qp: str,
    tol: float,
    most: int,
    start: Floats | None,
    carried: Callable[[Floats, Floats], Floats] | None = None,
) -> Impulses:
    """α and β for the velocity v̄ and P = ``inverse`` (n_v, n_v). ``start``: β of the step before, if it has as many.

    ``carried`` says for α and β how far what joints carry bounds each slip, N s or N m s.
    """
    alpha, beta = np.zeros(rows.least.size), np.zeros(rows.share.size)
    if mode == "none":
        rows = rows._replace(slip=rows.slip[:0], share=rows.share[:0], presses=rows.presses[:0])
        return Impulses(_contact(rows, inverse, v, qp), beta, 1)
    if mode == "pyramid":
        return _pyramid(rows, inverse, v, qp)
    if start is not None and start.size == beta.size:
        beta = start.copy()
    pressed = rows.push.T @ alpha
    for count in range(1, most + 1):
        alpha = _contact(rows, inverse, v + inverse @ (rows.slip.T @ beta), qp)
        if not beta.size:
            return Impulses(alpha, beta, count)
        # row −1: nothing presses
        bound = rows.constant + rows.share * np.append(alpha, 0.0)[rows.presses]
        if carried is not None:
            bound = bound + carried(alpha, beta)
        found = _friction(rows, inverse, v + inverse @ (rows.push.T @ alpha), bound, qp)
        change = max(_size(inverse, rows.push.T @ alpha - pressed), _size(inverse, rows.slip.T @ (found - beta)))
        pressed = rows.push.T @ alpha
        agreed = change <= tol * _size(inverse, pressed + rows.slip.T @ found)
        if agreed or not (alpha.size or carried):
            # friction that nothing presses has its answer at once
            return Impulses(alpha, found, count)
        beta = found if count < CALM else 0.5 * (beta + found)
    raise QuadraticFailure(f"contact and friction did not agree in {most} projections; try a smaller dt")


def _size(inverse: Floats, impulse: Floats) -> float:
    """The length of a generalised impulse in the metric of P: impulses of rows need not be unique, this is."""
    return float(np.sqrt(max(impulse @ inverse @ impulse, 0.0)))


def _contact(rows: ImpulseRows, inverse: Floats, v: Floats, qp: str) -> Floats:
    k = rows.least.size
    if not k or (rows.push @ v >= rows.least).all():
        return np.zeros(k)
    # rows may differ by orders of magnitude: each is scaled by what its impulse moves
    weight = rows.push @ inverse @ rows.push.T
    scale = _scale(weight)
    found = solve_quadratic(
        weight / np.outer(scale, scale) + SMALLEST * np.eye(k),
        (rows.push @ v - rows.least) / scale,
        np.eye(k),
        np.zeros(k),
        np.full(k, np.inf),
        qp,
    )
    return np.maximum(found.x, 0.0) / scale


def _friction(rows: ImpulseRows, inverse: Floats, v: Floats, bound: Floats, qp: str) -> Floats:
    f = bound.size
    weight = rows.slip @ inverse @ rows.slip.T
    scale = _scale(weight)
    limit = bound * scale
    some = limit > 0.0
    out = np.zeros(f)
    if not some.any():
        return out
    # impulses are counted in the largest bound
    unit = float(limit.max())
    found = solve_quadratic(
        (weight / np.outer(scale, scale))[np.ix_(some, some)],
        ((rows.slip @ v) / scale)[some] / unit,
        np.eye(int(some.sum())),
        -limit[some] / unit,
        limit[some] / unit,
        qp,
    )
    out[some] = np.clip(found.x * unit, -limit[some], limit[some])
    return out / scale


def _pyramid(rows: ImpulseRows, inverse: Floats, v: Floats, qp: str) -> Impulses:
    k, f = rows.least.size, rows.share.size
    every = np.vstack([rows.push, rows.slip])
    if not every.size:
        return Impulses(np.zeros(k), np.zeros(f), 1)
    weight = every @ inverse @ every.T
    scale = _scale(weight)
    linear = (every @ v - np.concatenate([rows.least, np.zeros(f)])) / scale
    bounds = np.zeros((2 * f, k + f))
    for i in range(f):
        for side, sign in enumerate((1.0, -1.0)):
            bounds[2 * i + side, k + i] = sign / scale[k + i]
            if rows.presses[i] >= 0:
                bounds[2 * i + side, rows.presses[i]] = rows.share[i] / scale[rows.presses[i]]
    matrix = np.vstack([np.eye(k, k + f), bounds])
    low = np.concatenate([np.zeros(k), -np.repeat(rows.constant, 2)])
    found = solve_quadratic(weight / np.outer(scale, scale), linear, matrix, low, np.full(low.size, np.inf), qp)
    return Impulses(np.maximum(found.x[:k], 0.0) / scale[:k], found.x[k:] / scale[k:], 1)


def _scale(weight: Floats) -> Floats:
    size = np.sqrt(np.maximum(np.diag(weight), 0.0))
    return np.where(size > 0.0, size, 1.0)
