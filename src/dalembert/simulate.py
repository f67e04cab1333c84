"""The time loop, as users call it."""

from __future__ import annotations

import time as stopwatch
from typing import TYPE_CHECKING

import numpy as np

from dalembert.errors import SimulationError
from dalembert.integrators.base import Integrator, StepFailure
from dalembert.integrators.record import Record
from dalembert.run_inputs import Controller, Wrenches, check_start, check_support, step_count
from dalembert.run_loop import Clock, Loop
from dalembert.run_progress import CtrlC, Progress, progress_bar
from dalembert.trajectory import Trajectory

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State


def simulate(
    model: Model,
    state: State | None = None,
    *,
    duration: float,
    dt: float,
    integrator: Integrator,
    controller: Controller | None = None,
    wrenches: Wrenches | None = None,
    every: int = 1,
    progress: Progress = None,
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
            Where a joint stands: ``state.coordinates[model.joints["elbow"].coordinates]``; how it moves:
            ``state.rates[model.joints["elbow"].rates]``.
        wrenches: forces and torques on bodies: ``{body: (force, torque)}`` or a function of time and state that gives
            it. The force acts at the centre of mass in world axes (N), the torque is in body axes (N m).
        every: record every n-th step.
        progress: True shows a progress bar; a function is called with steps done and steps in all.

    Returns:
        The `Trajectory`. Interrupted by Ctrl-C, what there is so far: ``interrupted`` is set, ``final_state`` resumes.

    Raises:
        ModelError: an argument is not meaningful, or the integrator cannot do what the model needs.
        AssemblyError: the state does not fit the joints.
        SimulationError: a step could not be taken; ``error.trajectory`` holds what came before.
    """
    steps = step_count(duration, dt, every)
    dt, every = float(dt), int(every)
    forced = controller is not None or wrenches is not None
    check_support(model, integrator, forced)
    state = model.state() if state is None else state
    gap = check_start(model, state)
    began = stopwatch.perf_counter()
    clock = Clock.at(state, dt)
    rows = steps // every + 1
    record = Record.empty(model.system, rows, len(model.contacts))
    if "reactions" not in integrator.supports:
        record.multiplier[:] = np.nan
    failure, interrupted = None, False
    with CtrlC() as ctrl_c:
        stepper = integrator.start(model, state, dt)
        stepper.write(record, 0)
        record.constraint_error[0] = gap
        loop = Loop(model, stepper, clock, every, controller, wrenches)
        bar = progress_bar(progress, steps)
        try:
            loop.fill(record, rows, bar, ctrl_c)
        except StepFailure as problem:
            failure = problem
        except KeyboardInterrupt:
            if loop.stepping:
                raise
            interrupted = True
        finally:
            bar.close()
        done = loop.row
        if loop.steps == (done - 1) * every:
            # the last row waits for the forces that the step after it would tell
            if failure is None:
                stepper.finish(record, done - 1)
            else:
                record.multiplier[done - 1] = np.nan
        final = clock.stamp(stepper.state(), loop.steps)
    run = Trajectory(
        model=model,
        time=clock.times(done, every),
        record=record if done == rows else record.first(done),
        final_state=final,
        dt=dt,
        every=every,
        integrator=integrator.name,
        parameters=dict(integrator.parameters()),
        wall_time=stopwatch.perf_counter() - began,
        interrupted=interrupted,
        forced=forced,
    )
    if failure is None:
        return run
    step = loop.steps + 1
    raise SimulationError(
        failure.reason, time=clock.time(step), step=step, worst=failure.worst, trajectory=run
    ) from None
