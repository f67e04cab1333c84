"""Distances of all pairs of shapes beside another library's, apart and overlapping."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from contact.coal_shapes import coal_distance
from contact.pairs import SHAPES, free_pair, random_poses

import dalembert as da

FLAT_OR_ROUND = ("box", "sphere", "capsule", "mesh", "half-space")
PAIRS = [pair for pair in combinations_with_replacement(FLAT_OR_ROUND, 2) if pair != ("half-space", "half-space")]
PAIRS += [("half-space", "cylinder"), ("half-space", "ellipsoid")]


@pytest.mark.parametrize("names", PAIRS, ids="-".join)
def test_distance_is_that_of_coal(names: tuple[str, str]) -> None:
    first, second = (SHAPES[name] for name in names)
    model = free_pair(first, second)
    signs = set()
    for position, orientation in random_poses(5, 40):
        state = model.state_from_bodies(position, orientation)
        found, expected = model.distance(state, "a", "b"), coal_distance((first, second), position, orientation)
        # coal iterates where it has no closed form: 1e-10; the rim of a cylinder is blurred by R FLAT² / 2 sin
        assert abs(found - expected) < (1e-7 if "cylinder" in names else 1e-10)
        assert abs(model.distance(state, "b", "a") - found) < 1e-15
        signs.add(found < 0.0)
    assert signs == {False, True}


@pytest.mark.parametrize("other", ["sphere", "capsule", "box", "mesh", "cylinder"])
def test_distance_of_a_cylinder_is_that_of_coal(other: str) -> None:
    shapes = (SHAPES["cylinder"], SHAPES[other])
    model = free_pair(*shapes)
    apart, same, count = 0, 0, 0
    for position, orientation in random_poses(5, 60):
        state = model.state_from_bodies(position, orientation)
        found, expected = model.distance(state, "a", "b"), coal_distance(shapes, position, orientation)
        count += 1
        if expected > 0.0:
            apart += 1
            assert abs(found - expected) < 1e-7
        # coal looks for the depth from one direction and may end in a longer way out, or in none
        assert found >= expected - 1e-7
        same += abs(found - expected) < 1e-7
    assert count - apart > 5
    assert same > 0.85 * count


def test_the_nearest_contact_point_is_as_far_as_the_distance_says() -> None:
    """For rounded shapes the features are distances themselves."""
    for names in (("sphere", "mesh"), ("capsule", "box"), ("capsule", "capsule"), ("box", "half-space")):
        model = free_pair(*(SHAPES[name] for name in names))
        for position, orientation in random_poses(6, 20):
            state = model.state_from_bodies(position, orientation)
            apart = model.distance(state, "a", "b")
            if apart > 0.0:
                nearest = model.contacts_at(state, apart + 1e-6)[0]
                assert abs(nearest.gap - apart) < 1e-14
                assert abs(np.linalg.norm(nearest.point_b - nearest.point_a) - apart) < 1e-14
                assert model.contacts_at(state, apart - 1e-9) == ()


def test_contacts_at_a_state_are_told_by_name() -> None:
    builder = da.ModelBuilder()
    builder.add_body("crate", shape=da.Box(1, 1, 1), mass=1.0, position=(0, 0, 0.5))
    builder.add_joint("free", da.Floating(), parent="world", child="crate", anchor=(0, 0, 0))
    builder.add_contact("crate", friction=0.9, restitution=0.1)
    builder.add_ground("floor", friction=0.4, restitution=0.3)
    model = builder.build()
    touching = model.contacts_at(model.state(positions={"free": ((0, 0, -1e-3), (0, 0, 0))}))
    assert len(touching) == 4
    for point in touching:
        assert (point.contacts, point.bodies) == (("floor", "crate"), ("world", "crate"))
        assert abs(point.gap + 1e-3) < 1e-15
        assert np.abs(point.normal - (0, 0, 1)).max() == 0.0
        # the geometric mean and the larger one
        assert abs(point.friction - 0.6) < 1e-15
        assert point.restitution == 0.3
    assert model.contacts_at(model.state(positions={"free": ((0, 0, 1e-3), (0, 0, 0))})) == ()
    with pytest.raises(da.ModelError, match='contact "flor": there is none of this name; did you mean "floor"'):
        model.distance(model.state(), "flor", "crate")
