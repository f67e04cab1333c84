"""Where a mechanism is and how it moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.model.system import Floats


@dataclass(frozen=True, eq=False)
class State:
    """Poses and velocities of all bodies at one time, and the joint coordinates that go with them.

    Joint coordinates say more than the poses do: how often a joint has turned. They are those of all joints, packed as
    ``Joint.coordinates`` says.
    """

    position: Floats
    """(n, 3) centres of mass in the world, m."""
    orientation: Floats
    """(n, 4) quaternions (w, x, y, z), body to world."""
    velocity: Floats
    """(n, 3) of the centres of mass in the world, m/s."""
    angular_velocity: Floats
    """(n, 3) in body axes, rad/s."""
    coordinates: Floats
    """Coordinates of all joints, angles unwrapped; m, rad and quaternions."""
    rates: Floats
    """Rates of all joints; m/s and rad/s."""
    time: float = 0.0
    """s"""
    memory: Mapping[str, Any] = field(default_factory=dict)
    """What an integrator must keep to resume a run with the same bits; empty at a fresh start."""

    def with_world(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Fresh copies of position, orientation, velocity and angular velocity with the world as the last row."""
        position, orientation, velocity, angular_velocity = with_world(len(self.position))
        position[:-1] = self.position
        orientation[:-1] = self.orientation
        velocity[:-1] = self.velocity
        angular_velocity[:-1] = self.angular_velocity
        return position, orientation, velocity, angular_velocity


def with_world(n: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Poses and velocities of ``n`` bodies and the world, all at the origin and at rest."""
    orientation = np.zeros((n + 1, 4))
    orientation[:, 0] = 1.0
    return np.zeros((n + 1, 3)), orientation, np.zeros((n + 1, 3)), np.zeros((n + 1, 3))
