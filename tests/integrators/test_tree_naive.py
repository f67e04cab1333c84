"""The tree solver against its slow twin, on trees of every joint kind made without the builder."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import KINDS, random_state, random_system
from naive.tree_step import NaiveTree, null_space, poses

from dalembert.integrators.maximal.composition import substeps
from dalembert.integrators.maximal.knot import CONVERGED, Control, Knot, Options, Schedule
from dalembert.integrators.maximal.tree_knot import KNOT_ROWS, enter, knot_velocities
from dalembert.integrators.maximal.tree_plan import make_tree
from dalembert.integrators.maximal.tree_run import advance
from dalembert.model.system import System

DT = 0.01
STEPS = 4

# the twin takes velocities from differences of poses of about 10 m and angles of about 7 rad: 1e-15 / h times masses
# and inertias up to 20, over four steps
POSE, MOMENTUM = 1e-13, 2e-11


def knot_at(system: System, q: np.ndarray, momentum: np.ndarray) -> Knot:
    n, m = system.tree_joint.size, system.joint_kind.size
    position, orientation = (np.ascontiguousarray(np.real(a)) for a in poses(system, q))
    return Knot(
        position=position,
        orientation=orientation,
        momentum=momentum.copy(),
        coordinates=q.copy(),
        history=np.zeros((KNOT_ROWS, n + 1, 6)),
        age=np.zeros(1, np.int64),
        multiplier=np.zeros((m, 6)),
        newton_constant=np.zeros(1),
    )


def compare(kinds: list[str], seed: int, options: bool) -> None:
    rng = np.random.default_rng(seed)
    system = random_system(rng, kinds, options=options)
    q, v = random_state(rng, system)
    force, external = rng.normal(size=system.n_v), rng.normal(size=(len(kinds) + 1, 6))
    external[-1] = 0.0
    naive = NaiveTree(system, DT, force, external)
    momentum = naive.start_momenta(q, v)
    knot, tree = knot_at(system, q, momentum), make_tree(system)
    numbers, control = Options(DT, 1e-13, 1.0, 50, 20), Control(force, external)
    schedule = Schedule(numbers, *substeps(2))
    velocity = np.zeros((len(kinds) + 1, 6))
    move = DT * v
    for _ in range(STEPS):
        enter(tree, numbers, knot)
        knot_velocities(tree, numbers, knot, velocity)
        expected = null_space(system, q) @ naive.knot_rates(q, momentum)
        assert np.abs(velocity[:-1].ravel() - expected).max() <= MOMENTUM
        assert advance(system, tree, schedule, knot, control, 1, True)[0] == CONVERGED
        q, momentum, move, left = naive.step(q, momentum, move)
        position, orientation = (np.real(a) for a in poses(system, q))
        assert np.abs(knot.coordinates - q).max(initial=0.0) <= POSE
        assert np.abs(knot.position - position).max() <= POSE
        assert np.abs(knot.orientation - orientation).max() <= POSE
        assert np.abs(knot.momentum - momentum)[:-1].max() <= MOMENTUM
        for j in range(len(kinds)):
            free = [5] if kinds[j] == "screw" else np.flatnonzero(system.locked[j] == 0)
            if options and system.n_rates[j]:
                found = knot.multiplier[j, free]
                expected = left[system.v_start[j] : system.v_start[j] + system.n_rates[j]]
                # a spring that acts at the knots is no force of the interval
                assert np.abs(found - expected).max() <= MOMENTUM


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(2))
def test_steps_of_one_kind(kind: str, seed: int) -> None:
    compare([kind] * 3, seed, options=seed == 1)


@pytest.mark.parametrize("seed", range(4))
def test_steps_of_all_kinds(seed: int) -> None:
    kinds = list(np.random.default_rng(seed).permutation(list(KINDS)))
    compare(kinds, seed, options=seed % 2 == 0)
