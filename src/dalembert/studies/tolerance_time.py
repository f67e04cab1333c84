"""Computation time of n-link pendulums at three tolerances."""

from __future__ import annotations

from collections.abc import Callable

import dalembert as da
from dalembert.studies.report import Claim, Report
from dalembert.studies.times import Scaling, scaling
from dalembert.view.style import BLUE, VERMILION, house_style, new_figure
from dalembert.zoo import pendulum, pendulum_start

TOLERANCES = (1e-6, 1e-8, 1e-10, 1e-12)
YELLOW = "#E69F00"
FAILED = 100.0
"""Where failed runs stand in the figure, seconds."""


METHODS: tuple[tuple[str, str, Callable[[float], da.Integrator]], ...] = (
    ("maximal coordinates, graph LDU", BLUE, lambda tol: da.MaximalVI(tol=tol, linear_solver="graph")),
    ("minimal, second order, RIQN", VERMILION, lambda tol: da.MinimalVI(tol=tol, root="riqn")),
    ("minimal, fourth order", YELLOW, lambda tol: da.GalerkinVI(stages=2, tol=tol)),
)
"""[Lee 2016] is what the papers call the second-order integrator, [Fan 2018] with two stages what they call third."""


def run(fast: bool) -> Report:
    """The papers' tolerances and one more, and the two integrators in minimal coordinates beside our own."""
    sizes = [1, 2, 5, 10, 20, 50, 100, 200]
    data = {
        (name, tol): scaling(sizes, _start, method(tol), 2 if fast else 5)
        for tol in TOLERANCES
        for name, _, method in METHODS
    }
    ours, second, fourth = (name for name, _, _ in METHODS)
    claims = (
        Claim("maximal coordinates: runs that failed", sum(data[ours, t].failed for t in TOLERANCES), high=0),
        *(_exponent(tol, data[ours, tol]) for tol in TOLERANCES),
        Claim("most iterations per step on average, at 1e-12", max(data[ours, 1e-12].iterations), high=4.0),
        Claim("second order: runs that failed (paper: most at 1e-10)", _failed(data, second), high=0),
        Claim("fourth order: runs that failed (paper: most at 1e-10)", _failed(data, fourth), high=0),
    )
    with house_style():
        figure = new_figure(9.0, 3.4)
        for axes, tol in zip(figure.subplots(1, len(TOLERANCES), sharey=True), TOLERANCES, strict=True):
            for name, colour, _ in METHODS:
                each = data[name, tol]
                axes.loglog(each.sizes, each.seconds, "o-", color=colour, markersize=4, label=name)
                # what failed stands at the top of the picture
                lost = [n for n in sizes if n not in each.sizes]
                axes.loglog(lost, [FAILED] * len(lost), "x", color=colour)
            axes.set(xlabel="links", title=f"Tolerance {tol:.0e}")
        figure.axes[0].set(ylabel="time of 1000 steps (s)")
        figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return Report(
        title="Tight tolerances",
        source="[Brüdigam 2020] figure 8, [Brüdigam 2023] figure 10",
        setting="Revolute chains of links of 1 m and 1 kg, step 0.01 s, 1000 steps; crosses mark runs that failed. "
        "Not above 200 links: the top ones shake at ω² = 12 g n/l, which a step below 2/ω resolves; 300 links run at "
        "this step, 400 do not, 1000 do at 0.005 s.",
        claims=claims,
        figure=figure,
    )


def _failed(data: dict[tuple[str, float], Scaling], name: str) -> int:
    return sum(data[name, tol].failed for tol in TOLERANCES)


def _exponent(tol: float, data: Scaling) -> Claim:
    text = f"power of the number of links in the time of an iteration, tolerance {tol:.0e}"
    return Claim(text, data.power(), high=1.1)


def _start(n: int) -> tuple[da.Model, da.State]:
    model = pendulum(n)
    return model, pendulum_start(model, 0.5)
