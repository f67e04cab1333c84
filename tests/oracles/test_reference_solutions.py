"""The published numbers against reduced equations integrated here, so that both can be trusted elsewhere."""

from __future__ import annotations

import numpy as np
from naive import oracles_planar, oracles_spatial, oracles_squeezer
from scipy.integrate import solve_ivp


def test_point_pendulum() -> None:
    published = [
        (0.9862917511319, -0.1650108531255),
        (-0.9423054350439, -0.3347543384137),
        (-0.3164364699141, -0.9486137045754),
        (-0.2750874625772, -0.9614192050988),
    ]
    found = oracles_planar.point_pendulum([1.0, 5.0, 9.99, 10.0])
    # the integrator's tolerance 1e-12, ten seconds of growth
    np.testing.assert_allclose(found, published, rtol=0, atol=2e-11)


def test_pendulum_period() -> None:
    """Elliptic integrals, and the period of A01."""
    ratios = [oracles_planar.period_ratio(np.radians(degrees)) for degrees in (90, 60, 30)]
    np.testing.assert_allclose(ratios, (1.18034060, 1.07318201, 1.01740880), rtol=0, atol=6e-9)
    assert abs(2.0 * np.pi / np.sqrt(9.81) * ratios[0] - 2.3678419475762) < 1e-12


def test_four_bar() -> None:
    found = oracles_planar.n_four_bar(2, [1.0])[0]
    np.testing.assert_allclose(found, (-0.1950203019, -0.9807992057, -6.676678037, 1.327578325), rtol=0, atol=6e-10)


def test_four_bar_other_code_tends_to_the_same_limit() -> None:
    """Richardson extrapolation of the other code's last two steps; its own fourth-order term is left over."""
    coarse, fine = np.array([0.3284465114, 0.9445225721]), np.array([0.3284552113, 0.9445195467])
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
    assert abs(theta1 - 0.5 * np.pi - -2.31791567544) < 1e-10
    np.testing.assert_allclose((rate1, theta2, rate2), (4.09416473, -1.73653457, -0.05039453), rtol=0, atol=6e-9)


def test_squeezer() -> None:
    published = [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ]
    found = oracles_squeezer.squeezer([0.03])[0]
    # the crank's speed passes 1000 rad/s and its angle is the most sensitive; the test set's digits end near 1e-9
    np.testing.assert_allclose(found[:2], published[:2], rtol=0, atol=3e-9)
    np.testing.assert_allclose(found[2:7], published[2:], rtol=0, atol=5e-11)


def test_squeezer_keeps_its_loops() -> None:
    """The closing conditions at the end, recomputed from the angles, against their values at the start."""
    end = oracles_squeezer.squeezer([0.03])[0]
    beta, theta, gamma = end[:3]
    crank = oracles_squeezer.RR * np.exp(1j * beta)
    tip = crank - oracles_squeezer.D * np.exp(1j * (beta + theta))
    arm = oracles_squeezer.XB + 1j * oracles_squeezer.YB - 1j * oracles_squeezer.SS * np.exp(1j * gamma)
    assert abs(tip - arm) < 1e-12


def test_bricard() -> None:
    published = [(0.51050146, -1.64916760, 0.14012311), (-0.96934034, -1.22124689, 0.75427801)]
    np.testing.assert_allclose(oracles_spatial.bricard([1.0, 2.0]), published, rtol=0, atol=1e-8)


def test_flyball_governor() -> None:
    height = oracles_spatial.flyball_governor([0.1, 0.5, 1.0])[:, 2]
    np.testing.assert_allclose(height, (0.5238364756, 0.7432494248, 0.5014209224), rtol=0, atol=2e-10)


def test_free_body_rates_solve_eulers_equations() -> None:
    inertia = np.array([3.0, 2.0, 1.0])
    for start in ((0.4, 0.3, 2.0), (2.0, 0.3, -0.4), (0.01, 5.0, 0.01), (-0.01, 5.0, 0.01), (-0.3, -0.5, -1.0)):
        numeric = solve_ivp(
            lambda _, w: np.cross(inertia * w, w) / inertia, (0.0, 3.0), start, method="DOP853", rtol=1e-12, atol=1e-13
        )
        exact = oracles_spatial.free_body_rates([3.0], inertia, start)[0]
        np.testing.assert_allclose(exact, numeric.y[:, -1], rtol=0, atol=1e-10)
