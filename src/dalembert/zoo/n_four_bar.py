"""Parallel cranks joined in a row: the benchmark that passes through singular configurations."""

from __future__ import annotations

import numpy as np

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Revolute
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.zoo.parts import GRAVITY, add_rod


def n_four_bar(n: int = 2) -> Model:
    """A02 of the IFToMM benchmarks: n + 1 upright rods on the ground, tips joined by n level rods (1 m, 1 kg each).

    Twice a turn all rods lie on one line, where the mechanism could leave the parallelogram. Gravity along −y.
    """
    builder = ModelBuilder(gravity=(0, -GRAVITY, 0))
    axis = Revolute(axis=(0, 0, 1))
    for i in range(n + 1):
        add_rod(builder, f"vertical{i}", (i, 0, 0), (i, 1, 0))
        builder.add_joint(f"ground{i}", axis, parent="world", child=f"vertical{i}", anchor=(i, 0, 0))
    for i in range(1, n + 1):
        add_rod(builder, f"horizontal{i}", (i - 1, 1, 0), (i, 1, 0))
        for side, k in (("left", i - 1), ("right", i)):
            name, parent = f"{side}{i}", f"vertical{k}"
            builder.add_joint(name, axis, parent=parent, child=f"horizontal{i}", anchor=(k, 1, 0))
    return builder.build()


def n_four_bar_start(model: Model, tip_speed: float = 1.0) -> State:
    """Upright, every tip moving at ``tip_speed`` (m/s) along +x."""
    state = model.state()
    upright = state.position[:, 1] < 0.75
    velocity = np.zeros_like(state.position)
    velocity[:, 0] = np.where(upright, 0.5, 1.0) * tip_speed
    angular_velocity = np.zeros_like(state.position)
    angular_velocity[:, 2] = np.where(upright, -tip_speed, 0.0)
    return model.state_from_bodies(state.position, state.orientation, velocity, angular_velocity)


def double_four_bar() -> Model:
    """The double four-bar linkage of [Brüdigam 2023] figure 12: `n_four_bar` with n = 2."""
    return n_four_bar(2)
