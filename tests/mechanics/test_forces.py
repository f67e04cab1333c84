"""Forces at a knot: their work, their balance, and the potentials they come from."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import KINDS, Bodies, random_state, random_system

from dalembert.mechanics.energy import potential_energy
from dalembert.mechanics.forces import knot_forces
from dalembert.mechanics.kinematics import joint_coordinates
from dalembert.model.system import System
from dalembert.spatial.quaternion import exp, multiply, rotate

Array = np.ndarray
STEP = 6e-6


def forces(system: System, bodies: Bodies, force: Array, external: Array | None = None) -> Array:
    out = np.full((system.mass.size, 6), np.nan)
    wrenches = np.zeros_like(out) if external is None else external
    knot_forces(system, bodies.position, bodies.orientation, force, wrenches, out)
    return out


def weightless(system: System) -> System:
    return system._replace(gravity=np.zeros(3))


@pytest.mark.parametrize("seed", range(3))
def test_the_work_of_actuators_is_force_times_rate(seed: int) -> None:
    """For all joint kinds, tree and loop; a screw's torque works on its angle alone."""
    random = np.random.default_rng(seed)
    system = weightless(random_system(random, list(KINDS)))
    q, v = random_state(random, system)
    bodies = Bodies(system, q, v)
    for k in range(system.n_v):
        force = np.zeros(system.n_v)
        force[k] = 1.0
        wrenches = forces(system, bodies, force)
        np.testing.assert_allclose(np.sum(wrenches * np.hstack(bodies.motion)), v[k], rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_actuators_and_springs_push_both_bodies_alike(seed: int) -> None:
    random = np.random.default_rng(seed)
    names = list(KINDS)
    system = weightless(random_system(random, names, ["spherical", "cylindrical_free", "revolute"], options=True))
    q, _ = random_state(random, system)
    bodies = Bodies(system, q)
    wrenches = forces(system, bodies, random.normal(size=int(system.n_rates.sum())))
    np.testing.assert_allclose(wrenches[:, :3].sum(axis=0), 0.0, rtol=0, atol=1e-12)
    torque = np.zeros(3)
    for x, turn, wrench in zip(bodies.position, bodies.orientation, wrenches, strict=True):
        spin = rotate(tuple(turn.tolist()), tuple(wrench[3:].tolist()))
        torque += np.cross(x, wrench[:3]) + np.array(spin)
    np.testing.assert_allclose(torque, 0.0, rtol=0, atol=1e-11)


@pytest.mark.parametrize("seed", range(3))
def test_springs_of_free_rotations_and_gravity_are_the_slope_of_their_energy(seed: int) -> None:
    random = np.random.default_rng(seed)
    system = random_system(random, ["spherical", "floating", "planar_free", "cylindrical_free"], ["spherical"])
    stiffness = np.zeros_like(system.stiffness)
    stiffness[:, 3:] = random.uniform(1.0, 9.0, (len(stiffness), 3))
    rest = np.zeros_like(stiffness)
    rest[:, 3:] = random.uniform(-0.5, 0.5, (len(rest), 3))
    system = system._replace(stiffness=stiffness, rest=rest)
    q, _ = random_state(random, system)
    bodies = Bodies(system, q)
    coordinates = np.zeros(int(system.n_coordinates.sum()))
    found = forces(system, bodies, np.zeros(int(system.n_rates.sum())))

    def energy(body: int, k: int, step: float) -> float:
        x, turn = bodies.position.copy(), bodies.orientation.copy()
        if k < 3:
            x[body, k] += step
        else:
            eta = [0.0, 0.0, 0.0]
            eta[k - 3] = step
            turn[body] = multiply(tuple(turn[body].tolist()), exp((eta[0], eta[1], eta[2])))
        joint_coordinates(system, x, turn, coordinates, coordinates)
        return potential_energy(system, x, turn, coordinates)

    for body in range(system.mass.size - 1):
        slope = [(energy(body, k, STEP) - energy(body, k, -STEP)) / (2.0 * STEP) for k in range(6)]
        # the energy is some hundred joules: 1e-14 of it over the step
        np.testing.assert_allclose(found[body], -np.array(slope), rtol=0, atol=1e-7)


def test_wrenches_are_added_as_they_are() -> None:
    random = np.random.default_rng(0)
    system = random_system(random, ["revolute", "prismatic"])
    q, _ = random_state(random, system)
    external = random.normal(size=(3, 6))
    found = forces(system, Bodies(system, q), np.zeros(2), external)
    weight = system.mass[:, None] * system.gravity
    np.testing.assert_allclose(found, external + np.hstack([weight, np.zeros((3, 3))]), rtol=0, atol=1e-14)
