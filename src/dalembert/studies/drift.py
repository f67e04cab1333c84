"""Constraint drift of a closed loop."""

from __future__ import annotations

import numpy as np

import dalembert as da
from dalembert.studies.measure import exponent
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, VERMILION, house_style, new_figure
from dalembert.zoo import three_link_loop

STEP = 0.01


def run(fast: bool) -> Report:
    """Compare position constraints in every step with constraints on accelerations, fourth-order Runge–Kutta."""
    duration = 10.0 if fast else 100.0
    model = three_link_loop()
    ours = da.simulate(model, duration=duration, dt=STEP, integrator=da.MaximalVI())
    theirs = da.simulate(model, duration=duration, dt=STEP, integrator=da.RungeKutta("rk4"))
    # the largest gap so far, so that a fit sees growth and not the swing
    so_far = np.maximum.accumulate(theirs.constraint_error)
    late = theirs.time > 0.1 * duration
    claims = (
        Claim(
            "variational: largest gap in the loop at any step", float(ours.constraint_error.max()), high=1e-10, unit="m"
        ),
        Claim(
            "Runge–Kutta: gap at the end over the variational one",
            float(so_far[-1] / ours.constraint_error.max()),
            low=1e3,
        ),
        Claim(
            "Runge–Kutta: power of time with which the gap grows", exponent(theirs.time[late], so_far[late]), low=0.5
        ),
    )
    with house_style():
        figure = new_figure(7.0, 3.2)
        axes = figure.add_subplot()
        floor = 1e-17
        axes.semilogy(
            theirs.time,
            np.maximum(theirs.constraint_error, floor),
            color=VERMILION,
            label="Runge–Kutta 4, acceleration constraints",
        )
        axes.semilogy(
            ours.time, np.maximum(ours.constraint_error, floor), color=BLUE, label="variational, position constraints"
        )
        axes.set(xlabel="time (s)", ylabel="gap in the loop (m)", title="Three-link loop: constraint drift")
        axes.set_ylim(1e-17, 1.0)
        axes.legend(loc="upper left")
    return Report(
        title="No constraint drift",
        source="[Brüdigam 2020] figure 4(b), [Brüdigam 2023] figure 7(a)",
        setting=f"Three links (1, √2/2, 1 m; as many kg) between two pins, from rest, step {STEP} s, {duration:g} s.",
        claims=claims,
        figure=figure,
    )
