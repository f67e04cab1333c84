"""The stepper of the maximal-coordinate integrator with the graph LDU: arrays below, names above."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.integrators.base import StepFailure, Stepper
from dalembert.integrators.maximal import graph_controlled, graph_run, graph_step, residual
from dalembert.integrators.maximal.composition import make_options, one_substep, substeps
from dalembert.integrators.maximal.failure import step_failure
from dalembert.integrators.maximal.graph_run import ENTER, RESUME, RUN
from dalembert.integrators.maximal.knot import CONVERGED, Control, Knot, Schedule
from dalembert.integrators.maximal.plan import active_components, make_knot, make_workspace, typical_length
from dalembert.integrators.port import Inside, Port, begin_rows, make_port, steps_done
from dalembert.integrators.record import Record
from dalembert.mechanics.constraint_graph import constraint_graph
from dalembert.mechanics.kinematics import joint_rates, product_rates
from dalembert.mechanics.user_functions import CustomRows, knot_wrenches
from dalembert.model.state import State, with_world
from dalembert.model.system import CUSTOM, Floats, Integers

if TYPE_CHECKING:
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.model.model import Model


class GraphStepper(Stepper):
    """A run of the maximal-coordinate integrator."""

    _arguments: Any
    """The tuples of arrays that every kernel call begins with."""
    _drive_kernel: Any
    """`graph_run.drive`, or what stands in its place."""
    _inside_kernel: Any
    """The same with a compiled law, or None."""

    def __init__(self, method: MaximalVI, model: Model, state: State, dt: float) -> None:
        system = model.system
        n = system.tree_joint.size
        self._method, self._model, self._dt = method, model, dt
        graph, pattern = constraint_graph(system, active_components(system), dense=method.linear_solver == "dense")
        options = make_options(method, dt, typical_length(system))
        self._schedule = Schedule(options, *substeps(method.order))
        self._knot = make_knot(system, int(system.n_coordinates.sum()))
        self._control = Control(np.zeros(int(system.n_rates.sum())), np.zeros((n + 1, 6)))
        work = make_workspace(system, pattern)
        self._arguments = (system, graph, self._schedule, self._knot, self._control, work)
        self._applied, self._potential = np.zeros((n + 1, 6)), np.zeros((n + 1, 6))
        self._row = Record.empty(system, 1)
        custom = bool(np.any(system.joint_kind == CUSTOM))
        self._drive_kernel: Any = _interpreted(CustomRows(model)) if custom else graph_run.drive
        self._inside_kernel = None if custom else graph_controlled.run_graph
        self._enter(state)

    def advance(self, n_steps: int) -> tuple[int, float]:
        first = min(n_steps, 1) if self._coasts_next else 0
        violation = self._coast() if first else 0.0
        try:
            iterations, error = self._solve(n_steps - first)
        except StepFailure as failure:
            failure.steps_done += first
            raise
        return iterations, max(violation, error)

    def run(self, record: Record, first: int, count: int, every: int) -> None:
        rows = count if self._model.has_potentials else int(self._coasts_next)
        super().run(record, first, rows, every)
        if rows < count:
            try:
                self._drive(RUN, record, first + rows, count - rows, every)
            except StepFailure as failure:
                failure.steps_done += rows * every
                raise

    def admit(self, inside: Inside) -> Port | None:
        plain = not self._model.has_potentials and self._schedule.share.size == 1 and not self._coasts_next
        return make_port(self._model, inside, self._dt) if plain and self._inside_kernel is not None else None

    def run_inside(self, port: Port, record: Record, first: int, count: int, every: int) -> None:
        begin_rows(port)
        while True:
            status, worst = self._inside_kernel(*self._arguments, port, record, first, count, every)
            if status == CONVERGED:
                return
            if not self._mended(status):
                raise self._failure(status, worst, steps_done(port, status, every))

    def _solve(self, n_steps: int) -> tuple[int, float]:
        """Solve intervals; (Newton iterations, largest violation)."""
        if not self._model.has_potentials:
            return self._drive(RUN, self._row, -1, 1, n_steps)
        total, violation = 0, 0.0
        for step in range(n_steps):
            kept = self._keep()
            try:
                iterations, error = self._step_by_substeps()
            except StepFailure as failure:
                self._go_back(kept)
                failure.steps_done = step
                raise
            total += iterations
            violation = max(violation, error)
        return total, violation

    def _step_by_substeps(self) -> tuple[int, float]:
        """One step with user potentials, which are asked for at every knot."""
        total, violation, begun = 0, 0.0, self._knot.multiplier
        for s in range(self._schedule.share.size):
            part = one_substep(self._schedule, s)
            iterations, error = self._drive(RUN, self._row, -1, 1, 1, part)
            self._follow_potentials(part.options.h)
            if s == 0:
                begun = self._knot.multiplier.copy()
            total += iterations
            violation = max(violation, error)
        self._knot.multiplier[:] = begun
        return total, violation

    def write(self, record: Record, row: int) -> None:
        self._drive(RUN, record, row, 1, 0)

    def write_forces(self, record: Record, row: int) -> None:
        # at the first knot of all the impulse belongs to one half interval only
        share = self._schedule.share
        half = 0.5 if self._knot.age[0] == share.size else 1.0
        record.multiplier[row] = self._knot.multiplier / (half * share[0] * self._dt)

    def finish(self, record: Record, row: int) -> None:
        """The forces at the last knot, from taking one step more and going back."""
        kept = self._keep()
        try:
            self.advance(1)
            self.write_forces(record, row)
        except StepFailure:
            record.multiplier[row] = np.nan
        self._go_back(kept)

    def _keep(self) -> list[Floats | Integers]:
        """Copies of all that a step changes."""
        return [array.copy() for array in (*self._knot, self._control.external, self._potential)]

    def _go_back(self, kept: list[Floats | Integers]) -> None:
        """To the knot at which `_keep` was called."""
        for array, before in zip((*self._knot, self._control.external, self._potential), kept, strict=True):
            array[...] = before
        self._drive(RESUME, self._row, 0)

    def state(self) -> State:
        row = self._row
        self.write(row, 0)
        position, orientation, velocity, angular_velocity = with_world(self._model.n_bodies)
        position[:-1], orientation[:-1] = row.position[0], row.orientation[0]
        velocity[:-1], angular_velocity[:-1] = row.velocity[0], row.angular_velocity[0]
        rates = np.zeros(self._control.joint_force.size)
        motion = (position, orientation, velocity, angular_velocity)
        joint_rates(self._model.system, *motion, rates)
        product_rates(self._model.system, row.coordinates[0], *motion, rates)
        memory: dict[str, Any] = {"method": self.label, "dt": self._dt}
        memory |= {name: array.copy() for name, array in self._knot._asdict().items()}
        return State(
            position[:-1],
            orientation[:-1],
            velocity[:-1],
            angular_velocity[:-1],
            self._knot.coordinates.copy(),
            rates,
            memory=memory,
        )

    def control(self, joint_force: Floats, external: Floats) -> None:
        self._control.joint_force[:] = joint_force
        self._applied[:] = external
        # a sum from scratch: the same bits whether or not the run was interrupted before
        self._control.external[:] = self._applied + self._potential
        self._drive(RESUME, self._row, 0)

    def _enter(self, state: State) -> None:
        knot, memory = self._knot, state.memory
        resumed = memory.get("method") == self.label and memory.get("dt") == self._dt
        if resumed:
            for name in Knot._fields:
                getattr(knot, name)[...] = memory[name]
        else:
            knot.position[:-1], knot.orientation[:-1] = state.position, state.orientation
            knot.coordinates[:] = state.coordinates
            knot.history[0, :-1, :3], knot.history[0, :-1, 3:] = state.velocity, state.angular_velocity
        if self._model.has_potentials:
            self._potential[:] = self._potential_wrenches()
            self._control.external[:] = self._applied + self._potential
        self._drive(RESUME if resumed else ENTER, self._row, 0)

    @property
    def label(self) -> str:
        """The name under which a run leaves its memory: steps of another order do not go on from it."""
        substeps = self._schedule.share.size
        return self._method.name if substeps == 1 else f"{self._method.name}, {substeps} substeps"

    @property
    def _coasts_next(self) -> bool:
        """Whether the next interval is the first of all and has the velocities of the start."""
        return self._method.initial_velocity == "interval" and self._knot.age[0] == 0

    def _coast(self) -> float:
        """Move through one interval with the velocities of the start, as the papers do; the violation that this leaves.

        [Brüdigam 2023] eq. (11). Joints that turn open by something of second order in the step; the next closes them.
        """
        system, graph, schedule, knot, control, work = self._arguments
        work.trial.velocity[:] = knot.history[0]
        violation = graph_step.finish(system, graph, schedule.options, knot, control, work, 0)
        self._drive(RESUME, self._row, 0)
        self._follow_potentials(self._dt)
        return violation

    def _drive(
        self, task: int, record: Record, first: int, count: int = 0, every: int = 0, part: Schedule | None = None
    ) -> tuple[int, float]:
        """One task of `graph_run.drive`, with the schedule of a substep in ``part``; (Newton iterations, violation).

        A step that fails leaves the knot at which it began.
        """
        system, solver, schedule, *memory = self._arguments
        composed = self._schedule.share.size > 1 and task == RUN and every > 0
        kept = self._keep() if composed else []
        status, done, worst, iterations, violation = self._drive_kernel(
            system, solver, part or schedule, *memory, task, record, first, count, every
        )
        if status != CONVERGED:
            if composed:
                # to the knots between steps no other way leads than the one that was taken
                self._go_back(kept)
                self._drive_kernel(*self._arguments, RUN, self._row, -1, 1, done)
            raise self._failure(status, worst, done)
        return iterations, violation

    def _failure(self, status: int, worst: int, done: int) -> StepFailure:
        """What to raise at the knot from which no step could be taken."""
        self._drive_kernel(*self._arguments, RUN, self._row, 0, 1, 0)
        turns = self._dt * np.linalg.norm(self._row.angular_velocity[0], axis=1)
        return step_failure(self._model, self._method, status, worst, done, turns)

    def _mended(self, status: int) -> bool:
        """Whether what stopped a kernel is no failure and has been seen to, so that it can go on."""
        return False

    def _follow_potentials(self, h: float) -> None:
        """Bring the wrenches of potentials to the new knot, whose momentum has half an impulse of the old ones."""
        if self._model.has_potentials:
            self._potential[:] = self._potential_wrenches()
            present = self._applied + self._potential
            change = present - self._control.external
            self._control.external[:] = present
            self._knot.momentum[:] += 0.5 * h * change
            self._drive(RESUME, self._row, 0)

    def _potential_wrenches(self) -> Floats:
        return knot_wrenches(self._model, self._knot.position, self._knot.orientation)


def _interpreted(rows: CustomRows) -> Any:
    """`graph_run.drive` with the user's constraint functions evaluated beside the compiled ones.

    A compiled kernel cannot call a Python function. The source of the functions between `drive` and the evaluation of
    constraints is therefore run by the interpreter, in copies whose names for the evaluations stand for wrappers.
    """

    def evaluate_knot(system: Any, active: Any, knot: Any, interval: Any) -> None:
        residual.evaluate_knot(system, active, knot, interval)
        rows.evaluate(knot.position, knot.orientation, interval.value, interval.jacobian)

    def evaluate_trial(system: Any, active: Any, h: float, knot: Any, interval: Any, trial: Any) -> None:
        residual.evaluate_trial(system, active, h, knot, interval, trial)
        rows.evaluate(trial.position, trial.orientation, trial.value, trial.jacobian)
        residual.evaluate_residual(system, active, h, interval, trial)

    names: dict[str, Any] = {"evaluate_knot": evaluate_knot, "evaluate_trial": evaluate_trial}
    for module, name in (
        (graph_step, "begin"),
        (graph_step, "finish"),
        (graph_step, "solve_interval"),
        (graph_run, "_find_interval"),
        (graph_run, "drive"),
    ):
        kernel = getattr(module, name)
        function = getattr(kernel, "py_func", kernel)
        names[name] = FunctionType(function.__code__, {**function.__globals__, **names})
    return names["drive"]
