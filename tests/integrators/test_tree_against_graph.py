"""The tree solver takes the graph's steps: same knots, reactions, velocities on random trees and loops of all kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.integrators.maximal.graph_stepper import GraphStepper
from dalembert.integrators.maximal.method import MaximalVI
from dalembert.integrators.maximal.tree_stepper import TreeStepper
from dalembert.integrators.record import Record
from dalembert.model.joints import JOINT_KINDS
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.zoo import ZOO
from dalembert.zoo.random_mechanisms import LOOP_KINDS, random_loops, random_state, random_tree

DT = 0.01
STEPS = 20


def both(model: Model, state: State, every: int = 1, strength: float = 1.0, dt: float = DT) -> tuple[Record, Record]:
    """Records of the two solvers at tolerance 1e-13 under the same controls."""
    rng = np.random.default_rng(1)
    force = strength * rng.normal(size=int(model.system.n_rates.sum()))
    external = strength * rng.normal(size=(model.n_bodies + 1, 6))
    records = []
    for stepper_type in (GraphStepper, TreeStepper):
        stepper = stepper_type(MaximalVI(tol=1e-13), model, state, dt)
        record = Record.empty(model.system, STEPS // every + 1)
        stepper.control(force, external)
        stepper.write(record, 0)
        stepper.run(record, 1, STEPS // every, every)
        stepper.finish(record, STEPS // every)
        records.append(record)
    return records[0], records[1]


def agree(graph: Record, tree: Record, tolerance: float, dt: float = DT, reactions: bool = True) -> None:
    # orientations are compared up to sign, velocities and forces in units that a step of 0.01 s magnifies
    sign = np.sign(np.sum(graph.orientation * tree.orientation, axis=2, keepdims=True))
    assert np.abs(graph.position - tree.position).max() <= tolerance
    assert np.abs(graph.orientation - sign * tree.orientation).max() <= tolerance
    assert np.abs(graph.coordinates - tree.coordinates).max(initial=0.0) <= tolerance
    assert np.abs(graph.velocity - tree.velocity).max() <= tolerance / dt
    assert np.abs(graph.angular_velocity - tree.angular_velocity).max() <= tolerance / dt
    if reactions:
        assert np.abs(graph.multiplier - tree.multiplier).max() <= tolerance / dt**2


@pytest.mark.parametrize("kind", JOINT_KINDS)
def test_same_run_of_a_tree_of_one_kind(kind: str) -> None:
    model = random_tree(5, seed=3, kinds=[kind])
    graph, tree = both(model, random_state(model, seed=4))
    agree(graph, tree, 1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_same_run_with_springs_dampers_and_rotors(seed: int) -> None:
    model = random_tree(16, seed=seed, stiffness=3.0, damping=0.4, armature=0.2, floating_base=seed % 2 == 1)
    graph, tree = both(model, random_state(model, seed=seed), every=4)
    agree(graph, tree, 1e-11)


def test_same_step_from_many_random_states() -> None:
    # every joint kind once; spread and speed well beyond what the runs above see
    model = random_tree(len(JOINT_KINDS), seed=11)
    method, worst = MaximalVI(tol=1e-13), 0.0
    for seed in range(100):
        state = random_state(model, seed=seed, spread=2.0, speed=5.0)
        ends = []
        for stepper_type in (GraphStepper, TreeStepper):
            stepper = stepper_type(method, model, state, DT)
            stepper.advance(1)
            ends.append(stepper.state())
        worst = max(worst, float(np.abs(ends[0].position - ends[1].position).max()))
        turns = np.sum(ends[0].orientation * ends[1].orientation, axis=1)
        worst = max(worst, float(np.abs(1.0 - np.abs(turns)).max()))
    assert worst <= 1e-12


@pytest.mark.parametrize("kind", [kind for kind in LOOP_KINDS if kind != "Distance"])
def test_same_run_of_loops_closed_by_one_kind(kind: str) -> None:
    # trees of joints with much freedom leave it to the closing joint to be the only one that holds
    model = random_loops(6, 2, seed=5, kinds=["Spherical", "Universal", "Floating"], loop_kinds=[kind])
    assert model.system.loop_joint.size
    graph, tree = both(model, random_state(model, seed=6))
    agree(graph, tree, 1e-11)


@pytest.mark.parametrize("seed", range(6))
def test_same_run_of_loops_with_springs_dampers_and_rotors(seed: int) -> None:
    # loops that share bodies and joints, on free and on fixed bases
    model = random_loops(8, 3, seed=seed, stiffness=3.0, damping=0.4, armature=0.2, floating_base=seed % 2 == 1)
    graph, tree = both(model, random_state(model, seed=seed), every=4)
    agree(graph, tree, 1e-11)


LAW: dict[str, Any] = {"stiffness": 3.0, "damping": 0.4, "rest": 0.1, "armature": 0.2}


@pytest.mark.parametrize(
    "closing",
    [
        da.Revolute(axis=(0, 1, 0)),
        da.Prismatic(axis=(0, 0, 1)),
        da.Cylindrical(axis=(0, 1, 0)),
        da.Planar(axis=(0, 1, 0)),
        da.Spherical(),
        da.Floating(),
        da.Universal(axes=((1, 0, 0), (0, 1, 0))),
        da.Screw(axis=(0, 1, 0), pitch=0.3),
        da.FreeRevolute(axis=(0, 1, 0)),
        da.PlanarFree(axis=(0, 1, 0)),
    ],
    ids=lambda kind: type(kind).__name__,
)
def test_same_run_with_a_law_and_a_drive_in_the_closing_joint(closing: da.JointKind) -> None:
    builder = da.ModelBuilder()
    for name, x in (("left", -0.5), ("right", 0.5)):
        builder.add_body(name, mass=1.0, inertia=(0.1, 0.15, 0.12), position=(x, 0, -0.5))
        builder.add_joint(f"hang {name}", da.Floating(), parent="world", child=name, anchor=(x, 0, 0), damping=0.2)
    builder.add_joint("closing", closing, parent="right", child="left", anchor=(0.1, 0.2, -0.6), **LAW)
    model = builder.build()
    assert model.system.loop_joint.size == 1
    state = model.assemble(model.state(velocities={"hang left": (0.3, 0.2, -0.4, 1.0, -0.5, 0.7)})).state
    graph, tree = both(model, state)
    agree(graph, tree, 1e-11)


def test_same_run_with_gears_rods_and_point_springs() -> None:
    builder = da.ModelBuilder()
    parent = "world"
    for i in range(4):
        name = f"arm{i}"
        builder.add_body(name, mass=1.0, inertia=(0.1, 0.12, 0.05), position=(i + 0.5, 0.0, 0.1 * i))
        kind = da.Prismatic(axis=(0, 0, 1)) if i == 2 else da.Revolute(axis=(0, 0.8, 0.6))
        builder.add_joint(f"joint{i}", kind, parent=parent, child=name, anchor=(i, 0.0, 0.0))
        parent = name
    builder.add_body("weight", mass=0.5, inertia=(0.02, 0.03, 0.04), position=(2.0, 0.5, -1.0))
    builder.add_joint("held", da.Floating(), parent="arm0", child="weight", anchor=(1.0, 0.3, -0.4))
    builder.add_joint("rod", da.Distance(), parent="arm1", child="weight", anchor=((1.5, 0, 0), (2.0, 0.4, -1.0)))
    builder.add_joint("gear", da.Gear(-2.0), parent="joint1", child="joint3")
    ends = ((3.5, 0.0, 0.3), (2.0, 0.6, -0.9))
    builder.add_spring("spring", "arm3", "weight", points=ends, stiffness=30.0, damping=0.5)
    model = builder.build()
    graph, tree = both(model, model.assemble(model.state(velocities={"joint0": 1.0, "joint1": 0.5})).state)
    agree(graph, tree, 1e-11)


SMALL = {"andrews_squeezer": 1e-4, "flyball_governor": 1e-3}
"""Mechanisms whose own frequencies need a smaller step than 0.01 s."""

REDUNDANT = {"three_link_loop", "four_bar_chain", "n_four_bar", "double_four_bar", "ladder", "pinned_chain"}
REDUNDANT |= {"andrews_squeezer", "slider_crank", "minitaur_leg", "minitaur", "bricard", "flyball_governor"}
"""Mechanisms in which joints share forces that rigid bodies do not determine: each solver has its own least norm."""


@pytest.mark.parametrize("name", [name for name in ZOO if ZOO[name].build().system.loop_joint.size])
def test_same_run_of_a_mechanism_of_the_zoo(name: str) -> None:
    model, dt = ZOO[name].build(), SMALL.get(name, DT)
    graph, tree = both(model, ZOO[name].start(model), strength=0.0, dt=dt)
    agree(graph, tree, 1e-11, dt, reactions=name not in REDUNDANT)
    assert tree.constraint_error.max() <= 1e-12
