"""The examples run as they stand, and say what they promise."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dalembert as da

FOLDER = Path(__file__).resolve().parents[1] / "examples"


NUMBERS: dict[str, Callable[[dict[str, Any]], tuple[float, float, float]]] = {
    # a smaller step of another method takes the elbow to the same place; the step of 10 ms is of second order
    "double_pendulum": lambda names: (names["run"].joint("elbow").position[100], _elbow(names), 2e-3),
    # a motor without an integral part stays behind by (torque of gravity and inertia)/GAIN, a few N m over 50
    "driven_linkage": lambda names: (np.abs(names["run"].joint("motor").velocity[250:] - 3.0).max(), 0.0, 0.2),
    # gravity over stiffness: 12 N m over 150 N m/rad
    "joint_controller": lambda names: (names["error"], 0.0, 0.12),
    # m g l: what the law aims at; the bob's energy is measured to second order in the step
    "compiled_controller": lambda names: (names["energy"][-1], 9.81 * 0.5, 2e-3),
    "robot_from_file": lambda names: (names["run"].constraint_error.max(), 0.0, 1e-14),
    # eight seconds of a slowest mode of 0.989 a step
    "balance": lambda names: (names["run"].joint("hinge").position[-1], 0.0, 1e-4),
    # ω² = 3 g/l below, and half a length from the pin: m g + 3/2 m g; of second order in the step
    "reaction_forces": lambda names: (names["load"].max() / (2.0 * 9.81), 2.5, 1e-4),
    "springs": lambda names: (names["error"], 0.0, 2e-5),
    # both start at rest: C (spun + turn) + I turn = 0, with the inertia of box and wheel; of second order in the step,
    # in which the wheel turns by 0.03 rad
    "satellite": lambda names: (names["turn"], -0.16 * names["spun"] / (5.0 * (1.0 + 0.8**2) + 0.16), 2e-4),
    "spinning_top": lambda names: (names["angle"][-1] - names["angle"][0], 2.0 * 3.0, 2e-4),
    # the last quarter of the variational run is no worse than the first; Runge and Kutta's is several times so
    "compare_integrators": lambda names: (names["errors"]["MaximalVI"][3] / names["errors"]["MaximalVI"][0], 1.0, 0.3),
    # a thousandth of the way: what is left weighs as much as the effort does
    "swing_up": lambda names: (max(abs(names["angle"]), abs(names["rate"])), 0.0, 5e-3),
    "reaching": lambda names: (names["miss"], 0.0, 2e-3),
    # where two optimisers end is 0.02 m apart; dropped, the ball would land at 1.04 m
    "throwing": lambda names: (names["best"], 12.48, 0.03),
    "finding_lengths": lambda names: (max(names["errors"].values()), 0.0, 1e-8),
    "save_and_show": lambda names: (np.abs(names["again"].position - names["run"].position).max(), 0.0, 0.0),
}
"""Example → (a number that it finds, what it has to be, how close)."""


def _elbow(names: dict[str, Any]) -> float:
    fine = da.simulate(names["model"], names["state"], duration=1.0, dt=0.1, integrator=da.RungeKutta())
    return float(fine.joint("elbow").position[-1])


def test_every_example_has_a_number():
    assert sorted(NUMBERS) == sorted(path.stem for path in FOLDER.glob("*.py"))


@pytest.mark.parametrize("name", NUMBERS)
def test_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    names = runpy.run_path(str(FOLDER / f"{name}.py"))
    assert capsys.readouterr().out
    assert names["run"].constraint_error.max() < 1e-8
    found, expected, close = NUMBERS[name](names)
    assert abs(found - expected) <= close
    if name == "driven_linkage":
        assert (names["assembly"].dof, names["assembly"].redundant) == (1, 3)
    if name == "compare_integrators":
        assert names["errors"]["rk4"][3] > 4.0 * names["errors"]["rk4"][0]
