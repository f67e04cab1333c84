"""Joints outside the spanning tree: their rows at a knot and at a trial, and their impulses.

The rows are those of the maximal integrator, constraints and interval forces alike: `mechanics.constraints` and
`maximal.interval_rows`. An impulse S of a row acts through its Jacobian at the knot, and the row must hold at the end
of the interval:

    f(q⁺) − N(z_k)ᵀ G(z_k)ᵀ S = 0,        value(z⁺) + e + C S = 0        (C = e = 0 for a constraint).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.maximal.interval_rows import interval_offset, interval_stiffness
from dalembert.integrators.maximal.plan import active_components
from dalembert.integrators.maximal.residual import Interval, evaluate_knot
from dalembert.integrators.maximal.tree_motion import get4, put3
from dalembert.integrators.maximal.tree_plan import ARM, BODY, TARGET, TURN, TWIST, WRENCH
from dalembert.integrators.minimal.drnea import displacement
from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.forces import knot_forces
from dalembert.mechanics.kinematics_joint import has_coordinates, read_coordinates, relative_pose
from dalembert.mechanics.turns import evaluate_turns
from dalembert.model.system import Floats, Integers, System
from dalembert.spatial.quaternion import multiply, rotate, rotate_back, row4, set_row4
from dalembert.spatial.vector import add, cross, part3, row3, set_row3


class Loops(NamedTuple):
    """The rows of the joints outside the tree (r rows, n bodies, m joints, ν degrees of freedom)."""

    system: System
    """The mechanism without gravity and without the forces of tree joints."""
    joint: Integers
    """(r,) the joint of each row."""
    component: Integers
    """(r,) and its component."""
    active: Integers
    """(m, 6) 1 for these rows."""
    interval: Interval
    """Values, Jacobians, offsets and compliances at the knot; ``force``: the wrenches that act there by themselves."""
    position: Floats
    """(n + 1, 3) trial poses."""
    orientation: Floats
    """(n + 1, 4)"""
    value: Floats
    """(m, 6) at the trial."""
    jacobian: Floats
    """(edges, 6, 6) at the trial."""
    joint_force: Floats
    """Forces on the rates of all joints, zero for those of the tree."""
    twist: Floats
    """(n + 1, 6) change of the bodies' poses: displacement in the world, turn in body axes."""
    wrench: Floats
    """(n + 1, 6) on the bodies: force in the world, torque in body axes."""
    matrix: Floats
    """(r, r) factored: what the impulses of the rows do to the rows."""
    scale: Floats
    """(r,) units in which the diagonal of the matrix is one."""
    order: Integers
    """(2, r) rows and columns in the order of their pivots."""
    rank: Integers
    """(1,) how many pivots there are; the rest is redundant."""
    side: Floats
    """(2, r) right-hand side, and room for its reordering."""
    impulse: Floats
    """(r,) S."""
    change: Floats
    """(r,) what the last increment adds to S."""
    kept: Floats
    """(2, r) S and its change where a line search starts."""
    base: Floats
    """(ν + 6 n,) the increment without impulses, and its twists."""


def make_loops(system: System) -> Loops | None:
    """Rows and memory for a mechanism; None for an open tree."""
    n, m, edges = system.tree_joint.size, system.joint_kind.size, system.incidence_body.size
    kept = {"stiffness": system.stiffness.copy(), "damping": system.damping.copy(), "armature": system.armature.copy()}
    for array in kept.values():
        array[system.tree_joint] = 0.0
    own = system._replace(gravity=np.zeros(3), **kept)
    active = active_components(own)
    active[system.tree_joint] = 0
    joint, component = (np.ascontiguousarray(index) for index in np.nonzero(active))
    r = joint.size
    if r == 0:
        return None
    turns = np.zeros((n + 1, 4))
    turns[:, 0] = 1.0
    return Loops(
        system=own,
        joint=joint.astype(np.int64),
        component=component.astype(np.int64),
        active=active,
        interval=Interval(
            target=np.zeros((n + 1, 6)),
            jacobian=np.zeros((edges, 6, 6)),
            value=np.zeros((m, 6)),
            offset=np.zeros((m, 6)),
            compliance=np.zeros((m, 6)),
            turns=np.zeros((m, 4)),
            force=np.zeros((n + 1, 6)),
        ),
        position=np.zeros((n + 1, 3)),
        orientation=turns,
        value=np.zeros((m, 6)),
        jacobian=np.zeros((edges, 6, 6)),
        joint_force=np.zeros(int(system.n_rates.sum())),
        twist=np.zeros((n + 1, 6)),
        wrench=np.zeros((n + 1, 6)),
        matrix=np.zeros((r, r)),
        scale=np.ones(r),
        order=np.zeros((2, r), np.int64),
        rank=np.zeros(1, np.int64),
        side=np.zeros((2, r)),
        impulse=np.zeros(r),
        change=np.zeros(r),
        kept=np.zeros((2, r)),
        base=np.zeros(int(system.n_rates[system.tree_joint].sum()) + 6 * n),
    )


@kernel
def rows_at_knot(loops, knot, control, h):
    """Everything that is constant over the interval that starts at the knot."""
    system, interval = loops.system, loops.interval
    evaluate_knot(system, loops.active, knot, interval)
    for s in range(loops.joint.shape[0]):
        j, c = loops.joint[s], loops.component[s]
        if not system.locked[j, c]:
            interval.compliance[j, c] = 1.0 / interval_stiffness(system, h, j, c)
            interval.offset[j, c] = interval_offset(system, h, j, c, interval.value[j, c])
    for i in range(system.loop_joint.shape[0]):
        j = system.loop_joint[i]
        for k in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            loops.joint_force[k] = control.joint_force[k]
    for i in range(loops.wrench.shape[0]):
        for k in range(6):
            loops.wrench[i, k] = 0.0
    knot_forces(system, knot.position, knot.orientation, loops.joint_force, loops.wrench, interval.force)


@kernel
def rows_at_trial(slot, row, loops, knot):
    """Values and Jacobians at the poses that the steps at hand lead to."""
    system = loops.system
    for i in range(slot.shape[0] - 1):
        b = slot[i, BODY]
        set_row3(loops.position, b, add(row3(knot.position, b), displacement(row, i)))
        set_row4(loops.orientation, b, multiply(get4(row, i, TURN), row4(knot.orientation, b)))
    evaluate_constraints(
        system, loops.active, knot.coordinates, loops.position, loops.orientation, loops.value, loops.jacobian
    )
    evaluate_turns(
        system, loops.active, loops.interval.turns, loops.position, loops.orientation, loops.value, loops.jacobian
    )


@kernel
def row_times_twist(loops, s, jacobian):
    """Row s of a Jacobian times the bodies' twists."""
    j, c = loops.joint[s], loops.component[s]
    total = 0.0
    for e in range(loops.system.incidence_start[j], loops.system.incidence_start[j + 1]):
        b = loops.system.incidence_body[e]
        for k in range(6):
            total += jacobian[e, c, k] * loops.twist[b, k]
    return total


@kernel
def add_row_wrench(loops, s, jacobian, impulse):
    """``wrench`` += row s of a Jacobian, transposed, times an impulse."""
    j, c = loops.joint[s], loops.component[s]
    for e in range(loops.system.incidence_start[j], loops.system.incidence_start[j + 1]):
        b = loops.system.incidence_body[e]
        for k in range(6):
            loops.wrench[b, k] += jacobian[e, c, k] * impulse


@kernel
def impulse_wrench(loops, jacobian, impulse):
    """``wrench`` ← that of one impulse for each row."""
    clear_wrench(loops)
    for s in range(loops.joint.shape[0]):
        add_row_wrench(loops, s, jacobian, impulse[s])


@kernel
def start_impulses(loops):
    """All zero: the first increment finds them, whatever they were before."""
    for s in range(loops.impulse.shape[0]):
        loops.impulse[s] = 0.0


@kernel
def keep_impulses(loops):
    """Remember the impulses and their change, where a line search starts and goes."""
    for s in range(loops.impulse.shape[0]):
        loops.kept[0, s] = loops.impulse[s]
        loops.kept[1, s] = loops.change[s]


@kernel
def take_impulses(loops, share):
    """The kept impulses moved by ``share`` of the kept change."""
    for s in range(loops.impulse.shape[0]):
        loops.impulse[s] = loops.kept[0, s] + share * loops.kept[1, s]


@kernel
def clear_wrench(loops):
    """``wrench`` to zero."""
    for i in range(loops.wrench.shape[0]):
        for k in range(6):
            loops.wrench[i, k] = 0.0


@kernel
def put_wrench(slot, row, loops, orientation):
    """WRENCH ← minus ``wrench``, as it enters the residual."""
    for i in range(slot.shape[0] - 1):
        put3(row, i, WRENCH, (0.0, 0.0, 0.0))
        put3(row, i, WRENCH + 3, (0.0, 0.0, 0.0))
    add_wrench(slot, row, loops, orientation)


@kernel
def add_wrench(slot, row, loops, orientation):
    """WRENCH −= ``wrench``, about the reference points."""
    for i in range(slot.shape[0] - 1):
        b = slot[i, BODY]
        force = part3(loops.wrench, b, 0)
        torque = add(rotate(row4(orientation, b), part3(loops.wrench, b, 3)), cross(part3(row, i, ARM), force))
        for k in range(3):
            row[i, WRENCH + k] -= force[k]
            row[i, WRENCH + 3 + k] -= torque[k]


@kernel
def body_twists(slot, row, loops, orientation, arm):
    """``twist`` of the bodies from TWIST of the slots; ``arm`` is the column of the arms to the centres of mass."""
    for i in range(slot.shape[0] - 1):
        b = slot[i, BODY]
        turn = part3(row, i, TWIST + 3)
        put3(loops.twist, b, 0, add(part3(row, i, TWIST), cross(turn, part3(row, i, arm))))
        put3(loops.twist, b, 3, rotate_back(row4(orientation, b), turn))


@kernel
def add_to_target(slot, row, orientation, wrench, share):
    """TARGET += ``share`` times wrenches on the bodies at the knot."""
    for i in range(slot.shape[0] - 1):
        b = slot[i, BODY]
        torque = rotate(row4(orientation, b), part3(wrench, b, 3))
        for k in range(3):
            row[i, TARGET + k] += share * wrench[b, k]
            row[i, TARGET + 3 + k] += share * torque[k]


@kernel
def read_loop_coordinates(loops, knot):
    """Coordinates of the joints outside the tree at the knot's poses."""
    system = loops.system
    for i in range(system.loop_joint.shape[0]):
        j = system.loop_joint[i]
        if has_coordinates(system, j):
            t, p = relative_pose(system, j, knot.position, knot.orientation)
            read_coordinates(system, j, t, p, knot.coordinates, knot.coordinates)
