"""The tree solver takes the graph's steps: same knots, reactions and velocities on random trees of all joint kinds."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.integrators.maximal.graph_stepper import GraphStepper
from dalembert.integrators.maximal.method import MaximalVI
from dalembert.integrators.maximal.tree_stepper import TreeStepper
from dalembert.integrators.record import Record
from dalembert.model.joints import JOINT_KINDS
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.zoo.random_mechanisms import random_state, random_tree

DT = 0.01
STEPS = 20


def both(model: Model, state: State, every: int = 1) -> tuple[Record, Record]:
    """Records of the two solvers at tolerance 1e-13 under the same controls."""
    rng = np.random.default_rng(1)
    force = rng.normal(size=int(model.system.n_rates.sum()))
    external = rng.normal(size=(model.n_bodies + 1, 6))
    records = []
    for stepper_type in (GraphStepper, TreeStepper):
        stepper = stepper_type(MaximalVI(tol=1e-13), model, state, DT)
        record = Record.empty(model.system, STEPS // every + 1)
        stepper.control(force, external)
        stepper.write(record, 0)
        stepper.run(record, 1, STEPS // every, every)
        stepper.finish(record, STEPS // every)
        records.append(record)
    return records[0], records[1]


def agree(graph: Record, tree: Record, tolerance: float) -> None:
    # orientations are compared up to sign, velocities and forces in units that a step of 0.01 s magnifies
    sign = np.sign(np.sum(graph.orientation * tree.orientation, axis=2, keepdims=True))
    assert np.abs(graph.position - tree.position).max() <= tolerance
    assert np.abs(graph.orientation - sign * tree.orientation).max() <= tolerance
    assert np.abs(graph.coordinates - tree.coordinates).max(initial=0.0) <= tolerance
    assert np.abs(graph.velocity - tree.velocity).max() <= tolerance / DT
    assert np.abs(graph.angular_velocity - tree.angular_velocity).max() <= tolerance / DT
    assert np.abs(graph.multiplier - tree.multiplier).max() <= tolerance / DT**2


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
