"""Steps of fixed length by an explicit tableau."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.runge_kutta.minimal import MinimalStepper
from dalembert.integrators.runge_kutta.tableaus import Tableau
from dalembert.mechanics.acceleration import accelerations, largest_violation, place
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
def form_stage(system, equations, now, stages, tableau, i, h):
    """Where stage i evaluates the equations: coordinates, rates and poses."""
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
    place(system, equations, stages.unit, stages.v)


@kernel
def evaluate_stage(system, equations, now, stages, i, gains):
    """q̇ and v̇ of stage i."""
    coordinate_rates(system, stages.q, stages.v, stages.dq[i])
    accelerations(system, equations, stages.unit, stages.v, now.joint_force, now.external, gains, stages.dv[i])


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
        now.q[:] = stages.q
        now.v[:] = stages.v
        normalize_coordinates(system, now.q)
    return finite


@kernel
def explicit_steps(system, equations, now, stages, tableau, h, gains, n_steps):
    """Take steps; returns (steps taken, largest violation of a loop at their knots)."""
    worst = 0.0
    for step in range(n_steps):
        for i in range(tableau.b.size):
            form_stage(system, equations, now, stages, tableau, i, h)
            evaluate_stage(system, equations, now, stages, i, gains)
        if not finish_step(system, now, stages, tableau, h):
            return step, worst
        if equations.row_joint.size > 0:
            place(system, equations, now.q, now.v)
            worst = max(worst, largest_violation(system, equations))
    return n_steps, worst


class ExplicitStepper(MinimalStepper):
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

    def _steps(self, n_steps: int) -> tuple[int, float]:
        system, equations, now, stages, tableau = (
            self._system,
            self._equations,
            self._now,
            self._stages,
            self._tableau,
        )
        if not self._model.potentials:
            return explicit_steps(system, equations, now, stages, tableau, self._dt, self._gains, n_steps)
        # the same step with the user's functions called at every stage
        worst = 0.0
        for step in range(n_steps):
            for i in range(tableau.b.size):
                form_stage(system, equations, now, stages, tableau, i, self._dt)
                self._add_potentials()
                evaluate_stage(system, equations, now, stages, i, self._gains)
            if not finish_step(system, now, stages, tableau, self._dt):
                return step, worst
            worst = max(worst, self._violation())
        return n_steps, worst
