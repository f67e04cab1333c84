"""What the tree solver promises beyond the equations: digits, memory, cost, resumed runs and honest failures."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert.integrators.base import StepFailure
from dalembert.integrators.maximal.method import MaximalVI
from dalembert.integrators.maximal.tree_stepper import TreeStepper
from dalembert.integrators.record import Record
from dalembert.zoo.pendulum import pendulum, pendulum_start
from dalembert.zoo.random_mechanisms import random_state, random_tree

DT = 0.01


def stepper_of(model: da.Model, state: da.State, tol: float = 1e-10, dt: float = DT) -> TreeStepper:
    return TreeStepper(MaximalVI(tol=tol), model, state, dt)


def test_auto_takes_the_tree_solver_for_an_open_tree() -> None:
    model = pendulum(2)
    assert isinstance(MaximalVI().start(model, pendulum_start(model), DT), TreeStepper)


def test_tolerance_leaves_a_run_of_ten_seconds_accurate_to_1e_9() -> None:
    # the swing of one rod is regular, so errors of steps add up and are not blown up by chaos
    model = pendulum(1)
    angles = []
    for tol in (1e-10, 1e-14):
        stepper = stepper_of(model, pendulum_start(model), tol)
        stepper.advance(1000)
        angles.append(stepper.state().coordinates[0])
    assert abs(angles[0] - angles[1]) <= 1e-9


@pytest.mark.compiled
def test_a_chain_of_a_thousand_links_loses_no_digits() -> None:
    # a straight chain turning about its end in weightlessness moves as one rigid rod of a kilometre: the discrete
    # equations keep that motion, and with it the momentum about the pivot, to rounding errors of each link
    n = 1000
    model = pendulum(n, gravity=0.0)
    state = model.state(positions={"joint1": 0.3}, velocities={"joint1": 0.05})
    stepper = stepper_of(model, state, 1e-12)
    stepper.advance(100)
    after = stepper.state()
    # velocities grow to 50 m/s along the chain. A rate is a second difference of velocities along the chain, each with
    # a round-off of 1e-14, and a hundred steps collect what the softest bendings of the chain make of it
    assert np.abs(after.rates[1:]).max() <= 2e-11
    assert np.abs(after.rates[0] - 0.05) <= 1e-13
    assert np.abs(after.coordinates[1:]).max() <= 5e-12


def test_momentum_of_a_floating_tree_is_conserved() -> None:
    model = random_tree(10, seed=5, floating_base=True, gravity=0.0)
    stepper = stepper_of(model, random_state(model, seed=6), 1e-13)
    mass = model.system.mass[:-1, None]

    def momenta() -> np.ndarray:
        record = Record.empty(model.system, 1)
        stepper.write(record, 0)
        knot = stepper._knot
        linear = knot.momentum[:-1, :3]
        from dalembert.spatial.quaternion import rotate

        spin = [rotate(tuple(q), tuple(p)) for q, p in zip(knot.orientation[:-1], knot.momentum[:-1, 3:], strict=True)]
        angular = np.cross(knot.position[:-1], linear) + np.array(spin)
        assert np.abs((mass * record.velocity[0]).sum(axis=0) - linear.sum(axis=0)).max() <= 1e-12
        return np.concatenate([linear.sum(axis=0), angular.sum(axis=0)])

    before = momenta()
    stepper.advance(200)
    assert np.abs(momenta() - before).max() <= 1e-10


def test_a_resumed_run_has_the_same_bits() -> None:
    model = random_tree(6, seed=7, damping=0.1)
    state = random_state(model, seed=8)
    whole, first = (Record.empty(model.system, 7) for _ in range(2))
    stepper = stepper_of(model, state)
    stepper.write(whole, 0)
    stepper.run(whole, 1, 6, 5)
    stepper = stepper_of(model, state)
    stepper.write(first, 0)
    stepper.run(first, 1, 3, 5)
    stepper = stepper_of(model, stepper.state())
    stepper.run(first, 4, 3, 5)
    np.testing.assert_array_equal(whole.position, first.position)
    np.testing.assert_array_equal(whole.velocity, first.velocity)


def test_a_state_left_by_the_graph_solver_starts_afresh() -> None:
    model = pendulum(3)
    graph = MaximalVI(linear_solver="graph").start(model, pendulum_start(model), DT)
    graph.advance(5)
    state = graph.state()
    stepper = stepper_of(model, state)
    np.testing.assert_allclose(stepper.state().velocity, state.velocity, rtol=0, atol=1e-13)


@pytest.mark.compiled
def test_no_allocation_per_step() -> None:
    from numba.core.runtime import _nrt_python, rtsys  # pyright: ignore[reportAttributeAccessIssue, reportPrivateImportUsage]

    model = random_tree(14, seed=9, damping=0.1)
    stepper = stepper_of(model, random_state(model, seed=10))

    stepper.advance(5)
    enabled = _nrt_python.memsys_stats_enabled()
    _nrt_python.memsys_enable_stats()
    try:
        counts = []
        for steps in (10, 40):
            before = rtsys.get_allocation_stats()
            stepper.advance(steps)
            after = rtsys.get_allocation_stats()
            counts.append((after.alloc - before.alloc, after.mi_alloc - before.mi_alloc))
    finally:
        if not enabled:
            _nrt_python.memsys_disable_stats()
    assert counts[0] == counts[1]


@pytest.mark.parametrize("joint", [da.Revolute(axis=(0, 1, 0)), da.Spherical()])
def test_a_fast_spin_about_a_pivot_turns_by_the_arcsine_a_step(joint: da.JointKind) -> None:
    # without gravity every step has the same turn δ, and the momentum about the pivot is (I/h) sin δ = I ω: a closed
    # form, near the fastest spin that steps of h can follow
    rate = 0.95 / DT
    model = pendulum(1, joint, gravity=0.0)
    spin = rate if isinstance(joint, da.Revolute) else (0.0, rate, 0.0)
    stepper = stepper_of(model, model.state(velocities={"joint1": spin}), 1e-13)
    expected = np.arcsin(rate * DT)
    before = stepper.state().position[0]
    for _ in range(5):
        stepper.advance(1)
        after = stepper.state().position[0]
        turn = np.arctan2(np.linalg.norm(np.cross(before, after)), before @ after)
        # the sine is flat here: an error of 1e-14 in it is 3e-14 in the turn
        assert abs(turn - expected) <= 1e-12
        before = after


def test_a_spin_that_no_step_can_follow_is_refused() -> None:
    # (I/h) sin δ cannot reach I ω when ω > 1/h
    model = pendulum(1, gravity=0.0)
    state = model.state(velocities={"joint1": 1.01 / DT})
    with pytest.raises(StepFailure) as failure:
        stepper_of(model, state).advance(3)
    assert "link1" in failure.value.worst
    assert failure.value.steps_done == 0


def test_a_failed_step_leaves_the_knot_before_it() -> None:
    # four rods falling from the horizontal meet a step of 0.2 s that they cannot take
    model = pendulum(4)
    stepper = stepper_of(model, pendulum_start(model), dt=0.2)
    with pytest.raises(StepFailure) as failure:
        stepper.advance(1000)
    done = failure.value.steps_done
    again = stepper_of(model, pendulum_start(model), dt=0.2)
    again.advance(done)
    np.testing.assert_allclose(stepper.state().position, again.state().position, rtol=0, atol=1e-13)
