"""Rates and accelerations of joint components are derivatives of their values, on closed and on open joints."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import Bodies, move_coordinates, random_state, random_system

from dalembert.mechanics.acceleration_components import component_motions
from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.recursive import accelerate_bodies
from dalembert.mechanics.recursive_tree import prepare_tree, tree_memory
from dalembert.model.system import GEAR, System

CLOSING = [
    "revolute",
    "spherical",
    "universal",
    "screw",
    "cylindrical",
    "fixed",
    "floating",
    "planar_fixed_orientation",
]


def with_gears(system: System, first: int) -> System:
    """The last two loop joints turned into gears: of two angles, and of a length and an angle."""
    kind, incidence, start = system.joint_kind.copy(), [], [0]
    joint, component = system.gear_joint.copy(), system.gear_component.copy()
    pairs = {first: ((0, 5), (1, 5)), first + 1: ((2, 2), (1, 5))}
    for j in range(kind.size):
        if j in pairs:
            kind[j] = GEAR
            for side, (i, c) in enumerate(pairs[j]):
                joint[j, side], component[j, side] = i, c
                incidence += [system.joint_parent[i], system.joint_child[i]]
        else:
            incidence += [system.joint_parent[j], system.joint_child[j]]
        start.append(len(incidence))
    locked, parameter, n_coordinates = system.locked.copy(), system.parameter.copy(), system.n_coordinates.copy()
    n_rates = system.n_rates.copy()
    for j in pairs:
        locked[j], parameter[j], n_coordinates[j], n_rates[j] = (1, 0, 0, 0, 0, 0), -1.7, 0, 0
    return system._replace(
        joint_kind=kind,
        locked=locked,
        parameter=parameter,
        n_coordinates=n_coordinates,
        n_rates=n_rates,
        gear_joint=joint,
        gear_component=component,
        incidence_start=np.array(start),
        incidence_body=np.array(incidence),
    )


def values(system: System, active: np.ndarray, coordinates: np.ndarray, bodies: Bodies) -> np.ndarray:
    value, jacobian = np.zeros((system.joint_kind.size, 6)), np.zeros((system.incidence_body.size, 6, 6))
    evaluate_constraints(system, active, coordinates, *bodies.pose, value, jacobian)
    return value


@pytest.mark.parametrize("seed", range(4))
def test_rates_and_accelerations_are_derivatives_of_the_values(seed):
    rng = np.random.default_rng(seed)
    names = ["revolute", "cylindrical", "prismatic", "floating", "spherical", "universal"]
    system = random_system(rng, names, [*CLOSING, "fixed", "fixed"], springs=2)
    system = with_gears(system, len(names) + len(CLOSING))
    q, v = random_state(rng, system)
    q, v = np.clip(q, -1.5, 1.5), 0.5 * v
    acceleration = rng.normal(size=system.n_v)
    active = np.ones((system.joint_kind.size, 6), np.int64)
    spherical = (system.n_coordinates > system.n_rates)[:, None] * (np.arange(6) >= 3)
    active[spherical] = 0
    active[system.incidence_start[1:] - system.incidence_start[:-1] > 2, 1:] = 0
    active[-2:, 1:] = 0

    def at(time: float) -> tuple[np.ndarray, np.ndarray]:
        # along v + time · acceleration: exact to second order
        half = move_coordinates(system, q, v + 0.5 * time * acceleration, time)
        return half, v + time * acceleration

    bodies = Bodies(system, q, v)
    tree = tree_memory(system)
    prepare_tree(system, tree, v, *bodies.pose, bodies.angular_velocity)
    accelerate_bodies(system, tree, acceleration)
    rate, faster = np.zeros(active.shape), np.zeros(active.shape)
    component_motions(
        system,
        active,
        *bodies.pose,
        bodies.velocity,
        tree.omega,
        tree.acceleration,
        rate,
        faster,
    )
    coordinates = np.zeros(int(system.n_coordinates.sum()))
    coordinates[: system.n_q] = q
    h = 1e-3
    samples = [values(system, active, coordinates, Bodies(system, *at(s * h))) for s in (-2, -1, 0, 1, 2)]
    first = (samples[0] - 8 * samples[1] + 8 * samples[3] - samples[4]) / (12 * h)
    second = (-samples[0] + 16 * samples[1] - 30 * samples[2] + 16 * samples[3] - samples[4]) / (12 * h * h)
    on = active != 0
    # fourth differences: h⁴ times sixth derivatives, and round-off over h and h²
    assert np.abs(first - rate)[on].max() < 1e-9
    assert np.abs(second - faster)[on].max() < 1e-7
