"""Contacts in the model: surfaces, who touches whom, and faults."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from model.faulty import Case, Fault, assert_refused

import dalembert as da
from dalembert.contact.detect import may_touch
from dalembert.model.contact_geometry import BOX, HALF_SPACE, MESH, SPHERE
from dalembert.model_file import describe_model, rebuild_model


def contact(body: object = "lower", shape: object = None, **given: object) -> Fault:
    """Add a contact with these options; a ball unless it has points."""

    def add(builder: da.ModelBuilder) -> None:
        ball = da.Sphere(0.1) if shape is None and "points" not in given else shape
        builder.add_contact(body, ball, **given)  # pyright: ignore[reportArgumentType]

    return add


def ground(**given: object) -> Fault:
    """Add the ground with these options."""

    def add(builder: da.ModelBuilder) -> None:
        builder.add_ground(**given)  # pyright: ignore[reportArgumentType]

    return add


def twice(one: Fault, other: Fault) -> Fault:
    def add(builder: da.ModelBuilder) -> None:
        one(builder)
        other(builder)

    return add


HEIGHTS = ((0.0, 1.0), (0.0, np.nan))
CASES: dict[str, Case] = {
    "unknown body": (contact("lowr"), ('contact "lowr", body', "name of a body", 'did you mean "lower"')),
    "body without shape": (
        lambda builder: builder.add_contact("lower"),
        ('contact "lower"', "a body that has a shape", "none"),
    ),
    "not a shape": (contact(shape="ball"), ('contact "lower", shape', "a shape", "'ball'")),
    "friction negative": (contact(friction=-0.1), ('contact "lower", friction', "from 0", "-0.1")),
    "friction NaN": (ground(friction=np.nan), ('contact "ground", friction', "without NaN", "nan")),
    "restitution above one": (contact(restitution=1.1), ("restitution", "from 0 to 1", "1.1")),
    "stiffness zero": (contact(stiffness=0.0), ("stiffness", "positive number (N/m)", "0.0")),
    "damping alone": (contact(damping=1.0), ("damping", "a stiffness beside it", "none", "restitution")),
    "rolling friction": (contact(rolling_friction=-1.0), ("rolling_friction", "from 0 (m)", "-1.0")),
    "shape and points": (
        contact(shape=da.Sphere(1.0), points=[(0, 0, 0)]),
        ('contact "lower"', "a shape or points", "both"),
    ),
    "points of two numbers": (contact(points=[(0, 0)]), ("points", "(k, 3)", "(1, 2)")),
    "points NaN": (contact(points=[(0, 0, np.nan)]), ("points", "without NaN", "nan")),
    "normal not unit": (ground(normal=(0, 0, 2)), ('contact "ground", normal', "length 1", "(0, 0, 2)")),
    "point of the ground": (ground(point=(0, 0)), ('contact "ground", position', "three numbers", "(0, 0)")),
    "two of a name": (
        twice(contact(name="a"), contact("upper", name="a")),
        ('contact "a"', "different names", "two of this name"),
    ),
    "another body's name": (contact(name="upper"), ('contact "upper"', "no other body has", 'body "upper"')),
    "empty name": (contact(name=""), ("contact name", "not empty")),
    "unknown partner": (contact(ignore=["uppr"]), ("ignore", "contacts or bodies", "'uppr'", 'did you mean "upper"')),
    "unknown material": (contact(material="stel"), ('contact "lower", material', "steel")),
    "heights": (
        contact("world", da.HeightField(HEIGHTS, 0.1)),
        ('contact "world", shape, heights', "finite heights", "NaN"),
    ),
    "heights in a row": (
        contact("world", da.HeightField([[0.0, 1.0]], 0.1)),
        ("heights", "at least (2, 2)", "(1, 2)"),
    ),
    "spacing": (contact("world", da.HeightField(np.zeros((2, 2)), (1.0, 0.0))), ("spacing", "positive length")),
    "a body made of a surface": (
        lambda builder: builder.add_body("x", shape=da.HalfSpace(), mass=1.0),
        ('body "x", shape', "a solid shape", "HalfSpace"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_fault_is_refused_with_its_name_expectation_and_finding(case: str) -> None:
    assert_refused(CASES[case])


def chain() -> da.ModelBuilder:
    """Three boxes in a row, hinged; the first to the world, too."""
    builder = da.ModelBuilder()
    for k in range(3):
        builder.add_body(f"box{k}", shape=da.Box(0.1, 0.1, 1.0), material="wood", position=(0, 0, -k))
        parent = f"box{k - 1}" if k else "world"
        builder.add_joint(f"hinge{k}", da.Revolute((0, 1, 0)), parent=parent, child=f"box{k}", anchor=(0, 0, 0.5 - k))
    builder.add_ground()
    return builder


def touching(model: da.Model) -> set[tuple[str, str]]:
    """Pairs of contacts that may touch."""
    geometry, names = model.geometry, list(model.contacts)
    pairs = set()
    for g in range(len(geometry.kind)):
        for h in range(g):
            both = may_touch(geometry, g, h)
            assert both == may_touch(geometry, h, g)
            if both:
                pairs.add((names[geometry.contact[h]], names[geometry.contact[g]]))
    return pairs


ALL = {("ground", "box0"), ("ground", "box1"), ("ground", "box2"), ("box0", "box2")}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ALL),
        ({"collide": ["box1"]}, ALL | {("box1", "box2")}),
        ({"ignore": ["box0"]}, ALL - {("box0", "box2")}),
        ({"ignore": "world"}, ALL - {("ground", "box2")}),
        ({"only": ["ground"]}, ALL - {("box0", "box2")}),
        ({"only": ["box1"]}, {("ground", "box0"), ("ground", "box1")}),
    ],
)
def test_neighbours_at_a_joint_do_not_touch_unless_asked(options: dict, expected: set) -> None:
    builder = chain()
    for k in range(3):
        builder.add_contact(f"box{k}", **(options if k == 2 else {}))
    assert touching(builder.build()) == expected


def test_surfaces_of_one_body_and_of_bodies_fixed_in_the_world_do_not_touch() -> None:
    builder = da.ModelBuilder()
    builder.add_body("post", shape=[da.Sphere(0.1), da.Part(da.Sphere(0.1), (0, 0, 0.15))], mass=1.0)
    builder.add_joint("foundation", da.Fixed(), parent="world", child="post", anchor=(0, 0, 0))
    builder.add_contact("post")
    builder.add_ground()
    assert touching(builder.build()) == set()


def test_a_contact_takes_the_parts_of_its_body_and_their_materials() -> None:
    builder = da.ModelBuilder()
    parts = [
        da.Part(da.Box(1, 1, 1), (0, 0, 0), material="wood"),
        da.Part(da.Sphere(0.5), (0, 0, 1), material="rubber"),
    ]
    builder.add_body("toy", shape=parts, position=(0, 0, 2))
    builder.add_joint("free", da.Floating(), parent="world", child="toy")
    builder.add_contact("toy", restitution=0.1)
    builder.add_contact("toy", points=[(0, 0, 1), (0, 1, 0)], friction=0.7)
    builder.add_ground(point=(0, 0, -1))
    model = builder.build()
    geometry = model.geometry
    assert list(model.contacts) == ["toy", "toy 2", "ground"]
    assert geometry.kind.tolist() == [BOX, SPHERE, SPHERE, SPHERE, HALF_SPACE]
    assert geometry.body.tolist() == [0, 0, 0, 0, 1]
    assert geometry.friction.tolist() == [0.4, 1.0, 0.7, 0.7, -1.0]
    assert geometry.restitution.tolist() == [0.1, 0.1, -1.0, -1.0, -1.0]
    # geometry is relative to the centre of mass, which lies between the two
    low, high = geometry.point[0], geometry.point[1]
    assert np.abs(high - low - (0, 0, 1)).max() < 1e-15
    assert np.abs(model.bodies["toy"].position + low - (0, 0, 2)).max() < 1e-15
    assert geometry.face_point[-1].tolist() == [0, 0, -1]


def test_a_hull_has_the_corners_edges_and_faces_of_its_solid() -> None:
    """A cube with points inside, on faces and on edges: 8 corners or those on edges, flat faces, Euler's formula."""
    points = [(x, y, z) for x in (0, 1, 2) for y in (0, 1, 2) for z in (0, 1, 2)]
    builder = da.ModelBuilder()
    builder.add_contact("world", da.ConvexMesh(np.array(points, dtype=float)))
    geometry = builder.build().geometry
    assert geometry.kind.tolist() == [MESH]
    assert len(geometry.face_normal) == 6
    assert len(geometry.corner) - len(geometry.edge) + 6 == 2
    for face in range(6):
        outline = geometry.outline[geometry.outline_start[face] : geometry.outline_start[face + 1]]
        ring = geometry.corner[outline]
        area = 0.5 * np.cross(ring - ring[0], np.roll(ring, -1, axis=0) - ring[0]).sum(axis=0)
        assert np.abs(area - 4.0 * geometry.face_normal[face]).max() < 1e-14
    assert (geometry.edge_face >= 0).all()


def test_a_model_with_contacts_is_written_and_read_and_pickled() -> None:
    builder = chain()
    builder.add_contact("box2", friction=0.3, only=["ground"])
    builder.add_contact("box1", da.ConvexMesh(np.eye(4, 3)), stiffness=1e4, damping=2.0)
    builder.add_contact("world", da.HeightField(np.arange(6.0).reshape(2, 3), (0.5, 0.25)), position=(1, 2, 3))
    model = builder.build()
    restored = [rebuild_model(*describe_model(model), None), pickle.loads(pickle.dumps(model))]
    for other in restored:
        assert list(other.contacts) == list(model.contacts)
        assert other.contacts["box2"].only == ("ground",)
        for name, array in model.geometry._asdict().items():
            assert np.array_equal(getattr(other.geometry, name), array)


def test_an_integrator_without_contact_refuses_the_model_and_names_the_contact() -> None:
    with pytest.raises(da.ModelError, match='there is the contact "ground"'):
        da.simulate(chain().build(), duration=0.1, dt=0.01, integrator=da.SemiImplicitEuler())
