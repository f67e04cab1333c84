"""Batches: every member is its single run to the last bit, and one that fails ends alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.batch_lanes import fits_lanes


def starts(model: da.Model, count: int) -> list[da.State]:
    """One chain or tree let go from different angles."""
    return [zoo.random_state(model, seed, spread=0.5, speed=1.0) for seed in range(count)]


def assert_same(member: da.Trajectory, single: da.Trajectory) -> None:
    for ours, theirs in zip(member.record, single.record, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(member.final_state.position, single.final_state.position)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "integrator",
    [da.MaximalVI(), da.MaximalVI(order=4), da.MaximalVI(linear_solver="graph")],
    ids=["tree", "order 4", "graph"],
)
def test_members_are_single_runs(threads: int, integrator: da.Integrator) -> None:
    model = zoo.double_pendulum()
    states = starts(model, 5)
    setting: dict[str, Any] = {"duration": 0.2, "dt": 0.01, "every": 4, "integrator": integrator}
    batch = da.simulate_batch(model, states, threads=threads, **setting)
    assert len(batch) == 5
    assert not batch.failures
    for member, state in zip(batch, states, strict=True):
        assert_same(member, da.simulate(model, state, **setting))
    assert batch.position.shape == (5, 6, 2, 3)
    np.testing.assert_array_equal(batch.energy[3], batch[3].energy)
    np.testing.assert_array_equal(batch.qdot[2], batch[2].qdot)
    np.testing.assert_allclose(batch.time, batch[0].time, rtol=0, atol=1e-15)


LANES = ["Revolute", "Prismatic", "Spherical", "Fixed"]


@pytest.mark.parametrize("order", [2, 4])
@pytest.mark.parametrize("seed", range(3))
def test_lanes_of_branched_trees_are_single_runs(seed: int, order: Any) -> None:
    """Joints crossed either way; more members than lanes; motions so wild that some steps need a line search."""
    model = zoo.random_tree(9, seed, kinds=LANES)
    states = [zoo.random_state(model, k, spread=2.0, speed=12.0) for k in range(11)]
    setting: dict[str, Any] = {"duration": 0.3, "dt": 0.01, "every": 3, "integrator": da.MaximalVI(order=order)}
    assert fits_lanes(model, states, setting["integrator"])
    batch = da.simulate_batch(model, states, threads=2, **setting)
    for k, state in enumerate(states):
        if k in batch.failures:
            with pytest.raises(da.SimulationError) as alone:
                da.simulate(model, state, **setting)
            assert str(batch.failures[k]) == str(alone.value)
            assert_same(batch[k], alone.value.trajectory)
        else:
            assert_same(batch[k], da.simulate(model, state, **setting))
    assert len(batch.failures) < len(states) // 2


def test_a_lane_that_cannot_go_on_ends_alone() -> None:
    """A double pendulum that turns by more than a quarter of a revolution in a step, among others that do not."""
    model = zoo.double_pendulum()
    states = [model.state(velocities={"joint1": 1.0 + k}) for k in range(4)]
    states.append(model.state(velocities={"joint1": 400.0}))
    setting: dict[str, Any] = {"duration": 0.2, "dt": 0.01, "integrator": da.MaximalVI()}
    batch = da.simulate_batch(model, states, **setting)
    assert list(batch.failures) == [4]
    assert batch.failures[4].step == len(batch[4])
    for k in range(4):
        assert_same(batch[k], da.simulate(model, states[k], **setting))


def test_lanes_are_for_trees_on_which_nothing_acts_but_weight() -> None:
    method = da.MaximalVI()
    for model, fits in (
        (zoo.double_pendulum(), True),
        (zoo.double_pendulum(damping=0.1), False),
        (zoo.four_bar_chain(1), False),
        (zoo.random_tree(3, 0, kinds=["Universal"]), False),
    ):
        states = [model.state(), model.state()]
        assert fits_lanes(model, states, method) is fits
        assert not fits_lanes(model, states, da.MaximalVI(linear_solver="graph"))
        assert not fits_lanes(model, states, da.MinimalVI())


def test_parameters_and_controls_of_each_member() -> None:
    """Loops, dampers and torques that differ from member to member."""
    models = [zoo.four_bar_chain(2, tilt=0.1 * (k + 1)) for k in range(3)]
    name = next(iter(models[0].joints))
    pushes = [lambda time, state, k=k: {name: 0.5 * k} for k in range(3)]
    setting: dict[str, Any] = {"duration": 0.1, "dt": 0.01, "integrator": da.MaximalVI()}
    batch = da.simulate_batch(models, [None] * 3, controllers=pushes, **setting)
    for k, member in enumerate(batch):
        assert_same(member, da.simulate(models[k], controller=pushes[k], **setting))
    assert np.abs(batch.q[0, -1] - batch.q[2, -1]).max() > 1e-2


def test_a_batch_goes_on_with_the_same_bits() -> None:
    model = zoo.double_pendulum()
    setting: dict[str, Any] = {"dt": 0.01, "integrator": da.MaximalVI()}
    whole = da.simulate_batch(model, starts(model, 3), duration=0.2, **setting)
    half = da.simulate_batch(model, starts(model, 3), duration=0.1, **setting)
    rest = da.simulate_batch(model, half.final_states, duration=0.1, **setting)
    np.testing.assert_array_equal(rest.position, whole.position[:, 10:])


def test_a_member_that_cannot_go_on_ends_alone() -> None:
    """The second is driven until it turns too fast for its step: others are not touched, and the cause is told."""
    model = zoo.pendulum(1)
    setting: dict[str, Any] = {"duration": 1.0, "dt": 0.02, "integrator": da.MaximalVI()}
    drive = [None, lambda time, state: {"joint1": 60.0}, None]
    states = [model.state(positions={"joint1": angle}) for angle in (0.3, 0.6, 0.9)]
    batch = da.simulate_batch(model, states, controllers=drive, **setting)
    assert list(batch.failures) == [1]
    assert "turns too fast" in batch.failures[1].reason
    assert batch.failures[1].worst == 'body "link1"'
    reached = len(batch[1])
    assert 1 < reached < 51
    assert np.isnan(batch.position[1, reached:]).all()
    assert np.isfinite(batch.position[1, :reached]).all()
    for k in (0, 2):
        assert_same(batch[k], da.simulate(model, states[k], **setting))
    assert "1 failed" in repr(batch)


def test_faults_of_the_call_name_the_member() -> None:
    model = zoo.pendulum(1)
    setting: dict[str, Any] = {"duration": 0.1, "dt": 0.01, "integrator": da.MaximalVI()}
    with pytest.raises(da.ModelError, match="states: expected one state or more"):
        da.simulate_batch(model, [], **setting)
    with pytest.raises(da.ModelError, match="controllers: expected one or 2, as there are states, found 3"):
        da.simulate_batch(model, [None, None], controllers=[None] * 3, **setting)
    with pytest.raises(da.ModelError, match="threads: expected a whole number from 1, found 0"):
        da.simulate_batch(model, [None], threads=0, **setting)
    with pytest.raises(da.ModelError, match="member 1: "):
        da.simulate_batch(model, [None, zoo.double_pendulum().state()], **setting)
    with pytest.raises(da.ModelError, match="found 2 kinds"):
        da.simulate_batch([model, zoo.double_pendulum()], [None, None], **setting)
