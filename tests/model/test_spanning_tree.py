"""The spanning tree: every body placed once, by a shortest path and from an earlier body; declared order; packing."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert.model.spanning_tree import Link, grow

HINGE = da.Revolute((0, 0, 1))


def planar(bodies: int, joints: list[tuple[str, str]], kind: object = HINGE) -> da.ModelBuilder:
    """Bodies "0", "1", … with joints "parent-child"."""
    builder = da.ModelBuilder()
    for k in range(bodies):
        builder.add_body(str(k), mass=1, inertia=(1, 1, 1), position=(k, 0, 0))
    for k, (parent, child) in enumerate(joints):
        builder.add_joint(
            f"{parent}-{child}",
            kind,  # pyright: ignore[reportArgumentType]
            parent=parent,
            child=child,
            anchor=(k, 1, 0),
        )
    return builder


def tree_of(model: da.Model) -> list[str]:
    names = list(model.joints)
    return [names[j] for j in model.system.tree_joint]


def distances(n: int, links: list[Link]) -> np.ndarray:
    """Lengths of the shortest paths from the world, by relaxing every link n times."""
    far = np.full(n + 1, np.inf)
    far[n] = 0.0
    for _ in range(n + 1):
        for link in links:
            far[link.child] = min(far[link.child], far[link.parent] + 1)
            far[link.parent] = min(far[link.parent], far[link.child] + 1)
    return far


@pytest.mark.parametrize("seed", range(20))
def test_every_body_is_placed_once_by_a_shortest_path(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    pairs = [(int(rng.integers(0, k)) if k else n, k) for k in range(n)]
    pairs += [(int(a), int(b)) for a, b in rng.integers(0, n + 1, size=(n, 2)) if a != b]
    links = [Link(j, a, b, True) if rng.random() < 0.5 else Link(j, b, a, True) for j, (a, b) in enumerate(pairs)]
    edges = grow(n, links)
    assert sorted(edge.body for edge in edges) == list(range(n))
    depth, placed = {n: 0}, {n}
    for edge in edges:
        assert edge.parent in placed
        placed.add(edge.body)
        depth[edge.body] = depth[edge.parent] + 1
        link = links[edge.joint]
        ends = (link.child, link.parent) if edge.reversed else (link.parent, link.child)
        assert ends == (edge.parent, edge.body)
    far = distances(n, links)
    assert [depth[i] for i in range(n)] == far[:n].tolist()


def test_a_joint_crossed_from_child_to_parent_is_reversed() -> None:
    model = planar(2, [("0", "world"), ("0", "1")]).build()
    assert model.system.tree_reversed.tolist() == [1, 0]
    assert model.system.tree_parent.tolist() == [2, 0]


def test_of_two_joints_between_the_same_bodies_the_first_is_in_the_tree() -> None:
    builder = planar(1, [("world", "0")])
    builder.add_joint("second", HINGE, parent="0", child="world", anchor=(0, 5, 0))
    model = builder.build()
    assert tree_of(model) == ["world-0"]
    assert model.loop_joints == ("second",)


def test_a_four_bar_closes_half_way_round() -> None:
    model = planar(3, [("world", "0"), ("0", "1"), ("1", "2"), ("2", "world")]).build()
    assert tree_of(model) == ["world-0", "2-world", "0-1"]
    assert model.loop_joints == ("1-2",)


def test_joints_that_lock_nothing_are_used_last() -> None:
    builder = planar(2, [("world", "0")])
    builder.add_joint("bushing", da.Floating(), parent="world", child="1", anchor=(0, 0, 0), stiffness=1.0)
    builder.add_joint("hinge", HINGE, parent="0", child="1", anchor=(0, 2, 0))
    model = builder.build()
    assert tree_of(model) == ["world-0", "hinge"]
    assert model.loop_joints == ("bushing",)


def test_a_joint_that_is_said_to_close_a_loop_places_what_nothing_else_reaches() -> None:
    builder = planar(3, [("0", "1"), ("1", "2")])
    builder.add_joint("base", da.Floating(), parent="world", child="0")
    for name, child in (("a", "2"), ("b", "1")):
        builder.add_joint(name, HINGE, parent="world", child=child, anchor=(5, 0, 0), closes_loop=True)
    model = builder.build()
    assert tree_of(model) == ["base", "0-1", "1-2"]
    assert model.loop_joints == ("a", "b")

    alone = planar(2, [])
    for child in ("0", "1"):
        alone.add_joint(child, HINGE, parent="world", child=child, anchor=(5, 0, 0), closes_loop=True)
    assert tree_of(alone.build()) == ["0", "1"]


def test_a_floating_base_is_placed_by_its_joint() -> None:
    builder = planar(2, [("0", "1")])
    builder.add_joint("base", da.Floating(), parent="world", child="0")
    assert tree_of(builder.build()) == ["base", "0-1"]


def test_bodies_that_only_springs_and_rods_hold_float() -> None:
    builder = planar(4, [("world", "0"), ("1", "2")])
    builder.add_spring("spring", "0", "2", points=((0, 0, 0), (2, 0, 0)), stiffness=1.0)
    builder.add_joint("rod", da.Distance(), parent="2", child="3", anchor=((2, 0, 0), (3, 0, 0)))
    model = builder.build()
    # of the pair 1-2 the body that was declared first
    assert list(model.joints) == ["world-0", "1-2", "spring", "rod", "free:1", "free:3"]
    assert model.joints["free:1"].kind == da.Floating()
    assert set(tree_of(model)) == {"world-0", "1-2", "free:1", "free:3"}
    assert model.system.n_v == 1 + 6 + 1 + 6


def test_a_body_held_by_a_custom_constraint_alone_floats() -> None:
    builder = planar(1, [])
    builder.add_joint("plane", da.CustomConstraint(lambda x, q: x[:, 2], ["0"]))
    assert tree_of(builder.build()) == ["free:0"]


def test_a_spring_between_two_bodies_in_space_connects_neither() -> None:
    builder = planar(2, [])
    builder.add_spring("spring", "0", "1", points=((0, 0, 0), (1, 0, 0)), stiffness=1.0)
    with pytest.raises(da.ModelError) as caught:
        builder.build()
    assert [line.split(":")[0] for line in caught.value.findings] == ['body "0"', 'body "1"']


def test_coordinates_of_the_tree_come_first_in_its_order_then_the_others_as_declared() -> None:
    builder = da.ModelBuilder()
    for name in "abc":
        builder.add_body(name, mass=1, inertia=(1, 1, 1))
    at = {"anchor": (0.0, 0.0, 0.0)}
    builder.add_joint("late", da.Cylindrical(), parent="a", child="c", **at)  # pyright: ignore[reportArgumentType]
    builder.add_joint("loop", da.Planar(), parent="c", child="b", **at)  # pyright: ignore[reportArgumentType]
    builder.add_joint("ball", da.Spherical(), parent="world", child="a", **at)  # pyright: ignore[reportArgumentType]
    builder.add_joint("slide", da.Prismatic(), parent="a", child="b", **at)  # pyright: ignore[reportArgumentType]
    model = builder.build()
    assert tree_of(model) == ["ball", "late", "slide"]
    assert {name: joint.coordinates for name, joint in model.joints.items()} == {
        "ball": slice(0, 4),
        "late": slice(4, 6),
        "slide": slice(6, 7),
        "loop": slice(7, 10),
    }
    assert {name: joint.rates for name, joint in model.joints.items()} == {
        "ball": slice(0, 3),
        "late": slice(3, 5),
        "slide": slice(5, 6),
        "loop": slice(6, 9),
    }
    assert (model.system.n_q, model.system.n_v) == (7, 6)


def test_a_model_without_bodies_and_one_without_joints_to_spare_are_well_formed() -> None:
    empty = da.ModelBuilder().build()
    assert empty.n_bodies == 0
    assert empty.system.mass.tolist() == [0.0]
    assert empty.system.locked.shape == (0, 6)
    assert empty.system.incidence_start.tolist() == [0]
    assert empty.state().position.shape == (0, 3)
