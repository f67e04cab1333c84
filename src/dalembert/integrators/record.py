"""The rows that a run leaves behind."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert.model.system import Floats, Integers, System


class Record(NamedTuple):
    """One row for each recorded instant (n bodies, m joints, c contacts)."""

    position: Floats
    """(rows, n, 3) centres of mass in the world."""
    orientation: Floats
    """(rows, n, 4) unit quaternions."""
    velocity: Floats
    """(rows, n, 3) of the centres of mass in the world."""
    angular_velocity: Floats
    """(rows, n, 3) in body axes."""
    coordinates: Floats
    """(rows, joint coordinates) of all joints, angles unwrapped."""
    multiplier: Floats
    """(rows, m, 6) force of each locked joint component in N or N m."""
    constraint_error: Floats
    """(rows,) largest violation of a position constraint since the row before, m or rad."""
    iterations: Integers
    """(rows,) Newton iterations since the row before."""

    lost: Floats
    """(rows, 4) energy lost so far to impact, friction of contacts, limits, dry friction of joints, J."""
    contact_error: Floats
    """(rows, 3) largest complementarity and cone violation, in scaled units, and overlap, m, since the row before."""
    contact_force: Floats
    """(rows, c, 6) force on each contact of the model and its moment about the centre of mass, world axes, N, N m."""
    contact_state: Floats
    """(rows, c, 5) smallest gap (m, infinite out of reach), slip velocity (m/s, world axes), points that bear load."""

    @staticmethod
    def empty(system: System, rows: int, contacts: int = 0) -> Record:
        """Zeros for ``rows`` rows."""
        n, m = system.tree_joint.size, system.joint_kind.size
        return Record(
            np.zeros((rows, n, 3)),
            np.zeros((rows, n, 4)),
            np.zeros((rows, n, 3)),
            np.zeros((rows, n, 3)),
            np.zeros((rows, int(system.n_coordinates.sum()))),
            np.zeros((rows, m, 6)),
            np.zeros(rows),
            np.zeros(rows, dtype=np.int64),
            np.zeros((rows, 4)),
            np.zeros((rows, 3)),
            np.zeros((rows, contacts, 6)),
            np.zeros((rows, contacts, 5)),
        )

    def first(self, rows: int) -> Record:
        """The first ``rows`` rows, copied so that the rest can be freed."""
        return self._make(column[:rows].copy() for column in self)
