"""The lines that stand for a mechanism, and the side from which it is seen."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Floating, Gear, Revolute
from dalembert.model.model import Model
from dalembert.view.motion import view_plane
from dalembert.view.skeleton import Skeleton, free_end, half_axes, rotate
from dalembert.zoo import double_pendulum, n_four_bar, pendulum_start


def test_half_axes_of_a_box():
    """Mass and inertia of a uniform box give back its edges, longest first."""
    m, a, b, c = 2.0, 0.3, 1.1, 0.7
    inertia = m / 12.0 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    np.testing.assert_allclose(np.linalg.norm(half_axes(m, inertia), axis=1), [b / 2, c / 2, a / 2], atol=1e-15)
    np.testing.assert_allclose(np.abs(half_axes(m, inertia)[0]), [0.0, b / 2, 0.0], atol=1e-15)


def test_rotate_is_a_rotation_matrix():
    angle = 0.7
    q = np.array([np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)])
    expected = [np.cos(angle), np.sin(angle), 0.0]
    np.testing.assert_allclose(rotate(q, np.array([1.0, 0.0, 0.0])), expected, atol=1e-15)


def test_free_end_is_opposite_to_the_joint():
    outline = np.array([[0.0, 0.0, 0.5], [0.01, 0.0, 0.0], [0.0, 0.01, 0.0]])
    np.testing.assert_array_equal(free_end(np.array([0.0, 0.0, 0.5]), outline), [0.0, 0.0, -0.5])
    np.testing.assert_array_equal(free_end(np.array([0.0, 0.0, -0.5]), outline), [0.0, 0.0, 0.5])
    # a cube has no end: its centre stands for it
    np.testing.assert_array_equal(free_end(np.array([0.0, 0.0, 0.5]), 0.5 * np.eye(3)), np.zeros(3))


def test_double_pendulum_is_drawn_from_pin_to_tip():
    model = double_pendulum()
    state = pendulum_start(model, angle=0.0)
    skeleton = Skeleton.of(model)
    np.testing.assert_allclose(skeleton.ground, [[0.0, 0.0, 0.0]], atol=1e-15)
    heights = np.sort(np.unique(np.round(skeleton.segments(state.position, state.orientation)[..., 2], 3)))
    np.testing.assert_allclose(heights, [-2.0, -1.5, -1.0, -0.5, 0.0], atol=2e-3)
    tip = skeleton.ends(state.position[None], state.orientation[None])[0]
    # the zoo's rods have a radius of 2 cm, which the equivalent box turns into an end 0.4 mm off
    np.testing.assert_allclose(tip, [[0.0, 0.0, -2.0]], atol=1e-3)


def test_loops_have_no_free_end():
    model = n_four_bar(2)
    skeleton = Skeleton.of(model)
    np.testing.assert_array_equal(skeleton.end_body, np.arange(5))
    np.testing.assert_array_equal(skeleton.end_point, np.zeros((5, 3)))
    assert len(skeleton.ground) == 3


def free_box(gravity: tuple[float, float, float]) -> Model:
    builder = ModelBuilder(gravity=gravity)
    builder.add_body("box", mass=1.0, inertia=(0.3, 0.25, 0.1), position=(0, 0, 0))
    builder.add_joint("free", Floating(), parent="world", child="box")
    return builder.build()


def test_a_free_body_is_shown_by_its_extents():
    skeleton = Skeleton.of(free_box((0, 0, 0)))
    assert skeleton.point.shape == (6, 3)
    assert len(skeleton.joint) == 0
    assert len(skeleton.ground) == 0


def test_gears_draw_nothing():
    builder = ModelBuilder()
    for name, x in (("a", 0.0), ("b", 1.0)):
        builder.add_body(name, mass=1.0, inertia=(0.1, 0.1, 0.1), position=(x, 0, 0))
        builder.add_joint(f"pin_{name}", Revolute(axis=(0, 0, 1)), parent="world", child=name, anchor=(x, 0, 0))
    without = Skeleton.of(builder.build())
    builder.add_joint("gear", Gear(2.0), parent="pin_a", child="pin_b")
    np.testing.assert_array_equal(Skeleton.of(builder.build()).point, without.point)


@pytest.mark.parametrize("axis", [(0, 1, 0), (1, 0, 0), (1, -1, 0)])
def test_planar_mechanism_is_seen_from_the_side(axis: tuple[float, float, float]):
    """A pendulum is seen along its axis: up against gravity, to the right across the axis."""
    builder = ModelBuilder(gravity=(0, 0, -9.81))
    builder.add_body("rod", mass=1.0, inertia=(0.08, 0.08, 1e-4), position=(0, 0, -0.5))
    builder.add_joint(
        "pin", Revolute(axis=np.array(axis) / np.linalg.norm(axis)), parent="world", child="rod", anchor=(0, 0, 0)
    )
    model = builder.build()
    states = [model.state(positions={"pin": angle}) for angle in np.linspace(-1.0, 1.0, 9)]
    position, orientation = np.array([s.position for s in states]), np.array([s.orientation for s in states])
    plane = view_plane(Skeleton.of(model), position, orientation, np.asarray(model.system.gravity))
    np.testing.assert_allclose(plane @ plane.T, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(plane[1], [0.0, 0.0, 1.0], atol=1e-12)
    assert abs(plane[0] @ np.array(axis)) < 1e-12


@pytest.mark.parametrize("gravity", [(0, 0, -1), (0, -1, 0), (1, 0, 0), (0, 0, 0)])
def test_every_view_has_two_perpendicular_directions(gravity: tuple[float, float, float]):
    model = free_box(gravity)
    position = np.zeros((3, 1, 3))
    orientation = np.tile([1.0, 0.0, 0.0, 0.0], (3, 1, 1))
    plane = view_plane(Skeleton.of(model), position, orientation, np.asarray(gravity, dtype=float))
    np.testing.assert_allclose(plane @ plane.T, np.eye(2), atol=1e-12)
    if any(gravity):
        np.testing.assert_allclose(plane[1], -np.array(gravity), atol=1e-12)
