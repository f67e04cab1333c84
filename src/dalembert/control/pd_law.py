"""Proportional and derivative action at joints, as a law of a table of numbers.

    force = k (goal − position) + d (goal rate − rate), at most ± limit,

where goal − position of a joint that turns freely is the rotation vector from the one turn to the other, in the axes of
the joint's second frame, as its rates are.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from dalembert._jit import kernel
from dalembert._laws import Law
from dalembert.control.path import COMPONENTS, follow
from dalembert.spatial.quaternion import exp, log, normalize, relative
from dalembert.spatial.rotation import exp_rate

COORDINATE: Final = 0
RATE: Final = 1
SCALARS: Final = 2
TURNS: Final = 3
STIFFNESS: Final = 4
DAMPING: Final = 5
LIMIT: Final = 6
PATH: Final = 7
GOAL: Final = 8
GOAL_RATE: Final = 15
BLOCK: Final = 21
"""Columns of a joint in the table, behind the count of joints: where it stands in the coordinates and rates, how many
of them are lengths and angles, whether a quaternion follows, the gains, where its path begins (−1: none), and the goal
and its rate for a joint without a path."""


def pd_law(time, motion, parameters, memory, force):
    """The law: the table in ``parameters``, no memory."""
    for j in range(int(parameters[0])):
        at = 1 + BLOCK * j
        coordinate, rate = int(parameters[at + COORDINATE]), int(parameters[at + RATE])
        scalars, path = int(parameters[at + SCALARS]), int(parameters[at + PATH])
        for k in range(scalars):
            goal, goal_rate = parameters[at + GOAL + k], parameters[at + GOAL_RATE + k]
            if path >= 0:
                goal, goal_rate = follow(parameters, path, time, k)
            pull(parameters, at, goal - motion.coordinates[coordinate + k], goal_rate, motion, force, rate + k)
        if parameters[at + TURNS] != 0.0:
            c = coordinate + scalars
            goal, goal_rate = turn_goal(parameters, at, path, scalars, time)
            now = (
                motion.coordinates[c],
                motion.coordinates[c + 1],
                motion.coordinates[c + 2],
                motion.coordinates[c + 3],
            )
            error = log(relative(now, goal))
            for k in range(3):
                pull(parameters, at, error[k], goal_rate[k], motion, force, rate + scalars + k)


@kernel
def pull(parameters, at, error, goal_rate, motion, force, rate):
    """The force of one rate."""
    limit = parameters[at + LIMIT]
    wanted = parameters[at + STIFFNESS] * error + parameters[at + DAMPING] * (goal_rate - motion.rates[rate])
    force[rate] = min(max(wanted, -limit), limit)


@kernel
def turn_goal(parameters, at, path, scalars, time):
    """(quaternion, angular velocity in its own axes) of the goal of a joint that turns freely."""
    g, w = at + GOAL + scalars, at + GOAL_RATE + scalars
    if path < 0:
        goal = (parameters[g], parameters[g + 1], parameters[g + 2], parameters[g + 3])
        return goal, (parameters[w], parameters[w + 1], parameters[w + 2])
    x, dx = follow(parameters, path, time, scalars)
    y, dy = follow(parameters, path, time, scalars + 1)
    z, dz = follow(parameters, path, time, scalars + 2)
    if int(parameters[path + COMPONENTS]) == scalars + 3:
        return exp((x, y, z)), exp_rate((x, y, z), (dx, dy, dz))
    # four numbers p that are close to a unit quaternion: ω = 2 vec(p̄ ṗ)/|p|²
    u, du = follow(parameters, path, time, scalars + 3)
    p = (x, y, z, u)
    turn = relative(p, (dx, dy, dz, du))
    size = 2.0 / (x * x + y * y + z * z + u * u)
    return normalize(p), (size * turn[1], size * turn[2], size * turn[3])


@cache
def compiled_pd() -> Law:
    """The law as machine code, which is kept on disk."""
    return Law(pd_law, cached=True)
