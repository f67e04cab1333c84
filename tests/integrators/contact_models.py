"""Small mechanisms that touch something, for the tests of contact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import dalembert as da

G = 9.81


def free(builder: da.ModelBuilder, name: str) -> None:
    """Let a body move freely and touch."""
    builder.add_joint(f"{name} free", da.Floating(), parent="world", child=name)
    builder.add_contact(name)


def cube(height: float, edge: float = 0.5, **ground: Any) -> da.Model:
    """A cube of 1 kg over the ground."""
    b = da.ModelBuilder(gravity=(0, 0, -G))
    b.add_body("cube", mass=1.0, shape=da.Box(edge, edge, edge), position=(0, 0, 0.5 * edge + height))
    free(b, "cube")
    b.add_ground(**ground)
    return b.build()


def tilted_ground(slope: float, shape: da.Shape, height: float, friction: float, heading: float = 0.0) -> da.Model:
    """A body of 1 kg on a plane that falls by ``slope``, radians, in the direction ``heading``; gravity is tilted."""
    down = np.array([np.sin(slope) * np.cos(heading), np.sin(slope) * np.sin(heading), -np.cos(slope)])
    b = da.ModelBuilder(gravity=tuple(G * down))
    b.add_body("body", mass=1.0, shape=shape, position=(0, 0, height))
    free(b, "body")
    b.add_ground(friction=friction)
    return b.build()


def run_of(
    model: da.Model,
    duration: float,
    dt: float,
    velocity: Sequence[float] | None = None,
    spin: Sequence[float] | None = None,
) -> da.Trajectory:
    """A run of a single free body from the reference configuration."""
    state = model.state()
    if velocity is not None or spin is not None:
        state = model.state_from_bodies(
            state.position, state.orientation, [velocity or (0.0, 0.0, 0.0)], [spin or (0.0, 0.0, 0.0)]
        )
    return da.simulate(model, state, duration=duration, dt=dt, integrator=da.MaximalVI())


def corners(run: da.Trajectory, name: str, half: float) -> np.ndarray:
    """(N, 8) heights of the corners of a cube."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    return np.stack([run.body(name).point(tuple(half * s))[:, 2] for s in signs], axis=1)


def pile(seed: int, count: int = 20, walls: float = 0.0) -> da.Model:
    """Boxes, balls, capsules and cylinders of 0.1 m, one over the other; ``walls``: half width of a container, or none.

    They hit each other and the ground with up to 14 m/s, which is a length of their own in a step of 0.01 s.
    """
    rng = np.random.default_rng(seed)
    b = da.ModelBuilder(gravity=(0, 0, -G))
    b.add_ground(friction=0.5)
    for k, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1)) if walls else ()):
        b.add_ground(f"wall {k}", normal=(-x, -y, 0), point=(x * walls, y * walls, 0), friction=0.3)
    for i in range(count):
        kind = ("box", "sphere", "capsule", "cylinder")[rng.integers(4)]
        s = 0.1 * rng.uniform(0.6, 1.4, 3)
        shape = {
            "box": da.Box(*(2 * s)),
            "sphere": da.Sphere(s[0]),
            "capsule": da.Capsule(0.7 * s[0], 2 * s[1]),
            "cylinder": da.Cylinder(s[0], 2 * s[1]),
        }[kind]
        turn = rng.normal(size=4)
        position = np.array([*rng.uniform(-0.1, 0.1, 2), 0.3 + 0.5 * i])
        name = f"{kind} {i}"
        b.add_body(name, density=500.0, shape=shape, position=position, orientation=turn / np.linalg.norm(turn))
        b.add_joint(f"{name} free", da.Floating(), parent="world", child=name)
        b.add_contact(name, friction=float(rng.uniform(0.2, 0.8)))
    return b.build()


def sphere_chain(n: int, radius: float = 0.25, drop: float = 0.2, slope: float = 0.3) -> da.Model:
    """Spheres of 1 kg on spherical joints between their centres; each is ``slope`` radii above the one before.

    [Brüdigam 2023] figure 8(b)
    """
    b = da.ModelBuilder(gravity=(0, 0, -G))
    for i in range(n):
        height = radius + drop + slope * radius * i
        b.add_body(f"sphere {i}", mass=1.0, shape=da.Sphere(radius), position=(2 * radius * i, 0, height))
        b.add_contact(f"sphere {i}")
        if i:
            anchor = (2 * radius * (i - 0.5), 0, height - 0.5 * slope * radius)
            b.add_joint(f"{i}", da.Spherical(), parent=f"sphere {i - 1}", child=f"sphere {i}", anchor=anchor)
        else:
            b.add_joint("free", da.Floating(), parent="world", child="sphere 0")
    b.add_ground(friction=0.5)
    return b.build()
