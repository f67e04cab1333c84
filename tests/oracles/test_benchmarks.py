"""The maximal-coordinate integrator against numbers that others published.

Each case runs at three steps: errors must fall with the second power of the step, the extrapolated limit must be the
published value, and the joints must stay closed at every step.
"""

from __future__ import annotations

import numpy as np
import pytest
from naive import oracles_planar
from oracles import published
from oracles.convergence import Convergence, converge

import dalembert as da
from dalembert import zoo
from dalembert.zoo.andrews_squeezer import ANGLE_JOINTS, MOTOR, START

LIMIT = 2e-8
"""How near the extrapolated values must come: some published ones have eight decimals, and over ten seconds of A02 the
sixth-order rest of the extrapolation is of the same size."""


def check(found: Convergence, values: object, *, limit: float = LIMIT) -> None:
    exact = np.asarray(values, dtype=float)
    np.testing.assert_allclose(found.limit, exact, rtol=0, atol=limit)
    assert found.constraint_error < 1e-10
    assert abs(found.order(exact) - 2.0) < 0.1


def test_a01_point_pendulum() -> None:
    model = zoo.point_pendulum()

    def observe(run: da.Trajectory) -> np.ndarray:
        return run.body("bob").position[-1, :2]

    for time in (1.0, 5.0, 10.0):
        found = converge(model, model.state(), observe, duration=time, steps=round(200 * time))
        check(found, published.POINT_PENDULUM[time])


@pytest.mark.parametrize("degrees", [90, 60, 30])
def test_pendulum_turns_after_half_its_period(degrees: int) -> None:
    """A slender rod: small swings take 2π √(2l/3g)."""
    model = zoo.pendulum()
    angle = np.radians(degrees)
    state = zoo.pendulum_start(model, angle)
    period = oracles_planar.period_ratio(angle) * 2.0 * np.pi * np.sqrt(2.0 / 3.0 / 9.81)

    def observe(run: da.Trajectory) -> list[float]:
        # half a period, at the turn: the angle is at its extreme, and the rate tells the time
        return [run.joint("joint1").position[-1], run.joint("joint1").velocity[-1]]

    check(converge(model, state, observe, duration=0.5 * period, steps=100), (-angle, 0.0))


def test_a02_double_four_bar_after_a_second() -> None:
    """Position and knot velocity of B0, at the published place; the mechanism has been flat on the way."""
    model = zoo.n_four_bar(2)

    def observe(run: da.Trajectory) -> np.ndarray:
        crank = run.body("vertical0")
        return 2.0 * np.concatenate((crank.position[-1, :2], crank.velocity[-1, :2]))

    found = converge(model, zoo.n_four_bar_start(model), observe, duration=1.0, steps=200)
    check(found, published.FOUR_BAR)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a02_after_ten_seconds(n: int) -> None:
    """Many turns through the singular configurations, against the one-degree equation."""
    model = zoo.n_four_bar(n)

    def observe(run: da.Trajectory) -> np.ndarray:
        return 2.0 * run.body("vertical0").position[-1, :2]

    found = converge(model, zoo.n_four_bar_start(model), observe, duration=10.0, steps=2000)
    check(found, oracles_planar.n_four_bar(n, [10.0])[0, :2])


def test_a02_is_at_least_as_accurate_as_the_other_code() -> None:
    """N = 2 at t = 10 s, at the other code's steps: the error of B0 and the largest energy error."""
    model = zoo.n_four_bar(2)
    state = zoo.n_four_bar_start(model)
    exact = oracles_planar.n_four_bar(2, [10.0])[0, :2]
    for dt, tip, energy in published.FOUR_BAR_OTHER_CODE:
        run = da.simulate(model, state, duration=10.0, dt=dt, integrator=da.MaximalVI())
        assert np.abs(run.energy - run.energy[0]).max() <= energy
        if tip is not None:
            ours = np.linalg.norm(2.0 * run.body("vertical0").position[-1, :2] - exact)
            assert ours <= np.linalg.norm(np.array(tip) - exact)


def test_a03_andrews_squeezer() -> None:
    model = zoo.andrews_squeezer()

    def observe(run: da.Trajectory) -> list[float]:
        turned = [run.joint(name).position[-1] for name in ANGLE_JOINTS]
        return [start + angle for start, angle in zip(START, turned, strict=True)]

    found = converge(model, model.state(), observe, duration=0.03, steps=3000, wrenches=MOTOR)
    check(found, published.SQUEEZER)


def test_a04_bricard() -> None:
    model = zoo.bricard()

    def observe(run: da.Trajectory) -> np.ndarray:
        # P3 is the far end of the third rod, whose first axis runs along it
        return run.body("rod3").point((0.5, 0.0, 0.0))[-1]

    for time, point in published.BRICARD.items():
        check(converge(model, model.state(), observe, duration=time, steps=round(400 * time)), point)


def test_a05_flyball_governor() -> None:
    model = zoo.flyball_governor()
    state = zoo.flyball_governor_start(model)

    def observe(run: da.Trajectory) -> list[float]:
        return [0.5 + run.joint("slide").position[-1]]

    for time, height in published.GOVERNOR.items():
        check(converge(model, state, observe, duration=time, steps=round(2000 * time)), (height,))


def test_modelica_double_pendulum() -> None:
    """Damped in the first joint: second order holds with velocity-dependent forces."""
    model = zoo.modelica_double_pendulum()

    def observe(run: da.Trajectory) -> list[float]:
        first, second = run.joint("joint1"), run.joint("joint2")
        return [first.position[-1], first.velocity[-1], second.position[-1], second.velocity[-1]]

    found = converge(model, model.state(), observe, duration=3.0, steps=1200)
    check(found, published.MODELICA_DOUBLE_PENDULUM)
