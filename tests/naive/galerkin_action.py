"""The discrete action of a step, summed up in plain numpy from the bodies' energies: the slow twin of the equations.

Increments are those of the joints as declared: lengths, angles, and rotation vectors ξ of free turns, p = p_k exp(ξ).
"""

from __future__ import annotations

from typing import Any

import numpy as np

import dalembert as da
from dalembert.mechanics.energy import energies
from dalembert.mechanics.kinematics import joint_coordinates, move_bodies, place_bodies
from dalembert.spatial.quaternion import exp, multiply
from dalembert.spatial.rotation import exp_rate

Array = np.ndarray[Any, Any]


def free_turns(system: Any) -> list[tuple[int, int]]:
    """(first coordinate, first rate) of every quaternion among the minimal coordinates."""
    found = []
    for j in system.tree_joint:
        if system.n_coordinates[j] > system.n_rates[j]:
            slides = int(system.n_rates[j]) - 3
            found.append((int(system.q_start[j]) + slides, int(system.v_start[j]) + slides))
    return found


def scalar_pairs(system: Any) -> list[tuple[int, int]]:
    """(coordinate, rate) of every length and angle."""
    turns = {v + k for _, v in free_turns(system) for k in range(3)}
    pairs = []
    for j in system.tree_joint:
        for k in range(system.n_rates[j]):
            v = int(system.v_start[j]) + k
            if v not in turns:
                pairs.append((int(system.q_start[j]) + k, v))
    return pairs


def moved(system: Any, q: Array, x: Array) -> Array:
    """Coordinates an increment ``x`` (n_v,) away from ``q``."""
    out = q.copy()
    for c, v in scalar_pairs(system):
        out[c] += x[v]
    for c, v in free_turns(system):
        out[c : c + 4] = multiply(tuple(q[c : c + 4]), exp(tuple(x[v : v + 3])))
    return out


def rates(system: Any, x: Array, dx: Array) -> Array:
    """Joint rates where increments change at ``dx``."""
    out = dx.copy()
    for _, v in free_turns(system):
        out[v : v + 3] = exp_rate(tuple(x[v : v + 3]), tuple(dx[v : v + 3]))
    return out


def lagrangian(model: da.Model, q: Array, v: Array) -> float:
    """Kinetic less potential energy of an open tree."""
    kinetic, potential = energy_parts(model, q, v)
    return kinetic - potential


def energy_parts(model: da.Model, q: Array, v: Array) -> tuple[float, float]:
    system = model.system
    n = system.mass.size
    x, turn, velocity, spin = np.zeros((n, 3)), np.zeros((n, 4)), np.zeros((n, 3)), np.zeros((n, 3))
    place_bodies(system, q, x, turn)
    move_bodies(system, q, v, x, turn, velocity, spin)
    coordinates = np.zeros(int(system.n_coordinates.sum()))
    coordinates[: system.n_q] = q
    joint_coordinates(system, x, turn, coordinates.copy(), coordinates)
    coordinates[: system.n_q] = q
    found = energies(system, x, turn, velocity, spin, coordinates)
    return float(found.kinetic), float(found.potential)


def action(model: da.Model, rule: Any, h: float, q: Array, control: Array) -> float:
    """S = h Σ w_a L of the polynomials through ``control`` (s + 1, n_v), increments from q at the control points."""
    total = 0.0
    for a, weight in enumerate(rule.weight):
        x, dx = rule.phi[a] @ control, rule.slope[a] @ control / h
        total += weight * lagrangian(model, moved(model.system, q, x), rates(model.system, x, dx))
    return h * total


def gradient(function: Any, at: Array, step: float = 2e-3) -> Array:
    """Derivatives of a smooth function by differences of eighth order: errors about 1e-12 of its size."""
    out = np.zeros_like(at)
    stencil = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
    flat, view = at.ravel().copy(), out.ravel()
    for k in range(flat.size):
        for m, c in stencil:
            for sign in (1.0, -1.0):
                trial = flat.copy()
                trial[k] += sign * m * step
                view[k] += sign * c * function(trial.reshape(at.shape)) / step
    return out
