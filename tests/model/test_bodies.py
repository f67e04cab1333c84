"""Bodies made of shapes: where the mass comes from, and what `position` means."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert.model.record import Body

BOX = da.Box(0.2, 0.3, 0.4)
VOLUME = 0.2 * 0.3 * 0.4
QUARTER_TURN = (0.5**0.5, 0.0, 0.0, 0.5**0.5)
"""About z: body x points along the world's y."""


def build(**given: object) -> Body:
    builder = da.ModelBuilder()
    builder.add_body("x", **given)  # pyright: ignore[reportArgumentType]
    builder.add_joint("x", da.Floating(), parent="world", child="x")
    return builder.build().bodies["x"]


def assert_close(found: object, expected: object, tolerance: float = 1e-15) -> None:
    """Within some units of round-off of numbers of order 1."""
    assert np.abs(np.asarray(found) - np.asarray(expected)).max() < tolerance


def test_three_moments_are_the_diagonal() -> None:
    assert build(mass=2, inertia=(1, 2, 2.5)).inertia.tolist() == np.diag((1, 2, 2.5)).tolist()


def test_a_full_inertia_is_kept_in_body_axes() -> None:
    inertia = [[2, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2]]
    assert build(mass=1, inertia=inertia, orientation=QUARTER_TURN).inertia.tolist() == inertia


def test_mass_density_and_material_of_the_same_box_agree() -> None:
    steel = da.MATERIALS["steel"]
    bodies = [
        build(shape=BOX, mass=7850 * VOLUME),
        build(shape=BOX, density=7850),
        build(shape=BOX, material="steel"),
        build(shape=BOX, material=steel),
        build(shape=[BOX], material="wood", density=7850),
        build(shape=[da.Part(BOX, material=steel)], material="wood"),
    ]
    for body in bodies:
        assert_close(body.mass / (7850 * VOLUME), 1.0)
        expected = 7850 * VOLUME / 12 * np.diag((0.09 + 0.16, 0.04 + 0.16, 0.04 + 0.09))
        assert_close(body.inertia, expected, 1e-14 * expected.max())


def test_a_shape_beside_an_inertia_is_geometry_only() -> None:
    body = build(mass=1, inertia=(1, 1, 1), shape=da.Sphere(3.0), position=(1, 2, 3))
    assert body.mass == 1.0
    assert body.position.tolist() == [1, 2, 3]
    assert body.parts[0].shape == da.Sphere(3.0)


def test_position_places_the_axes_of_the_parts_and_the_centre_of_mass_follows() -> None:
    """Balls of 1 and 3 times the density at 0 and 1 m along body x: the centre of mass is at ¾."""
    ball = da.Sphere(0.1)
    parts = [da.Part(ball, density=1000), da.Part(ball, (1, 0, 0), density=3000)]
    body = build(shape=parts, position=(0, 0, 5), orientation=QUARTER_TURN)
    assert_close(body.position, (0, 0.75, 5))
    m = 1000 * 4 / 3 * np.pi * 1e-3
    assert_close(body.mass, 4 * m, 1e-14)
    own, apart = 0.4 * 4 * m * 0.01, m * 0.75**2 + 3 * m * 0.25**2
    assert_close(body.inertia, np.diag((own, own + apart, own + apart)), 1e-14)
    # the parts are placed relative to the centre of mass
    assert_close([part.position for part in body.parts], [(-0.75, 0, 0), (0.25, 0, 0)])


def test_parts_without_densities_share_the_mass_by_volume() -> None:
    body = build(shape=[(da.Box(1, 1, 1), (0, 0, 0)), (da.Box(2, 1, 1), (1.5, 0, 0))], mass=6)
    assert_close(body.position, (1.0, 0, 0))
    whole = 6 / 12 * np.diag((2, 10, 10))
    assert_close(body.mass, 6.0)
    assert_close(body.inertia, whole, 4e-15)


def test_parts_may_be_turned() -> None:
    body = build(shape=[(da.Box(1, 2, 3), (0, 0, 0), QUARTER_TURN)], density=1)
    assert_close(body.inertia, build(shape=da.Box(2, 1, 3), density=1).inertia, 4e-15)


def test_position_of_a_mesh_places_the_axes_of_its_vertices() -> None:
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    body = build(shape=da.ConvexMesh(corners), mass=6, position=(1, 1, 1))
    assert_close(body.position, (1.5, 1.5, 1.5))
    assert_close(body.inertia, np.eye(3), 1e-14)


@pytest.mark.parametrize("name", da.MATERIALS)
def test_materials_are_sound(name: str) -> None:
    material = da.MATERIALS[name]
    assert material.name == name
    assert 100 < material.density < 20000
    assert 0 < material.friction <= 1
    assert 0 <= material.restitution <= 1
