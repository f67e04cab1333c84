"""`simulate`: what is recorded, who is asked when, and how a run goes on."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.zoo import ZOO

VI = da.MaximalVI()


def swinging() -> tuple[da.Model, da.State]:
    model = ZOO["double_pendulum"].build()
    return model, model.state(positions={"joint1": 0.7}, velocities={"joint2": -0.5})


@pytest.mark.parametrize("solver", ["graph", "tree"])
def test_rows_of_a_coarse_recording_are_rows_of_the_fine_one(solver: Any) -> None:
    model, start = swinging()
    method = da.MaximalVI(linear_solver=solver)
    fine = da.simulate(model, start, duration=0.6, dt=0.01, integrator=method)
    coarse = da.simulate(model, start, duration=0.6, dt=0.01, integrator=method, every=5)
    assert len(fine) == 61 and len(coarse) == 13
    assert np.array_equal(fine.time[::5], coarse.time)
    for name in ("position", "orientation", "velocity", "angular_velocity", "coordinates", "multiplier"):
        assert np.array_equal(getattr(fine.record, name)[::5], getattr(coarse.record, name)), name
    # what is counted between two instants is summed, what is worst is the worst
    assert np.array_equal(fine.iterations[1:].reshape(-1, 5).sum(axis=1), coarse.iterations[1:])
    if solver == "graph":
        assert np.array_equal(fine.constraint_error[1:].reshape(-1, 5).max(axis=1), coarse.constraint_error[1:])
    else:
        # joints are exact by construction: only the rounding of poses is seen, where they are computed
        assert max(fine.constraint_error.max(), coarse.constraint_error.max()) < 1e-14


@pytest.mark.parametrize("solver", ["graph", "tree"])
def test_a_controller_that_does_nothing_changes_no_bit(solver: Any) -> None:
    """The loop through Python and the compiled loop are one."""
    model, start = swinging()
    options: dict[str, Any] = {"dt": 0.01, "every": 4, "integrator": da.MaximalVI(linear_solver=solver)}
    plain = da.simulate(model, start, duration=0.4, **options)
    asked = da.simulate(model, start, duration=0.4, **options, controller=lambda t, s: None)
    for name, column in plain.record._asdict().items():
        if solver == "graph" or name != "constraint_error":
            assert np.array_equal(column, getattr(asked.record, name)), name
    assert (plain.forced, asked.forced) == (False, True)


def test_no_steps_at_all() -> None:
    model, start = swinging()
    run = da.simulate(model, start, duration=0.0, dt=0.01, integrator=VI)
    assert len(run) == 1
    assert np.array_equal(run.position[0], start.position)
    # the velocities are projected onto the constraints: rounding of numbers of order one
    assert np.abs(run.velocity[0] - start.velocity).max() < 1e-14


@pytest.mark.parametrize("dt", [1 / 3, 0.1, 1e-3, 1 / 300, 0.7 / 7])
def test_a_duration_counts_as_whole_within_rounding(dt: float) -> None:
    model, steps = swinging()[0], 21
    run = da.simulate(model, duration=steps * dt, dt=dt, integrator=VI, every=7)
    assert len(run) == 4
    assert abs(run.time[-1] - steps * dt) < 1e-15 * steps


def test_times_are_counted_not_added() -> None:
    """A hundred resumed runs of one step give the clock and the bits of one run."""
    model, start = swinging()
    whole = da.simulate(model, start, duration=1.0, dt=0.01, integrator=VI)
    state = start
    for k in range(100):
        state = da.simulate(model, state, duration=0.01, dt=0.01, integrator=VI).final_state
        assert state.time == whole.time[k + 1]
    assert np.array_equal(state.position, whole.position[-1])
    # a step of another length starts a new count, and the velocities start a new history
    other = da.simulate(model, state, duration=0.02, dt=0.02, integrator=VI)
    assert other.time.tolist() == [state.time, state.time + 0.02]


def test_a_controller_sees_every_step_and_the_true_state() -> None:
    model, start = swinging()
    seen: list[tuple[float, da.State]] = []

    def watch(time: float, state: da.State) -> dict[str, float]:
        seen.append((time, state))
        return {"joint2": 0.3 * np.sin(5 * time)}

    run = da.simulate(model, start, duration=0.2, dt=0.01, integrator=VI, controller=watch)
    assert [time for time, _ in seen] == run.time[:-1].tolist()
    for k, (time, state) in enumerate(seen):
        assert state.time == time
        assert np.array_equal(state.position, run.position[k])
        assert np.array_equal(state.coordinates, run.coordinates[k])
        assert np.array_equal(state.rates[model.joints["joint1"].rates], run.rates[k][model.joints["joint1"].rates])


def test_three_ways_to_say_a_force_are_one() -> None:
    model, start = swinging()
    runs = [
        da.simulate(model, start, duration=0.1, dt=0.01, integrator=VI, controller=lambda t, s, out=out: out)
        for out in ({"joint1": 0.5, "joint2": -0.25}, np.array([0.5, -0.25]), {"joint2": [-0.25], "joint1": (0.5,)})
    ]
    for run in runs[1:]:
        assert np.array_equal(run.position, runs[0].position)
    free = da.simulate(model, start, duration=0.1, dt=0.01, integrator=VI)
    assert np.abs(free.position - runs[0].position).max() > 1e-3


def test_a_joint_torque_is_a_pair_of_wrenches() -> None:
    """A torque in a hinge about y acts on the child as it stands and on the parent with the opposite sign."""
    model, start = swinging()
    by_joint = da.simulate(model, start, duration=0.2, dt=0.01, integrator=VI, controller=lambda t, s: {"joint2": 0.4})
    # the rods' second axis stays the world's y: the torque has the same components in body axes
    pair = {"link1": ((0, 0, 0), (0, -0.4, 0)), "link2": ((0, 0, 0), (0, 0.4, 0))}
    by_wrenches = da.simulate(model, start, duration=0.2, dt=0.01, integrator=VI, wrenches=pair)
    asked = da.simulate(model, start, duration=0.2, dt=0.01, integrator=VI, wrenches=lambda t, s: pair)
    assert np.abs(by_joint.position - by_wrenches.position).max() < 1e-12
    assert np.array_equal(by_wrenches.position, asked.position)


def test_progress_counts_up_to_all_steps() -> None:
    model, start = swinging()
    calls: list[tuple[int, int]] = []
    da.simulate(model, start, duration=2.0, dt=0.01, integrator=VI, progress=lambda k, n: calls.append((k, n)))
    done = [k for k, _ in calls]
    assert done == sorted(set(done)) and done[-1] == 200
    assert {total for _, total in calls} == {200}


def test_a_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    model, start = swinging()
    da.simulate(model, start, duration=0.1, dt=0.01, integrator=VI, progress=True)
    assert "step" in capsys.readouterr().err


def test_threads_may_simulate() -> None:
    """Signals belong to the main thread; another one runs without them and to the same bits."""
    model, start = swinging()
    runs: list[da.Trajectory] = []
    arguments: dict[str, Any] = {"duration": 0.2, "dt": 0.01, "integrator": VI}
    thread = threading.Thread(target=lambda: runs.append(da.simulate(model, start, **arguments)))
    thread.start()
    thread.join()
    assert np.array_equal(runs[0].position, da.simulate(model, start, **arguments).position)


MEMORY = """
import tracemalloc
import dalembert as da
from dalembert.zoo import ZOO
model = ZOO["double_pendulum"].build()
start = model.state(positions={"joint1": 0.7})
options = {"dt": 1e-4, "integrator": da.MaximalVI(), "every": EVERY}
da.simulate(model, start, duration=1e-4 * EVERY, **options)
tracemalloc.start()
run = da.simulate(model, start, duration=1e-4 * STEPS, **options)
kept, peak = tracemalloc.get_traced_memory()
print(sum(column.nbytes for column in run.record) + run.time.nbytes, peak)
"""


@pytest.mark.compiled
def test_memory_is_what_is_recorded() -> None:
    """A million steps with every thousandth kept: the peak is the record and what one step needs."""
    program = MEMORY.replace("EVERY", "1000").replace("STEPS", "1_000_000")
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300)
    recorded, peak = (int(word) for word in answer.stdout.split())
    # 1001 rows of 2 bodies: about 0.3 MB; a full recording would take 300 MB
    assert 200_000 < recorded < 500_000
    # the workspace of a step, Python objects of the model's maps and of progress
    assert peak < recorded + 300_000
