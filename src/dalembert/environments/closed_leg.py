"""Move the foot of a leg with a closed loop, held at its hip, along a circle."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.environments.base import MechanismEnv, Observation
from dalembert.integrators.maximal.method import MaximalVI
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.zoo import minitaur_leg

TORQUE = 3.0
RADIUS, TURN = 0.03, 0.5
"""The circle: m, and turns a second."""


class ClosedLeg(MechanismEnv):
    """The leg of four links of `minitaur_leg`, its two motors at the hip.

    Observation: angles and rates of the motors, place of the foot and where it should be, in the plane of the leg (m).
    The reward is 1 where the foot is on its way and falls off within a centimetre.
    """

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        model = minitaur_leg()
        self._motors = ["hip_front", "hip_back"]
        self._foot, self._tip = foot_of(model)
        self._columns = [model.joints[name].rates.start for name in self._motors]
        self._angles = [model.joints[name].coordinates.start for name in self._motors]
        self._center = self._place(model.state())
        super().__init__(model, MaximalVI(), self._motors, [TORQUE] * 2, render_mode=render_mode, **options)

    def start(self, random: np.random.Generator) -> State:
        """At the reference configuration, its motors turned a little."""
        angle = float(random.uniform(-0.05, 0.05))
        rough = self.model.state(positions={self._motors[0]: angle})
        return self.model.assemble(rough, hold=(self._motors[0],)).state

    def observe(self, state: State) -> Observation:
        """(8,)"""
        parts = (
            state.coordinates[self._angles],
            state.rates[self._columns],
            self._place(state) - self._center,
            self._goal(state.time) - self._center,
        )
        return np.concatenate(parts).astype(np.float32)

    def judge(self, state: State, force: Floats) -> tuple[float, bool]:
        """By the distance of the foot from its way."""
        gap = self._place(state) - self._goal(state.time)
        return float(np.exp(-(gap @ gap) / 0.01**2)) - 1e-3 * float(force @ force), False

    def _place(self, state: State) -> Floats:
        q, u = state.orientation[self._foot], self._tip
        t = 2.0 * np.cross(q[1:], u)
        point = state.position[self._foot] + u + q[0] * t + np.cross(q[1:], t)
        return point[[0, 2]]

    def _goal(self, time: float) -> Floats:
        phase = 2.0 * np.pi * TURN * time
        return self._center + RADIUS * np.array([np.sin(phase), 1.0 - np.cos(phase)])


def foot_of(model: Any) -> tuple[int, Floats]:
    """The body whose joint closes the leg, and that joint's point in its axes: where the two shins meet."""
    j = model.joints[model.loop_joints[0]].index
    return int(model.system.joint_child[j]), np.array(model.system.child_point[j])
