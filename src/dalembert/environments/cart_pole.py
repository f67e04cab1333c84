"""Balance a pole on a cart."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.environments.base import MechanismEnv, Observation
from dalembert.integrators.maximal.method import MaximalVI
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.zoo import cart_pole

FORCE = 10.0
LEAN, RAIL = 0.5, 2.4
"""Where an episode ends: rad from upright, m from the middle."""


class CartPole(MechanismEnv):
    """Observation: place of the cart (m), angle of the pole (rad) and their rates. The reward is 1 for every step."""

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        super().__init__(cart_pole(), MaximalVI(), ["rail"], [FORCE], render_mode=render_mode, **options)

    def start(self, random: np.random.Generator) -> State:
        """Nearly upright, nearly at rest."""
        place, angle, speed, rate = random.uniform(-0.05, 0.05, 4)
        return self.model.state({"rail": place, "hinge": angle}, {"rail": speed, "hinge": rate})

    def observe(self, state: State) -> Observation:
        """(4,)"""
        return np.concatenate([state.coordinates[:2], state.rates[:2]]).astype(np.float32)

    def judge(self, state: State, force: Floats) -> tuple[float, bool]:
        """Over when the pole leans or the rail ends."""
        over = bool(abs(state.coordinates[0]) > RAIL or abs(state.coordinates[1]) > LEAN)
        return (0.0 if over else 1.0), over
