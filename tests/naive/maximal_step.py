"""One step of the maximal-coordinate integrator spelled out slowly: rotation matrices, complex steps, least squares.

Nothing is shared with the library but the arrays of `System`. Constraints and coordinates are written from the table in
`dalembert.model.system`, locked rotations by entries of the matrix R = Q_Aᵀ Q_B which vanish where the library's vector
parts of quaternions do. Unknowns are the velocities (v, ω) of all bodies and the impulses Λ of the locked components:

    p⁻(ż) − p_k − (h/2) F(z_k) − G(z_k)ᵀ Λ − C(z_k)ᵀ Sᴸ = 0,      g(z_{k+1}) = 0,

the position-momentum form of [Brüdigam 2023] eq. (20). Springs, dampers and rotors along coordinates c act by their
impulses themselves, Sᴸ = −I Δ/h − B at the start and Sᴿ = +I Δ/h − B at the end of an interval.

All functions take any leading axes: a complex step in many directions at once is one call.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.model.state import State
from dalembert.model.system import DISTANCE, GEAR, LOWER_PAIR, SCREW, UNIVERSAL, System

Array = NDArray[Any]
TINY = 1e-30


class Poses(NamedTuple):
    """Centres of mass (…, n + 1, 3) and rotation matrices (…, n + 1, 3, 3), the world last."""

    x: Array
    turn: Array


def matrix(q: Array) -> Array:
    """Rotation matrices of unit quaternions, E + 2 w [v]× + 2 [v]×²."""
    s = skew(q[..., 1:])
    return np.eye(3) + 2 * q[..., :1, None] * s + 2 * s @ s


def skew(u: Array) -> Array:
    out = np.zeros((*u.shape, 3), u.dtype)
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -u[..., 2], u[..., 1], -u[..., 0]
    return out - np.swapaxes(out, -1, -2)


def vee(m: Array) -> Array:
    """The axial vector of the antisymmetric part, sin(angle) times the axis of a rotation matrix."""
    a = 0.5 * (m - np.swapaxes(m, -1, -2))
    return np.stack([a[..., 2, 1], a[..., 0, 2], a[..., 1, 0]], axis=-1)


def angle_of(y: Array, x: Array) -> Array:
    """atan2 that lets an infinitesimal imaginary part through."""
    y, x = np.asarray(y), np.asarray(x)
    rate = (np.real(x) * np.imag(y) - np.real(y) * np.imag(x)) / (np.real(x) ** 2 + np.real(y) ** 2)
    return np.arctan2(np.real(y), np.real(x)) + 1j * rate


def rotation_vector(m: Array) -> Array:
    s = vee(m)
    sine = np.sqrt(np.sum(s * s, axis=-1) + 1e-300)
    angle = angle_of(sine, 0.5 * (np.trace(m, axis1=-2, axis2=-1) - 1.0))
    return (angle / sine)[..., None] * s


def exponential(u: Array) -> Array:
    """The rotation matrix of a real rotation vector, by Rodrigues' formula."""
    t, s = float(np.linalg.norm(u)), skew(u)
    return np.eye(3) + np.sinc(t / np.pi) * s + 0.5 * np.sinc(0.5 * t / np.pi) ** 2 * s @ s


class NaiveMaximal:
    """A mechanism at a knot, stepped slowly."""

    def __init__(
        self, system: System, state: State, h: float, joint_force: Array | None = None, external: Array | None = None
    ) -> None:
        self.system, self.h, self.n = system, h, system.mass.size - 1
        self.external = np.zeros((self.n + 1, 6)) if external is None else external
        x, q, v, w = state.with_world()
        self.poses = Poses(x, matrix(q))
        turning = (system.joint_kind == LOWER_PAIR) & ~system.locked[:, 3:].any(axis=1)
        self.turning: list[int] = np.flatnonzero(turning).tolist()
        self.rows = np.argwhere(system.locked == 1)
        forced = (system.stiffness + system.damping + system.armature) > 0.0
        forced[turning, 3:] = False
        self.forced = np.argwhere(forced)
        self.motors = self._motors(np.zeros(int(system.n_rates.sum())) if joint_force is None else joint_force)
        self.near = np.zeros(system.locked.shape)
        self.near = self._start_angles(state)
        self.impulse = np.zeros(system.locked.shape)
        self.velocity = np.hstack([v, w])[:-1]
        self.momentum = self._metric() @ self.velocity.ravel()

    def _motors(self, force: Array) -> Array:
        """(m, 6) forces of actuators by component."""
        system, out = self.system, np.zeros(self.system.locked.shape)
        for j in range(len(out)):
            if system.n_rates[j]:
                free = [5] if system.joint_kind[j] == SCREW else np.flatnonzero(system.locked[j] == 0)
                out[j, free] = force[system.v_start[j] : system.v_start[j] + system.n_rates[j]]
        return out

    def _start_angles(self, state: State) -> Array:
        """(m, 6) angles of the state, unwrapped."""
        system, near = self.system, np.zeros(self.system.locked.shape)
        for j in range(len(near)):
            last = system.q_start[j] + system.n_coordinates[j] - 1
            if system.joint_kind[j] == UNIVERSAL:
                near[j, 3:5] = state.coordinates[last - 1 : last + 1]
            elif system.n_rates[j] and system.locked[j, 3] and not system.locked[j, 5]:
                near[j, 5] = state.coordinates[last]
        return near

    # ---- kinematics ---------------------------------------------------------------------------------------------

    def frames(self, poses: Poses, j: int) -> tuple[Array, Array, Array]:
        """(Q_A, r_B − r_A in the world, R = Q_Aᵀ Q_B)."""
        system, a, b = self.system, self.system.joint_parent[j], self.system.joint_child[j]
        turn_a, turn_b = poses.turn[..., a, :, :], poses.turn[..., b, :, :]
        r_a = poses.x[..., a, :] + turn_a @ system.parent_point[j]
        r_b = poses.x[..., b, :] + turn_b @ system.child_point[j]
        q_a, q_b = turn_a @ matrix(system.parent_frame[j]), turn_b @ matrix(system.child_frame[j])
        return q_a, r_b - r_a, np.swapaxes(q_a, -1, -2) @ q_b

    def values(self, poses: Poses) -> Array:
        """(…, m, 6) all components: violations of locked ones, coordinates of free ones but for free rotations."""
        system = self.system
        out = np.zeros((*poses.x.shape[:-2], *system.locked.shape), complex)
        for j, kind in enumerate(system.joint_kind):
            if kind == GEAR:
                continue
            q_a, gap, r = self.frames(poses, j)
            if kind == DISTANCE:
                length = np.sqrt(np.sum(gap * gap, axis=-1))
                out[..., j, 0] = length - (system.parameter[j] if system.locked[j, 0] else 0.0)
                continue
            out[..., j, :3] = np.einsum("...ik,...i->...k", q_a, gap)
            if kind == UNIVERSAL:
                out[..., j, 3] = self._nearest(angle_of(r[..., 2, 1], r[..., 1, 1]), j, 3)
                out[..., j, 4] = self._nearest(angle_of(r[..., 0, 2], r[..., 0, 0]), j, 4)
                out[..., j, 5] = r[..., 0, 1]
            elif system.locked[j, 3] and system.locked[j, 5]:
                out[..., j, 3:] = vee(r)
            elif system.locked[j, 3]:
                out[..., j, 3], out[..., j, 4] = r[..., 1, 2], r[..., 0, 2]
                angle = angle_of(r[..., 1, 0] - r[..., 0, 1], r[..., 0, 0] + r[..., 1, 1])
                out[..., j, 5] = self._nearest(angle, j, 5)
                if kind == SCREW:
                    out[..., j, 2] -= system.parameter[j] * out[..., j, 5]
        for j in np.flatnonzero(system.joint_kind == GEAR):
            (j1, j2), (c1, c2) = system.gear_joint[j], system.gear_component[j]
            out[..., j, 0] = out[..., j1, c1] + system.parameter[j] * out[..., j2, c2] - system.offset[j]
        return out

    def _nearest(self, angle: Array, j: int, c: int) -> Array:
        return angle + 2 * np.pi * np.round((self.near[j, c] - np.real(angle)) / (2 * np.pi))

    def perturbed(self, poses: Poses) -> Poses:
        """(6 n, …) the poses with an imaginary step in each δx and η."""
        n = self.n
        x = np.repeat(poses.x[None].astype(complex), 6 * n, axis=0)
        turn = np.repeat(poses.turn[None].astype(complex), 6 * n, axis=0)
        for i in range(n):
            for k in range(3):
                x[6 * i + k, i, k] += 1j * TINY
                turn[6 * i + 3 + k, i] += 1j * TINY * poses.turn[i] @ skew(np.eye(3)[k])
        return Poses(x, turn)

    def jacobian(self, poses: Poses) -> Array:
        """(m, 6, 6 n) derivatives of `values`; of free rotations the axes of B."""
        out = np.moveaxis(np.imag(self.values(self.perturbed(poses))) / TINY, 0, -1)
        for j in self.turning:
            a, b = self.system.joint_parent[j], self.system.joint_child[j]
            q_b = poses.turn[b] @ matrix(self.system.child_frame[j])
            for body, sign in ((a, -1.0), (b, 1.0)):
                if body < self.n:
                    out[j, 3:, 6 * body + 3 : 6 * body + 6] += sign * q_b.T @ poses.turn[body]
        return out

    # ---- forces -------------------------------------------------------------------------------------------------

    def turn_energy(self, poses: Poses) -> Array:
        """Energy of the springs of free rotations."""
        total = np.zeros(poses.x.shape[:-2], complex)
        for j in self.turning:
            rest = exponential(self.system.rest[j, 3:])
            u = rotation_vector(rest.T @ self.frames(poses, j)[2])
            total += 0.5 * np.sum(self.system.stiffness[j, 3:] * u * u, axis=-1)
        return total

    def knot_force(self, poses: Poses, jacobian: Array) -> Array:
        """(6 n,) gravity, wrenches, actuators and springs of free rotations."""
        out = self.external[:-1].copy()
        out[:, :3] += self.system.mass[:-1, None] * self.system.gravity
        motors = np.einsum("jc,jck->k", self.motors, jacobian)
        return out.ravel() + motors - np.imag(self.turn_energy(self.perturbed(poses))) / TINY

    def interval_impulses(self, start: Array, end: Array, before: Poses, after: Poses) -> tuple[Array, Array]:
        """(Sᴸ, Sᴿ), each (…, m, 6), of springs, dampers and rotors between coordinates ``start`` and ``end``."""
        system, h = self.system, self.h
        left, right = np.zeros_like(end), np.zeros_like(end)
        for j, c in self.forced:
            change = end[..., j, c] - start[j, c]
            middle = 0.5 * (end[..., j, c] + start[j, c])
            spring = system.stiffness[j, c] * (middle - system.rest[j, c])
            bracket = 0.5 * h * (spring + system.damping[j, c] * change / h)
            left[..., j, c] = -system.armature[j, c] * change / h - bracket
            right[..., j, c] = system.armature[j, c] * change / h - bracket
        for j in self.turning:
            f = self.frames(before, j)[2].T @ self.frames(after, j)[2]
            change = 2.0 * vee(f) / np.sqrt(1.0 + np.trace(f, axis1=-2, axis2=-1))[..., None]
            left[..., j, 3:] = -(system.armature[j, 3:] / h + 0.5 * system.damping[j, 3:]) * change
            right[..., j, 3:] = (system.armature[j, 3:] / h - 0.5 * system.damping[j, 3:]) * change
        return left, right

    # ---- the step -----------------------------------------------------------------------------------------------

    def end(self, velocity: Array) -> Poses:
        """Poses after an interval with velocities (…, n, 6)."""
        phi = 0.5 * self.h * velocity[..., 3:]
        s = np.sqrt(1.0 - np.sum(phi * phi, axis=-1, keepdims=True))
        x = np.zeros((*velocity.shape[:-2], self.n + 1, 3), velocity.dtype)
        turn = np.zeros((*x.shape, 3), velocity.dtype)
        x[..., :-1, :] = self.poses.x[:-1] + self.h * velocity[..., :3]
        turn[..., :-1, :, :] = self.poses.turn[:-1] @ matrix(np.concatenate([s, phi], axis=-1))
        turn[..., -1, :, :] = np.eye(3)
        return Poses(x, turn)

    def momenta(self, velocity: Array, side: float) -> Array:
        """(…, 6 n) p⁻ (side −1) or p⁺ (side +1)."""
        phi = 0.5 * self.h * velocity[..., 3:]
        s = np.sqrt(1.0 - np.sum(phi * phi, axis=-1, keepdims=True))
        spin = np.einsum("ijk,...ik->...ij", self.system.inertia[:-1], velocity[..., 3:])
        parts = [self.system.mass[:-1, None] * velocity[..., :3], s * spin - side * np.cross(phi, spin)]
        return np.concatenate(parts, axis=-1).reshape(*velocity.shape[:-2], -1)

    def step(self) -> None:
        """Move to the next knot."""
        size = 6 * self.n
        jacobian, start = self.jacobian(self.poses), np.real(self.values(self.poses))
        locked = jacobian[self.rows[:, 0], self.rows[:, 1]]
        target = self.momentum + 0.5 * self.h * self.knot_force(self.poses, jacobian)

        def residual(velocity: Array, impulse: Array) -> Array:
            after = self.end(velocity)
            values = self.values(after)
            left, _ = self.interval_impulses(start, values, self.poses, after)
            body = self.momenta(velocity, -1.0) - target - impulse @ locked
            body = body - np.einsum("...jc,jck->...k", left, jacobian)
            return np.concatenate([body, values[..., self.rows[:, 0], self.rows[:, 1]]], axis=-1)

        velocity, impulse, last = self.velocity.copy(), np.zeros(len(self.rows)), np.inf
        for _ in range(60):
            steps = velocity + 1j * TINY * np.eye(size).reshape(size, self.n, 6)
            matrix_ = np.zeros((size + len(self.rows),) * 2)
            matrix_[:, :size] = np.imag(residual(steps, impulse)).T / TINY
            matrix_[:size, size:] = -locked.T
            right = np.real(residual(velocity.astype(complex), impulse))
            increment = np.linalg.lstsq(matrix_, -right, rcond=1e-13)[0]
            velocity = velocity + increment[:size].reshape(self.n, 6)
            impulse = impulse + increment[size:]
            length = np.abs(increment[:size]).max()
            if length < 1e-13 or (length < 1e-9 and length >= last):
                break
            last = length
        else:
            raise AssertionError("the naive step did not converge")

        after = self.end(velocity)
        values = np.real(self.values(after))
        _, push = self.interval_impulses(start, values, self.poses, after)
        self.near = values
        self.poses, self.velocity = after, velocity
        jacobian = self.jacobian(after)
        self.momentum = self.momenta(velocity, 1.0) + 0.5 * self.h * self.knot_force(after, jacobian)
        self.momentum = self.momentum + np.einsum("jc,jck->k", np.real(push), jacobian)
        self.impulse = np.zeros(self.system.locked.shape)
        self.impulse[self.rows[:, 0], self.rows[:, 1]] = impulse

    def _metric(self) -> Array:
        """(6 n, 6 n) masses, inertias and rotors."""
        out = np.zeros((6 * self.n, 6 * self.n))
        for i in range(self.n):
            k = 6 * i
            out[k : k + 3, k : k + 3] = self.system.mass[i] * np.eye(3)
            out[k + 3 : k + 6, k + 3 : k + 6] = self.system.inertia[i]
        return out + np.einsum("jc,jck,jcl->kl", self.system.armature, *2 * (self.jacobian(self.poses),))

    def knot_velocity(self) -> Array:
        """(n, 6) velocities at the knot: the momentum's, on the hidden constraint."""
        size, locked = 6 * self.n, self.jacobian(self.poses)[self.rows[:, 0], self.rows[:, 1]]
        matrix_ = np.zeros((size + len(self.rows),) * 2)
        matrix_[:size, :size] = self._metric()
        matrix_[:size, size:], matrix_[size:, :size] = -locked.T, locked
        right = np.concatenate([self.momentum, np.zeros(len(self.rows))])
        return np.linalg.lstsq(matrix_, right, rcond=1e-13)[0][:size].reshape(self.n, 6)

    def reaction(self, j: int, impulse: Array, jacobian: Array, poses: Poses) -> Array:
        """(6,) the impulse of joint j's constraints on its child, in the world and about the child's joint point."""
        system, a, b = self.system, self.system.joint_parent[j], self.system.joint_child[j]
        body, sign = (b, 1.0) if b < self.n else (a, -1.0)
        wrench = sign * (impulse[j] @ jacobian[j])[6 * body : 6 * body + 6]
        arm = poses.x[b] + poses.turn[b] @ system.child_point[j] - poses.x[body]
        return np.concatenate([wrench[:3], poses.turn[body] @ wrench[3:] - np.cross(arm, wrench[:3])])

    def reaction_wrenches(self, reactions: Array, poses: Poses) -> Array:
        """(n, 6) what reactions (m, 6) of all joints add up to on each body, in the world about its centre of mass."""
        system, out = self.system, np.zeros((self.n + 1, 6))
        for j, reaction in enumerate(reactions):
            b = system.joint_child[j]
            point = poses.x[b] + poses.turn[b] @ system.child_point[j]
            for body, sign in ((b, 1.0), (system.joint_parent[j], -1.0)):
                torque = reaction[3:] + np.cross(point - poses.x[body], reaction[:3])
                out[body] += sign * np.concatenate([reaction[:3], torque])
        return out[:-1]
