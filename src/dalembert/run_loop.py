"""The run from row to row, in compiled chunks where nothing in Python has to be asked."""

from __future__ import annotations

import time as stopwatch
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dalembert.compiled_controller import compiled_part
from dalembert.errors import ModelError
from dalembert.integrators.base import LawFailure, StepFailure, Stepper
from dalembert.integrators.port import Inside
from dalembert.integrators.record import Record
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.run_inputs import Controller, Wrenches, read_joint_forces, read_wrenches
from dalembert.run_progress import Bar, CtrlC

if TYPE_CHECKING:
    from dalembert.integrators.port import Port
    from dalembert.model.model import Model

CHUNK_SECONDS = 0.1
"""About how long the compiled loop runs before Python looks at progress and at Ctrl-C."""


@dataclass(frozen=True)
class Clock:
    """Times as origin + dt · steps, counted on from the run that is resumed: no rounding adds up, and a controller sees
    the same bits as in one long run."""

    origin: float
    before: int
    dt: float

    @staticmethod
    def at(state: State, dt: float) -> Clock:
        """The clock of a run that starts or resumes from a state."""
        memory = state.memory
        clock = Clock(float(memory.get("clock_origin", 0.0)), int(memory.get("clock_steps", 0)), dt)
        going_on = memory.get("clock_dt") == dt and clock.time(0) == state.time
        return clock if going_on else Clock(state.time, 0, dt)

    def time(self, steps: int) -> float:
        """Seconds after ``steps`` more steps."""
        return self.origin + self.dt * (self.before + steps)

    def times(self, rows: int, every: int) -> Floats:
        """(rows,) the recorded instants."""
        return self.origin + self.dt * (self.before + every * np.arange(rows, dtype=np.float64))

    def stamp(self, state: State, steps: int) -> State:
        """The state with its time, and what is needed to count on from it."""
        going_on = {"clock_origin": self.origin, "clock_steps": self.before + steps, "clock_dt": self.dt}
        return replace(state, time=self.time(steps), memory={**state.memory, **going_on})


class Loop:
    """Steps and recorded rows of a run."""

    def __init__(
        self,
        model: Model,
        stepper: Stepper,
        clock: Clock,
        every: int,
        controller: Controller | None,
        wrenches: Wrenches | None,
    ) -> None:
        self._model, self._stepper, self._clock, self._every = model, stepper, clock, every
        self._controller = controller
        self._wrenches = wrenches if callable(wrenches) else None
        self._compiled = compiled_part(controller)
        self._port = self._make_port() if self._wrenches is None else None
        self._external = np.zeros((model.n_bodies + 1, 6))
        self._force = np.zeros(int(model.system.n_rates.sum()))
        self.row = 1
        """Rows that are complete."""
        self.steps = 0
        """Steps that are complete."""
        self.stepping = False
        """Whether a step has begun and not ended: the stepper and the counts may then disagree."""
        if wrenches is not None and not callable(wrenches):
            self._external[:] = read_wrenches(model, wrenches, clock.time(0))
            stepper.control(self._force, self._external)

    def fill(self, record: Record, rows: int, bar: Bar, ctrl_c: CtrlC) -> None:
        """Complete all rows. What stops it early leaves `row` and `steps` at what was complete."""
        each_step = (self._controller is not None and self._port is None) or self._wrenches is not None
        count = 1
        while self.row < rows:
            ctrl_c.check()
            count = min(count, rows - self.row)
            began = stopwatch.perf_counter()
            if each_step:
                self._fill_row(record, ctrl_c)
            else:
                self._fill_chunk(record, count)
                seconds = stopwatch.perf_counter() - began
                count = max(1, int(count * min(4.0, CHUNK_SECONDS / max(seconds, 1e-6))))
            bar.update(self.steps)

    def _fill_chunk(self, record: Record, count: int) -> None:
        self.stepping = True
        try:
            if self._port is None:
                self._stepper.run(record, self.row, count, self._every)
            else:
                self._stepper.run_inside(self._port, record, self.row, count, self._every)
        except (StepFailure, LawFailure) as failure:
            self.steps += failure.steps_done
            self.row += failure.steps_done // self._every
            if isinstance(failure, LawFailure):
                self._blame(failure)
            raise
        self.row += count
        self.steps += count * self._every
        self.stepping = False

    def _fill_row(self, record: Record, ctrl_c: CtrlC) -> None:
        total, violation = 0, 0.0
        for k in range(self._every):
            ctrl_c.check()
            self._ask(self._clock.time(self.steps))
            self.stepping = True
            iterations, error = self._stepper.advance(1)
            if k == 0:
                self._stepper.write_forces(record, self.row - 1)
            self.steps += 1
            self.stepping = False
            total += iterations
            violation = max(violation, error)
        self._stepper.write(record, self.row)
        record.iterations[self.row] = total
        record.constraint_error[self.row] = violation
        self.row += 1

    def _make_port(self) -> Port | None:
        """The port of a compiled controller, where the stepper has one."""
        found = self._compiled
        address = None if found is None else found.law.address
        if found is None or address is None:
            return None
        clock = self._clock
        return self._stepper.admit(Inside(address, found.parameters, found.memory, clock.origin, clock.before))

    def _blame(self, failure: LawFailure) -> None:
        """Raise what a compiled controller raised, or say that its force is not finite."""
        assert self._port is not None
        assert self._compiled is not None
        port, time = self._port, self._clock.time(self.steps)
        if failure.raised:
            # machine code keeps its exception to itself: ask again from Python
            self._compiled.law.callable(time, port.motion, port.parameters, port.memory, port.force)
        raise ModelError(f"controller at t = {time:.9g} s: expected finite forces, found {port.force}") from None

    def _ask(self, time: float) -> None:
        state = self._clock.stamp(self._stepper.state(), self.steps)
        if self._controller is not None:
            self._force[:] = read_joint_forces(self._model, self._controller(time, state), time)
        if self._wrenches is not None:
            self._external[:] = read_wrenches(self._model, self._wrenches(time, state), time)
        self._stepper.control(self._force, self._external)
