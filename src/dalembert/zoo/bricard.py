"""The overconstrained loop of six revolute joints."""

from __future__ import annotations

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Revolute
from dalembert.model.model import Model
from dalembert.zoo.parts import GRAVITY, add_rod, square_rod_inertia

POINTS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
AXES = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))


def bricard() -> Model:
    """A04 of the IFToMM benchmarks: five rods and the ground in a ring of revolute joints, one constraint redundant.

    Rods of 1 m, 1 kg and a square section of 0.1 m along the edges of a cube, at rest; gravity along −y.
    """
    builder = ModelBuilder(gravity=(0, -GRAVITY, 0))
    inertia = square_rod_inertia(1.0, 0.1, 1.0)
    for i in range(1, 6):
        add_rod(builder, f"rod{i}", POINTS[i - 1], POINTS[i], inertia=inertia)
    for i in range(5):
        parent = "world" if i == 0 else f"rod{i}"
        builder.add_joint(f"P{i}", Revolute(axis=AXES[i]), parent=parent, child=f"rod{i + 1}", anchor=POINTS[i])
    builder.add_joint("P5", Revolute(axis=AXES[5]), parent="world", child="rod5", anchor=POINTS[5])
    return builder.build()
