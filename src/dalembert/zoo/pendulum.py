"""Chains of equal rods under gravity along −z, hanging from the origin, and their starts."""

from __future__ import annotations

from math import pi
from typing import Any

from dalembert.model.builder import ModelBuilder
from dalembert.model.joint_kind import JointKind
from dalembert.model.joints import Revolute, Spherical
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.zoo.parts import GRAVITY, add_rod, into_axes


def pendulum(
    n: int = 1,
    joint: JointKind | None = None,
    *,
    length: float = 1.0,
    mass: float = 1.0,
    gravity: float = GRAVITY,
    **options: Any,
) -> Model:
    """n equal slender rods in a row below the origin, joined by joints of one kind (revolute about y unless given).

    Bodies ``link1`` … ``linkn``, joints ``joint1`` … ``jointn``; length (m) and mass (kg) are those of one rod and
    ``options`` (stiffness, damping, …) go to every joint.
    """
    kind = Revolute(axis=(0, 1, 0)) if joint is None else joint
    builder = ModelBuilder(gravity=(0, 0, -gravity))
    parent = "world"
    for i in range(1, n + 1):
        top, bottom = (0.0, 0.0, -(i - 1) * length), (0.0, 0.0, -i * length)
        add_rod(builder, f"link{i}", top, bottom, mass=mass)
        builder.add_joint(f"joint{i}", kind, parent=parent, child=f"link{i}", anchor=top, **options)
        parent = f"link{i}"
    return builder.build()


def pendulum_start(model: Model, angle: float = 0.5 * pi, bend: float = 0.0) -> State:
    """At rest, the first rod turned by ``angle`` about y from the vertical and every further one by ``bend`` more.

    For revolute and spherical joints; joints of other kinds start at the reference configuration.
    """
    positions: dict[str, object] = {}
    for i, (name, record) in enumerate(model.joints.items()):
        turn = angle if i == 0 else bend
        if isinstance(record.kind, Revolute):
            positions[name] = turn
        elif isinstance(record.kind, Spherical):
            positions[name] = (0.0, turn, 0.0)
    return model.state(positions=positions)


def double_pendulum(*, length: float = 1.0, mass: float = 1.0, damping: float = 0.0) -> Model:
    """Two equal rods with revolute joints about y: the smallest chaotic mechanism ([Brüdigam 2023] figure 7b).

    Frictionless unless ``damping`` (N m s/rad, at both joints) is given.
    """
    return pendulum(2, length=length, mass=mass, damping=damping)


def pendulum_chain(n: int = 50, joint: JointKind | None = None, *, length: float = 25.0, mass: float = 25.0) -> Model:
    """A chain of n rods with ball joints: a rope of ``length`` (m) and ``mass`` (kg) in all, whatever n is.

    Starts, by `pendulum_chain_start`, as a straight line leaning to the side and swings round the vertical. Its fastest
    motion, neighbouring rods at the top shaking against one another, has ω² = 12 g n² / length: explicit methods and
    variational integrators with forces at the knots alike need a step below 2/ω.
    """
    return pendulum(n, Spherical() if joint is None else joint, length=length / n, mass=mass / n)


def pendulum_chain_start(model: Model, angle: float = pi / 3, spin: float = 0.5) -> State:
    """Straight, leaning by ``angle`` about y, the whole chain turning about the vertical at ``spin`` (rad/s)."""
    rest = pendulum_start(model, angle)
    turn = (0.0, 0.0, spin)
    velocity = [[-spin * y, spin * x, 0.0] for x, y, _ in rest.position]
    rates = [into_axes(q, turn) for q in rest.orientation]
    return model.state_from_bodies(rest.position, rest.orientation, velocity, rates)


def scaled_pendulum(scale: float = 1.0) -> Model:
    """One rod of mass s (kg) and length s² (m): its period is proportional to the scale s ([Brüdigam 2023] 5.3).

    Small swings take 2π √(2l/3g).
    """
    return pendulum(1, length=scale**2, mass=scale)
