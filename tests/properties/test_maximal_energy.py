"""Energy: a band without a slope where nothing dissipates, and exactly the dampers' work where something does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import dalembert as da
from dalembert import zoo


@pytest.mark.parametrize(("solver", "minutes"), [("graph", 10), ("auto", 60)])
def test_a_double_pendulum_has_an_energy_band_without_a_slope(solver: Any, minutes: int) -> None:
    """Chaos for an hour, from six starts a thousandth of a radian apart, which makes six independent runs of it.

    Without a drift the six slopes scatter about zero, and their mean over its standard error has Student's distribution
    with 5 degrees of freedom. None of them amounts to more than two hundredths of the band over the whole run.
    """
    model, drifts = zoo.double_pendulum(), []
    for k in range(6):
        run = da.simulate(
            model,
            zoo.pendulum_start(model, 0.5 * np.pi + 1e-3 * k),
            duration=60.0 * minutes,
            dt=0.01,
            every=10,
            integrator=da.MaximalVI(linear_solver=solver),
        )
        band = np.ptp(run.energy)
        # of thirty joules that move; the band is of second order in the step
        assert band < 0.25
        drifts.append(np.polyfit(run.time, run.energy, 1)[0] * run.time[-1] / band)
    assert np.abs(drifts).max() < 0.02
    assert abs(np.mean(drifts)) < stats.t.ppf(0.9999, 5) * np.std(drifts, ddof=1) / np.sqrt(6)


@pytest.mark.parametrize("name", ["four_bar_chain", "bricard", "three_link_loop"])
def test_loops_have_an_energy_band_without_a_slope(name: str) -> None:
    """The energy's error is a function of the state of second order in the step, so its band is that of the motion."""
    mechanism = zoo.ZOO[name]
    model = mechanism.build()
    run = da.simulate(model, mechanism.start(model), duration=60.0, dt=0.01, integrator=da.MaximalVI())
    half = len(run) // 2
    band = np.ptp(run.energy)
    assert band < 0.02 * np.ptp(run.kinetic)
    assert abs(run.energy[half:].mean() - run.energy[:half].mean()) < 0.1 * band


def test_the_band_shrinks_with_the_square_of_the_step() -> None:
    model = zoo.pendulum()
    state = zoo.pendulum_start(model)
    bands = [
        np.ptp(da.simulate(model, state, duration=5.0, dt=dt, integrator=da.MaximalVI(tol=1e-12)).energy)
        for dt in (0.01, 0.005)
    ]
    assert np.log2(bands[0] / bands[1]) == pytest.approx(2.0, abs=0.05)


def lost_and_dissipated(model: da.Model, state: da.State, dt: float, damping: float) -> tuple[float, float]:
    """Energy that is gone after two seconds, and ∫ d Σ rate² dt by the trapezoidal rule."""
    run = da.simulate(model, state, duration=2.0, dt=dt, integrator=da.MaximalVI(tol=1e-12))
    power = damping * (run.qdot**2).sum(axis=1)
    return float(run.energy[0] - run.energy[-1]), float(dt * (power.sum() - 0.5 * (power[0] + power[-1])))


@pytest.mark.parametrize("joint", [da.Revolute(axis=(0, 1, 0)), da.Spherical(), da.Universal()], ids=lambda j: j.name)
def test_what_is_lost_is_what_the_dampers_take(joint: da.JointKind) -> None:
    model = zoo.pendulum(2, joint, damping=0.4)
    rates = {"Revolute": (3.0,), "Spherical": (3.0, -1.0, 2.0), "Universal": (3.0, -1.0)}[joint.name]
    state = model.state(velocities={"joint1": rates, "joint2": rates})
    gaps = [np.subtract(*lost_and_dissipated(model, state, dt, 0.4)) for dt in (0.01, 0.005)]
    # of some twenty joules
    assert abs(gaps[1]) < 1e-2
    assert np.log2(gaps[0] / gaps[1]) == pytest.approx(2.0, abs=0.1)


def test_dampers_take_energy_all_the_time() -> None:
    """Within the band of the method, which is three orders of magnitude below what is lost."""
    model = zoo.double_pendulum(damping=0.1)
    run = da.simulate(model, zoo.pendulum_start(model), duration=20.0, dt=0.01, integrator=da.MaximalVI())
    means = run.energy[: len(run) // 50 * 50].reshape(-1, 50).mean(axis=1)
    assert np.diff(means).max() < 0.01
    assert means[0] - means[-1] > 10.0
