"""The maximal-coordinate integrator against reduced equations that were written for one mechanism alone."""

from __future__ import annotations

import numpy as np
from naive import oracles_planar, oracles_spatial
from oracles.convergence import converge

import dalembert as da
from dalembert import zoo


def test_tumbling_box_follows_elliptic_functions() -> None:
    """The body rates of a free body near its unstable axis, through a turn-over."""
    model = zoo.tumbling_box()
    state = zoo.tumbling_box_start(model)
    inertia = np.diag(model.system.inertia[0])
    exact = oracles_spatial.free_body_rates([4.0], inertia, state.angular_velocity[0])[0]
    found = converge(model, state, lambda run: run.body("box").angular_velocity[-1], duration=4.0, steps=2000)
    np.testing.assert_allclose(found.limit, exact, rtol=0, atol=1e-7)
    assert abs(found.order(exact) - 2.0) < 0.1


def test_spinning_top() -> None:
    """The vertical and the rates in body axes, from Euler and Poisson's equations."""
    model = zoo.spinning_top()
    state = zoo.spinning_top_start(model)

    def observe(run: da.Trajectory) -> np.ndarray:
        top = run.body("top")
        w, x, y, z = top.orientation[-1]
        vertical = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
        return np.concatenate((vertical, top.angular_velocity[-1]))

    exact = oracles_spatial.heavy_top([1.0], 0.5, 30.0)[0]
    found = converge(model, state, observe, duration=1.0, steps=1000)
    np.testing.assert_allclose(found.limit, exact, rtol=0, atol=1e-7)
    assert abs(found.order(exact) - 2.0) < 0.1


def test_slider_crank() -> None:
    """An open turn of the crank, angle and rate."""
    model = zoo.slider_crank()

    def observe(run: da.Trajectory) -> list[float]:
        # the joint turns about +y, which lowers the crank
        joint = run.joint("bearing")
        return [0.5 - joint.position[-1], -joint.velocity[-1]]

    exact = oracles_planar.slider_crank([2.0], 0.5, crank=0.3, rod=1.0, piston=2.0)[0]
    found = converge(model, model.state(), observe, duration=2.0, steps=400)
    np.testing.assert_allclose(found.limit, exact, rtol=0, atol=1e-7)
    assert abs(found.order(exact) - 2.0) < 0.1


def test_ladder() -> None:
    """Loops that share bodies, against a chain of particles."""
    model = zoo.ladder(4)

    def observe(run: da.Trajectory) -> list[float]:
        # rails start turned by 0.8 from the vertical; about +y a positive turn swings them to −x
        slopes = []
        for i in range(1, 5):
            w, _, y, _ = run.body(f"left{i}").orientation[-1]
            w0, _, y0, _ = run.body(f"left{i}").orientation[0]
            slopes.append(0.8 - 2.0 * (np.arctan2(y, w) - np.arctan2(y0, w0)))
        return slopes

    exact = oracles_planar.ladder(4, [0.8], 0.8)[0]
    found = converge(model, model.state(), observe, duration=0.8, steps=400)
    np.testing.assert_allclose(found.limit, exact, rtol=0, atol=1e-7)
    assert abs(found.order(exact) - 2.0) < 0.1


def test_double_pendulum() -> None:
    """Both angles and rates, half a swing before chaos has anything to amplify."""
    model = zoo.double_pendulum()
    state = zoo.pendulum_start(model)

    def observe(run: da.Trajectory) -> list[float]:
        first, second = run.joint("joint1"), run.joint("joint2")
        return [first.position[-1], second.position[-1], first.velocity[-1], second.velocity[-1]]

    # about +y a positive turn of a hanging rod swings it to −x: the same equations
    exact = oracles_planar.double_pendulum(
        [2.0], (0.5 * np.pi, 0.0, 0.0, 0.0), length=1.0, mass=1.0, inertia=1.0 / 12.0, gravity=9.81
    )[0]
    found = converge(model, state, observe, duration=2.0, steps=800)
    np.testing.assert_allclose(found.limit, exact, rtol=0, atol=1e-7)
    assert abs(found.order(exact) - 2.0) < 0.1


def test_papers_start_is_first_order() -> None:
    """The papers take the first velocity for the whole first step: positions and velocities are then first order."""
    model = zoo.double_pendulum()
    state = model.state(positions={"joint1": 1.0}, velocities={"joint1": 1.0, "joint2": -2.0})

    def observe(run: da.Trajectory) -> list[float]:
        first, second = run.joint("joint1"), run.joint("joint2")
        return [first.position[-1], second.position[-1], first.velocity[-1], second.velocity[-1]]

    exact = oracles_planar.double_pendulum(
        [1.0], (1.0, 0.0, 1.0, -2.0), length=1.0, mass=1.0, inertia=1.0 / 12.0, gravity=9.81
    )[0]
    literal = da.MaximalVI(tol=1e-12, initial_velocity="interval")
    found = converge(model, state, observe, duration=1.0, steps=1600, integrator=literal)
    assert abs(found.order(exact) - 1.0) < 0.1
    # and with the default, from the same start, second
    found = converge(model, state, observe, duration=1.0, steps=400)
    assert abs(found.order(exact) - 2.0) < 0.1
    np.testing.assert_allclose(found.limit, exact, rtol=0, atol=1e-7)


def test_dampers_keep_the_second_order() -> None:
    """Strong dampers in both joints."""
    model = zoo.double_pendulum(damping=0.8)
    state = model.state(positions={"joint1": 1.5, "joint2": 0.5})

    def observe(run: da.Trajectory) -> list[float]:
        first, second = run.joint("joint1"), run.joint("joint2")
        return [first.position[-1], second.position[-1], first.velocity[-1], second.velocity[-1]]

    exact = oracles_planar.double_pendulum(
        [2.0], (1.5, 0.5, 0.0, 0.0), length=1.0, mass=1.0, inertia=1.0 / 12.0, gravity=9.81, damping=(0.8, 0.8)
    )[0]
    found = converge(model, state, observe, duration=2.0, steps=400)
    np.testing.assert_allclose(found.limit, exact, rtol=0, atol=1e-7)
    assert abs(found.order(exact) - 2.0) < 0.1
