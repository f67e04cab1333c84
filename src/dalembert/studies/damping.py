"""Dissipation of a damped pendulum at a coarse step."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, GREY, VERMILION, house_style, new_figure
from dalembert.zoo import pendulum, pendulum_start

STEP, DAMPING, DURATION = 0.1, 0.5, 10.0


def run(fast: bool) -> Report:
    """Compare with Euler's method; the true energy from the pendulum's own equation at a tolerance of 1e-12."""
    model = pendulum(1, damping=DAMPING)
    state = pendulum_start(model)
    ours = da.simulate(model, state, duration=DURATION, dt=STEP, integrator=da.MaximalVI())
    literal = da.simulate(
        model, state, duration=DURATION, dt=STEP, integrator=da.MaximalVI(initial_velocity="interval")
    )
    euler = da.simulate(model, state, duration=DURATION, dt=STEP, integrator=da.RungeKutta("euler"))
    true = _true_energy(ours.time)
    errors = {name: run.energy - true for name, run in (("ours", ours), ("literal", literal), ("euler", euler))}
    worst = {name: float(np.abs(error).max()) for name, error in errors.items()}
    half = len(true) // 2
    claims = (
        Claim("variational: largest energy error, over the energy at stake", worst["ours"] / 9.81, high=0.1),
        Claim(
            "variational: energy error in the second half of the run",
            float(np.abs(errors["ours"][half:]).max()),
            high=0.1,
            unit="J",
        ),
        Claim("Euler: largest energy error over the variational one", worst["euler"] / worst["ours"], low=10.0),
        Claim("Euler: over the variational one with the paper's start", worst["euler"] / worst["literal"], low=5.0),
    )
    with house_style():
        figure = new_figure(7.0, 3.2)
        left, right = figure.subplots(1, 2)
        left.plot(ours.time, true, color=GREY, linewidth=3.5, label="true")
        left.plot(euler.time, euler.energy, color=VERMILION, label="Euler")
        left.plot(ours.time, ours.energy, color=BLUE, label="variational")
        left.set(xlabel="time (s)", ylabel="energy (J)", title="Damped pendulum: energy")
        left.legend()
        right.plot(ours.time, errors["euler"], color=VERMILION)
        right.plot(ours.time, errors["literal"], color=BLUE, linestyle=":", label="with the paper's start")
        right.plot(ours.time, errors["ours"], color=BLUE)
        right.set(xlabel="time (s)", ylabel="energy error (J)", title="Error")
        right.legend()
    return Report(
        title="Correct dissipation at a coarse step",
        source="[Brüdigam 2023] figure 7(c)",
        setting=f"Pendulum (1 m, 1 kg), damping {DAMPING} N m s/rad, released level, step {STEP} s.",
        claims=claims,
        figure=figure,
    )


def _true_energy(time: np.ndarray) -> np.ndarray:
    """(1/3) θ'' = −(g/2) sin θ − d θ'; energy zero at rest with the centre level with the pin."""
    solution = solve_ivp(
        lambda _, y: (y[1], -1.5 * 9.81 * np.sin(y[0]) - 3.0 * DAMPING * y[1]),
        (0.0, float(time[-1])),
        (0.5 * np.pi, 0.0),
        method="DOP853",
        t_eval=time,
        rtol=1e-12,
        atol=1e-13,
    )
    angle, rate = solution.y
    return rate**2 / 6.0 - 0.5 * 9.81 * np.cos(angle)
