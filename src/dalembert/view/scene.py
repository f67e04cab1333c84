"""What there is to see of a model: solids on its bodies, lines between them, a floor, and where to look from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dalembert.model.declaration import WORLD
from dalembert.model.shapes import Part, Sphere
from dalembert.model.surfaces import HalfSpace
from dalembert.model.system import DISTANCE
from dalembert.view.motion import view_plane
from dalembert.view.skeleton import Skeleton, rotate
from dalembert.view.surface import Surface, joined, rod, surface_of, surface_of_parts, tile

if TYPE_CHECKING:
    from dalembert.model.model import Model

Floats = NDArray[np.float64]

PALETTE = ("#4a7fb5", "#e08a3c", "#5fa777", "#9a76b0", "#c9a33b", "#6fb1c7", "#b5606a", "#8a8f98")
"""Colours of the bodies, in turn."""
GROUND = "#c9d1d9"
"""Colour of what stands still."""
PIN = "#3b4048"
"""Colour of the joints on the world and of lines."""
SLENDER = 0.03
"""Radius of what is drawn for a body without a shape, in parts of its length."""
ROAMING = 6.0
"""Beyond so many times its own size of space, a mechanism is followed instead of all its space being shown."""
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True)
class Solid:
    """Something fixed in a body."""

    name: str
    body: int
    """Index of the body; n_bodies for the world."""
    surface: Surface
    """In body axes, from the centre of mass."""
    color: str


@dataclass(frozen=True)
class Tie:
    """A line from a point of one body to a point of another: a spring or a rod."""

    name: str
    bodies: tuple[int, int]
    points: tuple[Floats, Floats]
    """In the axes of each body, from its centre of mass."""

    def ends(self, position: Floats, orientation: Floats) -> Floats:
        """(2, 3) its ends in the world, for poses (n, 3), (n, 4)."""
        return np.array(
            [
                point if body == len(position) else position[body] + rotate(orientation[body], point)
                for body, point in zip(self.bodies, self.points, strict=True)
            ]
        )


@dataclass(frozen=True)
class Scene:
    """All that is drawn, and the space that it moves in."""

    n_bodies: int
    solids: tuple[Solid, ...]
    ties: tuple[Tie, ...]
    center: Floats
    """(3,) middle of the space that the motion takes."""
    size: float
    """Diagonal of that space, m."""
    up: Floats
    """(3,) against gravity; without gravity, up in the plane of the motion."""
    floor: float | None
    """Height of the floor along ``up`` from the world's origin, m: the ground's, or just below everything. None without
    gravity, and below what falls and falls."""
    eye: Floats
    """(3,) where a picture is taken from, with a field of view of 30 degrees."""
    sun: Floats
    """(3,) the unit direction that light comes from."""
    follow: bool
    """Whether eye and center move with the mean position of the bodies: they are those of the first instant."""

    def shadow(self) -> Floats | None:
        """(4, 4) the map along the sun's light onto the floor, a hair above it; None without a floor.

        x − sun (up·x − h)/(up·sun) has height h.
        """
        if self.floor is None:
            return None
        slant = self.sun / (self.up @ self.sun)
        matrix = np.eye(4)
        matrix[:3, :3] -= np.outer(slant, self.up)
        matrix[:3, 3] = (self.floor + 1e-3 * self.size) * slant
        return matrix


def scene_of(model: Model, position: Floats, orientation: Floats) -> Scene:
    """The scene of a model that moves through poses (times, n, 3), (times, n, 4)."""
    solids = (*_solids(model), *_standing(model))
    gravity = np.asarray(model.system.gravity)
    right, up = view_plane(Skeleton.of(model), position, orientation, gravity)
    low, high, lowest = _space(solids, model.n_bodies, position, orientation, up)
    floored = bool(gravity.any())
    first = _space(solids, model.n_bodies, position[:1], orientation[:1], up)
    follow = bool(np.linalg.norm(high - low) > ROAMING * np.linalg.norm(first[1] - first[0]))
    if follow:
        low, high, floored = first[0], first[1], False
    center, size = 0.5 * (low + high), max(float(np.linalg.norm(high - low)), 1e-3)
    # from the front, a little from the right and from above
    direction = np.cross(right, up) + 0.45 * right + 0.35 * up
    eye = center + 1.8 * size * direction / np.linalg.norm(direction)
    # the sun stands above the viewer's left shoulder
    sun = 2.0 * up + 0.5 * np.cross(right, up) - 0.6 * right
    floor = lowest - 0.01 * size if floored else None
    sun = sun / np.linalg.norm(sun)
    for name, point, turn in _planes(model):
        normal = rotate(turn, np.array([0.0, 0.0, 1.0]))
        if normal @ up > 1.0 - 1e-9:
            floor = float(point @ up)
        else:
            # a square under the middle of the motion stands for the plane
            foot = center - ((center - point) @ normal) * normal
            solids += (Solid(name, model.n_bodies, tile(0.6 * size).placed(foot, turn), GROUND),)
    return Scene(model.n_bodies, solids, tuple(_ties(model)), center, size, up, floor, eye, sun, follow)


def _solids(model: Model) -> Iterator[Solid]:
    skeleton = Skeleton.of(model)
    for i, body in enumerate(model.bodies.values()):
        color = PALETTE[i % len(PALETTE)]
        parts = body.parts or tuple(_touching(model, body.name))
        surface = surface_of_parts(parts) if parts else _bones(skeleton.point[skeleton.body == i])
        yield Solid(body.name, i, surface, color)
    reach = np.linalg.norm(skeleton.point, axis=1)
    # joints at the centre of mass say nothing about sizes
    reach = reach[reach > 1e-9]
    pin = surface_of(Sphere(1.6 * SLENDER * (float(np.median(reach)) if reach.size else 1.0)))
    for k, point in enumerate(skeleton.ground):
        yield Solid(f"pin {k}", model.n_bodies, pin.placed(point, IDENTITY), PIN)


def _standing(model: Model) -> Iterator[Solid]:
    """What is fixed in the world and touches."""
    parts = tuple(part for part in _touching(model, WORLD) if not isinstance(part.shape, HalfSpace))
    if parts:
        yield Solid(WORLD, model.n_bodies, surface_of_parts(parts), GROUND)


def _touching(model: Model, body: str) -> Iterator[Part]:
    for contact in model.contacts.values():
        if contact.body == body:
            yield from contact.parts


def _planes(model: Model) -> Iterator[tuple[str, Floats, Floats]]:
    """Half-spaces of the world: name, a point of the plane, and the turn that takes z to its normal."""
    for contact in model.contacts.values():
        if contact.body == WORLD:
            for part in contact.parts:
                if isinstance(part.shape, HalfSpace):
                    yield contact.name, np.asarray(part.position, float), np.asarray(part.orientation, float)


def _bones(tips: Floats) -> Surface:
    """A body without a shape: rods from its centre of mass to its joints and its free end."""
    thickness = SLENDER * max(float(np.linalg.norm(tips, axis=1).max(initial=0.0)), 1e-6)
    return joined([rod(np.zeros(3), tip, thickness) for tip in tips])


def _ties(model: Model) -> Iterator[Tie]:
    system = model.system
    for j, joint in enumerate(model.joints.values()):
        if system.joint_kind[j] == DISTANCE:
            yield Tie(
                joint.name,
                (int(system.joint_parent[j]), int(system.joint_child[j])),
                (np.array(system.parent_point[j]), np.array(system.child_point[j])),
            )


def _space(
    solids: tuple[Solid, ...], n: int, position: Floats, orientation: Floats, up: Floats
) -> tuple[Floats, Floats, float]:
    """Corners of the box that holds every solid at all times, and the lowest height along ``up``."""
    step = max(1, len(position) // 200)
    low, high, lowest = np.full(3, np.inf), np.full(3, -np.inf), np.inf
    for solid in solids:
        # the eight corners of a solid's own box stand for it
        inner, outer = solid.surface.points.min(axis=0), solid.surface.points.max(axis=0)
        corners = np.array(np.meshgrid(*zip(inner, outer, strict=True))).reshape(3, -1).T
        if solid.body < n:
            x, q = position[::step, solid.body, None], orientation[::step, solid.body, None]
            corners = (x + rotate(q, corners[None])).reshape(-1, 3)
        low, high = np.minimum(low, corners.min(axis=0)), np.maximum(high, corners.max(axis=0))
        lowest = min(lowest, float((corners @ up).min()))
    if not solids:
        return np.zeros(3), np.zeros(3), 0.0
    return low, high, lowest
