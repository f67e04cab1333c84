"""One contact of the model out of a recorded run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.checks import suggestion
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.trajectory import Trajectory


class ContactMotion:
    """A surface over the N recorded instants: all that touches it taken together.

    Forces are those of the instant's impulse over the step, so an impact shows as a large force for one step. Those of
    the last instant come from a look one step ahead.
    """

    def __init__(self, run: Trajectory, name: str) -> None:
        contacts = run.model.contacts
        if name not in contacts:
            raise ModelError(f'contact "{name}": there is none of this name; {suggestion(name, list(contacts))}')
        self._run, self._index = run, contacts[name].index

    @property
    def force(self) -> Floats:
        """(N, 3) force of everything that touches it on its body, in the world, N."""
        return self._run.record.contact_force[:, self._index, :3]

    @property
    def torque(self) -> Floats:
        """(N, 3) its moment about the body's centre of mass (the world's: the origin), in world axes, N m."""
        return self._run.record.contact_force[:, self._index, 3:]

    @property
    def gap(self) -> Floats:
        """(N,) smallest gap to anything within reach of a step, m; infinite where there is nothing."""
        return self._run.record.contact_state[:, self._index, 0]

    @property
    def slip_velocity(self) -> Floats:
        """(N, 3) velocity against what it touches, at the point under load that slips fastest, in the world, m/s."""
        return self._run.record.contact_state[:, self._index, 1:4]

    @property
    def points(self) -> Floats:
        """(N,) how many points bear load."""
        return self._run.record.contact_state[:, self._index, 4]

    @property
    def active(self) -> np.ndarray:
        """(N,) whether any point bears load."""
        return self.points > 0
