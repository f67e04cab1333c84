"""Products with the inverse of the mass matrix of the tree in O(n), with any joints held.

[Sueda 2021] algorithm 10, in the axes of `dalembert.mechanics.reduced_tree`: articulated inertias depend on positions
alone and are factored once, U = I S, D = Sᵀ U + armature = L Lᵀ, W = U L⁻ᵀ, I' = I − W Wᵀ; a product M⁻¹ x is then one
sweep inwards, p' = p + W L⁻¹ (x − Sᵀ p), and one outwards, v̇ = L⁻ᵀ (L⁻¹ (x − Sᵀ p) − Wᵀ A), A ← A + S v̇.

A joint that is held passes I and p on as they are, so that the rates of the others are those of M⁻¹ of their own block,
and its own are zero: the recursion of hybrid dynamics, algorithm 9, without its bias.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.recursive import add_shifted, inertia_times
from dalembert.mechanics.recursive_articulated import cholesky
from dalembert.mechanics.recursive_tree import add_row6, angular6, dot6, linear6, set_row6
from dalembert.mechanics.reduced_tree import axpy6, motion_row, shifted
from dalembert.model.system import Floats, Integers, System
from dalembert.spatial.vector import add, cross, row3, sub


class InverseMass(NamedTuple):
    """Memory of the products; made by `inverse_mass_memory`, filled by `factor_inverse_mass`."""

    held: Integers
    """(m,) 1 for joints whose rates stay as they are."""
    articulated: Floats
    """(n + 1, 6, 6)"""
    carried: Floats
    """(n_v, 6) W."""
    pivot: Floats
    """(n, 6, 6) L."""
    wrench: Floats
    """(n + 1, 6) p, and A."""
    acceleration: Floats
    drive: Floats
    """(n_v,) L⁻¹ (x − Sᵀ p)."""


def inverse_mass_memory(system: System) -> InverseMass:
    """Memory for this mechanism; no joint is held."""
    n = system.tree_joint.size
    return InverseMass(
        held=np.zeros(system.joint_kind.size, np.int64),
        articulated=np.zeros((n + 1, 6, 6)),
        carried=np.zeros((system.n_v, 6)),
        pivot=np.zeros((n, 6, 6)),
        wrench=np.zeros((n + 1, 6)),
        acceleration=np.zeros((n + 1, 6)),
        drive=np.zeros(system.n_v),
    )


@kernel
def factor_inverse_mass(system, at, inverse):
    """Articulated inertias where `place_tree` has placed the tree ``at``."""
    inertia = inverse.articulated
    for i in range(system.mass.size):
        for r in range(3):
            for c in range(3):
                inertia[i, r, c] = system.mass[i] if r == c else 0.0
                inertia[i, r, 3 + c] = 0.0
                inertia[i, 3 + r, c] = 0.0
                inertia[i, 3 + r, 3 + c] = at.inertia[i, r, c]
    for i in range(system.tree_joint.size - 1, -1, -1):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        if inverse.held[j] == 0:
            _factor_joint(system, at, inverse, i, j, body)
        add_shifted(inertia, at.position, body, origin)


@kernel
def _factor_joint(system, at, inverse, i, j, body):
    start, size = system.v_start[j], system.n_rates[j]
    pivot, inertia = inverse.pivot[i], inverse.articulated[body]
    for k in range(size):
        s = motion_row(at.screw, start + k)
        force, torque = inertia_times(inverse.articulated, body, s[0], s[1])
        set_row6(inverse.carried, start + k, force, torque)
        for r in range(k + 1):
            pivot[k, r] = dot6(at.screw, start + r, force, torque)
        pivot[k, k] += at.armature[start + k]
    cholesky(pivot, size)
    for k in range(size):
        for c in range(6):
            for r in range(k):
                inverse.carried[start + k, c] -= pivot[k, r] * inverse.carried[start + r, c]
            inverse.carried[start + k, c] /= pivot[k, k]
    for k in range(start, start + size):
        for r in range(6):
            for c in range(6):
                inertia[r, c] -= inverse.carried[k, r] * inverse.carried[k, c]


@kernel
def inverse_mass_times(system, at, inverse, x, out):
    """M⁻¹ x into ``out`` (n_v,), of the rates that are not held; 0 for those that are. ``out`` may be ``x``."""
    zero = (0.0, 0.0, 0.0)
    for i in range(system.mass.size):
        set_row6(inverse.wrench, i, zero, zero)
        set_row6(inverse.acceleration, i, zero, zero)
    for i in range(system.tree_joint.size - 1, -1, -1):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        start, size = system.v_start[j], system.n_rates[j]
        p = motion_row(inverse.wrench, body)
        if inverse.held[j] == 0:
            pivot = inverse.pivot[i]
            for k in range(size):
                value = x[start + k] - dot6(at.screw, start + k, p[0], p[1])
                for r in range(k):
                    value -= pivot[k, r] * inverse.drive[start + r]
                inverse.drive[start + k] = value / pivot[k, k]
            for k in range(start, start + size):
                p = axpy6(inverse.drive[k], motion_row(inverse.carried, k), p)
        arm = sub(row3(at.position, body), row3(at.position, origin))
        add_row6(inverse.wrench, origin, p[0], add(p[1], cross(arm, p[0])))
    for i in range(system.tree_joint.size):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        start, size = system.v_start[j], system.n_rates[j]
        arm = sub(row3(at.position, body), row3(at.position, origin))
        a = shifted(linear6(inverse.acceleration, origin), angular6(inverse.acceleration, origin), arm)
        if inverse.held[j] == 0:
            pivot = inverse.pivot[i]
            for k in range(size - 1, -1, -1):
                value = inverse.drive[start + k] - dot6(inverse.carried, start + k, a[0], a[1])
                for r in range(k + 1, size):
                    value -= pivot[r, k] * out[start + r]
                out[start + k] = value / pivot[k, k]
            for k in range(start, start + size):
                a = axpy6(out[k], motion_row(at.screw, k), a)
        else:
            for k in range(start, start + size):
                out[k] = 0.0
        set_row6(inverse.acceleration, body, a[0], a[1])
