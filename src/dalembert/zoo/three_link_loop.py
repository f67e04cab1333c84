"""Three links and the ground: the smallest planar loop that moves."""

from __future__ import annotations

from math import cos, sin, sqrt

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Revolute
from dalembert.model.model import Model
from dalembert.zoo.parts import GRAVITY, add_rod


def three_link_loop(angle: float = 1.2, *, ground: float = 0.5) -> Model:
    """Links of 1, √2/2 and 1 m (and as many kg) between two pins on a level ground line ([Brüdigam 2023] figure 7a).

    The paper leaves the distance of the pins open: it is ``ground`` (m), here the shortest side, so that both outer
    links can turn all the way and never line up with the coupler. The first link starts at rest, turned by ``angle``
    (rad) from the vertical, away from the second pin; gravity along −z, axes y.
    """
    short = sqrt(0.5)
    left, right = (0.0, 0.0, 0.0), (ground, 0.0, 0.0)
    p = (-sin(angle), 0.0, -cos(angle))
    q = _below(p, short, right, 1.0)
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    add_rod(builder, "left", left, p)
    add_rod(builder, "coupler", p, q, mass=short)
    add_rod(builder, "right", right, q)
    axis = Revolute(axis=(0, 1, 0))
    builder.add_joint("left_pin", axis, parent="world", child="left", anchor=left)
    builder.add_joint("left_knee", axis, parent="left", child="coupler", anchor=p)
    builder.add_joint("right_pin", axis, parent="world", child="right", anchor=right)
    builder.add_joint("right_knee", axis, parent="right", child="coupler", anchor=q)
    return builder.build()


def _below(
    a: tuple[float, float, float], ra: float, b: tuple[float, float, float], rb: float
) -> tuple[float, float, float]:
    """The lower of the two points in the plane y = 0 at distance ``ra`` from a and ``rb`` from b (right of a)."""
    dx, dz = b[0] - a[0], b[2] - a[2]
    d2 = dx * dx + dz * dz
    along = 0.5 * (ra * ra - rb * rb + d2) / d2
    across = sqrt(ra * ra / d2 - along * along)
    return (a[0] + along * dx + across * dz, 0.0, a[2] + along * dz - across * dx)
