"""Andrews' squeezing mechanism: seven small bodies, three loops, fast."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Revolute
from dalembert.model.model import Model
from dalembert.model.system import Floats

# Hairer & Wanner, Solving Ordinary Differential Equations II, section VII.7; parameters of the Bari test set (SI)
A, B, C = np.array([-0.06934, -0.00227, 0.0]), np.array([-0.03635, 0.03273, 0.0]), np.array([0.014, 0.072, 0.0])
D, DA, E, EA, RR, RA, SS, SA, SB, SC, SD = (
    0.028,
    0.0115,
    0.02,
    0.01421,
    0.007,
    0.00092,
    0.035,
    0.01874,
    0.01043,
    0.018,
    0.02,
)
TA, TB, U, UA, UB, ZF, ZT, FA = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
MASS = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIA = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
STIFFNESS, FREE_LENGTH = 4530.0, 0.07785
MOTOR = {"1": ((0.0, 0.0, 0.0), (0.0, 0.0, 0.033))}
"""The motor: a constant torque (N m) about z on the crank, as ``simulate(wrenches=…)`` takes it."""

START = (
    -0.0617138900142764496,
    0.0,
    0.455279819163070380,
    0.222668390165885885,
    0.487364979543842550,
    -0.222668390165885885,
    1.23054744454982119,
)
"""β, Θ, γ, Φ, δ, Ω, ε (rad) at the start, at rest."""

ANGLE_JOINTS = ("O", "P", "B", "G", "A5", "H", "A7")
"""The joints whose coordinates are what β, Θ, γ, Φ, δ, Ω, ε have turned since the start."""


class _Shape(NamedTuple):
    """Points of the mechanism (m), each (3,), and the bodies' centres."""

    p: Floats
    e: Floats
    g: Floats
    h: Floats
    spring: Floats
    centre: tuple[Floats, ...]


def andrews_squeezer() -> Model:
    """A03 of the IFToMM benchmarks: a motor on a crank squeezes a spring through three loops; planar, no gravity.

    Bodies ``1`` … ``7`` as numbered by the benchmark; four of them meet in the point E. The motor's
    torque `MOTOR` is applied by the simulation.
    """
    shape = _shape(*START)
    builder = ModelBuilder(gravity=(0, 0, 0))
    for i in range(7):
        # only the turn about z matters
        builder.add_body(str(i + 1), mass=MASS[i], inertia=(INERTIA[i],) * 3, position=shape.centre[i])
    for name, parent, child, anchor in (
        ("O", "world", "1", np.zeros(3)),
        ("P", "1", "2", shape.p),
        ("B", "world", "3", B),
        ("A5", "world", "5", A),
        ("G", "5", "4", shape.g),
        ("A7", "world", "7", A),
        ("H", "7", "6", shape.h),
        ("E3", "2", "3", shape.e),
        ("E4", "2", "4", shape.e),
        ("E6", "2", "6", shape.e),
    ):
        builder.add_joint(name, Revolute(axis=(0, 0, 1)), parent=parent, child=child, anchor=anchor)
    builder.add_spring("spring", "world", "3", points=(C, shape.spring), stiffness=STIFFNESS, rest_length=FREE_LENGTH)
    return builder.build()


def _shape(beta: float, theta: float, gamma: float, phi: float, delta: float, omega: float, epsilon: float) -> _Shape:
    """Where everything is for the seven angles. Hairer & Wanner, section VII.7."""
    p = RR * _ray(beta)
    e = p - D * _ray(beta + theta)
    # −y axis of a body turned by a: (sin a, −cos a)
    g = A + ZT * _ray(delta)
    h = A + U * _ray(epsilon - 0.5 * np.pi)
    arm = _ray(gamma - 0.5 * np.pi)
    centre = (
        RA * _ray(beta),
        p - DA * _ray(beta + theta),
        B + SA * arm + SB * _ray(gamma),
        g + (E - EA) * _ray(phi + delta - 0.5 * np.pi),
        A + TA * _ray(delta) + TB * _ray(delta + 0.5 * np.pi),
        h + (ZF - FA) * _ray(omega + epsilon),
        A + UA * _ray(epsilon) - UB * _ray(epsilon + 0.5 * np.pi),
    )
    return _Shape(p, e, g, h, B + SC * arm + SD * _ray(gamma), centre)


def _ray(angle: float) -> Floats:
    return np.array([np.cos(angle), np.sin(angle), 0.0])
