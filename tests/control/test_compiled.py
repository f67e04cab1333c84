"""Compiled controllers: the same forces and the same runs as from Python, without entering it."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from naive.control_laws import feedback_forces, pd_forces

import dalembert as da
from dalembert import zoo
from dalembert.compiled_controller import CompiledController
from dalembert.integrators.base import Integrator, Stepper
from dalembert.model.joint_kind import JointKind

DT = 0.01
inside_only = pytest.mark.compiled


def swing(time, motion, parameters, memory, force):
    """A spring to a moving goal on every rate that has one coordinate, and a count of calls."""
    for k in range(parameters.size):
        force[k] = parameters[k] * (np.sin(3.0 * time) - motion.coordinates[k]) - 0.1 * motion.rates[k]
    memory[0] += 1.0


def from_python(controller: CompiledController) -> Any:
    """The same controller as one that has to be called from Python."""
    return lambda time, state: controller(time, state)


def sliding_block() -> da.Model:
    """A block on the ground that carries a driven arm: contact, friction and an actuator."""
    b = da.ModelBuilder(gravity=(0, 0, -9.81))
    b.add_body("block", shape=da.Box(0.2, 0.2, 0.1), mass=1.0, position=(0, 0, 0.05))
    b.add_body("arm", mass=0.3, inertia=(0.003, 0.003, 0.0003), position=(0, 0, 0.2))
    hinge = da.Revolute(axis=(0, 1, 0))
    b.add_joint("free", da.Floating(), parent="world", child="block", anchor=(0, 0, 0.05))
    b.add_joint("hinge", hinge, parent="block", child="arm", anchor=(0, 0, 0.1))
    b.add_ground(friction=0.4)
    b.add_contact("block", friction=0.4)
    return b.build()


def turn_the_arm(time, motion, parameters, memory, force):
    """Only the hinge behind the free block, whose coordinates are seven and rates six."""
    force[6] = parameters[0] * np.sin(8.0 * time) - 0.05 * motion.rates[6] + 0.001 * motion.position[0, 0]


def assert_equal_runs(one: da.Trajectory, two: da.Trajectory) -> None:
    for name in one.record._fields:
        np.testing.assert_array_equal(getattr(one.record, name), getattr(two.record, name), err_msg=name)
    np.testing.assert_array_equal(one.final_state.rates, two.final_state.rates)


@pytest.mark.parametrize(
    ("model", "integrator"),
    [
        (zoo.double_pendulum(), da.MaximalVI()),
        (zoo.double_pendulum(), da.MaximalVI(linear_solver="graph")),
        (zoo.double_pendulum(), da.MaximalVI(order=4, tol=1e-12)),
        (zoo.double_pendulum(), da.MinimalVI()),
        (zoo.double_pendulum(), da.GalerkinVI(stages=2)),
        (zoo.double_pendulum(), da.BDF2()),
        (zoo.slider_crank(), da.MaximalVI()),
    ],
    ids=["tree", "graph", "composed", "minimal", "galerkin", "bdf2", "loop"],
)
def test_inside_and_outside_the_loop_a_run_has_the_same_bits(model: da.Model, integrator: Integrator) -> None:
    inside = CompiledController(model, swing, parameters=np.linspace(0.5, 1.0, model.system.n_v), memory=1)
    outside = CompiledController(model, inside.law, parameters=inside.parameters, memory=1)
    arguments: dict[str, Any] = {"duration": 0.6, "dt": DT, "integrator": integrator, "every": 3}
    one = da.simulate(model, controller=inside, **arguments)
    two = da.simulate(model, controller=from_python(outside), **arguments)
    assert_equal_runs(one, two)
    assert np.abs(one.q[-1]).max() > 0.01
    assert inside.memory[0] == outside.memory[0] == 60


def test_with_contact_too() -> None:
    """A block of box features meets the ground: the loop is left to make room and goes on where it was."""
    model = sliding_block()
    start = model.state(positions={"free": ((0, 0, 0.06), (0.1, 0, 0))}, velocities={"hinge": 4.0})
    inside = CompiledController(model, turn_the_arm, parameters=[1.5])
    arguments: dict[str, Any] = {"duration": 0.4, "dt": 0.002, "integrator": da.MaximalVI(), "every": 4}
    one = da.simulate(model, start, controller=inside, **arguments)
    two = da.simulate(model, start, controller=from_python(inside), **arguments)
    assert_equal_runs(one, two)
    assert one.record.contact_force.any()


def test_a_run_inside_goes_on_with_the_same_bits() -> None:
    model = zoo.double_pendulum()
    controller = CompiledController(model, swing, parameters=[0.5, 0.2], memory=1)
    arguments: dict[str, Any] = {"dt": DT, "integrator": da.MaximalVI(), "controller": controller}
    whole = da.simulate(model, duration=0.8, **arguments)
    half = da.simulate(model, duration=0.4, **arguments)
    rest = da.simulate(model, half.final_state, duration=0.4, **arguments)
    np.testing.assert_array_equal(rest.q[-1], whole.q[-1])
    np.testing.assert_array_equal(rest.final_state.rates, whole.final_state.rates)


@inside_only
@pytest.mark.parametrize("kind", ["law", "pd", "lqr"])
def test_no_python_is_entered_between_rows(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of a thousand steps makes as many Python calls as one of ten."""
    model = zoo.double_pendulum()
    controller: Any = CompiledController(model, swing, parameters=[0.5, 0.2], memory=1)
    if kind == "pd":
        controller = da.PD(model, {"joint1": da.path([0, 1], [0, 0.3]), "joint2": 0.1}, stiffness=2.0, limit=3.0)
    if kind == "lqr":
        controller = da.lqr(model, model.state(), dt=DT, integrator=da.MaximalVI(tol=1e-13))

    def calls(steps: int) -> int:
        count = 0

        def note(frame: Any, event: str, argument: Any) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(note)
        try:
            da.simulate(
                model,
                duration=steps * DT,
                dt=DT,
                integrator=da.MaximalVI(),
                controller=controller,
                every=steps,
            )
        finally:
            sys.setprofile(None)
        return count

    calls(10)
    assert calls(1000) == calls(10)


def test_what_a_law_raises_is_raised_and_a_force_that_is_none_is_refused() -> None:
    model = zoo.double_pendulum()

    def stops(time, motion, parameters, memory, force):
        if time > 0.095:
            raise ValueError("enough")

    def endless(time, motion, parameters, memory, force):
        force[1] = np.inf if time > 0.095 else 0.0

    for law, error, words in ((stops, ValueError, "enough"), (endless, da.ModelError, "t = 0.1 s: expected finite")):
        controller = CompiledController(model, law)
        for given in (controller, from_python(controller)):
            with pytest.raises(error, match=words):
                da.simulate(model, duration=1.0, dt=DT, integrator=da.MaximalVI(), controller=given)


def test_a_step_that_fails_inside_leaves_the_run_so_far() -> None:
    model = zoo.double_pendulum()

    def too_much(time, motion, parameters, memory, force):
        force[0] = 1e9 if time > 0.095 else 0.0

    controller = CompiledController(model, too_much)
    with pytest.raises(da.SimulationError) as inside:
        da.simulate(model, duration=1.0, dt=DT, integrator=da.MaximalVI(), controller=controller, every=2)
    with pytest.raises(da.SimulationError) as outside:
        da.simulate(model, duration=1.0, dt=DT, integrator=da.MaximalVI(), controller=from_python(controller), every=2)
    assert inside.value.step == outside.value.step == 11
    assert str(inside.value) == str(outside.value)
    assert_equal_runs(inside.value.trajectory, outside.value.trajectory)


@inside_only
def test_a_law_that_cannot_be_compiled_is_refused_with_what_numba_says() -> None:
    model = zoo.double_pendulum()

    def opens_a_file(time, motion, parameters, memory, force):
        force[0] = len(open("x").read())  # noqa: SIM115

    with pytest.raises(da.ModelError, match="opens_a_file: expected a function law"):
        CompiledController(model, opens_a_file)(0.0, model.state())
    with pytest.raises(da.ModelError, match="expected a function, found 3"):
        CompiledController(model, 3)  # type: ignore[arg-type]
    with pytest.raises(da.ModelError, match="parameters: expected numbers"):
        CompiledController(model, swing, parameters=[float("nan")])


def test_where_forces_come_from_python_every_step_the_same_controller_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Wrenches that are functions, and steppers without a port."""
    model = zoo.double_pendulum()
    controller = CompiledController(model, swing, parameters=[0.5, 0.2], memory=1)
    arguments: dict[str, Any] = {"duration": 0.2, "dt": DT, "integrator": da.MaximalVI()}
    inside = da.simulate(model, controller=controller, **arguments)
    with_wrench = da.simulate(model, controller=controller, wrenches=lambda time, state: {}, **arguments)
    monkeypatch.setattr(da.MaximalVI.start(da.MaximalVI(), model, model.state(), DT).__class__, "admit", Stepper.admit)
    without_port = da.simulate(model, controller=controller, **arguments)
    for other in (with_wrench, without_port):
        assert_equal_runs(inside, other)


def joint_of(kind: JointKind) -> da.Model:
    b = da.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("box", mass=1.0, inertia=(0.2, 0.25, 0.3))
    b.add_joint("joint", kind, parent="world", child="box", anchor=(0.2, 0, 0))
    return b.build()


@pytest.mark.parametrize(
    ("kind", "size"), [(da.Spherical(), 3), (da.Floating(), 6), (da.Cylindrical(axis=(0, 0, 1)), 2)]
)
def test_the_law_of_joints_is_that_of_matrices(kind: JointKind, size: int) -> None:
    """Constant targets, paths and functions of time, from random states."""
    model, rng = joint_of(kind), np.random.default_rng(5)
    ends = rng.uniform(-0.8, 0.8, (2, size))
    way = da.path([0.0, 1.0], ends)

    def goal_at(time: float) -> np.ndarray:
        return model.state(positions={"joint": way(time)}).coordinates

    for time in (-0.5, 0.3, 0.9):
        state = model.state(
            positions={"joint": rng.uniform(-0.8, 0.8, size)}, velocities={"joint": rng.uniform(-1, 1, size)}
        )
        before, after = goal_at(time - 1e-6), goal_at(time + 1e-6)
        rate = (after - before) / 2e-6
        if kind.turns_freely:
            rate = np.concatenate([rate[: size - 3], 2.0 * turned(goal_at(time)[-4:], rate[-4:])])
        for target, goal, goal_rate in (
            (ends[0], goal_at(-1.0), np.zeros(size)),
            (way, goal_at(time), rate),
            (lambda t: way(t), goal_at(time), rate),
        ):
            control = da.PD(model, {"joint": target}, stiffness=3.0, damping=0.7, limit=2.5)
            found = control(time, state)["joint"]
            expected = pd_forces(model, {"joint": (goal, goal_rate)}, 3.0, 0.7, 2.5, state)["joint"]
            # the rate of the twin is a difference over a microsecond
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def turned(q: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """vec(q̄ q̇)."""
    return q[0] * rate[1:] - rate[0] * q[1:] - np.cross(q[1:], rate[1:])


def test_the_law_of_feedback_is_that_of_matrices() -> None:
    method = da.MaximalVI(tol=1e-13)
    rng = np.random.default_rng(6)
    for model in (zoo.cart_pole(), zoo.slider_crank(), joint_of(da.Floating())):
        drives = ["bearing"] if "bearing" in model.joints else None
        control = da.lqr(model, model.state(), dt=DT, integrator=method, joints=drives)
        rates = {n: rng.uniform(-1, 1, j.rates.stop - j.rates.start) for n, j in model.joints.items() if j.in_tree}
        places = {n: 0.3 * rng.uniform(-1, 1, len(v)) for n, v in rates.items()}
        state = model.state(positions=places, velocities=rates)
        found = control(0.0, state)
        np.testing.assert_allclose(found[: model.system.n_v], feedback_forces(control, state), rtol=0, atol=1e-11)


def test_a_path_that_repeats_is_smooth_over_its_seam() -> None:
    times = np.linspace(0.0, 2.0, 9)
    way = da.path(times, np.sin(np.pi * times) * (times < 2.0), repeat=True)
    for t in (0.3, 1.9, 0.0):
        assert way(t + 2.0) == pytest.approx(way(t), abs=1e-14)
        assert way(t - 4.0) == pytest.approx(way(t), abs=1e-14)
    assert way.rate(2.0 - 1e-9) == pytest.approx(way.rate(1e-9), abs=1e-6)
    for t in (0.11, 0.9, 1.7, 2.3):
        assert way.rate(t) == pytest.approx((way(t + 1e-6) - way(t - 1e-6)) / 2e-6, abs=1e-8)
    with pytest.raises(da.ModelError, match="last value of a path that repeats"):
        da.path([0, 1], [0, 1], repeat=True)


def test_one_controller_serves_runs_at_the_same_time() -> None:
    """Regulators and targets that are functions of time keep nothing that another thread could disturb."""
    model = zoo.cart_pole()
    regulator = da.lqr(model, model.state(), dt=DT, integrator=da.MaximalVI(tol=1e-13), joints=["rail"])
    leading = da.PD(model, {"rail": lambda t: 0.1 * np.sin(t)}, stiffness=5.0, damping=2.0)
    starts = [model.state(positions={"hinge": 0.02 * k, "rail": 0.1}) for k in range(6)]
    arguments: dict[str, Any] = {"duration": 1.0, "dt": DT, "integrator": da.MaximalVI()}
    for control in (regulator, leading):
        batch = da.simulate_batch(model, starts, controllers=control, **arguments)
        for k, start in enumerate(starts):
            alone = da.simulate(model, start, controller=control, **arguments)
            np.testing.assert_array_equal(batch[k].q, alone.q)
