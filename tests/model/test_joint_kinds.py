"""Kinds of joints: the table of the paper, names of coordinates, and frames that agree at the reference."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert.model.frame import turn_to_axes, turn_to_axis
from dalembert.model.joint_kind import AxisKind
from dalembert.model.system import LOWER_PAIR, SCREW, UNIVERSAL, Floats

# [Brüdigam 2023] table B.2: D_T and D_R as locked components, the axis V₃ being the third
TABLE = {
    "Fixed": (1, 1, 1, 1, 1, 1),
    "Prismatic": (1, 1, 0, 1, 1, 1),
    "PlanarFixedOrientation": (0, 0, 1, 1, 1, 1),
    "FixedOrientation": (0, 0, 0, 1, 1, 1),
    "Revolute": (1, 1, 1, 1, 1, 0),
    "Cylindrical": (1, 1, 0, 1, 1, 0),
    "Planar": (0, 0, 1, 1, 1, 0),
    "FreeRevolute": (0, 0, 0, 1, 1, 0),
    "Spherical": (1, 1, 1, 0, 0, 0),
    "CylindricalFree": (1, 1, 0, 0, 0, 0),
    "PlanarFree": (0, 0, 1, 0, 0, 0),
    "Floating": (0, 0, 0, 0, 0, 0),
}
BEYOND = {"Universal": (1, 1, 1, 0, 0, 1), "Screw": (1, 1, 1, 1, 1, 0)}
CODES = {"Universal": UNIVERSAL, "Screw": SCREW}


def matrix(q: Floats) -> Floats:
    """The rotation matrix of a quaternion, written out."""
    w, v = q[0], q[1:]
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return (w * w - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * w * cross


def random_quaternion(rng: np.random.Generator) -> Floats:
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def one_joint(kind: object, rng: np.random.Generator, **options: object) -> da.Model:
    """Two bodies anywhere, joined anywhere; the first floats."""
    builder = da.ModelBuilder()
    for name in "ab":
        builder.add_body(
            name, mass=1, inertia=(1, 1, 1), position=rng.normal(size=3), orientation=random_quaternion(rng)
        )
    builder.add_joint("base", da.Floating(), parent="world", child="a")
    builder.add_joint("j", kind, parent="a", child="b", **options)  # pyright: ignore[reportArgumentType]
    return builder.build()


def test_the_registry_holds_every_kind_with_coordinates() -> None:
    assert set(da.JOINT_KINDS) == set(TABLE) | set(BEYOND)


@pytest.mark.parametrize("name", TABLE | BEYOND)
def test_locked_components_are_those_of_the_table(name: str) -> None:
    kind = da.JOINT_KINDS[name]
    assert kind.locked == (TABLE | BEYOND)[name]
    assert kind.code == CODES.get(name, LOWER_PAIR)
    model = one_joint(kind, np.random.default_rng(1), anchor=(0.1, 0.2, 0.3))
    assert tuple(model.system.locked[model.joint_index("j")]) == kind.locked


@pytest.mark.parametrize("name", TABLE | BEYOND)
def test_coordinates_and_rates_are_counted_by_their_names(name: str) -> None:
    kind = da.JOINT_KINDS[name]
    free = 6 - sum(kind.locked)
    assert len(kind.rate_names) == free
    assert len(kind.coordinate_names) == free + (kind.turns_freely)
    assert len(set(kind.coordinate_names)) == len(kind.coordinate_names)


@pytest.mark.parametrize("name", TABLE | BEYOND)
def test_frames_coincide_at_the_reference_and_the_third_axis_is_the_axis(name: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(5):
        kind, anchor = da.JOINT_KINDS[name], rng.normal(size=3)
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        if name == "Screw":
            kind = da.Screw(axis, pitch=0.1)
        elif isinstance(kind, AxisKind):
            kind = type(kind)(axis)
        model = one_joint(kind, rng, anchor=anchor)
        s, j = model.system, model.joint_index("j")
        frames = []
        for body, point, frame in (("a", s.parent_point, s.parent_frame), ("b", s.child_point, s.child_frame)):
            record = model.bodies[body]
            turn = matrix(record.orientation)
            # positions are of order 1 and pass through two rotations
            assert np.abs(record.position + turn @ point[j] - anchor).max() < 4e-15
            frames.append(turn @ matrix(frame[j]))
        assert np.abs(frames[0] - frames[1]).max() < 4e-15
        if isinstance(kind, AxisKind):
            assert np.abs(frames[0][:, 2] - axis).max() < 4e-15
        elif name != "Universal":
            assert np.abs(frames[0] - np.eye(3)).max() < 4e-15


def test_axes_of_a_universal_joint_are_the_first_of_the_parent_and_the_second_of_the_child() -> None:
    rng = np.random.default_rng(3)
    basis = matrix(random_quaternion(rng))
    model = one_joint(da.Universal((basis[:, 0], basis[:, 1])), rng, anchor=(0, 0, 0))
    s, j = model.system, model.joint_index("j")
    first = matrix(model.bodies["a"].orientation) @ matrix(s.parent_frame[j])[:, 0]
    second = matrix(model.bodies["b"].orientation) @ matrix(s.child_frame[j])[:, 1]
    assert np.abs(first - basis[:, 0]).max() < 4e-15
    assert np.abs(second - basis[:, 1]).max() < 4e-15


def test_pitch_is_metres_per_turn() -> None:
    model = one_joint(da.Screw((0, 0, 1), pitch=0.3), np.random.default_rng(4), anchor=(0, 0, 0))
    assert model.system.parameter[model.joint_index("j")] == 0.3 / (2.0 * np.pi)


SPECIAL_AXES = [*np.eye(3), *-np.eye(3), (1e-9, 0, -1), (0, -1e-9, -1), (1e-9, 1e-9, 1), (1, 0, 1e-12), (1, 0, -1e-12)]


def test_turn_to_axis_keeps_all_digits_for_every_axis() -> None:
    rng = np.random.default_rng(5)
    for axis in [np.array(axis, dtype=float) for axis in SPECIAL_AXES] + list(rng.normal(size=(200, 3))):
        axis /= np.linalg.norm(axis)
        q = turn_to_axis(axis)
        assert abs(np.linalg.norm(q) - 1.0) < 4e-16
        # two roundings in each product of a rotation matrix
        assert np.abs(matrix(q)[:, 2] - axis).max() < 1e-15


def test_turn_to_z_is_none() -> None:
    assert turn_to_axis(np.array([0.0, 0.0, 1.0])).tolist() == [1.0, 0.0, 0.0, 0.0]


def test_turn_to_axes_takes_the_first_two_axes_there() -> None:
    rng = np.random.default_rng(6)
    halves = [np.array(q, dtype=float) for q in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]
    for q in halves + [random_quaternion(rng) for _ in range(200)]:
        r = matrix(q)
        found = turn_to_axes(r[:, 0], r[:, 1])
        assert np.abs(matrix(found) - r).max() < 2e-15


def test_one_frame_alone_places_the_other_where_it_is() -> None:
    rng = np.random.default_rng(7)
    frame = da.Frame(rng.normal(size=3), random_quaternion(rng))
    for options in ({"parent_frame": frame}, {"child_frame": frame}):
        model = one_joint(da.Cylindrical((0, 1, 0)), rng, **options)
        joint = model.joints["j"]
        assert joint.coincide
        state = model.state()
        # coordinates are zero by definition, so poses are the reference to round-off
        assert state.coordinates[joint.coordinates].tolist() == [0.0, 0.0]
        for name, body in model.bodies.items():
            assert np.abs(state.position[model.body_index(name)] - body.position).max() < 4e-15


def test_axis_of_a_joint_with_frames_is_in_the_axes_of_the_frame() -> None:
    rng = np.random.default_rng(8)
    q = random_quaternion(rng)
    model = one_joint(da.Revolute((0, 1, 0)), rng, parent_frame=da.Frame((1, 2, 3), q), child_frame=da.Frame((4, 5, 6)))
    s, j = model.system, model.joint_index("j")
    assert s.parent_point[j].tolist() == [1, 2, 3]
    assert s.child_point[j].tolist() == [4, 5, 6]
    assert np.abs(matrix(s.parent_frame[j])[:, 2] - matrix(q)[:, 1]).max() < 1e-15
    assert np.abs(matrix(s.child_frame[j])[:, 2] - np.eye(3)[1]).max() < 1e-15


def test_a_joint_that_does_not_turn_needs_no_anchor() -> None:
    for name in ("Fixed", "Prismatic", "PlanarFixedOrientation", "FixedOrientation"):
        model = one_joint(da.JOINT_KINDS[name], np.random.default_rng(9))
        assert model.system.child_point[model.joint_index("j")].tolist() == [0, 0, 0]


def test_coordinates_of_a_floating_body_are_its_pose() -> None:
    rng = np.random.default_rng(10)
    model = one_joint(da.Spherical(), rng, anchor=(0, 0, 0))
    pose = model.state().coordinates[model.joints["base"].coordinates]
    body = model.bodies["a"]
    sign = np.sign(pose[3] * body.orientation[0])
    assert np.abs(pose - np.concatenate((body.position, sign * body.orientation))).max() < 1e-15
