"""Energy of a frictionless double pendulum over an hour."""

from __future__ import annotations

import numpy as np

import dalembert as da
from dalembert.studies.measure import linear_slope
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, VERMILION, envelope, house_style, new_figure
from dalembert.zoo import double_pendulum, pendulum_start

STEP = 0.01


def run(fast: bool) -> Report:
    """Compare the variational integrator with Heun's method at the same step."""
    duration = 300.0 if fast else 3600.0
    model = double_pendulum()
    state = pendulum_start(model)
    ours = da.simulate(model, state, duration=duration, dt=STEP, integrator=da.MaximalVI())
    energy = ours.energy - ours.energy[0]
    try:
        heun = da.simulate(model, state, duration=duration, dt=STEP, integrator=da.RungeKutta("heun"))
    except da.SimulationError as failure:
        heun = failure.trajectory
    heun_energy = heun.energy - heun.energy[0]

    # a bounded error fills the same band in the first and in the second half of the run
    first, second = (float(np.ptp(half)) for half in np.array_split(energy, 2))
    slope, heun_slope = linear_slope(ours.time, energy), linear_slope(heun.time, heun_energy)
    claims = (
        Claim("variational: largest energy error", float(np.abs(energy).max()), high=0.25, unit="J"),
        Claim("variational: band of the second half of the run over that of the first", second / first, high=1.2),
        Claim(
            "variational: fitted drift over the run, as a part of the band", abs(slope) * duration / first, high=0.02
        ),
        Claim("Heun: fitted drift over the variational one", heun_slope / abs(slope), low=50.0),
    )
    with house_style():
        figure = new_figure(7.0, 3.2)
        axes = figure.add_subplot()
        axes.plot(*envelope(heun.time / 60.0, heun_energy), color=VERMILION, label="Heun, minimal coordinates")
        axes.plot(*envelope(ours.time / 60.0, energy), color=BLUE, label="variational, maximal coordinates")
        axes.set(xlabel="time (min)", ylabel="energy error (J)", title="Double pendulum: energy")
        axes.legend(loc="upper left")
    return Report(
        title="Bounded energy error without friction",
        source="[Brüdigam 2020] figure 4(a), [Brüdigam 2023] figure 7(b)",
        setting=f"Double pendulum (1 m, 1 kg each), released level, step {STEP} s, {duration / 60:g} minutes.",
        claims=claims,
        figure=figure,
    )
