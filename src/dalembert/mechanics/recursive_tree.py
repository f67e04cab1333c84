"""Memory and the common first pass of the recursive algorithms over the spanning tree.

All vectors are in world axes; twists, accelerations and wrenches are [linear; angular], taken about the centre of mass
of the body that they belong to. Moment arms are therefore differences of neighbouring centres of mass, and a chain of
a thousand links loses no digits to a distant origin. With d = x_i − x_p, going from the tree parent p to body i,

    a_i = a_p + α_p × d + c_lin + Σ s_lin v̇,     α_i = α_p + c_ang + Σ s_ang v̇,

where s are the screws of the joint between them and c is its velocity-dependent acceleration. From

    α_b = α_a + γ + Q_B ẇ,    γ = Ω_a×ω_rel (universal: + e₁θ̇₁ × e₂θ̇₂),
    A_b(r_B) = A_a(r_B) + 2 Ω_a × Q_A ṫ + Q_A ẗ,    A_i(r_B) = a_i + α_i × d_i + Ω_i × (Ω_i × d_i),    d_i = r_B − x_i,

follow c_ang = ±γ and c_lin = ±(Ω_a×(Ω_a×d_a) − Ω_b×(Ω_b×d_b) + 2 Ω_a×Q_A ṫ) − c_ang × d_i, with the minus sign where
the joint is crossed from child to parent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.kinematics import product_screws, seen_at, tree_screws
from dalembert.mechanics.kinematics_joint import child_frame_pose, parent_frame_pose
from dalembert.mechanics.product_joint import product_jet
from dalembert.model.system import PRODUCT, UNIVERSAL, Floats, Integers, System
from dalembert.spatial.quaternion import columns, rotate, row4
from dalembert.spatial.vector import add, axpy, cross, mat_vec, row3, scale, set_row3, sub


class Tree(NamedTuple):
    """Memory of the recursive algorithms (n bodies); made once by `tree_memory`, filled by `prepare_tree`."""

    placed_by: Integers
    """(n + 1,) tree joint that places each body; −1 for the world."""
    centre: Floats
    """(n + 1, 3) centres of mass."""
    screw: Floats
    """(n_v, 6) screws, see `dalembert.mechanics.kinematics.tree_screws`."""
    inertia: Floats
    """(n + 1, 3, 3) inertia about the centre of mass in world axes."""
    omega: Floats
    """(n + 1, 3) angular velocities in world axes."""
    bias: Floats
    """(n + 1, 6) velocity-dependent acceleration c that the joint adds."""
    acceleration: Floats
    """(n + 1, 6) accelerations of the bodies."""
    wrench: Floats
    """(n + 1, 6) wrenches gathered from the leaves to the world."""
    articulated: Floats
    """(n + 1, 6, 6) composite or articulated inertia."""
    carried: Floats
    """(n_v, 6) articulated inertia times screw."""
    pivot: Floats
    """(n, 6, 6) factored inertia seen by the rates of each tree joint."""
    drive: Floats
    """(n_v,) what is left to accelerate each rate."""
    coordinates: Floats
    """(n_q,) minimal coordinates; to be set before `prepare_tree` where there are joints of the kind PRODUCT."""


def tree_memory(system: System) -> Tree:
    """Memory for the recursive algorithms on this mechanism."""
    n = system.tree_joint.size
    placed_by = np.full(n + 1, -1, np.int64)
    placed_by[system.tree_body] = np.arange(n)
    return Tree(
        placed_by=placed_by,
        centre=np.zeros((n + 1, 3)),
        screw=np.zeros((system.n_v, 6)),
        inertia=np.zeros((n + 1, 3, 3)),
        omega=np.zeros((n + 1, 3)),
        bias=np.zeros((n + 1, 6)),
        acceleration=np.zeros((n + 1, 6)),
        wrench=np.zeros((n + 1, 6)),
        articulated=np.zeros((n + 1, 6, 6)),
        carried=np.zeros((system.n_v, 6)),
        pivot=np.zeros((n, 6, 6)),
        drive=np.zeros(system.n_v),
        coordinates=np.zeros(system.n_q),
    )


@kernel
def prepare_tree(system, tree, v, position, orientation, angular_velocity):
    """Screws, inertias in the world and velocity-dependent accelerations from placed and moving bodies."""
    tree_screws(system, position, orientation, tree.screw)
    product_screws(system, tree.coordinates, position, orientation, tree.screw)
    for i in range(system.mass.size):
        turn = row4(orientation, i)
        set_row3(tree.centre, i, row3(position, i))
        set_row3(tree.omega, i, rotate(turn, row3(angular_velocity, i)))
        turned_inertia(system, i, turn, tree.inertia)
    for i in range(system.tree_joint.size):
        if system.joint_kind[system.tree_joint[i]] == PRODUCT:
            _product_bias(system, tree, i, v, position, orientation)
        else:
            _joint_bias(system, tree, i, v, position, orientation)


@kernel
def turned_inertia(system, i, turn, out):
    """Q J Qᵀ: J applied to each row of Q gives the columns of J Qᵀ."""
    x, y, z = columns(turn)
    for k in range(3):
        column = rotate(turn, mat_vec(system.inertia, i, (x[k], y[k], z[k])))
        out[i, 0, k] = column[0]
        out[i, 1, k] = column[1]
        out[i, 2, k] = column[2]


@kernel
def _joint_bias(system, tree, i, v, position, orientation):
    j, body = system.tree_joint[i], system.tree_body[i]
    a, b = system.joint_parent[j], system.joint_child[j]
    omega_a, omega_b = row3(tree.omega, a), row3(tree.omega, b)
    r_b, frame_b = child_frame_pose(system, j, position, orientation)
    _, frame_a = parent_frame_pose(system, j, position, orientation)
    d_a, d_b = sub(r_b, row3(position, a)), sub(r_b, row3(position, b))
    # Q_A ṫ, from the screws taken back to r_B
    sliding = (0.0, 0.0, 0.0)
    sign = 1.0 if system.tree_reversed[i] == 0 else -1.0
    arm = sub(r_b, row3(position, body))
    for k in range(system.n_rates[j]):
        row = system.v_start[j] + k
        linear = (tree.screw[row, 0], tree.screw[row, 1], tree.screw[row, 2])
        angular = (tree.screw[row, 3], tree.screw[row, 4], tree.screw[row, 5])
        sliding = axpy(sign * v[row], add(linear, cross(angular, arm)), sliding)
    gamma = cross(omega_a, sub(omega_b, omega_a))
    if system.joint_kind[j] == UNIVERSAL:
        first, second = rotate(frame_a, (1.0, 0.0, 0.0)), rotate(frame_b, (0.0, 1.0, 0.0))
        k = system.v_start[j]
        gamma = axpy(v[k] * v[k + 1], cross(first, second), gamma)
    at_joint = sub(cross(omega_a, cross(omega_a, d_a)), cross(omega_b, cross(omega_b, d_b)))
    at_joint = axpy(2.0, cross(omega_a, sliding), at_joint)
    angular = scale(sign, gamma)
    linear = sub(scale(sign, at_joint), cross(angular, arm))
    for k in range(3):
        tree.bias[body, k] = linear[k]
        tree.bias[body, 3 + k] = angular[k]


@kernel
def _product_bias(system, tree, i, v, position, orientation):
    """With (u, θ) the joint's own velocity at the centre of mass of the outer body, whichever way it is crossed, and a
    what the change of its screws adds (`dalembert.mechanics.product_joint`), from A_o = A_i + V_i × (u, θ) + a:

    c_lin = Ω_p×(Ω_p×d) + 2 Ω_p×u + θ×u + a_lin,      c_ang = Ω_p×θ + a_ang,      d = x_i − x_p,

    the first of which is what a point that goes along with the inner body feels.
    """
    j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
    sign = 1.0 if system.tree_reversed[i] == 0 else -1.0
    slide, turn = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for row in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
        slide = axpy(v[row], linear6(tree.screw, row), slide)
        turn = axpy(v[row], angular6(tree.screw, row), turn)
    _, _, _, changing, _, _ = product_jet(system, j, tree.coordinates, system.q_start[j], v, system.v_start[j], 0, 0)
    more, twist = seen_at(system, j, body, position, orientation, changing)
    omega = row3(tree.omega, origin)
    swing = cross(omega, cross(omega, sub(row3(position, body), row3(position, origin))))
    linear = add(add(swing, axpy(2.0, cross(omega, slide), cross(turn, slide))), scale(sign, more))
    set_row6(tree.bias, body, linear, axpy(sign, twist, cross(omega, turn)))


@kernel
def linear6(a, i):
    """The linear part of row ``i`` of an (n, 6) array."""
    return (a[i, 0], a[i, 1], a[i, 2])


@kernel
def angular6(a, i):
    """The angular part of row ``i`` of an (n, 6) array."""
    return (a[i, 3], a[i, 4], a[i, 5])


@kernel
def set_row6(a, i, linear, angular):
    """Write both parts of row ``i`` of an (n, 6) array."""
    for k in range(3):
        a[i, k] = linear[k]
        a[i, 3 + k] = angular[k]


@kernel
def add_row6(a, i, linear, angular):
    """Add to both parts of row ``i`` of an (n, 6) array."""
    for k in range(3):
        a[i, k] += linear[k]
        a[i, 3 + k] += angular[k]


@kernel
def dot6(a, i, linear, angular):
    """Row ``i`` of an (n, 6) array times [linear; angular]."""
    return (
        a[i, 0] * linear[0]
        + a[i, 1] * linear[1]
        + a[i, 2] * linear[2]
        + a[i, 3] * angular[0]
        + a[i, 4] * angular[1]
        + a[i, 5] * angular[2]
    )
