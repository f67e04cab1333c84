"""Computation time of n-link pendulums."""

from __future__ import annotations

import dalembert as da
from dalembert.studies.measure import worst_ratio
from dalembert.studies.report import Claim, Report
from dalembert.studies.times import scaling
from dalembert.view.style import BLUE, VERMILION, house_style, new_figure
from dalembert.zoo import pendulum, pendulum_start


def run(fast: bool) -> Report:
    """Revolute and ball joints, variational against explicit Runge–Kutta in minimal coordinates."""
    sizes = [1, 2, 5, 10, 20, 50, 100, 200] if fast else [1, 2, 5, 10, 20, 50, 100, 200, 500]
    few = [n for n in sizes if n <= (10 if fast else 50)]
    repeats = 2 if fast else 5
    revolute = scaling(sizes, lambda n: _start(n, None), da.MaximalVI(), repeats)
    spherical = scaling(sizes, lambda n: _start(n, da.Spherical()), da.MaximalVI(), repeats)
    explicit = da.RungeKutta("rk4")
    revolute_explicit = scaling(few, lambda n: _start(n, None), explicit, 1)
    spherical_explicit = scaling(few, lambda n: _start(n, da.Spherical()), explicit, 1)
    claims = (
        Claim("revolute: power of the number of links in the time of an iteration", revolute.power(), high=1.1),
        Claim(
            "spherical: power of the number of links in the time of an iteration",
            spherical.power(),
            high=1.1,
        ),
        Claim(
            "revolute over spherical time, worst of ten links and more",
            worst_ratio(revolute.seconds[3:], spherical.seconds[3:]),
            low=1.0,
        ),
        Claim("sizes that failed", revolute.failed + spherical.failed, high=0),
    )
    with house_style():
        figure = new_figure(8.5, 3.4)
        axes = figure.add_subplot()
        for data, line, colour, label in (
            (revolute_explicit, "s--", VERMILION, "Runge–Kutta 4, minimal coordinates, revolute"),
            (spherical_explicit, "s-", VERMILION, "the same, ball joints"),
            (revolute, "o--", BLUE, "variational, maximal coordinates, revolute"),
            (spherical, "o-", BLUE, "the same, ball joints"),
        ):
            axes.loglog(data.sizes, data.seconds, line, color=colour, label=label, markersize=4)
        axes.set(xlabel="links", ylabel="time of 1000 steps (s)", title="n-link pendulum")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return Report(
        title="Linear time: pendulums",
        source="[Brüdigam 2020] figure 5(a), [Brüdigam 2023] figure 8(a)",
        setting="Chains of links of 1 m and 1 kg, step 0.01 s, 1000 steps, tolerance 1e-10, best of several runs.",
        claims=claims,
        figure=figure,
    )


def _start(n: int, joint: da.JointKind | None) -> tuple[da.Model, da.State]:
    model = pendulum(n, joint)
    return model, pendulum_start(model, 0.5)
