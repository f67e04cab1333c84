"""Swing a rod up with a motor that is too weak to lift it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.environments.base import MechanismEnv, Observation
from dalembert.integrators.maximal.method import MaximalVI
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.zoo import pendulum

TORQUE = 2.0
"""N m; gravity alone turns a horizontal rod of 1 m and 1 kg with 4.9 N m."""


class PendulumSwingUp(MechanismEnv):
    """Observation: cosine and sine of the angle from hanging, and its rate in rad/s. Upright at rest earns 1."""

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        super().__init__(pendulum(), MaximalVI(), ["joint1"], [TORQUE], render_mode=render_mode, **options)

    def start(self, random: np.random.Generator) -> State:
        """Hanging, nearly at rest."""
        angle, rate = random.uniform(-0.1, 0.1, 2)
        return self.model.state(positions={"joint1": angle}, velocities={"joint1": rate})

    def observe(self, state: State) -> Observation:
        """(3,)"""
        angle, rate = state.coordinates[0], state.rates[0]
        return np.array([np.cos(angle), np.sin(angle), rate], dtype=np.float32)

    def judge(self, state: State, force: Floats) -> tuple[float, bool]:
        """Height, less a little for speed and torque."""
        height = 0.5 * (1.0 - np.cos(state.coordinates[0]))
        return height - 1e-3 * state.rates[0] ** 2 - 1e-3 * float(force @ force), False
