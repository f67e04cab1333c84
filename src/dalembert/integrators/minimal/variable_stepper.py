"""Runs in steps of variable length: rows at fixed times, read between the knots that enclose them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.integrators.base import StepFailure, Stepper
from dalembert.integrators.maximal.knot import CONVERGED, Knot
from dalembert.integrators.minimal.failure import step_failure
from dalembert.integrators.minimal.pace import BEFORE, TIME, Pace, advance_until, make_pace, start_pace
from dalembert.integrators.minimal.stepper import MinimalTreeStepper
from dalembert.integrators.record import Record
from dalembert.mechanics.acceleration import place
from dalembert.mechanics.acceleration_equations import make_equations
from dalembert.mechanics.kinematics_coordinates import coordinate_rates, normalize_coordinates
from dalembert.model.state import State
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.integrators.minimal.method import MinimalVI
    from dalembert.model.model import Model

KEPT = ("clock", "q", "v", "a")


class VariableStepper(Stepper):
    """A run of the method whose steps are as short as the motion is fast; ``dt`` is their length at rest.

    Between two knots coordinates and rates are cubic polynomials through values and derivatives at both: their error
    is of fourth order in the step, the method's of second.
    """

    def __init__(self, method: MinimalVI, model: Model, state: State, dt: float) -> None:
        assert method.slow_rate is not None
        system = model.system
        self._method, self._model, self._system, self._dt = method, model, system, dt
        self._inner = MinimalTreeStepper(method, model, state, dt)
        _, tree, options, knot, control, check, root, _ = self._inner._arguments
        self._equations = make_equations(system)
        self._knot: Knot = knot
        self._pace: Pace = make_pace(system, method.slow_rate, options.length)
        self._driving = (system, tree, options, knot, control, root, check, self._equations, self._pace)
        self._looking = (system, tree, options, knot, control, check, self._equations, self._pace)
        self._rows = 0
        memory = state.memory
        if memory.get("method") == self._label() and memory.get("dt") == dt:
            self._rows = int(memory["rows"])
            for name in Knot._fields:
                getattr(knot, name)[...] = memory[name]
            for name in KEPT:
                getattr(self._pace, name)[...] = memory[f"pace_{name}"]
        else:
            start_pace(*self._looking)

    def advance(self, n_steps: int) -> tuple[int, float]:
        arrays = [*self._knot, *(getattr(self._pace, name) for name in KEPT)]
        kept = [array.copy() for array in arrays]
        status, worst, iterations = advance_until(*self._driving, (self._rows + n_steps) * self._dt)
        if status != CONVERGED:
            turns = self._dt * np.linalg.norm(self._pace.angular[:-1], axis=1)
            for array, before in zip(arrays, kept, strict=True):
                array[...] = before
            raise step_failure(self._model, self._method, status, worst, 0, turns)
        self._rows += n_steps
        return iterations, 0.0

    def run(self, record: Record, first: int, count: int, every: int) -> None:
        for row in range(first, first + count):
            try:
                record.iterations[row], record.constraint_error[row] = self.advance(every)
            except StepFailure as failure:
                failure.steps_done = (row - first) * every
                raise
            self.write(record, row)

    def control(self, joint_force: Floats, external: Floats) -> None:
        if joint_force.any() or external.any():
            raise ModelError(
                "MinimalVI(slow_rate=…): forces from a controller or wrenches act at instants that steps of variable "
                "length do not meet; use a fixed step, slow_rate=None"
            )

    def write(self, record: Record, row: int) -> None:
        at = self._place()
        record.position[row], record.orientation[row] = at.position[:-1], at.orientation[:-1]
        record.velocity[row], record.angular_velocity[row] = at.velocity[:-1], at.angular_velocity[:-1]
        record.coordinates[row] = at.coordinates

    def state(self) -> State:
        at = self._place()
        rates = np.zeros(self._pace.rates.size)
        rates[: self._system.n_v] = self._present()[1]
        memory: dict[str, Any] = {"method": self._label(), "dt": self._dt, "rows": self._rows}
        memory |= {name: array.copy() for name, array in self._knot._asdict().items()}
        memory |= {f"pace_{name}": getattr(self._pace, name).copy() for name in KEPT}
        return State(
            at.position[:-1].copy(),
            at.orientation[:-1].copy(),
            at.velocity[:-1].copy(),
            at.angular_velocity[:-1].copy(),
            at.coordinates.copy(),
            rates,
            memory=memory,
        )

    def _label(self) -> str:
        return f"{self._method.name}, slow_rate {self._method.slow_rate!r}"

    def _place(self) -> Any:
        place(self._system, self._equations, *self._present())
        return self._equations

    def _present(self) -> tuple[Floats, Floats]:
        """(q, v) at the instant of the last row."""
        pace, now = self._pace, self._rows * self._dt
        length = pace.clock[TIME] - pace.clock[BEFORE]
        if length == 0.0:
            return pace.q[1].copy(), pace.v[1].copy()
        x = (now - pace.clock[BEFORE]) / length
        ends, slopes = pace.q.copy(), np.zeros_like(pace.q)
        for joint in self._model.joints.values():
            if joint.in_tree and joint.components and joint.kind.turns_freely:
                # a quaternion and its negative are one turn
                turn = slice(joint.coordinates.stop - 4, joint.coordinates.stop)
                ends[0, turn] *= np.copysign(1.0, ends[0, turn] @ ends[1, turn])
        for k in range(2):
            coordinate_rates(self._system, ends[k], pace.v[k], slopes[k])
        q = _between(x, length, ends, slopes)
        normalize_coordinates(self._system, q)
        return q, _between(x, length, pace.v, pace.a)


def _between(x: float, length: float, ends: Floats, slopes: Floats) -> Floats:
    """The cubic polynomial through two values with their slopes, at the part x of the way."""
    y = 1.0 - x
    found: Any = y * y * ((1.0 + 2.0 * x) * ends[0] + x * length * slopes[0])
    return found + x * x * ((1.0 + 2.0 * y) * ends[1] - y * length * slopes[1])
