"""Frames fixed in bodies, and the turns that bring a frame's axes onto given directions."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from dalembert.model.checks import Findings, VectorLike, read_quaternion, read_vector
from dalembert.model.system import Floats


@dataclass(frozen=True)
class Frame:
    """A frame in the axes of a body, measured from its centre of mass (for the world: from the origin).

    ``position`` in metres, ``orientation`` the quaternion (w, x, y, z) from the frame's axes to the body's.
    """

    position: VectorLike = (0.0, 0.0, 0.0)
    orientation: VectorLike = (1.0, 0.0, 0.0, 0.0)

    def read(self, findings: Findings, item: str) -> tuple[Floats, Floats]:
        """Position and orientation as checked arrays."""
        return (
            read_vector(findings, f"{item}, position", self.position),
            read_quaternion(findings, f"{item}, orientation", self.orientation),
        )


def turn_to_axis(axis: Floats) -> Floats:
    """The quaternion that brings the third axis onto the unit vector ``axis``, by the shortest way.

    The half-way rule q ∝ (1 + e₃·a, e₃×a) loses digits when a is near −e₃; below the equator the frame is therefore
    first turned over about its first axis and then brought from −e₃ to a.
    """
    a1, a2, a3 = (float(c) for c in axis)
    if a3 >= 0.0:
        q = np.array([1.0 + a3, -a2, a1, 0.0])
    else:
        # (1 − a₃, a₂, −a₁, 0) · (0, 1, 0, 0)
        q = np.array([-a2, 1.0 - a3, 0.0, a1])
    return q / np.linalg.norm(q)


def turn_to_axes(first: Floats, second: Floats) -> Floats:
    """The quaternion that brings the first and second axis onto two perpendicular unit vectors."""
    r = np.column_stack((first, second, np.cross(first, second)))
    # the largest of the four squares keeps the divisor away from zero
    squares = np.array(
        [
            1.0 + r[0, 0] + r[1, 1] + r[2, 2],
            1.0 + r[0, 0] - r[1, 1] - r[2, 2],
            1.0 - r[0, 0] + r[1, 1] - r[2, 2],
            1.0 - r[0, 0] - r[1, 1] + r[2, 2],
        ]
    )
    k = int(np.argmax(squares))
    a, b, c = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    d, e, f = r[1, 0] + r[0, 1], r[2, 0] + r[0, 2], r[2, 1] + r[1, 2]
    rows = ((squares[0], a, b, c), (a, squares[1], d, e), (b, d, squares[2], f), (c, e, f, squares[3]))
    q = np.array(rows[k]) / (2.0 * sqrt(squares[k]))
    return q / np.linalg.norm(q)
