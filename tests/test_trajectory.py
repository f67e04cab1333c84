"""What a run says of its bodies and joints by name, and that it all fits together."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert.zoo import ZOO
from dalembert.zoo.random_mechanisms import random_loops, random_state, random_tree


@pytest.fixture(scope="module", params=["tree", "loops"])
def run(request: pytest.FixtureRequest) -> da.Trajectory:
    """A mechanism of all joint kinds, and one with loops."""
    model = random_tree(n=14, seed=7) if request.param == "tree" else random_loops(seed=5)
    return da.simulate(model, random_state(model, 7), duration=0.1, dt=0.002, every=5, integrator=da.MaximalVI())


def test_lengths_and_shapes(run: da.Trajectory) -> None:
    n, rows, system = run.model.n_bodies, 11, run.model.system
    assert len(run) == rows
    assert run.position.shape == run.velocity.shape == run.angular_velocity.shape == (rows, n, 3)
    assert run.orientation.shape == (rows, n, 4)
    assert run.q.shape == (rows, system.n_q) and run.qdot.shape == (rows, system.n_v)
    assert run.energy.shape == run.constraint_error.shape == run.iterations.shape == (rows,)
    assert run.linear_momentum.shape == run.angular_momentum.shape == (rows, 3)
    assert "11 instants to t = 0.1 s by MaximalVI" in repr(run)


def test_every_instant_is_a_state_of_the_model(run: da.Trajectory) -> None:
    """What the recording says at once for all instants, the model says for each."""
    model = run.model
    for k in (0, 4, 10):
        state = run.state(k)
        assert state.time == run.time[k]
        energies = model.energy(state)
        scale = 1.0 + abs(float(energies.kinetic)) + abs(float(energies.potential))
        assert abs(float(energies.kinetic) - run.kinetic[k]) < 1e-14 * scale
        assert abs(float(energies.potential) - run.potential[k]) < 1e-14 * scale
        assert np.abs(model.momentum(state).linear - run.linear_momentum[k]).max() < 1e-13
        again = model.state_from_bodies(
            state.position, state.orientation, state.velocity, state.angular_velocity, near=state
        )
        # quaternions are normalised once more on the way in
        assert np.abs(again.coordinates - run.coordinates[k]).max() < 1e-13
        assert np.abs(again.rates - run.rates[k]).max() < 1e-12


def test_the_last_instant_is_the_final_state(run: da.Trajectory) -> None:
    final = run.final_state
    assert final.time == run.time[-1]
    assert np.array_equal(final.position, run.position[-1])
    assert np.array_equal(final.velocity, run.velocity[-1])
    assert np.array_equal(final.coordinates, run.coordinates[-1])
    assert np.array_equal(final.rates, run.rates[-1])


def test_joints_by_name_are_columns(run: da.Trajectory) -> None:
    for name, joint in run.model.joints.items():
        motion = run.joint(name)
        position, velocity = run.coordinates[:, joint.coordinates], run.rates[:, joint.rates]
        plain = joint.coordinates.stop - joint.coordinates.start == 1
        assert np.array_equal(motion.position, position[:, 0] if plain else position)
        assert np.array_equal(motion.velocity, velocity[:, 0] if plain else velocity)
        free = run.model.system.locked[run.model.joint_index(name)] == 0
        assert not motion.multiplier[:, free].any()


def test_rates_are_derivatives_of_coordinates() -> None:
    """Central differences of the hinge angles of a smooth motion, second order."""
    model = ZOO["double_pendulum"].build()
    start = model.state(positions={"joint1": 0.7})
    errors = []
    for dt in (0.01, 0.005):
        run = da.simulate(model, start, duration=0.5, dt=dt, integrator=da.MaximalVI(tol=1e-12))
        angle, rate = run.joint("joint2").position, run.joint("joint2").velocity
        errors.append(np.abs((angle[2:] - angle[:-2]) / (2.0 * dt) - rate[1:-1]).max())
    assert abs(np.log2(errors[0] / errors[1]) - 2.0) < 0.1


def test_angles_are_counted_over_turns() -> None:
    """A hinge that turns at 7 rad/s for 3 s without any force."""
    model = ZOO["pendulum"].build(gravity=0.0)
    start = model.state(velocities={"joint1": 7.0})
    run = da.simulate(model, start, duration=3.0, dt=0.01, integrator=da.MaximalVI())
    # the momentum of a step that turns by θ is J sin θ / h, so each of 300 steps turns by asin(ω h)
    assert abs(run.joint("joint1").position[-1] - 300.0 * np.arcsin(0.07)) < 1e-9
    assert np.all(np.diff(run.joint("joint1").position) > 0.0)


def test_points_of_a_body() -> None:
    """The lower end of a rod: its length below the pin, along the rod's first axis."""
    model = ZOO["pendulum"].build(length=2.0)
    start = model.state(positions={"joint1": 1.0})
    run = da.simulate(model, start, duration=0.5, dt=0.01, integrator=da.MaximalVI())
    angle = run.joint("joint1").position
    tip = run.body("link1").point((1.0, 0.0, 0.0))
    expected = np.stack([-2.0 * np.sin(angle), 0.0 * angle, -2.0 * np.cos(angle)], axis=1)
    assert np.abs(tip - expected).max() < 1e-12
    assert np.abs(run.body("link1").point((-1.0, 0.0, 0.0))).max() < 1e-12
    assert np.array_equal(run.body("link1").position, run.position[:, 0])
    assert np.array_equal(run.body("link1").orientation, run.orientation[:, 0])
    assert np.array_equal(run.body("link1").velocity, run.velocity[:, 0])
    assert np.array_equal(run.body("link1").angular_velocity, run.angular_velocity[:, 0])


def test_unknown_names() -> None:
    run = da.simulate(ZOO["pendulum"].build(), duration=0.01, dt=0.01, integrator=da.MaximalVI())
    with pytest.raises(da.ModelError, match=r'body "link2": there is none of this name; did you mean "link1"'):
        run.body("link2")
    with pytest.raises(da.ModelError, match=r'joint "joint2": there is none of this name; did you mean "joint1"'):
        run.joint("joint2")
    with pytest.raises(da.ModelError, match="a recording has no motion of the world"):
        run.body("world")


def test_a_potential_of_the_user_is_in_the_energy() -> None:
    """A ball in a well ½ k |x|²: m |v|²/2 plus that is the energy, and nothing else is."""
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("ball", mass=2.0, inertia=(1, 1, 1), position=(0.5, 0, 0))
    builder.add_joint("free", da.Floating(), parent="world", child="ball")
    builder.add_potential(
        "well", ["ball"], lambda x, q: 1.5 * float(x[0] @ x[0]), lambda x, q: [[*3.0 * x[0], 0, 0, 0]]
    )
    run = da.simulate(builder.build(), duration=1.0, dt=0.01, integrator=da.MaximalVI())
    by_hand = (run.velocity[:, 0] ** 2).sum(axis=1) + 1.5 * (run.position[:, 0] ** 2).sum(axis=1)
    assert np.abs(run.energy - by_hand).max() < 1e-14
    assert np.ptp(run.potential) > 0.3
