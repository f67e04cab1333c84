"""The residual of a step in generalised coordinates, in O(n²): the form that DRNEA is compared with.

[Johnson 2009] evaluates the discrete Euler–Lagrange equations coordinate by coordinate: coordinate j adds up, over all
bodies outward of its joint, how the Lagrangians of the two intervals change when it changes at the knot that they
share,

    f_j = Σ_b h ∂T_b(q_k, q_{k+1})/∂q_j + h ∂T_b(q_{k−1}, q_k)/∂q_j + h F_b · ∂T_b/∂q_j

with the sign of `drnea`. Derivatives of poses pass from body to body, those of mean velocities follow by dlog. Here the
Lagrangian is that of [Lee 2016], so the residual is DRNEA's to rounding error; the work is what the older form asks
for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_forces import coordinate_residual
from dalembert.integrators.maximal.tree_motion import get4, get_inertia, put3, symmetric
from dalembert.integrators.maximal.tree_plan import (
    ARM,
    AXIS,
    BODY,
    DOFS,
    FIRST,
    INERTIA,
    LEFT,
    MASS,
    PARENT,
    REACH,
    TURN,
)
from dalembert.integrators.minimal.drnea import displacement
from dalembert.integrators.minimal.increments import add_screw
from dalembert.model.state import State
from dalembert.model.system import Floats, Integers, System
from dalembert.spatial.quaternion import conjugate, multiply, rotate, row4
from dalembert.spatial.rigid_motion import dlog, motion_log
from dalembert.spatial.vector import add, cross, dot, part3, scale, unit


class Past(NamedTuple):
    """What the interval before the knot leaves to the residual (n slots)."""

    shift: Floats
    """(n, 3) displacements of the centres of mass over the interval before, in the world."""
    turn: Floats
    """(n, 4) turns over it."""
    inertia: Floats
    """(n, 6) inertia at its start, in world axes."""
    impulse: Floats
    """(n, 6) h F at the knot: force, torque about the centre of mass, in world axes."""
    twist: Floats
    """(n, 6) change of the poses at the knot with one coordinate."""


def past_of(system: System, slot: Integers, before: State, after: State) -> Past:
    """The interval between two states, with no force at the knot that ends it."""
    n = slot.shape[0] - 1
    past = Past(np.zeros((n, 3)), np.zeros((n, 4)), np.zeros((n, 6)), np.zeros((n, 6)), np.zeros((n, 6)))
    for i in range(n):
        b = slot[i, BODY]
        start = row4(before.orientation, b)
        past.shift[i] = after.position[b] - before.position[b]
        past.turn[i] = multiply(row4(after.orientation, b), conjugate(start))
        axes = np.array([rotate(start, unit(k)) for k in range(3)]).T
        j = axes @ system.inertia[b] @ axes.T
        past.inertia[i] = j[0, 0], j[1, 1], j[2, 2], j[1, 2], j[0, 2], j[0, 1]
    return past


@kernel
def svi_residual(slot, row, dof, h, past, out):
    """f of all degrees of freedom into ``out``, after `follow`."""
    n = slot.shape[0] - 1
    for first in range(n):
        for k in range(slot[first, DOFS]):
            total = coordinate_residual(slot, row, dof, first, k)
            for i in range(first, n):
                if _moves(slot, row, dof, past, first, k, i):
                    total -= _work(row, h, past, i)
            out[slot[first, FIRST] + k] = total


@kernel
def _moves(slot, row, dof, past, first, k, i):
    """Whether coordinate k of slot ``first`` moves slot i at the knot; its twist about the reference point is kept."""
    zero = (0.0, 0.0, 0.0)
    up = slot[i, PARENT]
    if i == first:
        linear, angular = add_screw(slot, row, dof, i, k, AXIS, LEFT, 1.0, zero, zero)
    elif up >= first and up != slot.shape[0] - 1:
        angular = part3(past.twist, up, 3)
        linear = add(part3(past.twist, up, 0), cross(angular, part3(row, i, REACH)))
    else:
        linear, angular = zero, zero
    put3(past.twist, i, 0, linear)
    put3(past.twist, i, 3, angular)
    return dot(linear, linear) + dot(angular, angular) > 0.0


@kernel
def _work(row, h, past, i):
    """∂/∂q_j of the Lagrangians of body i over both intervals, and of the work of what acts at the knot."""
    angular = part3(past.twist, i, 3)
    linear = add(part3(past.twist, i, 0), cross(angular, part3(row, i, ARM)))
    # the interval after: its start moves, ΔT ← exp(−twist) ΔT in the axes of the knot
    d, turn = displacement(row, i), get4(row, i, TURN)
    total = _change(h, row[i, MASS], get_inertia(row, i, INERTIA), d, turn, scale(-1.0, linear), scale(-1.0, angular))
    # the interval before: its end moves, seen from its start
    d = part3(past.shift, i, 0)
    turn = (past.turn[i, 0], past.turn[i, 1], past.turn[i, 2], past.turn[i, 3])
    moved = add(linear, cross(d, angular))
    total += _change(h, row[i, MASS], get_inertia(past.inertia, i, 0), d, turn, moved, angular)
    return total + dot(part3(past.impulse, i, 0), linear) + dot(part3(past.impulse, i, 3), angular)


@kernel
def _change(h, mass, inertia, d, turn, linear, angular):
    """G V · δV h for a left perturbation of ΔT, all in world axes at the start of the interval."""
    rho, theta = motion_log(d, turn)
    v, w = dlog(rho, theta, linear, angular)
    return (mass * dot(rho, v) + dot(symmetric(inertia, theta), w)) / h
