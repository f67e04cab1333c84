"""The adjoint method as [Sueda 2021] section 3.5 writes it: all steps stacked in one dense matrix of positions.

Rates and accelerations are eliminated: each is a row of weights on the positions of all stages and on the start. Only
for joints with lengths and angles, where coordinates are vectors. The equations of motion and their derivatives are
those of the third-order tensors.
"""

from __future__ import annotations

import numpy as np
from naive.reduced_tensors import inverse_dynamics

from dalembert.model.system import System

ALPHA = 1.0 - np.sqrt(0.5)


class Weights:
    """Linear in the positions of S stages, and affine in (q₀, v₀): weights (S,), (2,)."""

    def __init__(self, stages: np.ndarray, start: np.ndarray) -> None:
        self.stages, self.start = stages, start

    def __add__(self, other: Weights) -> Weights:
        return Weights(self.stages + other.stages, self.start + other.start)

    def __mul__(self, factor: float) -> Weights:
        return Weights(factor * self.stages, factor * self.start)

    __rmul__ = __mul__


def stage_weights(method: str, steps: int, h: float) -> list[tuple[Weights, Weights, Weights, int]]:
    """(position, rate, acceleration, step) of every stage: eq. (3.91), (3.96), (3.97), (3.99)."""
    doubles = {"BDF1": 0, "SDIRK2": steps, "BDF2": 1}[method]
    count = steps + doubles
    unit = [Weights(row, np.zeros(2)) for row in np.eye(count)]
    nothing = np.zeros(count)
    q, v = [Weights(nothing, np.array([1.0, 0.0]))], [Weights(nothing, np.array([0.0, 1.0]))]
    found: list[tuple[Weights, Weights, Weights, int]] = []
    for k in range(steps):
        if k < doubles:
            mid, end = unit[2 * k], unit[2 * k + 1]
            rate = (1.0 / (ALPHA * h)) * (mid + -1.0 * q[k])
            found.append((mid, rate, (1.0 / (ALPHA * h)) * (rate + -1.0 * v[k]), k))
            slope = found[-1][2]
            # q¹ = q⁰ + h ((1 − α) vᵅ + α v¹), and the same of rates
            last = (1.0 / (ALPHA * h)) * (end + -1.0 * q[k] + -(1.0 - ALPHA) * h * rate)
            found.append((end, last, (1.0 / (ALPHA * h)) * (last + -1.0 * v[k] + -(1.0 - ALPHA) * h * slope), k))
        elif method == "BDF1":
            end = unit[k]
            last = (1.0 / h) * (end + -1.0 * q[k])
            found.append((end, last, (1.0 / h) * (last + -1.0 * v[k]), k))
        else:
            end = unit[k + 1]
            last = (1.5 / h) * (end + (-4.0 / 3.0) * q[k] + (1.0 / 3.0) * q[k - 1])
            rate = (1.5 / h) * (last + (-4.0 / 3.0) * v[k] + (1.0 / 3.0) * v[k - 1])
            found.append((end, last, rate, k))
        q.append(end)
        v.append(last)
    return found


def gradients(
    system: System, q0: np.ndarray, v0: np.ndarray, force: np.ndarray, positions: np.ndarray, method: str, h: float
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """(largest residual, and the gradients of Σ (wₖ · qₖ) by forces (N, n), q₀ and v₀, wₖ being k + 1, …, k + n).

    ``positions`` (S, n) are those of all stages, a solution of the equations of the method.
    """
    steps, n = force.shape
    weights = stage_weights(method, steps, h)
    count = len(weights)
    stacked, residual = np.zeros((count * n, count * n)), np.zeros((count, n))
    by_start, y = np.zeros((count * n, 2 * n)), np.zeros((count, n))
    start = np.stack([q0, v0])
    last_of = {step: s for s, (*_, step) in enumerate(weights)}
    for step, s in last_of.items():
        y[s] = objective_weights(step + 1, n)
    for s, (place, rate, acceleration, step) in enumerate(weights):
        q, v, a = (w.stages @ positions + w.start @ start for w in (place, rate, acceleration))
        demand, by_place, by_rate, mass = inverse_dynamics(system, q, v, a)
        residual[s] = demand - force[step]
        parts = ((by_place, place), (by_rate, rate), (mass, acceleration))
        stacked[s * n : s * n + n] = sum(np.kron(w.stages, block) for block, w in parts)
        by_start[s * n : s * n + n] = sum(np.kron(w.start, block) for block, w in parts)
    # eq. (3.89), (3.90); ∂g/∂force = −1
    z = np.linalg.solve(stacked.T, y.ravel())
    by_force = np.zeros_like(force)
    for s, (*_, step) in enumerate(weights):
        by_force[step] += z[s * n : s * n + n]
    of_start = -(by_start.T @ z)
    return float(np.abs(residual).max()), by_force, of_start[:n] + objective_weights(0, n), of_start[n:]


def objective_weights(knot: int, n: int) -> np.ndarray:
    """w of a knot."""
    return knot + 1.0 + np.arange(n)
