"""The stepper of the maximal-coordinate integrator with the tree solver."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.integrators.maximal.composition import make_options, substeps
from dalembert.integrators.maximal.graph_stepper import GraphStepper
from dalembert.integrators.maximal.knot import Control, Knot, Schedule
from dalembert.integrators.maximal.plan import make_knot, typical_length
from dalembert.integrators.maximal.tree_controlled import run_tree
from dalembert.integrators.maximal.tree_drive import drive, make_check
from dalembert.integrators.maximal.tree_knot import KNOT_ROWS
from dalembert.integrators.maximal.tree_plan import make_tree
from dalembert.integrators.record import Record
from dalembert.model.state import State

if TYPE_CHECKING:
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.model.model import Model


SOLVER = ", tree"
"""Ending of the label of memory that this solver left."""


class TreeStepper(GraphStepper):
    """A run of the same method as the graph's, stepped in the null space of the joints.

    The knots are those of `GraphStepper` but for the history, which holds steps of joint coordinates: row k of a body
    the k-th last steps of the joint that places it, and behind them the solver's own numbers. A run is therefore
    resumed only by the solver that left it.
    """

    def __init__(self, method: MaximalVI, model: Model, state: State, dt: float) -> None:
        system = model.system
        self._method, self._model, self._dt = method, model, dt
        self._check = make_check(system)
        options = make_options(method, dt, typical_length(system))
        self._schedule = Schedule(options, *substeps(method.order))
        self._knot = make_knot(system, int(system.n_coordinates.sum()), KNOT_ROWS)
        self._control = Control(np.zeros(int(system.n_rates.sum())), np.zeros((system.mass.size, 6)))
        self._arguments = (system, make_tree(system), self._schedule, self._knot, self._control, self._check)
        self._applied, self._potential = np.zeros((system.mass.size, 6)), np.zeros((system.mass.size, 6))
        self._row = Record.empty(system, 1)
        self._drive_kernel, self._inside_kernel = drive, run_tree
        self._check.rates[:] = state.rates
        self._enter(_renamed(state, SOLVER, ""))

    @property
    def knot(self) -> Knot:
        """The arrays of the present instant."""
        return self._knot

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What `tree_drive.drive` is called with: system, tree, schedule, knot, control and check."""
        return self._arguments

    def state(self) -> State:
        return _renamed(super().state(), "", SOLVER)


def _renamed(state: State, ending: str, to: str) -> State:
    """The state with another ending of its memory's label; without memory that does not end so."""
    label = state.memory.get("method")
    if not isinstance(label, str) or not label.endswith(ending):
        return replace(state, memory={})
    return replace(state, memory={**state.memory, "method": label.removesuffix(ending) + to})
