"""The time loop."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import AssemblyError, ModelError, SimulationError
from dalembert.integrators.base import Integrator, StepFailure, Stepper
from dalembert.integrators.record import Record
from dalembert.model.state import State
from dalembert.trajectory import Trajectory

if TYPE_CHECKING:
    from dalembert.model.model import Model

Controller = Callable[[float, State], Any]
"""Called at the beginning of every step with the time and the state; returns joint forces by name."""

CHUNK_SECONDS = 0.1
"""About how long the compiled loop runs before Python looks at progress and at Ctrl-C."""


def simulate(
    model: Model,
    state: State | None = None,
    *,
    duration: float,
    dt: float,
    integrator: Integrator,
    controller: Controller | None = None,
    wrenches: Mapping[str, Any] | Callable[[float, State], Mapping[str, Any]] | None = None,
    every: int = 1,
    progress: bool | Callable[[int, int], None] | None = None,
) -> Trajectory:
    """Simulate a model from a state.

    Args:
        model: the mechanism.
        state: where it starts; the reference configuration at rest if not given. The last state of another run
            (``run.final_state``) resumes it with the same bits.
        duration: seconds; a whole number of steps.
        dt: step in seconds.
        integrator: such as ``MaximalVI()``.
        controller: ``controller(time, state)`` gives the forces of actuators at joints, held for one step:
            ``{joint: force}`` with a number, or one for each rate of the joint, in N and N m. ``None`` means no force.
        wrenches: forces and torques on bodies: ``{body: (force, torque)}`` or a function of time and state that gives it.
            The force acts at the centre of mass in world axes (N), the torque is in body axes (N m).
        every: record every n-th step.
        progress: True shows a progress bar; a function is called with steps done and steps in all.

    Returns:
        The `Trajectory`. Interrupted by Ctrl-C, what was recorded so far.

    Raises:
        ModelError: an argument is not meaningful, or the integrator cannot do what the model needs.
        AssemblyError: the state does not fit the joints.
        SimulationError: a step could not be taken; ``error.trajectory`` holds what came before.
    """
    steps = _step_count(duration, dt, every)
    _check_support(model, integrator, controller, wrenches)
    state = model.state() if state is None else state
    _check_start(model, state)
    stepper = integrator.start(model, state, dt)
    rows = steps // every + 1
    record = Record.empty(model.system, rows)
    stepper.write(record, 0)
    record.constraint_error[0] = position_error(model, state)
    loop = _Loop(model, stepper, state.time, dt, every, controller, wrenches)
    began = clock.perf_counter()
    done, failure, interrupted = 1, None, False
    bar = _progress(progress, steps)
    try:
        done = loop.fill(record, rows, bar)
    except StepFailure as problem:
        done, failure = loop.row, problem
    except KeyboardInterrupt:
        done, interrupted = loop.row, True
    finally:
        bar.close()
    if failure is None:
        stepper.finish(record, done - 1)
    final = stepper.state()
    run = Trajectory(
        model=model,
        time=state.time + dt * every * np.arange(done),
        record=record if done == rows else record.first(done),
        final_state=_at_time(final, state.time + dt * loop.steps),
        dt=dt,
        every=every,
        integrator=integrator.name,
        parameters=dict(integrator.parameters()),
        wall_time=clock.perf_counter() - began,
        interrupted=interrupted,
    )
    if failure is not None:
        step = loop.steps + 1
        raise SimulationError(
            failure.reason, time=state.time + step * dt, step=step, worst=failure.worst, trajectory=run
        )
    return run


class _Loop:
    """The run from row to row, in compiled chunks where nothing in Python has to be asked."""

    def __init__(
        self,
        model: Model,
        stepper: Stepper,
        start: float,
        dt: float,
        every: int,
        controller: Controller | None,
        wrenches: Mapping[str, Any] | Callable[[float, State], Mapping[str, Any]] | None,
    ) -> None:
        self._model, self._stepper, self._start, self._dt, self._every = model, stepper, start, dt, every
        self._controller = controller
        self._wrenches = wrenches if callable(wrenches) else None
        self._external = np.zeros((model.n_bodies + 1, 6))
        self._force = np.zeros(int(model.system.n_rates.sum()))
        self.row = 1
        """Rows that are complete."""
        self.steps = 0
        """Steps that are complete."""
        if wrenches is not None and not callable(wrenches):
            self._external[:] = read_wrenches(model, wrenches)
            stepper.control(self._force, self._external)

    def fill(self, record: Record, rows: int, bar: _Bar) -> int:
        each_step = self._controller is not None or self._wrenches is not None
        count = 1
        while self.row < rows:
            count = min(count, rows - self.row)
            began = clock.perf_counter()
            if each_step:
                self._fill_row(record)
            else:
                self._fill_chunk(record, count)
                seconds = clock.perf_counter() - began
                count = max(1, int(count * min(4.0, CHUNK_SECONDS / max(seconds, 1e-6))))
            bar.update(self.steps)
        return self.row

    def _fill_chunk(self, record: Record, count: int) -> None:
        try:
            self._stepper.run(record, self.row, count, self._every)
        except StepFailure as failure:
            self.steps += failure.steps_done
            self.row += failure.steps_done // self._every
            raise
        self.row += count
        self.steps += count * self._every

    def _fill_row(self, record: Record) -> None:
        total, violation = 0, 0.0
        for k in range(self._every):
            self._ask(self._start + self.steps * self._dt)
            iterations, error = self._stepper.advance(1)
            if k == 0:
                self._stepper.write_forces(record, self.row - 1)
            self.steps += 1
            total += iterations
            violation = max(violation, error)
        self._stepper.write(record, self.row)
        record.iterations[self.row] = total
        record.constraint_error[self.row] = violation
        self.row += 1

    def _ask(self, time: float) -> None:
        state = _at_time(self._stepper.state(), time)
        if self._controller is not None:
            self._force[:] = read_joint_forces(self._model, self._controller(time, state))
        if self._wrenches is not None:
            self._external[:] = read_wrenches(self._model, self._wrenches(time, state))
        self._stepper.control(self._force, self._external)


def read_joint_forces(model: Model, forces: Any) -> np.ndarray:
    """Forces on all joint rates from what a controller returned."""
    out = np.zeros(int(model.system.n_rates.sum()))
    if forces is None:
        return out
    if not isinstance(forces, Mapping):
        array = np.asarray(forces, dtype=float)
        if array.shape not in ((model.system.n_v,), out.shape):
            raise ModelError(
                f"controller: expected {{joint: force}} or {model.system.n_v} numbers, one for each rate of the "
                f"spanning tree, found an array of shape {array.shape}"
            )
        out[: array.size] = array
    else:
        for name, value in forces.items():
            rates = model.joints[_known_joint(model, name)].rates
            values = np.atleast_1d(np.asarray(value, dtype=float))
            if values.shape != (rates.stop - rates.start,):
                raise ModelError(
                    f'controller, joint "{name}": expected {rates.stop - rates.start} numbers, found {value!r}'
                )
            out[rates] = values
    if not np.all(np.isfinite(out)):
        raise ModelError(f"controller: expected finite forces, found {forces!r}")
    return out


def read_wrenches(model: Model, wrenches: Mapping[str, Any]) -> np.ndarray:
    """(n + 1, 6) wrenches from ``{body: (force, torque)}``."""
    out = np.zeros((model.n_bodies + 1, 6))
    for name, value in wrenches.items():
        parts = np.asarray(value, dtype=float).reshape(-1)
        if parts.shape != (6,) or not np.all(np.isfinite(parts)):
            raise ModelError(f'wrenches, body "{name}": expected (force, torque), six finite numbers, found {value!r}')
        out[model.body_index(name)] = parts
    return out


def position_error(model: Model, state: State) -> float:
    """The largest violation of a position constraint, m or rad."""
    from dalembert.mechanics.assembly import violations

    return violations(model, state)[0]


def _known_joint(model: Model, name: str) -> str:
    model.joint_index(name)
    return name


def _at_time(state: State, time: float) -> State:
    from dataclasses import replace

    return replace(state, time=time)


def _step_count(duration: float, dt: float, every: int) -> int:
    if not (np.isfinite(dt) and dt > 0.0):
        raise ModelError(f"dt: expected a positive number of seconds, found {dt!r}")
    if not (np.isfinite(duration) and duration >= 0.0):
        raise ModelError(f"duration: expected seconds, zero or more, found {duration!r}")
    if int(every) != every or every < 1:
        raise ModelError(f"every: expected a whole number of steps from 1, found {every!r}")
    steps = round(duration / dt)
    if abs(steps * dt - duration) > 1e-6 * dt * max(1, steps):
        raise ModelError(
            f"duration: expected a whole number of steps of dt = {dt!r} s, found {duration!r} s; "
            f"take {steps * dt:.12g} s or another dt"
        )
    if steps % every:
        raise ModelError(f"every: expected a divisor of the {steps} steps of the run, found {every}")
    return steps


def _check_support(model: Model, integrator: Integrator, controller: Any, wrenches: Any) -> None:
    from dalembert.integrators.needs import missing_support

    problem = missing_support(model, integrator, controller is not None or wrenches is not None)
    if problem:
        raise ModelError(problem)


def _check_start(model: Model, state: State) -> None:
    from dalembert.mechanics.assembly import violations

    for array, what in (
        (state.position, "position"),
        (state.orientation, "orientation"),
        (state.velocity, "velocity"),
        (state.angular_velocity, "angular velocity"),
    ):
        bad = np.flatnonzero(~np.isfinite(array).all(axis=1))
        if bad.size:
            raise ModelError(
                f'{what} of body "{list(model.bodies)[bad[0]]}": expected finite numbers, found {array[bad[0]]}'
            )
    gap, joint, slip, slipping = violations(model, state)
    if gap > 1e-6:
        raise AssemblyError(
            f'joint "{joint}" is open by {gap:.3g} (m or rad) at the start; close it with model.assemble(state)',
            residual=gap,
            worst=joint,
        )
    if slip > 1e-6:
        raise AssemblyError(
            f'the velocities at the start tear joint "{slipping}" apart by {slip:.3g} (m/s or rad/s); '
            "make them fit with model.assemble(state)",
            residual=slip,
            worst=slipping,
        )


class _Bar:
    """No progress is shown."""

    def update(self, steps: int) -> None:
        """``steps`` are done."""

    def close(self) -> None:
        """The run is over."""


class _Call(_Bar):
    def __init__(self, function: Callable[[int, int], None], total: int) -> None:
        self._function, self._total = function, total

    def update(self, steps: int) -> None:
        self._function(steps, self._total)


class _Tqdm(_Bar):
    def __init__(self, total: int) -> None:
        from tqdm import tqdm

        self._bar = tqdm(total=total, unit="step", leave=False)

    def update(self, steps: int) -> None:
        self._bar.update(steps - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def _progress(progress: bool | Callable[[int, int], None] | None, total: int) -> _Bar:
    if callable(progress):
        return _Call(progress, total)
    return _Tqdm(total) if progress else _Bar()
