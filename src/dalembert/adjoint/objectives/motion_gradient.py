"""Where an objective writes how it changes with the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.model.system import Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from dalembert.adjoint.forward import DrivenRun


class MotionGradient:
    """Derivatives of an objective by what a run recorded, zero until something is added (N steps, n bodies).

    Rows are instants, as in the run; write ``gradient.position[-1, i] += …``.

    Attributes:
        position: (N + 1, n, 3) by the centres of mass in the world.
        turn: (N + 1, n, 3) by a small turn of each body in its own axes.
        velocity: (N + 1, n, 3) by the velocities of the centres of mass in the world.
        angular_velocity: (N + 1, n, 3) by the angular velocities in body axes.
        coordinates: (N + 1, n_v) by the minimal coordinates, one column for each rate of the tree's joints; of a
            rotation about a point by a small turn in the axes of the child's frame.
        rates: (N + 1, n_v) by the minimal rates.
        joint_force: (N, rates of all joints) by the drives.
    """

    def __init__(self, run: DrivenRun) -> None:
        rows, n, n_v = len(run), run.model.n_bodies, run.model.system.n_v
        self._run = run
        self.position, self.turn, self.velocity, self.angular_velocity = (np.zeros((rows, n, 3)) for _ in range(4))
        self.coordinates, self.rates = np.zeros((rows, n_v)), np.zeros((rows, n_v))
        self.joint_force = np.zeros_like(run.joint_force)

    @property
    def _arrays(self) -> tuple[Floats, ...]:
        bodies = (self.position, self.turn, self.velocity, self.angular_velocity)
        return (*bodies, self.coordinates, self.rates, self.joint_force)

    def add(self, other: MotionGradient, factor: float = 1.0) -> None:
        """Add a multiple of another gradient of the same run."""
        for own, more in zip(self._arrays, other._arrays, strict=True):
            own += factor * more

    def add_at_point(
        self,
        body: str,
        rows: ArrayLike,
        point: ArrayLike,
        by_position: ArrayLike = (0.0, 0.0, 0.0),
        by_velocity: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Add a dependence on a point fixed in a body.

        With f = Qᵀ ∂Ψ/∂x, e = Qᵀ ∂Ψ/∂ẋ of the point p: a turn η moves it by Q (η × p) and its velocity v + Q (ω × p)
        by Q (η × (ω × p)).

        Args:
            body: its name.
            rows: the instant, or k of them.
            point: (3,) from the centre of mass in body axes, m.
            by_position: (3,) or (k, 3) derivative by the point's position in the world.
            by_velocity: (3,) or (k, 3) derivative by the point's velocity in the world.
        """
        i, p = self._run.model.body_index(body), np.asarray(point, dtype=float)
        at = np.atleast_1d(np.asarray(rows))
        push, pull = (np.broadcast_to(np.asarray(by, dtype=float), (len(at), 3)) for by in (by_position, by_velocity))
        axes = matrices(self._run.orientation[at, i])
        f, e = np.einsum("kab,ka->kb", axes, push), np.einsum("kab,ka->kb", axes, pull)
        swung = np.cross(self._run.angular_velocity[at, i], p)
        self.position[at, i] += push
        self.velocity[at, i] += pull
        self.turn[at, i] += np.cross(p, f) + np.cross(swung, e)
        self.angular_velocity[at, i] += np.cross(p, e)


def matrices(q: Floats) -> Floats:
    """(k, 3, 3) of k unit quaternions: from body axes to the world's."""
    w, v = q[:, 0, None, None], np.zeros((len(q), 3, 3))
    v[:, 2, 1], v[:, 0, 2], v[:, 1, 0] = q[:, 1], q[:, 2], q[:, 3]
    v -= v.transpose(0, 2, 1)
    return np.eye(3) + 2.0 * w * v + 2.0 * v @ v
