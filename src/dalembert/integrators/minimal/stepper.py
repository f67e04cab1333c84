"""The stepper of the minimal-coordinate integrator: arrays below, names above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.integrators.base import StepFailure
from dalembert.integrators.maximal.composition import make_options, substeps
from dalembert.integrators.maximal.graph_run import RUN
from dalembert.integrators.maximal.graph_stepper import GraphStepper
from dalembert.integrators.maximal.knot import CONVERGED, Control, Schedule
from dalembert.integrators.maximal.plan import make_knot, typical_length
from dalembert.integrators.maximal.tree_drive import make_check
from dalembert.integrators.maximal.tree_knot import KNOT_ROWS
from dalembert.integrators.maximal.tree_plan import make_tree
from dalembert.integrators.minimal.controlled import run_minimal
from dalembert.integrators.minimal.failure import step_failure
from dalembert.integrators.minimal.loops import make_loops
from dalembert.integrators.minimal.memory import make_root
from dalembert.integrators.minimal.run import drive
from dalembert.integrators.record import Record

if TYPE_CHECKING:
    from dalembert.integrators.minimal.method import MinimalVI
    from dalembert.model.model import Model
    from dalembert.model.state import State


class MinimalTreeStepper(GraphStepper):
    """A run of the method on an open tree.

    Knots, recording, control, potentials and reactions are those of the maximal tree solver; the momenta over an
    interval and the root finding are its own.
    """

    def __init__(self, method: MinimalVI, model: Model, state: State, dt: float) -> None:
        system = model.system
        self._minimal: MinimalVI = method
        self._method: Any = method
        self._model, self._dt = model, dt
        self._check = make_check(system)
        options = make_options(method, dt, typical_length(system))
        self._schedule = Schedule(options, *substeps(2))
        tree = make_tree(system, with_loops=False)
        self._root = make_root(method.root, method.initial_guess, tree.dof.shape[0], int(method.max_iterations))
        self._loops = make_loops(system)
        self._knot = make_knot(system, int(system.n_coordinates.sum()), KNOT_ROWS)
        self._control = Control(np.zeros(int(system.n_rates.sum())), np.zeros((system.mass.size, 6)))
        self._arguments = (system, tree, options, self._knot, self._control, self._check, self._root, self._loops)
        self._applied, self._potential = np.zeros((system.mass.size, 6)), np.zeros((system.mass.size, 6))
        self._row = Record.empty(system, 1)
        self._drive_kernel, self._inside_kernel = drive, run_minimal
        self._check.rates[:] = state.rates
        self._enter(state)

    @property
    def _coasts_next(self) -> bool:
        return False

    def _drive(
        self, task: int, record: Record, first: int, count: int = 0, every: int = 0, part: Schedule | None = None
    ) -> tuple[int, float]:
        status, done, worst, iterations, violation = self._drive_kernel(
            *self._arguments, task, record, first, count, every
        )
        if status != CONVERGED:
            raise self._failure(status, worst, done)
        return iterations, violation

    def _failure(self, status: int, worst: int, done: int) -> StepFailure:
        self._drive_kernel(*self._arguments, RUN, self._row, 0, 1, 0)
        turns = self._dt * np.linalg.norm(self._row.angular_velocity[0], axis=1)
        return step_failure(self._model, self._minimal, status, worst, done, turns)
