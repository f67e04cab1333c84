"""How the roots of steps are found in minimal coordinates: within one step, and over many."""

from __future__ import annotations

from typing import Any

import numpy as np

import dalembert as da
from dalembert.integrators.maximal.tree_plan import NEWTON
from dalembert.integrators.maximal.tree_step import start_steps
from dalembert.integrators.minimal.drnea import move, residual
from dalembert.integrators.minimal.knot_elimination import eliminate_at_knot
from dalembert.integrators.minimal.solve import increment, take_whole
from dalembert.integrators.minimal.stepper import MinimalTreeStepper
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, GREEN, VERMILION, house_style, new_figure
from dalembert.zoo import pendulum, pendulum_start

STEP = 0.001
TOLERANCE = 1e-10
LENGTHS = (8, 16, 32, 64, 128, 256)
LOOK = {"newton": (VERMILION, "Newton, dense"), "riqn": (BLUE, "RIQN"), "exact": (GREEN, "exact direction, O(n)")}


def run(fast: bool) -> Report:
    """[Lee 2016] section 4.4 on its chain of ten bodies, and the directions in linear time on chains of any length."""
    within = {root: _one_step(root) for root in LOOK}
    over = {root: _iterations(10, root, 0.001, 1000 if fast else 10_000) for root in LOOK}
    # the paper starts each step from the velocity of the last one
    paper = {root: _iterations(10, root, 0.001, 1000 if fast else 10_000, "ig2").mean() for root in ("newton", "riqn")}
    lengths = LENGTHS[::2] if fast else LENGTHS
    exact = [_iterations(n, "exact", 0.005, 200).mean() for n in lengths]
    riqn = [_iterations(n, "riqn", 0.005, 200).mean() for n in lengths]
    needed = {root: int(np.argmax(np.array(errors) < TOLERANCE)) for root, errors in within.items()}
    claims = (
        Claim("ten links, RIQN: iterations per step on average", float(over["riqn"].mean()), high=6.0),
        Claim("the same from the last step's velocity (paper: 5.69)", float(paper["riqn"]), high=6.0),
        Claim("ten links, Newton: the same (paper: 4)", float(paper["newton"]), high=4.0),
        Claim(
            "one step from the zero configuration, iterations to |f| < 1e-10: RIQN's less Newton's",
            needed["riqn"] - needed["newton"],
            low=1,
        ),
        Claim(
            "one step: largest ratio of the residuals of the exact direction and dense Newton, above rounding",
            _ratio(within["exact"], within["newton"]),
            low=0.99,
            high=1.01,
        ),
        Claim("8 to 256 links at 5 ms, exact direction: most iterations per step on average", max(exact), high=4.0),
        Claim("8 to 256 links at 5 ms, RIQN: most iterations per step on average", max(riqn), high=6.0),
    )
    with house_style():
        figure = new_figure(9.0, 3.2)
        left, middle, right = figure.subplots(1, 3)
        for root, (colour, label) in LOOK.items():
            left.semilogy(np.maximum(within[root], 1e-16), "o-", color=colour, label=label, markersize=4)
            middle.plot(over[root][:1000], color=colour, linewidth=0.8)
        left.set(xlabel="iteration", ylabel="|f| (kg m²/s)", title="One step")
        left.legend()
        middle.set(xlabel="step", ylabel="iterations", title="Ten links", ylim=(0, 8))
        right.semilogx(lengths, exact, "o-", color=GREEN, markersize=4)
        right.semilogx(lengths, riqn, "s-", color=BLUE, markersize=4)
        right.set(xlabel="links", ylabel="mean iterations", title="Any length, 5 ms", ylim=(0, 8))
    return Report(
        title="Root finding in minimal coordinates",
        source="[Lee 2016] figures 4(a), 4(b)",
        setting=f"Revolute chains of links of 1 m and 1 kg, released level and bent, steps of {STEP} s, tolerance "
        f"{TOLERANCE}, starts by extrapolation unless said otherwise. The one step is that of a hanging chain, all its "
        "joints started from zero as in the paper. RIQN does not stall on long chains.",
        claims=claims,
        figure=figure,
    )


def _start(n: int, bend: float = 0.1) -> tuple[da.Model, da.State]:
    model = pendulum(n)
    return model, pendulum_start(model, 0.5 * np.pi, bend)


def _iterations(n: int, root: Any, dt: float, steps: int, guess: Any = "extrapolation") -> np.ndarray:
    """Evaluations of the residual in each step."""
    model, state = _start(n, 0.1 if n == 10 else 0.02)
    method = da.MinimalVI(root=root, tol=TOLERANCE, initial_guess=guess)
    return da.simulate(model, state, duration=steps * dt, dt=dt, integrator=method).iterations[1:]


def _one_step(root: Any, count: int = 12) -> list[float]:
    """|f| after each increment, from all joints at zero; the chain hangs and is bent by a tenth of a radian a joint."""
    model = pendulum(10)
    state = pendulum_start(model, 0.1, 0.1)
    stepper = da.MinimalVI(root=root).start(model, state, STEP)
    assert isinstance(stepper, MinimalTreeStepper)
    stepper.advance(100)
    joints = stepper.state().coordinates
    _, tree, options, knot, _, _, memory, loops = stepper._arguments
    slot, row, dof, _ = tree
    if root == "riqn":
        eliminate_at_knot(slot, row, dof, options.h)
    out, sizes = np.zeros(len(dof)), []
    start_steps(slot, row, dof, -1)
    dof[:, NEWTON] = -joints
    take_whole(slot, row, dof, loops)
    for k in range(count):
        move(slot, row, dof, options.h)
        residual(slot, row, dof, out)
        sizes.append(float(np.linalg.norm(out)))
        increment(slot, row, dof, options, memory, loops, knot, True, k)
        take_whole(slot, row, dof, loops)
    return sizes


def _ratio(found: list[float], expected: list[float]) -> float:
    ratios = [a / b for a, b in zip(found, expected, strict=True) if b > 1e-6]
    return max(ratios, key=lambda r: abs(np.log(r)))
