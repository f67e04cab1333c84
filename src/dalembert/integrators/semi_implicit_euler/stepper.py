"""Steps of semi-implicit Euler; turns are updated on the group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.integrators.runge_kutta.minimal import FixedStepper
from dalembert.mechanics.kinematics_coordinates import advance_coordinates

if TYPE_CHECKING:
    from dalembert.integrators.base import Integrator
    from dalembert.model.model import Model
    from dalembert.model.state import State


class SemiImplicitStepper(FixedStepper):
    """A run of semi-implicit Euler."""

    def __init__(self, method: Integrator, model: Model, state: State, dt: float, gains: tuple[float, float]) -> None:
        super().__init__(method, model, state, dt, gains)
        self._rate = np.zeros(self._system.n_v)

    def _step(self) -> bool:
        now = self._now
        self._accelerate(now.q, now.v, self._rate)
        if not np.isfinite(self._rate).all():
            return False
        now.v[:] += self._dt * self._rate
        advance_coordinates(self._system, now.v, self._dt, now.q)
        return True
