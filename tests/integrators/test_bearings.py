"""Friction in bearings by what joints carry: bilateral staggered projections, [Sueda 2021] section 2.11."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da

G = 9.81
MU, RADIUS, MASS = 0.3, 0.05, 2.0
STEP = 1e-3


def rotor(
    axis: tuple[float, float, float],
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0),
    length: float = 0.2,
    gravity: float = G,
    closed: bool = False,
) -> da.Model:
    """A wheel of moment 0.1 about its centre, which is ``offset`` from the middle of its bearing; ``closed``: the
    bearing is that of a loop."""
    b = da.ModelBuilder(gravity=(0.0, 0.0, -gravity))
    b.add_body("wheel", mass=MASS, inertia=(0.1, 0.1, 0.1), position=offset)
    if closed:
        b.add_joint("free", da.Floating(), parent="world", child="wheel")
    b.add_joint("pin", da.Revolute(axis), parent="world", child="wheel", anchor=(0, 0, 0))
    b.add_bearing("pin", friction=MU, radius=RADIUS, length=length)
    return b.build()


def spin(model: da.Model, duration: float, dt: float = STEP, **options: Any) -> np.ndarray:
    """Angular velocity about the pin's axis, from 5 rad/s."""
    closed = not model.joints["pin"].in_tree
    kind = model.joints["pin"].kind
    assert isinstance(kind, da.Revolute)
    axis = np.asarray(kind.axis)
    if closed:
        state = model.state(velocities={"free": (0, 0, 0, *(5.0 * axis))})
    else:
        state = model.state(velocities={"pin": 5.0})
    run = da.simulate(model, state, duration=duration, dt=dt, integrator=da.StaggeredEuler(**options))
    return run.body("wheel").angular_velocity @ axis


@pytest.mark.parametrize(
    ("axis", "offset", "load"),
    [
        ((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0),
        # overhung by 0.3 on ends 0.2 apart: they carry 2 g and −g times the mass
        ((1.0, 0.0, 0.0), (0.3, 0.0, 0.0), 3.0),
        # on its shoulder
        ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 1.0),
        ((0.6, 0.0, 0.8), (0.0, 0.0, 0.0), 1.4),
    ],
    ids=["level", "overhung", "upright", "inclined"],
)
def test_wheel_slows_down_by_its_load_and_stays(
    axis: tuple[float, float, float], offset: tuple[float, float, float], load: float
) -> None:
    """ω = ω₀ − μ r Σ|F| t/J, at every step, until it rests; an axis through its own middle has no other load."""
    slowing = MU * RADIUS * MASS * G * load / 0.1
    model = rotor(axis, offset)
    found = spin(model, 3.0, 0.01)
    expected = np.maximum(5.0 - slowing * 0.01 * np.arange(found.size), 0.0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-7)


@pytest.mark.parametrize("options", [{}, {"unknowns": "maximal"}], ids=str)
def test_bearing_of_a_joint_that_closes_a_loop(options: dict[str, Any]) -> None:
    """The load is that of multipliers: the same wheel on a loop, with the gap that linearisation leaves taken back."""
    found = spin(rotor((1.0, 0.0, 0.0), closed=True), 1.0, 0.01, stabilisation="post", **options)
    expected = 5.0 - MU * RADIUS * MASS * G / 0.1 * 0.01 * np.arange(found.size)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)


def test_eccentric_wheel_without_weight_slows_down_by_its_own_load() -> None:
    """|F| = m e √(ω⁴ + α²), J α = −μ r |F|: ω = ω₀/(1 + k' ω₀ t), k' = k/√(1 − k²), k = μ r m e/J; first order."""
    e = 0.5
    k = MU * RADIUS * MASS * e / (0.1 + MASS * e * e)
    k /= np.sqrt(1.0 - k * k)
    ends = [spin(rotor((0.0, 1.0, 0.0), (0.0, 0.0, -e), gravity=0.0), 1.0, dt)[-1] for dt in (0.01, 0.005)]
    exact = 5.0 / (1.0 + 5.0 * k)
    errors = np.array(ends) - exact
    assert 1.8 < errors[0] / errors[1] < 2.2
    assert abs(2.0 * ends[1] - ends[0] - exact) < 1e-5 * exact


def pendulum_reference(e: float, start: float, duration: float) -> float:
    """θ of a pendulum whose pin rubs by what it carries, in its first swing, by DOP853 at round-off."""
    moment = 0.1 + MASS * e * e

    def rate(_: float, y: np.ndarray) -> list[float]:
        angle, speed = y
        way = np.sign(speed) if speed else -np.sign(angle)
        acceleration = -MASS * G * e * np.sin(angle) / moment
        for _ in range(20):
            force = MASS * np.hypot(e * speed**2 + G * np.cos(angle), e * acceleration + G * np.sin(angle))
            acceleration = (-MASS * G * e * np.sin(angle) - way * MU * RADIUS * force) / moment
        return [speed, acceleration]

    found = solve_ivp(rate, (0.0, duration), [start, 0.0], method="DOP853", rtol=1e-11, atol=1e-12)
    return float(found.y[0, -1])


def test_pendulum_with_a_rubbing_pin() -> None:
    """First order towards the exact motion; its extrapolation within 2e-4 rad."""
    e, start = 0.5, 1.2
    exact = pendulum_reference(e, start, 0.6)
    model, ends = rotor((0.0, 1.0, 0.0), (0.0, 0.0, -e)), []
    for dt in (4e-3, 2e-3):
        run = da.simulate(
            model, model.state(positions={"pin": start}), duration=0.6, dt=dt, integrator=da.StaggeredEuler()
        )
        ends.append(run.joint("pin").position[-1])
    errors = np.array(ends) - exact
    assert 1.8 < errors[0] / errors[1] < 2.2
    assert abs(2.0 * ends[1] - ends[0] - exact) < 2e-4


@pytest.mark.parametrize(("slope", "moves"), [(0.6, True), (0.25, False)])
def test_slide_on_a_slope(slope: float, moves: bool) -> None:
    """g (sin α − μ cos α) along it, or nothing where tan α < μ."""
    along = (np.cos(slope), 0.0, -np.sin(slope))
    b = da.ModelBuilder()
    b.add_body("block", mass=MASS, inertia=(0.1, 0.1, 0.1))
    b.add_joint("rail", da.Prismatic(along), parent="world", child="block", anchor=(0, 0, 0))
    b.add_bearing("rail", friction=MU, length=0.2)
    run = da.simulate(b.build(), duration=1.0, dt=0.01, integrator=da.StaggeredEuler())
    pace = G * (np.sin(slope) - MU * np.cos(slope)) if moves else 0.0
    np.testing.assert_allclose(run.body("block").velocity @ np.array(along), pace * run.time, rtol=0, atol=1e-7)


@pytest.mark.parametrize(("arm", "jams"), [(0.25, False), (0.4, True)])
def test_slide_jams_where_the_textbook_says(arm: float, jams: bool) -> None:
    """A drawer of length L, pulled at the arm s from its rail: the ends carry F s/L each way. It jams for 2 μ s > L."""
    length, pull = 0.2, 10.0
    b = da.ModelBuilder(gravity=(0.0, 0.0, 0.0))
    b.add_body("drawer", mass=MASS, inertia=(0.1, 0.1, 0.1))
    b.add_joint("rail", da.Prismatic((1, 0, 0)), parent="world", child="drawer", anchor=(0, 0, 0))
    b.add_bearing("rail", friction=MU, length=length)
    b.add_force("pull", da.PointForce("drawer", (0.0, arm, 0.0), (pull, 0.0, 0.0)))
    model = b.build()
    run = da.simulate(model, duration=0.5, dt=0.01, integrator=da.StaggeredEuler())
    pace = 0.0 if jams else pull * (1.0 - 2.0 * MU * arm / length) / MASS
    np.testing.assert_allclose(run.body("drawer").velocity[:, 0], pace * run.time, rtol=0, atol=1e-6)


def test_ball_slows_down_against_its_spin() -> None:
    """A ball joint at the centre of a body of equal moments: the spin keeps its axis and loses μ r m g t/J."""
    b = da.ModelBuilder()
    b.add_body("ball", mass=MASS, inertia=(0.1, 0.1, 0.1))
    b.add_joint("socket", da.Spherical(), parent="world", child="ball", anchor=(0, 0, 0))
    b.add_bearing("socket", friction=MU, radius=RADIUS)
    model, axis = b.build(), np.array([2.0, -1.0, 2.0]) / 3.0
    state = model.state(velocities={"socket": tuple(4.0 * axis)})
    run = da.simulate(model, state, duration=0.8, dt=0.01, integrator=da.StaggeredEuler())
    expected = np.maximum(4.0 - MU * RADIUS * MASS * G / 0.1 * run.time, 0.0)[:, None] * axis
    np.testing.assert_allclose(run.body("ball").angular_velocity, expected, rtol=0, atol=1e-6)


def coupled_cranks() -> tuple[da.Model, da.State]:
    """Two cranks joined by a rod, both with bearings: an external constraint that loads them."""
    b = da.ModelBuilder()
    for name, x in (("a", 0.0), ("b", 1.5)):
        b.add_body(name, shape=da.Box(0.05, 0.05, 1.0), mass=1.0, position=(x, 0, 0.5))
        b.add_joint(name, da.Revolute((0, 1, 0)), parent="world", child=name, anchor=(x, 0, 0))
        b.add_bearing(name, friction=MU, radius=RADIUS)
    b.add_joint(
        "rod",
        da.Distance(),
        parent="a",
        child="b",
        parent_frame=da.Frame((0, 0, 0.5)),
        child_frame=da.Frame((0, 0, 0.3)),
    )
    model = b.build()
    return model, model.assemble(model.state(velocities={"a": 3.0}), hold=("a",)).state


def test_loads_of_a_closed_linkage_are_those_in_maximal_coordinates() -> None:
    """Inverse dynamics of the tree with the rod's force, against multipliers of all joints: equal to first order."""
    model, state = coupled_cranks()
    apart = []
    for dt in (4e-3, 2e-3):
        ends = []
        for unknowns in ("minimal", "maximal"):
            method = da.StaggeredEuler(unknowns=unknowns, stabilisation="post")
            run = da.simulate(model, state, duration=0.1, dt=dt, integrator=method)
            ends.append(run.body("b").position[-1])
        apart.append(float(np.abs(ends[0] - ends[1]).max()))
    assert 1.6 < apart[0] / apart[1] < 2.4
    assert apart[1] < 1e-3


def test_faults_are_named() -> None:
    b = da.ModelBuilder()
    b.add_body("a", mass=1.0, inertia=(1.0, 1.0, 1.0))
    b.add_joint("free", da.Floating(), parent="world", child="a")
    b.add_bearing("free", friction=-1.0)
    b.add_bearing("pin", friction=0.1)
    with pytest.raises(da.ModelError) as error:
        b.build()
    for text in ("a Revolute, Prismatic, Cylindrical or Spherical", "a coefficient", 'found "pin"'):
        assert text in str(error.value)
    with pytest.raises(da.ModelError, match='takes with friction="staggered" only'):
        spin(rotor((1.0, 0.0, 0.0)), 0.1, 0.01, friction="pyramid")
    with pytest.raises(da.ModelError, match="does not support bearings"):
        da.simulate(rotor((1.0, 0.0, 0.0)), duration=0.1, dt=0.01, integrator=da.MaximalVI())


def test_bearings_are_kept_in_files(tmp_path: Any) -> None:
    model = rotor((1.0, 0.0, 0.0))
    run = da.simulate(model, duration=0.02, dt=0.01, integrator=da.StaggeredEuler())
    run.save(tmp_path / "run.npz")
    assert da.load_run(tmp_path / "run.npz").model.bearings == model.bearings
