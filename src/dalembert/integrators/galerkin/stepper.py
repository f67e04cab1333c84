"""The stepper of the Galerkin integrator: arrays below, names above."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.integrators.base import StepFailure, Stepper
from dalembert.integrators.galerkin import run, step
from dalembert.integrators.galerkin.controlled import run_galerkin
from dalembert.integrators.galerkin.memory import Knot, Outside, make_knot, make_path, make_solver
from dalembert.integrators.galerkin.plan import JOINT, make_plan
from dalembert.integrators.galerkin.points import make_points
from dalembert.integrators.galerkin.potentials import potential_points
from dalembert.integrators.galerkin.quick import make_quick
from dalembert.integrators.galerkin.rule import make_rule
from dalembert.integrators.galerkin.run import ENTER, LEAVE, RUN
from dalembert.integrators.galerkin.state import make_instant
from dalembert.integrators.galerkin.step import CONVERGED, FORESIGHT, UNFORESEEN, Options
from dalembert.integrators.maximal.plan import typical_length
from dalembert.integrators.port import Inside, Port, begin_rows, make_port, steps_done
from dalembert.integrators.record import Record
from dalembert.model.state import State
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.integrators.galerkin.method import GalerkinVI
    from dalembert.model.model import Model

REASONS = {
    step.NO_CONVERGENCE: "Newton's method did not converge in {limit} iterations; try a smaller dt",
    step.NO_DESCENT: "the equations of the step have no solution near its start; try a smaller dt",
    step.SINGULAR: "the Newton system is singular: try a smaller dt",
    step.NOT_FINITE: "a force, position or velocity is not a finite number; check controllers and user potentials",
    step.TOO_FAST: "a joint that turns freely turns by half a revolution in one step; use a smaller dt",
}


class GalerkinStepper(Stepper):
    """A run of the Galerkin integrator."""

    def __init__(self, method: GalerkinVI, model: Model, state: State, dt: float) -> None:
        system = model.system
        self._method, self._model, self._dt = method, model, float(dt)
        plan = make_plan(system)
        rule = make_rule(method.stages, method.quadrature, plan.balls > 0)
        foresight = UNFORESEEN if model.potentials else FORESIGHT
        gravity = system.gravity.tolist()
        options = Options(
            self._dt,
            float(method.tol),
            typical_length(system),
            method.max_iterations,
            method.max_halvings,
            foresight,
            *gravity,
        )
        self._plan, self._knot, self._instant = plan, make_knot(plan, rule), make_instant(system)
        self._applied = np.zeros((model.n_bodies + 1, 6))
        self._outside = Outside(np.zeros(system.n_v), np.zeros((len(rule.weight), model.n_bodies + 1, 6)))
        path, solver = make_path(plan, rule), make_solver(plan, rule)
        self._arguments = (
            system,
            plan,
            rule,
            options,
            self._knot,
            self._outside,
            path,
            solver,
            self._instant,
            make_quick(plan, rule),
            make_points(plan, rule),
        )
        self._record = Record.empty(system, 1)
        self._drive_kernel = self._interpreted() if model.potentials else run.drive
        self._enter(state)

    def advance(self, n_steps: int) -> tuple[int, float]:
        return self._drive(RUN, self._record, -1, 1, n_steps), 0.0

    def run(self, record: Record, first: int, count: int, every: int) -> None:
        self._drive(RUN, record, first, count, every)

    def admit(self, inside: Inside) -> Port | None:
        return None if self._model.potentials else make_port(self._model, inside, self._dt)

    def run_inside(self, port: Port, record: Record, first: int, count: int, every: int) -> None:
        begin_rows(port)
        status, worst = run_galerkin(*self._arguments, port, record, first, count, every)
        if status != CONVERGED:
            raise self._failure(status, worst, steps_done(port, status, every))

    def write(self, record: Record, row: int) -> None:
        self._drive(RUN, record, row, 1)

    def state(self) -> State:
        self._drive(LEAVE, self._record)
        now, knot = self._instant, self._knot
        memory: dict[str, Any] = {"method": self._label(), "dt": self._dt}
        memory |= {name: array.copy() for name, array in knot._asdict().items()}
        return State(
            now.position[:-1].copy(),
            now.orientation[:-1].copy(),
            now.velocity[:-1].copy(),
            now.angular_velocity[:-1].copy(),
            now.q.copy(),
            now.v.copy(),
            memory=memory,
        )

    def control(self, joint_force: Floats, external: Floats) -> None:
        self._outside.joint_force[:] = joint_force[: self._outside.joint_force.size]
        self._applied[:] = external
        self._outside.wrench[:] = external

    def _label(self) -> str:
        """Whose memory a state holds: polynomials of another degree are of no use."""
        return f"{self._method.name}, {self._method.stages} {self._method.quadrature}"

    def _enter(self, state: State) -> None:
        memory, system = state.memory, self._model.system
        if memory.get("method") == self._label() and memory.get("dt") == self._dt:
            for name in Knot._fields:
                getattr(self._knot, name)[...] = memory[name]
            return
        self._instant.q[:] = state.coordinates[: system.n_q]
        self._instant.v[:] = state.rates[: system.n_v]
        self._drive(ENTER, self._record)

    def _drive(self, task: int, record: Record, first: int = -1, count: int = 0, every: int = 0) -> int:
        """One task of `run.drive`; the iterations that it took."""
        status, done, worst, iterations = self._drive_kernel(*self._arguments, task, record, first, count, every)
        if status != CONVERGED:
            raise self._failure(status, worst, done)
        return iterations

    def _failure(self, status: int, worst: int, done: int) -> StepFailure:
        name = "the mechanism"
        if worst >= 0:
            name = f'joint "{list(self._model.joints)[self._plan.node[worst, JOINT]]}"'
        return StepFailure(REASONS[status].format(limit=self._method.max_iterations), name, done)

    def _interpreted(self) -> Any:
        """`run.drive` with the user's potentials evaluated along every trial.

        A compiled kernel cannot call a Python function. The source of the functions between `drive` and the evaluation
        of a trial is therefore run by the interpreter, in copies whose names for that evaluation stand for a wrapper.
        """

        def try_increments(plan: Any, rule: Any, options: Any, knot: Any, outside: Any, path: Any) -> None:
            step.follow(plan, rule, knot, options.h, path)
            potential_points(self._model, plan, path, self._applied, outside.wrench)
            step.evaluate(plan, rule, knot, outside, (options.gx, options.gy, options.gz), options.h, path)

        names: dict[str, Any] = {"try_increments": try_increments}
        for module, name in (
            (step, "take_step"),
            (run, "drive"),
        ):
            kernel = getattr(module, name)
            function = getattr(kernel, "py_func", kernel)
            names[name] = FunctionType(function.__code__, {**function.__globals__, **names})
        return names["drive"]
