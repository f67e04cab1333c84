"""Members of a batch side by side in the lanes of a register, where the mechanism allows it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.integrators.base import Integrator, with_world
from dalembert.integrators.maximal.method import MaximalVI
from dalembert.integrators.needs import needs
from dalembert.integrators.record import Record
from dalembert.model.state import State
from dalembert.run_inputs import check_start, check_support
from dalembert.run_loop import Clock
from dalembert.trajectory import Trajectory

if TYPE_CHECKING:
    from dalembert.model.model import Model


def fits_lanes(model: Model, states: Sequence[State], integrator: Integrator) -> bool:
    """Whether the members can run in lanes: open trees of hinges, sliders, balls and rigid joints under gravity alone.

    Nothing may act on the joints' coordinates, and no member may go on from the memory of a run.
    """
    if not isinstance(integrator, MaximalVI) or integrator.linear_solver not in ("auto", "tree"):
        return False
    system = model.system
    if integrator.initial_velocity != "knot" or system.loop_joint.size or len(states) < 2 or any(needs(model)):
        return False
    if any("dt" in state.memory for state in states):
        return False
    from dalembert.integrators.maximal.tree_plan import GENERAL, SHAPE, make_tree, refusal

    return refusal(system) is None and not (make_tree(system).slot[:-1, SHAPE] == GENERAL).any()


def run_in_lanes(
    model: Model, states: Sequence[State], rows: int, every: int, dt: float, integrator: MaximalVI, threads: int
) -> tuple[list[Trajectory], list[int]]:
    """All members, and which of them cannot be continued to the end."""
    from dalembert._lanes import WIDTH
    from dalembert.integrators.maximal.lane_run import Starts, make_lanes, many_knots, run_lanes
    from dalembert.integrators.maximal.tree_stepper import SOLVER, TreeStepper

    check_support(model, integrator, False)
    gaps = []
    for i, state in enumerate(states):
        try:
            gaps.append(check_start(model, state))
        except DalembertError as error:
            error.args = (f"member {i}: {error}",)
            raise
    steppers: list[TreeStepper] = []
    for _ in range(threads):
        stepper = integrator.start(model, states[0], dt)
        assert isinstance(stepper, TreeStepper)
        steppers.append(stepper)
    members = len(states)
    one = Record.empty(model.system, rows)
    columns: dict[str, Any] = {
        name: np.zeros((members, *array.shape), array.dtype) for name, array in one._asdict().items()
    }
    records, failed = Record(**columns), np.zeros(members, np.int64)
    ends = many_knots(steppers[0].knot, members)
    starts = Starts(
        *(
            np.array([getattr(state, name) for state in states])
            for name in ("position", "orientation", "velocity", "angular_velocity", "coordinates", "rates")
        )
    )
    free = list(steppers)

    def run(first: int) -> None:
        stepper = free.pop()
        system, tree, schedule, knot, _, check = stepper.arguments
        lanes = make_lanes(system, tree)
        last = min(first + WIDTH, members)
        run_lanes(system, tree, schedule, knot, check, lanes, starts, records, ends, failed, first, last, every)
        free.append(stepper)

    with ThreadPoolExecutor(threads) as pool:
        try:
            list(pool.map(run, range(0, members, WIDTH)))
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    records.constraint_error[:, 0] = gaps
    label = steppers[0].label + SOLVER
    runs = []
    for i, state in enumerate(states):
        record = Record(*(column[i] for column in records))
        clock = Clock.at(state, dt)
        memory: dict[str, Any] = {"method": label, "dt": dt}
        memory |= {name: array[i].copy() for name, array in ends._asdict().items()}
        final = clock.stamp(_final(model, record, memory), (rows - 1) * every)
        runs.append(
            Trajectory(
                model=model,
                time=clock.times(rows, every),
                record=record,
                final_state=final,
                dt=dt,
                every=every,
                integrator=integrator.name,
                parameters=dict(integrator.parameters()),
                wall_time=0.0,
            )
        )
    return runs, [int(i) for i in np.flatnonzero(failed)]


def _final(model: Model, record: Record, memory: dict[str, Any]) -> State:
    """The state at the last row of a member."""
    from dalembert.mechanics.kinematics import joint_rates, product_rates

    world = with_world
    position, orientation = (
        world(record.position[-1], (0.0, 0.0, 0.0)),
        world(record.orientation[-1], (1.0, 0.0, 0.0, 0.0)),
    )
    velocity, angular = (world(rows[-1], (0.0, 0.0, 0.0)) for rows in (record.velocity, record.angular_velocity))
    rates = np.zeros(int(model.system.n_rates.sum()))
    joint_rates(model.system, position, orientation, velocity, angular, rates)
    product_rates(model.system, record.coordinates[-1], position, orientation, velocity, angular, rates)
    state = State(
        position[:-1].copy(),
        orientation[:-1].copy(),
        velocity[:-1].copy(),
        angular[:-1].copy(),
        record.coordinates[-1].copy(),
        rates,
    )
    return replace(state, memory=memory)
