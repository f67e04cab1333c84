"""Pendulums and parallel cranks from their exact reduced equations. Nothing here knows dalembert."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.special import ellipk

Floats = NDArray[Any]


def integrate(
    rate: Callable[[float, Floats], Sequence[float] | Floats],
    start: Sequence[float],
    times: Sequence[float],
    method: str = "DOP853",
    rtol: float = 1e-12,
    atol: float = 1e-13,
) -> Floats:
    """(len(times), variables) of an ordinary differential equation from ``start`` at t = 0."""
    end = max(times)
    solution = solve_ivp(rate, (0.0, end), start, method=method, t_eval=sorted(times), rtol=rtol, atol=atol)
    assert solution.success, solution.message
    order = np.argsort(np.argsort(times))
    return solution.y.T[order]


def point_pendulum(times: Sequence[float]) -> Floats:
    """(times, 2) x and y of A01: θ'' = −g sin θ with θ from the downward vertical, from (−1, 0) at rest."""
    theta = integrate(lambda _, y: (y[1], -9.81 * np.sin(y[0])), (-0.5 * np.pi, 0.0), times)[:, 0]
    return np.stack([np.sin(theta), -np.cos(theta)], axis=1)


def period_ratio(amplitude: float) -> float:
    """A pendulum's period over that of small swings: (2/π) K(sin² θ₀/2)."""
    return float(2.0 / np.pi * ellipk(np.sin(0.5 * amplitude) ** 2))


def n_four_bar(n: int, times: Sequence[float]) -> Floats:
    """(times, 4) position and velocity of B0 of A02: ((n + 1)/3 + n) φ'' = −g ((n + 1)/2 + n) cos φ."""
    ratio = 9.81 * (0.5 * (n + 1) + n) / ((n + 1) / 3.0 + n)
    phi, rate = integrate(lambda _, y: (y[1], -ratio * np.cos(y[0])), (0.5 * np.pi, -1.0), times).T
    return np.stack([np.cos(phi), np.sin(phi), -rate * np.sin(phi), rate * np.cos(phi)], axis=1)


def double_pendulum(
    times: Sequence[float],
    start: Sequence[float],
    *,
    length: float,
    mass: float,
    inertia: float,
    gravity: float,
    damping: Sequence[float] = (0.0, 0.0),
) -> Floats:
    """(times, 4) θ₁, θ₂ (relative), their rates: two equal bodies, centres half-way, ``inertia`` about the centre.

    θ₁ is measured from the downward vertical. Lagrange's equations in the absolute angles α = θ₁, β = θ₁ + θ₂:
    A α'' + C cos(β − α) β'' = C sin(β − α) β'² − 3C' sin α − d₁α' + d₂θ₂', and so on, with C = m l²/2.
    """
    c = 0.5 * mass * length**2
    d1, d2 = damping

    def rate(_: float, y: Floats) -> Floats:
        alpha, beta, da, db = y
        cross = c * np.cos(beta - alpha)
        turn = c * np.sin(beta - alpha)
        matrix = np.array([[1.25 * mass * length**2 + inertia, cross], [cross, 0.25 * mass * length**2 + inertia]])
        weight = 0.5 * mass * gravity * length
        friction = d2 * (db - da)
        right = np.array(
            [
                turn * db**2 - 3.0 * weight * np.sin(alpha) - d1 * da + friction,
                -turn * da**2 - weight * np.sin(beta) - friction,
            ]
        )
        return np.concatenate(([da, db], np.linalg.solve(matrix, right)))

    t1, t2, w1, w2 = start
    alpha, beta, da, db = integrate(rate, (t1, t1 + t2, w1, w1 + w2), times).T
    return np.stack([alpha, beta - alpha, da, db - da], axis=1)


def slider_crank(
    times: Sequence[float], angle: float, *, crank: float, rod: float, piston: float, gravity: float = 9.81
) -> Floats:
    """(times, 2) crank angle above the x axis and its rate; slender crank and rod of 1 kg, from rest.

    One degree of freedom: with T = ½ I(θ) θ'², I θ'' = −½ I' θ'² − V'; I and V from positions, their slopes exact.
    """

    def rate(_: float, y: Floats) -> tuple[float, float]:
        theta, w = y
        s, k = np.sin(theta), np.cos(theta)
        # slope of the rod: sin φ = −(crank/rod) sin θ; φ' = −(crank cos θ)/(rod cos φ) and φ''
        sin_phi = -crank / rod * s
        cos_phi = np.sqrt(1.0 - sin_phi**2)
        f1 = -crank * k / (rod * cos_phi)
        f2 = (crank / rod * s + sin_phi * f1**2) / cos_phi
        # rates of the rod's centre and of the piston per unit of θ', and their slopes
        x1 = -crank * s - 0.5 * rod * sin_phi * f1
        x2 = -crank * k - 0.5 * rod * (cos_phi * f1**2 + sin_phi * f2)
        z1 = crank * k + 0.5 * rod * cos_phi * f1
        z2 = -crank * s + 0.5 * rod * (cos_phi * f2 - sin_phi * f1**2)
        p1 = -crank * s - rod * sin_phi * f1
        p2 = -crank * k - rod * (cos_phi * f1**2 + sin_phi * f2)
        inertia = crank**2 / 3.0 + x1**2 + z1**2 + rod**2 / 12.0 * f1**2 + piston * p1**2
        slope = 2.0 * (x1 * x2 + z1 * z2 + rod**2 / 12.0 * f1 * f2 + piston * p1 * p2)
        torque = -gravity * (0.5 * crank * k + z1)
        return w, (torque - 0.5 * slope * w**2) / inertia

    return integrate(rate, (angle, 0.0), times)


def ladder(n: int, times: Sequence[float], angle: float, gravity: float = 9.81) -> Floats:
    """(times, n) slopes φ of the pairs of rails from the vertical: rungs stay level, all parts 1 kg, rails 1 m.

    Rung i is at Σ_{k ≤ i} (sin φ_k, −cos φ_k), the rails of pair i half-way down from rung i − 1, so the mechanism is a
    chain of particles: M_ij = m_ij cos(φ_i − φ_j) with constant m_ij, plus the rails' own inertia.
    """
    mass = np.zeros((n, n))
    for i in range(n):
        # how far rails i (two of 1 kg) and rung i follow the slopes 0 … i
        rails = np.concatenate((np.ones(i), [0.5], np.zeros(n - i - 1)))
        rung = np.concatenate((np.ones(i + 1), np.zeros(n - i - 1)))
        mass += 2.0 * np.outer(rails, rails) + np.outer(rung, rung)
        mass[i, i] += 2.0 / 12.0
    arm = np.array([2.0 * (0.5 + n - 1 - i) + (n - i) for i in range(n)])

    def rate(_: float, y: Floats) -> Floats:
        phi, w = y[:n], y[n:]
        difference = phi[:, None] - phi[None, :]
        right = -(mass * np.sin(difference)) @ w**2 - gravity * arm * np.sin(phi)
        return np.concatenate((w, np.linalg.solve(mass * np.cos(difference), right)))

    return integrate(rate, [angle] * n + [0.0] * n, times)[:, :n]
