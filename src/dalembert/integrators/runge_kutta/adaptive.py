"""SciPy's methods of variable step, stopped exactly at every instant that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.integrators.base import StepFailure
from dalembert.integrators.runge_kutta.minimal import MinimalStepper
from dalembert.mechanics.kinematics_coordinates import coordinate_rates, normalize_coordinates
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.integrators.base import Integrator
    from dalembert.model.model import Model
    from dalembert.model.state import State


class AdaptiveStepper(MinimalStepper):
    """A run with one of `scipy.integrate`'s solvers; forces from outside may change at every stop."""

    def __init__(
        self,
        method: Integrator,
        model: Model,
        state: State,
        dt: float,
        gains: tuple[float, float],
        solver: str,
        rtol: float,
        atol: float,
    ) -> None:
        super().__init__(method, model, state, dt, gains)
        self._solver, self._rtol, self._atol = solver, rtol, atol
        self._last: float | None = state.memory.get("last_step") if state.memory.get("method") == solver else None
        self._unit, self._rate = np.zeros(self._system.n_q), np.zeros(self._system.n_v)

    def _memory(self) -> dict[str, object]:
        # a solver picks its first step from the length of the last one
        return {"method": self._solver, "last_step": self._last}

    def _steps(self, n_steps: int) -> tuple[int, float]:
        from scipy import integrate

        now, end, worst = self._now, n_steps * self._dt, 0.0
        if now.q.size == 0:
            return n_steps, 0.0
        options: dict[str, Any] = {"rtol": self._rtol, "atol": self._atol}
        if self._last is not None:
            options["first_step"] = min(self._last, end)
        solver = getattr(integrate, self._solver)(self._derivative, 0.0, np.concatenate([now.q, now.v]), end, **options)
        while solver.status == "running":
            message = solver.step()
            if solver.status == "failed":
                raise StepFailure(
                    f"{self._solver} failed: {message}; a larger rtol or a smaller dt may help", self._worst(), 0
                )
            if solver.status == "running" or self._last is None:
                # the last step is cut short by the stop and says nothing about the error
                self._last = float(solver.step_size)
            if not np.isfinite(solver.y).all():
                return 0, worst
            self._take(solver.y)
            if self._loops:
                worst = max(worst, self._violation())
        normalize_coordinates(self._system, now.q)
        return n_steps, worst

    def _take(self, y: Floats) -> None:
        n = self._system.n_q
        self._now.q[:], self._now.v[:] = y[:n], y[n:]

    def _derivative(self, _time: float, y: Floats) -> Floats:
        system, n = self._system, self._system.n_q
        q, v = np.ascontiguousarray(y[:n]), np.ascontiguousarray(y[n:])
        out = np.empty_like(y)
        coordinate_rates(system, q, v, out[:n])
        self._unit[:] = q
        normalize_coordinates(system, self._unit)
        self._accelerate(self._unit, v, self._rate)
        out[n:] = self._rate
        return out
