"""Scene 11 of [Sueda 2021] in three coordinates: a box of 3 × 1 × 1 cm on a ground of springs, by BDF1 and BDF2.

The corner of the box at (a, b) from its centre is at depth −d, d = y + a sin θ + b cos θ, and moves with (u, v). There
the ground pushes with −k d − c v upwards, and across with −k_t u where that is smaller than μ k |d|, else with

    f_t = −s μ k d u/|u|.

Since d is negative this is against the slip for s = −1, as friction is, and *along* it for s = 1. Equation (1.59) has
|f_n| t in its first line and k d t in the next ones, so that the sign is lost and s = 1 is what is printed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

STIFFNESS, DAMPING, STICKING, FRICTION = 1e5, 3e1, 1e2, 0.5
MASS, GRAVITY = 3.0, 980.0
INERTIA = MASS * (3.0**2 + 1.0**2) / 12.0
CORNERS = [(a, b) for a in (-1.5, 1.5) for b in (-0.5, 0.5)]
"""cm; each stands for two."""
ALPHA = 1.0 - np.sqrt(0.5)
PUBLISHED, COULOMB = 1.0, -1.0
"""s."""


class BoxRun(NamedTuple):
    """Coordinates (steps + 1, 3), H at the end, and how many steps Newton's method gave up on."""

    q: np.ndarray
    energy: float
    failures: int


def tumble(method: int, s: float, steps: int, h: float = 5e-4, tolerance: float = 1e-9) -> BoxRun:
    """The scene by BDF1 (``method`` 1) or BDF2 (2), with Newton's method and line search of the source.

    Its tolerance is of the residual, g cm.
    """
    mass = np.diag([MASS, MASS, INERTIA])
    q, v = [np.array([-1.0, 2.0, 0.0])], [np.array([5.0, 70.0, 2.0])]
    failures = 0

    def stage(base: np.ndarray, slope: np.ndarray, t: float, guess: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """x with x' = (x − base)/t and M (x' − slope) = t f(x, x')."""
        nonlocal failures

        def equations(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            f, by_place, by_rate = forces(x, (x - base) / t, s)
            return mass @ (x - base - t * slope) - t * t * f, mass - t * by_rate - t * t * by_place

        x, solved = _newton(equations, guess, tolerance)
        failures += not solved
        return x, (x - base) / t

    for k in range(steps):
        guess = q[k] + h * v[k]
        if method == 1:
            x, u = stage(q[k], v[k], h, guess)
        elif k == 0:
            t, ratio = ALPHA * h, (1.0 - ALPHA) / ALPHA
            x, u = stage(q[0], v[0], t, q[0] + t * v[0])
            base, slope = q[0] + ratio * t * u, v[0] + ratio * (u - v[0])
            x, u = stage(base, slope, t, x + (h - t) * u)
        else:
            base, slope = (4.0 * q[k] - q[k - 1]) / 3.0, (4.0 * v[k] - v[k - 1]) / 3.0
            x, u = stage(base, slope, 2.0 * h / 3.0, guess)
        q.append(x)
        v.append(u)
    energy = 0.5 * v[-1] @ mass @ v[-1] + potential(q[-1]) - potential(q[0])
    return BoxRun(np.array(q), float(energy), failures)


def forces(q: np.ndarray, v: np.ndarray, s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(f, ∂f/∂q, ∂f/∂v)."""
    f, by_place, by_rate = np.array([0.0, -MASS * GRAVITY, 0.0]), np.zeros((3, 3)), np.zeros((3, 3))
    for x, y in _arms(q[2]):
        d = q[1] + y
        if d > 0.0:
            continue
        across, up = np.array([1.0, 0.0, -y]), np.array([0.0, 1.0, x])
        across_turned, up_turned = np.array([0.0, 0.0, -x]), np.array([0.0, 0.0, -y])
        slip = across @ v
        push = -STIFFNESS * d - DAMPING * (up @ v)
        pull, pull_by_place, pull_by_rate = -STICKING * slip, -STICKING * v[2] * across_turned, -STICKING * across
        if FRICTION * STIFFNESS * abs(d) <= STICKING * abs(slip):
            slope = -s * FRICTION * STIFFNESS * np.sign(slip)
            pull, pull_by_place, pull_by_rate = slope * d, slope * up, 0.0 * across
        f += 2.0 * (push * up + pull * across)
        by_place += 2.0 * np.outer(up, -STIFFNESS * up - DAMPING * v[2] * up_turned)
        by_place += 2.0 * np.outer(across, pull_by_place)
        by_place[2] += 2.0 * (push * up_turned + pull * across_turned)
        by_rate += 2.0 * (np.outer(up, -DAMPING * up) + np.outer(across, pull_by_rate))
    return f, by_place, by_rate


def potential(q: np.ndarray) -> float:
    """Of gravity and of the springs of the ground, erg."""
    depths = np.array([min(q[1] + y, 0.0) for _, y in _arms(q[2])])
    return float(MASS * GRAVITY * q[1] + STIFFNESS * depths @ depths)


def _arms(angle: float) -> list[tuple[float, float]]:
    c, s = np.cos(angle), np.sin(angle)
    return [(c * a - s * b, s * a + c * b) for a, b in CORNERS]


def _newton(equations: object, x: np.ndarray, tolerance: float) -> tuple[np.ndarray, bool]:
    """Up to 15 steps, each halved nine times at most until the residual shrinks and taken in any case."""
    for _ in range(15):
        g, slope = equations(x)  # pyright: ignore[reportCallIssue]
        step, before, size = -np.linalg.solve(slope, g), x, np.linalg.norm(g)
        for halving in range(10):
            x = before + 0.5**halving * step
            if np.linalg.norm(equations(x)[0]) < size:  # pyright: ignore[reportCallIssue]
                break
        if np.linalg.norm(equations(x)[0]) < tolerance:  # pyright: ignore[reportCallIssue]
            return x, True
    return x, False
