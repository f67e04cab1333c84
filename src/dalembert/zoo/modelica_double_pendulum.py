"""The double pendulum of the Modelica Standard Library."""

from __future__ import annotations

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Revolute
from dalembert.model.model import Model
from dalembert.model.shapes import Box


def modelica_double_pendulum() -> Model:
    """Two steel boxes in a row, level and at rest at the start, a damper in the first joint (Modelica MultiBody).

    Length 0.5 m, square section of 0.06 m, density 7700 kg/m³, joint axes z, gravity 9.80665 m/s² along −y.
    """
    builder = ModelBuilder(gravity=(0, -9.80665, 0))
    parent = "world"
    for i, damping in ((1, 0.1), (2, 0.0)):
        shape = Box(0.5, 0.06, 0.06)
        builder.add_body(f"box{i}", shape=shape, density=7700.0, position=(0.5 * i - 0.25, 0, 0))
        anchor = (0.5 * (i - 1), 0, 0)
        kind = Revolute(axis=(0, 0, 1))
        builder.add_joint(f"joint{i}", kind, parent=parent, child=f"box{i}", anchor=anchor, damping=damping)
        parent = f"box{i}"
    return builder.build()
