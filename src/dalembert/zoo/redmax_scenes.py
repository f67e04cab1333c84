"""The scenes of seed [Sueda 2021] with published energies. Units are centimetres, grams and seconds; density 1.

Where a scene of the text has a joint without an equal here, it is made of several with bodies of next to no mass
between them: a free rotation in Euler angles is three hinges in a row, about x, then y, then z.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi
from typing import Any, Final

import numpy as np

from dalembert.model.builder import ModelBuilder
from dalembert.model.joint_kind import JointKind
from dalembert.model.joints import Fixed, FixedOrientation, Planar, Prismatic, Revolute
from dalembert.model.model import Model
from dalembert.model.shapes import Box
from dalembert.model.state import State

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
NEXT_TO_NOTHING: Final = 1e-9
"""Grams, and gram square centimetres, of the bodies between the hinges of a free rotation."""


@dataclass(frozen=True)
class RedmaxScene:
    """A model with its start and the step that the published numbers were computed with."""

    model: Model
    state: State
    dt: float
    duration: float
    energies: tuple[float, float]
    """Kinetic plus potential energy at the end minus the potential energy at the start by BDF1 and BDF2, in erg."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the integrators: the springs of limits."""


class _Scene:
    """Bodies hung by joints whose places are given in the frame of the joint before."""

    def __init__(self, gravity: tuple[float, float, float] = (0.0, 0.0, -980.0)) -> None:
        self.builder = ModelBuilder(gravity=gravity)
        self._places: dict[str, np.ndarray] = {"world": np.zeros(3)}
        self._centres: dict[str, np.ndarray] = {"world": np.zeros(3)}

    def add(
        self,
        name: str,
        sides: tuple[float, float, float],
        kind: JointKind,
        parent: str = "world",
        at: tuple[float, float, float] = (0.0, 0.0, 0.0),
        com: tuple[float, float, float] = (0.0, 0.0, 0.0),
        **options: Any,
    ) -> None:
        place = self._places[parent] + at
        self._places[name], self._centres[name] = place, place + com
        self.builder.add_body(name, shape=Box(*sides), density=1.0, position=place + com)
        self.builder.add_joint(name, kind, parent=parent, child=name, anchor=place, **options)


def _chain() -> RedmaxScene:
    scene, kinds = _Scene(), (Revolute(Y), Fixed())
    for i in range(5):
        parent, at = (f"bar{i - 1}", (10.0, 0.0, 0.0)) if i else ("world", (0.0, 0.0, 0.0))
        scene.add(f"bar{i}", (10, 1, 1), kinds[i % 2], parent, at, (5.0, 0.0, 0.0))
    model = scene.builder.build()
    state = model.state(positions={f"bar{i}": pi / 4 for i in (0, 2, 4)})
    return RedmaxScene(model, state, 1e-2, 1.0, (-1.2705398823489915e5, 2.6058008179021417e3))


def _branching() -> RedmaxScene:
    scene = _Scene()
    down = (0.0, 0.0, -5.0)
    scene.add("trunk", (1, 1, 10), Revolute(X), at=(0.0, 0.0, 15.0), com=down)
    scene.add("beam", (1, 20, 1), Revolute(Z), "trunk", (0.0, 0.0, -10.0))
    scene.add("left", (1, 1, 10), Revolute(X), "beam", (0.0, -10.0, 0.0), down)
    scene.add("right", (1, 1, 10), Revolute(Y), "beam", (0.0, 10.0, 0.0), down)
    model = scene.builder.build()
    state = model.state(positions={"left": pi / 4, "right": pi / 4})
    return RedmaxScene(model, state, 1e-2, 1.0, (-2.2826101928480086e4, -2.4159349151742754e2))


def _prismatic() -> RedmaxScene:
    scene = _Scene()
    scene.add("sledge", (20, 1, 1), Prismatic(X))
    scene.add("rod", (1, 1, 10), Revolute(Y), "sledge", (-10.0, 0.0, 0.0), (0.0, 0.0, -5.0))
    model = scene.builder.build()
    state = model.state(positions={"rod": pi / 2})
    return RedmaxScene(model, state, 1e-2, 1.0, (-3.7579402399569808e4, -6.1132876082600706e2))


def _translational() -> RedmaxScene:
    scene = _Scene(gravity=(0.0, 0.0, 0.0))
    scene.add("plate", (10, 10, 1), FixedOrientation())
    scene.add("first", (1, 1, 10), Revolute(Y), "plate", (-5.0, 0.0, 0.0), (0.0, 0.0, -5.0))
    scene.add("second", (1, 1, 10), Revolute(X), "plate", (0.0, -5.0, 0.0), (0.0, 0.0, -5.0))
    model = scene.builder.build()
    state = model.state(velocities={"first": -10.0, "second": 10.0})
    return RedmaxScene(model, state, 1e-2, 2.0, (3.3661704151378050e4, 3.3377464890219308e4))


def _free_in_the_plane() -> RedmaxScene:
    scene = _Scene(gravity=(0.0, -980.0, 0.0))
    scene.add("box", (1, 1, 1), Planar(Z))
    model = scene.builder.build()
    state = model.state(positions={"box": (-10.0, -10.0, 0.0)}, velocities={"box": (50.0, 200.0, 20.0)})
    return RedmaxScene(model, state, 5e-3, 0.4, (2.0322933333333378e4, 2.1283333333333332e4))


def _free_in_space() -> RedmaxScene:
    builder = ModelBuilder(gravity=(0.0, 0.0, -1.0))
    light = {"mass": NEXT_TO_NOTHING, "inertia": (NEXT_TO_NOTHING,) * 3}
    for name in ("carrier", "first", "second"):
        builder.add_body(name, **light)
    builder.add_body("box", shape=Box(1.0, 1.0, 1.0), density=1.0)
    builder.add_joint("slide", FixedOrientation(), parent="world", child="carrier")
    for name, axis, parent, child in (
        ("x", X, "carrier", "first"),
        ("y", Y, "first", "second"),
        ("z", Z, "second", "box"),
    ):
        builder.add_joint(name, Revolute(axis), parent=parent, child=child, anchor=(0.0, 0.0, 0.0))
    model = builder.build()
    state = model.state(velocities={"slide": (0.0, 0.0, 3.0), "x": 0.2, "y": 0.4, "z": 0.6})
    return RedmaxScene(model, state, 5e-2, 6.0, (4.3970920953724946, 4.5466508559364156))


def _loop_by_spring() -> RedmaxScene:
    scene, down = _Scene(), (0.0, 0.0, -5.0)
    scene.add("base", (20, 1, 1), Fixed())
    scene.add("left", (1, 1, 10), Revolute(Y), "base", (-10.0, 0.0, 0.0), down)
    scene.add("right", (1, 1, 10), Revolute(Y), "base", (10.0, 0.0, 0.0), down)
    scene.add("beam", (20, 1, 1), Revolute(Y), "left", (0.0, 0.0, -10.0), (10.0, 0.0, 0.0))
    scene.add("tail", (1, 1, 10), Revolute(Y), "beam", (10.0, 0.0, 0.0), down)
    ends = ((0.0, 0.0, -5.0), (10.0, 0.0, 0.0))
    scene.builder.add_spring("pin", "right", "beam", local_points=ends, stiffness=1e7, rest_length=0.0)
    model = scene.builder.build()
    state = model.state(velocities={"tail": 5.0})
    return RedmaxScene(model, state, 1e-2, 1.0, (1.2376477982839792e3, 4.1146190850293169e3))


def _joint_limits() -> RedmaxScene:
    builder = ModelBuilder(gravity=(0.0, 0.0, -980.0))
    common: dict[str, Any] = {"limits": (-pi / 2, 0.0), "damping": 1e2}
    hang = (np.cos(pi / 4), 0.0, np.sin(pi / 4), 0.0)
    for i in range(3):
        builder.add_body(
            f"bar{i}", shape=Box(10.0, 1.0, 1.0), density=1.0, position=(0, 0, -5 - 10 * i), orientation=hang
        )
    builder.add_joint("bar0", Revolute(Y), parent="world", child="bar0", anchor=(0, 0, 0), **common)
    for i in (1, 2):
        builder.add_joint(
            f"bar{i}", Revolute(Y), parent=f"bar{i - 1}", child=f"bar{i}", anchor=(0, 0, -10 * i), **common
        )
    model = builder.build()
    state = model.state(positions={"bar1": -pi / 6, "bar2": -pi / 6})
    options = {"limit_stiffness": 1e5, "limit_damping": 1e2}
    return RedmaxScene(model, state, 5e-3, 1.0, (-2.5928305306546572e4, -1.8476279319765570e4), options)


_SCENES: Final = {
    0: _chain,
    2: _branching,
    3: _prismatic,
    5: _translational,
    6: _free_in_the_plane,
    9: _free_in_space,
    10: _loop_by_spring,
    14: _joint_limits,
}
REDMAX_SCENES: Final = tuple(_SCENES)
"""Numbers of the scenes that can be had."""


def redmax_scene(number: int) -> RedmaxScene:
    """A scene by its number in the code of [Sueda 2021]: 0 chain, 2 branching, 3 prismatic, 5 translational, 6 free in
    the plane, 9 free in space, 10 loop closed by a spring, 14 limits of joints."""
    return _SCENES[number]()
