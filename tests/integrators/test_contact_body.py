"""One body on the ground: it falls, rests, sticks, slides, rolls and spins as rigid bodies and Coulomb say."""

from __future__ import annotations

import numpy as np
import pytest
from integrators.contact_models import G, corners, cube, run_of, tilted_ground

import dalembert as da


@pytest.mark.parametrize("dt", [0.1, 0.05, 0.01, 0.005])
@pytest.mark.parametrize("height", [0.1, 0.4, 1.0])
def test_a_dropped_cube_comes_to_rest_on_the_ground(dt: float, height: float) -> None:
    # [Brüdigam 2023] figure 7(d)
    run = run_of(cube(height), duration=1.0, dt=dt)
    gaps = corners(run, "cube", 0.25).min(axis=1)
    # rounding of heights of half a metre
    assert gaps.min() >= -1e-12
    landed = int(np.flatnonzero(gaps < 1e-4)[0])
    assert run.time[landed] < np.sqrt(2 * height / G) + 2 * dt
    assert corners(run, "cube", 0.25)[landed:].min(axis=1).max() < 1e-10
    assert np.abs(run.velocity[landed + 2 :]).max() < 1e-8
    # translations in a uniform field: the balance is exact, and 14 J are lost at most
    assert np.ptp(run.energy + run.lost) < 1e-8


def test_the_ground_bears_the_weight() -> None:
    run = run_of(cube(0.0), duration=0.2, dt=0.01)
    # the tolerance of a position, 1e-10 of a length, over the square of the step
    np.testing.assert_allclose(run.contact("cube").force, np.tile([0, 0, G], (len(run), 1)), rtol=0, atol=1e-6)
    np.testing.assert_allclose(run.contact("ground").force, np.tile([0, 0, -G], (len(run), 1)), rtol=0, atol=1e-6)
    assert run.contact("cube").active.all()
    np.testing.assert_array_equal(run.contact("cube").points, 4)


@pytest.mark.parametrize("heading", [0.0, 0.3, 0.7, 1.2])
def test_a_block_sticks_below_the_angle_of_friction_and_slides_above(heading: float) -> None:
    mu, box = 0.5, da.Box(0.4, 0.4, 0.1)
    below, above = np.arctan(mu) - 0.01, np.arctan(mu) + 0.05
    run = run_of(tilted_ground(below, box, 0.05, mu, heading), duration=1.0, dt=0.01)
    # what is left of the barrier lets it creep at a nanometre a second
    assert np.abs(run.position[-1, 0] - run.position[0, 0]).max() < 1e-8
    run = run_of(tilted_ground(above, box, 0.05, mu, heading), duration=1.0, dt=0.01)
    expected = G * (np.sin(above) - mu * np.cos(above))
    along = run.position[:, 0, 0] * np.cos(heading) + run.position[:, 0, 1] * np.sin(heading)
    across = run.position[:, 0, 1] * np.cos(heading) - run.position[:, 0, 0] * np.sin(heading)
    # the scheme is exact for constant forces
    np.testing.assert_allclose(along, 0.5 * expected * run.time**2, rtol=0, atol=1e-7)
    assert np.abs(across).max() < 1e-7
    speed = np.linalg.norm(run.velocity[:, 0], axis=1)
    np.testing.assert_allclose(speed[1:], expected * run.time[1:], rtol=0, atol=1e-6)
    assert np.ptp(run.energy + run.lost) < 1e-6


def test_a_sphere_rolls_until_friction_gives_in() -> None:
    mu, radius = 0.3, 0.25
    critical = np.arctan(3.5 * mu)
    slope = 0.5 * critical
    run = run_of(tilted_ground(slope, da.Sphere(radius), radius, mu), duration=1.0, dt=0.01)
    acceleration = 2.0 * run.position[-1, 0, 0] / run.time[-1] ** 2
    assert acceleration == pytest.approx(5.0 / 7.0 * G * np.sin(slope), abs=1e-3)
    # rolling: the point below stands still
    np.testing.assert_allclose(run.velocity[1:, 0, 0], radius * _turning(run)[1:], rtol=0, atol=1e-4)
    slope = critical + 0.1
    run = run_of(tilted_ground(slope, da.Sphere(radius), radius, mu), duration=0.5, dt=0.01)
    acceleration = 2.0 * run.position[-1, 0, 0] / run.time[-1] ** 2
    assert acceleration == pytest.approx(G * (np.sin(slope) - mu * np.cos(slope)), abs=1e-3)


def _turning(run: da.Trajectory) -> np.ndarray:
    """Angular velocity about the second axis: the body turns about this axis only."""
    return run.angular_velocity[:, 0, 1]


def test_a_sliding_block_stops_where_friction_says() -> None:
    mu, speed = 0.4, 1.5
    run = run_of(tilted_ground(0.0, da.Box(0.4, 0.4, 0.1), 0.05, mu), 1.0, 0.005, velocity=(0.9, -1.2, 0.0))
    way = np.linalg.norm(run.position[-1, 0] - run.position[0, 0])
    # the last step before it stops is a part of one
    assert way == pytest.approx(speed**2 / (2 * mu * G), abs=1e-4)
    assert run.losses["friction"][-1] == pytest.approx(0.5 * speed**2, abs=1e-6)
    assert np.abs(run.velocity[-1]).max() < 1e-8


@pytest.mark.parametrize("seed", range(3))
def test_a_thrown_cube_tumbles_and_rests(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = cube(0.5)
    turn = rng.normal(size=4)
    state = model.state_from_bodies(
        [[0, 0, 1.0]], [turn / np.linalg.norm(turn)], [2 * rng.normal(size=3)], [5 * rng.normal(size=3)]
    )
    run = da.simulate(model, state, duration=3.0, dt=0.01, integrator=da.MaximalVI())
    gaps = corners(run, "cube", 0.25).min(axis=1)
    assert gaps.min() > -1e-9
    assert gaps[-100:].max() < 1e-9
    # rounding in a body that stands on four points
    assert np.abs(run.velocity[-1]).max() < 1e-8
    errors = run.record.contact_error.max(axis=0)
    assert errors[0] < 1e-9
    assert errors[1] < 1e-10
    assert errors[2] < 1e-9
