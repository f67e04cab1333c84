"""The tree's step spelled out slowly: dense null-space matrices by complex differences, Newton's method with numpy.

Nothing is shared with the library but the arrays of `System`. Kinematics is written for complex numbers, so that
N = ∂(poses)/∂θ comes from a complex step and is exact to rounding. Equations (body axes for turns):

    N(z_k)ᵀ (p⁻ − p_k − (h/2) F(z_k)) − Sᴸ = 0,      p_{k+1} = p⁺ + (h/2) F(z_{k+1}) + J(z_{k+1})ᵀ Sᴿ.
"""

from __future__ import annotations

import numpy as np

from dalembert.model.system import LOWER_PAIR, SCREW, UNIVERSAL, System

Array = np.ndarray
TINY = 1e-30


def qmul(p: Array, q: Array) -> Array:
    return np.array(
        [
            p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
            p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
            p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
        ]
    )


def conj(q: Array) -> Array:
    return np.array([q[0], -q[1], -q[2], -q[3]])


def matrix(q: Array) -> Array:
    w, x, y, z = q
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


def about(axis: int, angle: complex) -> Array:
    q = np.zeros(4, complex)
    q[0], q[1 + axis] = np.cos(angle / 2), np.sin(angle / 2)
    return q


def exponential(u: Array) -> Array:
    """exp of a rotation vector, complex."""
    t = np.sqrt(np.sum(u * u))
    if t == 0:
        return np.array([1.0, *(u / 2)])
    return np.concatenate([[np.cos(t / 2)], np.sin(t / 2) / t * u])


def rotation_vector(q: Array) -> Array:
    q = q if q[0] >= 0 else -q
    s = np.linalg.norm(q[1:])
    return 2 * q[1:] if s < 1e-300 else 2 * np.arctan2(s, q[0]) / s * q[1:]


def has_free_turn(system: System, j: int) -> bool:
    return system.joint_kind[j] == LOWER_PAIR and not system.locked[j, 3:].any()


def joint_motion(system: System, j: int, q: Array) -> tuple[Array, Array]:
    """(t, p) of joint j."""
    c = q[system.q_start[j] :]
    t, p = np.zeros(3, complex), np.array([1.0, 0, 0, 0], complex)
    kind, locked = system.joint_kind[j], system.locked[j]
    if kind == SCREW:
        t[2] = system.parameter[j] * c[0]
        return t, about(2, c[0])
    if kind == UNIVERSAL:
        return t, qmul(about(0, c[0]), about(1, c[1]))
    k = 0
    for a in range(3):
        if not locked[a]:
            t[a] = c[k]
            k += 1
    if has_free_turn(system, j):
        p = c[k : k + 4]
    elif not locked[5]:
        p = about(2, c[k])
    return t, p


def poses(system: System, q: Array) -> tuple[Array, Array]:
    """Forward kinematics, complex allowed."""
    n = system.mass.size - 1
    x, o = np.zeros((n + 1, 3), complex), np.zeros((n + 1, 4), complex)
    o[n, 0] = 1.0
    for i in range(n):
        j, body, up = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        t, p = joint_motion(system, j, q)
        if not system.tree_reversed[i]:
            q_a = qmul(o[up], system.parent_frame[j])
            r_b = x[up] + matrix(o[up]) @ system.parent_point[j] + matrix(q_a) @ t
            o[body] = qmul(qmul(q_a, p), conj(system.child_frame[j]))
            x[body] = r_b - matrix(o[body]) @ system.child_point[j]
        else:
            q_a = qmul(qmul(o[up], system.child_frame[j]), conj(p))
            r_a = x[up] + matrix(o[up]) @ system.child_point[j] - matrix(q_a) @ t
            o[body] = qmul(q_a, conj(system.parent_frame[j]))
            x[body] = r_a - matrix(o[body]) @ system.parent_point[j]
    return x, o


def moved(system: System, q: Array, v: Array) -> Array:
    """q moved by the increments v of all rates, turns by exp on the right."""
    out = np.array(q, complex)
    for j in system.tree_joint:
        k, r, rates = system.q_start[j], system.v_start[j], system.n_rates[j]
        if has_free_turn(system, j):
            k, straight = k + rates - 3, rates - 3
            out[k - straight : k] += v[r : r + straight]
            out[k : k + 4] = qmul(out[k : k + 4], exponential(v[r + straight : r + rates]))
        else:
            out[k : k + rates] += v[r : r + rates]
    return out


def null_space(system: System, q: Array) -> Array:
    """N (6 n, n_v): rows x and η of each body."""
    n = system.mass.size - 1
    _, o = poses(system, q)
    columns = []
    for k in range(system.n_v):
        step = np.zeros(system.n_v, complex)
        step[k] = 1j * TINY
        dx, do = (np.imag(a) / TINY for a in poses(system, moved(system, q, step)))
        columns.append(np.concatenate([np.r_[dx[i], 2 * qmul(conj(np.real(o[i])), do[i])[1:]] for i in range(n)]))
    return np.array(columns).T.reshape(6 * n, system.n_v)


def wrench_pair(system: System, j: int, x: Array, o: Array, force: Array, torque: Array) -> Array:
    """(n + 1, 6) of a force at r_B and a torque, both world, on the child of joint j; the opposite on its parent."""
    out = np.zeros((system.mass.size, 6))
    a, b = system.joint_parent[j], system.joint_child[j]
    r_b = x[b] + matrix(o[b]) @ system.child_point[j]
    for body, sign in ((b, 1.0), (a, -1.0)):
        out[body, :3] += sign * force
        out[body, 3:] += sign * matrix(o[body]).T @ (torque + np.cross(r_b - x[body], force))
    return out


def coordinate_wrench(system: System, q: Array, impulse: Array) -> Array:
    """J(z)ᵀ times impulses on the rates."""
    x, o = (np.real(a) for a in poses(system, q))
    out = np.zeros((system.mass.size, 6))
    for j in system.tree_joint:
        s = impulse[system.v_start[j] : system.v_start[j] + system.n_rates[j]]
        a = matrix(qmul(o[system.joint_parent[j]], system.parent_frame[j]))
        b = matrix(qmul(o[system.joint_child[j]], system.child_frame[j]))
        force, torque, k = np.zeros(3), np.zeros(3), 0
        if system.joint_kind[j] == LOWER_PAIR:
            for c in range(3):
                if not system.locked[j, c]:
                    force, k = force + s[k] * a[:, c], k + 1
        if has_free_turn(system, j):
            torque = b @ s[k:]
        elif system.joint_kind[j] == UNIVERSAL:
            torque = s[0] * a[:, 0] + s[1] * b[:, 1]
        elif k < len(s):
            torque = s[k] * a[:, 2]
        out += wrench_pair(system, j, x, o, force, torque)
    return out


def law(system: System, name: str) -> Array:
    """An array over components as one over rates."""
    out = np.zeros(system.n_v)
    for j in system.tree_joint:
        components = [5] if system.joint_kind[j] == SCREW else np.flatnonzero(system.locked[j] == 0)
        r = system.v_start[j]
        out[r : r + len(components)] = getattr(system, name)[j, components]
    return out


class NaiveTree:
    """One open tree, stepped slowly."""

    def __init__(self, system: System, h: float, joint_force: Array, external: Array) -> None:
        self.system, self.h, self.joint_force, self.external = system, h, joint_force, external
        self.stiffness, self.damping = law(system, "stiffness"), law(system, "damping")
        self.rest, self.rotor = law(system, "rest"), law(system, "armature")
        self.turning = np.zeros(system.n_v, bool)
        for j in system.tree_joint:
            if has_free_turn(system, j):
                end = system.v_start[j] + system.n_rates[j]
                self.turning[end - 3 : end] = True

    def knot_force(self, q: Array) -> Array:
        """F (n + 1, 6) at a knot."""
        system = self.system
        impulse = self.joint_force.copy()
        for j in system.tree_joint:
            if has_free_turn(system, j):
                p = np.real(joint_motion(system, j, q)[1])
                u = rotation_vector(qmul(conj(exponential(system.rest[j, 3:])), p))
                f = -system.stiffness[j, 3:] * u
                end = system.v_start[j] + system.n_rates[j]
                # ∂u/∂η by a central difference on the group would be inexact: the series of the inverse right Jacobian
                t = np.linalg.norm(u)
                c = (1 - t / 2 / np.tan(t / 2)) / t**2 if t > 0 else 1 / 12
                impulse[end - 3 : end] += f - 0.5 * np.cross(u, f) + c * np.cross(u, np.cross(u, f))
        out = coordinate_wrench(system, q, impulse) + self.external
        out[:, :3] += system.mass[:, None] * system.gravity
        return out

    def change(self, q: Array, v: Array) -> Array:
        """Δ of each coordinate over the interval: v itself, or twice the vector part of the turn."""
        del q
        out = np.array(v)
        for j in self.system.tree_joint:
            if has_free_turn(self.system, j):
                end = self.system.v_start[j] + self.system.n_rates[j]
                out[end - 3 : end] = 2 * exponential(v[end - 3 : end])[1:]
        return out

    def impulses(self, q: Array, v: Array) -> tuple[Array, Array]:
        """(Sᴸ, Sᴿ) on the coordinates for an interval that starts at q and moves by v."""
        h, delta = self.h, self.change(q, v)
        at = np.zeros(self.system.n_v)
        for j in self.system.tree_joint:
            k, r = self.system.q_start[j], self.system.v_start[j]
            straight = self.system.n_rates[j] - (3 if has_free_turn(self.system, j) else 0)
            at[r : r + straight] = np.real(q[k : k + straight])
        spring = np.where(self.turning, 0.0, self.stiffness * (at + delta / 2 - self.rest))
        bracket = h / 2 * (spring + self.damping * delta / h)
        return -self.rotor * delta / h - bracket, self.rotor * delta / h - bracket

    def velocities(self, q: Array, v: Array) -> tuple[Array, Array, Array]:
        """Interval velocities (n, 6), and (x, o) at the end, for the move v."""
        n = self.system.mass.size - 1
        x0, o0 = poses(self.system, q)
        x1, o1 = poses(self.system, moved(self.system, q, v))
        out = np.zeros((n, 6), complex)
        for i in range(n):
            turn = qmul(conj(o0[i]), o1[i])
            sign = 1.0 if np.real(turn[0]) >= 0 else -1.0
            out[i] = np.r_[(x1[i] - x0[i]) / self.h, 2 / self.h * sign * turn[1:]]
        return out, x1, o1

    def momenta(self, velocity: Array, side: float) -> Array:
        """p⁻ (side −1) or p⁺ (side +1) of all bodies, (n, 6)."""
        out = np.zeros_like(velocity)
        for i, (m, inertia) in enumerate(zip(self.system.mass[:-1], self.system.inertia[:-1], strict=True)):
            phi = self.h / 2 * velocity[i, 3:]
            s, jw = np.sqrt(1 - phi @ phi), inertia @ velocity[i, 3:]
            out[i] = np.r_[m * velocity[i, :3], s * jw - side * np.cross(phi, jw)]
        return out

    def step(self, q: Array, p: Array, guess: Array) -> tuple[Array, Array, Array, Array]:
        """(q, p) at the next knot, the move v, and Sᴸ; ``p`` has the world's row."""
        n_left = null_space(self.system, q)
        target = (p + self.h / 2 * self.knot_force(q))[:-1]

        def residual(v: Array) -> Array:
            velocity, _, _ = self.velocities(q, v)
            return n_left.T @ (self.momenta(velocity, -1.0) - target).ravel() - self.impulses(q, v)[0]

        v = np.array(guess, float)
        last = np.inf
        for _ in range(50):
            matrix_ = np.array([np.imag(residual(v + 1j * TINY * e)) / TINY for e in np.eye(v.size)])
            increment = np.linalg.solve(matrix_.reshape(v.size, v.size).T, np.real(residual(v.astype(complex))))
            v = v - increment
            size = np.abs(increment).max(initial=0.0)
            if size < 1e-15 or (size < 1e-11 and size >= last):
                break
            last = size
        else:
            raise AssertionError("the naive step did not converge")
        velocity = np.real(self.velocities(q, v)[0])
        q1 = np.real(moved(self.system, q, v))
        left, right = self.impulses(q, v)
        p1 = np.vstack([self.momenta(velocity, 1.0), np.zeros(6)]) + self.h / 2 * self.knot_force(q1)
        p1 = p1 + coordinate_wrench(self.system, q1, right)
        return q1, p1, v, left

    def knot_rates(self, q: Array, p: Array) -> Array:
        """Rates at a knot from momenta: Nᵀ M N v = Nᵀ p."""
        blocks = null_space(self.system, q)
        m = np.zeros((blocks.shape[0], blocks.shape[0]))
        for i, (mass, inertia) in enumerate(zip(self.system.mass[:-1], self.system.inertia[:-1], strict=True)):
            m[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = mass * np.eye(3)
            m[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = inertia
        return np.linalg.solve(blocks.T @ m @ blocks + np.diag(self.rotor), blocks.T @ p[:-1].ravel())

    def start_momenta(self, q: Array, v: Array) -> Array:
        """p = M ż of bodies and rotors for rates v, with the world's row."""
        velocity = (null_space(self.system, q) @ v).reshape(self.system.mass.size - 1, 6)
        out = np.zeros((self.system.mass.size, 6))
        out[:-1, :3] = self.system.mass[:-1, None] * velocity[:, :3]
        out[:-1, 3:] = np.einsum("nij,nj->ni", self.system.inertia[:-1], velocity[:, 3:])
        return out + coordinate_wrench(self.system, q, self.rotor * v)
