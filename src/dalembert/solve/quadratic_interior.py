"""A primal-dual interior-point method for small dense quadratic programs, with predictor and corrector.

With the equalities E x = e and all finite bounds as K x + s = k, s ≥ 0, z ≥ 0:

    H x + g + Eᵀ y + Kᵀ z = 0,      E x = e,      K x + s = k,      s∘z = σ μ,

Newton's direction eliminates s and z: (H + Kᵀ (z/s) K) δx + Eᵀ δy = …. Rows of E that depend on each other are replaced
by an orthonormal basis of them first. [Mehrotra 1992], [Nocedal 2006] section 16.6.
"""

from __future__ import annotations

import numpy as np

from dalembert.model.system import Floats
from dalembert.solve.quadratic import QuadraticFailure, QuadraticSolution

MAX_ITERATIONS = 80
TIGHT = 1e-13
"""Residuals and complementarity below this times the size of the problem are what rounding leaves …"""
GOOD = 1e-9
"""… and below this they are an answer, if no more can be had."""
DEPENDENT = 1e-11
MAX_CORRECTIONS = 30
SHIFT = 1e-14
"""Of the size of H, added to it: H may be singular where no row holds."""


def solve(hessian: Floats, linear: Floats, rows: Floats, lower: Floats, upper: Floats) -> QuadraticSolution:
    """See `dalembert.solve.quadratic.solve_quadratic`."""
    equal = lower == upper
    above, below = np.isfinite(upper) & ~equal, np.isfinite(lower) & ~equal
    basis, target, back = _independent(rows[equal], lower[equal])
    k = np.concatenate([upper[above], -lower[below]])
    big = np.vstack([rows[above], -rows[below]])
    x, y, z, iterations = _iterate(hessian, linear, basis, target, big, k)
    multiplier = np.zeros(rows.shape[0])
    multiplier[equal] = -back @ y
    multiplier[above] -= z[: above.sum()]
    multiplier[below] += z[above.sum() :]
    return QuadraticSolution(x, multiplier, iterations)


def _independent(rows: Floats, target: Floats) -> tuple[Floats, Floats, Floats]:
    """An orthonormal basis of the rows, its right sides, and what takes its multipliers to those of the rows."""
    if not rows.size:
        return rows.reshape(0, rows.shape[1]), np.zeros(0), np.zeros((rows.shape[0], 0))
    left, size, right = np.linalg.svd(rows, full_matrices=False)
    keep = size > DEPENDENT * size[0]
    left, size, right = left[:, keep], size[keep], right[keep]
    found = left.T @ target
    if np.abs(left @ found - target).max() > 1e-7 * (1.0 + np.abs(target).max()):
        raise QuadraticFailure("equalities contradict each other")
    return right, found / size, left / size


def _iterate(
    hessian: Floats, g: Floats, e_rows: Floats, e: Floats, rows: Floats, k: Floats
) -> tuple[Floats, Floats, Floats, int]:
    n, m, p = g.size, k.size, e.size
    size = 1.0 + max(np.abs(hessian).max(), np.abs(g).max())
    reach = 1.0 + max(np.abs(k).max(initial=0.0), np.abs(e).max(initial=0.0))
    x, y = np.zeros(n), np.zeros(p)
    s, z = np.maximum(k, reach), np.full(m, size)
    matrix = np.zeros((n + p, n + p))
    matrix[:n, n:], matrix[n:, :n] = e_rows.T, e_rows
    best, answer, used = np.inf, (x, y, z), 0
    for iteration in range(MAX_ITERATIONS):
        used = iteration
        dual = hessian @ x + g + e_rows.T @ y + rows.T @ z
        primal, gap = e_rows @ x - e, rows @ x + s - k
        mu = float(s @ z) / m if m else 0.0
        error = max(
            np.abs(dual).max() / size,
            np.abs(primal).max(initial=0.0) / reach,
            np.abs(gap).max(initial=0.0) / reach,
            mu / (size * reach),
        )
        if not error < 1e3 * max(best, TIGHT):
            # rounding has taken over
            break
        if error < best:
            best, answer = error, (x, y, z)
        if error < TIGHT:
            break
        weight = z / s
        matrix[:n, :n] = hessian + SHIFT * size * np.eye(n) + rows.T @ (weight[:, None] * rows)
        dx, dy, dz, ds = _direction(matrix, rows, dual, primal, gap, s, weight, s * z)
        if m:
            length = min(_longest(s, ds), _longest(z, dz), 1.0)
            after = float((s + length * ds) @ (z + length * dz)) / m
            centre = s * z + ds * dz - (after / mu) ** 3 * mu
            dx, dy, dz, ds = _direction(matrix, rows, dual, primal, gap, s, weight, centre)
        length = min(0.995 * _longest(s, ds), 0.995 * _longest(z, dz), 1.0)
        x, y, s, z = x + length * dx, y + length * dy, s + length * ds, z + length * dz
    if not best < GOOD:
        raise QuadraticFailure(f"no answer in {used} iterations: the rows may contradict each other")
    return *_polished(hessian, g, e_rows, e, rows, k, answer), used


def _direction(
    matrix: Floats,
    rows: Floats,
    dual: Floats,
    primal: Floats,
    gap: Floats,
    s: Floats,
    weight: Floats,
    centre: Floats,
) -> tuple[Floats, Floats, Floats, Floats]:
    """(δx, δy, δz, δs) with s δz + z δs = −centre."""
    n = dual.size
    right = -np.concatenate([dual + rows.T @ (weight * gap - centre / s), primal])
    step = np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
    dx = step[:n]
    ds = -gap - rows @ dx
    return dx, step[n:], -centre / s - weight * ds, ds


def _polished(
    hessian: Floats,
    g: Floats,
    e_rows: Floats,
    e: Floats,
    rows: Floats,
    k: Floats,
    answer: tuple[Floats, Floats, Floats],
) -> tuple[Floats, Floats, Floats]:
    """(x, y, z) made exact by an active set: the rows that push, corrected by those that the solution violates.

    With dependent rows or a singular H there are many solutions; it is the one nearest to the answer. Its multipliers
    are taken if none of them pulls.
    """
    x, y, z = answer
    push = z > k - rows @ x
    n, p, reach = x.size, e.size, 1.0 + np.abs(k).max(initial=0.0)
    for _ in range(MAX_CORRECTIONS):
        tight = np.vstack([e_rows, rows[push]])
        m = tight.shape[0]
        system = np.block([[hessian, tight.T], [tight, np.zeros((m, m))]])
        right = np.concatenate([-g - hessian @ x, np.concatenate([e, k[push]]) - tight @ x])
        found = np.asarray(np.linalg.lstsq(system, right, rcond=DEPENDENT)[0], dtype=np.float64)
        better, forces = x + found[:n], found[n + p :]
        violated = rows @ better - k > 1e-12 * reach
        if (violated & ~push).any():
            push |= violated
            continue
        if violated.any() or np.abs(found[:n]).max() > 1e-3 * (1.0 + np.abs(x).max()):
            return answer
        if forces.min(initial=0.0) >= -1e-10 * (1.0 + np.abs(forces).max(initial=0.0)):
            z = np.zeros_like(z)
            z[push] = np.maximum(forces, 0.0)
            return better, found[n : n + p], z
        weakest = np.flatnonzero(push)[int(np.argmin(forces))]
        if z[weakest] > 1e-6 * (1.0 + z.max()):
            return better, y, z
        push[weakest] = False
    return answer


def _longest(u: Floats, du: Floats) -> float:
    """How far u ≥ 0 can go along du, at most 1/0.995."""
    shrinks = du < 0.0
    with np.errstate(over="ignore"):
        # what hardly shrinks is never reached
        return float((-u[shrinks] / du[shrinks]).min(initial=1.0 / 0.995))
