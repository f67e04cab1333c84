"""Random trees and loops of all joint kinds: what properties are tested on. The same seed gives the same mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from dalembert.model.builder import ModelBuilder
from dalembert.model.joint_kind import AxisKind, JointKind
from dalembert.model.joints import JOINT_KINDS, Distance, Universal
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.zoo.parts import GRAVITY

TREE_KINDS: Final = tuple(JOINT_KINDS)
"""Names of the kinds that can place a body: all that have coordinates."""

LOOP_KINDS: Final = ("Spherical", "Universal", "Revolute", "CylindricalFree", "PlanarFree", "Planar", "Distance")
"""Names of the kinds that close loops, unless told otherwise."""


def random_tree(
    n: int = 8,
    seed: int = 0,
    kinds: Sequence[str] = TREE_KINDS,
    *,
    floating_base: bool = False,
    gravity: float = GRAVITY,
    **options: Any,
) -> Model:
    """n bodies of random shape, each hung by a random joint on a random earlier body (or the world).

    With ``floating_base`` the first body is free and no other one hangs on the world. ``kinds`` names the kinds to draw
    from (keys of ``JOINT_KINDS``, each at least once if n allows); ``options`` (stiffness, damping, …) go to
    every joint that can move. Some joints are declared from the outer body to the inner one.
    """
    return _tree(n, seed, kinds, floating_base, gravity, options)[0].build()


def random_loops(
    n: int = 8,
    loops: int = 2,
    seed: int = 0,
    kinds: Sequence[str] = TREE_KINDS,
    loop_kinds: Sequence[str] = LOOP_KINDS,
    *,
    floating_base: bool = False,
    gravity: float = GRAVITY,
    **options: Any,
) -> Model:
    """A `random_tree` with up to ``loops`` more joints between random pairs of bodies (or the world).

    A closing joint is drawn only from kinds that leave the mechanism at least two degrees of freedom.
    """
    builder, centres, freedom, random = _tree(n, seed, kinds, floating_base, gravity, options)
    for k in range(loops):
        possible = [name for name in loop_kinds if freedom - _locked(name) >= 2]
        if not possible:
            break
        kind = possible[random.integers(len(possible))]
        freedom -= _locked(kind)
        names = list(centres) if floating_base else ["world", *centres]
        first, second = (names[i] for i in random.choice(len(names), 2, replace=False))
        if second == "world":
            first, second = second, first
        ends = [centres.get(name, np.zeros(3)) + random.uniform(-0.2, 0.2, 3) for name in (first, second)]
        if kind == "Distance":
            builder.add_joint(f"loop{k}", Distance(), parent=first, child=second, anchor=tuple(ends))
        else:
            middle = 0.5 * (ends[0] + ends[1])
            builder.add_joint(f"loop{k}", random_kind(kind, random), parent=first, child=second, anchor=middle)
    return builder.build()


def random_state(model: Model, seed: int = 0, *, spread: float = 0.5, speed: float = 1.0) -> State:
    """Random coordinates (within ``spread``, m and rad) and rates (within ``speed``) of the joints of the tree.

    Where the model has loops, the start is then assembled: projected onto the constraints.
    """
    random = np.random.default_rng(seed)
    positions: dict[str, object] = {}
    velocities: dict[str, object] = {}
    for name, joint in model.joints.items():
        freedom = len(joint.kind.rate_names)
        if joint.in_tree and freedom:
            positions[name] = random.uniform(-spread, spread, freedom)
            velocities[name] = random.uniform(-speed, speed, freedom)
    if all(joint.in_tree for joint in model.joints.values()):
        return model.state(positions=positions, velocities=velocities)
    # far from the reference configuration the loops of a random mechanism need not close
    near = {name: 0.1 * np.asarray(value) for name, value in positions.items()}
    return model.assemble(model.state(positions=near, velocities=velocities)).state


def random_kind(name: str, random: np.random.Generator) -> JointKind:
    """A joint of the kind called ``name`` (a key of ``JOINT_KINDS``) with random axes."""
    kind = JOINT_KINDS[name]
    first = random.normal(size=3)
    first /= np.linalg.norm(first)
    second = np.cross(first, random.normal(size=3))
    second /= np.linalg.norm(second)
    if isinstance(kind, AxisKind):
        return replace(kind, axis=first)
    return replace(kind, axes=(first, second)) if isinstance(kind, Universal) else kind


def _tree(
    n: int, seed: int, kinds: Sequence[str], floating_base: bool, gravity: float, options: dict[str, Any]
) -> tuple[ModelBuilder, dict[str, Floats], int, np.random.Generator]:
    """The builder, the bodies' centres (m), the tree's degrees of freedom, and the generator to draw on from."""
    random = np.random.default_rng(seed)
    # every kind once, in random order, before any comes again
    deck = [k for _ in range(n // len(kinds) + 1) for k in random.permutation(list(kinds))]
    builder = ModelBuilder(gravity=(0, 0, -gravity))
    centres: dict[str, Floats] = {}
    freedom = 0
    for i in range(n):
        name = f"body{i}"
        inner = list(centres) if floating_base else ["world", *centres]
        base = inner[random.integers(len(inner))] if inner else "world"
        centre = centres.get(base, np.zeros(3)) + random.uniform(-0.5, 0.5, 3)
        _add_random_body(builder, name, centre, random)
        kind = random_kind("Floating" if floating_base and i == 0 else str(deck[i]), random)
        freedom += len(kind.free)
        anchor = centre + random.uniform(-0.3, 0.3, 3)
        outward = base == "world" or random.random() < 0.7
        parent, child = (base, name) if outward else (name, base)
        movable = options if kind.free and not (floating_base and i == 0) else {}
        builder.add_joint(f"joint{i}", kind, parent=parent, child=child, anchor=anchor, **movable)
        centres[name] = centre
    return builder, centres, freedom, random


def _add_random_body(builder: ModelBuilder, name: str, centre: Floats, random: np.random.Generator) -> None:
    """A box of random sides (0.1 to 0.5 m), mass (0.5 to 2 kg) and orientation."""
    mass, sides = random.uniform(0.5, 2.0), random.uniform(0.1, 0.5, 3)
    squares = sides**2
    inertia = mass / 12.0 * (squares.sum() - squares)
    q = random.normal(size=4)
    builder.add_body(name, mass=mass, inertia=tuple(inertia), position=centre, orientation=q / np.linalg.norm(q))


def _locked(kind: str) -> int:
    """How many degrees of freedom a closing joint of this kind takes."""
    return 1 if kind == "Distance" else 6 - len(JOINT_KINDS[kind].free)
