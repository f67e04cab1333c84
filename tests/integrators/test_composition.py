"""Steps of order four and six: their coefficients, observed orders, and all that a run offers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import factorial
from typing import Any, Literal

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.integrators.base import StepFailure
from dalembert.integrators.maximal.composition import SHARES, substeps
from dalembert.integrators.maximal.substep_limits import fastest_decay

Start = tuple[da.Model, da.State]
Words = dict[tuple[int, ...], float]

Order = Literal[2, 4, 6]

HIGH: tuple[Order, ...] = (4, 6)
ALL: dict[str, Any] = {"stiffness": 30.0, "rest": 0.1, "damping": 0.5, "armature": 0.1}


def multiply(a: Words, b: Words, weight: int) -> Words:
    """The product of two polynomials in letters that do not commute; a letter weighs its own number."""
    out: Words = {}
    for (u, x), (v, y) in product(a.items(), b.items()):
        if sum(u + v) <= weight:
            out[u + v] = out.get(u + v, 0.0) + x * y
    return out


def logarithm(shares: tuple[float, ...], weight: int) -> Words:
    """log ∏ exp(γ Y₁ + γ³ Y₃ + γ⁵ Y₅) up to words of this weight."""
    total: Words = {(): 1.0}
    for g in shares:
        exponent: Words = {(k,): g**k for k in (1, 3, 5)}
        power: Words = {(): 1.0}
        series: Words = {(): 1.0}
        for k in range(1, weight + 1):
            power = multiply(power, exponent, weight)
            for word, x in power.items():
                series[word] = series.get(word, 0.0) + x / factorial(k)
        total = multiply(total, series, weight)
    rest = {word: x for word, x in total.items() if word}
    power: Words = {(): 1.0}
    out: Words = {}
    for k in range(1, weight + 1):
        power = multiply(power, rest, weight)
        for word, x in power.items():
            out[word] = out.get(word, 0.0) - (-1.0) ** k * x / k
    return out


@pytest.mark.parametrize("order", HIGH)
def test_the_substeps_meet_the_conditions_of_their_order(order: Order) -> None:
    """The logarithm of the composition is that of the exact flow, h Y₁, up to the order; rounding of sums of ten."""
    shares = SHARES[order]
    assert shares == shares[::-1]
    found = logarithm(shares, order)
    assert abs(found.pop((1,)) - 1.0) <= 1e-15
    assert max(abs(x) for x in found.values()) <= 1e-15


@pytest.mark.parametrize("order", [2, *HIGH])
def test_starts_are_exact_for_polynomial_motions(order: Order) -> None:
    """Weights on values at the middles of substeps: exact for a parabola, with fewer nodes for a line, a constant.

    Where all steps are equal, what one moves is read from four of them and exact for a cubic.
    """
    share, rate, step = substeps(order)
    m = len(share)
    row = np.tile(share, 6)
    middle = np.cumsum(row) - 0.5 * row
    for s in range(m):
        at = 5 * m + s
        for age in (1, 2, 3, 4):
            for degree in range(age if order == 2 else min(age, 3)):
                values = middle[at - 1 : at - 5 : -1] ** degree
                if age <= 3:
                    assert abs(rate[s, age] @ values[:3] - middle[at] ** degree) <= 1e-12
                moved = values * row[at - 1 : at - 5 : -1]
                assert abs(step[s, age] @ moved - share[s] * middle[at] ** degree) <= 1e-12
        for age in (1, 2, 3):
            assert not rate[s, age, age:].any()
            assert not step[s, age, age:].any()


def tree(**options: Any) -> Start:
    """One joint of every kind."""
    model = zoo.random_tree(14, 3, **options)
    return model, zoo.random_state(model, 3)


def loops(**options: Any) -> Start:
    """Loops of random joints that share bodies."""
    model = zoo.random_loops(6, 2, 3, **options)
    return model, zoo.random_state(model, 3)


def of_zoo(name: str) -> Start:
    model = zoo.ZOO[name].build()
    return model, zoo.ZOO[name].start(model)


def pendulum() -> Start:
    model = zoo.double_pendulum()
    return model, zoo.pendulum_start(model, 1.5)


CASES: dict[str, tuple[Callable[[], Start], float, int, int]] = {
    "double pendulum": (pendulum, 1.0, 64, 64),
    "tree": (tree, 0.4, 32, 8),
    "tree, springs, dampers, rotors": (lambda: tree(**ALL), 0.4, 32, 16),
    "loops": (loops, 0.4, 32, 32),
    "loops, springs, dampers, rotors": (lambda: loops(**ALL), 0.4, 32, 16),
    "Bricard": (lambda: of_zoo("bricard"), 1.0, 16, 16),
    "N = 2 four-bar": (lambda: of_zoo("n_four_bar"), 1.0, 32, 32),
}
"""Start, seconds, steps of the coarsest run at order four and at order six."""


def observed(start: Start, duration: float, steps: int, **options: Any) -> tuple[float, float]:
    """Orders of positions and velocities from three runs, the step halved each time."""
    model, state = start
    method = da.MaximalVI(tol=1e-14, **options)
    runs = [
        da.simulate(model, state, duration=duration, dt=duration / n, every=n, integrator=method)
        for n in (steps, 2 * steps, 4 * steps)
    ]
    out = []
    for ends in ([run.position[-1] for run in runs], [run.velocity[-1] for run in runs]):
        coarse, fine = (np.linalg.norm(ends[i] - ends[i + 1]) for i in range(2))
        out.append(float(np.log2(coarse / fine)))
    return out[0], out[1]


@pytest.mark.parametrize("order", HIGH)
@pytest.mark.parametrize("case", CASES)
def test_observed_order(case: str, order: Order) -> None:
    start, duration, coarse4, coarse6 = CASES[case]
    steps = coarse4 if order == 4 else coarse6
    assert observed(start(), duration, steps, order=order) == pytest.approx((order, order), abs=0.1)


@pytest.mark.parametrize("order", HIGH)
def test_the_graph_solver_takes_the_same_steps(order: Order) -> None:
    """With interval forces on trees and on loops, also when a joint is driven: steps differ by the tolerance."""
    for model, state in (tree(**ALL), loops(**ALL)):
        ends = []
        for solver in ("tree", "graph"):
            method = da.MaximalVI(tol=1e-13, order=order, linear_solver=solver)
            force = np.linspace(-1.0, 1.0, int(model.system.n_rates.sum()))
            stepper = method.start(model, state, 0.01)
            stepper.control(force, np.zeros((model.n_bodies + 1, 6)))
            stepper.advance(20)
            ends.append(stepper.state())
        assert np.abs(ends[0].position - ends[1].position).max() <= 1e-11
        assert np.abs(ends[0].velocity - ends[1].velocity).max() <= 1e-9


@pytest.mark.parametrize("order", HIGH)
@pytest.mark.parametrize("solver", ["tree", "graph"])
def test_a_run_is_resumed_with_the_same_bits_however_it_is_recorded(order: Order, solver: Any) -> None:
    model, state = loops(**ALL)
    method = da.MaximalVI(order=order, linear_solver=solver)
    whole = da.simulate(model, state, duration=0.2, dt=0.01, integrator=method)
    coarse = da.simulate(model, state, duration=0.2, dt=0.01, every=5, integrator=method)
    half = da.simulate(model, state, duration=0.1, dt=0.01, integrator=method)
    rest = da.simulate(model, half.final_state, duration=0.1, dt=0.01, integrator=method)
    np.testing.assert_array_equal(coarse.position, whole.position[::5])
    np.testing.assert_array_equal(coarse.velocity, whole.velocity[::5])
    np.testing.assert_array_equal(rest.position, whole.position[10:])
    np.testing.assert_array_equal(rest.velocity, whole.velocity[10:])
    np.testing.assert_array_equal(coarse.record.multiplier[:-1], whole.record.multiplier[::5][:-1])


def test_a_state_left_by_another_order_is_only_a_start() -> None:
    """The memory of one order is not gone on from by another: the run is that from the state alone."""
    model, state = tree()
    left = da.simulate(model, state, duration=0.05, dt=0.01, integrator=da.MaximalVI()).final_state
    bare = model.state_from_bodies(
        left.position, left.orientation, left.velocity, left.angular_velocity, time=left.time, near=left
    )
    method = da.MaximalVI(order=4, tol=1e-13)
    runs = [da.simulate(model, start, duration=0.05, dt=0.01, integrator=method) for start in (left, bare)]
    assert np.abs(runs[0].position - runs[1].position).max() <= 1e-13


@pytest.mark.parametrize("order", HIGH)
@pytest.mark.parametrize("solver", ["tree", "graph"])
def test_reactions_hold_the_weight(order: Order, solver: Any) -> None:
    """A body that hangs at rest, and one swinging through its lowest point: m g + m v²/l."""
    model = zoo.pendulum(1)
    method = da.MaximalVI(order=order, linear_solver=solver)
    still = da.simulate(model, model.state(), duration=0.05, dt=0.01, integrator=method)
    weight = float(model.bodies["link1"].mass) * 9.81
    np.testing.assert_allclose(np.linalg.norm(still.joint("joint1").reaction_force, axis=1), weight, rtol=0, atol=1e-9)
    swing = da.simulate(model, model.state(velocities={"joint1": 2.0}), duration=0.02, dt=0.001, integrator=method)
    arm = np.linalg.norm(model.bodies["link1"].position)
    expected = weight + float(model.bodies["link1"].mass) * arm * 4.0
    assert abs(np.linalg.norm(swing.joint("joint1").reaction_force[0]) - expected) <= 1e-4


@pytest.mark.parametrize("order", HIGH)
def test_potentials_of_the_user_are_met_at_every_substep(order: Order) -> None:
    """The weight as a function of the user's in place of gravity: the same motion."""
    runs = []
    for own in (False, True):
        builder = da.ModelBuilder(gravity=(0, 0, 0.0 if own else -9.81))
        builder.add_body("bob", mass=1.5, inertia=(0.1, 0.1, 0.02), position=(0, 0, -0.5))
        builder.add_joint("pivot", da.Spherical(), parent="world", child="bob", anchor=(0, 0, 0))
        if own:
            builder.add_potential("weight", ["bob"], lambda x, q: 1.5 * 9.81 * x[0, 2])
        model = builder.build()
        state = model.state(positions={"pivot": (1.0, 0.3, 0.0)}, velocities={"pivot": (0.0, 0.5, 1.0)})
        method = da.MaximalVI(order=order, tol=1e-12)
        runs.append(da.simulate(model, state, duration=0.5, dt=0.05, integrator=method))
    # the gradient of the user's function is taken by differences
    assert np.abs(runs[0].position - runs[1].position).max() <= 1e-8
    assert np.abs(runs[0].record.multiplier - runs[1].record.multiplier)[:-1].max() <= 1e-5


@pytest.mark.parametrize("solver", ["tree", "graph"])
def test_a_failing_step_leaves_the_knot_at_which_it_began(solver: Any) -> None:
    """A driven wheel turns ever faster until a substep has no solution; what came before is the run without it."""
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0))
    builder.add_joint("axle", da.Revolute(axis=(0, 0, 1)), parent="world", child="wheel", anchor=(0, 0, 0))
    model, method = builder.build(), da.MaximalVI(order=6, linear_solver=solver)
    torque = {"axle": 40.0}
    with pytest.raises(da.SimulationError) as caught:
        da.simulate(model, duration=10.0, dt=0.02, integrator=method, controller=lambda time, state: torque)
    short = caught.value.trajectory
    assert short is not None
    steps = len(short) - 1
    assert 5 < steps < 400
    assert short.final_state.time == pytest.approx(0.02 * steps, abs=1e-12)
    np.testing.assert_array_equal(short.final_state.position, short.position[-1])
    # α = τ/J, in 0.02 s steps held constant: exact for every order
    expected = 400.0 * short.final_state.time
    assert abs(short.final_state.angular_velocity[0, 2] - expected) <= 0.05 * expected
    chunk = method.start(model, model.state(velocities={"axle": 20.0}), 0.02)
    chunk.control(np.array([40.0]), np.zeros((2, 6)))
    with pytest.raises(StepFailure, match="turns too fast") as failed:
        chunk.advance(1000)
    again = method.start(model, model.state(velocities={"axle": 20.0}), 0.02)
    again.control(np.array([40.0]), np.zeros((2, 6)))
    again.advance(failed.value.steps_done)
    np.testing.assert_array_equal(chunk.state().coordinates, again.state().coordinates)
    np.testing.assert_array_equal(chunk.state().rates, again.state().rates)


@pytest.mark.parametrize("order", HIGH)
def test_momentum_of_a_free_mechanism_is_kept(order: Order) -> None:
    """Every substep keeps it, to the tolerance over its length: 1e-13 m of 1 kg in 0.8 ms is 1e-10 kg m/s."""
    model = zoo.random_tree(8, 1, floating_base=True, gravity=0.0)
    run = da.simulate(
        model, zoo.random_state(model, 1), duration=5.0, dt=0.01, integrator=da.MaximalVI(order=order, tol=1e-13)
    )
    assert np.abs(run.linear_momentum - run.linear_momentum[0]).max() <= 1e-10
    assert np.abs(run.angular_momentum - run.angular_momentum[0]).max() <= 1e-10


@pytest.mark.parametrize("order", HIGH)
def test_the_energy_of_a_loop_has_a_narrow_band_without_a_slope(order: Order) -> None:
    """Bricard's mechanism for a minute; beside the band of second order, that of this one is hundreds of times less."""
    model, state = of_zoo("bricard")
    bands = {}
    for method in (da.MaximalVI(tol=1e-12), da.MaximalVI(order=order, tol=1e-12)):
        run = da.simulate(model, state, duration=60.0, dt=0.05, integrator=method)
        bands[method.order] = np.ptp(run.energy)
        half = len(run) // 2
        assert abs(run.energy[half:].mean() - run.energy[:half].mean()) <= 0.1 * bands[method.order]
        assert run.constraint_error.max() <= 1e-11
    assert bands[order] <= bands[2] * {4: 1e-2, 6: 1e-3}[order]


@pytest.mark.parametrize("order", HIGH)
def test_back_the_way_it_came(order: Order) -> None:
    """The composition is symmetric: with velocities turned round the mechanism goes back."""
    model, state = loops(stiffness=5.0)
    method = da.MaximalVI(order=order, tol=1e-13)
    there = da.simulate(model, state, duration=0.5, dt=0.02, integrator=method)
    end = there.state(-1)
    turned = model.state_from_bodies(end.position, end.orientation, -end.velocity, -end.angular_velocity, near=end)
    back = da.simulate(model, turned, duration=0.5, dt=0.02, integrator=method)
    np.testing.assert_allclose(back.position[::-1], there.position, rtol=0, atol=1e-11)


def wheel(damping: float, rotor: float = 0.0) -> da.Model:
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0))
    axle = {"parent": "world", "child": "wheel", "anchor": (0, 0, 0)}
    builder.add_joint("axle", da.Revolute(axis=(0, 0, 1)), **axle, damping=damping, armature=rotor)
    return builder.build()


def test_the_fastest_decay_is_the_largest_eigenvalue() -> None:
    """One wheel: d/(J + I). Two pendulum links, also with a damper outside the tree: against the dense matrices."""
    assert fastest_decay(wheel(0.4, 0.1).system, wheel(0.4, 0.1).state()) == pytest.approx(2.0, abs=1e-12)
    model = zoo.double_pendulum(damping=0.3)
    state = zoo.pendulum_start(model, 0.7)
    rates = np.linalg.eigvals(np.linalg.solve(model.mass_matrix(state), 0.3 * np.eye(2)))
    assert fastest_decay(model.system, state) == pytest.approx(rates.real.max(), abs=1e-10)


def test_stiff_dampers_are_refused_with_the_step_that_would_do() -> None:
    model = wheel(40.0)
    with pytest.raises(da.ModelError, match=r"dampers slow a motion down at the rate 400 1/s.*use dt below 0\.0038 s"):
        da.simulate(model, duration=0.1, dt=0.01, integrator=da.MaximalVI(order=4))
    for order in HIGH:
        method = da.MaximalVI(order=order, tol=1e-13)
        run = da.simulate(model, model.state(velocities={"axle": 1.0}), duration=0.02, dt=0.0025, integrator=method)
        # the substeps multiply the speed by rational approximations of exp(−400 γ dt), up to |γ h d/m| of one
        assert np.abs(run.rates[:, 0] - np.exp(-400.0 * run.time)).max() <= {4: 5e-4, 6: 5e-5}[order]


def test_what_cannot_be_composed_is_refused() -> None:
    with pytest.raises(da.ModelError, match="order: expected 2, 4 or 6, found 3"):
        da.MaximalVI(order=3)  # type: ignore[arg-type]
    with pytest.raises(da.ModelError, match='expected 2 with initial_velocity="interval"'):
        da.MaximalVI(order=4, initial_velocity="interval")
    assert [da.MaximalVI(order=order).declared_order for order in (2, 4, 6)] == [2, 4, 6]
