"""The motion of one body or joint out of a recorded run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dalembert.errors import ModelError
from dalembert.mechanics.recordings import rates_of_rows, single_joint, wrenches_of_rows
from dalembert.mechanics.user_functions import CustomRows
from dalembert.model.system import CUSTOM, GEAR, Floats

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
        """(N, 6) force along each locked component of the joint, N or N m; NaN where it could not be known.

        Second order at inner instants, first order at the start of a fresh run. Those of the last instant come from a
        look one step ahead, with the forces from outside as they last were.
        """
        record = self._run.record.multiplier
        if len(record) and np.isnan(record).all():
            raise ModelError(
                f'joint "{self._record.name}": {self._run.integrator} does not tell the forces in joints; '
                "use an integrator that supports reactions, such as MaximalVI"
            )
        # only locked components can hold; a NaN of the whole instant stays
        locked = self._run.model.system.locked[self._index] > 0
        return np.where(locked, record[:, self._index], 0.0)

    def wrench_on(self, body: str) -> tuple[Floats, Floats]:
        """Force and torque of the joint's constraints on one of the bodies that it touches.

        (N, 3) force in N and (N, 3) torque in N m about the body's centre of mass (the world's: the origin), both in
        world axes. Those on all its bodies cancel, taken about one point.
        """
        if body not in self._record.bodies:
            raise ModelError(
                f'joint "{self._record.name}": expected one of the bodies that it touches, '
                f'{", ".join(self._record.bodies)}, found "{body}"'
            )
        index = self._run.model.body_index(body)
        wrench = self._wrenches([k for k, name in enumerate(self._record.bodies) if name == body])
        return wrench[:, :3], _rotate(self._turns(index), wrench[:, 3:])

    @property
    def reaction_force(self) -> Floats:
        """(N, 3) force of the joint's constraints on the child, in world axes at the joint, N.

        On the parent acts the opposite force, at the same point: where the child's frame is (at a rod's own ends).
        """
        return self._reaction[0]

    @property
    def reaction_torque(self) -> Floats:
        """(N, 3) torque of the joint's constraints on the child about the child's joint point, in world axes, N m."""
        return self._reaction[1]

    @cached_property
    def _reaction(self) -> tuple[Floats, Floats]:
        system, kind = self._run.model.system, self._record.kind
        if system.joint_kind[self._index] in (GEAR, CUSTOM):
            raise ModelError(
                f'joint "{self._record.name}": a {kind.name} has no child to which its reaction belongs; '
                "ask for wrench_on(body)"
            )
        force, torque = self.wrench_on(self._record.child)
        point = np.broadcast_to(system.child_point[self._index], force.shape)
        return force, torque - np.cross(_rotate(self._turns(int(system.joint_child[self._index])), point), force)

    def _turns(self, body: int) -> Floats:
        """(N, 4) orientations of a body or the world."""
        if body < self._run.model.n_bodies:
            return self._run.orientation[:, body]
        turns = np.zeros((len(self._run), 4))
        turns[:, 0] = 1.0
        return turns

    def _wrenches(self, places: list[int]) -> Floats:
        """(N, 6) sums over some of the joint's bodies, by their places in its incidence list."""
        run, j = self._run, self._index
        system, multiplier = run.model.system, np.ascontiguousarray(self.multiplier)
        if system.joint_kind[j] == CUSTOM:
            return self._custom_wrenches(places, multiplier)
        edges = np.array(places, dtype=np.int64)
        active = np.zeros_like(system.locked)
        active[j] = system.locked[j]
        if system.joint_kind[j] == GEAR:
            edges += system.incidence_start[j]
        else:
            system, active = single_joint(system, j), active[j : j + 1]
        position, orientation, _, _ = run.final_state.with_world()
        rows = np.zeros((len(active), 6)), np.zeros((system.incidence_body.size, 6, 6))
        wrench = np.zeros((len(run), 6))
        wrenches_of_rows(
            system,
            active,
            edges,
            multiplier,
            run.coordinates,
            run.position,
            run.orientation,
            (position, orientation),
            rows,
            wrench,
        )
        return wrench

    def _custom_wrenches(self, places: list[int], multiplier: Floats) -> Floats:
        """The same for a constraint of the user's, whose functions are Python's."""
        run, system = self._run, self._run.model.system
        custom = CustomRows(run.model)
        value, jacobian = np.zeros((system.joint_kind.size, 6)), np.zeros((system.incidence_body.size, 6, 6))
        position, orientation, _, _ = run.final_state.with_world()
        edges = int(system.incidence_start[self._index]) + np.array(places)
        wrench = np.zeros((len(run), 6))
        for k in range(len(run)):
            position[:-1], orientation[:-1] = run.position[k], run.orientation[k]
            custom.evaluate(position, orientation, value, jacobian)
            wrench[k] = multiplier[k] @ jacobian[edges].sum(axis=0)
        return wrench


def all_rates(run: Trajectory) -> Floats:
    """(N, rates) of all joints at all recorded instants."""
    rates = np.zeros((len(run), int(run.model.system.n_rates.sum())))
    bodies, recorded = run.final_state.with_world(), (run.position, run.orientation, run.velocity, run.angular_velocity)
    rates_of_rows(run.model.system, run.q, *recorded, bodies, rates)
    return rates


def _plain(columns: Floats) -> Floats:
    return columns[:, 0] if columns.shape[1] == 1 else columns


def _rotate(q: Floats, u: Floats) -> Floats:
    """Rows of u turned by rows of q."""
    t = 2.0 * np.cross(q[:, 1:], u)
    return u + q[:, :1] * t + np.cross(q[:, 1:], t)
