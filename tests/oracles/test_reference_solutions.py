"""The published numbers against reduced equations integrated here, so that both can be trusted elsewhere."""

from __future__ import annotations

import numpy as np
from naive import oracles_planar, oracles_spatial, oracles_squeezer
from oracles import published
from scipy.integrate import solve_ivp


def test_point_pendulum() -> None:
    found = oracles_planar.point_pendulum(list(published.POINT_PENDULUM))
    # the integrator's tolerance 1e-12, ten seconds of growth
    np.testing.assert_allclose(found, list(published.POINT_PENDULUM.values()), rtol=0, atol=2e-11)


def test_pendulum_period() -> None:
    """Elliptic integrals, and the period of A01."""
    ratios = [oracles_planar.period_ratio(np.radians(degrees)) for degrees in (90, 60, 30)]
    np.testing.assert_allclose(ratios, (1.18034060, 1.07318201, 1.01740880), rtol=0, atol=6e-9)
    assert abs(2.0 * np.pi / np.sqrt(9.81) * ratios[0] - published.POINT_PENDULUM_PERIOD) < 1e-12


def test_four_bar() -> None:
    found = oracles_planar.n_four_bar(2, [1.0])[0]
    np.testing.assert_allclose(found, published.FOUR_BAR, rtol=0, atol=6e-10)


def test_four_bar_other_code_tends_to_the_same_limit() -> None:
    """Richardson extrapolation of the other code's last two steps; its own fourth-order term is left over."""
    coarse, fine = (np.array(tip) for _, tip, _ in published.FOUR_BAR_OTHER_CODE[-2:])
    limit = (4.0 * fine - coarse) / 3.0
    np.testing.assert_allclose(oracles_planar.n_four_bar(2, [10.0])[0, :2], limit, rtol=0, atol=1e-8)


def test_modelica_double_pendulum() -> None:
    mass = 7700.0 * 0.5 * 0.06**2
    theta1, theta2, rate1, rate2 = oracles_planar.double_pendulum(
        [3.0],
        (0.5 * np.pi, 0.0, 0.0, 0.0),
        length=0.5,
        mass=mass,
        inertia=mass * (0.5**2 + 0.06**2) / 12.0,
        gravity=9.80665,
        damping=(0.1, 0.0),
    )[0]
    # the model library measures the first angle from the level
    found = np.array([theta1 - 0.5 * np.pi, rate1, theta2, rate2])
    assert abs(found[0] - published.MODELICA_DOUBLE_PENDULUM[0]) < 1e-10
    np.testing.assert_allclose(found[1:], published.MODELICA_DOUBLE_PENDULUM[1:], rtol=0, atol=6e-9)


def test_squeezer() -> None:
    found = oracles_squeezer.squeezer([0.03])[0]
    # the crank's speed passes 1000 rad/s and its angle is the most sensitive; the test set's digits end near 1e-9
    np.testing.assert_allclose(found[:2], published.SQUEEZER[:2], rtol=0, atol=3e-9)
    np.testing.assert_allclose(found[2:7], published.SQUEEZER[2:], rtol=0, atol=5e-11)


def test_squeezer_keeps_its_loops() -> None:
    """The closing conditions at the end, recomputed from the angles, against their values at the start."""
    end = oracles_squeezer.squeezer([0.03])[0]
    beta, theta, gamma = end[:3]
    crank = oracles_squeezer.RR * np.exp(1j * beta)
    tip = crank - oracles_squeezer.D * np.exp(1j * (beta + theta))
    arm = oracles_squeezer.XB + 1j * oracles_squeezer.YB - 1j * oracles_squeezer.SS * np.exp(1j * gamma)
    assert abs(tip - arm) < 1e-12


def test_bricard() -> None:
    found = oracles_spatial.bricard(list(published.BRICARD))
    np.testing.assert_allclose(found, list(published.BRICARD.values()), rtol=0, atol=1e-8)


def test_flyball_governor() -> None:
    height = oracles_spatial.flyball_governor(list(published.GOVERNOR))[:, 2]
    np.testing.assert_allclose(height, list(published.GOVERNOR.values()), rtol=0, atol=2e-10)


def test_free_body_rates_solve_eulers_equations() -> None:
    inertia = np.array([3.0, 2.0, 1.0])
    for start in ((0.4, 0.3, 2.0), (2.0, 0.3, -0.4), (0.01, 5.0, 0.01), (-0.01, 5.0, 0.01), (-0.3, -0.5, -1.0)):
        numeric = solve_ivp(
            lambda _, w: np.cross(inertia * w, w) / inertia, (0.0, 3.0), start, method="DOP853", rtol=1e-12, atol=1e-13
        )
        exact = oracles_spatial.free_body_rates([3.0], inertia, start)[0]
        np.testing.assert_allclose(exact, numeric.y[:, -1], rtol=0, atol=1e-10)
