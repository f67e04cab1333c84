"""Detection: nothing that can touch is missed, nothing far costs anything, patches have the corners they should."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from contact.pairs import SHAPES, free_pair

import dalembert as da
from dalembert.contact.detect import find_features, find_pair, may_touch
from dalembert.contact.distance import flat_distance
from dalembert.contact.features import Features, Gaps, empty_features, empty_gaps
from dalembert.contact.gaps import evaluate_features
from dalembert.contact.search import Search, empty_search, place_geoms
from dalembert.contact.surface import Found
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import exp, multiply

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def found(model: da.Model, position: Floats, orientation: Floats, margin: float) -> tuple[Features, Gaps, Search]:
    """Features up to ``margin`` at poses without the world's."""
    search, features, gaps = empty_search(model.geometry), empty_features(4000), empty_gaps(4000)
    x, q = np.vstack((position, np.zeros(3))), np.vstack((orientation, UPRIGHT))
    find_features(model.geometry, search, x, q, np.full(len(x), 0.5 * margin), features)
    assert features.missed[0] == 0
    evaluate_features(features, x, q, gaps)
    return features, gaps, search


def moved(random: np.random.Generator, x: Floats, q: Floats, size: float) -> tuple[Floats, Floats]:
    """Poses after a random motion of all points by about ``size``."""
    turns = 2.0 * size * random.normal(size=(len(x), 3))
    turned = [multiply(tuple(p), exp(tuple(eta))) for p, eta in zip(q.tolist(), turns.tolist(), strict=True)]
    return x + size * random.normal(size=x.shape), np.array(turned)


PAIRS = list(combinations_with_replacement(("box", "sphere", "capsule", "mesh", "cylinder"), 2))


@pytest.mark.compiled
@pytest.mark.parametrize("names", PAIRS, ids="-".join)
def test_gaps_tell_whether_solids_overlap_after_a_small_motion(names: tuple[str, str]) -> None:
    """Solids that nearly touch, some aligned, are moved at random: they overlap if and only if a gap is negative.

    Motions are of 0.3 mm. Where a solid slides past the border of a face within the motion, a gap at the border may
    stop it too early: rarely, and never too late.
    """
    random, model = np.random.default_rng(7), free_pair(*(SHAPES[name] for name in names))
    early = 0
    for k in range(8 if "cylinder" in names else 40):
        x, q = 0.35 * random.normal(size=(2, 3)), random.normal(size=(2, 4))
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        if k % 4 == 0:
            q[0] = q[1] = UPRIGHT
        # along the line between the middles, from far apart until they are 0.2 mm apart
        towards = (x[1] - x[0]) / np.linalg.norm(x[1] - x[0])
        low, high = 0.0, 3.0
        while high - low > 1e-5:
            middle = 0.5 * (low + high)
            state = model.state_from_bodies([[0, 0, 0], middle * towards], q)
            low, high = (middle, high) if model.distance(state, "a", "b") < 2e-4 else (low, middle)
        x = np.array([np.zeros(3), high * towards])
        features, gaps, _ = found(model, x, q, 5e-3)
        for _ in range(3 if "cylinder" in names else 10):
            y, p = moved(random, x, q, 3e-4)
            evaluate_features(features, np.vstack((y, np.zeros(3))), np.vstack((p, UPRIGHT)), gaps)
            least = gaps.gap[: features.used[0]].min(initial=1.0)
            apart = model.distance(model.state_from_bodies(y, p), "a", "b")
            assert apart > -1e-9 or least < 0.0
            early += apart > 0.0 and least < -1e-9
    assert early <= 2


def identities(features: Features) -> list[tuple[int, ...]]:
    return sorted(map(tuple, features.integers[: features.used[0]].tolist()))


def cloud(seed: int, count: int, wide: float) -> tuple[da.Model, Floats, Floats]:
    """Bodies of mixed shapes and sizes at random places in a cube."""
    random, builder = np.random.default_rng(seed), da.ModelBuilder()
    shapes = [da.Box(0.2, 0.3, 0.1), da.Sphere(0.1), da.Capsule(0.05, 0.2), da.Sphere(0.3), da.Box(2.0, 0.1, 0.1)]
    for k in range(count):
        builder.add_body(f"body{k}", mass=1.0, inertia=(1, 1, 1))
        builder.add_joint(f"free{k}", da.Floating(), parent="world", child=f"body{k}")
        builder.add_contact(f"body{k}", shapes[k % 4 if k % 10 else 4])
    q = random.normal(size=(count, 4))
    return builder.build(), wide * random.uniform(-1, 1, (count, 3)), q / np.linalg.norm(q, axis=1, keepdims=True)


def test_the_broad_phase_finds_what_comparing_all_pairs_finds() -> None:
    model, x, q = cloud(3, 120, 1.0)
    features, _, search = found(model, x, q, 0.02)
    brute, shapes = empty_features(4000), search.shapes
    place_geoms(model.geometry, shapes, np.vstack((x, np.zeros(3))), np.vstack((q, UPRIGHT)))
    for g in range(120):
        for h in range(g + 1, 120):
            if may_touch(model.geometry, g, h):
                find_pair(shapes, g, h, 0.02, Found(brute.used, brute.missed, brute.integers, brute.numbers))
    # bodies are put in at the end
    brute.body_a[:], brute.body_b[:] = model.geometry.body[brute.geom_a], model.geometry.body[brute.geom_b]
    assert features.used[0] > 100
    assert identities(features) == identities(brute)


def test_separated_bodies_cost_nothing_quadratic() -> None:
    """A thousand balls on a grid that is wider than the cells: no pair is looked at."""
    compared = []
    for count in (500, 1000):
        builder = da.ModelBuilder()
        for k in range(count):
            builder.add_body(f"body{k}", shape=da.Sphere(0.1), mass=1.0)
            builder.add_joint(f"free{k}", da.Floating(), parent="world", child=f"body{k}")
            builder.add_contact(f"body{k}")
        builder.add_ground()
        x = np.array([(i % 10, i // 10 % 10, 1 + i // 100) for i in range(count)], dtype=float)
        features, _, search = found(builder.build(), x, np.tile(UPRIGHT, (count, 1)), 0.01)
        assert features.used[0] == 0
        compared.append(int(search.compared[0]))
    assert compared == [0, 0]


def boxes(position: tuple[float, float, float], yaw: float = 0.0) -> list[Floats]:
    """Points of contact of a unit cube at a place and another at the origin."""
    model = free_pair(da.Box(1, 1, 1), da.Box(1, 1, 1))
    turn = np.array([np.cos(0.5 * yaw), 0.0, 0.0, np.sin(0.5 * yaw)])
    _, gaps, _ = found(model, np.array([(0, 0, 0), position]), np.array([UPRIGHT, turn]), 0.01)
    points = sorted(gaps.on_a[np.abs(gaps.normal[:, 2]) == 1.0].round(12).tolist())
    return [np.array(point) for point in points]


def test_a_patch_has_the_corners_of_the_overlap() -> None:
    aligned = [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)]
    shifted = [(-0.2, -0.3), (-0.2, 0.5), (0.5, -0.3), (0.5, 0.5)]
    for place, expected in (((0.0, 0.0, 1.001), aligned), ((0.3, 0.2, 1.001), shifted)):
        points = boxes(place)
        assert len(points) == 4
        for point, corner in zip(points, expected, strict=True):
            assert np.abs(point[:2] - corner).max() < 1e-12
            assert min(abs(point[2] - 0.5), abs(point[2] - 0.501)) < 1e-12
    # an eighth of a turn: a regular octagon
    points = boxes((0.0, 0.0, 1.001), yaw=0.25 * np.pi)
    assert len(points) == 8
    assert np.abs([np.hypot(*point[:2]) for point in points] - np.hypot(0.5, np.sqrt(0.5) - 0.5)).max() < 1e-12


def test_a_full_table_says_what_was_left_out() -> None:
    model = free_pair(da.Box(1, 1, 1), da.Box(1, 1, 1))
    search, features = empty_search(model.geometry), empty_features(3)
    x, q = np.array([(0, 0, 0), (0, 0, 1.001), (0, 0, 0)]), np.tile(UPRIGHT, (3, 1))
    find_features(model.geometry, search, x, q, np.full(3, 0.01), features)
    assert (features.used[0], features.missed[0]) == (3, 1)


def test_a_cylinder_on_the_ground_has_rims_or_points_of_them() -> None:
    """Lying it touches with both rims, leaning with one, upright with eight points of the lower one."""
    builder = da.ModelBuilder()
    builder.add_body("can", shape=da.Cylinder(0.3, 0.8), mass=1.0)
    builder.add_joint("free", da.Floating(), parent="world", child="can")
    builder.add_contact("can")
    builder.add_ground()
    model = builder.build()
    for lean, count, height in ((0.5 * np.pi, 2, 0.3), (0.4, 1, 0.3 * np.sin(0.4) + 0.4 * np.cos(0.4)), (0.0, 8, 0.4)):
        turn = np.array([[np.cos(0.5 * lean), np.sin(0.5 * lean), 0.0, 0.0]])
        state = model.state_from_bodies([[0, 0, height + 1e-4]], turn)
        points = model.contacts_at(state, 2e-4)
        assert len(points) == count
        # the rim is blurred by R FLAT²/(2 sin)
        assert abs(points[0].gap - 1e-4) < 1e-8


def test_flat_distance_is_a_kernel_for_points_too() -> None:
    """A point over a face, beside an edge and beyond a corner of a box, and inside."""
    model = free_pair(da.Box(2, 2, 2), da.Point())
    for point, expected in (
        ((0.5, 0, 3), 2.0),
        ((3, 0, 2), np.sqrt(5.0)),
        ((2, 2, 2), np.sqrt(3.0)),
        ((0, 0, 0.75), -0.25),
    ):
        search = empty_search(model.geometry)
        x, q = np.array([(0, 0, 0), point, (0, 0, 0)], dtype=float), np.tile(UPRIGHT, (3, 1))
        place_geoms(model.geometry, search.shapes, x, q)
        assert abs(flat_distance(search.shapes, 0, 1) - expected) < 1e-15


@pytest.mark.parametrize("names", [("sphere", "sphere"), ("sphere", "capsule"), ("capsule", "capsule")])
def test_nearest_points_lie_on_the_surfaces(names: tuple[str, str]) -> None:
    """Both sides' radii are taken off on their own side: forces act where the surfaces touch."""
    model = free_pair(*(SHAPES[name] for name in names))
    x, q = np.array([(0, 0, 0), (0.4, 0.3, 0.2)]), np.array([UPRIGHT, (0.8, 0.6, 0, 0)])
    nearest = model.contacts_at(model.state_from_bodies(x, q), 1.0)[0]
    for k, where in enumerate((nearest.point_a, nearest.point_b)):
        sides = [_depth(free_pair(SHAPES[names[side]], da.Point()), x[side], q[side], where) for side in (k, 1 - k)]
        assert sides[0 if nearest.bodies == ("a", "b") else 1] < 1e-14


def _depth(model: da.Model, x: Floats, q: Floats, point: Floats) -> float:
    state = model.state_from_bodies(np.array([x, point]), np.array([q, UPRIGHT]))
    return abs(model.distance(state, "a", "b"))
