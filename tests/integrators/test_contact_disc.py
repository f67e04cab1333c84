"""Euler's disc: a coin that rolls on its rim keeps its energy and precesses as the equations of rolling say."""

from __future__ import annotations

import numpy as np
import pytest
from integrators.contact_models import G, free

import dalembert as da
from dalembert.spatial.quaternion import rotate

RADIUS, THICK = 0.05, 1e-4


def coin(lean: float, rolling: float = 0.0, friction: float = 1.0) -> tuple[da.Model, da.State, float]:
    """A thin coin that leans by an angle and rolls with its middle at rest; and the rate of its point of contact.

    Its angular velocity lies along the radius to the point of contact, so both ends of it stand still: ω = Ω sin α, and
    the moment of the ground about the middle turns it: Ω² sin α = 4 g / r [Moffatt 2000].
    """
    b = da.ModelBuilder(gravity=(0, 0, -G))
    shape = da.Cylinder(RADIUS, THICK)
    height = RADIUS * np.sin(lean) + 0.5 * THICK * np.cos(lean)
    turn = (np.cos(0.5 * lean), 0.0, np.sin(0.5 * lean), 0.0)
    b.add_body("coin", mass=0.1, shape=shape, position=(0, 0, height), orientation=turn)
    free(b, "coin")
    b.add_ground(friction=friction, rolling_friction=rolling)
    model = b.build()
    rate = np.sqrt(4.0 * G / (RADIUS * np.sin(lean)))
    # about y the coin's lowest point is on the side of +x
    state = model.state_from_bodies([[0, 0, height]], [turn], [[0, 0, 0]], [[rate * np.sin(lean), 0, 0]])
    return model, state, float(rate)


def axis_of(run: da.Trajectory) -> np.ndarray:
    """(N, 3) the normal of the coin in the world."""
    return np.array([rotate(tuple(q), (0.0, 0.0, 1.0)) for q in run.orientation[:, 0].tolist()])


@pytest.mark.parametrize("lean", [0.3, 0.8])
def test_a_rolling_coin_precesses_at_the_rate_of_euler_s_disc(lean: float) -> None:
    """The forces of an interval act at the point of contact at its start, so a rolling rim is of first order."""
    errors = []
    for steps in (400, 800):
        model, state, rate = coin(lean)
        period = 2.0 * np.pi / rate
        run = da.simulate(model, state, duration=3 * period, dt=period / steps, integrator=da.MaximalVI())
        axis = axis_of(run)
        turned = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
        errors.append(abs(turned[-1]) / (rate * run.time[-1]) - 1.0)
        assert np.abs(np.arccos(np.clip(axis[:, 2], -1, 1)) - lean).max() < 20.0 / steps
        # the middle stays where it is but for a millimetre
        assert np.abs(run.position[:, 0] - run.position[0, 0]).max() < 1.0 / steps
        assert run.record.contact_error[:, 2].max() < 1e-8
        assert np.ptp(run.energy + run.lost) < 1e-6 * run.energy[0]
        # it rolls: friction takes nothing but what the order of the scheme leaves
        assert abs(run.lost[-1]) < 2e-3 * run.energy[0]
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.15)
    assert abs(2.0 * errors[1] - errors[0]) < 3e-3


def test_with_rolling_friction_it_falls_and_turns_faster_and_faster() -> None:
    model, state, rate = coin(0.5, rolling=2e-3)
    run = da.simulate(model, state, duration=0.6, dt=5e-4, integrator=da.MaximalVI())
    axis = axis_of(run)
    lean = np.arccos(np.clip(axis[:, 2], -1, 1))
    assert np.isfinite(run.position).all()
    # it sinks, and its point of contact goes round faster
    assert lean[-1] < 0.8 * lean[0]
    turned = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    last = abs(turned[-1] - turned[-201]) / (run.time[-1] - run.time[-201])
    assert last > 1.05 * rate
    # the moment of rolling friction takes its power from the turn about the tangents of the ground
    turning = np.array(
        [rotate(tuple(q), tuple(w)) for q, w in zip(run.orientation[:, 0], run.angular_velocity[:, 0], strict=True)]
    )
    power = 2e-3 * run.contact("coin").force[:, 2] * np.linalg.norm(turning[:, :2], axis=1)
    assert run.losses["friction"][-1] == pytest.approx(power[:-1].sum() * run.dt, rel=0.03)
    assert np.ptp(run.energy + run.lost) < 1e-5 * run.energy[0]
