"""Joints that follow others: coordinates q_k = f(q_i) of fewer independent ones, [Sueda 2021] section 2.6.

With J = ∂q/∂r, whose rows are unit rows for independent coordinates and f′ for followers,

    v_k = f′ v_i,     v̇_k = f′ v̇_i + f″ v_i²,      Jᵀ g = 0,

so that any equations g of the tree become those of its independent coordinates. f is a multiple, q_k = a + b q_i, or a
cubic spline of q_i through given values (`dalembert.spatial.cubic_spline`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.model.system import Floats, Integers
from dalembert.spatial.cubic_spline import segment, weights


class Followers(NamedTuple):
    """Which rates follow which (n_v rates of the tree, m of them independent)."""

    leader: Integers
    """(n_v,) the rate that each one follows, −1 for independent ones."""
    free: Integers
    """(m,) the independent rates."""
    place: Integers
    """(n_v,) the coordinate of a rate that is a length or an angle."""
    line: Floats
    """(n_v, 2) a and b of a multiple; for a spline, q_i at its first value and the distance from value to value."""
    first: Integers
    """(n_v,) where the control values of a spline begin, −1 for a multiple."""
    segments: Integers
    """(n_v,) of a spline."""
    closed: Integers
    """(n_v,) 1 where it repeats."""
    control: Floats
    """Control values of all splines."""


def no_followers(n_v: int) -> Followers:
    """All rates independent."""
    whole = np.zeros(n_v, np.int64)
    return Followers(
        leader=whole - 1,
        free=np.arange(n_v),
        place=whole.copy(),
        line=np.zeros((n_v, 2)),
        first=whole - 1,
        segments=whole.copy(),
        closed=whole.copy(),
        control=np.zeros(0),
    )


@kernel
def follower_function(followers, k, x):
    """(f, f′, f″, f‴) of the follower k where its leader is at x."""
    if followers.first[k] < 0:
        return followers.line[k, 0] + followers.line[k, 1] * x, followers.line[k, 1], 0.0, 0.0
    step = followers.line[k, 1]
    s, u = segment((x - followers.line[k, 0]) / step, followers.segments[k], followers.closed[k])
    a, b, c, d = weights(u, 0), weights(u, 1), weights(u, 2), weights(u, 3)
    f = f1 = f2 = f3 = 0.0
    for i in range(4):
        value = followers.control[followers.first[k] + s + i]
        f += a[i] * value
        f1 += b[i] * value
        f2 += c[i] * value
        f3 += d[i] * value
    return f, f1 / step, f2 / (step * step), f3 / (step * step * step)


@kernel
def place_followers(followers, q, v, acceleration):
    """Coordinates, rates and accelerations of all followers from those of their leaders, in place."""
    for k in range(followers.leader.size):
        i = followers.leader[k]
        if i >= 0:
            f, f1, f2, _ = follower_function(followers, k, q[followers.place[i]])
            q[followers.place[k]] = f
            v[k] = f1 * v[i]
            acceleration[k] = f1 * acceleration[i] + f2 * v[i] * v[i]


@kernel
def gather_followers(followers, q, demand):
    """Jᵀ g: add what followers demand to their leaders, in place."""
    for k in range(followers.leader.size):
        i = followers.leader[k]
        if i >= 0:
            demand[i] += follower_function(followers, k, q[followers.place[i]])[1] * demand[k]
