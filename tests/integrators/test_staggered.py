"""Velocity steps with quadratic programs: loops, minimal against maximal, Coulomb's law, impacts, limits, friction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.integrators.staggered.projections import find_impulses
from dalembert.integrators.staggered.rows import ImpulseRows

G = 9.81


def cube(friction: float = 0.5, restitution: float = 0.0, gravity: tuple[float, float, float] = (0, 0, -G)) -> da.Model:
    """A cube of 1 kg that lies on the ground."""
    builder = da.ModelBuilder(gravity=gravity)
    builder.add_body("cube", shape=da.Box(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1))
    builder.add_joint("free", da.Floating(), parent="world", child="cube")
    builder.add_ground(friction=friction, restitution=restitution)
    builder.add_contact("cube", friction=friction, restitution=restitution)
    return builder.build()


def at(model: da.Model, height: float, velocity: tuple[float, ...]) -> da.State:
    return model.state(positions={"free": ((0, 0, height), (0, 0, 0))}, velocities={"free": (*velocity, 0, 0, 0)})


def problem(seed: int) -> tuple[ImpulseRows, np.ndarray, np.ndarray]:
    """Four contacts on a body that moves: more rows than it has rates."""
    rng = np.random.default_rng(seed)
    arms = rng.normal(size=(4, 3)) * (1.0, 1.0, 0.1)

    def row(arm: np.ndarray, n: np.ndarray) -> np.ndarray:
        return np.concatenate([n, np.cross(arm, n)])

    x, y, z = np.eye(3)
    rows = ImpulseRows(
        push=np.array([row(arm, z) for arm in arms]),
        least=np.zeros(4),
        slip=np.array([row(arm, n) for arm in arms for n in (x, y)]),
        share=np.full(8, 0.4),
        presses=np.repeat(np.arange(4), 2),
        constant=np.zeros(8),
        push_on=np.zeros((4, 2, 6)),
        slip_on=np.zeros((8, 2, 6)),
    )
    a = rng.normal(size=(6, 6))
    return rows, np.linalg.inv(a @ a.T + np.eye(6)), rng.normal(size=6) + (0, 0, -3.0, 0, 0, 0)


@pytest.mark.parametrize("seed", range(6))
def test_staggered_projections_satisfy_coulomb(seed: int) -> None:
    """Signorini's conditions, the cone, and greatest dissipation: friction at its bound pulls against the slip.

    To 1e-7 with impulses of up to 30: they agree to 1e-8, and the smallest impulses are found by adding 1e-9.
    """
    rows, inverse, v = problem(seed)
    found = find_impulses(rows, inverse, v, "staggered", "interior", 1e-8, 2000, None)
    after = v + inverse @ (rows.push.T @ found.push + rows.slip.T @ found.slip)
    normal, slip, bound = rows.push @ after, rows.slip @ after, 0.4 * found.push[rows.presses]
    assert found.push.min() >= 0.0
    assert normal.min() > -1e-7
    assert np.abs(found.push * normal).max() < 1e-6
    assert (np.abs(found.slip) <= bound + 1e-6).all()
    inside = np.abs(found.slip) < bound - 1e-5
    assert np.abs(slip[inside]).max(initial=0.0) < 1e-6
    assert (found.slip[~inside] * slip[~inside]).max(initial=0.0) < 1e-6
    assert found.push.max() > 0.1


@pytest.mark.parametrize("seed", range(4))
def test_without_friction_the_dual_program_is_the_primal_one(seed: int) -> None:
    """[Sueda 2021] eq. (1.94) and (1.98)."""
    from dalembert.solve.quadratic import solve_quadratic

    rows, inverse, v = problem(seed)
    found = find_impulses(rows, inverse, v, "none", "interior", 1e-8, 1, None)
    mass = np.linalg.inv(inverse)
    primal = solve_quadratic(mass, -mass @ v, rows.push, rows.least, np.full(4, np.inf))
    assert np.abs(v + inverse @ rows.push.T @ found.push - primal.x).max() < 1e-7


@pytest.mark.parametrize("unknowns", ["minimal", "maximal"])
@pytest.mark.parametrize("stabilisation", ["baumgarte", "post"])
def test_loops_stay_together(unknowns: Any, stabilisation: Any) -> None:
    """Redundant rows too. Baumgarte leaves gaps that fall with the step, post-stabilisation none."""
    for make in (zoo.slider_crank, zoo.bricard):
        model = make()
        gaps = []
        for dt in (0.01, 0.005):
            method = da.StaggeredEuler(unknowns=unknowns, stabilisation=stabilisation)
            gaps.append(da.simulate(model, duration=0.1, dt=dt, integrator=method).constraint_error.max())
        assert gaps[1] < (1e-10 if stabilisation == "post" else 0.6 * gaps[0] + 1e-12)


@pytest.mark.parametrize("unknowns", ["minimal", "maximal"])
def test_first_order_in_both_unknowns(unknowns: Any) -> None:
    """A double pendulum with dampers and springs towards the same motion as an accurate method."""
    model = zoo.pendulum(2, da.Revolute((0, 1, 0)), stiffness=3.0, damping=0.2)
    state = model.state(positions=dict.fromkeys(model.joints, 0.7))
    exact = da.simulate(model, state, duration=0.5, dt=0.5, integrator=da.RungeKutta("DOP853"))
    errors = []
    for steps in (150, 300):
        method = da.StaggeredEuler(unknowns=unknowns, stabilisation="post")
        run = da.simulate(model, state, duration=0.5, dt=0.5 / steps, integrator=method, every=steps)
        errors.append(np.abs(run.position[-1] - exact.position[-1]).max())
    assert abs(np.log2(errors[0] / errors[1]) - 1.0) < 0.1


def test_a_sliding_cube_stops_where_coulomb_says() -> None:
    """v − μ g t exactly, step by step, until it rests."""
    model = cube(0.5)
    run = da.simulate(model, at(model, 0.1, (1.0, 0, 0)), duration=0.4, dt=0.01, integrator=da.StaggeredEuler())
    speed = run.body("cube").velocity[:, 0]
    expected = np.maximum(1.0 - 0.5 * G * run.time, 0.0)
    assert np.abs(speed - expected).max() < 1e-6
    assert np.abs(run.position[:, 0, 2] - 0.1).max() < 1e-7


def test_one_program_for_both_lifts_what_slides() -> None:
    """[Anitescu 2004]: normal and tangential rates are coupled, n·v ≥ μ |v across|; at rest it is Coulomb's law."""
    model = cube(0.5)
    run = da.simulate(
        model, at(model, 0.1, (1.0, 0, 0)), duration=0.6, dt=0.01, integrator=da.StaggeredEuler(friction="pyramid")
    )
    v = run.body("cube").velocity
    assert v[1, 2] > 0.1 * v[1, 0]
    assert np.abs(v[-1]).max() < 1e-6


def test_a_cube_on_a_slope_sticks_and_slides() -> None:
    for angle, mu in ((0.3, 0.4), (0.5, 0.4)):
        model = cube(mu, gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
        run = da.simulate(model, at(model, 0.1, (0, 0, 0)), duration=0.2, dt=0.01, integrator=da.StaggeredEuler())
        pull = max(0.0, G * (np.sin(angle) - mu * np.cos(angle)))
        assert abs(run.velocity[-1, 0, 0] - 0.2 * pull) < 1e-6


def test_an_impact_rebounds_with_newtons_coefficient() -> None:
    model = cube(0.0, 0.6, gravity=(0, 0, 0))
    run = da.simulate(model, at(model, 0.1004, (0, 0, -1.0)), duration=0.02, dt=1e-3, integrator=da.StaggeredEuler())
    assert abs(run.velocity[-1, 0, 2] - 0.6) < 1e-8
    assert run.position[:, 0, 2].min() > 0.1 - 1e-9


def test_nothing_sinks_or_gains_energy() -> None:
    """A thrown cube with friction: energy grows by no more than free fall in first-order steps adds, m g² h t/2."""
    model = cube(0.6)
    state = model.state(
        positions={"free": ((0, 0, 0.3), (0.4, 0.3, 0.1))}, velocities={"free": (1.0, 0.5, 0, 2.0, -3.0, 1.0)}
    )
    run = da.simulate(model, state, duration=0.5, dt=0.01, integrator=da.StaggeredEuler())
    assert run.energy.max() < run.energy[0] + 0.5 * G * G * 0.01 * 0.5
    deepest = [model.distance(run_state(model, run, k), "cube", "ground") for k in range(0, len(run.time), 5)]
    assert min(deepest) > -5e-3


def run_state(model: da.Model, run: da.Trajectory, k: int) -> da.State:
    q = run.orientation[k, 0]
    return model.state(positions={"free": (run.position[k, 0], q)})


def test_limits_hold_a_pendulum() -> None:
    builder = da.ModelBuilder(gravity=(0, 0, -G))
    builder.add_body("rod", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0.5, 0, 0))
    hinge = da.Revolute(axis=(0, 1, 0))
    builder.add_joint("hinge", hinge, parent="world", child="rod", anchor=(0, 0, 0), limits=(-0.5, 0.3))
    run = da.simulate(builder.build(), duration=1.0, dt=0.01, integrator=da.StaggeredEuler())
    assert abs(run.joint("hinge").position[-1] - 0.3) < 1e-8
    assert run.joint("hinge").position.max() < 0.3 + 1e-8


def test_friction_in_a_joint_is_dry() -> None:
    """A flywheel loses τ/J of its speed every second and then rests; below τ a drive does not move it."""
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.2))
    builder.add_joint("axle", da.Revolute((0, 0, 1)), parent="world", child="wheel", anchor=(0, 0, 0), friction=0.4)
    model = builder.build()
    state = model.state(velocities={"axle": 1.0})
    run = da.simulate(model, state, duration=1.0, dt=0.01, integrator=da.StaggeredEuler())
    assert np.abs(run.joint("axle").velocity - np.maximum(1.0 - 2.0 * run.time, 0.0)).max() < 1e-9
    held = da.simulate(
        model, duration=0.2, dt=0.01, integrator=da.StaggeredEuler(), controller=lambda t, s: {"axle": 0.39}
    )
    assert np.abs(held.joint("axle").velocity).max() < 1e-9


def test_the_same_bits_twice_and_when_resumed() -> None:
    model = cube(0.5)
    state = at(model, 0.15, (1.0, 0.2, 0))
    method = da.StaggeredEuler()
    whole = da.simulate(model, state, duration=0.2, dt=0.01, integrator=method)
    first = da.simulate(model, state, duration=0.1, dt=0.01, integrator=method)
    second = da.simulate(model, first.final_state, duration=0.1, dt=0.01, integrator=method)
    assert (whole.position[-1] == second.position[-1]).all()
    assert (whole.velocity[-1] == second.velocity[-1]).all()


def test_refusals() -> None:
    with pytest.raises(da.ModelError, match='expected "minimal" or "maximal"'):
        da.StaggeredEuler(unknowns="both")  # pyright: ignore[reportArgumentType]
    builder = da.ModelBuilder()
    builder.add_body("ball", shape=da.Sphere(0.1), mass=1.0, position=(0, 0, 1))
    builder.add_joint("free", da.Floating(), parent="world", child="ball")
    builder.add_contact("ball", stiffness=1e4)
    builder.add_ground()
    with pytest.raises(da.ModelError, match="expected a rigid one"):
        da.simulate(builder.build(), duration=0.1, dt=0.01, integrator=da.StaggeredEuler())
