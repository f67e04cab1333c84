"""The memory of the Galerkin integrator: made once for a run, nothing is allocated in a step."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from dalembert.integrators.galerkin.plan import Plan
from dalembert.integrators.galerkin.rule import Rule
from dalembert.model.system import Floats, Integers

# columns of Path.node
FRAME: Final = 0
POINT: Final = 4
SPIN: Final = 7
VELOCITY: Final = 10
CARRIED: Final = 13
ARM_NOW: Final = 16
INERTIA_NOW: Final = 19
MOMENTUM: Final = 25
IMPULSE: Final = 31
PATH_WIDTH: Final = 37

# columns of Path.dof
SCREW: Final = 0
SCREW_RATE: Final = 6
VALUE: Final = 12
RATE: Final = 13
STILL: Final = 14
STILL_RATE: Final = 20
DOF_WIDTH: Final = 26


class Knot(NamedTuple):
    """Where a run is: all that the next step depends on."""

    start: Floats
    """(ν,) coordinates that are lengths and angles; 0 for those of balls."""
    turn: Floats
    """(N + 1, 4) quaternion P of every node that is a ball."""
    momentum: Floats
    """(ν,) p, conjugate to the rates of the nodes (for balls to the angular velocity in the outer axes)."""
    past: Floats
    """(s, ν) increments of the last step, from which the next one starts."""
    ending: Floats
    """(ν,) rates at the end of the last step, by its polynomials."""
    age: Integers
    """(1,) 0 before the first step, then 1."""
    newton_constant: Floats
    """(1,) c of |increment after| = c |increment|², as last observed."""
    patience: Integers
    """(1,) steps to take by Newton's method before cheap increments are tried again."""


class Outside(NamedTuple):
    """What acts during a step, besides gravity and the springs of the joints."""

    joint_force: Floats
    """(ν,) on the minimal rates, as the joints were declared; held over a step."""
    wrench: Floats
    """(r, n + 1, 6) on the bodies at the quadrature points: force in the world, torque in body axes."""


class Path(NamedTuple):
    """A trial of a step: increments and all that follows from them at the r quadrature points, in world axes."""

    delta: Floats
    """(s, ν) increments of the coordinates from the knot to the control points 1 … s: the unknowns."""
    node: Floats
    """(N + 1, r, 37) FRAME quaternion; POINT the reference point; SPIN angular velocity; VELOCITY of the reference
    point; CARRIED velocity of the parent's frame there; ARM_NOW to the centre of mass; INERTIA_NOW; MOMENTUM of all
    that the node carries (linear, then angular about the reference point); IMPULSE on all that, likewise."""
    dof: Floats
    """(ν, r, 26) SCREW [linear at the reference point; angular] and its rate in time, SCREW_RATE; VALUE and RATE of the
    coordinate; for balls STILL and STILL_RATE, the same of a turn at the knot that lasts."""
    residual: Floats
    """(s, ν) of the equations."""
    ending: Floats
    """(ν,) derivative of the action by the last control point."""


class Solver(NamedTuple):
    """The elimination of the unknowns from the leaves inwards, and what of it is kept for solutions.

    z = (η at the turned points; δ̄v at all) are the variations of a node's frame, y = (δ̄Γ at the pushed points; δ̄μ at
    all) those of impulse and momentum of what it carries, both about one point of the world. Y and Z are their lengths.
    The 3 s stand for s times the most degrees of freedom of a node.
    """

    buffer: Floats
    """(buffers, Y, Z + 3 s) the matrix K, y = K z, and beside it the columns of the node's own unknowns."""
    left: Floats
    """(ν, s, Y) H, what a unit of an unknown adds to y."""
    right: Floats
    """(ν, s, Z) X of x = X z + …"""
    pivot: Floats
    """(N, 9 s²) inverses of the pivots Λ."""
    back: Floats
    """(ν, 3) of balls: J_l(ξ^s)⁻ᵀ."""
    screw: Floats
    """(ν, r, 24) SCREW, SCREW_RATE, STILL, STILL_RATE about the common point."""
    row: Floats
    """(3 s + 3, Z + 3 s) rows Θ and Λ of the node being eliminated; the last three of a ball's end."""
    scratch: Floats
    """(2, Z + 3 s)"""
    work: Floats
    """(9 s² + 3 s,) of the inversion of a pivot."""
    side: Floats
    """(3 s + 3,) right-hand side of a node."""
    block: Floats
    """(r, 8, 3, 3) second derivatives of the node's own terms, see `dalembert.integrators.galerkin.own_terms`."""
    y: Floats
    """(N + 1, Y) y of z = 0."""
    z: Floats
    """(N + 1, Z)"""
    x: Floats
    """(s, ν) increments."""
    old_delta: Floats
    """(s, ν) where a line search starts."""
    old_x: Floats
    """(s, ν) its direction."""


def make_knot(plan: Plan, rule: Rule) -> Knot:
    """A knot of zeros."""
    dofs, s = len(plan.law), len(rule.control) - 1
    turn = np.zeros((len(plan.node), 4))
    turn[:, 0] = 1.0
    return Knot(
        np.zeros(dofs),
        turn,
        np.zeros(dofs),
        np.zeros((s, dofs)),
        np.zeros(dofs),
        np.zeros(1, dtype=np.int64),
        np.zeros(1),
        np.zeros(1, dtype=np.int64),
    )


def make_path(plan: Plan, rule: Rule) -> Path:
    """Zeros, with the world in place."""
    dofs, s, r = len(plan.law), len(rule.control) - 1, len(rule.weight)
    path = Path(
        np.zeros((s, dofs)),
        np.zeros((len(plan.node), r, PATH_WIDTH)),
        np.zeros((dofs, r, DOF_WIDTH)),
        np.zeros((s, dofs)),
        np.zeros(dofs),
    )
    path.node[-1, :, FRAME] = 1.0
    return path


def make_solver(plan: Plan, rule: Rule) -> Solver:
    """Zeros of the right shapes."""
    nodes, dofs, s, r = len(plan.node), len(plan.law), len(rule.control) - 1, len(rule.weight)
    y, z = 6 * (rule.n_pushed + r), 6 * (rule.n_turned + r)
    widest = int(plan.node[:, 4].max(initial=1))
    m = s * max(widest, 1)
    return Solver(
        np.zeros((plan.n_buffers, y, z + m)),
        np.zeros((dofs, s, y)),
        np.zeros((dofs, s, z)),
        np.zeros((nodes, m * m)),
        np.zeros((dofs, 3)),
        np.zeros((dofs, r, 24)),
        np.zeros((m + 3, z + m)),
        np.zeros((2, z + m)),
        np.zeros(m * m + m),
        np.zeros(m + 3),
        np.zeros((r, 8, 3, 3)),
        np.zeros((nodes, y)),
        np.zeros((nodes, z)),
        np.zeros((s, dofs)),
        np.zeros((s, dofs)),
        np.zeros((s, dofs)),
    )
