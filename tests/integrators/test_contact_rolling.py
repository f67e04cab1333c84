"""Torsional and rolling friction: spinning and rolling bodies slow down as their moments say, and stop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from integrators.contact_models import G, free, run_of

import dalembert as da

RADIUS = 0.2


def ball(slope: float = 0.0, **ground: Any) -> da.Model:
    """A ball of 1 kg on a plane that falls along x."""
    b = da.ModelBuilder(gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    b.add_body("ball", mass=1.0, shape=da.Sphere(RADIUS), position=(0, 0, RADIUS))
    free(b, "ball")
    b.add_ground(**ground)
    return b.build()


def test_torsional_friction_stops_a_spinning_ball() -> None:
    length, spin, moment = 0.01, 4.0, 0.4 * RADIUS**2
    model = ball(friction=0.5, torsional_friction=length)
    run = run_of(model, duration=1.0, dt=0.005, spin=(0, 0, spin))
    slowing = length * G / moment
    expected = np.maximum(0.0, spin - slowing * run.time)
    # the step in which it stops has a part of the moment
    assert np.abs(run.angular_velocity[:, 0, 2] - expected).max() < 0.5 * slowing * 0.005 + 1e-6
    assert np.abs(run.position[-1, 0] - (0, 0, RADIUS)).max() < 1e-7
    assert run.losses["friction"][-1] == pytest.approx(0.5 * moment * spin**2, abs=1e-5)
    angle = 2.0 * np.arctan2(run.orientation[-1, 0, 3], run.orientation[-1, 0, 0])
    assert angle == pytest.approx(0.5 * spin**2 / slowing, abs=0.5 * slowing * 0.005**2 + 1e-6)


def test_a_can_that_spins_on_its_end_is_stopped_by_the_friction_of_its_rim() -> None:
    mu, spin = 0.3, 6.0
    b = da.ModelBuilder(gravity=(0, 0, -G))
    b.add_body("can", mass=1.0, shape=da.Cylinder(RADIUS, 0.1), position=(0, 0, 0.05))
    free(b, "can")
    b.add_ground(friction=mu)
    run = run_of(b.build(), duration=0.5, dt=0.005, spin=(0, 0, spin))
    # the rim bears the weight: μ m g r over ½ m r²
    slowing = 2.0 * mu * G / RADIUS
    expected = np.maximum(0.0, spin - slowing * run.time)
    assert np.abs(run.angular_velocity[:, 0, 2] - expected).max() < 0.5 * slowing * 0.005 + 1e-6
    assert np.abs(run.angular_velocity[-1]).max() < 1e-6


def test_rolling_friction_slows_a_rolling_ball() -> None:
    length, speed = 0.01, 1.0
    model = ball(friction=0.8, rolling_friction=length)
    run = run_of(model, duration=3.5, dt=0.01, velocity=(speed, 0, 0), spin=(0, speed / RADIUS, 0))
    # about the point of contact: 7/5 m r² α = length m g
    slowing = 5.0 / 7.0 * length * G / RADIUS
    expected = np.maximum(0.0, speed - slowing * run.time)
    assert np.abs(run.velocity[:, 0, 0] - expected).max() < 0.5 * slowing * 0.01 + 1e-5
    assert run.position[-1, 0, 0] == pytest.approx(0.5 * speed**2 / slowing, abs=1e-4)
    assert np.abs(run.velocity[-1]).max() < 1e-6
    # turning bodies balance up to the integrator's own band
    assert run.losses["friction"][-1] == pytest.approx(0.5 * 1.4 * speed**2, abs=1e-4)


@pytest.mark.parametrize("part", [0.95, 1.2])
def test_rolling_friction_holds_a_ball_on_a_slope_up_to_its_length_over_the_radius(part: float) -> None:
    length = 0.02
    slope = np.arctan(part * length / RADIUS)
    run = run_of(ball(slope, friction=0.8, rolling_friction=length), duration=1.0, dt=0.01)
    if part < 1.0:
        assert np.abs(run.position[-1, 0, :2]).max() < 1e-7
    else:
        pull = 5.0 / 7.0 * G * (np.sin(slope) - length / RADIUS * np.cos(slope))
        assert run.position[-1, 0, 0] == pytest.approx(0.5 * pull, abs=1e-4)
