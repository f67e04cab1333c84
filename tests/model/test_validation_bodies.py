"""Faults of bodies are refused by `build`: the message names the item, the expectation and what was found."""

from __future__ import annotations

import numpy as np
import pytest
from model.faulty import Case, assert_refused, body, shaped, sound

import dalembert as da


def box_corners() -> list[tuple[float, float, float]]:
    return [(x, y, 0.0) for x in (0.0, 1.0) for y in (0.0, 1.0)]


CASES: dict[str, Case] = {
    "mass zero": (body(mass=0.0), ('body "x", mass', "positive mass in kg", "0.0")),
    "mass negative": (body(mass=-1.0), ('body "x", mass', "positive mass in kg", "-1.0")),
    "mass not a number": (body(mass=np.nan), ('body "x", mass', "without NaN or infinity", "nan")),
    "mass infinite": (body(mass=np.inf), ('body "x", mass', "without NaN or infinity", "inf")),
    "mass a word": (body(mass="heavy"), ('body "x", mass', "positive mass in kg", "'heavy'")),
    "mass missing": (body(mass=None), ('body "x", mass', "beside the inertia", "none", "give mass=")),
    "nothing given": (shaped(), ('body "x"', "mass= and inertia=, or shape=", "neither")),
    "inertia negative": (body(inertia=(1, 1, -1)), ('body "x", inertia', "positive principal moments", "-1")),
    "inertia zero": (body(inertia=(1, 1, 0)), ('body "x", inertia', "positive principal moments", "0", "½ m r²")),
    "inertia triangle": (body(inertia=(1, 1, 2.01)), ('body "x", inertia', "sum of the others", "2.01", "units")),
    "inertia not symmetric": (
        body(inertia=((1, 0.1, 0), (0, 1, 0), (0, 0, 1))),
        ('body "x", inertia', "symmetric", "0.1"),
    ),
    "inertia indefinite": (
        body(inertia=((1, 2, 0), (2, 1, 0), (0, 0, 1))),
        ('body "x", inertia', "positive principal moments", "-1"),
    ),
    "inertia of wrong shape": (body(inertia=(1, 1)), ('body "x", inertia', "3 moments or a 3×3 matrix", "(1, 1)")),
    "inertia ragged": (body(inertia=((1, 0), (0, 1, 0))), ('body "x", inertia', "3 moments or a 3×3 matrix")),
    "inertia NaN": (body(inertia=(1, 1, np.nan)), ('body "x", inertia', "without NaN or infinity", "nan")),
    "inertia and density": (body(density=1.0), ('body "x", density', "none beside an inertia", "1.0")),
    "position of wrong length": (body(position=(0, 0)), ('body "x", position', "three numbers (metres)", "(0, 0)")),
    "position infinite": (body(position=(0, 0, np.inf)), ('body "x", position', "without NaN or infinity", "inf")),
    "orientation not unit": (
        body(orientation=(1, 1, 0, 0)),
        ('body "x", orientation', "quaternion (w, x, y, z) of length 1", "1.41421356", "0.7071067811865"),
    ),
    "orientation zero": (body(orientation=(0, 0, 0, 0)), ('body "x", orientation', "length 1", "of length 0")),
    "orientation of three numbers": (body(orientation=(0, 0, 1)), ('body "x", orientation', "quaternion", "(0, 0, 1)")),
    "orientation just off": (body(orientation=(1.000002, 0, 0, 0)), ('body "x", orientation', "length 1", "1.000002")),
    "size negative": (shaped(shape=da.Box(1, -1, 1), mass=1.0), ('body "x", shape, y', "positive length", "-1")),
    "radius zero": (shaped(shape=da.Sphere(0.0), mass=1.0), ('body "x", shape, radius', "positive length", "0.0")),
    "size NaN": (shaped(shape=da.Sphere(np.nan), mass=1.0), ('body "x", shape, radius', "without NaN", "nan")),
    "density missing": (shaped(shape=da.Sphere(1.0)), ('body "x", part 0, density', "density in kg/m³", "none")),
    "density negative": (shaped(shape=da.Sphere(1.0), density=-2.0), ("density", "positive density", "-2.0")),
    "density and mass": (
        shaped(shape=da.Sphere(1.0), density=1.0, mass=1.0),
        ('body "x"', "a mass or a density", "both"),
    ),
    "mass of a shape zero": (shaped(shape=da.Sphere(1.0), mass=0.0), ('body "x", mass', "positive mass", "0.0")),
    "unknown material": (
        shaped(shape=da.Sphere(1.0), material="stel"),
        ('body "x", material', "name of one", "'stel'", 'did you mean "steel"?'),
    ),
    "not a shape": (shaped(shape=[("ball", (0, 0, 0))], mass=1.0), ('body "x", part 0', "a shape such as", "'ball'")),
    "no parts": (shaped(shape=[], mass=1.0), ('body "x", shape', "at least one shape", "[]")),
    "position of a part": (
        shaped(shape=[(da.Sphere(1.0), (0, 0))], mass=1.0),
        ('body "x", part 0, position', "three numbers", "(0, 0)"),
    ),
    "flat mesh": (
        shaped(shape=da.ConvexMesh(box_corners()), mass=1.0),
        ('body "x", shape, vertices', "span a volume", "in one plane"),
    ),
    "mesh of three points": (
        shaped(shape=da.ConvexMesh(np.eye(3)), mass=1.0),
        ('body "x", shape, vertices', "at least four", "(3, 3)"),
    ),
    "mesh with NaN": (
        shaped(shape=da.ConvexMesh(np.full((4, 3), np.nan)), mass=1.0),
        ('body "x", shape, vertices', "finite points", "NaN"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_fault_is_refused_with_its_name_expectation_and_finding(case: str) -> None:
    assert_refused(CASES[case])


def test_the_sound_model_builds() -> None:
    assert sound().build().n_bodies == 2


def test_gravity_is_checked() -> None:
    with pytest.raises(da.ModelError, match=r"gravity: expected three numbers \(m/s²\), found \(0, -9.81\)"):
        da.ModelBuilder(gravity=(0, -9.81)).build()


def test_all_faults_are_listed_at_once() -> None:
    builder = sound()
    builder.add_body("a", mass=-1.0, inertia=(1, 1, 3))
    builder.add_body("b", mass=1.0, inertia=(1, 1, 1), position=(0, np.nan, 0))
    with pytest.raises(da.ModelError) as caught:
        builder.build()
    assert [line.split(":")[0] for line in caught.value.findings] == [
        'body "a", mass',
        'body "a", inertia',
        'body "b", position',
    ]
    assert str(caught.value).startswith("3 things are wrong with the model:")


def test_a_message_with_many_faults_is_short() -> None:
    builder = da.ModelBuilder()
    for k in range(1000):
        builder.add_body(f"link{k}", mass=0.0, inertia=(1, 1, 1))
    with pytest.raises(da.ModelError) as caught:
        builder.build()
    assert len(caught.value.findings) == 1000
    assert len(str(caught.value).splitlines()) == 12
    assert str(caught.value).endswith("… and 990 more")


def test_nearly_unit_inputs_are_normalised_exactly() -> None:
    builder = sound()
    builder.add_body("x", mass=1, inertia=(1, 1, 1), orientation=(0.707107, 0.707107, 0, 0))
    builder.add_joint("x", da.Revolute((0.707107, 0, 0.707107)), parent="world", child="x", anchor=(0, 0, 0))
    model = builder.build()
    # one rounding in each square and in the root
    assert abs(np.linalg.norm(model.bodies["x"].orientation) - 1.0) < 4e-16
    frame = model.system.parent_frame[model.joint_index("x")]
    assert abs(np.linalg.norm(frame) - 1.0) < 4e-16


def test_a_flat_plate_written_with_six_digits_is_accepted() -> None:
    builder = sound()
    builder.add_body("plate", mass=1, inertia=(0.0833333, 0.0833333, 0.166667))
    builder.add_joint("x", da.Floating(), parent="world", child="plate")
    assert builder.build().n_bodies == 3
