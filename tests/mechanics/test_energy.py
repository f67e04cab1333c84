"""Energies and momenta against plain sums, and against the forces that should follow from them."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import KINDS, Bodies, random_state, random_system
from scipy.spatial.transform import Rotation

from dalembert.mechanics.energy import energies
from dalembert.mechanics.kinematics import joint_coordinates, joint_rates
from dalembert.mechanics.momentum import momenta
from dalembert.mechanics.recursive import mass_matrix
from dalembert.model.system import DISTANCE

ALL = list(KINDS)


def turn(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(np.roll(q, -1, axis=-1))


def all_coordinates(system, bodies: Bodies, q: np.ndarray) -> np.ndarray:
    out = np.zeros(int(system.n_coordinates.sum()))
    joint_coordinates(system, *bodies.pose, out, out)
    out[: system.n_q] = q
    return out


@pytest.mark.parametrize("seed", range(3))
def test_kinetic_energy_is_the_quadratic_form_of_the_mass_matrix(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, [str(name) for name in rng.permutation(ALL)], options=True)
    q, v = random_state(rng, system)
    bodies = Bodies(system, q, v)
    found = energies(system, *bodies.pose, *bodies.motion, all_coordinates(system, bodies, q))
    expected = 0.5 * v @ mass_matrix(system, *bodies.pose) @ v
    assert abs(found.kinetic - expected) < 1e-13 * expected


@pytest.mark.parametrize("seed", range(3))
def test_energies_are_the_sums_that_the_text_says(seed):
    """Every term spelled out joint by joint with scipy's rotations, springs and armature in loops included."""
    rng = np.random.default_rng(100 + seed)
    loops = ["spherical", "revolute", "floating", "universal", "screw"]
    system = random_system(rng, [str(name) for name in rng.permutation(ALL)], loops, options=True, springs=3)
    system = system._replace(armature=rng.uniform(0, 1, system.armature.shape) * (system.locked == 0))
    system.armature[system.joint_kind == DISTANCE] = 0.0
    q, v = random_state(rng, system)
    bodies = Bodies(system, q, v)
    coordinates = all_coordinates(system, bodies, q)
    rates = np.zeros(int(system.n_rates.sum()))
    joint_rates(system, *bodies.pose, *bodies.motion, rates)

    kinetic = 0.5 * system.mass @ (bodies.velocity**2).sum(axis=1)
    kinetic += 0.5 * np.einsum("ia,iab,ib", bodies.angular_velocity, system.inertia, bodies.angular_velocity)
    potential = -system.mass @ bodies.position @ system.gravity
    for j in range(system.joint_kind.size):
        free = np.flatnonzero(system.locked[j] == 0)
        k, rest = system.stiffness[j], system.rest[j]
        c = coordinates[system.q_start[j] : system.q_start[j] + system.n_coordinates[j]]
        if system.joint_kind[j] == DISTANCE:
            a, b = system.joint_parent[j], system.joint_child[j]
            end_a = bodies.position[a] + turn(bodies.orientation[a]).apply(system.parent_point[j])
            end_b = bodies.position[b] + turn(bodies.orientation[b]).apply(system.child_point[j])
            potential += 0.5 * k[0] * (np.linalg.norm(end_b - end_a) - rest[0]) ** 2
            continue
        rate = rates[system.v_start[j] : system.v_start[j] + system.n_rates[j]]
        kinetic += 0.5 * system.armature[j, free] @ rate**2
        if c.size > rate.size:
            u = (Rotation.from_rotvec(rest[3:]).inv() * turn(c[-4:])).as_rotvec()
            potential += 0.5 * k[3:] @ u**2
            c, free = c[:-4], free[:-3]
        potential += 0.5 * k[free] @ (c - rest[free]) ** 2
    found = energies(system, *bodies.pose, *bodies.motion, coordinates)
    assert abs(found.kinetic - kinetic) < 1e-13 * kinetic
    assert abs(found.potential - potential) < 1e-12 * (abs(potential) + 1.0)


def test_momenta_are_the_sums_that_the_text_says():
    rng = np.random.default_rng(7)
    system = random_system(rng, ["floating"] * 4)
    q, v = random_state(rng, system)
    bodies = Bodies(system, q, v)
    linear = system.mass @ bodies.velocity
    spin = turn(bodies.orientation).apply(np.einsum("iab,ib->ia", system.inertia, bodies.angular_velocity))
    angular = (np.cross(bodies.position, system.mass[:, None] * bodies.velocity) + spin).sum(axis=0)
    found = momenta(system, *bodies.pose, *bodies.motion)
    assert np.abs(found.linear - linear).max() < 1e-12
    assert np.abs(found.angular - angular).max() < 1e-12


def test_recordings_are_evaluated_instant_by_instant_with_or_without_the_world():
    rng = np.random.default_rng(8)
    system = random_system(rng, ALL, options=True)
    states = []
    for _ in range(6):
        q, v = random_state(rng, system)
        bodies = Bodies(system, q, v)
        states.append((*bodies.pose, *bodies.motion, all_coordinates(system, bodies, q)))
    recording = [np.array(column).reshape(2, 3, *column[0].shape) for column in zip(*states, strict=True)]
    short = [column[:, :, :-1] for column in recording[:4]]
    whole = energies(system, *recording)
    without_world = energies(system, *short, coordinates=recording[4])
    motion, motion_without = momenta(system, *recording[:4]), momenta(system, *short)
    assert whole.total.shape == (2, 3)
    assert motion.linear.shape == (2, 3, 3)
    for i, state in enumerate(states):
        one, at = energies(system, *state[:4], coordinates=state[4]), np.unravel_index(i, (2, 3))
        assert one.kinetic == whole.kinetic[at] == without_world.kinetic[at]
        assert one.potential == whole.potential[at] == without_world.potential[at]
        assert (momenta(system, *state[:4]).angular == motion.angular[at]).all()
        assert (motion.angular[at] == motion_without.angular[at]).all()
