"""Potentials and constraints that users write in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.mechanics.element_energy import ElementWrenches
from dalembert.model.joints import CustomConstraint
from dalembert.model.system import CUSTOM, Floats
from dalembert.spatial.quaternion import exp, multiply

if TYPE_CHECKING:
    from collections.abc import Callable

    from dalembert.model.model import Model

STEP = 6e-6
"""Step of central differences, ∛ε: the error is about 4e-11 of the function's third derivative's scale."""


def potential_wrenches(model: Model, position: Floats, orientation: Floats) -> Floats:
    """(n + 1, 6) wrenches −∂V of all user potentials at poses with the world's row."""
    wrenches = np.zeros((position.shape[0], 6))
    for potential in model.potentials.values():
        bodies = list(potential.bodies)
        x, q = position[bodies], orientation[bodies]
        if potential.gradient is not None:
            gradient = np.asarray(potential.gradient(x, q), dtype=float).reshape(len(bodies), 6)
        else:
            gradient = differences(lambda x, q, energy=potential.energy: np.array([energy(x, q)]), x, q)[:, 0]
        np.add.at(wrenches, bodies, -gradient)
    return wrenches


def knot_wrenches(model: Model, position: Floats, orientation: Floats) -> Floats:
    """The same with the force elements, for integrators to which velocities mean nothing at a knot."""
    wrenches = potential_wrenches(model, position, orientation)
    if model.forces:
        wrenches += ElementWrenches(model.elements, model.n_bodies).at(position, orientation)
    return wrenches


def differences(function: Callable[[Floats, Floats], Floats], x: Floats, q: Floats) -> Floats:
    """(k, rows, 6) central differences by displacement in the world and turn in body axes, for each of k bodies."""
    columns = []
    for body in range(len(x)):
        for k in range(6):
            ends = []
            for step in (STEP, -STEP):
                moved, turned = x.copy(), q.copy()
                if k < 3:
                    moved[body, k] += step
                else:
                    eta = [0.0, 0.0, 0.0]
                    eta[k - 3] = step
                    turned[body] = multiply(tuple(q[body].tolist()), exp(tuple(eta)))
                ends.append(np.asarray(function(moved, turned), dtype=float))
            columns.append((ends[0] - ends[1]) / (2.0 * STEP))
    rows = np.array(columns).reshape(len(x), 6, -1)
    return rows.transpose(0, 2, 1)


class CustomRows:
    """Values and Jacobians of all custom constraints of a model."""

    def __init__(self, model: Model) -> None:
        system = model.system
        self._system = system
        self._joints = np.flatnonzero(system.joint_kind == CUSTOM).tolist()
        kinds = [joint.kind for joint in model.joints.values()]
        self._kinds = [kind for kind in kinds if isinstance(kind, CustomConstraint)]

    def evaluate(self, position: Floats, orientation: Floats, value: Floats, jacobian: Floats) -> None:
        """Fill the rows of ``value`` (m, 6) and ``jacobian`` (edges, 6, 6) that belong to custom constraints."""
        for j, kind in zip(self._joints, self._kinds, strict=True):
            first, last = self._system.incidence_start[j], self._system.incidence_start[j + 1]
            bodies = self._system.incidence_body[first:last]
            x, q = position[bodies], orientation[bodies]
            rows = int(self._system.locked[j].sum())
            value[j, :rows] = np.asarray(kind.function(x, q), dtype=float)
            if kind.jacobian is not None:
                blocks = np.asarray(kind.jacobian(x, q), dtype=float).reshape(rows, len(bodies), 6).transpose(1, 0, 2)
            else:
                blocks = differences(kind.function, x, q)
            jacobian[first:last, :rows] = blocks
