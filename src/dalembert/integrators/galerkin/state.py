"""Between the knots of the integrator and the states that users see.

The Legendre transform p = ∂L/∂q̇ = M(q) q̇ and its inverse are inverse and forward dynamics of a mechanism at rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.galerkin.plan import BALL, COORDINATE, DOFS, FIRST, MOTION, REVERSED
from dalembert.mechanics.kinematics import move_bodies, place_bodies
from dalembert.mechanics.recursive import inverse_dynamics
from dalembert.mechanics.recursive_articulated import forward_dynamics
from dalembert.mechanics.recursive_tree import Tree, prepare_tree, tree_memory
from dalembert.model.system import Floats, System
from dalembert.spatial.quaternion import conjugate, rotate, row4, set_row4
from dalembert.spatial.vector import scale


class Instant(NamedTuple):
    """A knot in the coordinates of the model (n bodies, ν rates)."""

    q: Floats
    """(n_q,) minimal coordinates."""
    v: Floats
    """(ν,) minimal rates."""
    momentum: Floats
    """(ν,) conjugate to the rates as the joints were declared."""
    position: Floats
    """(n + 1, 3) and the next three: poses and velocities of the bodies."""
    orientation: Floats
    velocity: Floats
    angular_velocity: Floats
    still: Floats
    """(n + 1, 6) zeros."""
    tree: Tree


def make_instant(system: System) -> Instant:
    """Memory for one knot."""
    n = system.mass.size
    orientation = np.zeros((n, 4))
    orientation[:, 0] = 1.0
    return Instant(
        np.zeros(system.n_q),
        np.zeros(system.n_v),
        np.zeros(system.n_v),
        np.zeros((n, 3)),
        orientation,
        np.zeros((n, 3)),
        np.zeros((n, 3)),
        np.zeros((n, 6)),
        tree_memory(system),
    )


@kernel
def _outwards(plan, i, turn, u):
    """A vector of a ball's declared rates as one of the node's own: −Q(p) u where the joint is crossed."""
    return scale(-1.0, rotate(conjugate(turn), u)) if plan.node[i, REVERSED] else u


@kernel
def _as_declared(plan, i, turn, u):
    """The inverse of `_outwards`, which is also its transpose."""
    return scale(-1.0, rotate(turn, u)) if plan.node[i, REVERSED] else u


@kernel
def enter(system, plan, knot, instant):
    """Set a knot from ``instant.q`` and ``instant.v``."""
    _legendre(system, instant)
    for i in range(plan.node.shape[0] - 1):
        v, c = plan.node[i, FIRST], plan.node[i, COORDINATE]
        if plan.node[i, MOTION] == BALL:
            turn = (instant.q[c], instant.q[c + 1], instant.q[c + 2], instant.q[c + 3])
            turn = conjugate(turn) if plan.node[i, REVERSED] else turn
            set_row4(knot.turn, i, turn)
            p = (instant.momentum[v], instant.momentum[v + 1], instant.momentum[v + 2])
            w = (instant.v[v], instant.v[v + 1], instant.v[v + 2])
            p, w = _outwards(plan, i, turn, p), _outwards(plan, i, turn, w)
            for k in range(3):
                knot.momentum[v + k], knot.ending[v + k] = p[k], w[k]
            continue
        for k in range(plan.node[i, DOFS]):
            knot.start[v + k] = instant.q[c + k]
            knot.momentum[v + k], knot.ending[v + k] = instant.momentum[v + k], instant.v[v + k]
    knot.age[0] = 0


@kernel
def leave(system, plan, knot, instant):
    """Fill the whole instant from a knot."""
    for i in range(plan.node.shape[0] - 1):
        v, c = plan.node[i, FIRST], plan.node[i, COORDINATE]
        if plan.node[i, MOTION] == BALL:
            turn = row4(knot.turn, i)
            p = _as_declared(plan, i, turn, (knot.momentum[v], knot.momentum[v + 1], knot.momentum[v + 2]))
            for k in range(3):
                instant.momentum[v + k] = p[k]
            turn = conjugate(turn) if plan.node[i, REVERSED] else turn
            instant.q[c], instant.q[c + 1], instant.q[c + 2], instant.q[c + 3] = turn
            continue
        for k in range(plan.node[i, DOFS]):
            instant.q[c + k] = knot.start[v + k]
            instant.momentum[v + k] = knot.momentum[v + k]
    _stand(system, instant)
    forward_dynamics(system, instant.tree, instant.orientation, instant.momentum, instant.still, instant.v)
    move_bodies(
        system,
        instant.q,
        instant.v,
        instant.position,
        instant.orientation,
        instant.velocity,
        instant.angular_velocity,
    )


@kernel
def _legendre(system, instant):
    """p = M q̇: what the accelerations q̇ would take from rest."""
    _stand(system, instant)
    inverse_dynamics(system, instant.tree, instant.v, instant.orientation, instant.still, instant.momentum)


@kernel
def _stand(system, instant):
    """Place the bodies, at rest."""
    place_bodies(system, instant.q, instant.position, instant.orientation)
    for k in range(instant.momentum.size):
        instant.tree.drive[k] = 0.0
    for i in range(system.mass.size):
        for k in range(3):
            instant.angular_velocity[i, k] = 0.0
    prepare_tree(
        system, instant.tree, instant.tree.drive, instant.position, instant.orientation, instant.angular_velocity
    )
