"""Ctrl-C: a run that is stopped returns what it has, usable and ready to go on with the same bits."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.zoo import ZOO

OPTIONS: dict[str, Any] = {"dt": 0.01, "integrator": da.MaximalVI()}


@pytest.fixture(autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """A shell starts what it runs in the background deaf to Ctrl-C; here it is what it is in the foreground."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def double_pendulum() -> tuple[da.Model, da.State]:
    model = ZOO["double_pendulum"].build()
    return model, model.state(positions={"joint1": 0.7}, velocities={"joint2": -0.5})


def raising_at(step: int, how: Callable[[], None]) -> Callable[[int, int], None]:
    def progress(done: int, total: int) -> None:
        if done >= step:
            how()

    return progress


def interrupt() -> None:
    raise KeyboardInterrupt


def send_signal() -> None:
    signal.raise_signal(signal.SIGINT)


def check_resumes(part: da.Trajectory, whole: da.Trajectory, **options: Any) -> None:
    """``part`` is the beginning of ``whole`` and goes on as it did."""
    n, every = len(part), part.every
    assert part.interrupted
    assert np.array_equal(part.time, whole.time[:n])
    for name in ("position", "orientation", "velocity", "angular_velocity", "coordinates", "multiplier"):
        assert np.array_equal(getattr(part.record, name), getattr(whole.record, name)[:n]), name
    assert np.isfinite(part.energy).all()
    assert "(interrupted)" in part.report()
    left = round((whole.time[-1] - part.final_state.time) / 0.01)
    rest = da.simulate(part.model, part.final_state, duration=left * 0.01, every=1, **OPTIONS, **options)
    assert np.array_equal(rest.position[-1], whole.position[-1])
    assert np.array_equal(rest.velocity[-1], whole.velocity[-1])
    assert rest.time[-1] == whole.time[-1]
    assert every == whole.every


@pytest.mark.parametrize("how", [interrupt, send_signal])
@pytest.mark.parametrize("every", [1, 5])
def test_a_stop_between_chunks(how: Callable[[], None], every: int) -> None:
    model, start = double_pendulum()
    whole = da.simulate(model, start, duration=20.0, every=every, **OPTIONS)
    part = da.simulate(model, start, duration=20.0, every=every, progress=raising_at(5 * every, how), **OPTIONS)
    assert 1 < len(part) < len(whole)
    check_resumes(part, whole)


@pytest.mark.parametrize("how", [interrupt, send_signal])
@pytest.mark.parametrize("stop", [0, 7, 10, 13])
def test_a_stop_in_the_controller_even_between_two_rows(how: Callable[[], None], stop: int) -> None:
    model, start = double_pendulum()
    calls = 0

    def torque(time: float) -> dict[str, float]:
        return {"joint2": 0.3 * np.sin(5.0 * time)}

    def stopping(time: float, state: da.State) -> dict[str, float]:
        nonlocal calls
        calls += 1
        if calls == stop + 1:
            how()
        return torque(time)

    whole = da.simulate(model, start, duration=0.4, every=5, controller=lambda t, s: torque(t), **OPTIONS)
    part = da.simulate(model, start, duration=0.4, every=5, controller=stopping, **OPTIONS)
    # a signal is noted and takes effect after the step that the controller was asked for
    steps = stop + (how is send_signal)
    assert part.final_state.time == 0.01 * steps
    assert len(part) == steps // 5 + 1
    n = len(part)
    assert np.array_equal(part.position, whole.position[:n])
    left = 40 - steps
    rest = da.simulate(model, part.final_state, duration=left * 0.01, controller=lambda t, s: torque(t), **OPTIONS)
    assert np.array_equal(rest.position[-1], whole.position[-1])
    assert np.array_equal(rest.time[-1], whole.time[-1])


def test_afterwards_ctrl_c_is_what_it_was() -> None:
    model, start = double_pendulum()
    before = signal.getsignal(signal.SIGINT)
    part = da.simulate(model, start, duration=5.0, progress=raising_at(1, send_signal), **OPTIONS)
    assert part.interrupted
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        send_signal()


def test_a_program_with_a_handler_of_its_own_keeps_it() -> None:
    model, start = double_pendulum()
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        run = da.simulate(model, start, duration=1.0, progress=raising_at(1, send_signal), **OPTIONS)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard and not run.interrupted and len(run) == 101


PROGRAM = """
import sys
import dalembert as da
from dalembert.zoo import ZOO
model = ZOO["n_four_bar"].build()
start = ZOO["n_four_bar"].start(model)
options = {"dt": 1e-3, "integrator": da.MaximalVI()}
da.simulate(model, start, duration=0.01, **options)
print("ready", flush=True)
run = da.simulate(model, start, duration=2000.0, every=100, **options)
run.save(sys.argv[1])
print(run.interrupted, len(run), flush=True)
"""


def test_a_signal_from_outside(tmp_path: Path) -> None:
    """A long compiled run in another process, stopped as Ctrl-C does, saves what it has and goes on elsewhere."""
    path = tmp_path / "run.npz"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        answer, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0
    interrupted, rows = answer.split()
    assert interrupted == "True"
    run = da.load_run(path)
    assert len(run) == int(rows) > 1
    assert run.constraint_error.max() < 1e-10
    assert run.final_state.time == run.time[-1]
    rest = da.simulate(run.model, run.final_state, duration=0.1, dt=1e-3, every=100, integrator=da.MaximalVI())
    assert np.array_equal(rest.position[0], run.position[-1])
