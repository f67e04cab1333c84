"""Computation time of chains closed to one loop."""

from __future__ import annotations

import dalembert as da
from dalembert.studies.report import Claim, Report
from dalembert.studies.times import scaling
from dalembert.view.style import BLUE, house_style, new_figure
from dalembert.zoo import pinned_chain


def run(fast: bool) -> Report:
    """Revolute and ball joints."""
    sizes = [3, 5, 10, 20, 50, 100, 200]
    repeats = 2 if fast else 5
    revolute = scaling(sizes, lambda n: _start(n, None), da.MaximalVI(), repeats)
    spherical = scaling(sizes, lambda n: _start(n, da.Spherical()), da.MaximalVI(), repeats)
    claims = (
        Claim("sizes that failed", revolute.failed + spherical.failed, high=0),
        Claim("revolute: power of the number of links in the time of an iteration", revolute.power(), high=1.1),
        Claim(
            "spherical: power of the number of links in the time of an iteration",
            spherical.power(),
            high=1.1,
        ),
        Claim(
            "largest gap of a joint at any step",
            max(revolute.constraint_error, spherical.constraint_error),
            high=1e-9,
            unit="m",
        ),
    )
    with house_style():
        figure = new_figure(6.0, 3.4)
        axes = figure.add_subplot()
        axes.loglog(revolute.sizes, revolute.seconds, "o--", color=BLUE, label="revolute joints", markersize=4)
        axes.loglog(spherical.sizes, spherical.seconds, "s-", color=BLUE, label="ball joints", markersize=4)
        axes.set(xlabel="links", ylabel="time of 1000 steps (s)", title="Chain between two pins")
        axes.set_ylim(1e-3, 10.0)
        axes.legend()
    return Report(
        title="Linear time with a loop",
        source="[Brüdigam 2020] figure 5(b)",
        setting="Chains of links of 1 m and 1 kg between two pins, step 0.01 s, 1000 steps, tolerance 1e-10.",
        claims=claims,
        figure=figure,
    )


def _start(n: int, joint: da.JointKind | None) -> tuple[da.Model, da.State]:
    model = pinned_chain(n, joint, tilt=0.1)
    return model, model.state()
