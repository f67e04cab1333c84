"""Computation time of n-link pendulums at three tolerances."""

from __future__ import annotations

import dalembert as da
from dalembert.studies.report import Claim, Report
from dalembert.studies.times import Scaling, scaling
from dalembert.view.style import BLUE, house_style, new_figure
from dalembert.zoo import pendulum, pendulum_start

TOLERANCES = (1e-6, 1e-8, 1e-10, 1e-12)


def run(fast: bool) -> Report:
    """The papers' tolerances and one more."""
    sizes = [1, 2, 5, 10, 20, 50, 100, 200]
    data = {
        tol: scaling(sizes, _start, da.MaximalVI(tol=tol, linear_solver="graph"), 2 if fast else 5)
        for tol in TOLERANCES
    }
    claims = (
        Claim("runs that failed", sum(d.failed for d in data.values()), high=0),
        *(_exponent(tol, data[tol]) for tol in TOLERANCES),
        Claim("most iterations per step on average, at 1e-12", max(data[1e-12].iterations), high=4.0),
    )
    with house_style():
        figure = new_figure(9.0, 2.8)
        for axes, tol in zip(figure.subplots(1, len(TOLERANCES), sharey=True), TOLERANCES, strict=True):
            axes.loglog(data[tol].sizes, data[tol].seconds, "o-", color=BLUE, markersize=4)
            axes.set(xlabel="links", title=f"Tolerance {tol:.0e}")
        figure.axes[0].set(ylabel="time of 1000 steps (s)")
    return Report(
        title="Tight tolerances",
        source="[Brüdigam 2020] figure 8, [Brüdigam 2023] figure 10 (our curves)",
        setting="Revolute chains of links of 1 m and 1 kg, step 0.01 s, 1000 steps, graph LDU. "
        "Not above 200 links: the top ones shake at ω² = 12 g n/l, which a step below 2/ω resolves; 300 links run at "
        "this step, 400 do not, 1000 do at 0.005 s.",
        claims=claims,
        figure=figure,
    )


def _exponent(tol: float, data: Scaling) -> Claim:
    text = f"power of the number of links in the time of an iteration, tolerance {tol:.0e}"
    return Claim(text, data.power(), high=1.1)


def _start(n: int) -> tuple[da.Model, da.State]:
    model = pendulum(n)
    return model, pendulum_start(model, 0.5)
