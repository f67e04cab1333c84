"""`simulate` refuses what is not meaningful, names it, and hands over what there is when a step fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.zoo import ZOO

VI = da.MaximalVI()


def model_and_state() -> tuple[da.Model, da.State]:
    model = ZOO["double_pendulum"].build()
    return model, model.state(positions={"joint1": 0.7})


def run(**changes: Any) -> da.Trajectory:
    model, start = model_and_state()
    arguments: dict[str, Any] = {"state": start, "duration": 0.1, "dt": 0.01, "integrator": VI}
    return da.simulate(model, **(arguments | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dt": 0.0}, r"^dt: expected a positive number of seconds, found 0\.0"),
        ({"dt": -0.01}, r"^dt: expected a positive number"),
        ({"dt": float("nan")}, r"^dt: expected a positive number of seconds, found nan"),
        ({"dt": float("inf")}, r"^dt: expected a positive number of seconds, found inf"),
        ({"dt": "fast"}, r"^dt: expected a positive number of seconds, found 'fast'"),
        ({"dt": 1e-320}, r"^dt: expected steps that can be counted"),
        ({"duration": -1.0}, r"^duration: expected seconds, zero or more, found -1\.0"),
        ({"duration": float("nan")}, r"^duration: expected seconds, zero or more, found nan"),
        ({"duration": None}, r"^duration: expected seconds, zero or more, found None"),
        ({"duration": 0.105}, r"^duration: expected a whole number of steps .* take 0\.1 s or another dt"),
        ({"duration": 0.0999}, r"^duration: expected a whole number of steps .* take 0\.1 s or another dt"),
        ({"duration": 1e4 + 0.001}, r"^duration: expected a whole number of steps"),
        ({"every": 0}, r"^every: expected a whole number of steps from 1, found 0"),
        ({"every": 2.5}, r"^every: expected a whole number of steps from 1, found 2\.5"),
        ({"every": float("nan")}, r"^every: expected a whole number of steps from 1, found nan"),
        ({"every": 3}, r"^every: expected a divisor of the 10 steps of the run, found 3"),
        ({"integrator": "MaximalVI"}, r"^integrator: expected one such as da\.MaximalVI\(\)"),
        ({"integrator": da.MaximalVI}, r"^integrator: expected one such as da\.MaximalVI\(\)"),
    ],
)
def test_numbers_that_make_no_run(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(da.ModelError, match=message):
        run(**changes)


@pytest.mark.parametrize(
    ("field", "what"),
    [
        ("position", "position"),
        ("orientation", "orientation"),
        ("velocity", "velocity"),
        ("angular_velocity", "angular velocity"),
    ],
)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_body_whose_state_is_no_number_is_named(field: str, what: str, bad: float) -> None:
    _, start = model_and_state()
    values = getattr(start, field).copy()
    values[1, 1] = bad
    with pytest.raises(da.ModelError, match=rf'^{what} of body "link2": expected finite numbers'):
        run(state=replace(start, **{field: values}))


@pytest.mark.parametrize(("field", "what"), [("coordinates", "position"), ("rates", "velocity")])
def test_a_joint_whose_state_is_no_number_is_named(field: str, what: str) -> None:
    _, start = model_and_state()
    with pytest.raises(da.ModelError, match=rf'^{what} of joint "joint2": expected finite numbers'):
        run(state=replace(start, **{field: np.array([0.0, np.nan])}))


def test_a_state_of_another_model() -> None:
    with pytest.raises(da.ModelError, match=r"state, position: expected .* \(2, 3\), found \(1, 3\)"):
        run(state=ZOO["pendulum"].build().state())


def test_a_quaternion_that_is_no_turn() -> None:
    _, start = model_and_state()
    with pytest.raises(da.ModelError, match='orientation of body "link1": expected a unit quaternion'):
        run(state=replace(start, orientation=1.1 * start.orientation))


def test_a_joint_that_is_open_at_the_start() -> None:
    _, start = model_and_state()
    moved = start.position.copy()
    moved[1] += (0.01, 0.0, 0.0)
    with pytest.raises(da.AssemblyError, match=r'joint "joint2" is open by 0\.00765 .*model\.assemble') as caught:
        run(state=replace(start, position=moved))
    assert caught.value.worst == "joint2"
    assert caught.value.residual is not None
    # the gap of 1 cm along x seen along the rod's own axes, which are turned by 0.7 rad
    assert abs(caught.value.residual - 0.01 * np.cos(0.7)) < 1e-15


def test_velocities_that_tear_a_loop() -> None:
    model = ZOO["n_four_bar"].build()
    start = ZOO["n_four_bar"].start(model)
    velocity = start.velocity.copy()
    velocity[0, 0] += 0.5
    with pytest.raises(da.AssemblyError, match="the velocities at the start tear joint") as caught:
        da.simulate(model, replace(start, velocity=velocity), duration=0.1, dt=0.01, integrator=VI)
    assert caught.value.residual is not None
    assert abs(caught.value.residual - 0.5) < 1e-12


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"joint3": 1.0}, r'joint "joint3": there is none of this name; did you mean "joint'),
        ({"joint2": (1.0, 2.0)}, r'controller at t = 0 s, joint "joint2": expected a number, found'),
        ({"joint2": np.nan}, r'controller at t = 0 s, joint "joint2": expected finite forces'),
        ({"joint2": "much"}, r'controller at t = 0 s, joint "joint2": expected numbers, found'),
        (np.array([0.0, np.inf]), r"controller at t = 0 s: expected finite forces"),
        (np.zeros(3), r"controller at t = 0 s: expected \{joint: force\} or 2 numbers.* of shape \(3,\)"),
        ("much", r"controller at t = 0 s: expected numbers, found"),
    ],
)
def test_what_a_controller_may_not_say(answer: Any, message: str) -> None:
    with pytest.raises(da.ModelError, match=message):
        run(controller=lambda time, state: answer)


def test_a_controller_that_goes_wrong_later_says_when() -> None:
    with pytest.raises(da.ModelError, match=r'controller at t = 0\.05 s, joint "joint1"'):
        run(controller=lambda time, state: {"joint1": np.nan if time > 0.045 else 0.0})


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"link9": (0, 0, 0, 0, 0, 0)}, r'body "link9": there is none of this name'),
        ({"link1": (0, 0, 1)}, r'wrenches at t = 0 s, body "link1": expected \(force, torque\), six numbers'),
        ({"link1": ((0, 0, 1), (0, np.nan, 0))}, r'body "link1": expected finite forces'),
        ({"link1": ((0, 0, 1), 2.0)}, r'body "link1": expected numbers'),
        (3.0, r"wrenches at t = 0 s: expected \{body: \(force, torque\)\}, found 3"),
    ],
)
def test_what_wrenches_may_not_be(answer: Any, message: str) -> None:
    with pytest.raises(da.ModelError, match=message):
        run(wrenches=answer)
    with pytest.raises(da.ModelError, match=message):
        run(wrenches=lambda time, state: answer)


def test_an_integrator_that_cannot_is_refused_with_those_that_can() -> None:
    builder = da.ModelBuilder()
    builder.add_body("ball", mass=1.0, inertia=(1, 1, 1))
    builder.add_joint("wall", da.CustomConstraint(lambda x, q: [x[0, 0]], bodies=["ball"]))
    able = "MaximalVI or BDF1 or BDF2 or SDIRK2 or StaggeredEuler"
    message = rf'joint "wall" is a custom constraint, and RungeKutta does not support custom constraints; use {able}$'
    with pytest.raises(da.ModelError, match=message):
        da.simulate(builder.build(), duration=0.1, dt=0.01, integrator=da.RungeKutta())


def spun_up(every: int, solver: Any) -> da.SimulationError:
    """A rotor that a torque turns ever faster, until it turns too far in one step."""
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("rotor", mass=1.0, inertia=(1.0, 1.0, 1.0))
    builder.add_body("calm", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(2, 0, 0))
    builder.add_joint("axle", da.Revolute(axis=(0, 0, 1)), parent="world", child="rotor", anchor=(0, 0, 0))
    builder.add_joint("free", da.Floating(), parent="world", child="calm")
    options: dict[str, Any] = {"dt": 0.1, "every": every, "integrator": da.MaximalVI(linear_solver=solver)}
    with pytest.raises(da.SimulationError) as caught:
        da.simulate(builder.build(), duration=12.0, wrenches=SPIN, **options)
    return caught.value


SPIN = {"rotor": ((0, 0, 0), (0, 0, 10.0))}


@pytest.mark.parametrize("every", [1, 8])
@pytest.mark.parametrize("solver", ["graph", "tree"])
def test_a_step_that_fails_tells_where_and_keeps_what_came_before(solver: str, every: int) -> None:
    error = spun_up(every, solver)
    assert error.step is not None and error.time is not None
    # the speed grows by 1 rad/s in a step; a turn can be told up to ω dt = 2, the solvers may stop earlier
    assert 9 <= error.step <= 21
    assert error.time == pytest.approx(0.1 * error.step, abs=1e-12)
    assert error.worst is not None and ("rotor" in error.worst or "axle" in error.worst)
    assert "smaller dt" in error.reason
    assert str(error).startswith(f"step {error.step}, t = ") and error.worst in str(error)
    run = error.trajectory
    complete = (error.step - 1) // every
    assert len(run) == complete + 1
    assert run.time[-1] == pytest.approx(0.1 * every * complete, abs=1e-12)
    # the momentum at a knot is torque times time, whatever the step
    speeds = run.body("rotor").angular_velocity[:, 2]
    assert np.abs(speeds - 10.0 * run.time).max() < 1e-9
    assert run.final_state.time == pytest.approx(error.time - 0.1, abs=1e-12)
    # the forces of the last instant would have come from the step that failed
    assert np.isfinite(run.record.multiplier[:-1]).all()
    assert np.isnan(run.record.multiplier[-1]).all() == ((error.step - 1) % every == 0)


@pytest.mark.parametrize("solver", ["graph", "tree"])
def test_what_came_before_a_failure_goes_on_with_a_smaller_step(solver: str) -> None:
    error = spun_up(1, solver)
    state = error.trajectory.final_state
    run = da.simulate(error.trajectory.model, state, duration=1.0, dt=0.01, integrator=VI, wrenches=SPIN)
    assert run.time[0] == state.time
    # constant angular acceleration, which the method meets exactly
    speeds = run.body("rotor").angular_velocity[:, 2]
    assert np.abs(speeds - speeds[0] - 10.0 * (run.time - run.time[0])).max() < 1e-9
