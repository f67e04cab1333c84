"""Forces along the coordinates of the tree's own joints, with their derivatives: springs, dampers, limits.

    −k (q − q₀) − d v for lengths and angles,      −(∂u/∂ζ)ᵀ k u − d w for rotations about a point, u = log(rest⁻¹ p).

A limit is a one-sided spring and damper, −k (q − limit) − d v while q is beyond it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.forces import turn_spring
from dalembert.mechanics.kinematics_joint import rate_component
from dalembert.model.system import Floats
from dalembert.spatial.rotation import log_rate, log_rate_transposed
from dalembert.spatial.rotation_second import log_rate_transposed_change


class Limits(NamedTuple):
    """One-sided springs on the minimal coordinates."""

    lower: Floats
    """(n_v,) −∞ where there is none, and where a rotation about a point has no coordinate to limit."""
    upper: Floats
    stiffness: float
    """N/m or N m/rad."""
    damping: float


def no_limits(n_v: int) -> Limits:
    """Limits that nothing reaches."""
    return Limits(np.full(n_v, -np.inf), np.full(n_v, np.inf), 0.0, 0.0)


@kernel
def subtract_coordinate_forces(system, limits, q, v, out):
    """``out`` (n_v,) minus the forces of springs, dampers and limits of the tree's joints."""
    for j in system.tree_joint:
        row, k = system.v_start[j], system.q_start[j]
        turns = system.n_coordinates[j] > system.n_rates[j]
        angles = system.n_rates[j] - (3 if turns else 0)
        for i in range(angles):
            c = rate_component(system, j, i)
            stretch = q[k + i] - system.rest[j, c]
            out[row + i] += system.stiffness[j, c] * stretch + system.damping[j, c] * v[row + i]
            beyond = beyond_limit(limits, row + i, q[k + i])
            if beyond != 0.0:
                out[row + i] += limits.stiffness * beyond + limits.damping * v[row + i]
        if turns:
            for i in range(3):
                out[row + angles + i] += system.damping[j, 3 + i] * v[row + angles + i]
            if system.stiffness[j, 3] != 0.0 or system.stiffness[j, 4] != 0.0 or system.stiffness[j, 5] != 0.0:
                _, torque = turn_spring(system, j, turn_of(system, j, q))
                for i in range(3):
                    out[row + angles + i] -= torque[i]


@kernel
def subtract_coordinate_derivatives(system, limits, q, by_place, by_rate):
    """The same of their derivatives by place and rate, (n_v, n_v) each."""
    for j in system.tree_joint:
        row, k = system.v_start[j], system.q_start[j]
        turns = system.n_coordinates[j] > system.n_rates[j]
        angles = system.n_rates[j] - (3 if turns else 0)
        for i in range(system.n_rates[j]):
            c = rate_component(system, j, i)
            by_rate[row + i, row + i] += system.damping[j, c]
            if i < angles:
                by_place[row + i, row + i] += system.stiffness[j, c]
                if beyond_limit(limits, row + i, q[k + i]) != 0.0:
                    by_place[row + i, row + i] += limits.stiffness
                    by_rate[row + i, row + i] += limits.damping
        if turns:
            if system.stiffness[j, 3] != 0.0 or system.stiffness[j, 4] != 0.0 or system.stiffness[j, 5] != 0.0:
                for i in range(3):
                    e = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
                    change = turn_spring_change(system, j, turn_of(system, j, q), e)
                    for r in range(3):
                        by_place[row + angles + r, row + angles + i] -= change[r]


@kernel
def turn_of(system, j, q):
    """The quaternion of a joint that turns freely."""
    k = system.q_start[j] + system.n_coordinates[j] - 4
    return (q[k], q[k + 1], q[k + 2], q[k + 3])


@kernel
def turn_spring_change(system, j, p, x):
    """The change of the torque of `turn_spring` in the axes of B when p ← p · exp(x)."""
    u, _ = turn_spring(system, j, p)
    k = (system.stiffness[j, 3], system.stiffness[j, 4], system.stiffness[j, 5])
    du = log_rate(u, x)
    bent = log_rate_transposed_change(u, (-k[0] * u[0], -k[1] * u[1], -k[2] * u[2]), du)
    pulled = log_rate_transposed(u, (-k[0] * du[0], -k[1] * du[1], -k[2] * du[2]))
    return (bent[0] + pulled[0], bent[1] + pulled[1], bent[2] + pulled[2])


@kernel
def beyond_limit(limits, row, value):
    """How far a coordinate is beyond its limits: positive above, negative below, 0 between."""
    if value > limits.upper[row]:
        return value - limits.upper[row]
    if value < limits.lower[row]:
        return value - limits.lower[row]
    return 0.0
