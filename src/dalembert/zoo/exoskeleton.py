"""An arm in an exoskeleton: two connected loops through attachments that slide, turn and give."""

from __future__ import annotations

from math import pi

from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Planar, Revolute, Spherical
from dalembert.model.model import Model
from dalembert.model.shapes import Box, Capsule
from dalembert.model.state import State
from dalembert.zoo.parts import GRAVITY

UPPER, LOWER = 0.30, 0.34
"""Lengths (m) of the upper arm, and of the forearm with the hand."""
UPPER_MASS, LOWER_MASS = 2.1, 1.7
"""Of an arm of a person of 75 kg."""
OFFSET = (0.005, 0.06, 0.008)
"""From the shoulder of the person to that of the exoskeleton (m): never quite the same point, and beside the arm."""
HOLD, HOLD_DAMPING = 200.0, 10.0
"""N m/rad and N m s/rad of the two motors that keep the upper arm in its plane."""
ROTOR = 0.05
"""Inertia (kg m²) of the rotors of the two motors that lead, as felt behind their gears."""
STRAP = (1500.0, 1500.0, 5.0)
"""Stiffness of an attachment: N/m along and across the arm, N m/rad about the axis of the elbow."""
STRAP_DAMPING = (40.0, 40.0, 0.2)


def exoskeleton(*, elbow_stiffness: float = 0.0, elbow_damping: float = 0.1) -> Model:
    """An exoskeleton of four motors on an arm: 6 bodies, two connected loops, 5 degrees of freedom.

    The person: a ball joint ``shoulder`` and a hinge ``elbow`` with the given stiffness (N m/rad, from an elbow bent by
    45°) and damping (N m s/rad). The exoskeleton beside it: ``abduction``, ``rotation`` and ``flexion`` at its
    shoulder, whose first two are held by springs, and ``exo_elbow``. Each of two attachments is a planar joint, two
    translations and a rotation, with springs and dampers; the second loop holds three directions that the first one
    holds already.
    x forward, y to the left, z up; the arm hangs. Flexion lifts the arm forward, the elbows bend at negative angles.

    [Brüdigam 2023] section 5.4 gives the kinematics; dimensions and masses here are those of an adult.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    lift, bend, elbow = Revolute(axis=(0, -1, 0)), Revolute(axis=(0, 1, 0)), (0.0, 0.0, -UPPER)
    builder.add_body("upper_arm", shape=Capsule(0.04, UPPER - 0.08), mass=UPPER_MASS, position=(0, 0, -0.5 * UPPER))
    builder.add_body(
        "forearm", shape=Capsule(0.03, LOWER - 0.06), mass=LOWER_MASS, position=(0, 0, -UPPER - 0.45 * LOWER)
    )
    builder.add_joint("shoulder", Spherical(), parent="world", child="upper_arm", anchor=(0, 0, 0), damping=0.2)
    builder.add_joint(
        "elbow",
        bend,
        parent="upper_arm",
        child="forearm",
        anchor=elbow,
        stiffness=elbow_stiffness,
        rest=-0.25 * pi,
        damping=elbow_damping,
    )
    x, y, z = OFFSET
    top, knee = (x, y, z), (x, y, z - UPPER)
    builder.add_body("yoke", shape=Box(0.06, 0.03, 0.10), mass=0.5, position=(x, y + 0.02, z + 0.05))
    builder.add_body("swivel", shape=Box(0.06, 0.03, 0.10), mass=0.4, position=(x, y + 0.02, z))
    builder.add_body("upper_shell", shape=Box(0.05, 0.02, UPPER), mass=0.8, position=(x, y, z - 0.5 * UPPER))
    builder.add_body("lower_shell", shape=Box(0.04, 0.02, 0.22), mass=0.5, position=(x, y, z - UPPER - 0.11))
    for name, axis, parent, child in (
        ("abduction", (1, 0, 0), "world", "yoke"),
        ("rotation", (0, 0, 1), "yoke", "swivel"),
    ):
        hinge = Revolute(axis=axis)
        builder.add_joint(name, hinge, parent=parent, child=child, anchor=top, stiffness=HOLD, damping=HOLD_DAMPING)
    builder.add_joint("flexion", lift, parent="swivel", child="upper_shell", anchor=top, armature=ROTOR)
    builder.add_joint("exo_elbow", bend, parent="upper_shell", child="lower_shell", anchor=knee, armature=ROTOR)
    for name, shell, limb, height in (
        ("upper_strap", "upper_shell", "upper_arm", -0.6 * UPPER),
        ("lower_strap", "lower_shell", "forearm", -UPPER - 0.4 * LOWER),
    ):
        builder.add_joint(
            name,
            Planar(axis=(0, 1, 0)),
            parent=shell,
            child=limb,
            anchor=(0.0, 0.0, height),
            stiffness=STRAP,
            damping=STRAP_DAMPING,
            closes_loop=True,
        )
    return builder.build()


def exoskeleton_start(model: Model) -> State:
    """Upper arm and elbow at 45°, on the way of the exercise in `dalembert.studies.exoskeleton`."""
    rate = 0.25 * pi
    positions = {"flexion": rate, "exo_elbow": -rate, "shoulder": (0.0, -rate, 0.0), "elbow": -rate}
    velocities = {"flexion": rate, "exo_elbow": rate, "shoulder": (0.0, -rate, 0.0), "elbow": rate}
    rough = model.state(positions=positions, velocities=velocities)
    return model.assemble(rough, hold=("flexion", "exo_elbow")).state
