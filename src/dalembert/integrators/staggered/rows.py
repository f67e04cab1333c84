"""The rows of contact, limits and friction: what they measure of the rates, and the least that each may be.

A contact point with normal n from A to B has the normal rate n·(velocity of B there − that of A) and two rates across
it. With gap φ it may approach by φ/h in a step of length h; where it overlaps, a part γ of the depth is taken back; and
one that comes in at v leaves at −e v at least. [Sueda 2021] eq. (1.90)–(1.93), with Newton's law of impact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dalembert.mechanics.jacobian_products import jacobian_transposed_times
from dalembert.model.system import Floats, Integers
from dalembert.spatial.quaternion import rotate, rotate_back

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
    push_on: Floats
    """(k, n + 1, 6) and (f, n + 1, 6) what unit impulses do to bodies, force and torque in world axes at the centre of
    mass; zero for those on rates of the tree."""
    slip_on: Floats


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
    push, least, slip, share, presses, push_on, slip_on = [], [], [], [], [], [], []
    for k, point in enumerate(points):
        first, second = directions_across(point.normal)
        ends = [index[name] for name in point.bodies]
        middle = 0.5 * (point.point_a + point.point_b)
        on = pair_wrenches(at, ends, middle, point.normal)
        row = impulse_row(system, at, on)
        approach = float(row @ v)
        bound = -point.gap / h if point.gap > 0.0 else -gain * point.gap / h
        if point.restitution > 0.0 and approach < -SLOW and point.gap < -approach * h:
            bound = max(bound, -point.restitution * approach)
        push.append(row)
        push_on.append(on)
        least.append(bound)
        if point.friction > 0.0:
            across = [pair_wrenches(at, ends, middle, direction) for direction in (first, second)]
            slip += [impulse_row(system, at, on) for on in across]
            slip_on += across
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
        np.array(push_on).reshape(-1, *at.twist.shape),
        np.array(slip_on).reshape(-1, *at.twist.shape),
    )


def joint_rows(system: System, limits: Floats, friction: Floats, q: Floats, h: float, gain: float) -> ImpulseRows:
    """Rows of limits and of friction in the joints of the tree; both (n_v, …) by rate, limits of angles and lengths."""
    n, bodies = system.n_v, system.mass.size
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
        np.zeros((len(least), bodies, 6)),
        np.zeros((rubs.size, bodies, 6)),
    )


def push_rows(rows: Floats, value: Floats, h: float, gain: float) -> ImpulseRows:
    """Rows (k, n_v) of inequalities with these values: a step takes them to zero at most. ``push_on`` is left out."""
    least = np.where(value > 0.0, -value / h, -gain * value / h)
    none, nothing = np.zeros(0), np.zeros((0, 0, 6))
    empty = np.zeros((0, rows.shape[1]))
    return ImpulseRows(rows.copy(), least, empty, none, none.astype(np.int64), none, nothing, nothing)


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
        _stacked(one.push_on, other.push_on),
        _stacked(one.slip_on, other.slip_on),
    )


def _stacked(one: Floats, other: Floats) -> Floats:
    return other if not len(one) else (one if not len(other) else np.concatenate([one, other]))


def in_body_axes(at: Reduced, wrenches: Floats) -> Floats:
    """The same (n + 1, 6) with torques in the axes of the bodies, as `Loads.external` has them."""
    return _torques_turned(at, wrenches, rotate_back)


def in_world_axes(at: Reduced, wrenches: Floats) -> Floats:
    """The same (n + 1, 6) with torques in world axes instead of those of the bodies."""
    return _torques_turned(at, wrenches, rotate)


def _torques_turned(at: Reduced, wrenches: Floats, turned: Callable[..., tuple[float, ...]]) -> Floats:
    out = wrenches.copy()
    for b in np.flatnonzero(wrenches[:, 3:].any(axis=1)):
        out[b, 3:] = turned(tuple(at.orientation[b].tolist()), tuple(wrenches[b, 3:].tolist()))
    return out


def directions_across(normal: Floats) -> tuple[Floats, Floats]:
    """Two directions that make a right-handed frame with the normal. [Sueda 2021] eq. (2.101)"""
    least = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = np.asarray(np.cross(normal, least), dtype=np.float64)
    first /= np.linalg.norm(first)
    return first, np.asarray(np.cross(normal, first), dtype=np.float64)


def pair_wrenches(
    at: Reduced, ends: Sequence[int], point: Floats, force: Floats, torque: Floats | float = 0.0
) -> Floats:
    """(n + 1, 6) a force at a point, and a torque, on the second of two bodies, and their opposites on the first."""
    out = np.zeros_like(at.twist)
    for body, sign in zip(ends, (-1.0, 1.0), strict=True):
        out[body, :3] += sign * force
        out[body, 3:] += sign * (torque + np.cross(point - at.position[body], force))
    return out


def impulse_row(system: System, at: Reduced, wrenches: Floats) -> Floats:
    """(n_v,) what the wrenches do to the rates."""
    out = np.zeros(system.n_v)
    jacobian_transposed_times(system, at, wrenches.copy(), out)
    return out
