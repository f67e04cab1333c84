"""Scene 7 of [Sueda 2021]: two bars on ball joints in Euler angles, by BDF1 and BDF2, with the charts switched.

Where |det S| of a joint falls to ``least`` the joint goes on in the chart whose smaller |det S| of the present knot and
of the one before is largest; angles and rates of both knots are taken over, section 2.4.7. BDF2 is not invariant: the
difference of two knots in one chart is not that in another, by terms of the order of the step's error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

CHARTS = ("XYX", "XZX", "YZY", "YXY", "ZXZ", "ZYZ", "XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")
MASS, GRAVITY, LENGTH = 10.0, 980.0, 10.0
INERTIA = MASS / 12.0 * np.diag([101.0, 101.0, 2.0])
CENTRE, TIP = np.array([0.0, 0.0, -LENGTH / 2]), np.array([0.0, 0.0, -LENGTH])
ALPHA = 1.0 - np.sqrt(0.5)
START = (np.array([np.pi / 8, 0.0, 0.0, np.pi / 2, 0.0, 0.0]), np.array([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]))


class ChartedRun(NamedTuple):
    """H at the end, and (step, joint, chart left, chart taken) of every switch."""

    energy: float
    switches: list[tuple[int, int, str, str]]


def swing(method: int, least: float, h: float = 2e-3, end: float = 1.0) -> ChartedRun:
    """The scene by BDF1 (``method`` 1) or BDF2 (2)."""
    charts, switches = ["XYZ", "XYZ"], []
    q, v = (a.copy() for a in START)
    past_q, past_v = q, v
    start = energies(q, v, charts)[1]
    solve = _ChordNewton()

    def stage(base: np.ndarray, slope: np.ndarray, t: float, guess: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        def equations(x: np.ndarray) -> np.ndarray:
            mass, force = mass_and_force(x, (x - base) / t, charts)
            return mass @ (x - base - t * slope) - t * t * force

        x = solve(equations, guess)
        return x, (x - base) / t

    for k in range(round(end / h)):
        if method == 1:
            x, u = stage(q, v, h, q + h * v)
        elif k == 0:
            t, ratio = ALPHA * h, (1.0 - ALPHA) / ALPHA
            x, u = stage(q, v, t, q + t * v)
            x, u = stage(q + ratio * t * u, v + ratio * (u - v), t, x + (h - t) * u)
        else:
            x, u = stage((4.0 * q - past_q) / 3.0, (4.0 * v - past_v) / 3.0, 2.0 * h / 3.0, q + h * v)
        past_q, past_v, q, v = q.copy(), v.copy(), x, u
        for j in range(2):
            part = slice(3 * j, 3 * j + 3)
            turn, screws = euler(charts[j], q[part])
            if abs(np.linalg.det(screws)) > least:
                continue
            past_turn, past_screws = euler(charts[j], past_q[part])
            best = max(CHARTS, key=lambda chart: min(_regularity(chart, a) for a in (turn, past_turn)))
            switches.append((k, j, charts[j], best))
            charts[j] = best
            for a, b, r, s in ((q, v, turn, screws), (past_q, past_v, past_turn, past_screws)):
                twist = s @ b[part]
                a[part] = angles(best, r)
                b[part] = np.linalg.solve(euler(best, a[part])[1], twist)
            solve.forget()
    return ChartedRun(sum(energies(q, v, charts)) - start, switches)


def euler(chart: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """R and S: ω = S q̇ in rotated axes."""
    axes = ["XYZ".index(letter) for letter in chart]
    a, b, c = (_about(axis, angle) for axis, angle in zip(axes, q, strict=True))
    e = np.eye(3)
    return a @ b @ c, np.column_stack([(b @ c).T @ e[axes[0]], c.T @ e[axes[1]], e[axes[2]]])


def angles(chart: str, turn: np.ndarray) -> np.ndarray:
    """q of a rotation, q₂ in [0, π] or [−π/2, π/2]."""
    i, j, k = ("XYZ".index(letter) for letter in chart)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    if i == k:
        other = 3 - i - j
        return np.array(
            [
                np.arctan2(turn[j, i], -sign * turn[other, i]),
                np.arccos(np.clip(turn[i, i], -1.0, 1.0)),
                np.arctan2(turn[i, j], sign * turn[i, other]),
            ]
        )
    return np.array(
        [
            np.arctan2(-sign * turn[j, k], turn[k, k]),
            np.arcsin(np.clip(sign * turn[i, k], -1.0, 1.0)),
            np.arctan2(-sign * turn[i, j], turn[i, i]),
        ]
    )


def mass_and_force(q: np.ndarray, v: np.ndarray, charts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """M and everything else that acts on the rates: gravity and what velocities do."""
    turning, moving, spin, rest_turning, rest_moving, _ = _motion(q, v, charts)
    mass, force = np.zeros((6, 6)), np.zeros(6)
    for w, x, omega, w_rest, x_rest in zip(turning, moving, spin, rest_turning, rest_moving, strict=True):
        mass += MASS * x.T @ x + w.T @ INERTIA @ w
        force -= w.T @ (INERTIA @ w_rest + _cross(omega) @ INERTIA @ omega)
        force -= MASS * x.T @ (x_rest + np.array([0.0, 0.0, GRAVITY]))
    return mass, force


def energies(q: np.ndarray, v: np.ndarray, charts: list[str]) -> tuple[float, float]:
    """(kinetic, potential), erg."""
    _, moving, spin, _, _, height = _motion(q, v, charts)
    kinetic = sum(
        0.5 * omega @ INERTIA @ omega + 0.5 * MASS * (x @ v) @ (x @ v) for x, omega in zip(moving, spin, strict=True)
    )
    return float(kinetic), MASS * GRAVITY * sum(height)


def _motion(q: np.ndarray, v: np.ndarray, charts: list[str]) -> tuple[list, list, list, list, list, list]:
    """Of both bars: ∂ω/∂v in own axes, ∂(velocity of the centre)/∂v, ω, and both accelerations at v̇ = 0; heights."""
    turn, spin, by_rate, faster = np.eye(3), np.zeros(3), np.zeros((3, 6)), np.zeros(3)
    tip, tip_by_rate, tip_faster = np.zeros(3), np.zeros((3, 6)), np.zeros(3)
    out: tuple[list, list, list, list, list, list] = ([], [], [], [], [], [])
    for j in range(2):
        part = slice(3 * j, 3 * j + 3)
        relative, screws = euler(charts[j], q[part])
        # Ṡ by a complex step along q̇
        change = np.imag(euler(charts[j], q[part] + 1e-20j * v[part])[1]) / 1e-20
        own = screws @ v[part]
        faster = relative.T @ faster + _cross(relative.T @ spin) @ own + change @ v[part]
        by_rate, spin = relative.T @ by_rate, relative.T @ spin + own
        by_rate[:, part] += screws
        turn = turn @ relative
        for arm, keep in ((CENTRE, True), (TIP, False)):
            at = tip + turn @ arm
            at_by_rate = tip_by_rate - turn @ _cross(arm) @ by_rate
            at_faster = tip_faster + turn @ (_cross(faster) + _cross(spin) @ _cross(spin)) @ arm
            if keep:
                for kept, value in zip(out, (by_rate, at_by_rate, spin, faster, at_faster, at[2]), strict=True):
                    kept.append(value.copy() if isinstance(value, np.ndarray) else value)
        tip, tip_by_rate, tip_faster = at, at_by_rate, at_faster
    return out


def _about(axis: int, angle: complex) -> np.ndarray:
    out = np.eye(3, dtype=np.result_type(angle, float))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out[i, i] = out[j, j] = np.cos(angle)
    out[j, i] = np.sin(angle)
    out[i, j] = -out[j, i]
    return out


def _cross(u: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])


def _regularity(chart: str, turn: np.ndarray) -> float:
    return abs(float(np.linalg.det(euler(chart, angles(chart, turn))[1])))


class _ChordNewton:
    """Newton's method with a matrix of differences that is kept while it serves."""

    def __init__(self) -> None:
        self._inverse: np.ndarray | None = None

    def forget(self) -> None:
        self._inverse = None

    def __call__(self, equations: Callable[[np.ndarray], np.ndarray], guess: np.ndarray) -> np.ndarray:
        x, size, stale = guess, np.inf, self._inverse is not None
        for _ in range(60):
            if self._inverse is None:
                slope = [(equations(x + d) - equations(x - d)) / 2e-5 for d in 1e-5 * np.eye(6)]
                self._inverse, size = np.linalg.inv(np.array(slope).T), np.inf
            step = self._inverse @ equations(x)
            x, before, size = x - step, size, float(np.abs(step).max())
            if size < 1e-13 or (size < 1e-10 and size > 0.3 * before):
                # what is left is rounding
                return x
            if size > 0.3 * before:
                x, stale, self._inverse = guess if stale else x, False, None
        raise AssertionError("no convergence")
