"""Spatial mechanisms from equations in few coordinates. Nothing here knows dalembert."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from naive.oracles_planar import Floats, integrate
from numpy import cos, sin
from scipy.special import ellipj, ellipkinc

POINTS = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], dtype=float)
AXES = np.array([(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)], dtype=float)


def bricard(times: Sequence[float]) -> Floats:
    """(times, 3) the point P3 of A04, rods of square section 0.1 m.

    The chain of the first five joint angles; the sixth joint closes it with five conditions on the accelerations, one
    of them redundant, so that one motion is left.
    """

    def rate(_time: float, y: Floats) -> Floats:
        mass, bias, closing, closing_bias, _ = _bricard_terms(y[:5], y[5:])
        null = np.linalg.svd(closing)[2][4:]
        # accelerations: a particular one that closes the loop, and the rest along the one motion left
        particular = np.linalg.lstsq(closing, -closing_bias, rcond=1e-8)[0]
        along = np.linalg.solve(null @ mass @ null.T, null @ (-bias - mass @ particular))
        return np.concatenate((y[5:], particular + null.T @ along))

    angles = integrate(rate, [0.0] * 10, times)
    return np.array([_bricard_terms(y[:5], y[5:])[4] for y in angles])


def _bricard_terms(angle: Floats, w: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Mass matrix, bias torques, closing Jacobian and bias (5 rows), and P3."""
    along, across = 0.01 / 6.0, 1.01 / 12.0
    mass, bias = np.zeros((5, 5)), np.zeros(5)
    turn, spin, swirl = np.eye(3), np.zeros(3), np.zeros(3)
    pin, pin_acceleration = POINTS[0].copy(), np.zeros(3)
    axes, pins = np.zeros((5, 3)), np.zeros((5, 3))
    third = np.zeros(3)
    for i in range(5):
        axes[i], pins[i] = turn @ AXES[i], pin
        swirl = swirl + np.cross(spin, axes[i] * w[i])
        spin = spin + axes[i] * w[i]
        turn = _turn(axes[i], angle[i]) @ turn
        rod = turn @ (POINTS[i + 1] - POINTS[i])
        centre = pin + 0.5 * rod
        linear = np.zeros((3, 5))
        linear[:, : i + 1] = np.cross(axes[: i + 1], centre - pins[: i + 1]).T
        angular = np.zeros((3, 5))
        angular[:, : i + 1] = axes[: i + 1].T
        inertia = across * np.eye(3) + (along - across) * np.outer(rod, rod)
        mass += linear.T @ linear + angular.T @ inertia @ angular
        centre_acceleration = pin_acceleration + 0.5 * (np.cross(swirl, rod) + np.cross(spin, np.cross(spin, rod)))
        bias += linear.T @ (centre_acceleration + (0.0, 9.81, 0.0))
        bias += angular.T @ (inertia @ swirl + np.cross(spin, inertia @ spin))
        pin_acceleration = pin_acceleration + np.cross(swirl, rod) + np.cross(spin, np.cross(spin, rod))
        pin = pin + rod
        if i == 2:
            third = pin
    # the last pin stays, and so does its axis (two components across it)
    last = turn @ AXES[5]
    closing = np.vstack((np.cross(axes, pin - pins).T, np.cross(axes, last).T[1:]))
    axis_bias = np.cross(swirl, last) + np.cross(spin, np.cross(spin, last))
    return mass, bias, closing, np.concatenate((pin_acceleration, axis_bias[1:])), third


def _turn(axis: Floats, angle: float) -> Floats:
    """Rodrigues' rotation matrix."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + sin(angle) * cross + (1 - cos(angle)) * cross @ cross


def flyball_governor(times: Sequence[float]) -> Floats:
    """(times, 6) turn of the shaft, slope α of the arms below the level, slider height s, and their rates, of A05.

    T = m (ρ² ψ'² + c² α'²) + (J sin² α + I cos² α) ψ'² + I α'² + ½ K ψ'² + ½ M s'², ρ = h + c cos α, with both arms in
    one; the springs have length ℓ² = ¼ cos² α + (1 − ½ sin α − s)².
    """
    rod, ball, slider, g, h = 0.3, 5.0, 3.0, 9.81, 0.05
    k, d, free = 8e5, 4e4, 0.5
    m = rod + ball
    c = (0.5 * rod + ball) / m
    along = rod * 1e-4 / 6.0
    across = rod * (1.0 + 1e-4) / 12.0 + rod * (c - 0.5) ** 2 + ball * (1.0 - c) ** 2
    shaft = along + slider * 0.01 / 6.0

    def rate(_time: float, y: Floats) -> Floats:
        _turn, a, s, spin, da, ds = y
        rho, d_rho = h + c * cos(a), -c * sin(a)
        about = 2.0 * (m * rho**2 + along * sin(a) ** 2 + across * cos(a) ** 2) + shaft
        d_about = 2.0 * (2.0 * m * rho * d_rho + 2.0 * (along - across) * sin(a) * cos(a))
        x, z = 0.5 * cos(a), 1.0 - 0.5 * sin(a) - s
        length = np.hypot(x, z)
        by_a, by_s = (-0.5 * sin(a) * x - 0.5 * cos(a) * z) / length, -z / length
        pull = 2.0 * (k * (length - free) + d * (by_a * da + by_s * ds))
        spin_rate = -d_about * da * spin / about
        a_rate = (0.5 * d_about * spin**2 + 2.0 * m * g * c * cos(a) - pull * by_a) / (2.0 * (m * c**2 + across))
        return np.array([spin, da, ds, spin_rate, a_rate, (-slider * g - pull * by_s) / slider])

    start = (0.0, np.pi / 6, 0.5, 2.0 * np.pi, 0.0, 0.0)
    return integrate(rate, start, times, "Radau", rtol=1e-10, atol=1e-11)


def free_body_rates(times: Sequence[float], inertia: Sequence[float] | Floats, start: Sequence[float]) -> Floats:
    """(times, 3) body rates of a free rigid body with I₁ > I₂ > I₃ started with all rates of one sign pattern.

    Jacobi's solution ω₁ ∝ cn, ω₂ ∝ sn, ω₃ ∝ dn for angular momentum and energy with L² > 2 T I₂, and with the outer
    axes exchanged otherwise; the phase is fitted to the start by the incomplete integral.
    """
    i = np.asarray(inertia, dtype=float)
    w = np.asarray(start, dtype=float)
    twice_energy, momentum2 = float(i @ w**2), float((i * w) @ (i * w))
    order = (0, 1, 2) if momentum2 < twice_energy * i[1] else (2, 1, 0)
    i1, i2, i3 = i[list(order)]
    # axis 3 is the one that the motion goes round: dn never vanishes
    a1 = np.sqrt((twice_energy * i3 - momentum2) / (i1 * (i3 - i1)))
    a2 = np.sqrt((twice_energy * i3 - momentum2) / (i2 * (i3 - i2)))
    a3 = np.sqrt((momentum2 - twice_energy * i1) / (i3 * (i3 - i1)))
    w1, w2, w3 = w[list(order)]
    modulus = (i2 - i1) * (twice_energy * i3 - momentum2) / ((i3 - i2) * (momentum2 - twice_energy * i1))
    speed = np.sqrt((i3 - i2) * (momentum2 - twice_energy * i1) / (i1 * i2 * i3))
    sign1, sign3 = np.sign(w1) or 1.0, np.sign(w3)
    # Euler's equation I₂ ω₂' = (I₃ − I₁) ω₃ ω₁ fixes the sign of sn; cn takes the sign of ω₁ at the start
    sign2 = sign1 * sign3 * np.sign(i3 - i1) * (1.0 if order == (0, 1, 2) else -1.0)
    phase = ellipkinc(np.arctan2(sign2 * w2 / a2, abs(w1) / a1), modulus)
    sn, cn, dn, _ = ellipj(speed * np.asarray(times) + phase, modulus)
    out = np.zeros((len(times), 3))
    out[:, order[0]], out[:, order[1]], out[:, order[2]] = sign1 * a1 * cn, sign2 * a2 * sn, sign3 * a3 * dn
    return out


def heavy_top(times: Sequence[float], tilt: float, spin: float) -> Floats:
    """(times, 6) the vertical in body axes and the body rates of the top of the zoo: Euler and Poisson's equations.

    I ω' = Iω × ω + m g l (γ × e₃), γ' = γ × ω, with γ the upward vertical in body axes and I about the tip.
    """
    inertia = np.array([0.01 + 0.1**2, 0.01 + 0.1**2, 0.02])
    weight = 9.81 * 0.1

    def rate(_: float, y: Floats) -> Floats:
        gamma, w = y[:3], y[3:]
        # the weight −γ acts at l e₃
        torque = weight * np.cross(gamma, (0.0, 0.0, 1.0))
        return np.concatenate((np.cross(gamma, w), (torque - np.cross(w, inertia * w)) / inertia))

    # turned by tilt about x: the vertical is at (0, sin, cos) in body axes
    return integrate(rate, (0.0, sin(tilt), cos(tilt), 0.0, 0.0, spin), times)
