"""Impulses on the coordinates of tree joints: springs, dampers, rotors and joint forces.

The laws are those of `interval_rows`. A single coordinate c that makes the step δ carries

    known at the knot   S₀ = S_carried + (h/2) (τ − k (c − c₀)),      growing with the step   −κ δ,  κ = I/h + h k/4 + d/2,
    right impulse       Sᴿ = (I/h − d/2) δ − (h/2) k (c + δ/2 − c₀),

and its equation is (screw at the knot) · (residual wrench) + κ δ − S₀ = 0. A free rotation does the same with δ = 2 φ in
B's axes; its spring acts at the knots by itself.
"""

from math import atan2

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_general import joint_axes, turn_in_b
from dalembert.integrators.maximal.tree_motion import against, get4, swing, toward
from dalembert.integrators.maximal.tree_plan import (
    ANGLE,
    CARRIED,
    COORDINATE,
    COSINE,
    DAMPING,
    DOFS,
    FIRST,
    FREE_TURN,
    GROWTH,
    INVERSE,
    JOINT,
    LOAD,
    PARENT,
    RATE,
    REST,
    REVERSED,
    ROTOR,
    SPRUNG,
    STEP,
    STIFFNESS,
    TURN,
    TURNING,
    TWO_ANGLES,
)
from dalembert.mechanics.forces import turn_spring
from dalembert.spatial.quaternion import columns
from dalembert.spatial.vector import add, axpy, cross, scale


@kernel
def set_growth(plan, work, h):
    """GROWTH of all coordinates for intervals of length h."""
    slot, law = plan.slot, plan.dof
    for i in range(slot.shape[0] - 1):
        scalars = scalar_dofs(slot, i)
        for k in range(slot[i, DOFS]):
            v = slot[i, FIRST] + k
            # the spring of a free rotation acts at the knots
            spring = 0.25 * h * law[v, STIFFNESS] if k < scalars else 0.0
            work.dof[v, GROWTH] = law[v, ROTOR] / h + spring + 0.5 * law[v, DAMPING]


@kernel
def set_rotor_growth(plan, work):
    """GROWTH of all coordinates for velocities at a knot, where only rotors count."""
    for v in range(plan.dof.shape[0]):
        work.dof[v, GROWTH] = plan.dof[v, ROTOR]


@kernel
def coordinate_step(plan, work, i, k):
    """δ of the k-th degree of freedom of slot i, a translation or a single angle."""
    v = plan.slot[i, FIRST] + k
    turning = plan.slot[i, TURNING]
    angles = 1 if turning == ANGLE else (2 if turning == TWO_ANGLES else 0)
    if k >= plan.slot[i, DOFS] - angles:
        return 2.0 * atan2(work.dof[v, STEP], work.dof[v, COSINE])
    return work.dof[v, STEP]


@kernel
def scalar_dofs(slot, i):
    """How many degrees of freedom of slot i are translations and single angles."""
    return slot[i, DOFS] - 3 if slot[i, TURNING] == FREE_TURN else slot[i, DOFS]


@kernel
def load_slot(system, plan, work, i, half, knot, joint_force):
    """LOAD of the coordinates of slot i at the start of an interval; ``half`` is h/2."""
    slot, dof = plan.slot, work.dof
    v, rate, coordinate = slot[i, FIRST], slot[i, RATE], slot[i, COORDINATE]
    scalars = scalar_dofs(slot, i)
    for k in range(scalars):
        load = dof[v + k, CARRIED] + half * joint_force[rate + k]
        if slot[i, SPRUNG]:
            load -= half * plan.dof[v + k, STIFFNESS] * (knot.coordinates[coordinate + k] - plan.dof[v + k, REST])
        dof[v + k, LOAD] = load
    if slot[i, TURNING] == FREE_TURN:
        v += scalars
        torque = turn_torque(system, plan, i, knot, joint_force)
        carried = (dof[v, CARRIED], dof[v + 1, CARRIED], dof[v + 2, CARRIED])
        _, q_b = joint_axes(plan, work, i)
        sign = -1.0 if slot[i, REVERSED] else 1.0
        load3 = scale(sign, toward(columns(q_b), axpy(half, torque, carried)))
        for c in range(3):
            dof[v + c, LOAD] = load3[c]


@kernel
def turn_torque(system, plan, i, knot, joint_force):
    """Joint torque and spring of a free rotation at a knot, in the axes of B."""
    slot = plan.slot
    scalars, j = scalar_dofs(slot, i), slot[i, JOINT]
    rate, p = slot[i, RATE] + scalars, slot[i, COORDINATE] + scalars
    torque = (joint_force[rate], joint_force[rate + 1], joint_force[rate + 2])
    if system.stiffness[j, 3] != 0.0 or system.stiffness[j, 4] != 0.0 or system.stiffness[j, 5] != 0.0:
        c = knot.coordinates
        _, spring = turn_spring(system, j, (c[p], c[p + 1], c[p + 2], c[p + 3]))
        torque = add(torque, spring)
    return torque


@kernel
def right_impulse(plan, work, h, i, knot):
    """CARRIED ← Sᴿ of the interval just solved, before the coordinates move on."""
    slot, dof, law = plan.slot, work.dof, plan.dof
    first = slot[i, FIRST]
    scalars = scalar_dofs(slot, i)
    for k in range(scalars):
        v = first + k
        dof[v, CARRIED] = 0.0
        if slot[i, SPRUNG]:
            step = coordinate_step(plan, work, i, k)
            stretch = knot.coordinates[slot[i, COORDINATE] + k] + 0.5 * step - law[v, REST]
            dof[v, CARRIED] = (law[v, ROTOR] / h - 0.5 * law[v, DAMPING]) * step - 0.5 * h * law[v, STIFFNESS] * stretch
    if slot[i, TURNING] == FREE_TURN:
        s, phi = turn_in_b(plan, work, i)
        sign = 2.0 if s >= 0.0 else -2.0
        for c in range(3):
            v = first + scalars + c
            dof[v, CARRIED] = sign * (law[v, ROTOR] / h - 0.5 * law[v, DAMPING]) * phi[c]


@kernel
def carry_forces(system, plan, work, half, i, knot, joint_force):
    """CARRIED ← CARRIED + (h/2) of what acts by itself at the new knot."""
    slot, dof = plan.slot, work.dof
    first = slot[i, FIRST]
    scalars = scalar_dofs(slot, i)
    for k in range(scalars):
        dof[first + k, CARRIED] += half * joint_force[slot[i, RATE] + k]
    if slot[i, TURNING] == FREE_TURN:
        torque = turn_torque(system, plan, i, knot, joint_force)
        for c in range(3):
            dof[first + scalars + c, CARRIED] += half * torque[c]


@kernel
def coordinate_residual(plan, work, i, k):
    """κ δ − S₀ of the k-th degree of freedom of slot i."""
    slot, dof = plan.slot, work.dof
    v = slot[i, FIRST] + k
    found = -dof[v, LOAD]
    if slot[i, SPRUNG]:
        if k < scalar_dofs(slot, i):
            found += dof[v, GROWTH] * coordinate_step(plan, work, i, k)
        else:
            # 2 R_B κ R_Bᵀ φ with φ in world axes
            first = slot[i, FIRST] + slot[i, DOFS] - 3
            sign = 2.0 if dof[first, COSINE] >= 0.0 else -2.0
            u = (sign * dof[first, STEP], sign * dof[first + 1, STEP], sign * dof[first + 2, STEP])
            found += _turn_growth(plan, work, i, first, u)[v - first]
    return found


@kernel
def _turn_growth(plan, work, i, first, u):
    _, q_b = joint_axes(plan, work, i)
    axes = columns(q_b)
    w = against(axes, u)
    k = work.dof
    return toward(axes, (k[first, GROWTH] * w[0], k[first + 1, GROWTH] * w[1], k[first + 2, GROWTH] * w[2]))


@kernel
def add_coordinate_stiffness(plan, work, i):
    """Add the derivative of `coordinate_residual` to the joint's matrix D, kept from column INVERSE of ``work.screw``."""
    slot, dof, screw = plan.slot, work.dof, work.screw
    first = slot[i, FIRST]
    scalars = scalar_dofs(slot, i)
    for k in range(scalars):
        screw[first + k, INVERSE + k] += dof[first + k, GROWTH]
    if slot[i, TURNING] == FREE_TURN:
        v = first + scalars
        turn_up = get4(work.path, slot[i, PARENT], TURN)
        back = (turn_up[0], -turn_up[1], -turn_up[2], -turn_up[3])
        sign = 1.0 if dof[v, COSINE] >= 0.0 else -1.0
        phi = (dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP])
        for c in range(3):
            # a turn about world axis c at the end is a turn η about its image at the knot: δ(2φ) = s η − φ×η
            e = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
            eta = add(e, swing(back, e))
            change = scale(sign, axpy(dof[v, COSINE], eta, cross(eta, phi)))
            column = _turn_growth(plan, work, i, v, change)
            for r in range(3):
                screw[v + r, INVERSE + scalars + c] += column[r]
