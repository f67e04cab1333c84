"""Surfaces of shapes enclose the volume of the shape and face outwards."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert.view.scene import scene_of
from dalembert.view.surface import Surface, rod, surface_of

CORNERS = np.random.default_rng(1).normal(size=(20, 3))
SHAPES = {
    "box": (da.Box(0.3, 0.5, 0.7), 1e-14),
    "mesh": (da.ConvexMesh(CORNERS), 1e-13),
    # polygons of 32 corners take 0.64 % off a circle, and a profile of 16 bands 0.96 % more off a ball
    "cylinder": (da.Cylinder(0.2, 0.9), 0.0065),
    "sphere": (da.Sphere(0.4), 0.0161),
    "ellipsoid": (da.Ellipsoid(0.1, 0.2, 0.3), 0.0161),
    "capsule": (da.Capsule(0.2, 0.9), 0.0161),
}


def volume(surface: Surface) -> float:
    """∮ x·n dA / 3."""
    a, b, c = (surface.points[surface.triangles[:, k]] for k in range(3))
    return float(np.einsum("fk,fk->", a, np.cross(b, c)) / 6.0)


@pytest.mark.parametrize("name", SHAPES)
def test_the_surface_encloses_the_volume(name: str) -> None:
    shape, deficit = SHAPES[name]
    exact = shape.mass_properties(1.0).mass
    found = volume(surface_of(shape))
    assert 1.0 - deficit <= found / exact <= 1.0 + 1e-13


@pytest.mark.parametrize("name", SHAPES)
def test_normals_are_unit_vectors_on_the_outer_side_of_their_triangles(name: str) -> None:
    surface = surface_of(SHAPES[name][0])
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1.0, rtol=0, atol=1e-12)
    a, b, c = (surface.points[surface.triangles[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    size = np.linalg.norm(face, axis=1)
    real = size > 1e-9
    shade = surface.normals[surface.triangles][real]
    # no corner is shaded as if it looked away from its triangle
    assert np.einsum("fk,fck->fc", face[real] / size[real, None], shade).min() > 0.3


def test_a_rod_reaches_from_point_to_point() -> None:
    start, end = np.array([0.1, -0.2, 0.3]), np.array([-0.4, 0.5, -0.6])
    surface = rod(start, end, 0.01)
    along = (end - start) / np.linalg.norm(end - start)
    reach = (surface.points - start) @ along
    assert reach.min() == pytest.approx(-0.01, abs=1e-9)
    assert reach.max() == pytest.approx(np.linalg.norm(end - start) + 0.01, abs=1e-9)


def test_terrain_is_drawn_where_the_shape_says() -> None:
    """Rows along x, columns along y, centred; every triangle faces up."""
    heights = np.random.default_rng(2).uniform(0.0, 0.3, (4, 3))
    surface = surface_of(da.HeightField(heights, (0.5, 0.25)))
    assert len(surface.triangles) == 2 * 3 * 2
    assert surface.normals[:, 2].min() > 0.0
    np.testing.assert_allclose(surface.points.min(axis=0)[:2], (-0.75, -0.25), rtol=0, atol=1e-15)
    corner = surface.points[np.all(surface.points[:, :2] == (-0.75, 0.25), axis=1)]
    np.testing.assert_allclose(corner[:, 2], heights[0, 2], rtol=0, atol=1e-15)


def test_the_scene_holds_the_whole_motion_and_its_floor_lies_below() -> None:
    model = da.zoo.double_pendulum()
    run = da.simulate(model, da.zoo.pendulum_start(model), duration=2.0, dt=0.01, integrator=da.MaximalVI())
    scene = scene_of(model, run.position, run.orientation)
    assert scene.floor is not None
    assert scene.floor < run.position[..., 2].min()
    reach = np.linalg.norm(run.position - scene.center, axis=2).max()
    # the field of view is 30 degrees wide
    assert np.linalg.norm(scene.eye - scene.center) * np.sin(np.radians(15)) > 0.4 * reach
    assert not scene.follow
    shadow = scene.shadow()
    assert shadow is not None
    fallen = shadow[:3, :3] @ run.position[5, 0] + shadow[:3, 3]
    assert fallen @ scene.up == pytest.approx(scene.floor + 1e-3 * scene.size, abs=1e-12)


def test_what_falls_and_falls_is_followed() -> None:
    model = da.zoo.minitaur()
    run = da.simulate(model, duration=3.0, dt=0.01, integrator=da.MaximalVI())
    scene = scene_of(model, run.position, run.orientation)
    assert scene.follow
    assert scene.floor is None
    assert scene.size < 1.0


def test_a_ground_in_the_model_is_the_floor() -> None:
    b = da.ModelBuilder()
    b.add_body("ball", shape=da.Sphere(0.1), density=500.0, position=(0, 0, 0.4))
    b.add_joint("free", da.Floating(), parent="world", child="ball")
    b.add_ground(friction=0.5)
    b.add_contact("ball")
    model = b.build()
    state = model.state()
    assert scene_of(model, state.position[None], state.orientation[None]).floor == pytest.approx(0.0, abs=1e-12)


def test_a_scene_without_gravity_and_with_joints_at_centres_of_mass_is_finite():
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("satellite", shape=da.Box(1.0, 0.8, 0.6), mass=60.0, position=(0, 0, 0))
    builder.add_body("wheel", shape=da.Cylinder(0.2, 0.05), mass=8.0, position=(0, 0, 0.33))
    builder.add_joint("free", da.Floating(), parent="world", child="satellite", anchor=(0, 0, 0))
    builder.add_joint("motor", da.Revolute(axis=(0, 0, 1)), parent="satellite", child="wheel", anchor=(0, 0, 0.33))
    model = builder.build()
    state = model.state()
    scene = scene_of(model, state.position[None], state.orientation[None])
    assert np.linalg.norm(scene.up) == pytest.approx(1.0, rel=0, abs=1e-15)
    assert np.isfinite(scene.eye).all()
    assert all(np.isfinite(solid.surface.normals).all() for solid in scene.solids)


def test_a_height_field_of_the_world_stands_in_the_scene() -> None:
    builder = da.ModelBuilder()
    builder.add_body("ball", shape=da.Sphere(0.2), mass=1.0, position=(0, 0, 1))
    builder.add_joint("free", da.Floating(), parent="world", child="ball")
    builder.add_contact("ball")
    heights = np.random.default_rng(2).uniform(0.0, 0.3, (4, 3))
    builder.add_contact("world", da.HeightField(heights, 0.5), position=(1, 2, 3))
    model = builder.build()
    state = model.state()
    scene = scene_of(model, state.position[None], state.orientation[None])
    ground = next(solid for solid in scene.solids if solid.body == model.n_bodies)
    top = ground.surface.points[:, 2].max()
    assert abs(top - 3.0 - heights.max()) < 1e-14
    # the middle of the motion is seen with the ground in it
    assert scene.center[2] > 0.9
