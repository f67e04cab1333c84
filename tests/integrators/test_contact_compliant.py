"""Compliant contact: it sinks in by the load over the stiffness, swings as a spring does, and tends to a rigid one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from integrators.contact_models import G, free, run_of

import dalembert as da


def soft_ground(shape: da.Shape, height: float, **ground: Any) -> da.Model:
    """A body of 2 kg whose lowest point is ``height`` above a ground."""
    b = da.ModelBuilder(gravity=(0, 0, -G))
    b.add_body("body", mass=2.0, shape=shape, position=(0, 0, 0.1 + height))
    free(b, "body")
    b.add_ground(**ground)
    return b.build()


@pytest.mark.parametrize(("shape", "points"), [(da.Sphere(0.1), 1), (da.Box(0.3, 0.4, 0.2), 4)])
@pytest.mark.parametrize("stiffness", [1e3, 1e5])
def test_a_body_sinks_in_by_its_weight_over_the_stiffness(shape: da.Shape, points: int, stiffness: float) -> None:
    # every point of contact is a spring of its own; critical damping brings it to rest
    damping = 2.0 * np.sqrt(2.0 * stiffness / points)
    model = soft_ground(shape, 0.0, stiffness=stiffness, damping=damping)
    run = run_of(model, duration=3.0, dt=0.01)
    sink = 2.0 * G / (points * stiffness)
    assert run.position[-1, 0, 2] - 0.1 == pytest.approx(-sink, abs=1e-8)
    # the gap is the one there is, and what is let in is no error of penetration
    assert run.contact("body").gap[-2] == pytest.approx(-sink, abs=1e-8)
    assert run.record.contact_error[:, 2].max() == 0.0
    np.testing.assert_allclose(run.contact("body").force[-2], [0, 0, 2.0 * G], rtol=0, atol=1e-5)


def test_it_swings_about_that_depth_with_the_period_of_a_spring() -> None:
    stiffness, mass = 2e3, 2.0
    period = 2.0 * np.pi * np.sqrt(mass / stiffness)
    sink = mass * G / stiffness
    dt = period / 2000
    model = soft_ground(da.Sphere(0.1), -0.5 * sink, stiffness=stiffness)
    run = run_of(model, duration=3.2 * period, dt=dt)
    away = run.position[:, 0, 2] - 0.1 + sink
    ups = np.flatnonzero((away[:-1] < 0) & (away[1:] >= 0))
    crossed = run.time[ups] - dt * away[ups] / (away[ups + 1] - away[ups])
    assert np.diff(crossed).mean() == pytest.approx(period, rel=1e-4)
    # the spring is taken at the end of each step: it damps by ω h / 2 a radian
    decay = np.log(np.abs(away[: len(away) // 3]).max() / np.abs(away[-len(away) // 3 :]).max())
    assert decay == pytest.approx(0.5 * 2 * np.pi / period * dt * 2 * np.pi * 2.2, rel=0.15)


def test_it_goes_over_into_the_rigid_one() -> None:
    runs = {}
    for stiffness in (1e4, 1e5, 1e6, None):
        model = soft_ground(da.Box(0.3, 0.4, 0.2), 0.05, friction=0.4, stiffness=stiffness)
        state = model.state_from_bodies([[0, 0, 0.15]], [[1, 0, 0, 0]], [[1.0, 0.5, 0]], [[0, 0, 0]])
        runs[stiffness] = da.simulate(model, state, duration=0.5, dt=0.01, integrator=da.MaximalVI())
    apart = [np.linalg.norm(runs[k].position[-1] - runs[None].position[-1]) for k in (1e4, 1e5, 1e6)]
    # a hundred times as stiff, a hundred times as near
    assert apart[2] < 1e-5
    assert apart[0] > 30 * apart[2]
    for k in (1e4, 1e5, 1e6):
        depth = (0.1 - runs[k].position[:, 0, 2]).max()
        # at most as deep as the fall and the weight would press it without any loss
        sink = 2.0 * G / (4 * k)
        assert 0.0 < depth < 1.01 * (sink + np.sqrt(sink**2 + 2.0 * sink * 0.05))
