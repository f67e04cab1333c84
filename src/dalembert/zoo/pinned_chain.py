"""A chain held at both ends: one loop of any length."""

from __future__ import annotations

from math import pi

import numpy as np

from dalembert.model.builder import ModelBuilder
from dalembert.model.joint_kind import JointKind
from dalembert.model.joints import Revolute
from dalembert.model.model import Model
from dalembert.zoo.parts import GRAVITY, add_rod


def pinned_chain(n: int = 10, joint: JointKind | None = None, *, tilt: float = 0.3) -> Model:
    """n links (1 m, 1 kg each) between two pins: an n-link pendulum with its end closed.

    [Brüdigam 2020] figure 5(b). It starts at rest as the lower half of a regular 2n-gon, turned by ``tilt`` (rad)
    so that it swings; its joints are revolute about y unless given; gravity along −z.
    """
    kind = Revolute(axis=(0, 1, 0)) if joint is None else joint
    radius = 0.5 / np.sin(0.5 * pi / n)
    angles = pi + tilt + pi / n * np.arange(n + 1)
    points = radius * np.stack([np.cos(angles), 0.0 * angles, np.sin(angles)], axis=1)
    points -= points[0]
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    parent = "world"
    for i in range(1, n + 1):
        add_rod(builder, f"link{i}", points[i - 1], points[i])
        builder.add_joint(f"joint{i}", kind, parent=parent, child=f"link{i}", anchor=points[i - 1])
        parent = f"link{i}"
    builder.add_joint("end", kind, parent="world", child=parent, anchor=points[n])
    return builder.build()
