"""The quadrature points of a step side by side: a table whose entries are lanes, one lane a point.

What happens at one quadrature point of a trial is what happens at the others, with other numbers. So one sweep through
the mechanism serves all of them, each in its lane of a register (`dalembert._lanes`). It is for trees of rigid joints,
slides and turns with at most as many quadrature points as there are lanes; lanes beyond the last point stand still.

Unknown are the coordinates' offsets x^a from the knot and rates v^a at the points. With B₀ and B₁ the slopes of all
control points but the last and but the first, w the weights (as a diagonal), φ₁ the values of all control points but
the first, the rates are polynomials of degree s − 1, so

    δ = h G⁻¹ B₁ᵀ w v,    G = B₁ᵀ w B₁,    x = φ₁ δ,    Π = B₁ G⁻¹ B₁ᵀ w

leads back to the increments δ of the control points, and Π projects anything on such polynomials (Π = 1 with Gauss's
points). The rows r_α of `residual` belong to points by ρ = −E r, E = B₀ (B₀ᵀ w B₀)⁻¹, which undoes B₀ᵀ w.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from dalembert._lanes import WIDTH
from dalembert.integrators.galerkin.plan import (
    ARM,
    AXES,
    BALL,
    BODY,
    DOFS,
    FIRST,
    INERTIA,
    MASS,
    MOTION,
    PARENT,
    PITCH,
    REACH,
    REVERSED,
    RIGID,
    SIDE,
    SLIDE,
    Plan,
)
from dalembert.integrators.galerkin.rule import Rule
from dalembert.model.bodies import rotation_matrix
from dalembert.model.system import Floats, Integers

# columns of Points.link; UP the link before (N for the world), KIND a motion of `plan`
UP: Final = 0
KIND: Final = 1
RATE_OF: Final = 2
AXIS_OF: Final = 3
NODE: Final = 4
CARRIES: Final = 5
TILTED: Final = 6
LINK_WIDTH: Final = 7

# columns of Points.fixed: as in `plan`, with the turn SIDE as a matrix, SIGN of the axis
SIDE_MATRIX: Final = 0
REACH_TO: Final = 9
PITCH_OF: Final = 12
SIGN: Final = 13
BODY_MASS: Final = 14
BODY_ARM: Final = 15
BODY_INERTIA: Final = 18
COSINE: Final = 24
SINE: Final = 25
TORQUE_IN_LINK: Final = 26
FORCE: Final = 29
CARRIED_FORCE: Final = 32
START: Final = 35
FIXED_LINK_WIDTH: Final = 36

# columns of Points.row, in world axes unless said otherwise
FRAME_X: Final = 0
FRAME_Y: Final = 3
FRAME_Z: Final = 6
VELOCITY: Final = 9
SPIN: Final = 12
REACH_NOW: Final = 15
AXIS: Final = 18
LINEAR: Final = 21
ANGULAR: Final = 24
TORQUE: Final = 27
REACH_THEN: Final = 30
AXIS_THEN: Final = 33
LIFT: Final = 36
INVERSE: Final = 42
WRENCH: Final = 43
TWIST: Final = 49
ARTICULATED: Final = 55
ROW_WIDTH: Final = 76

# columns of Points.dof
OFFSET: Final = 0
RATE: Final = 1
PUSH: Final = 2
MOMENTUM: Final = 3
ANSWER: Final = 4
DOF_WIDTH: Final = 5

# tables of Points.matrix
PUSH_TO_SIDE: Final = 0
PROJECTION: Final = 1
CHANGE_TO_OFFSET: Final = 2
PAST_TO_OFFSET: Final = 3
PAST_TO_RATE: Final = 4
RATE_TO_INCREMENT: Final = 5
SINGLES: Final = 6

# rows of SINGLES
KNOT_TO_SIDE: Final = 0
WEIGHT: Final = 1
PLACE: Final = 2
RATE_TO_ENDING: Final = 3


class Points(NamedTuple):
    """Memory of the trials of a step by lanes (N links, ν rates). A link is a node, or one axis of a slide."""

    usable: bool
    """Whether mechanism and rule allow lanes."""
    link: Integers
    """(N + 1, 7) UP; KIND; RATE_OF; AXIS_OF the joint's frame; NODE; whether it CARRIES a body; whether it is TILTED
    against the link before."""
    fixed: Floats
    """(N + 1, 36) constants of a link, and what is constant in a step: START, the coordinate at the knot, COSINE and
    SINE of a turn there; the body's TORQUE_IN_LINK; its FORCE and that on all it carries, CARRIED_FORCE, in the world.
    """
    row: Floats
    """(N + 1, 76, WIDTH) FRAME_X, …; VELOCITY of the reference point; SPIN; REACH_NOW from the reference point before;
    AXIS; LINEAR and ANGULAR momentum of all that the link carries and TORQUE on it, about its reference point;
    REACH_THEN and AXIS_THEN when the mass matrix was factored, and of that LIFT = I S, INVERSE = (SᵀI S)⁻¹,
    ARTICULATED inertia; WRENCH and TWIST of a solution with it."""
    dof: Floats
    """(ν, 5, WIDTH) OFFSET from the knot; RATE; PUSH w_a h (Ṡᵀμ + R) + SᵀΓ; MOMENTUM Sᵀμ + P; ANSWER, the change of the
    rate or what leads to it."""
    matrix: Floats
    """(7, WIDTH, WIDTH) tables [from, to]: row ``b`` says what a unit at b adds to all lanes."""
    largest: Floats
    """(1, 2, WIDTH) sizes of the largest change and offset in each lane."""


def make_points(plan: Plan, rule: Rule) -> Points:
    """Zeros, and what does not change."""
    lanes = len(rule.weight) <= WIDTH and len(rule.control) <= WIDTH + 1
    usable = lanes and not (plan.node[:, MOTION] == BALL).any()
    links, fixed = _links(plan) if usable else (np.zeros((1, LINK_WIDTH), np.int64), np.zeros((1, FIXED_LINK_WIDTH)))
    row = np.zeros((len(links), ROW_WIDTH, WIDTH))
    row[-1, [FRAME_X, FRAME_Y + 1, FRAME_Z + 2]] = 1.0
    dof = np.zeros((len(plan.law), DOF_WIDTH, WIDTH))
    return Points(usable, links, fixed, row, dof, _tables(rule, lanes), np.zeros((1, 2, WIDTH)))


def _links(plan: Plan) -> tuple[Integers, Floats]:
    """One link for every node and for every further axis of a slide; the world last."""
    nodes = len(plan.node) - 1
    links: list[list[int]] = []
    fixed: list[Floats] = []
    last: dict[int, int] = {}
    for i in range(nodes):
        node, constants = plan.node[i], plan.fixed[i]
        up, reach = last.get(int(node[PARENT]), -1), constants[REACH : REACH + 3]
        side = rotation_matrix(constants[SIDE : SIDE + 4])
        motion, dofs = int(node[MOTION]), int(node[DOFS])
        for k in range(max(dofs, 1)):
            kind = motion if dofs else RIGID
            axis = int(node[AXES + k]) if kind == SLIDE else int(node[AXES])
            own = np.zeros(FIXED_LINK_WIDTH)
            own[SIDE_MATRIX : SIDE_MATRIX + 9] = side.ravel()
            own[REACH_TO : REACH_TO + 3] = reach
            own[PITCH_OF], own[SIGN] = constants[PITCH], -1.0 if node[REVERSED] else 1.0
            tilted = int(np.abs(side - np.eye(3)).max() > 0.0)
            links.append([up, kind, int(node[FIRST]) + k, axis, i, 0, tilted])
            fixed.append(own)
            up, side, reach = len(links) - 1, np.eye(3), np.zeros(3)
        last[i] = up
        if node[BODY] >= 0:
            links[-1][CARRIES] = 1
            fixed[-1][BODY_MASS] = constants[MASS]
            fixed[-1][BODY_ARM : BODY_ARM + 3] = constants[ARM : ARM + 3]
            fixed[-1][BODY_INERTIA : BODY_INERTIA + 6] = constants[INERTIA : INERTIA + 6]
    links.append([-1, RIGID, 0, 0, nodes, 0, 0])
    fixed.append(np.zeros(FIXED_LINK_WIDTH))
    table = np.array(links, dtype=np.int64)
    table[table[:, UP] < 0, UP] = len(links) - 1
    return table, np.array(fixed)


def _tables(rule: Rule, lanes: bool) -> Floats:
    """The matrices above, for a step of one second."""
    out = np.zeros((7, WIDTH, WIDTH))
    if not lanes:
        return out
    r, s = len(rule.weight), len(rule.control) - 1
    w, first, last = np.diag(rule.weight), rule.slope[:, :s], rule.slope[:, 1:]
    to_increment = np.linalg.solve(last.T @ w @ last, last.T @ w)
    to_side = np.linalg.solve((first.T @ w @ first).T, first.T).T
    offset = rule.phi[:, 1:]
    for table, matrix in (
        (PUSH_TO_SIDE, to_side @ rule.phi[:, :s].T),
        (PROJECTION, last @ to_increment),
        (CHANGE_TO_OFFSET, offset @ to_increment),
        (PAST_TO_OFFSET, offset @ rule.ahead[:, 1:]),
        (PAST_TO_RATE, last @ rule.ahead[:, 1:]),
        (RATE_TO_INCREMENT, to_increment),
    ):
        out[table, : matrix.shape[1], : matrix.shape[0]] = matrix.T
    out[SINGLES, KNOT_TO_SIDE, :r] = to_side[:, 0]
    out[SINGLES, WEIGHT, :r] = rule.weight
    out[SINGLES, PLACE, :r] = rule.phi @ rule.control
    out[SINGLES, RATE_TO_ENDING, :r] = rule.final[1:] @ to_increment
    return out
