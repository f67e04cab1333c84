"""Forces in joints and contacts as arrows in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dalembert.trajectory import Trajectory

Floats = NDArray[np.float64]
Arrows = tuple[Floats, Floats]
"""(N, j, 3) where arrows begin and (N, j, 3) what they are, in the world, m."""

ARROW = 0.25
"""Length of the largest force, in parts of the space that is shown."""
COLORS = {"joint forces": (213, 94, 0), "contact forces": (0, 114, 178)}


class ForceArrows:
    """One kind of arrows, made when it is first shown."""

    def __init__(
        self, server: Any, run: Trajectory, size: float, name: str, make: Callable[[Trajectory, float], Arrows]
    ) -> None:
        self.name = name
        self._server, self._run, self._size, self._make = server, run, size, make
        self._forces: Arrows | None = None
        self._handle: Any = None

    def show(self, shown: bool, row: int) -> None:
        """Show the arrows of a row, or hide them."""
        if not shown:
            if self._handle is not None:
                self._handle.remove()
                self._handle = None
            return
        if self._forces is None:
            self._forces = self._make(self._run, ARROW * self._size)
        self._handle = self._server.scene.add_arrows(
            f"/{self.name}",
            np.zeros((self._forces[0].shape[1], 2, 3), np.float32),
            COLORS[self.name],
            shaft_radius=0.003 * self._size,
            head_radius=0.008 * self._size,
            head_length=0.02 * self._size,
        )
        self.place(row)

    def place(self, row: int) -> None:
        """Move the arrows to a row, if they are shown."""
        if self._handle is not None and self._forces is not None:
            point, force = self._forces[0][row], self._forces[1][row]
            self._handle.points = np.stack([point, point + force], axis=1).astype(np.float32)


def joint_forces(run: Trajectory, longest: float) -> Arrows:
    """(N, j, 3) where the joints with reactions sit and (N, j, 3) their forces on the child, scaled to ``longest``."""
    from dalembert.model.system import CUSTOM, GEAR

    system = run.model.system
    points, forces = [], []
    for name, joint in run.model.joints.items():
        j = joint.index
        if system.joint_kind[j] in (GEAR, CUSTOM) or not system.locked[j].any():
            continue
        forces.append(np.nan_to_num(run.joint(name).reaction_force))
        child = joint.child
        fixed = system.child_point[j]
        points.append(np.broadcast_to(fixed, forces[-1].shape) if child == "world" else run.body(child).point(fixed))
    return _scaled(run, points, forces, longest)


def contact_forces(run: Trajectory, longest: float) -> Arrows:
    """The same for the surfaces of bodies that touch others: the force of all that touches each.

    An arrow begins on the force's line of action, r × F = M about the centre of mass, beside the middle of the surface.
    """
    points, forces = [], []
    for name, contact in run.model.contacts.items():
        if contact.body == "world":
            continue
        motion, body = run.contact(name), run.body(contact.body)
        force = np.nan_to_num(motion.force)
        square = (force**2).sum(axis=1, keepdims=True)
        safe = np.where(square > 0.0, square, 1.0)
        foot = np.cross(force, np.nan_to_num(motion.torque)) / safe
        middle = np.mean([np.asarray(part.position, dtype=float) for part in contact.parts], axis=0)
        beside = body.point((float(middle[0]), float(middle[1]), float(middle[2]))) - body.position
        along = ((beside - foot) * force).sum(axis=1, keepdims=True) / safe
        points.append(body.position + np.where(square > 0.0, foot + along * force, beside))
        forces.append(force)
    return _scaled(run, points, forces, longest)


def _scaled(run: Trajectory, points: list[Floats], forces: list[Floats], longest: float) -> Arrows:
    if not forces:
        return np.zeros((len(run), 0, 3)), np.zeros((len(run), 0, 3))
    arrows = np.stack(forces, axis=1)
    # the largest but for rare peaks, which would make all others invisible
    size = float(np.quantile(np.linalg.norm(arrows, axis=2).max(axis=1), 0.98))
    return np.stack(points, axis=1), arrows * (longest / size if size > 0.0 else 0.0)
