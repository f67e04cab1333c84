"""Potentials and constraints that users write do what the built-in ones do that they imitate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dalembert as da

Floats = Any
G = 9.81
STIFFNESS, LENGTH = 40.0, 0.5
POINT = np.array([0.1, 0.2, -0.1])
POST = np.array([1.0, 0.5, 0.0])


def rotation(q: Floats) -> Floats:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def point_row(x: Floats, q: Floats, local: Floats, direction: Floats) -> Floats:
    """(6,) derivative of direction · (x + Q local) by the displacement and the turn in body axes."""
    return np.concatenate([direction, np.cross(local, rotation(q).T @ direction)])


def run(builder: da.ModelBuilder, solver: Any = "auto", speed: bool = True) -> da.Trajectory:
    model = builder.build()
    velocity = np.array([[0.3, -0.2, 0.5]]) if speed else np.zeros((1, 3))
    rates = np.array([[1.0, -2.0, 0.5]]) if speed else np.zeros((1, 3))
    state = model.state_from_bodies([[0.0, 0.0, 0.0]], [[0.8, 0.0, 0.6, 0.0]], velocity, rates)
    integrator = da.MaximalVI(tol=1e-12, linear_solver=solver)
    return da.simulate(model, state, duration=0.5, dt=0.01, integrator=integrator)


def stone(gravity: float) -> da.ModelBuilder:
    b = da.ModelBuilder(gravity=(0, 0, -gravity))
    b.add_body("stone", mass=2.0, inertia=(0.1, 0.2, 0.25), orientation=(0.8, 0.0, 0.6, 0.0))
    b.add_joint("float", da.Floating(), parent="world", child="stone")
    return b


def energy(x: Floats, q: Floats) -> float:
    """Gravity and a spring from a point of the stone to a post."""
    stretch = np.linalg.norm(x[0] + rotation(q[0]) @ POINT - POST) - LENGTH
    return float(2.0 * G * x[0, 2] + 0.5 * STIFFNESS * stretch**2)


def gradient(x: Floats, q: Floats) -> Floats:
    gap = x[0] + rotation(q[0]) @ POINT - POST
    length = np.linalg.norm(gap)
    pull = STIFFNESS * (length - LENGTH) * gap / length
    return (point_row(x[0], q[0], POINT, pull) + np.array([0, 0, 2.0 * G, 0, 0, 0]))[None]


def built_in_forces() -> da.ModelBuilder:
    b = stone(G)
    frames = ((0.1, 0.2, -0.1), (1.0, 0.5, 0.0))
    b.add_spring("spring", "stone", "world", local_points=frames, stiffness=STIFFNESS, rest_length=LENGTH)
    return b


@pytest.mark.parametrize("solver", ["graph", "auto"])
@pytest.mark.parametrize("slope", [gradient, None], ids=["gradient", "differences"])
def test_a_potential_is_a_force_at_the_knots(slope: Callable[..., Any] | None, solver: Any) -> None:
    """The same as the wrench −∂V, which a function of the state gives beside it."""
    b = stone(0.0)
    b.add_potential("both", ["stone"], energy, slope)
    found = run(b, solver)

    model = stone(0.0).build()
    state = found.state(0)
    expected = da.simulate(
        model,
        model.state_from_bodies(state.position, state.orientation, state.velocity, state.angular_velocity),
        duration=0.02,
        dt=0.01,
        integrator=da.MaximalVI(tol=1e-12),
        wrenches={"stone": tuple(-gradient(state.position, state.orientation).reshape(2, 3))},
    )
    # the wrench at the first knot decides where the first step ends
    np.testing.assert_allclose(found.position[1], expected.position[1], rtol=0, atol=1e-11)
    np.testing.assert_allclose(found.orientation[1], expected.orientation[1], rtol=0, atol=1e-11)
    assert np.ptp(found.energy) < 2e-2
    total = energy(state.position, state.orientation) + found.kinetic[0]
    np.testing.assert_allclose(found.energy[0], total, rtol=0, atol=1e-12)


def test_potentials_and_built_in_springs_converge_to_one_motion() -> None:
    """A built-in spring acts at the middle of an interval, a potential at its ends: both of second order."""
    found, expected = [], []
    for n in (50, 100, 200):
        b = stone(0.0)
        b.add_potential("both", ["stone"], energy, gradient)
        for builder, ends in ((b, found), (built_in_forces(), expected)):
            model = builder.build()
            state = model.state(velocities={"float": (0.3, -0.2, 0.5, 1.0, -2.0, 0.5)})
            end = da.simulate(model, state, duration=0.5, dt=0.5 / n, every=n, integrator=da.MaximalVI(tol=1e-12))
            ends.append(np.concatenate([end.position[-1, 0], end.velocity[-1, 0], end.angular_velocity[-1, 0]]))
    gaps = [np.linalg.norm(a - b) for a, b in zip(found, expected, strict=True)]
    assert np.log2(gaps[1] / gaps[2]) == pytest.approx(2.0, abs=0.1)
    # Richardson: what is left is of fourth order
    limits = [(4.0 * a[2] - a[1]) / 3.0 for a in (found, expected)]
    np.testing.assert_allclose(limits[0], limits[1], rtol=0, atol=1e-6)


def weight(x: Floats, q: Floats) -> Floats:
    return np.array([[0, 0, 2.0 * G, 0, 0, 0]])


@pytest.mark.parametrize("solver", ["graph", "auto"])
@pytest.mark.parametrize("slope", [weight, None], ids=["gradient", "differences"])
def test_a_potential_that_imitates_gravity(slope: Callable[..., Any] | None, solver: Any) -> None:
    b = stone(0.0)
    b.add_potential("gravity", ["stone"], lambda x, q: float(2.0 * G * x[0, 2]), slope)
    found, expected = run(b, solver), run(stone(G), solver)
    np.testing.assert_allclose(found.position, expected.position, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.orientation, expected.orientation, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.velocity, expected.velocity, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.energy, expected.energy, rtol=0, atol=1e-9)


AXIS = np.array([0.0, 0.6, 0.8])
ACROSS = np.array([[1.0, 0.0, 0.0], [0.0, 0.8, -0.6]])


def hinge_rows(x: Floats, q: Floats) -> Floats:
    """The stone's point stays at the origin of the hinge, two directions of the stone stay normal to the axis."""
    turn = rotation(q[0])
    reference = rotation((0.8, 0.0, 0.6, 0.0))
    local = reference.T @ -np.array([0.2, 0.0, 0.3])
    return np.concatenate([x[0] + turn @ local + np.array([0.2, 0.0, 0.3]), ACROSS @ turn @ reference.T @ AXIS])


def hinge_jacobian(x: Floats, q: Floats) -> Floats:
    turn, reference = rotation(q[0]), rotation((0.8, 0.0, 0.6, 0.0))
    local, axis = reference.T @ -np.array([0.2, 0.0, 0.3]), reference.T @ AXIS
    rows = [point_row(x[0], q[0], local, e) for e in np.eye(3)]
    rows += [np.concatenate([np.zeros(3), np.cross(axis, turn.T @ e)]) for e in ACROSS]
    return np.array(rows)[:, None]


@pytest.mark.parametrize("jacobian", [hinge_jacobian, None], ids=["jacobian", "differences"])
def test_a_constraint_that_imitates_a_hinge(jacobian: Callable[..., Any] | None) -> None:
    b = stone(G)
    b.add_joint("hinge", da.CustomConstraint(hinge_rows, ["stone"], jacobian))
    found = run(b, speed=False)
    b = da.ModelBuilder(gravity=(0, 0, -G))
    b.add_body("stone", mass=2.0, inertia=(0.1, 0.2, 0.25), orientation=(0.8, 0.0, 0.6, 0.0))
    b.add_joint("hinge", da.Revolute(axis=AXIS), parent="world", child="stone", anchor=(-0.2, 0.0, -0.3))
    expected = run(b, speed=False)
    assert found.constraint_error.max() < 1e-12
    np.testing.assert_allclose(found.position, expected.position, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.orientation, expected.orientation, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.velocity, expected.velocity, rtol=0, atol=1e-9)
    force = found.joint("hinge").multiplier[:, :3]
    np.testing.assert_allclose(force, expected.joint("hinge").reaction_force, rtol=0, atol=1e-6)


def rod_row(x: Floats, q: Floats) -> Floats:
    return np.array([np.linalg.norm(x[0] + rotation(q[0]) @ POINT - POST) - ROD])


def rod_jacobian(x: Floats, q: Floats) -> Floats:
    gap = x[0] + rotation(q[0]) @ POINT - POST
    return point_row(x[0], q[0], POINT, gap / np.linalg.norm(gap))[None, None]


ROD = float(np.linalg.norm(rotation((0.8, 0.0, 0.6, 0.0)) @ POINT - POST))


@pytest.mark.parametrize("jacobian", [rod_jacobian, None], ids=["jacobian", "differences"])
def test_a_constraint_that_imitates_a_rod(jacobian: Callable[..., Any] | None) -> None:
    b = stone(G)
    b.add_joint("rod", da.CustomConstraint(rod_row, ["stone"], jacobian))
    found = run(b, speed=False)
    b = stone(G)
    ends = (rotation((0.8, 0.0, 0.6, 0.0)) @ POINT, POST)
    b.add_joint("rod", da.Distance(), parent="stone", child="world", anchor=ends)
    expected = run(b, speed=False)
    np.testing.assert_allclose(found.position, expected.position, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.orientation, expected.orientation, rtol=0, atol=1e-10)
    np.testing.assert_allclose(
        found.joint("rod").multiplier[:, 0], expected.joint("rod").multiplier[:, 0], rtol=0, atol=1e-6
    )
