"""Chains of closed four-link segments: time, and what happens to energy and loops."""

from __future__ import annotations

import numpy as np

import dalembert as da
from dalembert.studies.report import Claim, Report
from dalembert.studies.times import scaling
from dalembert.view.style import BLUE, house_style, new_figure
from dalembert.zoo import four_bar_chain


def run(fast: bool) -> Report:
    """Time against the number of segments, and the energy of three segments."""
    sizes = [1, 2, 3, 5, 10, 20, 50]
    data = scaling(sizes, _start, da.MaximalVI(), 2 if fast else 5, _step)
    model, state = _start(3)
    three = da.simulate(model, state, duration=10.0 if fast else 100.0, dt=0.01, integrator=da.MaximalVI())
    error = three.energy - three.energy[0]
    claims = (
        Claim("numbers of segments that failed", data.failed, high=0),
        Claim("power of the number of segments in the time of an iteration", data.power(), high=1.1),
        Claim(
            "largest gap of a joint at any step",
            max(data.constraint_error, float(three.constraint_error.max())),
            high=1e-10,
            unit="m",
        ),
        Claim(
            "three segments: largest energy error over the largest kinetic energy",
            float(np.abs(error).max() / three.kinetic.max()),
            high=0.1,
        ),
    )
    with house_style():
        figure = new_figure(7.0, 3.2)
        left, right = figure.subplots(1, 2)
        left.loglog(data.sizes, data.seconds, "o-", color=BLUE, markersize=4)
        left.set(xlabel="segments", ylabel="time of 1000 steps (s)", title="Chain of four-link segments")
        left.set_ylim(1e-3, 10.0)
        right.plot(three.time, error, color=BLUE)
        right.set(xlabel="time (s)", ylabel="energy error (J)", title="Three segments: energy")
    return Report(
        title="Chains of closed loops",
        source="[Brüdigam 2020] figure 6, [Brüdigam 2023] figure 9(a)",
        setting="Rhombi of four links (1 m, 1 kg), step 0.01 s, 1000 steps, tolerance 1e-10; links overlap on the way. "
        "Fifty segments, 100 m long, whip faster than such a step can follow, and run at 0.005 s.",
        claims=claims,
        figure=figure,
    )


def _start(segments: int) -> tuple[da.Model, da.State]:
    model = four_bar_chain(segments, half_angle=0.3, tilt=0.3)
    return model, model.state()


def _step(segments: int) -> float:
    return 0.01 if segments <= 20 else 0.005
