"""States: joints set by name, bodies placed and moved by them, and what is refused."""

from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest

import dalembert as da
from dalembert.model.joint_kind import JointKind
from dalembert.model.system import Floats

HINGE = da.Revolute((0, 1, 0))


def pendulum() -> da.Model:
    """The double pendulum of the design's first page: two rods of 1 m, hanging along −z."""
    builder = da.ModelBuilder()
    for name, height in (("upper", -0.5), ("lower", -1.5)):
        builder.add_body(name, mass=1.0, inertia=(0.083, 0.083, 0.001), position=(0, 0, height))
    builder.add_joint("shoulder", HINGE, parent="world", child="upper", anchor=(0, 0, 0))
    builder.add_joint("elbow", HINGE, parent="upper", child="lower", anchor=(0, 0, -1))
    return builder.build()


def quaternion(rng: np.random.Generator) -> Floats:
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def chain(kind: JointKind, seed: int = 0) -> da.Model:
    """Three bodies anywhere in a row, the middle joint crossed from its child to its parent."""
    rng = np.random.default_rng(seed)
    builder = da.ModelBuilder()
    for name in "abc":
        builder.add_body(name, mass=1, inertia=(1, 1, 1), position=rng.normal(size=3), orientation=quaternion(rng))
    for name, parent, child in (("j1", "world", "a"), ("j2", "b", "a"), ("j3", "b", "c")):
        builder.add_joint(name, kind, parent=parent, child=child, anchor=rng.normal(size=3))
    return builder.build()


def random_values(model: da.Model, rng: np.random.Generator) -> tuple[dict[str, Floats], dict[str, Floats]]:
    positions, velocities = {}, {}
    for name, joint in model.joints.items():
        if not joint.kind.coordinate_names:
            continue
        value = rng.uniform(-1, 1, size=len(joint.kind.coordinate_names))
        if joint.kind.turns_freely:
            value[-4:] = quaternion(rng)
        positions[name] = value
        velocities[name] = rng.normal(size=len(joint.kind.rate_names))
    return positions, velocities


def test_the_double_pendulum_stands_where_trigonometry_says() -> None:
    state = pendulum().state(positions={"shoulder": 1.2, "elbow": -0.4}, velocities={"shoulder": 2.0, "elbow": -0.5})
    # a positive turn about y takes −z towards −x
    tip = np.array([-np.sin(1.2), 0, -np.cos(1.2)])
    arm = np.array([-np.sin(0.8), 0, -np.cos(0.8)])
    assert np.abs(state.position - [0.5 * tip, tip + 0.5 * arm]).max() < 1e-15
    y = np.array([0, 1.0, 0])
    expected = [np.cross(2.0 * y, 0.5 * tip), np.cross(2.0 * y, tip) + np.cross(1.5 * y, 0.5 * arm)]
    # some ten roundings of numbers up to 2.5
    assert np.abs(state.velocity - expected).max() < 5e-15
    assert np.abs(state.angular_velocity - [2.0 * y, 1.5 * y]).max() < 5e-15
    assert state.coordinates.tolist() == [1.2, -0.4]
    assert state.rates.tolist() == [2.0, -0.5]
    assert state.time == 0.0


def test_what_is_not_set_is_at_the_reference_and_at_rest() -> None:
    model = pendulum()
    state = model.state()
    assert np.abs(state.position - [(0, 0, -0.5), (0, 0, -1.5)]).max() < 1e-15
    assert not state.velocity.any()
    assert not state.coordinates.any()


def test_angles_keep_their_turns() -> None:
    model = pendulum()
    turned = model.state(positions={"shoulder": 7.0, "elbow": -20.0})
    assert turned.coordinates.tolist() == [7.0, -20.0]
    again = model.state_from_bodies(turned.position, turned.orientation, near=turned)
    assert np.abs(again.coordinates - [7.0, -20.0]).max() < 4e-15
    alone = model.state_from_bodies(turned.position, turned.orientation)
    assert np.abs(alone.coordinates - [7.0 - 2 * np.pi, -20.0 + 6 * np.pi]).max() < 4e-15


@pytest.mark.parametrize("name", da.JOINT_KINDS)
def test_joints_to_bodies_and_back(name: str) -> None:
    model = chain(da.JOINT_KINDS[name])
    rng = np.random.default_rng(1)
    for _ in range(10):
        positions, velocities = random_values(model, rng)
        state = model.state(positions, velocities, time=3.5)
        assert state.time == 3.5
        back = model.state_from_bodies(
            state.position, state.orientation, state.velocity, state.angular_velocity, near=state, time=3.5
        )
        for joint in positions:
            where, moves = model.joints[joint].coordinates, model.joints[joint].rates
            # read_quaternion divides by a length that is one to round-off
            assert np.abs(state.coordinates[where] - positions[joint]).max(initial=0.0) < 4e-16
            assert state.rates[moves].tolist() == velocities[joint].tolist()
        assert np.abs(back.coordinates - state.coordinates).max(initial=0.0) < 1e-12
        assert np.abs(back.rates - state.rates).max(initial=0.0) < 1e-12


@pytest.mark.parametrize("name", da.JOINT_KINDS)
def test_velocities_are_the_rates_of_positions(name: str) -> None:
    """Central differences of the poses along straight lines of scalar coordinates and steady turns of quaternions."""
    model = chain(da.JOINT_KINDS[name])
    positions, velocities = random_values(model, np.random.default_rng(2))
    state = model.state(positions, velocities)
    h, ends = 1e-5, []
    for step in (-h, h):
        moved = {}
        for joint, value in positions.items():
            rate = velocities[joint]
            if model.joints[joint].kind.turns_freely:
                half = 0.5 * step * rate[-3:]
                angle = np.linalg.norm(half)
                turn = np.array([np.cos(angle), *(np.sin(angle) / angle * half)])
                moved[joint] = np.concatenate((value[:-4] + step * rate[:-3], product(value[-4:], turn)))
            else:
                moved[joint] = value + step * rate
        ends.append(model.state(moved))
    velocity = (ends[1].position - ends[0].position) / (2 * h)
    # h² of third derivatives of order 10, and round-off over h
    assert np.abs(velocity - state.velocity).max() < 2e-8
    for body in range(3):
        slope = (ends[1].orientation[body] - ends[0].orientation[body]) / (2 * h)
        q = state.orientation[body]
        spin = 2.0 * product(np.array([q[0], *-q[1:]]), slope)[1:]
        assert np.abs(spin - state.angular_velocity[body]).max() < 2e-8


def product(p: Floats, q: Floats) -> Floats:
    """Hamilton's product."""
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def test_a_joint_that_closes_a_loop_cannot_be_set() -> None:
    builder = da.ModelBuilder()
    corners = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]
    bodies = ["world", "a", "b", "c", "world"]
    for name, height in (("a", 0), ("b", 1), ("c", 0)):
        builder.add_body(name, mass=1, inertia=(1, 1, 1), position=(0, 0, height))
    for k in range(4):
        builder.add_joint(f"j{k}", HINGE, parent=bodies[k], child=bodies[k + 1], anchor=corners[k])
    model = builder.build()
    assert model.loop_joints == ("j2",)
    with pytest.raises(da.ModelError, match=r'joint "j2".*closes a loop.*model\.assemble\(state, hold=\("j2",\)\)'):
        model.state(positions={"j2": 0.1})
    # it follows from the others: "a" turns by 0.2 and carries "b" along, "c" stays
    state = model.state(positions={"j0": 0.2})
    assert np.abs(state.coordinates[model.joints["j2"].coordinates] + 0.2).max() < 1e-15


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"position": np.zeros((3, 3))}, ("position", "(2, 3)", "(3, 3)")),
        ({"position": np.full((2, 3), np.nan)}, ("position", "without NaN")),
        ({"orientation": np.ones((2, 4))}, ('orientation of body "upper"', "length 1", "of length 2")),
        ({"velocity": np.full((2, 3), np.inf)}, ("velocity", "without NaN or infinity")),
        ({"angular_velocity": np.zeros(3)}, ("angular_velocity", "(2, 3)", "(3,)")),
        ({"time": np.nan}, ("time", "seconds", "nan")),
    ],
)
def test_poses_that_are_not_meaningful_are_refused(given: dict[str, object], words: tuple[str, ...]) -> None:
    sound = {"position": np.zeros((2, 3)), "orientation": [(1, 0, 0, 0), (1, 0, 0, 0)]}
    with pytest.raises(da.ModelError) as caught:
        pendulum().state_from_bodies(**(sound | given))  # pyright: ignore[reportArgumentType]
    for word in words:
        assert word in str(caught.value)


def test_names_are_looked_up_with_suggestions() -> None:
    model = pendulum()
    assert [model.body_index(name) for name in ("upper", "lower", "world")] == [0, 1, 2]
    assert [model.joint_index(name) for name in ("shoulder", "elbow")] == [0, 1]
    with pytest.raises(da.ModelError, match=r'body "uper".*did you mean "upper"\?'):
        model.body_index("uper")
    with pytest.raises(da.ModelError, match=r'joint "ankle".*known: "shoulder", "elbow"'):
        model.joint_index("ankle")


def test_models_and_states_are_frozen() -> None:
    model = pendulum()
    with pytest.raises(AttributeError, match="frozen"):
        model.system = None  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(TypeError):
        model.bodies["x"] = model.bodies["upper"]  # pyright: ignore[reportIndexIssue]
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.state().time = 1.0  # pyright: ignore[reportAttributeAccessIssue]


def test_arrays_of_bodies_and_joints_are_read_only() -> None:
    model = pendulum()
    body, joint = model.bodies["upper"], model.joints["elbow"]
    for array in (body.inertia, body.position, body.orientation, joint.limits, joint.friction):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_a_model_can_be_sent_to_another_process() -> None:
    model = pendulum()
    twin = pickle.loads(pickle.dumps(model))
    assert list(twin.bodies) == list(model.bodies)
    assert all(np.array_equal(left, right) for left, right in zip(twin.system, model.system, strict=True))
    assert np.array_equal(twin.state({"elbow": 1.0}).position, model.state({"elbow": 1.0}).position)


def test_building_twice_gives_two_equal_systems_that_share_nothing() -> None:
    builder = da.ModelBuilder()
    builder.add_body("x", mass=1, inertia=(1, 1, 1))
    builder.add_joint("j", HINGE, parent="world", child="x", anchor=(0, 0, 0), stiffness=1.0)
    one, two = builder.build().system, builder.build().system
    for left, right in zip(one, two, strict=True):
        assert np.array_equal(left, right)
        assert not (isinstance(left, np.ndarray) and left.size and np.shares_memory(left, right))


def test_energy_momentum_and_mass_matrix_of_a_pendulum() -> None:
    model = pendulum()
    state = model.state(positions={"shoulder": np.pi / 2}, velocities={"shoulder": 2.0})
    energy = model.energy(state)
    # both rods turn as one about the shoulder: 2·0.083 + 0.25 + 2.25
    inertia = 2 * 0.083 + 2.5
    assert abs(float(energy.kinetic) - 0.5 * inertia * 4.0) < 1e-14
    assert abs(float(energy.potential)) < 1e-14
    momentum = model.momentum(state)
    # the rods lie along −x and turn about y: they move up
    assert np.abs(momentum.linear - (0, 0, 4.0)).max() < 1e-14
    assert np.abs(momentum.angular - (0, 2.0 * inertia, 0)).max() < 1e-14
    elbow = 0.083 + 0.25
    coupling = elbow + 0.5
    assert np.abs(model.mass_matrix(state) - [(inertia, coupling), (coupling, elbow)]).max() < 1e-14


def test_a_state_with_the_world_ends_in_a_row_at_rest_at_the_origin() -> None:
    state = pendulum().state(positions={"shoulder": 1.0}, velocities={"elbow": 1.0})
    position, orientation, velocity, angular_velocity = state.with_world()
    assert position[-1].tolist() == [0, 0, 0]
    assert orientation[-1].tolist() == [1, 0, 0, 0]
    assert velocity[-1].tolist() == angular_velocity[-1].tolist() == [0, 0, 0]
    assert np.array_equal(position[:-1], state.position)
    position[0] = 7.0
    assert state.position[0, 0] != 7.0
