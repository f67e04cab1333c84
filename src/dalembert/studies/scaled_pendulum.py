"""Half a swing of pendulums of three sizes at many step sizes."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

import dalembert as da
from dalembert.studies.measure import exponent
from dalembert.studies.report import Claim, Report
from dalembert.view.style import house_style, new_figure
from dalembert.zoo import pendulum_start, scaled_pendulum

SCALES = ((1.0, 4.5, "#CC79A7"), (0.5, 2.5, "#E69F00"), (0.1, 1.0, "#009E73"))
"""Scale, width and colour of the curve: they lie on one another, the widest first."""

PERIOD_RATIO = 1.18034060
"""True period of a swing of 90° over that of small swings, (2/π) K(½)."""


def run(fast: bool) -> Report:
    """Errors of the final angle where the true period ends half a swing, and iterations per step.

    At the end of a swing the angle stands still, so it shows the square of the error in time: the fourth power of the
    step for a method of second order.
    """
    counts = np.unique(np.geomspace(20, 2000 if fast else 100_000, 8 if fast else 16).astype(int))
    steps, iterations, errors, small_angle = {}, {}, {}, []
    for scale, _, _ in SCALES:
        model = scaled_pendulum(scale)
        state = pendulum_start(model)
        small = 2.0 * pi * sqrt(2.0 / 3.0 * scale**2 / 9.81)
        half = 0.5 * PERIOD_RATIO * small
        runs = [_swing(model, state, half, int(n)) for n in counts]
        steps[scale] = half / counts / scale
        iterations[scale] = np.array([run.iterations[1:].sum() / n for run, n in zip(runs, counts, strict=True)])
        errors[scale] = np.array([abs(run.joint("joint1").position[-1] + 0.5 * pi) for run in runs])
        small_angle.append(abs(_swing(model, state, 0.5 * small, 2000).joint("joint1").position[-1] + 0.5 * pi))
    # above round-off
    accurate = [errors[scale] > 1e-10 for scale, _, _ in SCALES]
    orders = [
        exponent(steps[scale][use], errors[scale][use]) for (scale, _, _), use in zip(SCALES, accurate, strict=True)
    ]
    spread = max(float(np.abs(errors[s] - errors[1.0]).max()) for s in (0.5, 0.1))
    claims = (
        Claim(
            "smallest error of the final angle, worst of the three scales",
            max(e.min() for e in errors.values()),
            high=1e-9,
            unit="rad",
        ),
        Claim("power of the step with which it falls, lowest of the three scales", min(orders), low=3.8, high=4.2),
        Claim(
            "largest difference of the error between the scales at equal scaled steps", spread, high=1e-7, unit="rad"
        ),
        Claim("most iterations per step on average", max(float(i.max()) for i in iterations.values()), high=5.0),
        Claim(
            "error at half the small-angle period of the paper (a swing of 90° takes longer)",
            min(small_angle),
            low=0.1,
            unit="rad",
        ),
    )
    with house_style():
        figure = new_figure(7.0, 3.2)
        left, right = figure.subplots(1, 2)
        for scale, width, colour in SCALES:
            left.semilogx(steps[scale], iterations[scale], color=colour, linewidth=width, label=f"scale {scale:g}")
            right.loglog(steps[scale], errors[scale], color=colour, linewidth=width, label=f"scale {scale:g}")
        left.set(xlabel="step over scale (s)", ylabel="mean iterations per step", title="Iterations", ylim=(0, 6))
        right.set(xlabel="step over scale (s)", ylabel="error of the final angle (rad)", title="Half a swing")
        left.legend()
    return Report(
        title="Small steps and small mechanisms",
        source="[Brüdigam 2023] figure 11",
        setting="Pendulums of s kg and s² m, released level, for half the true period 1.18034060 · 2π √(2l/3g).",
        claims=claims,
        figure=figure,
    )


def _swing(model: da.Model, state: da.State, duration: float, steps: int) -> da.Trajectory:
    return da.simulate(
        model, state, duration=duration, dt=duration / steps, integrator=da.MaximalVI(tol=1e-12), every=steps
    )
