"""Linear and angular momentum of a mechanism about the world's origin, for one state or a whole recording.

Armature is an inertia without a place in space and carries no momentum here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.energy import instants
from dalembert.model.system import Floats, System
from dalembert.spatial.quaternion import rotate, row4
from dalembert.spatial.vector import add, add_row3, cross, mat_vec, row3, scale


class Momenta(NamedTuple):
    """Momenta in world axes, one for each instant."""

    linear: Floats
    """(…, 3) in kg m/s."""
    angular: Floats
    """(…, 3) about the world's origin, in kg m²/s."""


def momenta(
    system: System, position: Floats, orientation: Floats, velocity: Floats, angular_velocity: Floats
) -> Momenta:
    """Momenta p = Σ m v and L = Σ x × m v + Q J ω at every instant of a recording, or at one.

    Args:
        system: the mechanism.
        position: (…, n, 3) centres of mass in the world, m; a row for the world is allowed in all four.
        orientation: (…, n, 4) quaternions, body to world.
        velocity: (…, n, 3) in the world, m/s.
        angular_velocity: (…, n, 3) in body axes, rad/s.

    Returns:
        Linear and angular momentum, both of shape (…, 3).
    """
    shape = position.shape[:-2]
    rows = int(np.prod(shape))
    linear, angular = np.zeros((rows, 3)), np.zeros((rows, 3))
    _momenta(
        system,
        instants(position),
        instants(orientation),
        instants(velocity),
        instants(angular_velocity),
        linear,
        angular,
    )
    return Momenta(linear.reshape(*shape, 3), angular.reshape(*shape, 3))


@kernel
def _momenta(system, position, orientation, velocity, angular_velocity, linear, angular):
    for s in range(linear.shape[0]):
        for i in range(system.mass.size - 1):
            p = scale(system.mass[i], row3(velocity[s], i))
            spin = rotate(row4(orientation[s], i), mat_vec(system.inertia, i, row3(angular_velocity[s], i)))
            add_row3(linear, s, p)
            add_row3(angular, s, add(cross(row3(position[s], i), p), spin))
