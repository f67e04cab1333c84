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
