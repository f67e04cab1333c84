"""Joint options: one number or one for each free component, in the order of the components."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da

INF = np.inf


def build(kind: object, **options: object) -> da.Model:
    builder = da.ModelBuilder()
    builder.add_body("a", mass=1, inertia=(1, 1, 1))
    builder.add_joint("j", kind, parent="world", child="a", anchor=(0, 0, 0), **options)  # pyright: ignore[reportArgumentType]
    return builder.build()


@pytest.mark.parametrize("option", ["stiffness", "damping", "rest", "armature"])
def test_one_number_is_for_all_free_components(option: str) -> None:
    system = build(da.Planar(), **{option: 3}).system
    assert getattr(system, option).tolist() == [[3, 3, 0, 0, 0, 3]]
    for other in {"stiffness", "damping", "rest", "armature"} - {option}:
        assert not getattr(system, other).any()


@pytest.mark.parametrize("option", ["stiffness", "damping", "rest", "armature"])
def test_a_sequence_has_one_for_each_free_component(option: str) -> None:
    assert getattr(build(da.CylindricalFree(), **{option: (1, 2, 3, 4)}).system, option).tolist() == [
        [0, 0, 1, 2, 3, 4]
    ]
    assert getattr(build(da.Universal(), **{option: np.array([1, 2])}).system, option).tolist() == [[0, 0, 0, 1, 2, 0]]
    assert getattr(build(da.Prismatic(), **{option: [5]}).system, option).tolist() == [[0, 0, 5, 0, 0, 0]]


def test_rest_of_a_spherical_joint_is_a_rotation_vector() -> None:
    assert build(da.Spherical(), rest=(0.1, -0.2, 0.3)).system.rest.tolist() == [[0, 0, 0, 0.1, -0.2, 0.3]]


def test_rest_may_be_negative() -> None:
    assert build(da.Revolute(), rest=-0.5).system.rest[0, 5] == -0.5


@pytest.mark.parametrize(
    ("limits", "expected"),
    [((-1, 2), (-1, 2)), ([(-1, 2)], (-1, 2)), ((None, 2), (-INF, 2)), ((-1, INF), (-1, INF)), ([None], (-INF, INF))],
)
def test_limits_of_a_hinge(limits: object, expected: tuple[float, float]) -> None:
    found = build(da.Revolute(), limits=limits).joints["j"].limits
    assert found[5].tolist() == list(expected)
    assert np.isinf(found[:5]).all()


def test_limits_of_several_components() -> None:
    found = build(da.PlanarFree(), limits=[(-1, 1), (None, 2), None, None, None]).joints["j"].limits
    assert found[:2].tolist() == [[-1, 1], [-INF, 2]]
    assert np.isinf(found[2:]).all()


def test_two_pairs_for_two_components() -> None:
    found = build(da.Cylindrical(), limits=[(-1, 1), (-2, 2)]).joints["j"].limits
    assert found[[2, 5]].tolist() == [[-1, 1], [-2, 2]]


def test_friction_is_kept_on_the_joint() -> None:
    joint = build(da.Cylindrical(), friction=(1, 2)).joints["j"]
    assert joint.friction.tolist() == [0, 0, 1, 0, 0, 2]
    assert joint.components == (2, 5)
