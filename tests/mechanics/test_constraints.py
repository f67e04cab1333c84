"""Values and Jacobians of all joint kinds: against differences, kinematics, and a twin made of rotation matrices."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import KINDS, Bodies, random_state, random_system
from naive.maximal_step import NaiveMaximal

from dalembert import zoo
from dalembert.mechanics.constraints import evaluate_constraints, worst_violation
from dalembert.mechanics.kinematics import joint_rates
from dalembert.mechanics.turns import evaluate_turns, relative_turns, turn_axes, turns_freely
from dalembert.model.state import State
from dalembert.model.system import System
from dalembert.spatial.quaternion import exp, multiply

STEP = 6e-6
Array = np.ndarray


def components(system: System) -> Array:
    """(m, 6) the components that have a value: all but those of free rotations."""
    active = np.ones_like(system.locked)
    for j in range(len(active)):
        if system.joint_kind[j] in (3, 4):
            active[j, 1:] = 0
        elif turns_freely(system, j):
            active[j, 3:] = 0
    return active


def evaluate(system: System, active: Array, coordinates: Array, x: Array, q: Array) -> tuple[Array, Array]:
    value, jacobian = np.zeros(system.locked.shape), np.zeros((system.incidence_body.size, 6, 6))
    evaluate_constraints(system, active, coordinates, x, q, value, jacobian)
    return value, jacobian


def assembled(system: System, jacobian: Array) -> Array:
    """(m, 6, n + 1, 6) from the blocks of edges."""
    out = np.zeros((*system.locked.shape, system.mass.size, 6))
    for j in range(len(out)):
        for e in range(system.incidence_start[j], system.incidence_start[j + 1]):
            out[j, :, system.incidence_body[e]] += jacobian[e]
    return out


def moved(x: Array, q: Array, body: int, k: int, step: float) -> tuple[Array, Array]:
    x, q = x.copy(), q.copy()
    if k < 3:
        x[body, k] += step
    else:
        turn = [0.0, 0.0, 0.0]
        turn[k - 3] = step
        q[body] = multiply(tuple(q[body].tolist()), exp((turn[0], turn[1], turn[2])))
    return x, q


def scattered(system: System, seed: int) -> tuple[Array, Array, Array]:
    """Coordinates, and poses of bodies that do not fit the joints by some tenths."""
    random = np.random.default_rng(seed)
    q, _ = random_state(random, system)
    bodies = Bodies(system, q)
    x, turns = bodies.position.copy(), bodies.orientation.copy()
    for body in range(system.mass.size - 1):
        for k in range(6):
            x, turns = moved(x, turns, body, k, random.uniform(-0.2, 0.2))
    coordinates = np.zeros(int(system.n_coordinates.sum()))
    coordinates[: system.n_q] = q
    return coordinates, x, turns


def one_of_each(seed: int) -> System:
    return random_system(np.random.default_rng(seed), list(KINDS), ["universal", "screw", "cylindrical"], springs=2)


def coupled() -> tuple[System, State]:
    from integrators.test_maximal_naive import coupled as build

    model = build()
    rough = model.state(positions={"thread": 0.4, "cross": (0.2, -0.3), "axle": 7.0})
    return model.system, model.assemble(rough, hold=("thread",)).state


@pytest.mark.parametrize("seed", range(3))
def test_jacobians_of_all_components_off_the_constraints(seed: int) -> None:
    """Central differences are good to 4e-11 of a third derivative, which grows where a universal joint nearly locks."""
    system = one_of_each(seed)
    active = components(system)
    coordinates, x, q = scattered(system, seed)
    jacobian = assembled(system, evaluate(system, active, coordinates, x, q)[1])
    for body in range(system.mass.size):
        for k in range(6):
            plus = evaluate(system, active, coordinates, *moved(x, q, body, k, STEP))[0]
            minus = evaluate(system, active, coordinates, *moved(x, q, body, k, -STEP))[0]
            difference = (plus - minus) / (2.0 * STEP)
            np.testing.assert_allclose(jacobian[:, :, body, k] * active, difference * active, rtol=0, atol=1e-8)


def test_jacobians_of_gears_rods_and_springs() -> None:
    system, state = coupled()
    x, q, _, _ = state.with_world()
    active = components(system)
    jacobian = assembled(system, evaluate(system, active, state.coordinates, x, q)[1])
    for body in range(system.mass.size):
        for k in range(6):
            plus = evaluate(system, active, state.coordinates, *moved(x, q, body, k, STEP))[0]
            minus = evaluate(system, active, state.coordinates, *moved(x, q, body, k, -STEP))[0]
            difference = (plus - minus) / (2.0 * STEP)
            np.testing.assert_allclose(jacobian[:, :, body, k] * active, difference * active, rtol=0, atol=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_on_the_constraints_locked_components_vanish_and_free_ones_are_the_coordinates(seed: int) -> None:
    system = random_system(np.random.default_rng(seed), list(KINDS))
    q, v = random_state(np.random.default_rng(seed), system)
    bodies = Bodies(system, q, v)
    active = components(system)
    value, jacobian = evaluate(system, active, q, *bodies.pose)
    assert worst_violation(system, value)[0] < 1e-13
    rows = assembled(system, jacobian)
    rates = np.einsum("jcbk,bk->jc", rows, np.hstack(bodies.motion))
    found = np.zeros(system.n_v)
    joint_rates(system, *bodies.pose, *bodies.motion, found)
    for j in range(system.locked.shape[0]):
        free = np.flatnonzero((system.locked[j] == 0) & (active[j] == 1))
        k, r = system.q_start[j], system.v_start[j]
        np.testing.assert_allclose(value[j, free], q[k : k + free.size], rtol=0, atol=1e-12)
        np.testing.assert_allclose(rates[j, free], found[r : r + free.size], rtol=0, atol=1e-12)
        np.testing.assert_allclose(rates[j, system.locked[j] == 1], 0.0, rtol=0, atol=1e-12)


def test_values_and_coordinates_equal_those_of_the_twin() -> None:
    """On the constraints both forms of a locked component vanish with proportional rows; free ones are equal."""
    system, state = coupled()
    twin = NaiveMaximal(system, state, 0.01)
    x, q, _, _ = state.with_world()
    value, jacobian = evaluate(system, components(system), state.coordinates, x, q)
    expected = np.real(twin.values(twin.poses))
    free = (system.locked == 0) & (components(system) == 1)
    np.testing.assert_allclose(value[free], expected[free], rtol=0, atol=1e-13)
    rows = assembled(system, jacobian)[:, :, :-1].reshape(*system.locked.shape, -1)
    np.testing.assert_allclose(rows[free], twin.jacobian(twin.poses)[free], rtol=0, atol=1e-13)
    translations = (system.locked == 1) & (np.arange(6) < 3)
    np.testing.assert_allclose(rows[translations], twin.jacobian(twin.poses)[translations], rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_turns_of_free_rotations(seed: int) -> None:
    """Twice the vector part of the turn since an instant: its Jacobian by differences, and B's axes at the instant."""
    random = np.random.default_rng(seed)
    system = random_system(random, ["spherical", "floating", "planar_free", "cylindrical_free"])
    active = np.ones_like(system.locked)
    q, _ = random_state(random, system)
    x, turn = Bodies(system, q).pose
    turns = np.zeros((len(active), 4))
    relative_turns(system, active, x, turn, turns)

    def rows(x: Array, turn: Array) -> tuple[Array, Array]:
        value, jacobian = np.zeros(active.shape), np.zeros((system.incidence_body.size, 6, 6))
        evaluate_turns(system, active, turns, x, turn, value, jacobian)
        return value[:, 3:], assembled(system, jacobian)[:, 3:]

    value, start = rows(x, turn)
    np.testing.assert_allclose(value, 0.0, rtol=0, atol=1e-14)
    axes = np.zeros((system.incidence_body.size, 6, 6))
    turn_axes(system, active, x, turn, axes)
    np.testing.assert_allclose(assembled(system, axes)[:, 3:], start, rtol=0, atol=1e-14)
    for body in range(system.mass.size - 1):
        for k in range(3, 6):
            x, turn = moved(x, turn, body, k, random.uniform(-0.5, 0.5))
    _, jacobian = rows(x, turn)
    for body in range(system.mass.size):
        for k in range(3, 6):
            plus, minus = rows(*moved(x, turn, body, k, STEP))[0], rows(*moved(x, turn, body, k, -STEP))[0]
            difference = (plus - minus) / (2.0 * STEP)
            np.testing.assert_allclose(jacobian[:, :, body, k], difference, rtol=0, atol=1e-9)


def test_a_violation_that_is_not_a_number_is_the_worst() -> None:
    system = zoo.double_pendulum().system
    value = np.zeros((2, 6))
    value[0, 0], value[1, 1] = 3.0, np.nan
    worst, joint = worst_violation(system, value)
    assert np.isnan(worst) and joint == 1
    value[1, 1], value[1, 5] = -4.0, 9.0
    # component 5 is the free angle
    assert worst_violation(system, value) == (4.0, 1)
