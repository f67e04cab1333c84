"""The stepper of the maximal-coordinate integrator with the graph LDU: arrays below, names above."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.integrators.base import StepFailure, Stepper
from dalembert.integrators.maximal import graph_run, graph_step, residual
from dalembert.integrators.maximal.knot import (
    CONVERGED,
    NO_CONVERGENCE,
    NO_DESCENT,
    NOT_FINITE,
    SINGULAR,
    TOO_FAST,
    Control,
    Knot,
    Options,
)
from dalembert.integrators.maximal.plan import (
    active_components,
    make_knot,
    make_workspace,
    typical_length,
)
from dalembert.mechanics.user_functions import CustomRows, potential_wrenches
from dalembert.mechanics.constraint_graph import constraint_graph
from dalembert.integrators.record import Record
from dalembert.mechanics.kinematics import joint_rates
from dalembert.model.state import State
from dalembert.model.system import CUSTOM, Floats

if TYPE_CHECKING:
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.model.model import Model

REASONS = {
    NO_CONVERGENCE: "Newton's method did not converge in {limit} iterations; try a smaller dt",
    NO_DESCENT: "the line search found no step that brings the equations closer to zero; try a smaller dt",
    SINGULAR: "the Newton system is singular here: a body without inertia in some direction, or a configuration that "
    "leaves the motion undetermined",
    NOT_FINITE: "a force, mass or position is not a finite number here; check controllers and user potentials",
    TOO_FAST: "a body would turn by half a revolution or more in one step; use a smaller dt",
}


class GraphStepper(Stepper):
    """A run of the maximal-coordinate integrator."""

    def __init__(self, method: MaximalVI, model: Model, state: State, dt: float) -> None:
        system = model.system
        n = system.tree_joint.size
        self._method, self._model, self._system, self._dt = method, model, system, dt
        active = active_components(system)
        self._graph, pattern = constraint_graph(system, active, dense=method.linear_solver == "dense")
        self._work = make_workspace(system, pattern)
        self._knot = make_knot(system, int(system.n_coordinates.sum()))
        self._options = Options(
            float(dt), float(method.tol), typical_length(system), int(method.max_iterations), int(method.max_halvings)
        )
        self._control = Control(np.zeros(int(system.n_rates.sum())), np.zeros((n + 1, 6)))
        self._applied = np.zeros((n + 1, 6))
        self._python = bool(model.potentials) or bool(np.any(system.joint_kind == CUSTOM))
        self._kernels = _interpreted(CustomRows(model)) if self._python else _COMPILED
        self._enter(state)

    def advance(self, n_steps: int) -> tuple[int, float]:
        if not self._python:
            status, done, worst, iterations, violation = graph_run.advance(*self._arguments, n_steps)
            if status != CONVERGED:
                raise self._failure(status, worst, done)
            return iterations, violation
        total, violation = 0, 0.0
        for step in range(n_steps):
            iterations, error = self._interpreted_step(step)
            total += iterations
            violation = max(violation, error)
        return total, violation

    def run(self, record: Record, first: int, count: int, every: int) -> None:
        if not self._python:
            status, done, worst = graph_run.run(*self._arguments, every, record, first, count)
            if status != CONVERGED:
                raise self._failure(status, worst, done)
            return
        for row in range(first, first + count):
            total, violation = 0, 0.0
            for step in range(every):
                iterations, error = self._interpreted_step((row - first) * every + step)
                if step == 0:
                    graph_run.write_multipliers(self._options, self._knot, record, row - 1)
                total += iterations
                violation = max(violation, error)
            self.write(record, row)
            record.iterations[row] = total
            record.constraint_error[row] = violation

    def write(self, record: Record, row: int) -> None:
        graph_run.write_knot(self._system, self._graph, self._knot, self._work, record, row)

    def finish(self, record: Record, row: int) -> None:
        self._kernels["look_ahead"](
            self._system, self._graph, self._options, self._knot, self._work, record, row
        )

    def state(self) -> State:
        system, knot = self._system, self._knot
        graph_step.project(system, self._graph, knot, self._work)
        velocity, angular = self._work.velocity[:, :3].copy(), self._work.velocity[:, 3:].copy()
        rates = np.zeros(int(system.n_rates.sum()))
        joint_rates(system, knot.position, knot.orientation, velocity, angular, rates)
        memory = {"method": self._method.name, "dt": self._dt}
        return State(
            knot.position[:-1].copy(),
            knot.orientation[:-1].copy(),
            velocity[:-1],
            angular[:-1],
            knot.coordinates.copy(),
            rates,
            memory=memory | {name: array.copy() for name, array in knot._asdict().items()},
        )

    def write_forces(self, record: Record, row: int) -> None:
        graph_run.write_multipliers(self._options, self._knot, record, row)

    def control(self, joint_force: Floats, external: Floats) -> None:
        self._control.joint_force[:] = joint_force
        self._control.external[:] += external - self._applied
        self._applied[:] = external
        self._begin()

    @property
    def _arguments(self) -> tuple[Any, ...]:
        return self._system, self._graph, self._options, self._knot, self._control, self._work

    def _enter(self, state: State) -> None:
        knot, memory = self._knot, state.memory
        if memory and memory.get("method") == self._method.name and memory.get("dt") == self._dt:
            for name in Knot._fields:
                getattr(knot, name)[...] = memory[name]
            self._add_potentials(at_start=True)
            self._begin()
            return
        knot.position[:-1], knot.orientation[:-1] = state.position, state.orientation
        knot.coordinates[:] = state.coordinates
        velocity = knot.history[0]
        velocity[:-1, :3], velocity[:-1, 3:] = state.velocity, state.angular_velocity
        self._add_potentials(at_start=True)
        self._begin()
        graph_step.start_momentum(self._system, self._graph, velocity, self._work, knot.momentum)
        if self._method.initial_velocity == "interval":
            self._work.trial.velocity[:] = velocity
            self._kernels["finish"](*self._arguments)

    def _begin(self) -> None:
        self._kernels["begin"](self._system, self._graph, self._options, self._knot, self._control, self._work)

    def _interpreted_step(self, done: int) -> tuple[int, float]:
        system, graph, options, knot, control, work = self._arguments
        graph_step.aim(system, graph, options, knot, work)
        status, iterations, worst = self._kernels["solve_interval"](system, graph, options, knot, work)
        if status != CONVERGED:
            raise self._failure(status, worst, done)
        violation = self._kernels["finish"](system, graph, options, knot, control, work)
        self._add_potentials(at_start=False)
        return iterations, violation

    def _add_potentials(self, at_start: bool) -> None:
        """Bring the wrenches of user potentials up to the present knot; their half impulse there is in the momentum."""
        if not self._model.potentials:
            return
        knot, control = self._knot, self._control
        present = self._applied + potential_wrenches(self._model, knot.position, knot.orientation)
        change = present - control.external
        control.external[:] = present
        if not at_start:
            knot.momentum[:] += 0.5 * self._dt * change
            self._work.interval.force[:] += change

    def _failure(self, status: int, worst: int, done: int) -> StepFailure:
        n = self._system.tree_joint.size
        if worst < 0:
            name = "the mechanism"
        elif worst < n:
            name = f'body "{list(self._model.bodies)[worst]}"'
        else:
            name = f'joint "{list(self._model.joints)[worst - n]}"'
        return StepFailure(REASONS[status].format(limit=self._method.max_iterations), name, done)


_COMPILED = {
    "begin": graph_step.begin,
    "finish": graph_step.finish,
    "solve_interval": graph_step.solve_interval,
    "look_ahead": graph_run.look_ahead,
}


def _interpreted(rows: CustomRows) -> dict[str, Any]:
    """The same steps with the user's constraint functions evaluated beside the compiled ones.

    A compiled kernel cannot call a Python function. The source of the few functions between the step and the evaluation
    of constraints is therefore run by the interpreter, in copies whose names for the evaluations stand for wrappers.
    """

    def evaluate_knot(system: Any, active: Any, knot: Any, interval: Any) -> None:
        residual.evaluate_knot(system, active, knot, interval)
        rows.evaluate(knot.position, knot.orientation, interval.value, interval.jacobian)

    def evaluate_trial(system: Any, active: Any, h: float, knot: Any, interval: Any, trial: Any) -> None:
        residual.evaluate_trial(system, active, h, knot, interval, trial)
        rows.evaluate(trial.position, trial.orientation, trial.value, trial.jacobian)
        residual.evaluate_residual(system, active, h, interval, trial)

    names: dict[str, Any] = {"evaluate_knot": evaluate_knot, "evaluate_trial": evaluate_trial}
    for name in ("begin", "finish", "solve_interval"):
        names[name] = _rebound(getattr(graph_step, name), names)
    names["look_ahead"] = _rebound(graph_run.look_ahead, names)
    return names


def _rebound(kernel: Any, names: dict[str, Any]) -> Any:
    """A copy of the kernel's Python function that sees ``names`` before its module's own."""
    function = getattr(kernel, "py_func", kernel)
    return FunctionType(function.__code__, {**function.__globals__, **names})
