"""Kinetic and potential energy of a mechanism, for one state or a whole recording.

    T = Σ ½ m |v|² + ½ ωᵀ J ω  +  Σ ½ I ċ²  (armature),
    V = −Σ m g·x  +  Σ ½ k (c − c₀)²  +  Σ ½ k |log(rest⁻¹ p)|²,

the sums over springs going over all joints, those that close loops and rods without a lock included: c is a free
component of a joint or the distance of two points, p the turn of a joint that turns freely. Potentials that users write
in Python are not known here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.forces import turn_spring
from dalembert.mechanics.kinematics import joint_rates, product_rates
from dalembert.mechanics.kinematics_joint import has_coordinates, rate_component, relative_pose
from dalembert.model.system import DISTANCE, Floats, System
from dalembert.spatial.quaternion import row4, set_row4
from dalembert.spatial.vector import dot, mat_vec, norm, row3, set_row3


class Energies(NamedTuple):
    """Energies in joules, one for each instant."""

    kinetic: Floats
    potential: Floats

    @property
    def total(self) -> Floats:
        """Kinetic plus potential."""
        return self.kinetic + self.potential


def energies(
    system: System,
    position: Floats,
    orientation: Floats,
    velocity: Floats,
    angular_velocity: Floats,
    coordinates: Floats,
) -> Energies:
    """Energies at every instant of a recording, or at one.

    Args:
        system: the mechanism.
        position: (…, n, 3) centres of mass in the world, m; a row for the world is allowed in this and the next three.
        orientation: (…, n, 4) quaternions, body to world.
        velocity: (…, n, 3) in the world, m/s.
        angular_velocity: (…, n, 3) in body axes, rad/s.
        coordinates: (…, n_q of all joints) joint coordinates, angles unwrapped.

    Returns:
        Kinetic and potential energy, both of shape (…,).
    """
    shape, rows = position.shape[:-2], system.mass.size
    kinetic, potential = np.zeros(int(np.prod(shape))), np.zeros(int(np.prod(shape)))
    orientations = np.zeros((rows, 4))
    orientations[-1, 0] = 1.0
    _energies(
        system,
        instants(position),
        instants(orientation),
        instants(velocity),
        instants(angular_velocity),
        np.ascontiguousarray(coordinates).reshape(kinetic.size, -1),
        (np.zeros((rows, 3)), orientations, np.zeros((rows, 3)), np.zeros((rows, 3))),
        np.zeros(int(system.n_rates.sum())),
        kinetic,
        potential,
    )
    return Energies(kinetic.reshape(shape), potential.reshape(shape))


def instants(rows: Floats) -> Floats:
    """A recording (…, n, k) as (instants, n, k), contiguous so that one compiled version serves all callers."""
    return np.ascontiguousarray(rows).reshape(-1, *rows.shape[-2:])


@kernel
def _energies(
    system, position, orientation, velocity, angular_velocity, coordinates, bodies, rates, kinetic, potential
):
    x, q, v, w = bodies
    stores = False
    for j in range(system.joint_kind.size):
        for c in range(6):
            stores = stores or system.armature[j, c] != 0.0
    for s in range(kinetic.size):
        for i in range(system.mass.size - 1):
            set_row3(x, i, row3(position[s], i))
            set_row4(q, i, row4(orientation[s], i))
            set_row3(v, i, row3(velocity[s], i))
            set_row3(w, i, row3(angular_velocity[s], i))
        kinetic[s] = kinetic_energy(system, v, w)
        if stores:
            joint_rates(system, x, q, v, w, rates)
            product_rates(system, coordinates[s], x, q, v, w, rates)
            kinetic[s] += armature_energy(system, rates)
        potential[s] = potential_energy(system, x, q, coordinates[s])


@kernel
def kinetic_energy(system, velocity, angular_velocity):
    """½ Σ m |v|² + ωᵀ J ω of the bodies."""
    total = 0.0
    for i in range(system.mass.size - 1):
        v, w = row3(velocity, i), row3(angular_velocity, i)
        total += 0.5 * (system.mass[i] * dot(v, v) + dot(w, mat_vec(system.inertia, i, w)))
    return total


@kernel
def armature_energy(system, rates):
    """½ Σ I ċ² of the rates of all joints."""
    total = 0.0
    for j in range(system.joint_kind.size):
        for k in range(system.n_rates[j]):
            rate = rates[system.v_start[j] + k]
            total += 0.5 * system.armature[j, rate_component(system, j, k)] * rate * rate
    return total


@kernel
def potential_energy(system, position, orientation, coordinates):
    """Gravity and all springs, at poses with the world's row and the coordinates of all joints."""
    total = 0.0
    g = (system.gravity[0], system.gravity[1], system.gravity[2])
    for i in range(system.mass.size - 1):
        total -= system.mass[i] * dot(g, row3(position, i))
    for j in range(system.joint_kind.size):
        if has_coordinates(system, j):
            total += _joint_springs(system, j, coordinates)
        elif system.joint_kind[j] == DISTANCE and system.stiffness[j, 0] != 0.0:
            t, _ = relative_pose(system, j, position, orientation)
            stretch = norm(t) - system.rest[j, 0]
            total += 0.5 * system.stiffness[j, 0] * stretch * stretch
    return total


@kernel
def _joint_springs(system, j, coordinates):
    total = 0.0
    turns = system.n_coordinates[j] > system.n_rates[j]
    angles = system.n_rates[j] - (3 if turns else 0)
    for k in range(angles):
        c = rate_component(system, j, k)
        stretch = coordinates[system.q_start[j] + k] - system.rest[j, c]
        total += 0.5 * system.stiffness[j, c] * stretch * stretch
    if turns:
        k = system.q_start[j] + angles
        p = (coordinates[k], coordinates[k + 1], coordinates[k + 2], coordinates[k + 3])
        u, _ = turn_spring(system, j, p)
        for c in range(3):
            total += 0.5 * system.stiffness[j, 3 + c] * u[c] * u[c]
    return total
