"""Energy of a chain of ten links over a million steps, in minimal coordinates."""

from __future__ import annotations

import numpy as np

import dalembert as da
from dalembert.studies.measure import linear_slope
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, VERMILION, envelope, house_style, new_figure
from dalembert.zoo import pendulum, pendulum_start

STEP = 0.001
LINKS = 10


def run(fast: bool) -> Report:
    """Compare RIQN with semi-implicit Euler at the same step; energies in parts of the largest kinetic energy."""
    steps = 20_000 if fast else 1_000_000
    every = steps // 20_000
    model = pendulum(LINKS)
    state = pendulum_start(model, 0.5 * np.pi, 0.1)

    def energy(integrator: da.Integrator) -> da.Trajectory:
        return da.simulate(model, state, duration=steps * STEP, dt=STEP, integrator=integrator, every=every)

    ours, theirs = energy(da.MinimalVI(root="riqn")), energy(da.SemiImplicitEuler())
    scale, time = float(ours.kinetic.max()), ours.time
    error, euler = (ours.energy - ours.energy[0]) / scale, (theirs.energy - theirs.energy[0]) / scale
    iterations = float(ours.iterations[1:].sum()) / steps
    band = float(np.ptp(error))
    slope, euler_slope = abs(linear_slope(time, error)), abs(linear_slope(time, euler))
    claims = (
        Claim("variational: width of the energy's band over the largest kinetic energy", band, high=0.015),
        Claim("variational: fitted drift over the run, as a part of the band", slope * steps * STEP / band, high=0.1),
        Claim("semi-implicit Euler: slope of the energy over the variational one", euler_slope / slope, low=50.0),
        Claim("RIQN: iterations per step on average", iterations, high=6.0),
    )
    with house_style():
        figure = new_figure(7.0, 3.2)
        axes = figure.add_subplot()
        axes.plot(*envelope(time, euler), color=VERMILION, label="semi-implicit Euler")
        axes.plot(*envelope(time, error), color=BLUE, label="variational, RIQN")
        axes.set(xlabel="time (s)", ylabel="energy error / largest kinetic energy", title="Chain of ten links: energy")
        axes.legend()
    return Report(
        title="Energy of a chain in minimal coordinates",
        source="[Lee 2016] figure 2(b)",
        setting=f"Ten revolute links of 1 m and 1 kg, released level and bent, {steps} steps of {STEP} s, "
        "tolerance 1e-10.",
        claims=claims,
        figure=figure,
    )
