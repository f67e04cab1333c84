"""A run in hyper-reduced coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.integrators.base import StepFailure
from dalembert.integrators.hyper.stage import hyper_memory
from dalembert.integrators.hyper.steps import take_hyper_steps
from dalembert.integrators.implicit.newton import CONVERGED
from dalembert.integrators.implicit.stepper import REASONS, ImplicitStepper
from dalembert.mechanics.followers import Followers, place_followers

if TYPE_CHECKING:
    from dalembert.integrators.hyper.method import HyperReduced
    from dalembert.model.model import Model
    from dalembert.model.state import State


class HyperStepper(ImplicitStepper):
    """The knots and loads of an implicit run, with fewer unknowns."""

    def __init__(self, method: HyperReduced, model: Model, state: State, dt: float, followers: Followers) -> None:
        super().__init__(method, model, state, dt)
        self._hyper, self._followers, self._code = hyper_memory(followers), followers, method.method_code
        # leaders say where followers are, whatever the state says
        place_followers(followers, self._knots.q, self._knots.v, np.zeros(model.system.n_v))
        self._stage.equations.loops.coordinates[: model.system.n_q] = self._knots.q

    def advance(self, n_steps: int) -> tuple[int, float]:
        status, done, spent, row = take_hyper_steps(
            self._system,
            self._stage,
            self._followers,
            self._hyper,
            self._knots,
            self._loads,
            self._code,
            self._dt,
            self._method.tol,
            self._method.max_iterations,
            n_steps,
        )
        if status != CONVERGED:
            raise StepFailure(REASONS[status].format(limit=self._method.max_iterations), self._joint_of(row), done)
        return spent, 0.0
