"""A chain of closed segments, four links each."""

from __future__ import annotations

from math import pi

import numpy as np

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Revolute
from dalembert.model.model import Model
from dalembert.zoo.parts import GRAVITY, add_rod


def four_bar_chain(segments: int = 3, *, half_angle: float = pi / 6, tilt: float = pi / 6) -> Model:
    """Rhombi of four links (1 m, 1 kg each) hung below one another by their corners ([Brüdigam 2020] figure 6).

    Each has two degrees of freedom and is singular when its links overlap. It starts at rest with ``half_angle`` (rad)
    between each link and the line of the chain, which leans by ``tilt`` from the vertical; gravity along −z, axes y.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    down = np.array([np.sin(tilt), 0.0, -np.cos(tilt)])
    side = np.array([np.cos(tilt), 0.0, np.sin(tilt)])
    along, across = np.cos(half_angle) * down, np.sin(half_angle) * side
    axis = Revolute(axis=(0, 1, 0))
    parent, top = "world", np.zeros(3)
    for i in range(1, segments + 1):
        left, right, bottom = top + along - across, top + along + across, top + 2.0 * along
        upper_left, upper_right, lower_left, lower_right = (
            f"{place}{i}" for place in ("upper_left", "upper_right", "lower_left", "lower_right")
        )
        add_rod(builder, upper_left, top, left)
        add_rod(builder, upper_right, top, right)
        add_rod(builder, lower_left, left, bottom)
        add_rod(builder, lower_right, right, bottom)
        builder.add_joint(f"hook{i}", axis, parent=parent, child=upper_left, anchor=top)
        builder.add_joint(f"top{i}", axis, parent=upper_left, child=upper_right, anchor=top)
        builder.add_joint(f"left{i}", axis, parent=upper_left, child=lower_left, anchor=left)
        builder.add_joint(f"right{i}", axis, parent=upper_right, child=lower_right, anchor=right)
        builder.add_joint(f"bottom{i}", axis, parent=lower_left, child=lower_right, anchor=bottom)
        parent, top = lower_left, bottom
    return builder.build()
