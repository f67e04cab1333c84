"""A mechanism as lines: from every body's centre of mass to the joints it carries, and to its free end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.system import System

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def rotate(q: Floats, u: Floats) -> Floats:
    """Q(q) u for arrays of quaternions (..., 4) and vectors (..., 3): u + 2 w (v×u) + 2 v×(v×u)."""
    t = 2.0 * np.cross(q[..., 1:], u)
    return u + q[..., :1] * t + np.cross(q[..., 1:], t)


@dataclass(frozen=True)
class Skeleton:
    """Lines fixed in bodies, and the points worth following."""

    body: Integers
    """(s,) the body of each line."""
    point: Floats
    """(s, 3) where the line from the centre of mass goes, in the body's axes."""
    joint: Integers
    """(j,) the lines that end at a joint."""
    ground: Floats
    """(g, 3) points of joints on the world."""
    end_body: Integers
    """(e,) bodies with a free end; all bodies if there are none."""
    end_point: Floats
    """(e, 3) that end in the body's axes."""

    @classmethod
    def of(cls, model: Model) -> Skeleton:
        """The skeleton of a model. Gears and custom constraints have no place and draw nothing."""
        system = model.system
        n = len(system.mass) - 1
        body, point, ground = _attachments(system)
        joint = np.arange(len(body))
        count = np.bincount(np.array(body, dtype=np.int64), minlength=n)
        end_body: list[int] = []
        end_point: list[Floats] = []
        for i in np.flatnonzero(count <= 1).tolist():
            outline = half_axes(system.mass[i], system.inertia[i])
            if count[i] == 0:
                # a body that nothing holds is shown by its three extents
                tips = np.concatenate([outline, -outline])
                free = outline[0]
            else:
                free = free_end(point[body.index(i)], outline)
                tips = free[None, :]
            body += [i] * len(tips)
            point += list(tips)
            end_body.append(i)
            end_point.append(free)
        if not end_body:
            end_body, end_point = list(range(n)), [np.zeros(3)] * n
        return cls(
            body=np.array(body, dtype=np.int64),
            point=np.array(point, dtype=float).reshape(-1, 3),
            joint=joint,
            ground=np.unique(np.array(ground, dtype=float).reshape(-1, 3), axis=0),
            end_body=np.array(end_body, dtype=np.int64),
            end_point=np.array(end_point, dtype=float).reshape(-1, 3),
        )

    def segments(self, position: Floats, orientation: Floats) -> Floats:
        """(s, 2, 3) the lines in the world, for poses (n, 3) and (n, 4)."""
        centre = position[self.body]
        return np.stack([centre, centre + rotate(orientation[self.body], self.point)], axis=1)

    def ends(self, position: Floats, orientation: Floats) -> Floats:
        """(times, e, 3) the free ends in the world, for poses (times, n, 3) and (times, n, 4)."""
        return position[:, self.end_body] + rotate(orientation[:, self.end_body], self.end_point)


def half_axes(mass: float, inertia: Floats) -> Floats:
    """(3, 3) rows: half the edges of the uniform box of this mass and inertia, the longest first, in body axes.

    A box with the edges a, b, c has I₁ = m (b² + c²)/12, so a² = 6 (I₂ + I₃ − I₁)/m.
    """
    moments, axes = np.linalg.eigh(inertia)
    square = 6.0 * (moments.sum() - 2.0 * moments) / mass
    return (0.5 * np.sqrt(np.maximum(square, 0.0)) * axes).T


def free_end(joint: Floats, outline: Floats) -> Floats:
    """The end of a rod opposite to its only joint; of a body that is no rod, its centre."""
    longest, second = np.linalg.norm(outline[0]), np.linalg.norm(outline[1])
    if longest < 3.0 * second:
        return np.zeros(3)
    return -outline[0] if joint @ outline[0] > 0.0 else outline[0]


def _attachments(system: System) -> tuple[list[int], list[Floats], list[Floats]]:
    """Bodies and points of the joints on them, and points of the joints on the world."""
    n = len(system.mass) - 1
    body: list[int] = []
    point: list[Floats] = []
    ground: list[Floats] = []
    for j in range(len(system.joint_kind)):
        # a coupling has no place; a floating base holds nothing; a spring has no rows and is not drawn
        if system.gear_joint[j, 0] >= 0 or not system.locked[j].any():
            continue
        for i, p in (
            (int(system.joint_parent[j]), system.parent_point[j]),
            (int(system.joint_child[j]), system.child_point[j]),
        ):
            if i == n:
                ground.append(p)
            else:
                body.append(i)
                point.append(p)
    return body, point, ground
