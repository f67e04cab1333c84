"""Steps of fixed length by an explicit tableau."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.runge_kutta.minimal import FixedStepper
from dalembert.integrators.runge_kutta.tableaus import Tableau
from dalembert.mechanics.kinematics_coordinates import coordinate_rates, normalize_coordinates
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.integrators.base import Integrator
    from dalembert.model.model import Model
    from dalembert.model.state import State


class Stages(NamedTuple):
    """Memory of a step of s stages."""

    q: Floats
    """(n_q,) coordinates of the stage, as integrated."""
    unit: Floats
    """(n_q,) the same with unit quaternions."""
    v: Floats
    """(n_v,) rates of the stage."""
    dq: Floats
    """(s, n_q) q̇ of all stages."""
    dv: Floats
    """(s, n_v) v̇ of all stages."""


@kernel
def form_stage(system, now, stages, tableau, i, h):
    """Where stage i evaluates the equations, and q̇ there."""
    for k in range(system.n_q):
        value = 0.0
        for m in range(i):
            value += tableau.a[i, m] * stages.dq[m, k]
        stages.q[k] = now.q[k] + h * value
        stages.unit[k] = stages.q[k]
    for k in range(system.n_v):
        value = 0.0
        for m in range(i):
            value += tableau.a[i, m] * stages.dv[m, k]
        stages.v[k] = now.v[k] + h * value
    normalize_coordinates(system, stages.unit)
    coordinate_rates(system, stages.q, stages.v, stages.dq[i])


@kernel
def finish_step(system, now, stages, tableau, h):
    """Move to the next knot if all is finite there; returns whether it is."""
    finite = True
    for k in range(system.n_q):
        stages.q[k] = now.q[k]
        for m in range(tableau.b.size):
            stages.q[k] += h * tableau.b[m] * stages.dq[m, k]
        finite = finite and np.isfinite(stages.q[k])
    for k in range(system.n_v):
        stages.v[k] = now.v[k]
        for m in range(tableau.b.size):
            stages.v[k] += h * tableau.b[m] * stages.dv[m, k]
        finite = finite and np.isfinite(stages.v[k])
    if finite:
        for k in range(system.n_q):
            now.q[k] = stages.q[k]
        for k in range(system.n_v):
            now.v[k] = stages.v[k]
        normalize_coordinates(system, now.q)
    return finite


class ExplicitStepper(FixedStepper):
    """A run with an explicit tableau."""

    def __init__(
        self, method: Integrator, model: Model, state: State, dt: float, gains: tuple[float, float], tableau: Tableau
    ) -> None:
        super().__init__(method, model, state, dt, gains)
        s, system = tableau.b.size, self._system
        self._tableau = tableau
        self._stages = Stages(
            np.zeros(system.n_q),
            np.zeros(system.n_q),
            np.zeros(system.n_v),
            np.zeros((s, system.n_q)),
            np.zeros((s, system.n_v)),
        )

    def _step(self) -> bool:
        system, now, stages, tableau = self._system, self._now, self._stages, self._tableau
        for i in range(tableau.b.size):
            form_stage(system, now, stages, tableau, i, self._dt)
            self._accelerate(stages.unit, stages.v, stages.dv[i])
        return finish_step(system, now, stages, tableau, self._dt)
