"""Every mechanism of the zoo is what it says: closed at its start, moving consistently, with the right freedom."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert import zoo
from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.zoo import ZOO
from dalembert.zoo.random_mechanisms import TREE_KINDS

FREEDOM = {
    "pendulum": 1,
    "double_pendulum": 2,
    "pendulum_chain": 150,
    # two pins on one level line: n − 2
    "pinned_chain": 8,
    "scaled_pendulum": 1,
    "point_pendulum": 1,
    "modelica_double_pendulum": 2,
    "three_link_loop": 1,
    "four_bar_chain": 6,
    "n_four_bar": 1,
    "double_four_bar": 1,
    "ladder": 5,
    "andrews_squeezer": 1,
    "bricard": 1,
    # the two arms may differ: one more than the symmetric motion of the benchmark
    "flyball_governor": 4,
    "cart_pole": 2,
    "slider_crank": 1,
    "spinning_top": 3,
    "tumbling_box": 6,
    "minitaur_leg": 2,
    "minitaur": 14,
    "quadruped": 18,
    "humanoid": 34,
    # three of the motors at the shoulder, both elbows; the arm between two planes hangs in springs
    "exoskeleton": 5,
    "random_tree": 18,
}

MASS = {
    "pendulum": 1.0,
    "pendulum_chain": 25.0,
    "pinned_chain": 10.0,
    "three_link_loop": 2.0 + np.sqrt(0.5),
    "four_bar_chain": 12.0,
    "n_four_bar": 5.0,
    "andrews_squeezer": 0.04325 + 0.00365 + 0.02373 + 0.00706 + 0.07050 + 0.00706 + 0.05498,
    "bricard": 5.0,
    "flyball_governor": 3 * 0.3 + 3.0 + 10.0,
    "modelica_double_pendulum": 2 * 7700 * 0.5 * 0.06**2,
    "minitaur": 5.0 + 8 * (0.06 + 0.1),
    "quadruped": 25.0,
    "humanoid": 75.0,
    "exoskeleton": 2.1 + 1.7 + 0.5 + 0.4 + 0.8 + 0.5,
}


def locked_rows(model: Model, state: State) -> tuple[np.ndarray, np.ndarray]:
    """Values (rows,) and Jacobian (rows, 6 n) of the locked components."""
    system, n = model.system, model.n_bodies
    position, orientation, _, _ = state.with_world()
    value = np.zeros((len(model.joints), 6))
    edges = np.zeros((len(system.incidence_body), 6, 6))
    evaluate_constraints(system, system.locked, state.coordinates, position, orientation, value, edges)
    rows, values = [], []
    for j, c in np.argwhere(system.locked == 1):
        row = np.zeros((n + 1, 6))
        for edge in range(system.incidence_start[j], system.incidence_start[j + 1]):
            row[system.incidence_body[edge]] += edges[edge, c]
        rows.append(row[:n].ravel())
        values.append(value[j, c])
    return np.array(values), np.array(rows).reshape(len(values), 6 * n)


@pytest.mark.parametrize("name", ZOO)
def test_starts_closed_and_moving_consistently(name: str) -> None:
    mechanism = ZOO[name]
    model = mechanism.build()
    state = mechanism.start(model)
    values, jacobian = locked_rows(model, state)
    speed = np.hstack([state.velocity, state.angular_velocity]).ravel()
    # round-off of coordinates up to 10 m; an assembled start is closed to its own tolerance
    assert np.abs(values).max(initial=0.0) < (1e-9 if name == "random_loops" else 1e-14)
    assert np.abs(jacobian @ speed).max(initial=0.0) < (1e-9 if name == "random_loops" else 1e-13)


@pytest.mark.parametrize("name", FREEDOM)
def test_degrees_of_freedom(name: str) -> None:
    """Six for each body less the rank of the constraints; no mechanism starts in a singular configuration."""
    model = ZOO[name].build()
    _, jacobian = locked_rows(model, ZOO[name].start(model))
    rank = np.linalg.matrix_rank(jacobian, tol=1e-9) if jacobian.size else 0
    assert 6 * model.n_bodies - rank == FREEDOM[name]


@pytest.mark.parametrize("name", MASS)
def test_mass(name: str) -> None:
    assert abs(ZOO[name].build().system.mass.sum() - MASS[name]) < 1e-12


def test_tables_name_real_mechanisms() -> None:
    assert set(FREEDOM) | {"random_loops"} == set(ZOO)
    assert set(MASS) <= set(ZOO)


def test_rods_are_slender_across() -> None:
    """A02 asks for m l²/12 to the last digit: it is what the published values were made with."""
    inertia = zoo.n_four_bar(2).system.inertia
    np.testing.assert_array_equal(inertia[:-1, 1, 1], 1.0 / 12.0)
    np.testing.assert_array_equal(inertia[:-1, 2, 2], 1.0 / 12.0)


def test_seeds_fix_random_mechanisms() -> None:
    for make in (zoo.random_tree, zoo.random_loops):
        first, second, other = make(6, seed=3).system, make(6, seed=3).system, make(6, seed=4).system
        for field in first._fields:
            np.testing.assert_array_equal(getattr(first, field), getattr(second, field), err_msg=field)
        assert not np.array_equal(first.mass, other.mass)


def test_random_tree_has_every_kind() -> None:
    model = zoo.random_tree(14, seed=1)
    assert {joint.kind.name for joint in model.joints.values()} == set(TREE_KINDS)
    assert model.system.tree_reversed.any()


def test_random_loops_close() -> None:
    """Loops are there, leave freedom, and pass options to the joints that move."""
    for seed in range(10):
        model = zoo.random_loops(8, 3, seed=seed, damping=0.1)
        loops = [joint for joint in model.joints.values() if not joint.in_tree]
        assert 1 <= len(loops) <= 3
        values, jacobian = locked_rows(model, model.state())
        assert np.abs(values).max() < 1e-13
        assert 6 * model.n_bodies - np.linalg.matrix_rank(jacobian, tol=1e-9) >= 2
        free = model.system.damping > 0.0
        assert free.any()
        assert not (free & (model.system.locked == 1)).any()


def test_floating_base_hangs_on_nothing_else() -> None:
    model = zoo.random_tree(6, seed=2, floating_base=True, gravity=0.0)
    on_world = [joint.name for joint in model.joints.values() if "world" in (joint.parent, joint.child)]
    assert on_world == ["joint0"]
    assert not model.system.gravity.any()
