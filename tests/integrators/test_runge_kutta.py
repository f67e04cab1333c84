"""The comparison integrators: declared orders, published values, loops, forces from outside, failures and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.mechanics.violations import violations
from dalembert.zoo.andrews_squeezer import ANGLE_JOINTS, MOTOR, START

FIXED = [
    (da.RungeKutta("euler"), 1024),
    (da.RungeKutta("heun"), 256),
    (da.RungeKutta("rk4"), 64),
    (da.SemiImplicitEuler(), 1024),
]
TIGHT = da.RungeKutta("DOP853", rtol=1e-13, atol=1e-14)


def ids(value: Any) -> str:
    return value.method if isinstance(value, da.RungeKutta) else type(value).__name__


def end(model: da.Model, state: da.State, integrator: Any, duration: float, steps: int) -> np.ndarray:
    run = da.simulate(model, state, duration=duration, dt=duration / steps, integrator=integrator, every=steps)
    sign = np.sign(run.orientation[-1, :, :1])
    return np.hstack([run.position[-1], sign * run.orientation[-1], run.velocity[-1], run.angular_velocity[-1]])


def observed_order(model: da.Model, state: da.State, integrator: Any, duration: float, steps: int) -> float:
    exact = end(model, state, TIGHT, duration, 1)
    errors = [np.abs(end(model, state, integrator, duration, n) - exact).max() for n in (steps, 2 * steps)]
    assert errors[1] > 1e-11  # round-off would hide the order
    return float(np.log2(errors[0] / errors[1]))


@pytest.mark.parametrize(("integrator", "steps"), FIXED, ids=ids)
def test_order_on_the_double_pendulum(integrator: Any, steps: int) -> None:
    model = zoo.double_pendulum()
    state = model.state(positions={"joint1": 1.0, "joint2": 0.5}, velocities={"joint2": -1.0})
    order = observed_order(model, state, integrator, 0.5, steps)
    assert abs(order - integrator.declared_order) < 0.1


@pytest.mark.parametrize(("integrator", "steps"), FIXED, ids=ids)
def test_order_with_rotations_about_points(integrator: Any, steps: int) -> None:
    """Quaternions, springs, dampers and armature on the joints: the order is that of the tableau."""
    model = zoo.pendulum(2, da.Spherical(), stiffness=3.0, damping=0.2, armature=0.1)
    state = model.state(
        positions={"joint1": (0.9, 0.3, 0.2), "joint2": (0.4, -0.7, 0.1)},
        velocities={"joint1": (0.5, 1.5, -1.0), "joint2": (-1.0, 1.0, 2.0)},
    )
    order = observed_order(model, state, integrator, 0.5, steps)
    assert abs(order - integrator.declared_order) < 0.1


@pytest.mark.parametrize(("method", "limit"), [("DOP853", 1e-11), ("RK45", 1e-9), ("Radau", 1e-8)])
def test_adaptive_methods_reach_their_tolerance(method: str, limit: float) -> None:
    """The errors of many steps of 1e-12 add up differently in each method."""
    model = zoo.double_pendulum()
    state = model.state(positions={"joint1": 1.0, "joint2": 0.5})
    found = end(model, state, da.RungeKutta(method, rtol=1e-12, atol=1e-13), 1.0, 10)  # type: ignore[arg-type]
    assert np.abs(found - end(model, state, TIGHT, 1.0, 1)).max() < limit


def test_a01_simple_pendulum() -> None:
    """The mass is held by a distance constraint, a loop; published to 13 decimals."""
    model = zoo.point_pendulum()
    run = da.simulate(model, duration=10.0, dt=0.01, integrator=TIGHT)
    bob = run.body("bob").position[:, :2]
    for step, published in (
        (100, (0.9862917511319, -0.1650108531255)),
        (500, (-0.9423054350439, -0.3347543384137)),
        (999, (-0.3164364699141, -0.9486137045754)),
        (1000, (-0.2750874625772, -0.9614192050988)),
    ):
        # the loop drifts by the accumulated error of a thousand restarts
        assert np.abs(bob[step] - published).max() < 1e-9
    assert run.constraint_error.max() < 1e-9


def test_a04_bricard_has_a_redundant_row() -> None:
    """Published to eight decimals; the fourth-order method is h⁴ times some hundred away."""
    model = zoo.bricard()
    for integrator, limit in ((da.RungeKutta("DOP853", rtol=1e-11), 6e-9), (da.RungeKutta("rk4"), 3e-6)):
        run = da.simulate(model, duration=1.0, dt=0.01, integrator=integrator)
        # P3 is the far end of the third rod, whose first axis runs along it
        tip = run.body("rod3").point((0.5, 0.0, 0.0))[-1]
        assert np.abs(tip - (0.51050146, -1.64916760, 0.14012311)).max() < limit


def test_modelica_double_pendulum() -> None:
    model = zoo.modelica_double_pendulum()
    run = da.simulate(model, duration=3.0, dt=0.01, integrator=da.RungeKutta("DOP853", rtol=1e-12))
    assert abs(run.joint("joint1").position[-1] + 2.31791567544) < 1e-10
    assert abs(run.joint("joint2").position[-1] + 1.73653457) < 6e-9
    assert abs(run.joint("joint1").velocity[-1] - 4.09416473) < 6e-9
    assert abs(run.joint("joint2").velocity[-1] + 0.05039453) < 6e-9


def test_energy_and_momentum_of_a_floating_tree() -> None:
    model = zoo.random_tree(6, 3, floating_base=True, gravity=0.0)
    state = zoo.random_state(model, 3)
    run = da.simulate(model, state, duration=1.0, dt=0.05, integrator=TIGHT)
    assert np.ptp(run.energy) < 1e-10 * run.energy[0]
    assert np.abs(run.linear_momentum - run.linear_momentum[0]).max() < 1e-10
    assert np.abs(run.angular_momentum - run.angular_momentum[0]).max() < 1e-10


def four_bar() -> da.Model:
    """A planar loop that is not a parallelogram, of spatial joints: three redundant rows."""
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    points = {"crank": ((0, 0), (0, 0.4)), "coupler": ((0, 0.4), (1, 0.9)), "rocker": ((1.1, 0), (1, 0.9))}
    for name, (a, b) in points.items():
        centre = (0.5 * (a[0] + b[0]), 0.0, 0.5 * (a[1] + b[1]))
        builder.add_body(name, mass=1.0, inertia=(0.1, 0.12, 0.05), position=centre)
    for name, parent, child, at in (
        ("A", "world", "crank", (0, 0)),
        ("B", "crank", "coupler", (0, 0.4)),
        ("C", "rocker", "coupler", (1, 0.9)),
        ("D", "world", "rocker", (1.1, 0)),
    ):
        builder.add_joint(name, da.Revolute(axis=(0, 1, 0)), parent=parent, child=child, anchor=(at[0], 0, at[1]))
    return builder.build()


@pytest.mark.parametrize(("stabilisation", "left"), [(None, 1.0), ("baumgarte", 3.0 * np.exp(-2.0))])
def test_violations_decay_as_the_stabilised_equation_says(stabilisation: Any, left: float) -> None:
    """c̈ + 2 a ċ + a² c = 0 from rest: c = c₀ (1 + a t) exp(−a t), here at a t = 2; without it c stays."""
    model = four_bar()
    bent = model.state(positions={"A": 1e-7})
    integrator = da.RungeKutta("DOP853", rtol=1e-12, atol=1e-15, stabilisation=stabilisation)
    run = da.simulate(model, bent, duration=0.1, dt=0.01, integrator=integrator)
    start, final = (violations(model, state)[0] for state in (bent, run.final_state))
    assert start > 5e-8
    assert abs(final / start - left) < 1e-5


def test_loops_drift_less_when_stabilised() -> None:
    """The usual gap over five seconds, beside that without stabilisation."""
    model, gaps = four_bar(), []
    for integrator in (
        da.RungeKutta("heun"),
        da.RungeKutta("heun", stabilisation="baumgarte"),
        da.SemiImplicitEuler(loop_gain=0.0),
        da.SemiImplicitEuler(),
    ):
        run = da.simulate(model, duration=5.0, dt=0.005, integrator=integrator)
        gaps.append(float(np.median(run.constraint_error)))
    assert gaps[1] < 0.05 * gaps[0]
    assert gaps[3] < 0.01 * gaps[2]


def test_a03_andrews_squeezer() -> None:
    """Seven bodies, three loops, a spring and a motor, angles of order ten radians: published to 16 digits."""
    model = zoo.andrews_squeezer()
    run = da.simulate(model, duration=0.03, dt=0.001, integrator=TIGHT, wrenches=MOTOR)
    published = (
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    )
    found = [start + run.joint(name).position[-1] for name, start in zip(ANGLE_JOINTS, START, strict=True)]
    assert np.abs(np.subtract(found, published)).max() < 1e-7


def test_a05_stiff_flyball_governor() -> None:
    """Springs of 8e5 N/m and dampers of 4e4 N s/m: an implicit method strides over them. Published to ten decimals."""
    model = zoo.flyball_governor()
    state = zoo.flyball_governor_start(model)
    run = da.simulate(model, state, duration=0.5, dt=0.1, integrator=da.RungeKutta("Radau", rtol=1e-10, atol=1e-12))
    height = 0.5 + run.joint("slide").position
    assert abs(height[1] - 0.5238364756) < 1e-8
    assert abs(height[5] - 0.7432494248) < 1e-8


@pytest.mark.parametrize("integrator", [da.RungeKutta("rk4"), da.SemiImplicitEuler(), TIGHT], ids=ids)
def test_user_potential_is_the_spring_that_it_spells(integrator: Any) -> None:
    """A spring between a body and a point of the world, once of the library's and once written in Python."""

    def energy(position: np.ndarray, orientation: np.ndarray) -> float:
        return 20.0 * (float(np.linalg.norm(position[0] - (1.0, 0.0, 0.5))) - 0.7) ** 2

    def gradient(position: np.ndarray, orientation: np.ndarray) -> np.ndarray:
        arm = position[0] - (1.0, 0.0, 0.5)
        length = np.linalg.norm(arm)
        return np.concatenate([40.0 * (length - 0.7) * arm / length, np.zeros(3)])[None]

    runs = []
    for own in (False, True):
        builder = da.ModelBuilder()
        builder.add_body("bob", mass=1.0, inertia=(0.1, 0.2, 0.15), position=(0, 0, -1))
        builder.add_joint("pivot", da.Spherical(), parent="world", child="bob", anchor=(0, 0, 0))
        if own:
            builder.add_potential("spring", ["bob"], energy, gradient)
        else:
            ends = ((1.0, 0.0, 0.5), (0, 0, -1))
            builder.add_spring("spring", "world", "bob", points=ends, stiffness=40.0, rest_length=0.7)
        model = builder.build()
        runs.append(da.simulate(model, duration=0.5, dt=0.01, integrator=integrator))
    assert np.abs(runs[0].position - runs[1].position).max() < 1e-12
    assert np.abs(runs[0].energy - runs[1].energy).max() < 1e-11


@pytest.mark.parametrize("integrator", [da.RungeKutta("rk4"), da.RungeKutta("DOP853")], ids=ids)
def test_drives_and_wrenches_act(integrator: Any) -> None:
    """A wheel with armature under a constant torque, and a force on a free body: uniform acceleration."""
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("wheel", mass=2.0, inertia=(0.2, 0.2, 0.3), position=(0, 0, 0))
    builder.add_body("free", mass=2.0, inertia=(0.2, 0.2, 0.3), position=(3, 0, 0))
    axle = da.Revolute(axis=(0, 0, 1))
    builder.add_joint("axle", axle, parent="world", child="wheel", anchor=(0, 0, 0), armature=0.2)
    builder.add_joint("none", da.Floating(), parent="world", child="free")
    model = builder.build()
    run = da.simulate(
        model,
        duration=2.0,
        dt=0.1,
        integrator=integrator,
        controller=lambda time, state: {"axle": 1.5},
        wrenches={"free": ((0, 4.0, 0), (0, 0, 0.6))},
    )
    assert np.abs(run.joint("axle").position - 0.5 * (1.5 / 0.5) * run.time**2).max() < 1e-12
    assert np.abs(run.body("free").position[:, 1] - 0.5 * 2.0 * run.time**2).max() < 1e-12
    assert np.abs(run.body("free").angular_velocity[:, 2] - 2.0 * run.time).max() < 1e-12


@pytest.mark.parametrize(
    ("integrator", "make"),
    [
        (da.RungeKutta("rk4"), four_bar),
        (da.RungeKutta("DOP853"), four_bar),
        (da.RungeKutta("DOP853", stabilisation="baumgarte"), zoo.bricard),
        (da.SemiImplicitEuler(), zoo.double_pendulum),
    ],
    ids=ids,
)
def test_the_same_bits_twice_and_when_resumed(integrator: Any, make: Any) -> None:
    model = make()
    whole = da.simulate(model, duration=0.4, dt=0.01, integrator=integrator)
    again = da.simulate(model, duration=0.4, dt=0.01, integrator=integrator)
    first = da.simulate(model, duration=0.2, dt=0.01, integrator=integrator)
    second = da.simulate(model, first.final_state, duration=0.2, dt=0.01, integrator=integrator)
    assert (whole.position == again.position).all()
    assert (whole.position[20:] == second.position).all()
    assert (whole.angular_velocity[20:] == second.angular_velocity).all()


def test_a_step_too_large_for_a_damper_fails_with_time_and_place() -> None:
    model = zoo.pendulum(2, damping=3000.0)
    state = model.state(velocities={"joint1": 1.0})
    with pytest.raises(da.SimulationError, match="not finite") as caught:
        da.simulate(model, state, duration=10.0, dt=0.1, integrator=da.RungeKutta("rk4"))
    assert "link" in str(caught.value.worst)
    assert caught.value.trajectory is not None
    assert np.isfinite(caught.value.trajectory.position).all()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: da.RungeKutta("rk5"),  # type: ignore[arg-type]
            'method: expected "RK45", "DOP853", "Radau", "euler", "heun" or "rk4", found "rk5"',
        ),
        (lambda: da.RungeKutta(rtol=0.0), "rtol"),
        (lambda: da.RungeKutta(atol=float("nan")), "atol"),
        (lambda: da.RungeKutta(stabilisation="penalty"), "stabilisation"),  # type: ignore[arg-type]
        (lambda: da.RungeKutta(stabilisation_rate=-1.0), "stabilisation_rate"),
        (lambda: da.SemiImplicitEuler(loop_gain=2.0), "loop_gain"),
    ],
)
def test_meaningless_options_are_refused(make: Any, words: str) -> None:
    with pytest.raises(da.ModelError, match=words):
        make()
