"""All constraints of a model as one dense matrix, and what linear algebra says of it."""

from __future__ import annotations

import numpy as np

from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.user_functions import CustomRows
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.model.system import CUSTOM


def constraint_rows(model: Model, state: State) -> tuple[np.ndarray, np.ndarray]:
    """Values (rows,) and Jacobian (rows, 6 n) of the locked components."""
    system, n = model.system, model.n_bodies
    position, orientation, _, _ = state.with_world()
    value = np.zeros((len(model.joints), 6))
    edges = np.zeros((len(system.incidence_body), 6, 6))
    evaluate_constraints(system, system.locked, state.coordinates, position, orientation, value, edges)
    if np.any(system.joint_kind == CUSTOM):
        CustomRows(model).evaluate(position, orientation, value, edges)
    rows, values = [], []
    for j, c in np.argwhere(system.locked == 1):
        row = np.zeros((n + 1, 6))
        for edge in range(system.incidence_start[j], system.incidence_start[j + 1]):
            row[system.incidence_body[edge]] += edges[edge, c]
        rows.append(row[:n].ravel())
        values.append(value[j, c])
    return np.array(values), np.array(rows).reshape(len(values), 6 * n)


def mass_matrix(model: Model) -> np.ndarray:
    """(6 n, 6 n) masses and inertias of the bodies."""
    n = model.n_bodies
    m = np.zeros((6 * n, 6 * n))
    for body in model.bodies.values():
        at = 6 * body.index
        m[at : at + 3, at : at + 3] = body.mass * np.eye(3)
        m[at + 3 : at + 6, at + 3 : at + 6] = body.inertia
    return m


def rank(matrix: np.ndarray, relative: float = 1e-8) -> int:
    """The number of singular values that stand out."""
    if not matrix.size:
        return 0
    values = np.linalg.svd(matrix, compute_uv=False)
    return int((values > relative * values[0]).sum())


def projected(model: Model, state: State, rows: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """(n, 6) velocities nearest to the state's in the metric of the masses among those with rows · v = rates.

    In coordinates y = √M v: y = y₀ − A⁺ (A y₀ − rates) with A = rows · √M⁻¹, whatever the rank of A.
    """
    values, vectors = np.linalg.eigh(mass_matrix(model))
    root, back = (vectors * np.sqrt(values)) @ vectors.T, (vectors / np.sqrt(values)) @ vectors.T
    y = root @ np.hstack([state.velocity, state.angular_velocity]).ravel()
    a = rows @ back
    y = y - np.linalg.pinv(a, rcond=1e-8) @ (a @ y - rates)
    return (back @ y).reshape(-1, 6)
