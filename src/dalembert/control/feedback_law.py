"""Linear feedback u = u₀ − G δ, at most ± limit, as a law of a table of numbers.

δ = (motion, rates − rates₀) of all minimal rates; the motion of a joint that turns freely is the rotation vector from
the reference to it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from dalembert._jit import kernel
from dalembert._laws import Law
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import log, relative

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State

JOINTS: Final = 0
MINIMAL: Final = 1
DRIVEN: Final = 2
LIMIT: Final = 3
HEAD: Final = 4
COORDINATE: Final = 0
RATE: Final = 1
SCALARS: Final = 2
TURNS: Final = 3
REFERENCE: Final = 4
BLOCK: Final = 11
"""Columns of the head of the table (how many joints of the tree, minimal rates and driven rates, the largest force) and
of the joints behind it (where a joint stands in coordinates and rates, how many of them are lengths and angles, whether
a quaternion follows, its reference). Then rates₀, which rates are driven, u₀, and the rows of G."""


def feedback_law(time, motion, parameters, memory, force):
    """The law."""
    joints, n_v = int(parameters[JOINTS]), int(parameters[MINIMAL])
    driven, limit = int(parameters[DRIVEN]), parameters[LIMIT]
    rates = HEAD + BLOCK * joints
    columns, gain = rates + n_v, rates + n_v + 2 * driven
    for i in range(driven):
        force[int(parameters[columns + i])] = parameters[columns + driven + i]
    for j in range(joints):
        at = HEAD + BLOCK * j
        coordinate, rate = int(parameters[at + COORDINATE]), int(parameters[at + RATE])
        scalars, reference = int(parameters[at + SCALARS]), at + REFERENCE
        for k in range(scalars):
            away = motion.coordinates[coordinate + k] - parameters[reference + k]
            feed(parameters, columns, gain, driven, n_v, rate + k, away, force)
        if parameters[at + TURNS] != 0.0:
            p, c = reference + scalars, coordinate + scalars
            goal = (parameters[p], parameters[p + 1], parameters[p + 2], parameters[p + 3])
            now = (
                motion.coordinates[c],
                motion.coordinates[c + 1],
                motion.coordinates[c + 2],
                motion.coordinates[c + 3],
            )
            turn = log(relative(goal, now))
            for k in range(3):
                feed(parameters, columns, gain, driven, n_v, rate + scalars + k, turn[k], force)
    for v in range(n_v):
        away = motion.rates[v] - parameters[rates + v]
        feed(parameters, columns, gain, driven, n_v, n_v + v, away, force)
    for i in range(driven):
        column = int(parameters[columns + i])
        force[column] = min(max(force[column], -limit), limit)


@kernel
def feed(parameters, columns, gain, driven, n_v, column, away, force):
    """u −= G δ for one entry of δ."""
    for i in range(driven):
        force[int(parameters[columns + i])] -= parameters[gain + 2 * n_v * i + column] * away


def feedback_table(
    model: Model, state: State, driven: tuple[int, ...], holding: Floats, gain: Floats, limit: float
) -> Floats:
    """The parameters of the law for a gain (m, 2 n_v)."""
    n_v = model.system.n_v
    blocks = []
    for joint in model.joints.values():
        if joint.in_tree and joint.components:
            block = np.zeros(BLOCK)
            reference = state.coordinates[joint.coordinates]
            turns = joint.kind.turns_freely
            block[COORDINATE], block[RATE], block[TURNS] = joint.coordinates.start, joint.rates.start, turns
            block[SCALARS] = len(joint.components) - (3 if turns else 0)
            block[REFERENCE : REFERENCE + reference.size] = reference
            blocks.append(block)
    head = [len(blocks), n_v, len(driven), limit]
    return np.concatenate([head, *blocks, state.rates[:n_v], driven, holding, gain.ravel()])


@cache
def compiled_feedback() -> Law:
    """The law as machine code, which is kept on disk."""
    return Law(feedback_law, cached=True)
