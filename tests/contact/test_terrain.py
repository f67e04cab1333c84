"""Height fields: their parts, distances beside comparing every triangle, and that nothing sinks in."""

from __future__ import annotations

import numpy as np
import pytest
from contact.pairs import SHAPES, free_pair
from contact.test_detection import UPRIGHT, found, moved

import dalembert as da
from dalembert.contact.gaps import evaluate_features
from dalembert.model.system import Floats
from dalembert.model.terrain import terrain
from dalembert.spatial.quaternion import columns

SPACING = (0.3, 0.4)
HEIGHTS = 0.25 * np.random.default_rng(3).uniform(-1.0, 1.0, (7, 6))
FIELD = da.HeightField(HEIGHTS, SPACING)
SOLIDS = ("point", "sphere", "capsule", "box", "mesh")
KNOWN = SHAPES | {"point": da.Point()}


def height(x: float, y: float) -> float:
    """Of the ground over a place, from the three corners of the triangle around it."""
    u, v = x / SPACING[0] + 3.0, y / SPACING[1] + 2.5
    i, j = int(np.clip(np.floor(u), 0, 5)), int(np.clip(np.floor(v), 0, 4))
    u, v = u - i, v - j
    a, b, c, d = HEIGHTS[i, j], HEIGHTS[i + 1, j], HEIGHTS[i + 1, j + 1], HEIGHTS[i, j + 1]
    return float(a + u * (b - a) + v * (c - b)) if u >= v else float(a + v * (d - a) + u * (c - d))


def samples(shape: da.Shape, x: Floats, q: Floats) -> Floats:
    """(k, 3) points all over a solid's surface, or of the core of a rounded one."""
    axes = np.column_stack(columns(tuple(q.tolist())))
    if isinstance(shape, da.Point | da.Sphere):
        return x[None]
    if isinstance(shape, da.Capsule):
        return x + np.linspace(-0.5, 0.5, 400)[:, None] * shape.length * axes[:, 2]
    if isinstance(shape, da.Cylinder):
        angle, along = np.meshgrid(np.linspace(0, 2 * np.pi, 240), np.linspace(-1, 1, 9))
        ring = shape.radius * np.stack((np.cos(angle), np.sin(angle)), axis=-1)
        return x + np.concatenate((ring, 0.5 * shape.length * along[..., None]), axis=-1).reshape(-1, 3) @ axes.T
    if isinstance(shape, da.Box):
        corners = 0.5 * np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * (0.6, 0.4, 0.3)
    else:
        assert isinstance(shape, da.ConvexMesh)
        corners = shape.hull[0]
    weights = np.random.default_rng(0).dirichlet(np.full(len(corners), 0.25), 1500)
    return x + np.vstack((corners, weights @ corners)) @ axes.T


def test_the_parts_of_a_height_field_fit_together() -> None:
    solid = terrain(np.array(HEIGHTS), np.array(SPACING))
    assert (len(solid.corners), len(solid.faces)) == (42, 60)
    # a disc: corners − edges + triangles = 1
    assert 42 - len(solid.edges) + 60 == 1
    for e, (edge, sides) in enumerate(zip(solid.edges, solid.edge_faces, strict=True)):
        around = [f for f, face in enumerate(solid.faces) if set(edge.tolist()) <= set(face.tolist())]
        assert sorted(sides[sides >= 0].tolist()) == around, e
    assert (solid.normals[:, 2] > 0.0).all()
    for x, y in np.random.default_rng(1).uniform(-0.85, 0.85, (20, 2)):
        depth = [n @ (solid.corners[f[0]] - (x, y, 0)) / n[2] for f, n in zip(solid.faces, solid.normals, strict=True)]
        assert min(abs(z - height(x, y)) for z in depth) < 1e-14


def places(seed: int, count: int) -> list[tuple[Floats, Floats]]:
    random = np.random.default_rng(seed)
    turns = random.normal(size=(count, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    middles = np.column_stack((random.uniform(-0.4, 0.4, (count, 2)), random.uniform(0.2, 0.8, count)))
    return list(zip(middles, turns, strict=True))


@pytest.mark.parametrize("name", SOLIDS)
def test_distance_from_the_ground_is_what_comparing_many_points_says(name: str) -> None:
    model, shape = free_pair(FIELD, KNOWN[name]), KNOWN[name]
    radius = getattr(shape, "radius", 0.0)
    signs = set()
    for x, q in places(1, 25):
        state = model.state_from_bodies(np.array([np.zeros(3), x]), np.array([UPRIGHT, q]))
        apart = model.distance(state, "a", "b")
        points = samples(shape, x, q)
        above = np.array([p[2] - height(p[0], p[1]) for p in points])
        signs.add(apart > 0.0)
        if apart > 0.0:
            assert above.min() > 0.0
            # a fine grid of the ground is nowhere nearer, and somewhere not much further
            grid = np.array([(u, v, height(u, v)) for u in np.linspace(-0.9, 0.9, 91) for v in np.linspace(-1, 1, 101)])
            near = min(float(np.linalg.norm(grid - p, axis=1).min()) for p in points[:: max(1, len(points) // 60)])
            assert apart < near - radius + 1e-12
            if len(points) == 1:
                assert apart > near - radius - 0.03
        elif radius == 0.0 and above.min() < -1e-3:
            assert apart < 0.0
    assert True in signs


def lowest(name: str, x: Floats, q: Floats) -> float:
    """How far the lowest of many points of a sharp solid is over the ground, m."""
    return min(p[2] - height(p[0], p[1]) for p in samples(KNOWN[name], x, q))


@pytest.mark.parametrize("name", ["point", "box", "mesh", "cylinder"])
def test_nothing_gets_below_the_ground_in_a_small_motion_unless_a_gap_says_so(name: str) -> None:
    """Solids that nearly touch the ground are moved by 1 mm; none of their points gets below it with all gaps open."""
    model, random = free_pair(FIELD, KNOWN[name]), np.random.default_rng(8)
    sunk = 0
    for x, q in places(2, 10):
        low, high = -1.0, 2.0
        while high - low > 1e-5:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if lowest(name, x + (0, 0, middle), q) < 2e-4 else (low, middle)
        start, turns = np.array([np.zeros(3), x + (0, 0, high)]), np.array([UPRIGHT, q])
        features, gaps, _ = found(model, start, turns, 1e-2)
        for _ in range(3):
            y, p = moved(random, start, turns, 1e-3)
            y[0], p[0] = 0.0, UPRIGHT
            evaluate_features(features, np.vstack((y, np.zeros(3))), np.vstack((p, UPRIGHT)), gaps)
            depth = lowest(name, y[1], p[1])
            # the points lie on the solid; what is between them may be deeper, never higher
            assert depth > -1e-9 or gaps.gap[: features.used[0]].min() < 0.0
            sunk += depth < 0.0
    assert sunk > 3


def test_a_ball_has_its_distance_from_every_triangle_near_it() -> None:
    flat = da.HeightField(np.zeros((5, 5)), 0.2)
    model = free_pair(flat, da.Sphere(0.15))
    state = model.state_from_bodies([[0, 0, 0], [0.03, 0.01, 0.151]], [UPRIGHT, UPRIGHT])
    points = model.contacts_at(state, 2e-3)
    assert abs(points[0].gap - 1e-3) < 1e-15
    assert np.abs(points[0].normal - (0, 0, 1)).max() < 1e-15
    assert np.abs(points[0].point_a - (0.03, 0.01, 0)).max() < 1e-15
    for point in points:
        assert abs(np.linalg.norm(np.array((0.03, 0.01, 0.151)) - point.point_a) - 0.15 - point.gap) < 1e-15
    # beyond the grid there is nothing
    beside = model.state_from_bodies([[0, 0, 0], [0.6, 0, 0.1]], [UPRIGHT, UPRIGHT])
    assert model.contacts_at(beside, 1e-3) == ()
