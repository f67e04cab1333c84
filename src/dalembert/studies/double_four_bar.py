"""The benchmark that passes through singular configurations."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert.studies.measure import exponent
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, GREEN, GREY, VERMILION, house_style, new_figure
from dalembert.zoo import double_four_bar, n_four_bar_start

STEPS = (0.01, 0.001, 0.0005, 0.00025)
OTHER_ENERGY_ERROR = (1.14e-1, 1.14e-3, 2.86e-4, 7.15e-5)
"""J, of a generalised-α code at the same steps (IFToMM benchmark A02)."""
OTHER_TIP = ((0.3284112372, 0.9445348375), (0.3284465114, 0.9445225721), (0.3284552113, 0.9445195467))
"""m, B0 at t = 10 s of that code at the last three steps."""


def run(fast: bool) -> Report:
    """Trajectory, energy and loop error over 10 s, and errors at four steps beside another code's."""
    model = double_four_bar()
    state = n_four_bar_start(model)
    runs = [da.simulate(model, state, duration=10.0, dt=dt, integrator=da.MaximalVI(tol=1e-12)) for dt in STEPS]
    tips = [_tip(run) for run in runs]
    exact = _exact(runs[0].time)
    end = exact[-1]
    ours = np.array([np.linalg.norm(tip[-1] - end) for tip in tips])
    theirs = np.array([np.linalg.norm(np.array(tip) - end) for tip in OTHER_TIP])
    energy = np.array([np.abs(run.energy - run.energy[0]).max() for run in runs])
    coarse = runs[0]
    claims = (
        Claim("largest energy error at 0.01 s over the other code's", energy[0] / OTHER_ENERGY_ERROR[0], high=1.0),
        Claim(
            "the same at 0.001, 0.0005 and 0.00025 s, worst", float((energy / OTHER_ENERGY_ERROR)[1:].max()), high=1.0
        ),
        Claim(
            "error of B0 at t = 10 s over the other code's, worst of three steps",
            float((ours[1:] / theirs).max()),
            high=1.0,
        ),
        Claim("order of accuracy of B0 at t = 10 s", exponent(STEPS[1:], ours[1:]), low=1.9, high=2.1),
        Claim(
            "largest gap in the loops at any step",
            max(float(run.constraint_error.max()) for run in runs),
            high=1e-10,
            unit="m",
        ),
        Claim(
            "distance from the parallelogram branch at 0.01 s",
            float(np.abs(np.linalg.norm(tips[0], axis=1) - 1.0).max() + _tilt(coarse)),
            high=1e-9,
        ),
    )
    with house_style():
        figure = new_figure(8.0, 5.6)
        (a, b), (c, d) = figure.subplots(2, 2)
        a.plot(coarse.time, exact[:, 0], color=GREY, linewidth=2.5, label="exact")
        a.plot(coarse.time, tips[0][:, 0], color=BLUE, label="variational, 0.01 s")
        a.set(xlabel="time (s)", ylabel="x of B0 (m)", title="Trajectory", ylim=(-1.15, 1.6))
        a.legend(loc="upper center", ncols=2)
        b.plot(coarse.time, coarse.energy - coarse.energy[0], color=BLUE)
        b.set(xlabel="time (s)", ylabel="energy error (J)", title="Energy error, 0.01 s")
        c.semilogy(coarse.time, np.maximum(coarse.constraint_error, 1e-17), color=BLUE)
        c.set(xlabel="time (s)", ylabel="gap in the loops (m)", title="Constraint violation", ylim=(1e-17, 1e-12))
        d.plot(coarse.time, coarse.kinetic, color=VERMILION, label="kinetic")
        d.plot(coarse.time, coarse.potential, color=GREEN, label="potential")
        d.plot(coarse.time, coarse.energy, color=BLUE, label="total")
        d.set(xlabel="time (s)", ylabel="energy (J)", title="Energy", ylim=(-40.0, 110.0))
        d.legend(loc="upper center", ncols=3)
    return Report(
        title="Double four-bar through its singular configurations",
        source="[Brüdigam 2023] figure 12, IFToMM benchmark A02",
        setting=f"Three cranks, two couplers (1 m, 1 kg each), tips at 1 m/s, 10 s, steps {STEPS} s, tol 1e-12.",
        claims=claims,
        figure=figure,
    )


def _tip(run: da.Trajectory) -> np.ndarray:
    """(steps + 1, 2) x and y of B0: the far end of the first crank."""
    return 2.0 * run.body("vertical0").position[:, :2]


def _tilt(run: da.Trajectory) -> float:
    """The largest turn of a coupler: on the parallelogram branch they stay level."""
    return max(float(np.abs(run.body(f"horizontal{i}").orientation[:, 3]).max()) for i in (1, 2))


def _exact(time: np.ndarray) -> np.ndarray:
    """B0 from the one-degree equation ((N + 1)/3 + N) φ'' = −g ((N + 1)/2 + N) cos φ, N = 2."""
    solution = solve_ivp(
        lambda _, y: (y[1], -9.81 * 3.5 / 3.0 * np.cos(y[0])),
        (0.0, float(time[-1])),
        (0.5 * np.pi, -1.0),
        method="DOP853",
        t_eval=time,
        rtol=1e-12,
        atol=1e-13,
    )
    return np.stack([np.cos(solution.y[0]), np.sin(solution.y[0])], axis=1)
