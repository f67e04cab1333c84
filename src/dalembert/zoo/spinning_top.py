"""The heavy symmetric top."""

from __future__ import annotations

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Spherical
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.zoo.parts import GRAVITY


def spinning_top() -> Model:
    """A disc of 1 kg whose axis stands on a fixed point 0.1 m below its centre: nutation, precession and spin.

    Upright at the reference configuration, its third axis along z; inertia 0.02 kg m² about that axis and 0.01 across.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    builder.add_body("top", mass=1.0, inertia=(0.01, 0.01, 0.02), position=(0, 0, 0.1))
    builder.add_joint("tip", Spherical(), parent="world", child="top", anchor=(0, 0, 0))
    return builder.build()


def spinning_top_start(model: Model, tilt: float = 0.5, spin: float = 30.0) -> State:
    """Leaning by ``tilt`` (rad) about x and spinning about its own axis at ``spin`` (rad/s)."""
    return model.state(positions={"tip": (tilt, 0.0, 0.0)}, velocities={"tip": (0.0, 0.0, spin)})
