"""A free body that turns about its middle axis, and turns over."""

from __future__ import annotations

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Floating
from dalembert.model.model import Model
from dalembert.model.shapes import Box
from dalembert.model.state import State


def tumbling_box() -> Model:
    """A box of 0.1 × 0.2 × 0.4 m and 1 kg, free in space without gravity (Dzhanibekov's effect).

    Energy and angular momentum are constant and its body rates are elliptic functions of time.
    """
    builder = ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("box", shape=Box(0.1, 0.2, 0.4), mass=1.0, position=(0, 0, 0))
    builder.add_joint("free", Floating(), parent="world", child="box", anchor=(0, 0, 0))
    return builder.build()


def tumbling_box_start(model: Model, spin: float = 5.0, disturbance: float = 0.01) -> State:
    """Drifting at 0.1 m/s, spinning about the middle axis, with a small ``disturbance`` (rad/s) about the outer ones.

    It is twice as large about the last axis.
    With equal ones this box would creep along the separatrix and never finish turning over.
    """
    velocity, angular_velocity = [[0.1, 0.0, 0.0]], [[disturbance, spin, 2.0 * disturbance]]
    rest = model.state()
    return model.state_from_bodies(rest.position, rest.orientation, velocity, angular_velocity)
