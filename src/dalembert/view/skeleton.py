"""A mechanism as lines: from every body's centre of mass to the joints it carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dalembert.model import Model

Floats = NDArray[np.float64]


def rotate(q: Floats, u: Floats) -> Floats:
    """Q(q) u for arrays of quaternions (..., 4) and vectors (..., 3): u + 2 w (v×u) + 2 v×(v×u)."""
    t = 2.0 * np.cross(q[..., 1:], u)
    return u + q[..., :1] * t + np.cross(q[..., 1:], t)


@dataclass(frozen=True)
class Skeleton:
    """Where the joints sit on the bodies."""

    body: NDArray[np.int64]
    """(s,) the body of each line."""
    point: Floats
    """(s, 3) the joint's point in that body's axes, from its centre of mass."""
    ground: Floats
    """(g, 3) points of joints on the world."""
    end: NDArray[np.int64]
    """(e,) bodies that carry one joint only: the free ends; all bodies if there are none."""

    @classmethod
    def of(cls, model: Model) -> Skeleton:
        """The skeleton of a model. Gears and custom constraints have no place and draw nothing."""
        system = model.system
        n = len(system.mass) - 1
        body: list[int] = []
        point: list[Floats] = []
        ground: list[Floats] = []
        for j in range(len(system.joint_kind)):
            # a joint with no locked component (a floating base) holds nothing, a coupling has no place
            if (
                system.gear_joint[j, 0] >= 0
                or not system.locked[j].any()
                or system.joint_parent[j] == system.joint_child[j]
            ):
                continue
            for i, p in (
                (system.joint_parent[j], system.parent_point[j]),
                (system.joint_child[j], system.child_point[j]),
            ):
                if i == n:
                    ground.append(p)
                else:
                    body.append(int(i))
                    point.append(p)
        count = np.bincount(np.array(body, dtype=np.int64), minlength=n)
        end = np.flatnonzero(count <= 1)
        return cls(
            body=np.array(body, dtype=np.int64),
            point=np.array(point, dtype=float).reshape(-1, 3),
            ground=np.unique(np.array(ground, dtype=float).reshape(-1, 3), axis=0),
            end=end if len(end) else np.arange(n),
        )

    def segments(self, position: Floats, orientation: Floats) -> Floats:
        """(s, 2, 3) lines from centres to joints in the world, for poses (n, 3) and (n, 4)."""
        centre = position[self.body]
        return np.stack([centre, centre + rotate(orientation[self.body], self.point)], axis=1)

    def ends(self, position: Floats, orientation: Floats) -> Floats:
        """(times, e, 3) the centres of the free ends, for poses (times, n, 3) and (times, n, 4)."""
        return position[:, self.end]
