"""Inverse dynamics and mass matrix of the spanning tree in minimal coordinates: M(q) v̇ + c(q, v) = τ + Σ Jᵀ wrench.

Sources: [Featherstone 2008] chapters 5 and 6, written in world axes about the centres of mass, see
`dalembert.mechanics.recursive_tree`. Every force enters as a wrench on a body (force in the world at the centre of
mass, torque in body axes), gravity too. All kernels expect `prepare_tree` to have run. The armature of a component is
inertia added to its rate: it stands on the diagonal of M.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.kinematics_joint import rate_component
from dalembert.mechanics.recursive_tree import (
    add_row6,
    angular6,
    dot6,
    linear6,
    prepare_tree,
    set_row6,
    tree_memory,
)
from dalembert.model.system import Floats, System
from dalembert.spatial.quaternion import rotate, row4
from dalembert.spatial.vector import add, axpy, cross, mat_vec, row3, scale, sub


def mass_matrix(system: System, position: Floats, orientation: Floats, coordinates: Floats | None = None) -> Floats:
    """The mass matrix (n_v, n_v) of the spanning tree with the bodies at these poses, (n+1, 3) and (n+1, 4).

    ``coordinates``: those of the joints there, which joints of the kind PRODUCT need.
    """
    tree = tree_memory(system)
    if coordinates is not None:
        tree.coordinates[:] = coordinates[: system.n_q]
    prepare_tree(system, tree, np.zeros(system.n_v), position, orientation, np.zeros_like(position))
    out = np.zeros((system.n_v, system.n_v))
    fill_mass_matrix(system, tree, out)
    return out


@kernel
def inverse_dynamics(system, tree, acceleration, orientation, wrench, out):
    """τ = M v̇ + c − Σ Jᵀ wrench into ``out`` (n_v,), by the recursive Newton–Euler algorithm.

    Args:
        acceleration: (n_v,) v̇ of the minimal rates.
        orientation: (n + 1, 4) of the bodies.
        wrench: (n + 1, 6) on the bodies, gravity included.
    """
    accelerate_bodies(system, tree, acceleration)
    for i in range(system.mass.size):
        alpha, omega = angular6(tree.acceleration, i), row3(tree.omega, i)
        force = sub(scale(system.mass[i], linear6(tree.acceleration, i)), linear6(wrench, i))
        spin = cross(omega, mat_vec(tree.inertia, i, omega))
        torque = sub(add(mat_vec(tree.inertia, i, alpha), spin), rotate(row4(orientation, i), angular6(wrench, i)))
        set_row6(tree.wrench, i, force, torque)
    _gather_on_rates(system, tree, out)
    for i in range(system.tree_joint.size):
        j = system.tree_joint[i]
        for k in range(system.n_rates[j]):
            row = system.v_start[j] + k
            out[row] += system.armature[j, rate_component(system, j, k)] * acceleration[row]


@kernel
def accelerate_bodies(system, tree, acceleration):
    """Accelerations of all bodies, [linear; angular] in world axes, from those of the minimal rates."""
    world = system.mass.size - 1
    set_row6(tree.acceleration, world, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for i in range(system.tree_joint.size):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        arm = sub(row3(tree.centre, body), row3(tree.centre, origin))
        alpha = angular6(tree.acceleration, origin)
        linear = add(add(linear6(tree.acceleration, origin), cross(alpha, arm)), linear6(tree.bias, body))
        angular = add(alpha, angular6(tree.bias, body))
        for row in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            linear = axpy(acceleration[row], linear6(tree.screw, row), linear)
            angular = axpy(acceleration[row], angular6(tree.screw, row), angular)
        set_row6(tree.acceleration, body, linear, angular)


@kernel
def _gather_on_rates(system, tree, out):
    """Σ Jᵀ of the wrenches in ``tree.wrench`` (world axes), gathered from the leaves to the world."""
    for i in range(system.tree_joint.size - 1, -1, -1):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        force, torque = linear6(tree.wrench, body), angular6(tree.wrench, body)
        for row in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            out[row] = dot6(tree.screw, row, force, torque)
        arm = sub(row3(tree.centre, body), row3(tree.centre, origin))
        add_row6(tree.wrench, origin, force, add(torque, cross(arm, force)))


@kernel
def generalised_forces(system, tree, orientation, wrench, out):
    """Σ Jᵀ wrench into ``out`` (n_v,): what wrenches (n + 1, 6) on the bodies do to the minimal rates."""
    for i in range(system.mass.size):
        set_row6(tree.wrench, i, linear6(wrench, i), rotate(row4(orientation, i), angular6(wrench, i)))
    _gather_on_rates(system, tree, out)


@kernel
def bias_forces(system, tree, out):
    """c + gravity: the forces (n_v,) that hold the accelerations of all minimal rates at zero."""
    tree.drive[:] = 0.0
    accelerate_bodies(system, tree, tree.drive)
    gravity = (system.gravity[0], system.gravity[1], system.gravity[2])
    for i in range(system.mass.size):
        force = scale(system.mass[i], sub(linear6(tree.acceleration, i), gravity))
        alpha, omega = angular6(tree.acceleration, i), row3(tree.omega, i)
        torque = add(mat_vec(tree.inertia, i, alpha), cross(omega, mat_vec(tree.inertia, i, omega)))
        set_row6(tree.wrench, i, force, torque)
    _gather_on_rates(system, tree, out)


@kernel
def fill_mass_matrix(system, tree, out):
    """M into ``out`` (n_v, n_v) by composite rigid bodies: what a unit acceleration of one rate demands of all others.

    The composite inertia of a body and all that it carries maps its acceleration to a wrench at its centre of mass.
    """
    for r in range(system.n_v):
        for c in range(system.n_v):
            out[r, c] = 0.0
    start_articulated(system, tree)
    for i in range(system.tree_joint.size - 1, -1, -1):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        add_shifted_inertia(tree, body, origin)
        for k in range(system.n_rates[j]):
            column = system.v_start[j] + k
            force, torque = inertia_times(
                tree.articulated, body, linear6(tree.screw, column), angular6(tree.screw, column)
            )
            _demand_on_ancestors(system, tree, i, column, force, torque, out)
            out[column, column] += system.armature[j, rate_component(system, j, k)]


@kernel
def _demand_on_ancestors(system, tree, i, column, force, torque, out):
    while i >= 0:
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        for row in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            out[row, column] = dot6(tree.screw, row, force, torque)
            out[column, row] = out[row, column]
        torque = add(torque, cross(sub(row3(tree.centre, body), row3(tree.centre, origin)), force))
        i = tree.placed_by[origin]


@kernel
def start_articulated(system, tree):
    """Every body's own inertia, [[m I, 0], [0, J]], into ``tree.articulated``."""
    for i in range(system.mass.size):
        for r in range(3):
            for c in range(3):
                tree.articulated[i, r, c] = system.mass[i] if r == c else 0.0
                tree.articulated[i, r, 3 + c] = 0.0
                tree.articulated[i, 3 + r, c] = 0.0
                tree.articulated[i, 3 + r, 3 + c] = tree.inertia[i, r, c]


@kernel
def inertia_times(inertia, i, linear, angular):
    """``inertia[i] @ [linear; angular]`` as (force, torque)."""
    x, y, z = linear
    u, v, w = angular
    m = inertia[i]
    return (
        (
            m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + m[0, 3] * u + m[0, 4] * v + m[0, 5] * w,
            m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + m[1, 3] * u + m[1, 4] * v + m[1, 5] * w,
            m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + m[2, 3] * u + m[2, 4] * v + m[2, 5] * w,
        ),
        (
            m[3, 0] * x + m[3, 1] * y + m[3, 2] * z + m[3, 3] * u + m[3, 4] * v + m[3, 5] * w,
            m[4, 0] * x + m[4, 1] * y + m[4, 2] * z + m[4, 3] * u + m[4, 4] * v + m[4, 5] * w,
            m[5, 0] * x + m[5, 1] * y + m[5, 2] * z + m[5, 3] * u + m[5, 4] * v + m[5, 5] * w,
        ),
    )


@kernel
def add_shifted_inertia(tree, body, origin):
    """Add the inertia of ``body`` to that of ``origin``, its tree parent."""
    add_shifted(tree.articulated, tree.centre, body, origin)


@kernel
def add_shifted(matrices, centre, body, origin):
    """Add ``matrices[body]``, which takes motions to wrenches, to that of ``origin``: Tᵀ I T, T taking the motion of
    ``origin`` to that of ``body``.

    With D = d×, d = x_body − x_origin, T = [[1, −D], [0, 1]]. The columns of I T are I times the columns of T; Tᵀ takes
    a wrench at ``body`` to one at ``origin``, (f, n) → (f, n + d×f).
    """
    d = sub(row3(centre, body), row3(centre, origin))
    zero = (0.0, 0.0, 0.0)
    for k in range(6):
        e = (1.0 if k % 3 == 0 else 0.0, 1.0 if k % 3 == 1 else 0.0, 1.0 if k % 3 == 2 else 0.0)
        if k < 3:
            force, torque = inertia_times(matrices, body, e, zero)
        else:
            force, torque = inertia_times(matrices, body, cross(e, d), e)
        torque = add(torque, cross(d, force))
        for r in range(3):
            matrices[origin, r, k] += force[r]
            matrices[origin, 3 + r, k] += torque[r]
