"""The time of a step against the number of joints, for every way to evaluate and to solve its equations."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

import dalembert as da
from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_path import follow
from dalembert.integrators.minimal.drnea import move, residual
from dalembert.integrators.minimal.stepper import MinimalTreeStepper
from dalembert.integrators.minimal.svi import past_of, svi_residual
from dalembert.studies.measure import exponent
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, GREEN, GREY, VERMILION, house_style, new_figure
from dalembert.zoo import pendulum, pendulum_start

STEP = 0.001
SIZES = (2, 5, 10, 20, 50, 100)
LONG = (16, 32, 64, 128, 256)
LOOK = {"riqn": (BLUE, "RIQN"), "broyden": (GREY, "Broyden"), "newton": (VERMILION, "Newton"), "exact": (GREEN, "O(n)")}


def run(fast: bool) -> Report:
    """[Lee 2016] section 4.3. A step with the older residual takes the same iterates, so its time is a sum."""
    rounds = 5 if fast else 15
    ours, older = np.zeros(len(SIZES)), np.zeros(len(SIZES))
    step, count = {root: np.zeros(len(SIZES)) for root in LOOK}, {root: np.zeros(len(SIZES)) for root in LOOK}
    for k, n in enumerate(SIZES):
        ours[k], older[k] = _residuals(n, rounds)
        for root in LOOK:
            step[root][k], count[root][k] = _steps(n, root, rounds)
    long = {root: [_steps(n, root, rounds)[0] for n in LONG] for root in ("riqn", "exact")}
    residuals = [_residuals(n, rounds)[0] for n in LONG]
    ten, hundred = SIZES.index(10), SIZES.index(100)
    advantage, newton = older / ours, step["newton"] / step["riqn"]
    claims = (
        Claim("10 joints: time of the residual in generalised coordinates over DRNEA's", advantage[ten], low=15.0),
        Claim("100 joints: the same", advantage[hundred], low=32.0),
        Claim("10 joints: time of a step by dense Newton over RIQN's", newton[ten], low=3.8),
        Claim("100 joints: the same", newton[hundred], low=53.0),
        Claim("16 to 256 joints: power of the time of DRNEA", exponent(LONG, residuals), low=0.95, high=1.05),
        Claim("the same in the time of a step by RIQN", exponent(LONG, long["riqn"]), low=0.95, high=1.05),
        Claim("the same by the exact direction", exponent(LONG, long["exact"]), low=0.95, high=1.05),
    )
    with house_style():
        figure = new_figure(7.0, 3.4)
        axes = figure.add_subplot()
        for root, (colour, label) in LOOK.items():
            axes.loglog(SIZES, 1e6 * step[root], "o-", color=colour, label=f"{label}, DRNEA", markersize=4)
            if root != "exact":
                with_older = step[root] + count[root] * (older - ours)
                axes.loglog(SIZES, 1e6 * with_older, "s--", color=colour, label=f"{label}, SVI", markersize=4)
        axes.set(xlabel="joints", ylabel="time of a step (µs)", title="Root finding in minimal coordinates")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return Report(
        title="Linear time in minimal coordinates",
        source="[Lee 2016] figure 3",
        setting=f"Revolute chains of links of 1 m and 1 kg, released level and bent, steps of {STEP} s, tolerance "
        "1e-10, starts by extrapolation. Best of several rounds, the two sides of a ratio in turn. SVI's steps are "
        "those of DRNEA with the older residual's time in place of its own.",
        claims=claims,
        figure=figure,
    )


def _stepper(n: int, root: Any) -> MinimalTreeStepper:
    """A few steps into the motion."""
    model = pendulum(n)
    stepper = da.MinimalVI(root=root).start(model, pendulum_start(model, 0.5 * np.pi, 0.02), STEP)
    assert isinstance(stepper, MinimalTreeStepper)
    stepper.advance(5)
    return stepper


def _steps(n: int, root: str, rounds: int) -> tuple[float, float]:
    """(seconds, evaluations of the residual) of a step."""
    stepper = _stepper(n, root)
    start = [array.copy() for array in stepper._knot]
    steps = max(2, (200 if root == "newton" else 2000) // n)
    best, spent = np.inf, 0
    for _ in range(rounds):
        for array, before in zip(stepper._knot, start, strict=True):
            array[...] = before
        began = perf_counter()
        spent = stepper.advance(steps)[0]
        best = min(best, perf_counter() - began)
    return best / steps, spent / steps


def _residuals(n: int, rounds: int) -> tuple[float, float]:
    """Seconds of one evaluation: (DRNEA, generalised coordinates)."""
    stepper = _stepper(n, "exact")
    before = stepper.state()
    stepper.advance(1)
    slot, row, dof, _ = stepper._arguments[1]
    past, out = past_of(stepper._model.system, slot, before, stepper.state()), np.zeros(n)
    best = [np.inf, np.inf]
    times = (max(1, 20_000 // n), max(1, 20_000 // n**2))
    for _ in range(rounds + 1):
        began = perf_counter()
        _repeat_drnea(slot, row, dof, STEP, out, times[0])
        middle = perf_counter()
        _repeat_svi(slot, row, dof, STEP, past, out, times[1])
        best = [min(best[0], middle - began), min(best[1], perf_counter() - middle)]
    return best[0] / times[0], best[1] / times[1]


@kernel
def _repeat_drnea(slot, row, dof, h, out, times):
    for _ in range(times):
        move(slot, row, dof, h)
        residual(slot, row, dof, out)


@kernel
def _repeat_svi(slot, row, dof, h, past, out, times):
    for _ in range(times):
        follow(slot, row, dof, h)
        svi_residual(slot, row, dof, h, past, out)
