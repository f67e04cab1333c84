"""Loops that share bodies."""

from __future__ import annotations

from math import cos, sin

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Revolute
from dalembert.model.model import Model
from dalembert.zoo.parts import GRAVITY, add_rod


def ladder(n: int = 5, *, angle: float = 0.8, width: float = 0.5) -> Model:
    """A rope ladder in its plane: n rungs of ``width`` (m, 1 kg), each hung by two rails (1 m, 1 kg) from the last.

    Every rung belongs to two loops and stays level, so there are n degrees of freedom: the slopes of the pairs of
    rails. They start at rest, ``angle`` (rad) from the vertical; gravity along −z, axes y.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    axis = Revolute(axis=(0, 1, 0))
    parent, x, z = "world", 0.0, 0.0
    for i in range(1, n + 1):
        below_x, below_z = x + sin(angle), z - cos(angle)
        left, right, rung = f"left{i}", f"right{i}", f"rung{i}"
        add_rod(builder, left, (x, 0, z), (below_x, 0, below_z))
        add_rod(builder, right, (x + width, 0, z), (below_x + width, 0, below_z))
        add_rod(builder, rung, (below_x, 0, below_z), (below_x + width, 0, below_z))
        builder.add_joint(f"top_left{i}", axis, parent=parent, child=left, anchor=(x, 0, z))
        builder.add_joint(f"top_right{i}", axis, parent=parent, child=right, anchor=(x + width, 0, z))
        builder.add_joint(f"foot_left{i}", axis, parent=left, child=rung, anchor=(below_x, 0, below_z))
        builder.add_joint(f"foot_right{i}", axis, parent=right, child=rung, anchor=(below_x + width, 0, below_z))
        parent, x, z = rung, below_x, below_z
    return builder.build()
