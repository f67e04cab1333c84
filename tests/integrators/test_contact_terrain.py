"""Bodies on height fields: flat ones are the plane, valleys hold balls, slopes are slid down, ridges carry boxes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from integrators.contact_models import G, free

import dalembert as da

LEVEL = np.arange(-8, 9) * 0.25


def over(heights: np.ndarray | None, shape: da.Shape, position: tuple[float, float, float], **surface: Any) -> da.Model:
    """A body of 1 kg over a height field of 4 m by 4 m, or over the plane."""
    b = da.ModelBuilder(gravity=(0, 0, -G))
    b.add_body("body", mass=1.0, shape=shape, position=position)
    free(b, "body")
    if heights is None:
        b.add_ground(**surface)
    else:
        b.add_contact("world", da.HeightField(heights, 0.25), **surface)
    return b.build()


@pytest.mark.parametrize(
    "shape", [da.Sphere(0.2), da.Box(0.3, 0.4, 0.2), da.Capsule(0.1, 0.4)], ids=lambda s: type(s).__name__
)
def test_a_flat_height_field_is_the_plane(shape: da.Shape) -> None:
    ends = []
    for heights in (np.zeros((17, 17)), None):
        model = over(heights, shape, (0.03, 0.02, 0.5), friction=0.4)
        state = model.state_from_bodies([[0.03, 0.02, 0.5]], [[0.9, 0.3, 0.3, 0.1]], [[1.0, 0.4, 0.0]], [[0, 1.0, 0.5]])
        run = da.simulate(model, state, duration=0.4, dt=0.005, integrator=da.MaximalVI())
        assert run.record.contact_error[:, 2].max() < 1e-9
        ends.append(np.concatenate((run.position[-1, 0], run.orientation[-1, 0], run.velocity[-1, 0])))
    # with triangles beside each other a contact stands there several times, each with its share
    assert np.abs(ends[0] - ends[1]).max() < 1e-5


def test_a_ball_settles_in_a_valley() -> None:
    # two slopes of 45 degrees: the middle is r √2 above the line where they meet
    heights = np.abs(LEVEL)[:, None] * np.ones(17)
    model = over(heights, da.Sphere(0.2), (0.05, 0.1, 0.5), friction=0.5, rolling_friction=0.02)
    run = da.simulate(model, duration=2.5, dt=0.005, integrator=da.MaximalVI())
    assert abs(run.position[-1, 0, 0]) < 1e-5
    assert run.position[-1, 0, 2] == pytest.approx(0.2 * 2**0.5, abs=1e-5)
    assert run.record.contact_error[:, 2].max() < 1e-8


def test_a_box_slides_down_a_slope_between_grid_lines() -> None:
    slope, mu = 0.5, 0.3
    heights = -np.tan(slope) * LEVEL[:, None] * np.ones(17)
    turn = (np.cos(0.5 * slope), 0.0, np.sin(0.5 * slope), 0.0)
    start = -1.0 * np.array([np.cos(slope), 0, -np.sin(slope)]) + 0.05 * np.array([np.sin(slope), 0, np.cos(slope)])
    model = over(heights, da.Box(0.3, 0.4, 0.1), tuple(start.tolist()), friction=mu)
    state = model.state_from_bodies([start], [turn], [[0, 0, 0]], [[0, 0, 0]])
    run = da.simulate(model, state, duration=0.5, dt=0.01, integrator=da.MaximalVI())
    way = (run.position[-1, 0] - start) @ [np.cos(slope), 0, -np.sin(slope)]
    assert 2.0 * way / run.time[-1] ** 2 == pytest.approx(G * (np.sin(slope) - mu * np.cos(slope)), abs=1e-3)
    assert abs((run.position[-1, 0] - start) @ [np.sin(slope), 0, np.cos(slope)]) < 1e-7


@pytest.mark.parametrize(("aside", "falls"), [(0.0, False), (0.06, True)])
def test_a_box_rests_on_two_ridges_and_tips_over_one(aside: float, falls: bool) -> None:
    # ridges 0.5 m apart; the middle of the box is between them, or beyond one of them
    heights = np.where(np.abs(np.abs(LEVEL) - 0.25) < 1e-9, 0.3, 0.0)[:, None] * np.ones(17)
    at = 0.25 + aside if falls else 0.0
    model = over(heights, da.Box(0.9, 0.3, 0.2), (at, 0.06, 0.4 + 1e-6), friction=0.8)
    run = da.simulate(model, duration=0.4, dt=0.01, integrator=da.MaximalVI())
    if falls:
        assert run.angular_velocity[-1, 0, 1] > 0.3
    else:
        assert np.abs(run.position[-1, 0] - (0.0, 0.06, 0.4)).max() < 1e-5
    assert run.record.contact_error[:, 2].max() < 1e-5
