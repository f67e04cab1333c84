"""The report's numbers are those of the run, and its words are fair."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.report import energy_drift
from dalembert.zoo import ZOO


def simulated(name: str = "double_pendulum", **changes: Any) -> da.Trajectory:
    model = ZOO[name].build()
    arguments: dict[str, Any] = {"duration": 4.0, "dt": 0.01, "integrator": da.MaximalVI()}
    return da.simulate(model, ZOO[name].start(model), **(arguments | changes))


def number(text: str, pattern: str) -> float:
    found = re.search(pattern, text)
    assert found is not None, text
    return float(found.group(1))


NUMBER = r"(-?[\d.]+(?:e[+-]?\d+)?)"


def test_the_numbers() -> None:
    run = simulated(every=4)
    text = run.report()
    lines = text.splitlines()
    assert lines[0] == "MaximalVI, 400 steps of 0.01 s to t = 4 s"
    assert "2 bodies, 2 joints, no loops" in lines[1]
    # three digits are printed
    assert number(text, rf"band {NUMBER} J") == pytest.approx(np.ptp(run.energy), rel=5e-3)
    moving = run.kinetic.max() + np.ptp(run.potential)
    assert number(text, rf"of the {NUMBER} J in motion") == pytest.approx(moving, rel=5e-3)
    drift = energy_drift(run.time, run.energy)
    assert drift is not None
    assert number(text, rf"energy drift  {NUMBER} ±") == pytest.approx(drift.slope, rel=5e-2)
    assert number(text, rf"± {NUMBER} J/s") == pytest.approx(drift.error, rel=5e-2)
    assert "none beyond the oscillation" in text
    assert number(text, rf"largest error {NUMBER} ") == pytest.approx(run.constraint_error.max(), rel=5e-3)
    assert number(text, rf"iterations    {NUMBER} a step") == pytest.approx(run.iterations.sum() / 400, rel=5e-3)
    assert number(text, rf"wall time     {NUMBER} s") == pytest.approx(run.wall_time, rel=5e-3)
    assert max(len(line) for line in lines) <= 110


def test_a_line_with_an_oscillation_is_seen_and_one_without_is_not() -> None:
    """An oscillation of 1 J and a slope of s J/s over 100 s: seen at 0.02, not at 0.0002."""
    time = np.arange(0.0, 100.0, 0.01)
    waves = np.sin(2.0 * np.pi * 0.83 * time) + 0.3 * np.sin(0.4 * time + 1.0)
    for slope, seen in ((0.02, True), (-0.02, True), (0.0002, False), (0.0, False)):
        drift = energy_drift(time, waves + slope * time)
        assert drift is not None
        assert drift.seen == seen
        # what the oscillation feigns stays within three standard errors
        assert abs(drift.slope - slope) < 3.0 * drift.error
        assert drift.error < 2e-3
    exact = energy_drift(time, 5.0 - 0.25 * time)
    assert exact is not None
    assert abs(exact.slope + 0.25) < 1e-12 and exact.seen


def test_a_short_run_says_nothing_of_drift() -> None:
    assert energy_drift(np.arange(31.0), np.arange(31.0)) is None
    assert "drift" not in simulated(duration=0.1).report()


def test_heun_drifts_and_is_told_so() -> None:
    """An undamped pendulum by Heun's method with a coarse step gains energy steadily."""
    text = simulated("pendulum", duration=20.0, dt=0.02, integrator=da.RungeKutta("heun")).report()
    assert text.splitlines()[3].endswith(": a drift")
    assert "iterations" not in text


def test_dampers_take_energy_out_and_no_drift_is_claimed() -> None:
    model = ZOO["double_pendulum"].build(damping=0.5)
    run = da.simulate(model, ZOO["double_pendulum"].start(model), duration=2.0, dt=0.01, integrator=da.MaximalVI())
    text = run.report()
    assert f"from {run.energy[0]:.6g} J to {run.energy[-1]:.6g} J; not conserved here: dampers take it out" in text
    assert "drift" not in text and "band" not in text


def test_forces_from_outside_change_the_energy() -> None:
    text = simulated(controller=lambda time, state: {"joint1": 1.0}).report()
    assert "not conserved here: forces from outside change it" in text
    text = simulated("tumbling_box", wrenches={"box": ((0, 0, 1.0), (0, 0, 0))}, duration=0.5).report()
    assert "forces from outside" in text and "momentum" not in text


def test_momentum_is_reported_where_nothing_holds() -> None:
    run = simulated("tumbling_box")
    text = run.report()
    assert number(text, rf"linear error {NUMBER} kg") < 1e-12
    error = np.abs(run.angular_momentum - run.angular_momentum[0]).max()
    assert number(text, rf"angular error {NUMBER} kg") == pytest.approx(error, rel=5e-3)
    assert error < 1e-11
    assert "at the level of rounding" in text
    # with gravity the fall is taken out and the angular momentum, about a point that stays behind, is not judged
    falling = simulated("minitaur", duration=0.2).report()
    assert number(falling, rf"linear error {NUMBER} kg") < 1e-10
    assert "angular" not in falling
    assert "momentum" not in simulated("double_pendulum", duration=0.1).report()


def test_loops_are_counted() -> None:
    assert "5 bodies, 7 joints, 2 of them closing loops" in simulated("n_four_bar", duration=0.1).report()


def test_a_run_at_rest_or_of_no_steps() -> None:
    model = ZOO["pendulum"].build(gravity=0.0)
    text = da.simulate(model, duration=0.0, dt=0.01, integrator=da.MaximalVI()).report()
    assert "0 J at the start, band 0 J" in text and "wall" not in text
    assert "1 body, 1 joint, no loops" in text
