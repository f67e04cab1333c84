"""Impulses on the coordinates of tree joints: springs, dampers, rotors and joint forces.

The laws are those of `interval_rows`. A single coordinate c that makes the step δ carries

    known at the knot       S₀ = S_carried + (h/2) (τ − k (c − c₀)),
    growing with the step   −κ δ,  κ = I/h + h k/4 + d/2,
    right impulse           Sᴿ = (I/h − d/2) δ − (h/2) k (c + δ/2 − c₀),

and its equation is (screw at the knot) · (residual wrench) + κ δ − S₀ = 0. A free rotation does the same with δ = 2 φ
in B's axes; its spring acts at the knots by itself.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_general import joint_axes, turn_in_b
from dalembert.integrators.maximal.tree_motion import against, get4, swing, toward, turn_angle
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
from dalembert.spatial.quaternion import columns, exp, log, relative
from dalembert.spatial.rotation import log_rate_transposed
from dalembert.spatial.vector import add, axpy, cross, scale


@kernel
def set_growth(slot, row, dof, h):
    """GROWTH of all coordinates for intervals of length h."""
    for i in range(slot.shape[0] - 1):
        scalars = scalar_dofs(slot, i)
        for k in range(slot[i, DOFS]):
            v = slot[i, FIRST] + k
            # the spring of a free rotation acts at the knots
            spring = 0.25 * h * dof[v, STIFFNESS] if k < scalars else 0.0
            dof[v, GROWTH] = dof[v, ROTOR] / h + spring + 0.5 * dof[v, DAMPING]


@kernel
def set_rotor_growth(slot, row, dof):
    """GROWTH of all coordinates for velocities at a knot, where only rotors count."""
    for v in range(dof.shape[0]):
        dof[v, GROWTH] = dof[v, ROTOR]


@kernel
def coordinate_step(slot, dof, i, k):
    """δ of the k-th degree of freedom of slot i, a translation or a single angle."""
    v = slot[i, FIRST] + k
    turning = slot[i, TURNING]
    angles = 1 if turning == ANGLE else (2 if turning == TWO_ANGLES else 0)
    if k >= slot[i, DOFS] - angles:
        return turn_angle(dof[v, COSINE], dof[v, STEP])
    return dof[v, STEP]


@kernel
def scalar_dofs(slot, i):
    """How many degrees of freedom of slot i are translations and single angles."""
    return slot[i, DOFS] - 3 if slot[i, TURNING] == FREE_TURN else slot[i, DOFS]


@kernel
def load_coordinates(slot, row, dof, half, coordinates, joint_force):
    """LOAD of all coordinates at the start of an interval; ``half`` is h/2."""
    for i in range(slot.shape[0] - 1):
        first, rate, coordinate = slot[i, FIRST], slot[i, RATE], slot[i, COORDINATE]
        scalars = scalar_dofs(slot, i)
        for k in range(scalars):
            v = first + k
            load = dof[v, CARRIED] + half * joint_force[rate + k]
            if slot[i, SPRUNG]:
                load -= half * dof[v, STIFFNESS] * (coordinates[coordinate + k] - dof[v, REST])
            dof[v, LOAD] = load
        if slot[i, TURNING] == FREE_TURN:
            v = first + scalars
            torque = turn_torque(dof, v, rate + scalars, coordinate + scalars, coordinates, joint_force)
            carried = (dof[v, CARRIED], dof[v + 1, CARRIED], dof[v + 2, CARRIED])
            _, q_b = joint_axes(slot, row, i)
            sign = -1.0 if slot[i, REVERSED] else 1.0
            load = scale(sign, toward(columns(q_b), axpy(half, torque, carried)))
            dof[v, LOAD], dof[v + 1, LOAD], dof[v + 2, LOAD] = load


@kernel
def turn_torque(dof, v, rate, p, coordinates, joint_force):
    """Joint torque and spring of a free rotation at a knot, in the axes of B: −(∂u/∂ζ)ᵀ k u with u = log(rest⁻¹ p)."""
    torque = (joint_force[rate], joint_force[rate + 1], joint_force[rate + 2])
    k0, k1, k2 = dof[v, STIFFNESS], dof[v + 1, STIFFNESS], dof[v + 2, STIFFNESS]
    if k0 != 0.0 or k1 != 0.0 or k2 != 0.0:
        rest = exp((dof[v, REST], dof[v + 1, REST], dof[v + 2, REST]))
        u = log(relative(rest, (coordinates[p], coordinates[p + 1], coordinates[p + 2], coordinates[p + 3])))
        torque = add(torque, log_rate_transposed(u, (-k0 * u[0], -k1 * u[1], -k2 * u[2])))
    return torque


@kernel
def right_impulses(slot, row, dof, h, coordinates):
    """CARRIED ← Sᴿ of the interval just solved, before the coordinates move on."""
    for i in range(slot.shape[0] - 1):
        first = slot[i, FIRST]
        if not slot[i, SPRUNG]:
            for v in range(first, first + slot[i, DOFS]):
                dof[v, CARRIED] = 0.0
            continue
        scalars = scalar_dofs(slot, i)
        for k in range(scalars):
            v = first + k
            step = coordinate_step(slot, dof, i, k)
            stretch = coordinates[slot[i, COORDINATE] + k] + 0.5 * step - dof[v, REST]
            dof[v, CARRIED] = (dof[v, ROTOR] / h - 0.5 * dof[v, DAMPING]) * step - 0.5 * h * dof[v, STIFFNESS] * stretch
        if slot[i, TURNING] == FREE_TURN:
            s, phi = turn_in_b(slot, row, dof, i)
            sign = 2.0 if s >= 0.0 else -2.0
            for c in range(3):
                v = first + scalars + c
                dof[v, CARRIED] = sign * (dof[v, ROTOR] / h - 0.5 * dof[v, DAMPING]) * phi[c]


@kernel
def carry_forces(slot, row, dof, half, coordinates, joint_force):
    """CARRIED ← CARRIED + (h/2) of what acts by itself at the new knot."""
    for i in range(slot.shape[0] - 1):
        first, rate = slot[i, FIRST], slot[i, RATE]
        scalars = scalar_dofs(slot, i)
        for k in range(scalars):
            dof[first + k, CARRIED] += half * joint_force[rate + k]
        if slot[i, TURNING] == FREE_TURN:
            v, p = first + scalars, slot[i, COORDINATE] + scalars
            torque = turn_torque(dof, v, rate + scalars, p, coordinates, joint_force)
            for c in range(3):
                dof[v + c, CARRIED] += half * torque[c]


@kernel
def coordinate_residual(slot, row, dof, i, k):
    """κ δ − S₀ of the k-th degree of freedom of slot i."""
    v = slot[i, FIRST] + k
    found = -dof[v, LOAD]
    if slot[i, SPRUNG]:
        if k < scalar_dofs(slot, i):
            found += dof[v, GROWTH] * coordinate_step(slot, dof, i, k)
        else:
            # 2 R_B κ R_Bᵀ φ with φ in world axes
            first = slot[i, FIRST] + slot[i, DOFS] - 3
            sign = 2.0 if dof[first, COSINE] >= 0.0 else -2.0
            u = (sign * dof[first, STEP], sign * dof[first + 1, STEP], sign * dof[first + 2, STEP])
            found += _turn_growth(slot, row, dof, i, first, u)[v - first]
    return found


@kernel
def _turn_growth(slot, row, dof, i, first, u):
    _, q_b = joint_axes(slot, row, i)
    axes = columns(q_b)
    w = against(axes, u)
    return toward(axes, (dof[first, GROWTH] * w[0], dof[first + 1, GROWTH] * w[1], dof[first + 2, GROWTH] * w[2]))


@kernel
def add_coordinate_stiffness(slot, row, dof, i):
    """Add the derivative of `coordinate_residual` to the joint's matrix D, which starts at column INVERSE."""
    first = slot[i, FIRST]
    scalars = scalar_dofs(slot, i)
    for k in range(scalars):
        dof[first + k, INVERSE + k] += dof[first + k, GROWTH]
    if slot[i, TURNING] == FREE_TURN:
        v = first + scalars
        turn_up = get4(row, slot[i, PARENT], TURN)
        back = (turn_up[0], -turn_up[1], -turn_up[2], -turn_up[3])
        sign = 1.0 if dof[v, COSINE] >= 0.0 else -1.0
        phi = (dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP])
        for c in range(3):
            # a turn about world axis c at the end is a turn η about its image at the knot: δ(2φ) = s η − φ×η
            e = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
            eta = add(e, swing(back, e))
            change = scale(sign, axpy(dof[v, COSINE], eta, cross(eta, phi)))
            column = _turn_growth(slot, row, dof, i, v, change)
            for r in range(3):
                dof[v + r, INVERSE + scalars + c] += column[r]
