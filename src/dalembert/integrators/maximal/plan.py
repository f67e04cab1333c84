"""Rows, graph and memory of the maximal-coordinate integrator for one model, made before a run."""

from __future__ import annotations

import numpy as np

from dalembert.integrators.maximal.graph_step import Workspace
from dalembert.integrators.maximal.knot import HISTORY, Knot
from dalembert.integrators.maximal.residual import Interval, Trial
from dalembert.linalg.pattern import BlockPattern
from dalembert.model.system import LOWER_PAIR, Floats, Integers, System


def active_components(system: System) -> Integers:
    """(m, 6) 1 for each component that is a row: constraints, and free components with a force of the interval.

    The spring of a free rotation is a potential at the knots and needs no row.
    """
    turning = (system.joint_kind == LOWER_PAIR) & ~system.locked[:, 3:].any(axis=1)
    stiffness = system.stiffness.copy()
    stiffness[turning, 3:] = 0.0
    forced = (stiffness > 0.0) | (system.damping > 0.0) | (system.armature > 0.0)
    return ((system.locked > 0) | forced).astype(np.int64)


def make_workspace(system: System, pattern: BlockPattern) -> Workspace:
    """Zeros of the right shapes."""
    n, m, edges = system.tree_joint.size, system.joint_kind.size, system.incidence_body.size
    interval = Interval(
        target=np.zeros((n + 1, 6)),
        jacobian=np.zeros((edges, 6, 6)),
        value=np.zeros((m, 6)),
        offset=np.zeros((m, 6)),
        compliance=np.zeros((m, 6)),
        turns=np.zeros((m, 4)),
        force=np.zeros((n + 1, 6)),
    )
    trial = Trial(
        velocity=np.zeros((n + 1, 6)),
        multiplier=np.zeros((m, 6)),
        position=np.zeros((n + 1, 3)),
        orientation=world_turns(n),
        value=np.zeros((m, 6)),
        jacobian=np.zeros((edges, 6, 6)),
        body=np.zeros((n + 1, 6)),
        joint=np.zeros((m, 6)),
    )
    return Workspace(
        interval=interval,
        trial=trial,
        values=pattern.values(),
        scratch=pattern.workspace(),
        deficiency=np.zeros(n + m, dtype=np.int64),
        rhs=np.zeros(pattern.n_rows),
        pose_step=np.zeros((n + 1, 6)),
        impulse_step=np.zeros((m, 6)),
        velocity=np.zeros((n + 1, 6)),
        impulse=np.zeros((m, 6)),
        block=np.zeros((3, 3)),
    )


def make_knot(system: System, coordinates: int, rows: int = HISTORY) -> Knot:
    """An empty knot with so many rows in its history."""
    n, m = system.tree_joint.size, system.joint_kind.size
    return Knot(
        position=np.zeros((n + 1, 3)),
        orientation=world_turns(n),
        momentum=np.zeros((n + 1, 6)),
        coordinates=np.zeros(coordinates),
        history=np.zeros((rows, n + 1, 6)),
        age=np.zeros(1, dtype=np.int64),
        multiplier=np.zeros((m, 6)),
        newton_constant=np.zeros(1),
    )


def world_turns(n: int) -> Floats:
    """(n + 1, 4) identity quaternions."""
    turns = np.zeros((n + 1, 4))
    turns[:, 0] = 1.0
    return turns


def typical_length(system: System) -> float:
    """The largest distance of a joint or spring from the centre of mass of a body it touches, or 1 without any."""
    moving = np.concatenate(
        [
            np.linalg.norm(system.parent_point, axis=1)[system.joint_parent < system.tree_joint.size],
            np.linalg.norm(system.child_point, axis=1)[system.joint_child < system.tree_joint.size],
        ]
    )
    longest = float(moving.max(initial=0.0))
    return longest if longest > 0.0 else 1.0
