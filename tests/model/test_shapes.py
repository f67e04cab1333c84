"""Mass properties of shapes: closed forms, integrals over slices, and identities between shapes."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import dalembert as da
from dalembert.model.shapes import MassProperties, Shape, combined, turned
from dalembert.model.system import Floats

DENSITY = 700.0
# sums of a few products of numbers of order 1: relative errors of some units of round-off
CLOSE = 1e-14

X, Y, Z = 0.3, 0.5, 0.7


def rotation(rng: np.random.Generator) -> Floats:
    """A random rotation matrix."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q @ np.diag(np.sign(np.diag(r)))
    return q * np.sign(np.linalg.det(q))


def assert_same(found: MassProperties, expected: MassProperties, relative: float = CLOSE) -> None:
    size = np.abs(expected.inertia).max()
    assert abs(found.mass - expected.mass) < relative * expected.mass
    assert np.abs(found.center - expected.center).max() < relative * max(1.0, np.abs(expected.center).max())
    assert np.abs(found.inertia - expected.inertia).max() < relative * size


# volume and moments over mass, from any handbook
CLOSED_FORMS: dict[str, tuple[Shape, float, tuple[float, float, float]]] = {
    "box": (da.Box(X, Y, Z), X * Y * Z, ((Y**2 + Z**2) / 12, (X**2 + Z**2) / 12, (X**2 + Y**2) / 12)),
    "sphere": (da.Sphere(X), 4 / 3 * pi * X**3, (0.4 * X**2, 0.4 * X**2, 0.4 * X**2)),
    "cylinder": (
        da.Cylinder(X, Z),
        pi * X**2 * Z,
        ((3 * X**2 + Z**2) / 12, (3 * X**2 + Z**2) / 12, X**2 / 2),
    ),
    "ellipsoid": (
        da.Ellipsoid(X, Y, Z),
        4 / 3 * pi * X * Y * Z,
        ((Y**2 + Z**2) / 5, (X**2 + Z**2) / 5, (X**2 + Y**2) / 5),
    ),
}


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_closed_form(name: str) -> None:
    shape, volume, moments = CLOSED_FORMS[name]
    mass = DENSITY * volume
    expected = MassProperties(mass, np.zeros(3), mass * np.diag(moments))
    assert_same(shape.mass_properties(DENSITY), expected)


def by_slices(lengths: Floats, radius_squared: Floats, heights: Floats) -> MassProperties:
    """A solid of revolution about z from its round slices of thickness ``lengths``: mass π r², moments ¼ π r⁴ + z²."""
    area = pi * radius_squared
    mass = DENSITY * float(lengths @ area)
    across = DENSITY * float(lengths @ (area * (radius_squared / 4 + heights**2)))
    along = DENSITY * float(lengths @ (area * radius_squared / 2))
    return MassProperties(mass, np.zeros(3), np.diag((across, across, along)))


def test_capsule_equals_the_integral_over_its_slices() -> None:
    radius, length = 0.2, 0.9
    # r² and its square are polynomials of degree 4 in z on each piece: 5 Gauss points are exact
    points, weights = np.polynomial.legendre.leggauss(5)
    half = 0.5 * length
    cap = half + 0.5 * radius * (points + 1.0)
    heights = np.concatenate((half * points, cap, -cap))
    inside = np.maximum(np.abs(heights) - half, 0.0)
    lengths = np.concatenate((half * weights, 0.5 * radius * weights, 0.5 * radius * weights))
    expected = by_slices(lengths, radius**2 - inside**2, heights)
    assert_same(da.Capsule(radius, length).mass_properties(DENSITY), expected)


def test_a_short_capsule_is_a_ball() -> None:
    length = 1e-15
    assert_same(da.Capsule(X, length).mass_properties(DENSITY), da.Sphere(X).mass_properties(DENSITY))


def test_an_ellipsoid_of_equal_axes_is_a_ball() -> None:
    assert_same(da.Ellipsoid(X, X, X).mass_properties(DENSITY), da.Sphere(X).mass_properties(DENSITY))


def box_corners() -> Floats:
    return np.array([(sx * X / 2, sy * Y / 2, sz * Z / 2) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)])


def test_mesh_of_a_box_equals_the_box_anywhere() -> None:
    rng = np.random.default_rng(1)
    box = da.Box(X, Y, Z).mass_properties(DENSITY)
    assert_same(da.ConvexMesh(box_corners()).mass_properties(DENSITY), box, 1e-12)
    for _ in range(10):
        turn, shift = rotation(rng), 10.0 * rng.normal(size=3)
        mesh = da.ConvexMesh(box_corners() @ turn.T + shift)
        # corners ten metres away are known to 1e-15 m, 1e-14 of the box's size
        assert_same(mesh.mass_properties(DENSITY), turned(box, shift, turn), 1e-12)


def test_mesh_ignores_points_inside() -> None:
    rng = np.random.default_rng(2)
    points = np.concatenate((box_corners(), 0.1 * rng.uniform(-1, 1, size=(50, 3))))
    mesh = da.ConvexMesh(points)
    assert_same(mesh.mass_properties(DENSITY), da.Box(X, Y, Z).mass_properties(DENSITY), 1e-12)
    corners, triangles = mesh.hull
    assert corners.shape == (8, 3)
    # Euler: 8 corners in triangles make 12 of them
    assert triangles.shape == (12, 3)


def test_triangles_of_a_mesh_are_seen_counter_clockwise_from_outside() -> None:
    corners, triangles = da.ConvexMesh(np.random.default_rng(3).normal(size=(40, 3))).hull
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    outward = np.einsum("fk,fk->f", normals, a - corners.mean(axis=0))
    assert outward.min() > 0.0


def test_tetrahedron_of_a_mesh_has_its_textbook_inertia() -> None:
    """The tetrahedron 0, e₁, e₂, e₃: centre ¼, ∫x² = 1/60, ∫xy = 1/120, volume 1/6."""
    mesh = da.ConvexMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]).mass_properties(1.0)
    second = np.full((3, 3), 1 / 120) + np.eye(3) / 120 - 1 / 6 * np.full((3, 3), 1 / 16)
    expected = MassProperties(1 / 6, np.full(3, 0.25), np.trace(second) * np.eye(3) - second)
    assert_same(mesh, expected, 1e-13)


def test_parallel_axes() -> None:
    """Two equal balls at ±d: the moments across grow by 2 m d², the one along does not."""
    ball, d = da.Sphere(0.1).mass_properties(DENSITY), np.array([0, 0, 0.4])
    pair = combined([turned(ball, d, np.eye(3)), turned(ball, -d, np.eye(3))])
    shift = 2 * ball.mass * 0.16
    expected = 2 * ball.inertia + np.diag((shift, shift, 0.0))
    assert_same(pair, MassProperties(2 * ball.mass, np.zeros(3), expected))


def test_parts_of_a_box_make_the_box_however_it_is_cut_and_held() -> None:
    rng = np.random.default_rng(4)
    for _ in range(10):
        cut = rng.uniform(0.1, 0.9)
        turn, shift = rotation(rng), rng.normal(size=3)
        parts = []
        for length, middle in ((cut, -0.5 * (1 - cut)), (1 - cut, 0.5 * cut)):
            part = da.Box(length * X, Y, Z).mass_properties(DENSITY)
            parts.append(turned(part, shift + turn @ (middle * X, 0, 0), turn))
        whole = turned(da.Box(X, Y, Z).mass_properties(DENSITY), shift, turn)
        assert_same(combined(parts), whole, 1e-13)


def test_mass_is_proportional_to_density() -> None:
    for shape in [da.Capsule(X, Z), da.ConvexMesh(box_corners()), *(shape for shape, _, _ in CLOSED_FORMS.values())]:
        one, many = shape.mass_properties(1.0), shape.mass_properties(DENSITY)
        assert_same(many, MassProperties(DENSITY * one.mass, one.center, DENSITY * one.inertia))
