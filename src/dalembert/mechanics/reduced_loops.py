"""What joints outside the spanning tree do to it: the rows of loops, and forces between two bodies with derivatives.

A locked component of such a joint is a constraint with a multiplier; a free one may have a spring, a damper, a drive.
Each is a scalar force f along the row of the component, w = f row. Its derivatives in the axes of the bodies are

    −∂w/∂(motion) = −f ∂row + k row rowᵀ + d row (Vᵀ ∂row),      −∂w/∂V = d row rowᵀ,

with ∂row from `dalembert.mechanics.curvature`, over the 2×2 blocks of the joint's two bodies. Blocks on the diagonal
add to those of the bodies, the others couple any two bodies of the tree. [Sueda 2021] section 3.3.3.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.acceleration_forces import springy_components
from dalembert.mechanics.constraints import evaluate_constraints, joint_frames
from dalembert.mechanics.curvature import ALL_TURNS, bend
from dalembert.mechanics.forces import turn_spring
from dalembert.mechanics.kinematics_joint import rate_component
from dalembert.mechanics.recursive import inertia_times
from dalembert.mechanics.recursive_tree import add_row6, angular6, dot6
from dalembert.mechanics.reduced_tree import axpy6, motion_row, shifted
from dalembert.model.system import CUSTOM, GEAR, Floats, Integers, System
from dalembert.spatial.quaternion import relative, rotate, rotate_back, row4
from dalembert.spatial.vector import add, cross, dot, part3, row3, scale, sub


class Loops(NamedTuple):
    """Memory of the joints outside the tree (m joints, r rows of loops, p pairs of bodies); made by `loop_memory`."""

    active: Integers
    """(m, 6) components that are evaluated."""
    springy: Integers
    """(m, 6) components with a spring or a damper of their own."""
    coordinates: Floats
    """Coordinates of all joints to unwrap angles against."""
    value: Floats
    """(m, 6) components."""
    jacobian: Floats
    """(edges, 6, 6) their rows, force and torque in world axes."""
    force: Floats
    """(m, 6) forces along the components; torques of free turns are not in it."""
    row_joint: Integers
    """(r,) joint and component of each constraint."""
    row_component: Integers
    rows: Floats
    """(r, n_v) the constraints' derivatives by the minimal coordinates."""
    size: Floats
    """(r,) √Σ (|force|²/m + |torque|²/J), J the mean inertia: how far a unit force would move the bodies if free."""
    pair_owner: Integers
    """(p,) the joint that acts, the joint whose frames it uses (another for a gear), and its edge of the parent."""
    pair_joint: Integers
    pair_edge: Integers
    place: Floats
    """(p, 2, 2, 6, 6) −∂w/∂(motion), and −∂w/∂V."""
    motion: Floats
    bent: Floats
    """(2, 2, 6, 6)"""


def loop_memory(system: System) -> Loops:
    """Memory for the joints outside the tree of this mechanism."""
    m = system.joint_kind.size
    locked, pairs = np.zeros((m, 6), np.int64), []
    # what users write is `dalembert.mechanics.user_rows`
    closing = [j for j in system.loop_joint if system.joint_kind[j] != CUSTOM]
    for j in closing:
        locked[j] = system.locked[j]
        first = system.incidence_start[j]
        if system.joint_kind[j] == GEAR:
            pairs += [(j, system.gear_joint[j, side], first + 2 * side) for side in range(2)]
        else:
            pairs.append((j, j, first))
    springy = springy_components(system)
    springy[system.tree_joint] = 0
    active = (locked != 0) | (springy != 0)
    for j in system.loop_joint:
        for k in range(system.n_rates[j]):
            # drives may act on it
            active[j, rate_component(system, j, k)] |= not turns_freely(system, j)
    row_joint, row_component = np.ascontiguousarray(np.argwhere(locked != 0).T)
    owner, joint, edge = np.ascontiguousarray(np.array(pairs, np.int64).reshape(-1, 3).T)
    return Loops(
        active=active.astype(np.int64),
        springy=springy,
        coordinates=np.zeros(int(system.n_coordinates.sum())),
        value=np.zeros((m, 6)),
        jacobian=np.zeros((system.incidence_body.size, 6, 6)),
        force=np.zeros((m, 6)),
        row_joint=row_joint,
        row_component=row_component,
        rows=np.zeros((row_joint.size, system.n_v)),
        size=np.zeros(row_joint.size),
        pair_owner=owner,
        pair_joint=joint,
        pair_edge=edge,
        place=np.zeros((owner.size, 2, 2, 6, 6)),
        motion=np.zeros((owner.size, 2, 2, 6, 6)),
        bent=np.zeros((2, 2, 6, 6)),
    )


@kernel
def turns_freely(system, j):
    """Whether the joint has a quaternion among its coordinates."""
    return system.n_coordinates[j] > system.n_rates[j]


@kernel
def evaluate_loops(system, at, loops):
    """Values of the components and their rows in world axes where the tree is placed."""
    evaluate_constraints(
        system, loops.active, loops.coordinates, at.position, at.orientation, loops.value, loops.jacobian
    )
    for p in range(loops.pair_owner.size):
        j, edge = loops.pair_owner[p], loops.pair_edge[p]
        for e in range(edge, edge + 2):
            turn = row4(at.orientation, system.incidence_body[e])
            for c in range(6):
                if loops.active[j, c] == 1:
                    torque = rotate(turn, part3(loops.jacobian[e], c, 3))
                    for k in range(3):
                        loops.jacobian[e, c, 3 + k] = torque[k]


@kernel
def add_loop_wrenches(system, at, loops, joint_force, multiplier):
    """Add to ``at.wrench`` what constraints with these multipliers (r,), springs, dampers and drives do."""
    for j in system.loop_joint:
        for c in range(6):
            loops.force[j, c] = 0.0
    for i in range(loops.row_joint.size):
        loops.force[loops.row_joint[i], loops.row_component[i]] = multiplier[i]
    for j in system.loop_joint:
        if system.joint_kind[j] != GEAR and not turns_freely(system, j):
            for k in range(system.n_rates[j]):
                loops.force[j, rate_component(system, j, k)] = joint_force[system.v_start[j] + k]
        elif turns_freely(system, j):
            slides = system.n_rates[j] - 3
            for k in range(slides):
                loops.force[j, rate_component(system, j, k)] = joint_force[system.v_start[j] + k]
        for c in range(6):
            if loops.springy[j, c] == 1:
                stretch = loops.value[j, c] - system.rest[j, c]
                rate = _rate(system, at, loops, j, c)
                loops.force[j, c] -= system.stiffness[j, c] * stretch + system.damping[j, c] * rate
    for p in range(loops.pair_owner.size):
        j, i, edge = loops.pair_owner[p], loops.pair_joint[p], loops.pair_edge[p]
        for e in range(edge, edge + 2):
            body = system.incidence_body[e]
            for c in range(6):
                if loops.active[j, c] == 1 and loops.force[j, c] != 0.0:
                    row = loops.jacobian[e]
                    f = loops.force[j, c]
                    add_row6(at.wrench, body, scale(f, part3(row, c, 0)), scale(f, part3(row, c, 3)))
        if i == j and turns_freely(system, j):
            _add_free_torque(system, at, j, joint_force)


@kernel
def _rate(system, at, loops, j, c):
    rate = 0.0
    for e in range(system.incidence_start[j], system.incidence_start[j + 1]):
        row = loops.jacobian[e]
        rate += dot6(at.twist, system.incidence_body[e], part3(row, c, 0), part3(row, c, 3))
    return rate


@kernel
def _add_free_torque(system, at, j, joint_force):
    """Spring, damper and drive of a joint outside the tree that turns freely, in the axes of B."""
    a, b = system.joint_parent[j], system.joint_child[j]
    _, q_a, _, q_b = joint_frames(system, j, at.position, at.orientation)
    k = system.v_start[j] + system.n_rates[j] - 3
    w = rotate_back(q_b, sub(angular6(at.twist, b), angular6(at.twist, a)))
    torque = (
        joint_force[k] - system.damping[j, 3] * w[0],
        joint_force[k + 1] - system.damping[j, 4] * w[1],
        joint_force[k + 2] - system.damping[j, 5] * w[2],
    )
    if system.stiffness[j, 3] != 0.0 or system.stiffness[j, 4] != 0.0 or system.stiffness[j, 5] != 0.0:
        _, pull = turn_spring(system, j, relative(q_a, q_b))
        torque = add(torque, pull)
    turned = rotate(q_b, torque)
    zero = (0.0, 0.0, 0.0)
    add_row6(at.wrench, b, zero, turned)
    add_row6(at.wrench, a, zero, scale(-1.0, turned))


@kernel
def fill_rows(system, at, loops):
    """∂(constraint)/∂η of all constraints: their wrenches carried to the world, met by every joint on the way."""
    for i in range(loops.row_joint.size):
        j, c = loops.row_joint[i], loops.row_component[i]
        for k in range(system.n_v):
            loops.rows[i, k] = 0.0
        size = 0.0
        for e in range(system.incidence_start[j], system.incidence_start[j + 1]):
            body = system.incidence_body[e]
            force, torque = part3(loops.jacobian[e], c, 0), part3(loops.jacobian[e], c, 3)
            _carry(system, at, body, force, torque, loops.rows[i])
            if system.mass[body] > 0.0:
                inertia = system.inertia[body]
                mean = (inertia[0, 0] + inertia[1, 1] + inertia[2, 2]) / 3.0
                size += dot(force, force) / system.mass[body] + dot(torque, torque) / mean
        loops.size[i] = sqrt(size)


@kernel
def _carry(system, at, body, force, torque, out):
    """Add what a wrench on a body does to the rates on its way to the world."""
    i = at.placed_by[body]
    while i >= 0:
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        for k in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            out[k] += dot6(at.screw, k, force, torque)
        torque = add(torque, cross(sub(row3(at.position, body), row3(at.position, origin)), force))
        i = at.placed_by[origin]


@kernel
def form_pairs(system, at, loops, joint_force):
    """Blocks of all pairs, the diagonal ones added to ``at.place`` and ``at.motion``; after `start_composites`."""
    loops.place[:] = 0.0
    loops.motion[:] = 0.0
    for p in range(loops.pair_owner.size):
        j, i, edge = loops.pair_owner[p], loops.pair_joint[p], loops.pair_edge[p]
        for c in range(6):
            if loops.active[j, c] == 1 and (loops.force[j, c] != 0.0 or loops.springy[j, c] == 1):
                _form_component(system, at, loops, p, c)
        if i == j and turns_freely(system, j):
            _form_free_torque(system, at, loops, p, joint_force)
        for e in range(2):
            body = system.incidence_body[edge + e]
            for r in range(6):
                for k in range(6):
                    at.place[body, r, k] += loops.place[p, e, e, r, k]
                    at.motion[body, r, k] += loops.motion[p, e, e, r, k]


@kernel
def _form_component(system, at, loops, p, c):
    j, i, edge = loops.pair_owner[p], loops.pair_joint[p], loops.pair_edge[p]
    factor, frame_component = 1.0, c
    if system.joint_kind[j] == GEAR:
        side = (edge - system.incidence_start[j]) // 2
        factor, frame_component = (1.0 if side == 0 else system.parameter[j]), system.gear_component[j, side]
    bend(system, i, frame_component, at.position, at.orientation, loops.bent)
    f = factor * loops.force[j, c]
    for e in range(2):
        for d in range(2):
            for r in range(6):
                for k in range(6):
                    loops.place[p, e, d, r, k] -= f * loops.bent[e, d, r, k]
    if loops.springy[j, c] == 0:
        return
    stiffness, damping = system.stiffness[j, c], system.damping[j, c]
    for d in range(2):
        for k in range(6):
            speed = 0.0
            for e in range(2):
                body = system.incidence_body[edge + e]
                for r in range(6):
                    speed += at.twist[body, r] * loops.bent[e, d, r, k]
            across = loops.jacobian[edge + d, c, k]
            for e in range(2):
                for r in range(6):
                    row = loops.jacobian[edge + e, c, r]
                    loops.place[p, e, d, r, k] += row * (stiffness * across + damping * speed)
                    loops.motion[p, e, d, r, k] += damping * row * across


@kernel
def _form_free_torque(system, at, loops, p, joint_force):
    """Of τ = (drive − d∘w + spring) in the axes of B, w = Q_Bᵀ (Ω_b − Ω_a); a turn φ of A against B adds −Q_Bᵀ(φ×Ω_a)
    to w, and turns the torque on a."""
    j = loops.pair_joint[p]
    a, b = system.joint_parent[j], system.joint_child[j]
    _, _, _, q_b = joint_frames(system, j, at.position, at.orientation)
    omega_a = angular6(at.twist, a)
    w = rotate_back(q_b, sub(angular6(at.twist, b), omega_a))
    d = (system.damping[j, 3], system.damping[j, 4], system.damping[j, 5])
    k0 = system.v_start[j] + system.n_rates[j] - 3
    rest = (
        joint_force[k0] - d[0] * w[0],
        joint_force[k0 + 1] - d[1] * w[1],
        joint_force[k0 + 2] - d[2] * w[2],
    )
    turned = rotate(q_b, rest)
    for by in range(2):
        sign = 1.0 if by == 0 else -1.0
        for k in range(3):
            e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
            phi = scale(sign, e)
            dw = rotate_back(q_b, scale(-1.0, cross(phi, omega_a)))
            damped = rotate(q_b, (-d[0] * dw[0], -d[1] * dw[1], -d[2] * dw[2]))
            on_a = sub(cross(phi, turned), damped)
            dw = rotate_back(q_b, scale(-1.0, phi))
            slowed = rotate(q_b, (-d[0] * dw[0], -d[1] * dw[1], -d[2] * dw[2]))
            for r in range(3):
                loops.place[p, 1, by, 3 + r, 3 + k] -= damped[r]
                loops.place[p, 0, by, 3 + r, 3 + k] -= on_a[r]
                loops.motion[p, 1, by, 3 + r, 3 + k] -= slowed[r]
                loops.motion[p, 0, by, 3 + r, 3 + k] += slowed[r]
    if system.stiffness[j, 3] != 0.0 or system.stiffness[j, 4] != 0.0 or system.stiffness[j, 5] != 0.0:
        bend(system, j, ALL_TURNS, at.position, at.orientation, loops.bent)
        for e in range(2):
            for by in range(2):
                for r in range(6):
                    for k in range(6):
                        loops.place[p, e, by, r, k] -= loops.bent[e, by, r, k]


@kernel
def add_pair_derivatives(system, at, loops, by_place, by_rate):
    """The blocks that couple two bodies; the others are in the sums of `fill_derivatives`."""
    for p in range(loops.pair_owner.size):
        edge = loops.pair_edge[p]
        for e in range(2):
            couple(
                system,
                at,
                system.incidence_body[edge + e],
                system.incidence_body[edge + 1 - e],
                loops.place[p, e],
                loops.motion[p, e],
                1 - e,
                by_place,
                by_rate,
            )


@kernel
def couple(system, at, on, by, place, motion, side, by_place, by_rate):
    """Add a block of a pair: rows of the body ``on``, columns of the body ``by``."""
    i, body = at.placed_by[by], by
    while i >= 0:
        j, body = system.tree_joint[i], system.tree_body[i]
        arm = sub(row3(at.position, by), row3(at.position, body))
        for k in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            s, psi = motion_row(at.screw, k), motion_row(at.first, k)
            s, psi = shifted(s[0], s[1], arm), shifted(psi[0], psi[1], arm)
            moved = inertia_times(motion, side, s[0], s[1])
            placed = inertia_times(place, side, s[0], s[1])
            placed = axpy6(1.0, placed, inertia_times(motion, side, psi[0], psi[1]))
            _carry(system, at, on, placed[0], placed[1], by_place[:, k])
            _carry(system, at, on, moved[0], moved[1], by_rate[:, k])
        i = at.placed_by[system.tree_parent[i]]
