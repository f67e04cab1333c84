"""Make a small quadruped walk."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.environments.base import MechanismEnv, Observation
from dalembert.integrators.maximal.method import MaximalVI
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.zoo.walker import LEGS, walker, walker_start

TORQUES = {"hip": 20.0, "thigh": 30.0, "calf": 30.0}
"""N m"""
LOW, TILTED = 0.15, 0.5
"""Where an episode ends: height of the trunk (m), and the cosine of its lean."""


class Quadruped(MechanismEnv):
    """The walker of the zoo with rigid contact and friction under its feet, a torque motor in each of its 12 joints.

    Observation: height of the trunk (m), its quaternion, the 12 angles (rad), velocity of the trunk (m/s) and its
    angular velocity in its own axes (rad/s), the 12 rates (rad/s). The reward of an action is the way forward that it
    made (m), less a little for torques; an episode ends when the trunk is low or leans over.
    """

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        model = walker()
        joints = [f"{leg}_{name}" for leg in LEGS for name in TORQUES]
        self._trunk = model.bodies["trunk"].index
        self._angles = [model.joints[name].coordinates.start for name in joints]
        self._turns = [model.joints[name].rates.start for name in joints]
        self._way = 0.0
        options = {"dt": 0.002, "substeps": 10} | options
        # a finer step of Newton's method is lost to rounding where four feet slide
        integrator = MaximalVI(tol=1e-6)
        super().__init__(
            model, integrator, joints, list(TORQUES.values()) * len(LEGS), render_mode=render_mode, **options
        )

    def start(self, random: np.random.Generator) -> State:
        """Standing, joints turned a little and the feet just above the ground."""
        standing = walker_start(self.model)
        coordinates = standing.coordinates.copy()
        coordinates[self._angles] += random.uniform(-0.02, 0.02, len(self._angles))
        positions: dict[str, Any] = {
            name: coordinates[joint.coordinates] for name, joint in self.model.joints.items() if joint.components
        }
        place = self.model.joints["free"].coordinates.start
        height = float(coordinates[place + 2]) + 0.01
        positions["free"] = ((0.0, 0.0, height), (0.0, 0.0, 0.0))
        self._way = 0.0
        return self.model.state(positions=positions)

    def observe(self, state: State) -> Observation:
        """(35,)"""
        trunk = self._trunk
        parts = (
            state.position[trunk, 2:],
            state.orientation[trunk],
            state.coordinates[self._angles],
            state.velocity[trunk],
            state.angular_velocity[trunk],
            state.rates[self._turns],
        )
        return np.concatenate(parts).astype(np.float32)

    def judge(self, state: State, force: Floats) -> tuple[float, bool]:
        """Way forward, less a little for torques; over when the trunk is low or leans."""
        way = float(state.position[self._trunk, 0])
        made, self._way = way - self._way, way
        _, x, y, _ = state.orientation[self._trunk]
        # the third component of the trunk's third axis
        upright = 1.0 - 2.0 * (x * x + y * y)
        over = bool(state.position[self._trunk, 2] < LOW or upright < TILTED)
        return made - 1e-6 * float(force @ force), over
