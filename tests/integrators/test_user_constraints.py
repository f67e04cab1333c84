"""Equations and inequalities written in Python, on poses and on coordinates: [Sueda 2021] section 2.8."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.integrators.implicit.stepper import loads_memory
from dalembert.mechanics.kinematics_coordinates import advance_coordinates
from dalembert.mechanics.reduced_equations import differentiate_equations, evaluate_equations, reduced_equations
from dalembert.mechanics.reduced_tree import place_tree
from dalembert.mechanics.user_rows import UserRows
from dalembert.spatial.quaternion import rotate

METHODS = [da.BDF1(), da.SDIRK2(), da.BDF2()]


def turned(q: np.ndarray, point: tuple[float, float, float]) -> np.ndarray:
    return np.array(rotate(tuple(q.tolist()), point))


def pin(x: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The end of the third rod of `four_bar` stays on its pivot, in the plane."""
    return (x[0] + turned(q[0], (0.0, 0.0, -0.5)))[[0, 2]] - np.array([1.5, 0.0])


def four_bar(closure: str) -> da.Model:
    """Two cranks and a coupler in the plane y = 0; the last pin is a joint or one of the kinds of constraints."""
    b = da.ModelBuilder()
    b.add_body("crank", shape=da.Box(0.05, 0.05, 1.0), mass=1.0, position=(0, 0, 0.5))
    b.add_body("coupler", shape=da.Box(1.5, 0.05, 0.05), mass=1.5, position=(0.75, 0, 1.0))
    b.add_body("rocker", shape=da.Box(0.05, 0.05, 1.0), mass=1.0, position=(1.5, 0, 0.5))
    for name, parent, child, at in (
        ("base", "world", "crank", (0, 0, 0)),
        ("first", "crank", "coupler", (0, 0, 1)),
        ("second", "coupler", "rocker", (1.5, 0, 1)),
    ):
        b.add_joint(name, da.Revolute((0, 1, 0)), parent=parent, child=child, anchor=at)
    if closure == "joint":
        b.add_joint("last", da.Revolute((0, 1, 0)), parent="world", child="rocker", anchor=(1.5, 0, 0))
    elif closure == "custom":
        b.add_joint("last", da.CustomConstraint(pin, ["rocker"]))
    elif closure == "pose":
        b.add_constraint("last", da.PoseConstraint(pin, ["rocker"]))
    return b.build()


def start(model: da.Model) -> da.State:
    """A parallelogram: the cranks turn together."""
    if "last" in model.joints and model.joints["last"].bodies[0] == "world":
        return model.assemble(model.state(velocities={"base": 2.0}), hold=("base",)).state
    return model.state(velocities={"base": 2.0, "first": -2.0, "second": 2.0})


def end(model: da.Model, integrator: Any, dt: float, duration: float = 0.4) -> np.ndarray:
    run = da.simulate(model, start(model), duration=duration, dt=dt, integrator=integrator)
    return np.concatenate([run.body(name).position[-1] for name in model.bodies])


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
@pytest.mark.parametrize("closure", ["custom", "pose"])
def test_pin_written_in_python_is_a_joint(method: Any, closure: str) -> None:
    """The same equations: the same steps, to Newton's tolerance."""
    np.testing.assert_allclose(end(four_bar(closure), method, 0.01), end(four_bar("joint"), method, 0.01), atol=1e-9)


def test_four_bar_by_constraints_is_that_of_the_maximal_vi_in_the_limit() -> None:
    """BDF2 and the variational integrator differ by terms of second order, whose extrapolation is zero to 1e-6."""
    pose, joint = four_bar("pose"), four_bar("joint")
    differences = [end(pose, da.BDF2(), h) - end(joint, da.MaximalVI(), h) for h in (4e-3, 2e-3, 1e-3)]
    sizes = [np.abs(d).max() for d in differences]
    assert 3.7 < sizes[0] / sizes[1] < 4.3
    assert 3.7 < sizes[1] / sizes[2] < 4.3
    assert np.abs((4.0 * differences[2] - differences[1]) / 3.0).max() < 1e-6


@pytest.mark.parametrize("options", [{}, {"stabilisation": "post"}, {"unknowns": "maximal"}], ids=str)
def test_staggered_euler_takes_constraints_as_loops(options: dict[str, Any]) -> None:
    method = da.StaggeredEuler(**options)
    np.testing.assert_allclose(end(four_bar("pose"), method, 0.01), end(four_bar("joint"), method, 0.01), atol=1e-9)


@pytest.mark.parametrize("method", [*METHODS, da.StaggeredEuler(stabilisation="post")], ids=lambda m: m.name)
def test_constraint_on_coordinates_is_a_gear(method: Any) -> None:
    def gear_pair(gear: bool) -> np.ndarray:
        b = da.ModelBuilder()
        for name, x in (("a", 0.0), ("b", 2.0)):
            b.add_body(name, shape=da.Box(0.1, 0.1, 1.0), mass=1.0, position=(x, 0, -0.5))
            b.add_joint(name, da.Revolute((0, 1, 0)), parent="world", child=name, anchor=(x, 0, 0))
        if gear:
            b.add_joint("gear", da.Gear(ratio=2.0), parent="a", child="b")
        else:
            b.add_constraint("gear", da.CoordinateConstraint(lambda q: [q[0] + 2.0 * q[1]], ["a", "b"]))
        model = b.build()
        state = model.state(positions={"a": 1.0, "b": -0.5}, velocities={"a": 1.0, "b": -0.5})
        run = da.simulate(model, state, duration=0.5, dt=0.01, integrator=method)
        return np.array([run.joint("a").position, run.joint("b").position])

    np.testing.assert_allclose(gear_pair(False), gear_pair(True), rtol=0, atol=1e-8)


def test_derivatives_of_the_equations_with_constraints() -> None:
    """∂g/∂q with multipliers on curved constraints and a potential, against differences, to 1e-7 of the largest."""
    b = da.ModelBuilder()
    b.add_body("a", mass=1.0, inertia=(0.1, 0.2, 0.3), position=(0, 0, -0.5))
    b.add_body("c", mass=2.0, inertia=(0.3, 0.2, 0.1), position=(0.2, 0, -1.5))
    b.add_joint("ball", da.Spherical(), parent="world", child="a", anchor=(0, 0, 0))
    b.add_joint("hinge", da.Universal(((1, 0, 0), (0, 1, 0))), parent="a", child="c", anchor=(0, 0, -1))
    b.add_constraint(
        "pair", da.PoseConstraint(lambda x, q: [x[0] @ x[1] + q[0, 1] * q[1, 2], np.sin(x[1, 0]) * q[1, 3]], ["a", "c"])
    )
    b.add_constraint("curve", da.CoordinateConstraint(lambda q: [np.sin(q[0]) * q[1] ** 2], ["hinge"], inequality=True))
    b.add_potential("well", ["c"], lambda x, q: float(x[0] @ x[0] * q[0, 1] ** 2))
    model = b.build()
    system, rng = model.system, np.random.default_rng(3)
    state = model.state(positions={"ball": (0.4, 0.3, -0.5), "hinge": (0.3, 0.7)})
    q0, v, a = state.coordinates[: system.n_q].copy(), rng.normal(size=system.n_v), rng.normal(size=system.n_v)
    rows, equations, loads = UserRows(model), reduced_equations(system), loads_memory(model, da.BDF2())
    force = rng.normal(size=rows.count)

    def g(q: np.ndarray) -> np.ndarray:
        place_tree(system, equations.tree, q)
        rows.place(equations.tree, q)
        wrenches, along = rows.loads(force)
        loads.external[:] = wrenches
        out = np.zeros(system.n_v)
        evaluate_equations(system, equations, loads, q, v, a, np.zeros(0), out)
        return out - along

    g(q0)
    differentiate_equations(system, equations, loads, q0)
    exact = equations.derivatives.by_place - rows.stiffness(force)
    columns = []
    for k in range(system.n_v):
        ends = []
        for step in (1e-5, -1e-5):
            q = q0.copy()
            advance_coordinates(system, step * np.eye(system.n_v)[k], 1.0, q)
            ends.append(g(q))
        columns.append((ends[0] - ends[1]) / 2e-5)
    np.testing.assert_allclose(np.array(columns).T, exact, rtol=0, atol=1e-6 * np.abs(exact).max())


def bouncing_rod() -> tuple[da.Model, da.State]:
    """A double pendulum over a floor that its second body must stay above."""
    b = da.ModelBuilder()
    for name, z in (("a", -0.5), ("c", -1.5)):
        b.add_body(name, shape=da.Box(0.05, 0.05, 1.0), mass=1.0, position=(0, 0, z))
    b.add_joint("top", da.Revolute((0, 1, 0)), parent="world", child="a", anchor=(0, 0, 0))
    b.add_joint("knee", da.Revolute((0, 1, 0)), parent="a", child="c", anchor=(0, 0, -1))
    b.add_constraint("floor", da.PoseConstraint(lambda x, q: [x[0, 2] + 1.2], ["c"], inequality=True))
    b.add_constraint("stop", da.CoordinateConstraint(lambda q: [0.8 - q[0]], ["knee"], inequality=True))
    model = b.build()
    return model, model.state(positions={"top": 1.2, "knee": 0.1})


@pytest.mark.parametrize("method", [*METHODS, da.StaggeredEuler()], ids=lambda m: m.name)
def test_inequalities_hold_at_every_knot(method: Any) -> None:
    model, state = bouncing_rod()
    run = da.simulate(model, state, duration=1.5, dt=0.01, integrator=method)
    height, knee = run.body("c").position[:, 2] + 1.2, run.joint("knee").position
    # not further in than Newton's tolerance; `StaggeredEuler` is linear and takes back the square of a step
    least = -1e-8 if method.name != "StaggeredEuler" else -2e-3
    assert height.min() > least
    assert 0.8 - knee.max() > least
    # both act, and neither feeds energy in
    assert (np.abs(height) < 2e-3).any()
    assert (np.abs(0.8 - knee) < 2e-3).any()
    assert np.diff(run.energy).max() < 0.02 * np.ptp(run.potential)


def test_body_set_down_rests_with_its_weight() -> None:
    """A box on a slope as an inequality: BDF1 sets it down, then it slides as on a plane without friction."""
    normal = np.array([np.sin(0.3), 0.0, np.cos(0.3)])
    b = da.ModelBuilder()
    b.add_body("box", mass=2.0, inertia=(1.0, 1.0, 1.0), position=tuple(0.05 * normal))
    b.add_joint("free", da.FixedOrientation(), parent="world", child="box")
    b.add_constraint("slope", da.PoseConstraint(lambda x, q: [normal @ x[0]], ["box"], inequality=True))
    model = b.build()
    run = da.simulate(model, duration=0.5, dt=1e-3, integrator=da.BDF1())
    gap = run.body("box").position @ normal
    rests = np.flatnonzero(gap < 1e-12)[0] + 1
    assert np.abs(gap[rests:]).max() < 1e-12
    along = np.array([np.cos(0.3), 0.0, -np.sin(0.3)])
    speed = run.body("box").velocity @ along
    np.testing.assert_allclose(np.diff(speed[rests:]) / 1e-3, 9.81 * np.sin(0.3), rtol=0, atol=1e-8)
    found = model.forward_dynamics(model.state(positions={"free": (0, 0, 0)}))
    assert found.pushes.size == 1


@pytest.mark.parametrize("method", METHODS[1:], ids=lambda m: m.name)
def test_box_dropped_on_its_corners_comes_to_rest(method: Any) -> None:
    """Eight inequalities, of which six rows at most are needed at once: it never goes in, gains no energy over impacts
    and ends on a side."""
    corners = [(x, y, z) for x in (-0.2, 0.2) for y in (-0.15, 0.15) for z in (-0.1, 0.1)]
    b = da.ModelBuilder()
    b.add_body("box", shape=da.Box(0.4, 0.3, 0.2), mass=2.0, position=(0, 0, 0.6))
    b.add_joint("free", da.Floating(), parent="world", child="box")

    def heights(x: np.ndarray, q: np.ndarray) -> list[float]:
        return [x[0, 2] + turned(q[0], corner)[2] for corner in corners]

    def slopes(x: np.ndarray, q: np.ndarray) -> np.ndarray:
        up = np.array([turned(q[0], axis)[2] for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))])
        return np.array([[[0.0, 0.0, 1.0, *np.cross(corner, up)]] for corner in corners])

    b.add_constraint("floor", da.PoseConstraint(heights, ["box"], slopes, inequality=True))
    model = b.build()
    state = model.state(positions={"free": ((0, 0, 0.6), (0.5, 0.3, 0.2))}, velocities={"free": (0, 0, 0, 1.0, 2.0, 0)})
    run = da.simulate(model, state, duration=1.2, dt=1e-2, integrator=method)
    for x, q in zip(run.body("box").position, run.body("box").orientation, strict=True):
        assert min(x[2] + turned(q, corner)[2] for corner in corners) > -1e-9
    assert np.diff(run.energy).max() < 5e-3
    assert min(abs(run.body("box").position[-1, 2] - height) for height in (0.1, 0.15, 0.2)) < 1e-9


def test_forward_dynamics_of_a_bead_on_a_curve() -> None:
    """z = x²/2: ẍ (1 + x²) = −x (g + ẋ²), by an equation; as an inequality from below it lets go at ẋ² > g."""
    for inequality in (False, True):
        b = da.ModelBuilder()
        b.add_body("bead", mass=2.0, inertia=(1.0, 1.0, 1.0))
        b.add_joint("free", da.FixedOrientation(), parent="world", child="bead")
        b.add_joint("track", da.CustomConstraint(lambda x, q: [x[0, 1]], ["bead"]))
        curve = da.PoseConstraint(lambda x, q: [x[0, 2] - 0.5 * x[0, 0] ** 2], ["bead"], inequality=inequality)
        b.add_constraint("curve", curve)
        model = b.build()
        for x, speed in ((0.0, 1.0), (0.7, -2.0), (-0.4, 0.5)):
            state = model.state(positions={"free": (x, 0.0, 0.5 * x * x)}, velocities={"free": (speed, 0.0, x * speed)})
            found = model.forward_dynamics(state)
            expected = -x * (9.81 + speed**2) / (1.0 + x * x)
            assert abs(found.accelerations[0] - expected) < 1e-7
            assert found.pushes[1] > 0.0
    b = da.ModelBuilder()
    b.add_body("bead", mass=2.0, inertia=(1.0, 1.0, 1.0))
    b.add_joint("free", da.FixedOrientation(), parent="world", child="bead")
    b.add_constraint("hill", da.PoseConstraint(lambda x, q: [x[0, 2] + 0.5 * x[0, 0] ** 2], ["bead"], inequality=True))
    model = b.build()
    for speed, stays in ((3.0, True), (3.3, False)):
        found = model.forward_dynamics(model.state(velocities={"free": (speed, 0.0, 0.0)}))
        assert (found.pushes[0] > 0.0) == stays
        assert abs(found.accelerations[2] + (speed**2 if stays else 9.81)) < 1e-7


def test_forward_dynamics_solves_the_quadratic_program() -> None:
    """Inequalities and an equation at once: the only active set, of all that there are, with λ ≥ 0 and c̈ ≥ 0."""
    rng = np.random.default_rng(5)
    kinds = list("abcd")
    b = da.ModelBuilder()
    for k, name in enumerate(kinds):
        b.add_body(name, mass=1.0 + k, inertia=(0.1, 0.2, 0.3), position=(0, 0, -1.0 * k - 0.5))
        parent = kinds[k - 1] if k else "world"
        b.add_joint(name, da.Revolute((0, 1, 0)), parent=parent, child=name, anchor=(0, 0, -1.0 * k))
    slopes = rng.normal(size=(4, 4))
    b.add_constraint("tied", da.CoordinateConstraint(lambda q: [slopes[0] @ q], kinds))
    b.add_constraint("kept", da.CoordinateConstraint(lambda q: slopes[1:] @ q, kinds, inequality=True))
    model = b.build()
    state = model.state()
    force = dict(zip(kinds, rng.normal(size=4), strict=True))
    found = model.forward_dynamics(state, force)
    mass = model.mass_matrix(state)
    free = np.linalg.solve(mass, np.array(list(force.values())))
    answers = []
    for count in range(4):
        for active in combinations((1, 2, 3), count):
            rows = slopes[[0, *active]]
            share = np.linalg.solve(rows @ np.linalg.solve(mass, rows.T), -rows @ free)
            motion = free + np.linalg.solve(mass, rows.T @ share)
            if (share[1:] > -1e-12).all() and (slopes[1:] @ motion > -1e-12).all():
                answers.append(motion)
    assert len(answers) == 1
    np.testing.assert_allclose(found.accelerations, answers[0], rtol=0, atol=1e-8)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_potential_written_in_python_is_a_spring(method: Any) -> None:
    def swing(own: bool) -> np.ndarray:
        b = da.ModelBuilder()
        b.add_body("ball", mass=1.0, inertia=(0.1, 0.2, 0.3), position=(1.0, 0, 0))
        b.add_joint("free", da.Spherical(), parent="world", child="ball", anchor=(0, 0, 0))
        at = (0.0, 0.0, 0.4)
        if own:
            anchor = np.array([1.0, 0.5, 0.4])
            b.add_potential("spring", ["ball"], lambda x, q: 50.0 * np.sum((x[0] + turned(q[0], at) - anchor) ** 2))
        else:
            b.add_spring(
                "spring", "ball", "world", local_points=(at, (1.0, 0.5, 0.4)), stiffness=100.0, rest_length=0.0
            )
        model = b.build()
        run = da.simulate(model, duration=0.5, dt=0.01, integrator=method)
        return run.body("ball").position

    np.testing.assert_allclose(swing(True), swing(False), rtol=0, atol=1e-7)


def test_a_run_goes_on_where_it_stopped() -> None:
    model, state = bouncing_rod()
    whole = da.simulate(model, state, duration=1.0, dt=0.01, integrator=da.BDF2())
    half = da.simulate(model, state, duration=0.6, dt=0.01, integrator=da.BDF2())
    rest = da.simulate(model, half.final_state, duration=0.4, dt=0.01, integrator=da.BDF2())
    np.testing.assert_allclose(rest.q[-1], whole.q[-1], rtol=0, atol=1e-9)


def test_a_start_that_does_not_fit_is_refused() -> None:
    model, _ = bouncing_rod()
    low = model.state(positions={"top": 0.0})
    with pytest.raises(da.AssemblyError, match=r'"floor" is -0\.3 at the start, expected nothing negative'):
        da.simulate(model, low, duration=0.1, dt=0.01, integrator=da.BDF2())


def test_faults_are_named() -> None:
    def built(kind: Any) -> str:
        b = da.ModelBuilder()
        b.add_body("a", mass=1.0, inertia=(1.0, 1.0, 1.0))
        b.add_joint("ball", da.Spherical(), parent="world", child="a", anchor=(0, 0, 0))
        b.add_constraint("rule", kind)
        with pytest.raises(da.ModelError) as error:
            b.build()
        return str(error.value)

    assert 'known: "a"' in built(da.PoseConstraint(lambda x, q: [0.0], ["A"]))
    assert "one or more numbers" in built(da.PoseConstraint(lambda x, q: 0.0, ["a"]))
    assert "(1, 1, 6)" in built(da.PoseConstraint(lambda x, q: [0.0], ["a"], jacobian=lambda x, q: np.zeros(6)))
    assert "lengths and angles" in built(da.CoordinateConstraint(lambda q: [0.0], ["ball"]))
    assert "PoseConstraint" in built(3)
    model, state = bouncing_rod()
    with pytest.raises(da.ModelError, match="does not support inequalities"):
        da.simulate(model, state, duration=0.1, dt=0.01, integrator=da.MaximalVI())
    with pytest.raises(da.ModelError, match="written in Python, whose runs"):
        da.gradient(model, state, da.Effort(), [da.Mass("a")], duration=0.1, dt=0.01)
