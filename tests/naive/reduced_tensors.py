"""Reduced dynamics as [Sueda 2021] writes them: dense Jacobians and the third-order tensors of their derivatives.

Everything is in ground coordinates: twists [linear; angular] about the world's origin. The Jacobian J of a body takes
rates to its twist in its own axes about its centre of mass, where the maximal inertia is constant.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from mechanics.random_systems import Bodies

from dalembert.mechanics.reduced_tree import reduced_memory
from dalembert.model.system import System


class Tensors(NamedTuple):
    """J (6n, k), dJ/dq (6n, k, k), J̇ (6n, k), dJ̇/dq (6n, k, k) and the maximal inertia (6n, 6n)."""

    jacobian: np.ndarray
    by_place: np.ndarray
    rate: np.ndarray
    rate_by_place: np.ndarray
    inertia: np.ndarray


def cross_matrix(u: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])


def rotation(q: np.ndarray) -> np.ndarray:
    w, v = q[0], cross_matrix(q[1:])
    return np.eye(3) + 2.0 * w * v + 2.0 * v @ v


def bracket(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x × y of twists."""
    return np.concatenate([np.cross(x[3:], y[:3]) + np.cross(x[:3], y[3:]), np.cross(x[3:], y[3:])])


def tensors(system: System, q: np.ndarray, v: np.ndarray) -> Tensors:
    """All of them at one state; a turn about a point is perturbed from the right."""
    bodies, n, n_v = Bodies(system, q), system.tree_joint.size, system.n_v
    screws, above, fixed_in = _screws(system, bodies)
    shape = (6 * n, n_v)
    out = Tensors(
        np.zeros(shape), np.zeros((*shape, n_v)), np.zeros(shape), np.zeros((*shape, n_v)), np.zeros((6 * n, 6 * n))
    )
    for b in range(n):
        rows = slice(6 * b, 6 * b + 6)
        turn, at = rotation(bodies.orientation[b]).T, cross_matrix(bodies.position[b])
        # from ground to body coordinates: linear + angular × x
        into = np.block([[turn, -turn @ at], [np.zeros((3, 3)), turn]])
        out.inertia[rows, rows] = np.block(
            [[system.mass[b] * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), system.inertia[b]]]
        )

        def moved(i: int, j: int, b: int = b) -> float:
            """Whether rate i moves what screw j is fixed in, against whether it moves the body."""
            return float(above[i, fixed_in[j]]) - float(above[i, b])

        for j in np.flatnonzero(above[:, b]).tolist():
            out.jacobian[rows, j] = into @ screws[j]
            for i in range(n_v):
                out.by_place[rows, j, i] = into @ (moved(i, j) * bracket(screws[i], screws[j]))
                for k in range(n_v):
                    first = bracket(screws[i], screws[j])
                    change = float(above[k, fixed_in[i]]) * bracket(bracket(screws[k], screws[i]), screws[j])
                    change = change + float(above[k, fixed_in[j]]) * bracket(screws[i], bracket(screws[k], screws[j]))
                    change = change - float(above[k, b]) * bracket(screws[k], first)
                    out.rate_by_place[rows, j, k] += into @ (moved(i, j) * change) * v[i]
    out.rate[:] = out.by_place @ v
    return out


def _screws(system: System, bodies: Bodies) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ground screws (n_v, 6); whether each rate moves each body (n_v, n + 1); the body that each screw is fixed in."""
    from dalembert.mechanics.kinematics import tree_screws

    screws, n = np.zeros((system.n_v, 6)), system.tree_joint.size
    tree_screws(system, *bodies.pose, screws)
    above, fixed_in = np.zeros((system.n_v, n + 1), bool), np.zeros(system.n_v, np.int64)
    outer = reduced_memory(system).outer
    for i, j in enumerate(system.tree_joint):
        body, origin = system.tree_body[i], system.tree_parent[i]
        above[:, body] = above[:, origin]
        for k in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            above[k, body] = True
            fixed_in[k] = body if outer[k] else origin
            # from about the centre of mass to about the origin
            screws[k, :3] += np.cross(bodies.position[body], screws[k, 3:])
    return screws, above, fixed_in


def inverse_dynamics(
    system: System, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """M a + c − gravity, its derivatives by place and by rate, and M, with armature: [Sueda 2021] eq. (3.53)–(3.58)."""
    t, n, n_v = tensors(system, q, v), system.tree_joint.size, system.n_v
    bodies, jac, mass = Bodies(system, q), t.jacobian, t.inertia
    twist, faster = jac @ v, jac @ a + t.rate @ v
    force, stiff, damp = np.zeros(6 * n), np.zeros((6 * n, 6 * n)), np.zeros((6 * n, 6 * n))
    for b in range(n):
        rows, m, inertia = slice(6 * b, 6 * b + 6), system.mass[b], system.inertia[b]
        speed, omega = twist[rows][:3], twist[rows][3:]
        pull = rotation(bodies.orientation[b]).T @ (m * system.gravity)
        force[rows] = np.concatenate([pull - m * np.cross(omega, speed), -np.cross(omega, inertia @ omega)])
        stiff[rows, rows][:3, 3:] = cross_matrix(pull)
        damp[rows, rows] = np.block(
            [
                [-m * cross_matrix(omega), m * cross_matrix(speed)],
                [np.zeros((3, 3)), cross_matrix(inertia @ omega) - cross_matrix(omega) @ inertia],
            ]
        )
    need = mass @ faster - force
    by_place = np.zeros((n_v, n_v))
    for i in range(n_v):
        slice_i = t.by_place[:, :, i]
        change = mass @ (slice_i @ a + t.rate_by_place[:, :, i] @ v) - stiff @ jac[:, i] - damp @ (slice_i @ v)
        by_place[:, i] = slice_i.T @ need + jac.T @ change
    # ∂(J̇ v)/∂v = J̇ + (dJ/dq v) by columns
    swing = t.rate + np.einsum("rjk,j->rk", t.by_place, v)
    by_rate = jac.T @ (mass @ swing - damp @ jac)
    reduced = jac.T @ mass @ jac + np.diag(reduced_memory(system).armature)
    return jac.T @ need + reduced_memory(system).armature * a, by_place, by_rate, reduced
