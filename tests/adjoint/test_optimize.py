"""Searches find what is known, keep to their bounds, and are told from broken runs; what is meaningless is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo

RUN: dict[str, Any] = {"duration": 0.2, "dt": 0.02}
PUSH = da.JointForce("joint1", knots=2)


def wheel() -> da.Model:
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("wheel", mass=1.0, inertia=(0.3, 0.3, 0.5))
    axle = da.Revolute(axis=(0, 0, 1))
    builder.add_joint("axle", axle, parent="world", child="wheel", anchor=(0, 0, 0))
    return builder.build()


def test_least_effort_turns_a_wheel_by_a_straight_line_of_torque() -> None:
    """From rest to rest by φ in T: u = 6 I φ (1 − 2 t/T)/T². SDIRK2 is exact where a torque is held; 100 steps of it
    stand for a line to 1e-4, and the weight of the goal leaves 1e-5 of it."""
    torque = da.JointForce("axle", knots=5)
    goal = da.JointTarget("axle", position=1.0, velocity=0.0, weight=1e6)
    options: dict[str, Any] = {"integrator": da.SDIRK2(), "method": "BFGS", "tol": 1e-6}
    found = da.optimize(wheel(), None, goal + da.Effort(), [torque], duration=1.0, dt=0.01, **options)
    expected = 6.0 * 0.5 * (1.0 - 2.0 * np.linspace(0.0, 1.0, 5))
    assert np.abs(found.values[torque] - expected).max() < 1e-3
    assert abs(found.value - 1.5) < 1e-3
    assert np.all(np.diff(found.history) <= 0.0)


@pytest.mark.parametrize("method", ["L-BFGS-B", "TNC", "SLSQP", "trust-constr"])
def test_bounds_hold_at_every_step_of_a_search(method: str) -> None:
    seen: list[float] = []
    mass = da.Mass("link1", scale_inertia=True)
    found = da.optimize(
        zoo.pendulum(1),
        zoo.pendulum_start(zoo.pendulum(1)),
        da.JointTarget("joint1", position=0.0),
        [mass, PUSH],
        **RUN,
        bounds={mass: (0.5, 2.0), PUSH: (-1.0, 1.0)},
        method=method,
        max_iterations=40,
        progress=lambda count, now: seen.append(float(np.abs(now.values[PUSH]).max())),
    )
    assert 0.5 <= float(found.values[mass]) <= 2.0
    assert max(seen) <= 1.0
    assert found.value < found.history[0]
    # a light rod falls no faster, but is pushed further
    assert float(found.values[mass]) < 0.6


def test_the_result_can_be_run_again_with_the_same_bits() -> None:
    """``model`` and ``state`` of an evaluation are the mechanism and the start with its values."""
    model = zoo.four_bar_chain(1)
    first = next(iter(model.joints))
    state = model.assemble(model.state(velocities={first: 0.5})).state
    body = next(iter(model.bodies))
    values: dict[Any, Any] = {da.Mass(body): 1.7, da.InitialVelocity(first): 1.1}
    goal = da.PointTarget(body, position=(0, 0, 0))
    found = da.gradient(model, state, goal, list(values), **RUN, values=values)
    again = da.simulate(found.model, found.state, **RUN, integrator=da.BDF2())
    assert (again.position == found.run.position).all()
    assert (again.velocity == found.run.velocity).all()
    assert found.model.bodies[body].mass == 1.7
    assert found.state.rates[model.joints[first].rates][0] == 1.1
    assert again.constraint_error.max() < 1e-10


def test_the_run_is_that_of_simulate_with_the_same_drives() -> None:
    model = zoo.pendulum(2, stiffness=1.0)
    state = zoo.pendulum_start(model)
    torque = da.JointForce("joint2")
    values = {torque: np.sin(np.arange(10.0))}
    found = da.gradient(model, state, da.Effort(), [torque], **RUN, values=values)

    def drive(time: float, now: da.State) -> dict[str, float]:
        return {"joint2": float(values[torque][round(time / 0.02)])}

    again = da.simulate(model, state, **RUN, integrator=da.BDF2(), controller=drive)
    assert (again.position == found.run.position).all()
    assert np.abs(found.gradient[torque] - 0.02 * values[torque]).max() < 1e-17


def test_a_run_that_breaks_down_makes_the_search_go_less_far() -> None:
    """A first step of a line search far too long, which a Newton method of few iterations cannot follow."""
    model = zoo.pendulum(2)
    found = da.optimize(
        model,
        zoo.pendulum_start(model),
        da.JointTarget("joint2", position=1.0, weight=1e4),
        [PUSH],
        duration=1.0,
        dt=0.1,
        integrator=da.BDF2(max_iterations=8),
        scales={PUSH: 1e3},
        max_iterations=30,
    )
    assert found.broken > 0
    assert found.value < 0.1 * found.history[0]
    assert "broke down" in found.report()


def test_plain_functions_and_sums_are_objectives() -> None:
    """Sums weigh values and gradients alike, functions of one's own included."""
    model = zoo.pendulum(2)
    mass = da.Mass("link2")

    def fall(run: Any, gradient: da.MotionGradient) -> float:
        gradient.velocity[-1, 1, 2] += 1.0
        return float(run.velocity[-1, 1, 2])

    goal = da.JointTarget("joint1", 0.3, time=[0.1, 0.2])
    start = zoo.pendulum_start(model, bend=0.5)
    one, two, both = (
        da.gradient(model, start, objective, [mass], **RUN)
        for objective in (fall, goal, 3.0 * (goal + 0.5 * (goal + fall)))
    )
    assert abs(both.value - (1.5 * one.value + 4.5 * two.value)) < 1e-14
    assert abs(both.gradient[mass] - (1.5 * one.gradient[mass] + 4.5 * two.gradient[mass])) < 1e-14


def test_lengths_are_those_of_a_model_built_with_them() -> None:
    """A stretched rod, its mass and inertia kept, moves as one that was built so."""

    def rods(length: float) -> da.Model:
        builder = da.ModelBuilder()
        axle = da.Revolute(axis=(0, 1, 0))
        for i, top in enumerate((0.0, -length)):
            size = length if i == 0 else 1.0
            builder.add_body(f"rod{i}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, top - 0.5 * size))
            parent = "rod0" if i else "world"
            builder.add_joint(f"axle{i}", axle, parent=parent, child=f"rod{i}", anchor=(0, 0, top))
        return builder.build()

    own = da.LinkLength("rod0", ("axle0", "axle1"))
    start = {"axle0": 0.7, "axle1": -0.4}
    model, long = rods(1.0), rods(1.3)
    goal = da.PointTarget("rod1", (0, 0, 0))
    stretched = da.gradient(model, model.state(positions=start), goal, [own], **RUN, values={own: 1.3})
    built = da.simulate(long, long.state(positions=start), **RUN, integrator=da.BDF2())
    assert np.abs(stretched.run.position - built.position).max() < 1e-13


REFUSED: dict[str, tuple[Any, str]] = {
    "integrator": (lambda m: ([PUSH], {"integrator": da.MaximalVI()}), "expected BDF1, SDIRK2 or BDF2"),
    "objective": (lambda m: ([PUSH], {"objective": 3}), "objective: expected objective"),
    "joint": (lambda m: ([da.Stiffness("joint9")], {}), 'joint "joint9"'),
    "twice": (lambda m: ([PUSH, PUSH], {}), "twice"),
    "overlap": (lambda m: ([da.JointPoint("joint2"), da.CentreOfMass("link1")], {}), "numbers of its own"),
    "shape": (lambda m: ([PUSH], {"values": {PUSH: 1.0}}), "finite numbers of shape"),
    "other": (lambda m: ([PUSH], {"values": {da.Mass("link1"): 1.0}}), "one of the parameters"),
    "bounds": (lambda m: ([PUSH], {"bounds": {PUSH: (1.0, -1.0)}}), "the lowest not above"),
    "method": (lambda m: ([PUSH], {"method": "Nelder-Mead"}), "method: expected one of"),
    "unbounded": (lambda m: ([PUSH], {"method": "BFGS", "bounds": {PUSH: (0, 1)}}), "knows no bounds"),
    "mass": (lambda m: ([da.Mass("link1")], {"values": {da.Mass("link1"): -1.0}}), "expected a positive number"),
    "time": (lambda m: ([PUSH], {"objective": da.JointTarget("joint1", 0.0, time=9.0)}), "as the run lasts"),
    "rod": (lambda m: ([da.RodLength("joint1")], {}), "expected a rod"),
    "world": (lambda m: ([da.Mass("world")], {}), "found the world"),
    "none": (lambda m: ([], {}), "at least one"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_meaningless_is_refused(name: str) -> None:
    make, words = REFUSED[name]
    model = zoo.pendulum(2)
    parameters, options = make(model)
    given = {"objective": da.JointTarget("joint1", 0.0), **RUN, **options}
    with pytest.raises(da.ModelError, match=words):
        da.optimize(model, None, given.pop("objective"), parameters, **given)
