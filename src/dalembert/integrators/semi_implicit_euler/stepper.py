"""Steps of semi-implicit Euler; turns are updated on the group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.runge_kutta.minimal import MinimalStepper
from dalembert.mechanics.acceleration import accelerations, largest_violation, place
from dalembert.mechanics.kinematics_coordinates import advance_coordinates

if TYPE_CHECKING:
    from dalembert.integrators.base import Integrator
    from dalembert.model.model import Model
    from dalembert.model.state import State


@kernel
def semi_implicit_step(system, equations, now, rate, h, gains):
    """One step, unless accelerations are not finite; returns whether they are."""
    accelerations(system, equations, now.q, now.v, now.joint_force, now.external, gains, rate)
    for k in range(system.n_v):
        if not np.isfinite(rate[k]):
            return False
    for k in range(system.n_v):
        now.v[k] += h * rate[k]
    advance_coordinates(system, now.v, h, now.q)
    return True


@kernel
def semi_implicit_steps(system, equations, now, rate, h, gains, n_steps):
    """Take steps; returns (steps taken, largest violation of a loop at their knots)."""
    worst = 0.0
    for step in range(n_steps):
        if not semi_implicit_step(system, equations, now, rate, h, gains):
            return step, worst
        if equations.row_joint.size > 0:
            place(system, equations, now.q, now.v)
            worst = max(worst, largest_violation(system, equations))
    return n_steps, worst


class SemiImplicitStepper(MinimalStepper):
    """A run of semi-implicit Euler."""

    def __init__(self, method: Integrator, model: Model, state: State, dt: float, gains: tuple[float, float]) -> None:
        super().__init__(method, model, state, dt, gains)
        self._rate = np.zeros(self._system.n_v)

    def _steps(self, n_steps: int) -> tuple[int, float]:
        system, equations, now, rate = self._system, self._equations, self._now, self._rate
        if not self._model.potentials:
            return semi_implicit_steps(system, equations, now, rate, self._dt, self._gains, n_steps)
        worst = 0.0
        for step in range(n_steps):
            self._placed()
            self._add_potentials()
            if not semi_implicit_step(system, equations, now, rate, self._dt, self._gains):
                return step, worst
            worst = max(worst, self._violation())
        return n_steps, worst
