"""A pole on a cart: the usual test of controllers."""

from __future__ import annotations

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Prismatic, Revolute
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.zoo.parts import GRAVITY, add_rod


def cart_pole(*, cart_mass: float = 1.0, pole_mass: float = 0.1, length: float = 1.0) -> Model:
    """A cart on a rail along x, and a rod of ``length`` (m) hinged on it about y, upright at the reference.

    Joints: "rail" (m) and "hinge" (rad); gravity along −z.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    side = cart_mass / 12.0
    builder.add_body("cart", mass=cart_mass, inertia=(0.02 * side, 0.05 * side, 0.05 * side))
    add_rod(builder, "pole", (0, 0, 0), (0, 0, length), mass=pole_mass)
    builder.add_joint("rail", Prismatic(axis=(1, 0, 0)), parent="world", child="cart", anchor=(0, 0, 0))
    builder.add_joint("hinge", Revolute(axis=(0, 1, 0)), parent="cart", child="pole", anchor=(0, 0, 0))
    return builder.build()


def cart_pole_start(model: Model) -> State:
    """At rest, the pole 0.1 rad off the vertical: it falls and swings about the hanging pose."""
    return model.state(positions={"hinge": 0.1})
