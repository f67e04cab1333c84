"""The motion of one body or joint out of a recorded run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.kinematics import joint_rates
from dalembert.mechanics.user_functions import CustomRows
from dalembert.model.system import CUSTOM, Floats

if TYPE_CHECKING:
    from dalembert.trajectory import Trajectory


class BodyMotion:
    """One body over the N recorded instants."""

    def __init__(self, run: Trajectory, index: int) -> None:
        self._run, self._index = run, index

    @property
    def position(self) -> Floats:
        """(N, 3) centre of mass in the world, m."""
        return self._run.position[:, self._index]

    @property
    def orientation(self) -> Floats:
        """(N, 4) quaternions (w, x, y, z), body to world."""
        return self._run.orientation[:, self._index]

    @property
    def velocity(self) -> Floats:
        """(N, 3) of the centre of mass in the world, m/s."""
        return self._run.velocity[:, self._index]

    @property
    def angular_velocity(self) -> Floats:
        """(N, 3) in body axes, rad/s."""
        return self._run.angular_velocity[:, self._index]

    def point(self, local: tuple[float, float, float]) -> Floats:
        """(N, 3) where a point fixed in the body, given in body axes from the centre of mass, is in the world."""
        w, v = self.orientation[:, :1], self.orientation[:, 1:]
        p = np.broadcast_to(np.asarray(local, dtype=float), v.shape)
        t = 2.0 * np.cross(v, p)
        return self.position + p + w * t + np.cross(v, t)


class JointMotion:
    """One joint over the N recorded instants."""

    def __init__(self, run: Trajectory, index: int, name: str) -> None:
        self._run, self._index, self._record = run, index, run.model.joints[name]

    @property
    def position(self) -> Floats:
        """(N,) the joint's coordinate, or (N, k) if it has several: free translations in m, then an angle in rad
        (unwrapped), two angles, or the quaternion of a free rotation."""
        return _plain(self._run.coordinates[:, self._record.coordinates])

    @property
    def velocity(self) -> Floats:
        """(N,) or (N, k) rates in m/s and rad/s; of a free rotation the angular velocity in the axes of the child's
        frame."""
        return _plain(self._run.rates[:, self._record.rates])

    @property
    def multiplier(self) -> Floats:
        """(N, 6) force along each locked component of the joint, N or N m."""
        return self._run.record.multiplier[:, self._index] * self._run.model.system.locked[self._index]

    @property
    def reaction_force(self) -> Floats:
        """(N, 3) force of the joint's constraints on the child, in world axes at the joint, N.

        On the parent acts the opposite force, at the same point.
        """
        return self._reaction[0]

    @property
    def reaction_torque(self) -> Floats:
        """(N, 3) torque of the joint's constraints on the child about the child's joint point, in world axes, N m."""
        return self._reaction[1]

    @property
    def _reaction(self) -> tuple[Floats, Floats]:
        wrench, point = self._child_wrenches()
        child = int(self._run.model.system.joint_child[self._index])
        turn = self._run.orientation[:, child] if child < self._run.model.n_bodies else _identity(len(self._run))
        force, torque = wrench[:, :3], _rotate(turn, wrench[:, 3:])
        arm = _rotate(turn, np.broadcast_to(point, force.shape))
        return force, torque - np.cross(arm, force)

    def _child_wrenches(self) -> tuple[Floats, Floats]:
        """(N, 6) wrenches of the locked components on the child, and the joint's point in the child."""
        run, j = self._run, self._index
        system = run.model.system
        edges = system.incidence_body.size
        value, jacobian = np.zeros((system.joint_kind.size, 6)), np.zeros((edges, 6, 6))
        custom = CustomRows(run.model) if system.joint_kind[j] == CUSTOM else None
        only = np.zeros_like(system.locked)
        only[j] = system.locked[j]
        position, orientation, _, _ = run.final_state.with_world()
        wrench = np.zeros((len(run), 6))
        force = self.multiplier
        edge = system.incidence_start[j] + 1 if custom is None else system.incidence_start[j]
        for k in range(len(run)):
            position[:-1], orientation[:-1] = run.position[k], run.orientation[k]
            evaluate_constraints(system, only, run.coordinates[k], position, orientation, value, jacobian)
            if custom is not None:
                custom.evaluate(position, orientation, value, jacobian)
            wrench[k] = force[k] @ jacobian[edge]
        return wrench, system.child_point[j]


def all_rates(run: Trajectory) -> Floats:
    """(N, rates) of all joints at all recorded instants."""
    system = run.model.system
    rates = np.zeros((len(run), int(system.n_rates.sum())))
    position, orientation, velocity, angular_velocity = run.final_state.with_world()
    for k in range(len(run)):
        position[:-1], orientation[:-1] = run.position[k], run.orientation[k]
        velocity[:-1], angular_velocity[:-1] = run.velocity[k], run.angular_velocity[k]
        joint_rates(system, position, orientation, velocity, angular_velocity, rates[k])
    return rates


def _plain(columns: Floats) -> Floats:
    return columns[:, 0] if columns.shape[1] == 1 else columns


def _identity(rows: int) -> Floats:
    turns = np.zeros((rows, 4))
    turns[:, 0] = 1.0
    return turns


def _rotate(q: Floats, u: Floats) -> Floats:
    """Rows of u turned by rows of q."""
    t = 2.0 * np.cross(q[:, 1:], u)
    return u + q[:, :1] * t + np.cross(q[:, 1:], t)
