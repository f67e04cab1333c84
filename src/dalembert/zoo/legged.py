"""Walking machines on open legs: what benchmarks call a quadruped and a humanoid."""

from __future__ import annotations

from dalembert.model.builder import ModelBuilder
from dalembert.model.joint_kind import JointKind
from dalembert.model.joints import Floating, Revolute, Spherical
from dalembert.model.model import Model
from dalembert.model.shapes import Box, Capsule, Sphere
from dalembert.model.state import State
from dalembert.zoo.parts import GRAVITY, quaternion_about

ROLL, PITCH, YAW = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
"""Axes: x forward, y to the left, z up."""


def quadruped(*, damping: float = 0.0) -> Model:
    """A trotting robot of the size of a dog, 25 kg: a free trunk and four legs of hip, thigh and shank.

    13 bodies, 12 revolute joints (roll, pitch and pitch in each leg, ``damping`` in N m s/rad) and a floating base: 18
    degrees of freedom. It stands over the plane z = 0, legs straight; gravity along −z.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    builder.add_body("trunk", shape=Box(0.50, 0.20, 0.15), mass=13.0, position=(0, 0, 0.56))
    builder.add_joint("free", Floating(), parent="world", child="trunk", anchor=(0, 0, 0.56))
    for leg, x, y in (("fl", 0.22, 1.0), ("fr", 0.22, -1.0), ("bl", -0.22, 1.0), ("br", -0.22, -1.0)):
        hip, side = f"{leg}_hip", 0.10 * y
        builder.add_body(hip, shape=Capsule(0.04, 0.06), mass=1.0, position=(x, side + 0.04 * y, 0.52))
        builder.add_body(f"{leg}_thigh", shape=Box(0.05, 0.04, 0.25), mass=1.5, position=(x, side + 0.08 * y, 0.395))
        builder.add_body(f"{leg}_shank", shape=Box(0.03, 0.03, 0.25), mass=0.5, position=(x, side + 0.08 * y, 0.145))
        joints: list[tuple[str, tuple[float, float, float], str, str, tuple[float, float, float]]] = [
            (f"{leg}_roll", ROLL, "trunk", hip, (x, side, 0.52)),
            (f"{leg}_pitch", PITCH, hip, f"{leg}_thigh", (x, side + 0.08 * y, 0.52)),
            (f"{leg}_knee", PITCH, f"{leg}_thigh", f"{leg}_shank", (x, side + 0.08 * y, 0.27)),
        ]
        for name, axis, parent, child, anchor in joints:
            builder.add_joint(name, Revolute(axis=axis), parent=parent, child=child, anchor=anchor, damping=damping)
    return builder.build()


def quadruped_start(model: Model) -> State:
    """In the air, legs bent, turning slowly and kicking."""
    positions: dict[str, object] = {}
    velocities: dict[str, object] = {"free": (0.3, 0.0, 1.0, 0.2, 0.5, -0.3)}
    for k, leg in enumerate(("fl", "fr", "bl", "br")):
        positions |= {f"{leg}_roll": 0.1 * (-1) ** k, f"{leg}_pitch": 0.7, f"{leg}_knee": -1.4}
        velocities |= {f"{leg}_pitch": 2.0 * (-1) ** k, f"{leg}_knee": -1.0}
    return model.state(positions=positions, velocities=velocities)


def humanoid(*, damping: float = 0.0) -> Model:
    """A person of 1.75 m and 75 kg: ball joints in waist, neck, shoulders and hips, hinges in elbows, wrists, knees.

    17 bodies, masses close to those of anthropometric tables; ankles have pitch and roll. With the floating pelvis 34
    degrees of freedom; ``damping`` in N m s/rad in every joint. It stands over z = 0, arms hanging; gravity along −z.
    """
    builder = ModelBuilder(gravity=(0, 0, -GRAVITY))
    ball = Spherical()

    def hang(name: str, kind: JointKind, parent: str, child: str, anchor: tuple[float, float, float]) -> None:
        builder.add_joint(name, kind, parent=parent, child=child, anchor=anchor, damping=damping)

    builder.add_body("pelvis", shape=Box(0.18, 0.32, 0.16), mass=11.0, position=(0, 0, 0.98))
    builder.add_joint("free", Floating(), parent="world", child="pelvis", anchor=(0, 0, 0.98))
    builder.add_body("chest", shape=Box(0.20, 0.34, 0.42), mass=26.5, position=(0, 0, 1.28))
    hang("waist", ball, "pelvis", "chest", (0, 0, 1.06))
    builder.add_body("head", shape=Sphere(0.11), mass=5.5, position=(0, 0, 1.63))
    hang("neck", ball, "chest", "head", (0, 0, 1.50))
    for side, y in (("left", 1.0), ("right", -1.0)):
        arm, leg = 0.21 * y, 0.09 * y
        builder.add_body(f"{side}_upper_arm", shape=Box(0.08, 0.08, 0.28), mass=2.1, position=(0, arm, 1.30))
        hang(f"{side}_shoulder", ball, "chest", f"{side}_upper_arm", (0, arm, 1.44))
        builder.add_body(f"{side}_forearm", shape=Box(0.06, 0.06, 0.26), mass=1.2, position=(0, arm, 1.03))
        hang(f"{side}_elbow", Revolute(axis=PITCH), f"{side}_upper_arm", f"{side}_forearm", (0, arm, 1.16))
        builder.add_body(f"{side}_hand", shape=Box(0.03, 0.08, 0.16), mass=0.45, position=(0, arm, 0.82))
        hang(f"{side}_wrist", Revolute(axis=ROLL), f"{side}_forearm", f"{side}_hand", (0, arm, 0.90))
        builder.add_body(f"{side}_thigh", shape=Box(0.14, 0.14, 0.42), mass=7.5, position=(0, leg, 0.71))
        hang(f"{side}_hip", ball, "pelvis", f"{side}_thigh", (0, leg, 0.92))
        builder.add_body(f"{side}_shank", shape=Box(0.10, 0.10, 0.40), mass=3.5, position=(0, leg, 0.30))
        hang(f"{side}_knee", Revolute(axis=PITCH), f"{side}_thigh", f"{side}_shank", (0, leg, 0.50))
        builder.add_body(f"{side}_ankle", shape=Sphere(0.04), mass=0.25, position=(0, leg, 0.09))
        hang(f"{side}_ankle_pitch", Revolute(axis=PITCH), f"{side}_shank", f"{side}_ankle", (0, leg, 0.09))
        builder.add_body(f"{side}_foot", shape=Box(0.25, 0.09, 0.06), mass=1.0, position=(0.06, leg, 0.03))
        hang(f"{side}_ankle_roll", Revolute(axis=ROLL), f"{side}_ankle", f"{side}_foot", (0, leg, 0.09))
    return builder.build()


def humanoid_start(model: Model) -> State:
    """In a leap: turning, arms and legs swinging."""
    turn = quaternion_about(PITCH, 0.2)
    positions: dict[str, object] = {"waist": turn}
    velocities: dict[str, object] = {"free": (1.0, 0.0, 2.0, 0.1, 0.8, 0.2), "waist": (0.1, -0.5, 0.3)}
    for side, s in (("left", 1.0), ("right", -1.0)):
        positions |= {f"{side}_elbow": -0.6, f"{side}_knee": 0.7, f"{side}_hip": quaternion_about(PITCH, -0.4 * s)}
        velocities |= {f"{side}_shoulder": (0.2 * s, 2.0 * s, 0.0), f"{side}_hip": (0.0, -1.5 * s, 0.1)}
        velocities |= {f"{side}_knee": 1.0, f"{side}_elbow": -1.0}
    return model.state(positions=positions, velocities=velocities)
