"""The continuous equations of motion in minimal coordinates of the spanning tree, closed loops at acceleration level.

The rates of the tree obey M v̇ = f + Gᵀ λ with loops demanding c̈ = G v̇ + Ġ v = −a ċ − b c for every locked component c
([Baumgarte 1972] for a, b > 0; without, small violations grow). By Gauss' principle v̇ is the acceleration nearest to
that of the open tree, v̇₀, in the metric of M:

    v̇ = v̇₀ + C⁻ᵀ y,   M = C Cᵀ,   W y = −(c̈₀ + a ċ + b c),   W = G C⁻ᵀ,   |y| least.

Rows of G depend on each other in mechanisms closed by more joints than they need, and at singular positions; W is
therefore decomposed with its rank (`dalembert.mechanics.acceleration_rows`). Rows are scaled first, so that metres and
radians weigh alike. Where it matters, inconsistent rows are met in the sense of least squares.

Armature I on a joint that closes a loop adds ½ I c̈² to Gauss' function: a row (g C⁻ᵀ, 1/√I) with an unknown of its own,
y' = −√I c̈, and the right side −c̈₀.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.acceleration_components import component_motions, turns_freely
from dalembert.mechanics.acceleration_equations import Equations
from dalembert.mechanics.acceleration_forces import add_springs_and_dampers, add_turn_dampers
from dalembert.mechanics.acceleration_rows import decompose, shortest_solution
from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.forces import knot_forces
from dalembert.mechanics.kinematics import move_bodies, place_bodies
from dalembert.mechanics.kinematics_joint import child_frame_pose, has_coordinates, read_coordinates, relative_pose
from dalembert.mechanics.recursive import fill_mass_matrix
from dalembert.mechanics.recursive_articulated import cholesky, forward_dynamics
from dalembert.mechanics.recursive_tree import dot6, prepare_tree
from dalembert.mechanics.rows import put_rotation
from dalembert.model.system import Floats, System
from dalembert.spatial.quaternion import columns, rotate, row4
from dalembert.spatial.vector import add, cross, dot, part3, row3, sub

RANK_TOLERANCE = 1e-7
"""Rows of W whose remainder is shorter than this beside the others are dependent."""
DRIFT_MARGIN = 10.0
"""A loop that is open by δ parts its redundant rows by about δ: remainders below this times δ are dependent too …"""
LARGEST_TOLERANCE = 1e-2
"""… but rows with larger remainders count, however far open a loop is."""


def accelerations(
    system: System,
    equations: Equations,
    q: Floats,
    v: Floats,
    joint_force: Floats,
    external: Floats,
    gains: tuple[float, float],
    out: Floats,
) -> None:
    """v̇ (n_v,) of the minimal rates into ``out``.

    Args:
        system: the mechanism.
        equations: memory; its ``coordinates`` hold on entry the angles of loop joints to unwrap against.
        q: (n_q,) minimal coordinates with unit quaternions.
        v: (n_v,) minimal rates.
        joint_force: (rates of all joints,) force or torque on each joint rate.
        external: (n + 1, 6) wrenches: force in the world at the centre of mass, torque in body axes.
        gains: (a, b) in 1/s and 1/s²: loops demand c̈ = −a ċ − b c.
        out: written.
    """
    # two kernels: a mechanism without loops never compiles the second
    open_accelerations(system, equations, q, v, joint_force, external, out)
    if equations.row_joint.size > 0:
        close_loops(system, equations, gains, out)


@kernel
def open_accelerations(system, equations, q, v, joint_force, external, out):
    """v̇₀ of the tree without the forces of its loops; all that `close_loops` needs is left in ``equations``."""
    place(system, equations, q, v)
    position, orientation, tree = equations.position, equations.orientation, equations.tree
    velocity, angular_velocity, wrench = equations.velocity, equations.angular_velocity, equations.wrench
    evaluate_constraints(
        system, equations.active, equations.coordinates, position, orientation, equations.value, equations.jacobian
    )
    knot_forces(system, position, orientation, joint_force, external, wrench)
    add_springs_and_dampers(
        system, equations.springy, equations.value, equations.jacobian, velocity, angular_velocity, wrench
    )
    add_turn_dampers(system, position, orientation, velocity, angular_velocity, wrench)
    for k in range(system.n_q):
        tree.coordinates[k] = q[k]
    prepare_tree(system, tree, v, position, orientation, angular_velocity)
    out[:] = 0.0
    forward_dynamics(system, tree, orientation, out, wrench, out)


@kernel
def place(system, equations, q, v):
    """Bodies and coordinates of all joints at (q, v)."""
    place_bodies(system, q, equations.position, equations.orientation)
    move_bodies(system, q, v, equations.position, equations.orientation, equations.velocity, equations.angular_velocity)
    for k in range(system.n_q):
        equations.coordinates[k] = q[k]
    for j in system.loop_joint:
        if has_coordinates(system, j):
            t, p = relative_pose(system, j, equations.position, equations.orientation)
            read_coordinates(system, j, t, p, equations.coordinates, equations.coordinates)


def largest_violation(system: System, equations: Equations) -> float:
    """Largest |c| of the locked components of loops where the bodies were last placed, m or rad."""
    position, orientation = equations.position, equations.orientation
    evaluate_constraints(
        system, equations.active, equations.coordinates, position, orientation, equations.value, equations.jacobian
    )
    rows = equations.value[equations.row_joint, equations.row_component]
    return float(np.abs(rows[equations.row_armature == 0.0]).max(initial=0.0))


@kernel
def close_loops(system, equations, gains, out):
    """Add C⁻ᵀ y to ``out``, which holds v̇₀ of `open_accelerations`."""
    component_motions(
        system,
        equations.active,
        equations.position,
        equations.orientation,
        equations.velocity,
        equations.tree.omega,
        equations.tree.acceleration,
        equations.rate,
        equations.faster,
    )
    fill_mass_matrix(system, equations.tree, equations.mass)
    factor = equations.mass
    cholesky(factor, system.n_v)
    rows, target = equations.rows, equations.target
    rotor, gap = system.n_v, 0.0
    for i in range(target.size):
        j, c, armature = equations.row_joint[i], equations.row_component[i], equations.row_armature[i]
        if c >= 3 and turns_freely(system, j):
            _turn_row(system, equations, j, c)
        _minimal_row(system, equations, j, c, i)
        _solve_lower(factor, rows[i])
        if armature != 0.0:
            target[i] = -equations.faster[j, c]
            rows[i, rotor] = 1.0 / sqrt(armature)
            rotor += 1
        else:
            gap = max(gap, abs(equations.value[j, c]))
            target[i] = -(equations.faster[j, c] + gains[0] * equations.rate[j, c] + gains[1] * equations.value[j, c])
        _scale_row(system, equations, j, c, i)
    tolerance = max(RANK_TOLERANCE, min(DRIFT_MARGIN * gap, LARGEST_TOLERANCE))
    rank = decompose(rows, equations.left, equations.pivots, equations.order, tolerance)
    shortest_solution(
        rows,
        equations.left,
        equations.pivots,
        equations.order,
        rank,
        target,
        equations.scratch,
        equations.shift,
        equations.multiplier,
    )
    for i in range(target.size):
        equations.multiplier[i] *= equations.row_scale[i]
    n = system.n_v
    for k in range(n - 1, -1, -1):
        value = equations.shift[0, k]
        for i in range(k + 1, n):
            value -= factor[i, k] * equations.shift[0, i]
        equations.shift[0, k] = value / factor[k, k]
        out[k] += equations.shift[0, k]


@kernel
def _turn_row(system, equations, j, c):
    """The row of a rate of a free rotation: about an axis of B."""
    e = (1.0 if c == 3 else 0.0, 1.0 if c == 4 else 0.0, 1.0 if c == 5 else 0.0)
    _, frame_b = child_frame_pose(system, j, equations.position, equations.orientation)
    edge = system.incidence_start[j]
    axes_a = columns(row4(equations.orientation, system.joint_parent[j]))
    axes_b = columns(row4(equations.orientation, system.joint_child[j]))
    put_rotation(equations.jacobian, edge, edge + 1, c, rotate(frame_b, e), axes_a, axes_b)


@kernel
def _minimal_row(system, equations, j, c, i):
    """Row i of G: the row of component c of joint j, a wrench on each of its bodies, carried down to the world."""
    rows, tree = equations.rows, equations.tree
    for k in range(rows.shape[1]):
        rows[i, k] = 0.0
    for e in range(system.incidence_start[j], system.incidence_start[j + 1]):
        body = system.incidence_body[e]
        force = part3(equations.jacobian[e], c, 0)
        torque = rotate(row4(equations.orientation, body), part3(equations.jacobian[e], c, 3))
        step = tree.placed_by[body]
        while step >= 0:
            joint, body, origin = system.tree_joint[step], system.tree_body[step], system.tree_parent[step]
            for k in range(system.v_start[joint], system.v_start[joint] + system.n_rates[joint]):
                rows[i, k] += dot6(tree.screw, k, force, torque)
            torque = add(torque, cross(sub(row3(tree.centre, body), row3(tree.centre, origin)), force))
            step = tree.placed_by[origin]


@kernel
def _scale_row(system, equations, j, c, i):
    """Divide row i by the length that it would have if its bodies were free: √Σ (|f|²/m + |τ|²/J), J the mean inertia.

    A row that the tree cannot move at all stays as short as round-off made it.
    """
    size = 1.0 / equations.row_armature[i] if equations.row_armature[i] > 0.0 else 0.0
    for e in range(system.incidence_start[j], system.incidence_start[j + 1]):
        body = system.incidence_body[e]
        if system.mass[body] > 0.0:
            force, torque = part3(equations.jacobian[e], c, 0), part3(equations.jacobian[e], c, 3)
            inertia = system.inertia[body]
            trace = (inertia[0, 0] + inertia[1, 1] + inertia[2, 2]) / 3.0
            size += dot(force, force) / system.mass[body] + dot(torque, torque) / trace
    factor = 1.0 / sqrt(size) if size > 0.0 else 1.0
    for k in range(equations.rows.shape[1]):
        equations.rows[i, k] *= factor
    equations.target[i] *= factor
    equations.row_scale[i] = factor


@kernel
def _solve_lower(factor, x):
    """C⁻¹ x in place, of the leading part of ``x``."""
    for k in range(factor.shape[0]):
        value = x[k]
        for r in range(k):
            value -= factor[k, r] * x[r]
        x[k] = value / factor[k, k]
