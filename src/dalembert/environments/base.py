"""What all environments share: a model, an integrator, actuated joints, and failures that end one episode only."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import DalembertError
from dalembert.integrators.base import Integrator, StepFailure
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.model.system import Floats

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise DalembertError("environments need gymnasium: pip install 'dalembert[gym]'") from error

Observation = NDArray[np.float32]


class MechanismEnv(gymnasium.Env[Observation, Observation]):
    """A mechanism that is driven at some of its joints.

    Actions are forces in parts of the largest ones, −1 to 1, held for ``substeps`` steps. A step that cannot be taken,
    or an action that is not finite, ends the episode with ``info["failure"]``; other environments of a vector go on.

    Args:
        model: the mechanism.
        integrator: such as ``MaximalVI()``.
        joints: names of the driven joints, one rate each.
        forces: (m,) the largest force of each, N or N m.
        dt: step in seconds.
        substeps: steps to an action.
        render_mode: "rgb_array" or None.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["rgb_array"],
        "render_fps": 50,
    }

    def __init__(
        self,
        model: Model,
        integrator: Integrator,
        joints: Sequence[str],
        forces: Sequence[float],
        *,
        dt: float = 0.01,
        substeps: int = 2,
        render_mode: str | None = None,
    ) -> None:
        self.model, self.integrator = model, integrator
        self.dt, self.substeps, self.render_mode = dt, substeps, render_mode
        self._rates = [model.joints[name].rates.start for name in joints]
        self._forces = np.asarray(forces, dtype=float)
        self._outside = np.zeros((model.n_bodies + 1, 6))
        self.state = model.state()
        self._stepper = integrator.start(model, self.state, dt)
        self._steps = 0
        self._stage: Any = None
        self.action_space = spaces.Box(-1.0, 1.0, (len(joints),), np.float32)
        width = self.observe(self.state).size
        self.observation_space = spaces.Box(-np.inf, np.inf, (width,), np.float32)

    @abstractmethod
    def start(self, random: np.random.Generator) -> State:
        """Where an episode starts."""

    @abstractmethod
    def observe(self, state: State) -> Observation:
        """What is seen of a state."""

    @abstractmethod
    def judge(self, state: State, force: Floats) -> tuple[float, bool]:
        """(reward of a step that led to a state, whether the episode is over)."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new episode."""
        super().reset(seed=seed)
        self.state, self._steps = self.start(self.np_random), 0
        self._stepper = self.integrator.start(self.model, self.state, self.dt)
        return self.observe(self.state), {}

    def step(self, action: Observation) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Hold an action for ``substeps`` steps."""
        share = np.asarray(action, dtype=float).reshape(-1)
        if share.shape != self._forces.shape or not np.isfinite(share).all():
            return self._failed(f"expected {self._forces.size} finite numbers as an action, found {action!r}")
        force = np.zeros(int(self.model.system.n_rates.sum()))
        force[self._rates] = np.clip(share, -1.0, 1.0) * self._forces
        try:
            self._stepper.control(force, self._outside)
            self._stepper.advance(self.substeps)
        except StepFailure as failure:
            return self._failed(f"{failure.reason}; worst: {failure.worst}")
        self._steps += self.substeps
        self.state = replace(self._stepper.state(), time=self._steps * self.dt)
        reward, over = self.judge(self.state, force[self._rates])
        return self.observe(self.state), float(reward), over, False, {}

    def render(self) -> Any:
        """The present state as an array of pixels, for ``render_mode="rgb_array"``."""
        if self.render_mode != "rgb_array":
            return None
        from dalembert.view.still import Stage

        if self._stage is None:
            self._stage = Stage(self.model, self.state.position[None], self.state.orientation[None], (640, 480))
        return self._stage.draw(self.state.position, self.state.orientation)

    def close(self) -> None:
        """Free what pictures needed."""
        if self._stage is not None:
            self._stage.close()
            self._stage = None

    def _failed(self, reason: str) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        return self.observe(self.state), 0.0, True, False, {"failure": reason}
