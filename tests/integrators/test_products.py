"""Runs with joints along curves and surfaces and with composite joints, by every integrator that takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanics.product_kinds import PRODUCT_KINDS, carried

import dalembert as da
from dalembert.zoo.redmax_scenes import redmax_scene

METHODS = [da.BDF1(), da.SDIRK2(), da.BDF2(), da.MaximalVI(), da.RungeKutta("rk4")]
TIGHT = da.RungeKutta("DOP853", rtol=1e-12, atol=1e-13)


def moving(name: str) -> tuple[da.Model, da.State]:
    """With a spring, a damper and armature along the curve."""
    model = carried(PRODUCT_KINDS[name], stiffness=3.0, damping=0.2, armature=0.1)
    n = model.joints["track"].coordinates.stop - model.joints["track"].coordinates.start
    where, rates = np.array([0.6, 0.7, 0.4, 0.5, 0.3, 0.2])[:n], np.array([0.4, -0.3, 0.5, 0.2, 0.1, 0.3])[:n]
    return model, model.state(
        positions={"track": where, "ball": (0.2, 0.1, 0.3)}, velocities={"track": rates, "hinge": 1.0}
    )


@pytest.mark.parametrize("name", ["closed", "surface", "mixed"])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_order(method: Any, name: str) -> None:
    """All formulations converge to one motion, at the declared order. The third derivative of a spline jumps at its
    points: a method of fourth order is held to its error."""
    model, state = moving(name)

    def end(integrator: Any, count: int) -> np.ndarray:
        run = da.simulate(model, state, duration=0.2, dt=0.2 / count, integrator=integrator, every=count)
        return np.hstack([run.position[-1], run.velocity[-1], run.angular_velocity[-1]])

    exact = end(TIGHT, 1)
    if method.declared_order > 2:
        assert np.abs(end(method, 100) - exact).max() < 1e-7
        return
    steps = {1: 400, 2: 100}[method.declared_order]
    errors = [float(np.abs(end(method, n) - exact).max()) for n in (steps, 2 * steps)]
    assert errors[1] > 1e-9  # tolerances would hide the order
    assert abs(np.log2(errors[0] / errors[1]) - method.declared_order) < 0.1


def test_a_cart_on_a_round_track_is_a_pendulum() -> None:
    """40 frames on a circle of 1 m: the curve bends within 1e-5 of it, and the cart swings as a pendulum does."""
    angle = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    points = np.stack([np.sin(angle), np.zeros(40), -np.cos(angle)], axis=1)
    turns = np.stack([np.cos(angle / 2), np.zeros(40), -np.sin(angle / 2), np.zeros(40)], axis=1)
    runs = []
    for kind, anchor, start in (
        (da.SplineCurve(points, turns, closed=True), (0, 0, -1), 10.0),
        (da.Revolute((0, -1, 0)), (0, 0, 0), np.pi / 2),
    ):
        builder = da.ModelBuilder()
        builder.add_body("cart", mass=2.0, inertia=(0.1, 0.2, 0.1), position=(0, 0, -1))
        builder.add_joint("track", kind, parent="world", child="cart", anchor=anchor)
        model = builder.build()
        state = model.state(positions={"track": start})
        runs.append(da.simulate(model, state, duration=2.0, dt=0.01, integrator=da.BDF2()))
    assert np.abs(runs[0].position - runs[1].position).max() < 3e-5
    assert np.abs(np.abs(np.sum(runs[0].orientation * runs[1].orientation, axis=2)) - 1.0).max() < 1e-9


def test_a_roller_coaster_keeps_its_energy_over_many_laps() -> None:
    """MaximalVI on the constraints of the curve: closed at every step, energy in a band without a slope."""
    model = coaster()
    run = da.simulate(
        model, model.state(velocities={"track": 4.0}), duration=20.0, dt=0.01, integrator=da.MaximalVI(tol=1e-12)
    )
    laps = float(run.joint("track").position[-1]) / STATIONS
    assert laps > 5.0
    assert run.constraint_error.max() < 1e-11
    swing = np.ptp(run.kinetic)
    halves = np.split(run.energy[1:], 2)
    assert np.ptp(run.energy) < 2e-2 * swing
    assert abs(halves[0].mean() - halves[1].mean()) < 2e-4 * swing


STATIONS = 12


def coaster() -> da.Model:
    """A round track of 2 m with hills of 0.3 m; the cart turns with it."""
    angle = np.linspace(0.0, 2.0 * np.pi, STATIONS, endpoint=False)
    points = np.stack([2.0 * np.cos(angle), 2.0 * np.sin(angle), 0.3 * np.sin(3.0 * angle)], axis=1)
    turns = np.stack([np.cos(angle / 2), np.zeros(STATIONS), np.zeros(STATIONS), np.sin(angle / 2)], axis=1)
    builder = da.ModelBuilder()
    builder.add_body("cart", mass=1.0, inertia=(0.1, 0.2, 0.15), position=(2.0, 0.0, 0.1))
    track = da.SplineCurve(points, turns, closed=True)
    builder.add_joint("track", track, parent="world", child="cart", anchor=(2, 0, 0))
    return builder.build()


@pytest.mark.parametrize(("method", "published"), [(da.BDF1(), 0), (da.BDF2(), 1)], ids=["BDF1", "BDF2"])
def test_the_published_free_body_in_euler_angles(method: Any, published: int) -> None:
    """Scene 9 of [Sueda 2021], a translation followed by angles about x, y, z, as one joint: to 1e-6 relative."""
    builder = da.ModelBuilder(gravity=(0.0, 0.0, -1.0))
    builder.add_body("box", shape=da.Box(1.0, 1.0, 1.0), density=1.0)
    kind = da.Composite((da.FixedOrientation(), da.EulerAngles("XYZ")))
    builder.add_joint("free", kind, parent="world", child="box", anchor=(0.0, 0.0, 0.0))
    model = builder.build()
    state = model.state(velocities={"free": (0.0, 0.0, 3.0, 0.2, 0.4, 0.6)})
    run = da.simulate(model, state, duration=6.0, dt=5e-2, integrator=method)
    expected = redmax_scene(9).energies[published]
    assert expected is not None
    assert abs(run.energy[-1] - run.potential[0] - expected) < 1e-6 * abs(expected)


def guided() -> da.Model:
    """Two links from the world whose tip follows a curve: the curve closes a loop."""
    builder = da.ModelBuilder()
    builder.add_body("lower", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.0, 0.0, 0.5))
    builder.add_body("upper", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0.0, 1.0))
    builder.add_joint("first", da.Revolute((0, 1, 0)), parent="world", child="lower", anchor=(0, 0, 0))
    builder.add_joint("second", da.Revolute((0, 1, 0)), parent="lower", child="upper", anchor=(0, 0, 1))
    curve = da.SplineCurve([(1.0, 0, 1.0), (1.2, 0, 0.7), (1.2, 0, 0.3), (1.1, 0, 0.0)])
    guide = da.Composite((curve, da.Revolute((0, 1, 0))))
    builder.add_joint("guide", guide, parent="world", child="upper", anchor=(1, 0, 1), closes_loop=True)
    return builder.build()


def test_a_curve_closes_a_loop_in_the_maximal_integrator() -> None:
    model = guided()
    assert model.loop_joints == ("guide",)
    run = da.simulate(model, duration=1.0, dt=0.01, integrator=da.MaximalVI())
    assert run.constraint_error.max() < 1e-9
    assert run.joint("guide").position[:, 0].max() > 1.0
    assert np.ptp(run.energy) < 5e-3 * np.ptp(run.kinetic)


@pytest.mark.parametrize("method", [da.BDF2(), da.RungeKutta()], ids=lambda method: method.name)
def test_other_integrators_refuse_loops_along_curves(method: Any) -> None:
    with pytest.raises(da.ModelError, match=r'joint "guide", a Composite, closes a loop.*use MaximalVI'):
        da.simulate(guided(), duration=0.1, dt=0.1, integrator=method)


@pytest.mark.parametrize("method", [da.MinimalVI(), da.GalerkinVI()], ids=lambda method: method.name)
def test_integrators_of_simple_joints_refuse_curves(method: Any) -> None:
    with pytest.raises(da.ModelError, match=r'joint "track" is a SplineCurve.*use MaximalVI or BDF1'):
        da.simulate(coaster(), duration=0.1, dt=0.1, integrator=method)


def test_assembly_moves_bodies_onto_the_curve() -> None:
    model = coaster()
    state = model.state(positions={"track": 1.3}, velocities={"track": 0.7})
    rough = model.state_from_bodies(
        state.position + (0.03, -0.02, 0.05), state.orientation, state.velocity + 0.1, near=state
    )
    found = model.assemble(rough)
    assert found.dof == 1 and found.residual < 1e-12
    again = model.state(positions={"track": found.state.coordinates}, velocities={"track": found.state.rates})
    assert np.abs(again.position - found.state.position).max() < 1e-12
    assert np.abs(again.velocity - found.state.velocity).max() < 1e-11
    held = model.assemble(rough, hold=("track",)).state
    assert abs(held.coordinates[0] - rough.coordinates[0]) < 1e-12


@pytest.mark.parametrize("name", ["closed", "surface", "mixed"])
def test_models_with_curves_come_back_from_files(name: str, tmp_path: Path) -> None:
    model = carried(PRODUCT_KINDS[name])
    da.save_model(model, tmp_path / "model.json")
    again = da.load(tmp_path / "model.json")
    for one, other in zip(model.system, again.system, strict=True):
        assert np.array_equal(one, other)
    assert again.joints["track"].kind.rate_names == model.joints["track"].kind.rate_names
    damaged = (tmp_path / "model.json").read_text().replace('"system.product_start"', '"system.product_begin"')
    lost = tmp_path / "lost.json"
    lost.write_text(damaged.replace('"system.product_factor"', '"system.product_facts"'))
    with pytest.raises(da.ModelFileError):
        da.load(lost)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (da.SplineCurve(()), "points: expected 2 or more points"),
        (da.SplineCurve([(0, 0, 0)]), "points: expected 2 or more points, found 1"),
        (da.SplineCurve([(0, 0, 0)] * 3, through=False), "4 or more points"),
        (da.SplineCurve([(0, 0, 0), (1, 0, 0)], [(1, 0, 0, 0)]), "orientations: expected 2 quaternions"),
        (da.SplineCurve([(0, 0, 0), (1, 0, 0)], [(1, 0, 0, 0), (0, 0, 0, 1)]), "turns .* that are too large"),
        (da.SplineSurface([(0, 0, 0)]), "points: expected a grid of points"),
        (da.SplineSurface(np.zeros((1, 2, 3))), "2 by 2 points, found 1 by 2"),
        (da.SplineSurface(np.zeros((2, 2, 3)), np.zeros((2, 3))), "angles: expected angles"),
        (da.EulerAngles("XXY"), "axes: expected one of XYX"),
        (da.Composite(()), "parts: expected joint kinds"),
        (da.Composite((da.Spherical(),)), "for a turn about a point take EulerAngles"),
        (da.Composite((da.EulerAngles(), da.EulerAngles(), da.Revolute())), "six coordinates at most, found 7"),
        (da.Composite((da.Revolute((0, 0, 2)),)), r"parts\[0\], axis"),
    ],
)
def test_faults_are_named(kind: Any, words: str) -> None:
    with pytest.raises(da.ModelError, match=words):
        carried(kind)
