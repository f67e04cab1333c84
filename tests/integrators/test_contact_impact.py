"""Restitution: Newton's coefficient, an impact that runs through a row of balls, and no energy from nowhere."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import dalembert as da


def test_a_ball_bounces_to_the_square_of_the_coefficient() -> None:
    e, dt = 0.8, 0.002
    b = da.ModelBuilder()
    b.add_body("ball", mass=1.0, shape=da.Sphere(0.1), position=(0, 0, 1.1))
    b.add_joint("free", da.Floating(), parent="world", child="ball")
    b.add_contact("ball", restitution=e)
    b.add_ground()
    run = da.simulate(b.build(), duration=2.2, dt=dt, integrator=da.MaximalVI())
    z = run.position[:, 0, 2] - 0.1
    peaks = [1.0, *z[1:-1][(z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:])]]
    assert len(peaks) >= 4
    # it turns round at the last knot above the ground, at most a step before it would touch
    for before, after in pairwise(peaks):
        fall = dt * np.sqrt(2 * 9.81 * before)
        assert 0.0 <= after - e * e * before < (1 - e * e) * fall + 1e-3 * before
    assert np.diff(run.energy).max() < 1e-11
    assert np.ptp(run.energy + run.lost) < 1e-11


def test_a_resting_body_is_not_lifted_by_its_restitution() -> None:
    b = da.ModelBuilder()
    b.add_body("cube", mass=1.0, shape=da.Box(0.2, 0.2, 0.2), position=(0, 0, 0.3))
    b.add_joint("free", da.Floating(), parent="world", child="cube")
    b.add_contact("cube", restitution=0.5)
    b.add_ground()
    run = da.simulate(b.build(), duration=2.0, dt=0.01, integrator=da.MaximalVI())
    assert np.abs(run.position[-50:, 0, 2] - 0.1).max() < 1e-9
    # all four corners strike at once
    assert np.abs(run.angular_velocity).max() < 1e-10


def test_newtons_cradle_of_five() -> None:
    b, n, radius = da.ModelBuilder(), 5, 0.05
    for i in range(n):
        b.add_body(f"ball {i}", mass=0.3, shape=da.Sphere(radius), position=(2 * radius * i, 0, -1))
        hinge = da.Revolute(axis=(0, 1, 0))
        b.add_joint(f"hinge {i}", hinge, parent="world", child=f"ball {i}", anchor=(2 * radius * i, 0, 0))
        b.add_contact(f"ball {i}", restitution=1.0, friction=0.0)
    model = b.build()
    state = model.state(positions={"hinge 0": 0.5})
    run = da.simulate(model, state, duration=1.0, dt=0.005, integrator=da.MaximalVI())
    last = run.coordinates[-1]
    peak = run.coordinates[np.abs(run.coordinates[:, 4]).argmax()]
    # it strikes at the last knot before the balls touch, so what is left of its fall is up to a step
    assert abs(peak[4]) == pytest.approx(0.5, abs=2e-3)
    assert np.abs(peak[1:4]).max() < 1e-3
    assert np.abs(last[1:4]).max() < 1e-3
    # elastic: what there is of a band is the integrator's own
    assert np.ptp(run.energy) < 1e-4
    assert abs(run.lost[-1]) < 1e-9


@pytest.mark.parametrize("restitution", [0.0, 0.6, 1.0])
def test_collisions_in_free_space_keep_both_momenta(restitution: float) -> None:
    b = da.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("a", mass=1.0, shape=da.Box(0.4, 0.3, 0.2), position=(0, 0, 0))
    b.add_body("b", mass=2.0, shape=da.Box(0.3, 0.3, 0.3), position=(0.6, 0.1, 0.05))
    for name in "ab":
        b.add_joint(f"{name} free", da.Floating(), parent="world", child=name)
        b.add_contact(name, restitution=restitution, friction=0.4)
    model = b.build()
    state = model.state_from_bodies(
        [[0, 0, 0], [0.6, 0.1, 0.05]],
        [[1, 0, 0, 0], [1, 0, 0, 0]],
        [[1.5, 0, 0], [-0.5, 0.1, 0.0]],
        [[0.3, -0.2, 0.5], [0.1, 0.4, -0.6]],
    )
    run = da.simulate(model, state, duration=0.6, dt=0.005, integrator=da.MaximalVI(tol=1e-12))
    assert np.abs(run.contact("a").force).max() > 1.0
    assert np.abs(run.linear_momentum - run.linear_momentum[0]).max() < 1e-10
    assert np.abs(run.angular_momentum - run.angular_momentum[0]).max() < 1e-10
    assert np.diff(run.energy).max() < 1e-3
    assert run.record.contact_error[:, 2].max() < 1e-9
