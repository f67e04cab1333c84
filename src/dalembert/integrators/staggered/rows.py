"""The rows of contact, limits and friction: what they measure of the rates, and the least that each may be.

A contact point with normal n from A to B has the normal rate n·(velocity of B there − that of A) and two rates across
it. With gap φ it may approach by φ/h in a step of length h; where it overlaps, a part γ of the depth is taken back; and
one that comes in at v leaves at −e v at least. [Sueda 2021] eq. (1.90)–(1.93), with Newton's law of impact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dalembert.mechanics.jacobian_products import jacobian_transposed_times
from dalembert.model.system import Floats, Integers

if TYPE_CHECKING:
    from dalembert.contact.query import ContactPoint
    from dalembert.mechanics.reduced_tree import Reduced
    from dalembert.model.model import Model
    from dalembert.model.system import System

SLOW = 1e-2
"""m/s below which an impact does not rebound."""


class ImpulseRows(NamedTuple):
    """Rows with impulses that push only, and rows with impulses that friction bounds (k and f of them)."""

    push: Floats
    """(k, n_v), and (k,) the least rate of each."""
    least: Floats
    slip: Floats
    """(f, n_v) rates that friction resists."""
    share: Floats
    """(f,) its bound: this part of the impulse of the row that presses …"""
    presses: Integers
    """(f,) … which is this one, −1: none …"""
    constant: Floats
    """(f,) … and this impulse, N s or N m s."""


def contact_rows(
    model: Model,
    system: System,
    at: Reduced,
    v: Floats,
    points: Sequence[ContactPoint],
    h: float,
    gain: float,
) -> ImpulseRows:
    """Rows of the contact points."""
    names = [*model.bodies, "world"]
    index = {name: k for k, name in enumerate(names)}
    push, least, slip, share, presses = [], [], [], [], []
    for k, point in enumerate(points):
        first, second = _across(point.normal)
        ends = [index[name] for name in point.bodies]
        middle = 0.5 * (point.point_a + point.point_b)
        row = _row(system, at, ends, middle, point.normal)
        approach = float(row @ v)
        bound = -point.gap / h if point.gap > 0.0 else -gain * point.gap / h
        if point.restitution > 0.0 and approach < -SLOW and point.gap < -approach * h:
            bound = max(bound, -point.restitution * approach)
        push.append(row)
        least.append(bound)
        if point.friction > 0.0:
            slip += [_row(system, at, ends, middle, direction) for direction in (first, second)]
            share += [point.friction] * 2
            presses += [k] * 2
    n = system.n_v
    return ImpulseRows(
        np.array(push).reshape(-1, n),
        np.array(least),
        np.array(slip).reshape(-1, n),
        np.array(share),
        np.array(presses, np.int64),
        np.zeros(len(share)),
    )


def joint_rows(system: System, limits: Floats, friction: Floats, q: Floats, h: float, gain: float) -> ImpulseRows:
    """Rows of limits and of friction in the joints of the tree; both (n_v, …) by rate, limits of angles and lengths."""
    n = system.n_v
    push, least = [], []
    for j in system.tree_joint:
        turns = system.n_coordinates[j] > system.n_rates[j]
        for i in range(system.n_rates[j] - (3 if turns else 0)):
            row, value = system.v_start[j] + i, q[system.q_start[j] + i]
            for sign, room in ((1.0, value - limits[row, 0]), (-1.0, limits[row, 1] - value)):
                if np.isfinite(room):
                    push.append(sign * np.eye(n)[row])
                    least.append(-room / h if room > 0.0 else -gain * room / h)
    rubs = np.flatnonzero(friction > 0.0)
    return ImpulseRows(
        np.array(push).reshape(-1, n),
        np.array(least),
        np.eye(n)[rubs],
        np.zeros(rubs.size),
        np.full(rubs.size, -1, np.int64),
        h * friction[rubs],
    )


def joined(one: ImpulseRows, other: ImpulseRows) -> ImpulseRows:
    """The rows of both."""
    presses = np.where(other.presses >= 0, other.presses + one.least.size, -1)
    return ImpulseRows(
        np.vstack([one.push, other.push]),
        np.concatenate([one.least, other.least]),
        np.vstack([one.slip, other.slip]),
        np.concatenate([one.share, other.share]),
        np.concatenate([one.presses, presses]),
        np.concatenate([one.constant, other.constant]),
    )


def _across(normal: Floats) -> tuple[Floats, Floats]:
    """Two directions that make a right-handed frame with the normal. [Sueda 2021] eq. (2.101)"""
    least = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = np.asarray(np.cross(normal, least), dtype=np.float64)
    first /= np.linalg.norm(first)
    return first, np.asarray(np.cross(normal, first), dtype=np.float64)


def _row(system: System, at: Reduced, ends: Sequence[int], point: Floats, direction: Floats) -> Floats:
    wrenches, out = np.zeros((system.mass.size, 6)), np.zeros(system.n_v)
    for body, sign in zip(ends, (-1.0, 1.0), strict=True):
        wrenches[body, :3] += sign * direction
        wrenches[body, 3:] += sign * np.cross(point - at.position[body], direction)
    jacobian_transposed_times(system, at, wrenches, out)
    return out
