"""Andrews' squeezing mechanism in its seven angles. Nothing here knows dalembert.

Equations of Hairer & Wanner, Solving Ordinary Differential Equations II, section VII.7: M(q) q'' = f(q, q') − Gᵀλ with
six closing conditions, here differentiated twice.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from naive.oracles_planar import Floats, integrate
from numpy import cos, sin

M1, M2, M3, M4, M5, M6, M7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
I1, I2, I3, I4, I5, I6, I7 = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
XA, YA, XB, YB, XC, YC = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072
D, DA, E, EA, RR, RA, SS, SA, SB = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035, 0.01874, 0.01043
SC, SD, TA, TB, U, UA, UB, ZF, ZT, FA = 0.018, 0.02, 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
C0, L0, MOTOR = 4530.0, 0.07785, 0.033

START = (
    -0.0617138900142764496,
    0.0,
    0.455279819163070380,
    0.222668390165885885,
    0.487364979543842550,
    -0.222668390165885885,
    1.23054744454982119,
)


def squeezer(times: Sequence[float]) -> Floats:
    """(times, 14) the angles β, Θ, γ, Φ, δ, Ω, ε and their rates."""

    def rate(_: float, y: Floats) -> Floats:
        q, w = y[:7], y[7:]
        g, bias = closing(q, w)
        matrix = np.zeros((13, 13))
        matrix[:7, :7] = mass_matrix(q)
        matrix[:7, 7:], matrix[7:, :7] = g.T, g
        return np.concatenate((w, np.linalg.solve(matrix, np.concatenate((forces(q, w), -bias)))[:7]))

    return integrate(rate, [*START, *([0.0] * 7)], times)


def mass_matrix(q: Floats) -> Floats:
    """(7, 7), kg m²."""
    _, theta, _, phi, _, omega, _ = q
    m = np.zeros((7, 7))
    m[0, 0] = M1 * RA**2 + M2 * (RR**2 - 2 * DA * RR * cos(theta) + DA**2) + I1 + I2
    m[0, 1] = m[1, 0] = M2 * (DA**2 - DA * RR * cos(theta)) + I2
    m[1, 1] = M2 * DA**2 + I2
    m[2, 2] = M3 * (SA**2 + SB**2) + I3
    m[3, 3] = M4 * (E - EA) ** 2 + I4
    m[3, 4] = m[4, 3] = M4 * ((E - EA) ** 2 + ZT * (E - EA) * sin(phi)) + I4
    m[4, 4] = M4 * (ZT**2 + 2 * ZT * (E - EA) * sin(phi) + (E - EA) ** 2) + M5 * (TA**2 + TB**2) + I4 + I5
    m[5, 5] = M6 * (ZF - FA) ** 2 + I6
    m[5, 6] = m[6, 5] = M6 * ((ZF - FA) ** 2 - U * (ZF - FA) * sin(omega)) + I6
    m[6, 6] = M6 * ((ZF - FA) ** 2 - 2 * U * (ZF - FA) * sin(omega) + U**2) + M7 * (UA**2 + UB**2) + I6 + I7
    return m


def forces(q: Floats, w: Floats) -> Floats:
    """(7,) N m: motor, spring and the terms quadratic in the rates."""
    _, theta, gamma, phi, _, omega, _ = q
    db, dt, _, dp, dd, do, de = w
    x = SD * cos(gamma) + SC * sin(gamma) + XB - XC
    y = SD * sin(gamma) - SC * cos(gamma) + YB - YC
    length = np.hypot(x, y)
    pull = -C0 * (length - L0) / length
    return np.array(
        [
            MOTOR - M2 * DA * RR * dt * (dt + 2 * db) * sin(theta),
            M2 * DA * RR * db**2 * sin(theta),
            pull * (x * (SC * cos(gamma) - SD * sin(gamma)) + y * (SD * cos(gamma) + SC * sin(gamma))),
            M4 * ZT * (E - EA) * dd**2 * cos(phi),
            -M4 * ZT * (E - EA) * dp * (dp + 2 * dd) * cos(phi),
            -M6 * U * (ZF - FA) * de**2 * cos(omega),
            M6 * U * (ZF - FA) * do * (do + 2 * de) * cos(omega),
        ]
    )


def closing(q: Floats, w: Floats) -> tuple[Floats, Floats]:
    """The Jacobian (6, 7) of the closing conditions and what their second derivative is without q''.

    Each condition is a sum of a·cos or a·sin of sums of angles; such a term contributes −(a·cos) (rate)² and so on.
    """
    beta, theta, gamma, phi, delta, omega, epsilon = q
    # (row pair, factor, angle, which angles add up to it): the vector factor·(cos angle, sin angle)
    quarter = 0.5 * np.pi
    crank, coupler = (RR, beta, (0,)), (-D, beta + theta, (0, 1))
    terms = (
        (0, *crank),
        (0, *coupler),
        (0, -SS, gamma - quarter, (2,)),
        (1, *crank),
        (1, *coupler),
        (1, -E, phi + delta - quarter, (3, 4)),
        (1, -ZT, delta, (4,)),
        (2, *crank),
        (2, *coupler),
        (2, -ZF, omega + epsilon, (5, 6)),
        (2, -U, epsilon - quarter, (6,)),
    )
    g, bias = np.zeros((6, 7)), np.zeros(6)
    for pair, factor, angle, which in terms:
        along = factor * np.array([cos(angle), sin(angle)])
        rows = slice(2 * pair, 2 * pair + 2)
        for k in which:
            g[rows, k] += (-along[1], along[0])
        bias[rows] -= along * sum(w[k] for k in which) ** 2
    return g, bias
