"""Identities of the recursive algorithms on random trees of all joint kinds."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import KINDS, Bodies, move_coordinates, random_state, random_system

from dalembert.mechanics.kinematics import tree_jacobian
from dalembert.mechanics.recursive import (
    accelerate_bodies,
    bias_forces,
    fill_mass_matrix,
    generalised_forces,
    inverse_dynamics,
    mass_matrix,
)
from dalembert.mechanics.recursive_articulated import forward_dynamics
from dalembert.mechanics.recursive_tree import prepare_tree, tree_memory
from dalembert.spatial.quaternion import rotate

ALL = list(KINDS)


class Prepared:
    """A random tree at a random state, with the first pass done."""

    def __init__(self, seed: int, names: list[str] | None = None, **options) -> None:
        self.rng = np.random.default_rng(seed)
        if names is None:
            names = [str(name) for name in self.rng.permutation(ALL)]
        self.system = random_system(self.rng, names, **options)
        self.q, self.v = random_state(self.rng, self.system)
        self.bodies = Bodies(self.system, self.q, self.v)
        self.tree = tree_memory(self.system)
        prepare_tree(self.system, self.tree, self.v, *self.bodies.pose, self.bodies.angular_velocity)
        self.zeros = np.zeros(self.system.n_v)

    def jacobian(self) -> np.ndarray:
        out = np.zeros((self.system.mass.size, 6, self.system.n_v))
        tree_jacobian(self.system, self.q, *self.bodies.pose, out)
        return out

    def mass_matrix(self) -> np.ndarray:
        out = np.full((self.system.n_v, self.system.n_v), np.nan)
        fill_mass_matrix(self.system, self.tree, out)
        return out

    def wrench(self) -> np.ndarray:
        return self.rng.normal(size=(self.system.mass.size, 6))

    def gravity(self) -> np.ndarray:
        return np.hstack([self.system.mass[:, None] * self.system.gravity, np.zeros((self.system.mass.size, 3))])

    def bias(self) -> np.ndarray:
        out = np.full(self.system.n_v, np.nan)
        bias_forces(self.system, self.tree, out)
        return out


def tree_armature(system) -> np.ndarray:
    return np.concatenate([system.armature[j][free_components(system, j)] for j in system.tree_joint])


def free_components(system, j) -> np.ndarray:
    return np.flatnonzero(system.locked[j] == 0)


@pytest.mark.parametrize("seed", range(5))
def test_mass_matrix_is_the_sum_over_bodies(seed):
    """M = Σ Jᵀ diag(m, J_body) J + armature, symmetric to the last bit and positive."""
    case = Prepared(seed, options=True)
    jacobian, system = case.jacobian(), case.system
    expected = np.diag(tree_armature(system))
    for i in range(system.mass.size):
        expected += system.mass[i] * jacobian[i, :3].T @ jacobian[i, :3]
        expected += jacobian[i, 3:].T @ system.inertia[i] @ jacobian[i, 3:]
    found = case.mass_matrix()
    assert np.abs(found - expected).max() < 1e-12 * np.abs(expected).max()
    assert (found == found.T).all()
    assert np.linalg.eigvalsh(found).min() > 0
    assert (mass_matrix(system, *case.bodies.pose) == found).all()


@pytest.mark.parametrize("seed", range(5))
def test_bodies_accelerate_as_their_velocities_change(seed):
    """Accelerations at v̇ = 0 are the central differences of the velocities along constant rates, for every kind."""
    case = Prepared(seed)
    system, h = case.system, 1e-5
    accelerate_bodies(system, case.tree, case.zeros)
    after, before = (Bodies(system, move_coordinates(system, case.q, case.v, s * h), case.v) for s in (1, -1))
    linear = (after.velocity - before.velocity) / (2 * h)
    local = (after.angular_velocity - before.angular_velocity) / (2 * h)
    angular = np.array([rotate(tuple(q), tuple(u)) for q, u in zip(case.bodies.orientation, local, strict=True)])
    scale = np.abs(linear).max() + 1.0
    # h² times third derivatives and round-off over h
    assert np.abs(case.tree.acceleration[:, :3] - linear).max() < 1e-7 * scale
    assert np.abs(case.tree.acceleration[:, 3:] - angular).max() < 1e-7 * scale


@pytest.mark.parametrize("seed", range(5))
def test_inverse_dynamics_is_mass_times_acceleration_plus_bias(seed):
    case = Prepared(seed, options=True)
    system, acceleration = case.system, case.rng.normal(size=case.system.n_v)
    found, wrench, projected = case.zeros.copy(), case.wrench(), case.zeros.copy()
    inverse_dynamics(system, case.tree, acceleration, case.bodies.orientation, wrench + case.gravity(), found)
    generalised_forces(system, case.tree, case.bodies.orientation, wrench, projected)
    expected = case.mass_matrix() @ acceleration + case.bias() - projected
    assert np.abs(found - expected).max() < 1e-12 * np.abs(expected).max()
    jacobian = case.jacobian()
    assert np.abs(projected - np.einsum("ick,ic->k", jacobian, wrench)).max() < 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_forward_dynamics_inverts_inverse_dynamics(seed):
    case = Prepared(seed, options=bool(seed % 2))
    system, tau, wrench = case.system, case.rng.normal(size=case.system.n_v), case.wrench()
    acceleration, found = np.full(system.n_v, np.nan), np.full(system.n_v, np.nan)
    forward_dynamics(system, case.tree, case.bodies.orientation, tau, wrench, acceleration)
    inverse_dynamics(system, case.tree, acceleration, case.bodies.orientation, wrench, found)
    assert np.abs(found - tau).max() < 1e-10  # forces reach some hundred, condition numbers 1e4
    solved = np.linalg.solve(case.mass_matrix(), tau - _without_acceleration(case, wrench))
    assert np.abs(acceleration - solved).max() < 1e-10 * np.abs(solved).max()


def _without_acceleration(case: Prepared, wrench: np.ndarray) -> np.ndarray:
    out = case.zeros.copy()
    inverse_dynamics(case.system, case.tree, case.zeros, case.bodies.orientation, wrench, out)
    return out


@pytest.mark.parametrize("name", ALL)
def test_free_motion_keeps_kinetic_energy_and_momentum(name):
    """Without forces, v̇ of the forward dynamics leaves ½ vᵀ M v and, for floating trees, all momentum unchanged."""
    case = Prepared(11, ["floating", name, name, name], one_root=True)
    system, bodies = case.system, case.bodies
    acceleration = case.zeros.copy()
    forward_dynamics(system, case.tree, bodies.orientation, case.zeros, np.zeros((5, 6)), acceleration)
    mass, force, torque, power = system.mass, np.zeros(3), np.zeros(3), 0.0
    for i in range(4):
        omega = np.array(rotate(tuple(bodies.orientation[i]), tuple(bodies.angular_velocity[i])))
        inertia = case.tree.inertia[i]
        a, alpha = case.tree.acceleration[i, :3], case.tree.acceleration[i, 3:]
        spin_rate = inertia @ alpha + np.cross(omega, inertia @ omega)
        force += mass[i] * a
        torque += np.cross(bodies.position[i], mass[i] * a) + spin_rate
        power += mass[i] * bodies.velocity[i] @ a + omega @ spin_rate
    assert np.abs(force).max() < 1e-11
    assert np.abs(torque).max() < 1e-11
    assert abs(power) < 1e-11
    # and the accelerations are those of the rates that came out
    accelerate_bodies(system, case.tree, acceleration)
    assert np.abs(case.tree.acceleration[:, :3].T @ mass).max() < 1e-11


@pytest.mark.parametrize("seed", range(3))
def test_gravity_is_the_gradient_of_its_potential(seed):
    case = Prepared(seed)
    system, h = case.system, 1e-5
    case.v[:] = 0.0
    prepare_tree(system, case.tree, case.v, *case.bodies.pose, np.zeros_like(case.bodies.position))
    force = case.bias()
    for k in range(system.n_v):
        unit = np.eye(system.n_v)[k]
        ends = [Bodies(system, move_coordinates(system, case.q, unit, s * h)).position for s in (1, -1)]
        slope = -system.mass @ (ends[0] - ends[1]) @ system.gravity / (2 * h)
        assert abs(slope - force[k]) < 1e-8 * (1 + np.abs(force).max())


def test_mass_matrix_rate_minus_twice_coriolis_is_skew():
    """With the Christoffel matrix C of c = C v, vᵀ (Ṁ − 2C) v = 0: the work of c is half of vᵀ Ṁ v."""
    case = Prepared(21)
    system, h = case.system, 1e-5
    masses = []
    for s in (1, -1):
        moved = Bodies(system, move_coordinates(system, case.q, case.v, s * h))
        masses.append(mass_matrix(system, *moved.pose))
    rate = case.v @ (masses[0] - masses[1]) @ case.v / (2 * h)
    coriolis = _without_acceleration(case, np.zeros((system.mass.size, 6)))
    assert abs(0.5 * rate - case.v @ coriolis) < 1e-8 * abs(rate)


def test_a_long_chain_loses_no_digits():
    """1000 links: forward and inverse dynamics still invert each other."""
    case = Prepared(31, ["revolute"] * 1000, chain=True)
    system = case.system
    case.v *= 0.01
    case.bodies = Bodies(system, case.q, case.v)
    prepare_tree(system, case.tree, case.v, *case.bodies.pose, case.bodies.angular_velocity)
    acceleration, found = case.zeros.copy(), case.zeros.copy()
    tau = case.rng.normal(size=system.n_v)
    forward_dynamics(system, case.tree, case.bodies.orientation, tau, case.gravity(), acceleration)
    inverse_dynamics(system, case.tree, acceleration, case.bodies.orientation, case.gravity(), found)
    assert np.abs(found - tau).max() < 1e-10  # wrenches reach some hundred newtons over a thousand joints
