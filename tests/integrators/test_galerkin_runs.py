"""Runs of the Galerkin integrator: momentum, known methods that it contains, resuming, failures, refusals."""

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo

LAWS: dict[str, Any] = {"stiffness": 3.0, "damping": 0.2, "armature": 0.1}


@pytest.mark.parametrize("stages", [1, 2, 4])
@pytest.mark.parametrize("seed", [3, 4])
def test_momentum_of_floating_trees(stages: int, seed: int) -> None:
    """All joint kinds, whatever the order and the size of the step; a hundred steps."""
    model = zoo.random_tree(14, seed, floating_base=True, gravity=0.0)
    run = da.simulate(
        model, zoo.random_state(model, seed), duration=2.0, dt=0.02, integrator=da.GalerkinVI(stages=stages)
    )
    assert np.abs(run.linear_momentum - run.linear_momentum[0]).max() < 1e-12
    assert np.abs(run.angular_momentum - run.angular_momentum[0]).max() < 1e-11


def test_one_stage_is_stoermer_verlet_where_the_mass_matrix_is_constant() -> None:
    """Bodies that only slide: the knots of `MaximalVI`, which is Störmer and Verlet's method there, to rounding."""
    kinds = ("Prismatic", "PlanarFixedOrientation", "FixedOrientation")
    model = zoo.random_tree(6, 1, kinds)
    state = zoo.random_state(model, 1)
    verlet = da.simulate(model, state, duration=1.0, dt=0.02, integrator=da.MaximalVI(tol=1e-13))
    run = da.simulate(model, state, duration=1.0, dt=0.02, integrator=da.GalerkinVI(stages=1))
    assert np.abs(run.position - verlet.position).max() < 1e-12
    assert np.abs(run.velocity - verlet.velocity).max() < 1e-11


def test_one_stage_is_the_midpoint_rule_with_gauss() -> None:
    """On linear oscillators all of Gauss's methods keep the energy exactly, the midpoint rule among them, at any step.

    q(t_k) then turns by 2 atan(hω/2) a step.
    """
    model = zoo.random_tree(1, 0, ("Prismatic",), gravity=0.0, stiffness=400.0)
    state = model.state(positions={"joint0": 0.1})
    rate = np.sqrt(400.0 / model.system.mass[0])
    for h in (0.01, 1.0):
        run = da.simulate(
            model, state, duration=20 * h, dt=h, integrator=da.GalerkinVI(stages=1, quadrature="gauss", tol=1e-14)
        )
        angle = 2.0 * np.arctan(0.5 * h * rate) * np.arange(21)
        assert np.abs(run.joint("joint0").position - 0.1 * np.cos(angle)).max() < 1e-13
        assert np.ptp(run.energy) < 1e-12


@pytest.mark.parametrize("options", [{}, LAWS], ids=["free", "laws"])
def test_a_ball_is_the_same_joint_from_either_side(options: dict[str, Any]) -> None:
    """Isotropic springs, dampers and rotors know no side either; what differs is rounding."""
    runs = []
    for crossed in (False, True):
        builder = da.ModelBuilder(gravity=(0, 0, -9.81))
        builder.add_body("top", mass=1.0, inertia=(0.03, 0.05, 0.02), position=(0.2, 0.0, -0.3))
        builder.add_body("tail", mass=0.5, inertia=(0.01, 0.02, 0.03), position=(0.2, 0.4, -0.5))
        for name, inner, outer, at in (("a", "world", "top", (0, 0, 0)), ("b", "top", "tail", (0.2, 0.2, -0.4))):
            parent, child = (outer, inner) if crossed else (inner, outer)
            builder.add_joint(name, da.Spherical(), parent=parent, child=child, anchor=at, **options)
        model = builder.build()
        sign = -1.0 if crossed else 1.0
        rates = {"a": (sign * 1.0, sign * 2.0, 0.0), "b": (0.0, sign * 1.0, sign * -2.0)}
        state = model.state(velocities=rates)
        runs.append(da.simulate(model, state, duration=1.0, dt=0.05, integrator=da.GalerkinVI(stages=2)))
    assert np.abs(runs[0].position - runs[1].position).max() < 1e-12
    assert np.abs(runs[0].energy - runs[1].energy).max() < 1e-11


def test_energy_of_a_long_run_stays_in_a_band() -> None:
    """Ten thousand steps of a double pendulum: as wide a band at the end as at the beginning."""
    model = zoo.double_pendulum()
    run = da.simulate(
        model, zoo.pendulum_start(model, 0.8), duration=500.0, dt=0.05, integrator=da.GalerkinVI(stages=2)
    )
    first, second = (float(np.ptp(half)) for half in np.array_split(run.energy, 2))
    assert second < 1.5 * first
    assert abs(np.polyfit(run.time, run.energy, 1)[0]) * 500.0 < 0.02 * first


@pytest.mark.parametrize("stages", [1, 3])
def test_the_same_bits_twice_resumed_and_however_often_recorded(stages: int) -> None:
    model = zoo.random_tree(8, 5, **LAWS)
    state, integrator = zoo.random_state(model, 5), da.GalerkinVI(stages=stages)
    whole = da.simulate(model, state, duration=0.4, dt=0.02, integrator=integrator)
    again = da.simulate(model, state, duration=0.4, dt=0.02, integrator=integrator)
    seldom = da.simulate(model, state, duration=0.4, dt=0.02, integrator=integrator, every=4)
    first = da.simulate(model, state, duration=0.2, dt=0.02, integrator=integrator)
    second = da.simulate(model, first.final_state, duration=0.2, dt=0.02, integrator=integrator)
    for run, rows in ((again, whole.position), (seldom, whole.position[::4]), (second, whole.position[10:])):
        assert (run.position == rows).all()
    assert (second.angular_velocity == whole.angular_velocity[10:]).all()


def test_a_state_is_taken_over_from_another_method_and_step() -> None:
    """The Legendre transform there and back: what a run ends with starts another within its accuracy."""
    model = zoo.random_tree(6, 2)
    state = zoo.random_state(model, 2)
    half = da.simulate(model, state, duration=0.2, dt=0.02, integrator=da.GalerkinVI(stages=4)).final_state
    ends = [
        da.simulate(model, half, duration=0.2, dt=dt, integrator=integrator).position[-1]
        for dt, integrator in (
            (0.01, da.GalerkinVI(stages=4)),
            (0.02, da.GalerkinVI(stages=5, quadrature="gauss")),
            (0.1, da.RungeKutta("DOP853", rtol=1e-13, atol=1e-14)),
        )
    ]
    assert np.abs(ends[0] - ends[2]).max() < 1e-11
    assert np.abs(ends[1] - ends[2]).max() < 1e-11


def test_drives_and_wrenches_act() -> None:
    """Uniform acceleration by a torque on a wheel with armature, and by a force on a free body."""
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("wheel", mass=2.0, inertia=(0.2, 0.2, 0.3), position=(0, 0, 0))
    builder.add_body("free", mass=2.0, inertia=(0.2, 0.2, 0.3), position=(3, 0, 0))
    axle = da.Revolute(axis=(0, 0, 1))
    builder.add_joint("axle", axle, parent="world", child="wheel", anchor=(0, 0, 0), armature=0.2)
    builder.add_joint("none", da.Floating(), parent="world", child="free")
    run = da.simulate(
        builder.build(),
        duration=2.0,
        dt=0.1,
        integrator=da.GalerkinVI(),
        controller=lambda time, state: {"axle": 1.5},
        wrenches={"free": ((0, 4.0, 0), (0, 0, 0.6))},
    )
    assert np.abs(run.joint("axle").position - 0.5 * (1.5 / 0.5) * run.time**2).max() < 1e-12
    assert np.abs(run.body("free").position[:, 1] - 0.5 * 2.0 * run.time**2).max() < 1e-12
    assert np.abs(run.body("free").angular_velocity[:, 2] - 2.0 * run.time).max() < 1e-12


def test_user_potential_is_the_spring_that_it_spells() -> None:
    """A joint's spring, once of the library's and once written in Python; Newton without its second derivatives."""

    def energy(position: np.ndarray, orientation: np.ndarray) -> float:
        return 20.0 * float(position[0, 2] - 0.2) ** 2

    runs = []
    for own in (False, True):
        builder = da.ModelBuilder()
        builder.add_body("bob", mass=1.0, inertia=(0.1, 0.2, 0.15), position=(0, 0, 0))
        law: dict[str, Any] = {} if own else {"stiffness": 40.0, "rest": 0.2}
        builder.add_joint("rail", da.Prismatic(axis=(0, 0, 1)), parent="world", child="bob", anchor=(0, 0, 0), **law)
        if own:
            builder.add_potential("spring", ["bob"], energy)
        model = builder.build()
        runs.append(da.simulate(model, duration=1.0, dt=0.05, integrator=da.GalerkinVI(stages=3)))
    # differences of the energy are good to 1e-10
    assert np.abs(runs[0].position - runs[1].position).max() < 1e-10
    assert np.abs(runs[0].energy - runs[1].energy).max() < 1e-9


def test_a_ball_that_turns_too_fast_is_told_by_name() -> None:
    model = zoo.pendulum(1, da.Spherical())
    state = model.state(velocities={"joint1": (0.0, 0.0, 40.0)})
    with pytest.raises(da.SimulationError, match="half a revolution in one step") as caught:
        da.simulate(model, state, duration=1.0, dt=0.1, integrator=da.GalerkinVI(stages=2))
    assert caught.value.worst == 'joint "joint1"'


def test_a_step_without_solution_is_an_error() -> None:
    """A rod that is pushed round thirty times within a step."""
    model = zoo.pendulum(3)
    state = model.state(velocities={"joint1": 400.0, "joint2": -900.0, "joint3": 700.0})
    with pytest.raises(da.SimulationError, match="smaller dt") as caught:
        da.simulate(model, state, duration=5.0, dt=0.5, integrator=da.GalerkinVI(stages=2))
    assert caught.value.trajectory is not None
    assert np.isfinite(caught.value.trajectory.position).all()


def test_loops_and_springs_between_points_are_refused() -> None:
    with pytest.raises(da.ModelError, match=r"closes a loop, and GalerkinVI does not support loops.*MaximalVI"):
        da.simulate(zoo.bricard(), duration=0.1, dt=0.01, integrator=da.GalerkinVI())
    builder = da.ModelBuilder()
    builder.add_body("bob", mass=1.0, inertia=(0.1, 0.2, 0.15), position=(0, 0, -1))
    builder.add_joint("pivot", da.Spherical(), parent="world", child="bob", anchor=(0, 0, 0))
    builder.add_spring("rope", "world", "bob", points=((1, 0, 0), (0, 0, -1)), stiffness=40.0, rest_length=0.7)
    with pytest.raises(da.ModelError, match='joint "rope" is not part of the spanning tree'):
        da.simulate(builder.build(), duration=0.1, dt=0.01, integrator=da.GalerkinVI())


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: da.GalerkinVI(stages=0), "stages: expected a whole number from 1 to 10, found 0"),
        (lambda: da.GalerkinVI(stages=2.0), "stages"),  # type: ignore[arg-type]
        (lambda: da.GalerkinVI(quadrature="radau"), "quadrature"),  # type: ignore[arg-type]
        (lambda: da.GalerkinVI(tol=float("nan")), "tol"),
        (lambda: da.GalerkinVI(max_iterations=0), "max_iterations"),
    ],
)
def test_meaningless_options_are_refused(make: Any, words: str) -> None:
    with pytest.raises(da.ModelError, match=words):
        make()


def test_one_stage_is_the_midpoint_rule_of_hamiltons_equations_with_gauss() -> None:
    """On a double pendulum, whose mass matrix turns with it: the rule written out in (q, p), solved by iteration."""
    model = zoo.double_pendulum()
    state = zoo.pendulum_start(model, 1.2, 0.4)
    h, steps = 0.02, 20

    def mass(q: np.ndarray) -> np.ndarray:
        c = 0.5 * np.cos(q[1])
        return np.array([[5.0 / 3.0 + 2.0 * c, 1.0 / 3.0 + c], [1.0 / 3.0 + c, 1.0 / 3.0]])

    def force(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """∂L/∂q for rods of 1 m and 1 kg."""
        weight = 0.5 * 9.81 * np.sin(q[0] + q[1])
        return np.array([-1.5 * 9.81 * np.sin(q[0]) - weight, -weight - 0.5 * np.sin(q[1]) * v[0] * (v[0] + v[1])])

    q, p = state.coordinates.copy(), np.zeros(2)
    expected = [q]
    for _ in range(steps):
        q_end, p_end = q, p
        for _ in range(60):
            middle = 0.5 * (q + q_end)
            v = np.linalg.solve(mass(middle), 0.5 * (p + p_end))
            q_end, p_end = q + h * v, p + h * force(middle, v)
        q, p = q_end, p_end
        expected.append(q)
    method = da.GalerkinVI(stages=1, quadrature="gauss", tol=1e-14)
    run = da.simulate(model, state, duration=steps * h, dt=h, integrator=method)
    assert np.abs(run.q - expected).max() < 1e-12
