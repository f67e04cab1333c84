"""A run of one of the implicit methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.integrators.base import StepFailure, Stepper
from dalembert.integrators.implicit.charts import Charts
from dalembert.integrators.implicit.newton import CONVERGED, NO_CONVERGENCE, NO_DESCENT, NOT_FINITE, SINGULAR
from dalembert.integrators.implicit.stage import stage_memory
from dalembert.integrators.implicit.steps import (
    BDF1_METHOD,
    finish_step,
    knots_memory,
    stage_count,
    stages_of,
    start_stage,
    take_steps,
)
from dalembert.integrators.implicit.tape import Tape, blank_tape
from dalembert.integrators.implicit.user_stage import UserStage
from dalembert.integrators.record import Record
from dalembert.mechanics.element_forces import element_forces
from dalembert.mechanics.kinematics import joint_coordinates, joint_rates, move_bodies, place_bodies
from dalembert.mechanics.reduced_coordinates import Limits
from dalembert.mechanics.reduced_equations import Loads, largest_gap
from dalembert.mechanics.user_rows import has_user_rows
from dalembert.model.state import State, with_world

if TYPE_CHECKING:
    from dalembert.integrators.implicit.method import ImplicitIntegrator
    from dalembert.model.model import Model
    from dalembert.model.system import Floats

REASONS = {
    NO_CONVERGENCE: "Newton's method did not converge in {limit} iterations; try a smaller dt",
    NO_DESCENT: "the equations of the step have no solution near its start; try a smaller dt",
    SINGULAR: "the Newton system is singular: this configuration leaves the motion undetermined; try a smaller dt",
    NOT_FINITE: "a force, position or velocity is not a finite number; check controllers, or try a smaller dt",
}


class ImplicitStepper(Stepper):
    """Stages, knots and loads of a run."""

    def __init__(self, method: ImplicitIntegrator, model: Model, state: State, dt: float) -> None:
        self._charts = Charts(model)
        system = self._charts.system
        self._method, self._model, self._system, self._dt = method, model, system, dt
        self._stage, self._knots = stage_memory(system), knots_memory(system)
        self._stage.equations.loops.coordinates[:] = state.coordinates
        self._knots.q[:], self._knots.v[:] = state.coordinates[: system.n_q], state.rates[: system.n_v]
        self._loads = loads_memory(model, method)
        self._no_tape = self._blank_tape(np.zeros((0, int(system.n_rates.sum()))), 0)
        self._user = UserStage(model, system, self._stage, self._loads) if has_user_rows(model) else None
        memory = state.memory
        if memory.get("method") == method.name and memory.get("dt") == dt:
            for name in ("past", "past_v", "started"):
                getattr(self._knots, name)[:] = memory[name]
            self._stage.multiplier[:] = memory["multiplier"]
            if self._charts:
                self._charts.restore(memory["charts"])
                self._knots.q[:], self._knots.v[:] = memory["q"], memory["v"]
            if self._user is not None:
                self._user.multiplier[:], self._user.jumps = memory["user_multiplier"], memory["jumps"]
        elif self._user is not None:
            self._user.check_start(self._knots.q)

    def advance(self, n_steps: int) -> tuple[int, float]:
        return self._advance(self._no_tape, n_steps)

    def advance_on_tape(self, joint_force: Floats) -> Tape:
        """Take a step for every row of ``joint_force`` (N, rates of all joints) and keep every stage.

        The tape stops where the run does: ``done`` says how far `StepFailure` let it come.
        """
        self.tape = self._blank_tape(joint_force, stage_count(self._method.code, len(joint_force)))
        if len(joint_force):
            self._advance(self.tape, len(joint_force))
        return self.tape

    def _blank_tape(self, joint_force: Floats, stages: int) -> Tape:
        return blank_tape(self._system, self._stage.multiplier.size, joint_force, stages)

    def _advance(self, tape: Tape, n_steps: int) -> tuple[int, float]:
        if self._user is not None:
            return self._advance_user(self._user, n_steps)
        if not self._charts:
            return self._take_steps(tape, n_steps)
        spent, gap = 0, 0.0
        for done in range(n_steps):
            try:
                found = self._take_steps(tape, 1)
            except StepFailure as failure:
                raise StepFailure(failure.reason, failure.worst, done) from None
            self._switch()
            spent, gap = spent + found[0], max(gap, found[1])
        return spent, gap

    def _switch(self) -> None:
        if self._charts and self._charts.switch(self._knots):
            self._stage.equations.loops.coordinates[: self._system.n_q] = self._knots.q

    def _take_steps(self, tape: Tape, n_steps: int) -> tuple[int, float]:
        status, done, spent, gap, row = take_steps(
            self._system,
            self._stage,
            self._knots,
            self._loads,
            tape,
            self._method.code,
            self._dt,
            self._method.tol,
            self._method.max_iterations,
            n_steps,
        )
        if status != CONVERGED:
            reason = REASONS[status].format(limit=self._method.max_iterations)
            raise StepFailure(reason, self._joint_of(row), done)
        return spent, gap

    def _advance_user(self, user: UserStage, n_steps: int) -> tuple[int, float]:
        """`take_steps` with functions of the user's in every iteration.

        Where an inequality begins to push, velocities jump, and formulas that look back over the jump would make it a
        rebound. That step, which ends where bodies touch, and the next, which takes their approach away, are of BDF1
        instead; then the method starts anew.
        """
        system, stage, knots, code = self._system, self._stage, self._knots, self._method.code
        spent, gap = 0, 0.0
        for done in range(n_steps):
            before, hits = user.multiplier.copy(), False
            if not user.jumps:
                for part in range(stages_of(knots, code)):
                    spent += self._solve_user(user, start_stage(stage, knots, code, part, self._dt), done)
                    hits |= user.hits(before)
            if user.jumps or (hits and code != BDF1_METHOD):
                user.multiplier[:] = before
                spent += self._solve_user(user, start_stage(stage, knots, BDF1_METHOD, 0, self._dt), done)
                hits = user.hits(before)
            finish_step(system, stage, knots)
            self._switch()
            if hits or user.jumps:
                knots.started[0] = 0
            user.jumps = hits
            gap = max(gap, float(largest_gap(stage.equations.loops)[0]), user.rows.open_by())
        return spent, gap

    def _solve_user(self, user: UserStage, t: float, done: int) -> int:
        status, iterations, row = user.solve(t, self._method.tol, self._method.max_iterations)
        if status != CONVERGED:
            reason = REASONS[status].format(limit=self._method.max_iterations)
            raise StepFailure(reason, self._joint_of(row), done)
        return iterations

    def control(self, joint_force: Floats, external: Floats) -> None:
        self._charts.refuse_forces(joint_force)
        self._loads.joint_force[:], self._loads.external[:] = joint_force, external
        if self._user is not None:
            self._user.load(external)

    def write(self, record: Record, row: int) -> None:
        position, orientation, velocity, angular_velocity = self._bodies()
        record.position[row], record.orientation[row] = position[:-1], orientation[:-1]
        record.velocity[row], record.angular_velocity[row] = velocity[:-1], angular_velocity[:-1]
        record.coordinates[row] = self._declared()[0]

    def state(self) -> State:
        system = self._system
        position, orientation, velocity, angular_velocity = self._bodies()
        rates = np.zeros(int(system.n_rates.sum()))
        joint_rates(system, position, orientation, velocity, angular_velocity, rates)
        coordinates, rates[: system.n_v] = self._declared()
        memory: dict[str, Any] = {"method": self._method.name, "dt": self._dt}
        memory |= {name: getattr(self._knots, name).copy() for name in ("past", "past_v", "started")}
        memory["multiplier"] = self._stage.multiplier.copy()
        if self._user is not None:
            memory |= {"user_multiplier": self._user.multiplier.copy(), "jumps": self._user.jumps}
        if self._charts:
            memory |= {"charts": self._charts.keep(), "q": self._knots.q.copy(), "v": self._knots.v.copy()}
        return State(
            position[:-1],
            orientation[:-1],
            velocity[:-1],
            angular_velocity[:-1],
            coordinates,
            rates,
            memory=memory,
        )

    def _declared(self) -> tuple[Floats, Floats]:
        """Coordinates of all joints, and rates of the tree, as the model declares them; after `_bodies`."""
        coordinates, v = self._stage.equations.loops.coordinates.copy(), self._knots.v.copy()
        self._charts.declared(coordinates, v)
        return coordinates, v

    def _bodies(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Poses and velocities at the present knot; unwraps the coordinates of joints outside the tree."""
        system, knots, coordinates = self._system, self._knots, self._stage.equations.loops.coordinates
        position, orientation, velocity, angular_velocity = with_world(self._model.n_bodies)
        place_bodies(system, knots.q, position, orientation)
        move_bodies(system, knots.q, knots.v, position, orientation, velocity, angular_velocity)
        joint_coordinates(system, position, orientation, coordinates, coordinates)
        coordinates[: system.n_q] = knots.q
        return position, orientation, velocity, angular_velocity

    def _joint_of(self, row: int) -> str:
        """The joint of a rate of the tree."""
        for joint in self._model.joints.values():
            if joint.in_tree and joint.rates.start <= row < joint.rates.stop:
                return f'joint "{joint.name}"'
        return "the mechanism"


def loads_memory(model: Model, method: ImplicitIntegrator) -> Loads:
    """Nothing acts from outside; the limits of the model's joints and its force elements."""
    n_v = model.system.n_v
    lower, upper = np.full(n_v, -np.inf), np.full(n_v, np.inf)
    for joint in model.joints.values():
        slides_and_angles = joint.rates.stop - joint.rates.start - (3 if joint.kind.turns_freely else 0)
        if joint.in_tree:
            for k, component in enumerate(joint.components[:slides_and_angles]):
                lower[joint.rates.start + k], upper[joint.rates.start + k] = joint.limits[component]
    limits = Limits(lower, upper, float(method.limit_stiffness), float(method.limit_damping))
    elements = element_forces(model.elements)
    return Loads(np.zeros(int(model.system.n_rates.sum())), np.zeros((model.n_bodies + 1, 6)), limits, elements)
