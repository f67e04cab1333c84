"""Rods, springs, gears, custom constraints and potentials, as they arrive in the system and on the model."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert.model.springs import PointSpring, Spring
from dalembert.model.system import CUSTOM, DISTANCE, GEAR, LOWER_PAIR, Floats

QUARTER_TURN = (0.5**0.5, 0.0, 0.0, 0.5**0.5)
WORLD = 2


def base() -> da.ModelBuilder:
    """A hinge and a slide, side by side."""
    builder = da.ModelBuilder()
    builder.add_body("a", mass=1, inertia=(1, 1, 1), position=(1, 0, 0), orientation=QUARTER_TURN)
    builder.add_body("b", mass=1, inertia=(1, 1, 1), position=(2, 0, 0))
    builder.add_joint("hinge", da.Revolute((0, 0, 1)), parent="world", child="a", anchor=(0, 0, 0))
    builder.add_joint("slide", da.Prismatic((0, 0, 1)), parent="world", child="b", anchor=(0, 0, 0))
    return builder


def bodies_of(model: da.Model, name: str) -> list[int]:
    j, s = model.joint_index(name), model.system
    return s.incidence_body[s.incidence_start[j] : s.incidence_start[j + 1]].tolist()


def test_a_rod_keeps_the_distance_of_the_reference() -> None:
    builder = base()
    builder.add_joint("rod", da.Distance(), parent="a", child="b", anchor=((1, 1, 0), (2, 1, 2)))
    model = builder.build()
    s, j = model.system, model.joint_index("rod")
    assert s.joint_kind[j] == DISTANCE
    assert s.locked[j].tolist() == [1, 0, 0, 0, 0, 0]
    assert abs(s.parameter[j] - 5**0.5) < 1e-15
    # one metre along world y is one along body x after a quarter turn about z
    assert np.abs(s.parent_point[j] - (1, 0, 0)).max() < 1e-15
    assert np.abs(s.child_point[j] - (0, 1, 2)).max() < 1e-15
    assert (s.n_coordinates[j], s.n_rates[j]) == (0, 0)
    assert bodies_of(model, "rod") == [0, 1]
    assert "rod" in model.loop_joints


def test_a_rod_may_be_given_by_frames_and_a_length() -> None:
    builder = base()
    builder.add_joint(
        "rod", da.Distance(3.0), parent="a", child="b", child_frame=da.Frame((0, 1, 0)), parent_frame=da.Frame()
    )
    model = builder.build()
    assert model.system.parameter[model.joint_index("rod")] == 3.0


def test_a_spring_is_a_rod_that_locks_nothing() -> None:
    builder = base()
    builder.add_spring("s", "a", "b", points=((1, 0, 0), (2, 0, 0)), stiffness=3, damping=0.5, rest_length=0.4)
    builder.add_spring("t", "world", "b", local_points=((0, 0, 0), (0, 3, 0)), stiffness=2)
    model = builder.build()
    s = model.system
    j, k = model.joint_index("s"), model.joint_index("t")
    assert s.joint_kind[[j, k]].tolist() == [DISTANCE, DISTANCE]
    assert s.locked[[j, k]].sum() == 0
    assert s.stiffness[j].tolist() == [3, 0, 0, 0, 0, 0]
    assert s.damping[j].tolist() == [0.5, 0, 0, 0, 0, 0]
    assert s.rest[j].tolist() == [0.4, 0, 0, 0, 0, 0]
    # without a rest length at rest at the reference: (0, 0, 0) to (2, 3, 0)
    assert abs(s.rest[k, 0] - 13**0.5) < 1e-15
    assert s.n_rates[[j, k]].tolist() == [0, 0]
    assert isinstance(model.joints["s"].kind, Spring)


@pytest.mark.parametrize("points", [((1, 0, 0), (2, 0, 0)), ((2, 0, 0), (2, 0, 0))])
def test_a_spring_of_zero_length_pulls_the_same_in_all_directions(points: tuple[tuple[float, ...], ...]) -> None:
    builder = base()
    builder.add_spring("s", "a", "b", points=points, stiffness=3, damping=0.5, rest_length=0)
    model = builder.build()
    s, j = model.system, model.joint_index("s")
    assert s.joint_kind[j] == LOWER_PAIR
    assert s.locked[j].sum() == 0
    assert s.stiffness[j].tolist() == [3, 3, 3, 0, 0, 0]
    assert s.damping[j].tolist() == [0.5, 0.5, 0.5, 0, 0, 0]
    assert (s.n_coordinates[j], s.n_rates[j]) == (7, 6)
    assert isinstance(model.joints["s"].kind, PointSpring)
    assert model.loop_joints == ("s",)


def test_points_that_meet_at_the_reference_make_a_spring_of_zero_length() -> None:
    builder = base()
    builder.add_spring("s", "a", "b", points=((2, 0, 0), (2, 0, 0)), stiffness=3)
    assert isinstance(builder.build().joints["s"].kind, PointSpring)


def test_a_gear_names_joints_components_and_all_four_bodies() -> None:
    builder = base()
    builder.add_joint("gear", da.Gear(-2.5), parent="slide", child="hinge")
    model = builder.build()
    s, j = model.system, model.joint_index("gear")
    assert s.joint_kind[j] == GEAR
    assert s.locked[j].tolist() == [1, 0, 0, 0, 0, 0]
    assert s.parameter[j] == -2.5
    assert s.offset[j] == 0.0
    assert s.gear_joint[j].tolist() == [model.joint_index("slide"), model.joint_index("hinge")]
    assert s.gear_component[j].tolist() == [2, 5]
    assert bodies_of(model, "gear") == [WORLD, 1, WORLD, 0]


def test_a_gear_may_be_declared_before_its_joints() -> None:
    builder = da.ModelBuilder()
    builder.add_joint("gear", da.Gear(1.0), parent="one", child="two")
    for name in ("one", "two"):
        builder.add_body(name, mass=1, inertia=(1, 1, 1))
        builder.add_joint(name, da.Revolute(), parent="world", child=name, anchor=(0, 0, 0))
    assert builder.build().system.gear_joint.tolist() == [[1, 2], [-1, -1], [-1, -1]]


def test_a_gear_keeps_the_sum_of_the_reference() -> None:
    """A hinge given by frames that stand a third of a turn apart, and a slide whose frames are 0.3 m apart."""
    builder = da.ModelBuilder()
    angle = 2 * np.pi / 3
    for name in "ab":
        builder.add_body(name, mass=1, inertia=(1, 1, 1))
    turned = da.Frame(orientation=(np.cos(angle / 2), 0, 0, np.sin(angle / 2)))
    builder.add_joint("hinge", da.Revolute(), parent="world", child="a", parent_frame=da.Frame(), child_frame=turned)
    raised = da.Frame((0, 0, 0.3))
    builder.add_joint("slide", da.Prismatic(), parent="world", child="b", parent_frame=da.Frame(), child_frame=raised)
    builder.add_joint("gear", da.Gear(2.0), parent="hinge", child="slide")
    model = builder.build()
    j = model.joint_index("gear")
    assert abs(model.system.offset[j] - (angle + 0.6)) < 1e-15
    q = model.state().coordinates
    sizes = [float(q[model.joints[name].coordinates][0]) for name in ("hinge", "slide")]
    assert abs(sizes[0] + 2.0 * sizes[1] - model.system.offset[j]) < 1e-15


def test_a_gear_picks_one_coordinate_of_several_by_name() -> None:
    builder = base()
    builder.add_body("c", mass=1, inertia=(1, 1, 1))
    builder.add_joint("c", da.Cylindrical(), parent="world", child="c", anchor=(0, 0, 0))
    builder.add_joint("gear", da.Gear(1.0, ("angle", None)), parent="c", child="slide")
    builder.add_joint("pitch", da.Gear(1.0, ("angle", "z")), parent="c", child="c")
    assert builder.build().system.gear_component[3:5].tolist() == [[5, 2], [5, 2]]


@pytest.mark.parametrize("kind", [da.Spherical(), da.Universal(), da.Fixed()])
def test_a_gear_refuses_joints_without_a_single_length_or_angle(kind: object) -> None:
    builder = base()
    builder.add_body("c", mass=1, inertia=(1, 1, 1))
    builder.add_joint("c", kind, parent="world", child="c", anchor=(0, 0, 0))  # pyright: ignore[reportArgumentType]
    builder.add_joint("gear", da.Gear(1.0), parent="c", child="hinge")
    with pytest.raises(da.ModelError, match="a joint with a length or an angle about one axis"):
        builder.build()


def test_rows_of_a_custom_constraint_are_counted_at_the_reference() -> None:
    seen: list[tuple[Floats, Floats]] = []

    def level(positions: Floats, orientations: Floats) -> Floats:
        seen.append((positions, orientations))
        return positions[:, 2]

    builder = base()
    builder.add_joint("level", da.CustomConstraint(level, ["b", "world", "a"]))
    model = builder.build()
    s, j = model.system, model.joint_index("level")
    assert s.joint_kind[j] == CUSTOM
    assert s.locked[j].tolist() == [1, 1, 1, 0, 0, 0]
    assert bodies_of(model, "level") == [1, WORLD, 0]
    assert model.joints["level"].bodies == ("b", "world", "a")
    positions, orientations = seen[0]
    assert positions.tolist() == [[2, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert orientations.tolist() == [[1, 0, 0, 0], [1, 0, 0, 0], list(model.bodies["a"].orientation)]


def test_a_potential_is_kept_with_the_numbers_of_its_bodies() -> None:
    def energy(positions: Floats, orientations: Floats) -> float:
        return float(positions[0, 0] + 10 * positions[1, 0])

    builder = base()
    builder.add_potential("pull", ["b", "a"], energy)
    model = builder.build()
    assert model.potentials["pull"].bodies == (1, 0)
    # 2 + 10·1 of the potential above, gravity acts along z only
    assert abs(float(model.energy(model.state()).potential) - 12.0) < 1e-14
