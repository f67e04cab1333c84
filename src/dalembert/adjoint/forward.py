"""The run that a gradient is taken of: the integrator's own stepper with a tape."""

from __future__ import annotations

import time as stopwatch
from typing import TYPE_CHECKING

import numpy as np

from dalembert._jit import kernel
from dalembert.errors import SimulationError
from dalembert.integrators.base import StepFailure
from dalembert.integrators.implicit.method import ImplicitIntegrator
from dalembert.integrators.implicit.stepper import ImplicitStepper
from dalembert.integrators.implicit.tape import Tape
from dalembert.integrators.record import Record
from dalembert.mechanics.kinematics import move_bodies, place_bodies
from dalembert.model.state import with_world
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import row4, set_row4
from dalembert.spatial.vector import row3, set_row3
from dalembert.trajectory import Trajectory

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State


class DrivenRun(Trajectory):
    """A `Trajectory` that knows what drove it."""

    joint_force: Floats
    """(N, rates of all joints) drives, held for each step; N and N m."""
    knot_rates: Floats
    """(N + 1, n_v) minimal rates, to the last bit as the integrator had them."""
    start: State
    """Where it started."""


def run_on_tape(
    model: Model, state: State, joint_force: Floats, dt: float, integrator: ImplicitIntegrator
) -> tuple[DrivenRun, Tape]:
    """Run from a state, one step for each row of ``joint_force``."""
    began = stopwatch.perf_counter()
    stepper = integrator.start(model, state, dt)
    assert isinstance(stepper, ImplicitStepper)
    failure = None
    try:
        stepper.advance_on_tape(joint_force)
    except StepFailure as problem:
        failure = problem
    tape = stepper.tape
    rows = int(tape.done[0]) + 1
    record = Record.empty(model.system, rows)
    record.multiplier[:] = np.nan
    record.coordinates[:] = tape.coordinates[:rows]
    record.constraint_error[1:], record.iterations[1:] = tape.gap[: rows - 1], tape.iterations[: rows - 1]
    place_rows(
        model.system,
        tape.q,
        tape.v,
        with_world(model.n_bodies),
        record.position,
        record.orientation,
        record.velocity,
        record.angular_velocity,
    )
    run = DrivenRun(
        model=model,
        time=np.asarray(state.time + dt * np.arange(rows), dtype=np.float64),
        record=record,
        final_state=stepper.state(),
        dt=dt,
        every=1,
        integrator=integrator.name,
        parameters=dict(integrator.parameters()),
        wall_time=stopwatch.perf_counter() - began,
        forced=bool(joint_force.any()),
    )
    run.joint_force, run.knot_rates, run.start = joint_force, tape.v[:rows], state
    if failure is None:
        return run, tape
    raise SimulationError(
        failure.reason, time=state.time + dt * rows, step=rows, worst=failure.worst, trajectory=run
    ) from None


@kernel
def place_rows(system, q, v, bodies, position, orientation, velocity, angular_velocity):
    """Poses and velocities of all bodies at as many knots as ``position`` has rows; ``bodies`` is scratch."""
    x, turn, xdot, omega = bodies
    for s in range(position.shape[0]):
        place_bodies(system, q[s], x, turn)
        move_bodies(system, q[s], v[s], x, turn, xdot, omega)
        for i in range(position.shape[1]):
            set_row3(position[s], i, row3(x, i))
            set_row4(orientation[s], i, row4(turn, i))
            set_row3(velocity[s], i, row3(xdot, i))
            set_row3(angular_velocity[s], i, row3(omega, i))
