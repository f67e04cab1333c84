"""How a compiled law drives the joints from inside the loop over steps.

At every knot a driver writes the knot into a record of one row, calls `ask`, and takes one step with the forces that
came of it: what `simulate` does in Python for other controllers, in the same order and with the same bits.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert._laws import Motion, call_law
from dalembert.integrators.base import LawFailure
from dalembert.integrators.record import Record
from dalembert.mechanics.kinematics import joint_rates, product_rates
from dalembert.model.state import with_world
from dalembert.model.system import Floats, Integers

if TYPE_CHECKING:
    from dalembert.model.model import Model

ANSWERED: Final = 0
RAISED: Final = 200
"""Status: the law raised an exception."""
ENDLESS: Final = 201
"""Status: the law gave a force that is not finite."""

ROW: Final = 0
STEP: Final = 1
ASKED: Final = 2
SPENT: Final = 3
"""Columns of `Port.progress`: complete rows, complete steps of the row at hand, whether its next step has its forces,
and its Newton iterations."""


class Port(NamedTuple):
    """A law and what goes back and forth between it and a driver."""

    address: Integers
    """(1,) of the machine code."""
    clock: Floats
    """(2,) where time began and the step, s."""
    steps: Integers
    """(1,) complete steps since time began."""
    poses: tuple[Floats, Floats, Floats, Floats]
    """The arrays behind the first four of ``motion``, with the world's row."""
    motion: Motion
    parameters: Floats
    memory: Floats
    force: Floats
    """(rates of all joints,) N and N m."""
    progress: Integers
    """(4,) how far the call has come."""
    violation: Floats
    """(1,) the largest of a constraint in the row at hand."""
    scratch: Record
    """One row."""


class Inside(NamedTuple):
    """A law as `simulate` hands it to a stepper."""

    address: int
    parameters: Floats
    memory: Floats
    origin: float
    """Where time began, s."""
    before: int
    """Steps since then."""


def make_port(model: Model, inside: Inside, dt: float) -> Port:
    """The port of a run. The law's parameters and memory are not copied."""
    system = model.system
    poses = with_world(model.n_bodies)
    coordinates, rates = np.zeros(int(system.n_coordinates.sum())), np.zeros(int(system.n_rates.sum()))
    return Port(
        address=np.array([inside.address], dtype=np.int64),
        clock=np.array([inside.origin, dt]),
        steps=np.array([inside.before], dtype=np.int64),
        poses=poses,
        motion=Motion(poses[0][:-1], poses[1][:-1], poses[2][:-1], poses[3][:-1], coordinates, rates),
        parameters=inside.parameters,
        memory=inside.memory,
        force=np.zeros(rates.size),
        progress=np.zeros(4, dtype=np.int64),
        violation=np.zeros(1),
        scratch=Record.empty(system, 1, len(model.contacts)),
    )


def steps_done(port: Port, status: int, every: int) -> int:
    """Complete steps of a call that ended early; raises `LawFailure` if it was the law that ended it."""
    done = int(port.progress[ROW] * every + port.progress[STEP])
    if status in (RAISED, ENDLESS):
        raise LawFailure(status == RAISED, done)
    return done


def begin_rows(port: Port) -> None:
    """Before a call that fills rows."""
    port.progress[:], port.violation[:] = 0, 0.0


@kernel
def ask(system, port, joint_force):
    """Call the law about the knot in ``port.scratch`` and set ``joint_force``; ANSWERED, RAISED or ENDLESS."""
    seen, motion = port.scratch, port.motion
    position, orientation, velocity, angular_velocity = port.poses
    for i in range(seen.position.shape[1]):
        for k in range(3):
            position[i, k] = seen.position[0, i, k]
            velocity[i, k] = seen.velocity[0, i, k]
            angular_velocity[i, k] = seen.angular_velocity[0, i, k]
        for k in range(4):
            orientation[i, k] = seen.orientation[0, i, k]
    for k in range(motion.coordinates.size):
        motion.coordinates[k] = seen.coordinates[0, k]
    joint_rates(system, position, orientation, velocity, angular_velocity, motion.rates)
    product_rates(system, motion.coordinates, position, orientation, velocity, angular_velocity, motion.rates)
    return ask_law(port, joint_force)


@kernel
def ask_law(port, joint_force):
    """`ask` when ``port.motion`` is there already."""
    for k in range(port.force.size):
        port.force[k] = 0.0
    time = port.clock[0] + port.clock[1] * port.steps[0]
    if call_law(port.address[0], time, port.motion, port.parameters, port.memory, port.force) != 0:
        return RAISED
    for k in range(port.force.size):
        if not isfinite(port.force[k]):
            return ENDLESS
    for k in range(joint_force.size):
        joint_force[k] = port.force[k]
    port.progress[ASKED] = 1
    return ANSWERED


@kernel
def count_step(port, iterations, violation):
    """A step has been taken."""
    port.progress[STEP] += 1
    port.progress[ASKED] = 0
    port.progress[SPENT] += iterations
    port.steps[0] += 1
    port.violation[0] = max(port.violation[0], violation)


@kernel
def finish_row(port, record, first):
    """The row at hand is complete."""
    row = first + port.progress[ROW]
    record.iterations[row] = port.progress[SPENT]
    record.constraint_error[row] = port.violation[0]
    port.progress[ROW] += 1
    port.progress[STEP] = 0
    port.progress[SPENT] = 0
    port.violation[0] = 0.0
