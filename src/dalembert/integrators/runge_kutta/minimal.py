"""What steppers in minimal coordinates share: entering from a state, recording, control, failures.

Between two knots forces from outside are held. Rotations about a point are integrated as the four numbers of their
quaternion and scaled back to a unit at every knot: ṗ = ½ p·(0, w) keeps |p|, so a method of order s leaves it only by
O(h^(s+1)) in a step and the order stands, for every tableau and for adaptive methods that know vectors only. (Methods
on the group need commutators from the third order on.)
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dalembert.integrators.base import StepFailure, Stepper
from dalembert.integrators.record import Record
from dalembert.mechanics.acceleration import accelerations, largest_violation, place
from dalembert.mechanics.acceleration_equations import Equations, make_equations
from dalembert.mechanics.element_energy import ElementWrenches
from dalembert.mechanics.kinematics import joint_rates
from dalembert.mechanics.user_functions import potential_wrenches
from dalembert.model.state import State
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.integrators.base import Integrator
    from dalembert.model.model import Model


class Minimal(NamedTuple):
    """The present instant and what acts from outside."""

    q: Floats
    """(n_q,) minimal coordinates."""
    v: Floats
    """(n_v,) minimal rates."""
    joint_force: Floats
    """Force or torque on each joint rate, all joints."""
    external: Floats
    """(n + 1, 6) wrenches from outside, from the user's potentials and from force elements."""


class MinimalStepper(Stepper):
    """A run in the minimal coordinates of the spanning tree."""

    def __init__(self, method: Integrator, model: Model, state: State, dt: float, gains: tuple[float, float]) -> None:
        system = model.system
        self._method, self._model, self._system, self._dt, self._gains = method, model, system, dt, gains
        self._equations: Equations = make_equations(system)
        self._equations.coordinates[:] = state.coordinates
        self._now = Minimal(
            state.coordinates[: system.n_q].copy(),
            state.rates[: system.n_v].copy(),
            np.zeros(int(system.n_rates.sum())),
            np.zeros((model.n_bodies + 1, 6)),
        )
        self._applied = np.zeros((model.n_bodies + 1, 6))
        self._loops = self._equations.row_joint.size > 0
        self._elements = ElementWrenches(model.elements, model.n_bodies) if model.forces else None

    @abstractmethod
    def _steps(self, n_steps: int) -> tuple[int, float]:
        """Take steps; returns how many could be taken and the largest violation of a constraint at their knots."""

    def advance(self, n_steps: int) -> tuple[int, float]:
        done, violation = self._steps(n_steps)
        if done < n_steps:
            raise StepFailure(
                "accelerations are not finite here: a force grew beyond bounds, or dt is too large for a stiff spring "
                "or damper; try a smaller dt",
                self._worst(),
                done,
            )
        return 0, violation

    def control(self, joint_force: Floats, external: Floats) -> None:
        self._now.joint_force[:] = joint_force
        self._now.external[:] = self._applied[:] = external

    def write(self, record: Record, row: int) -> None:
        equations = self._placed()
        record.position[row] = equations.position[:-1]
        record.orientation[row] = equations.orientation[:-1]
        record.velocity[row] = equations.velocity[:-1]
        record.angular_velocity[row] = equations.angular_velocity[:-1]
        record.coordinates[row] = equations.coordinates

    def state(self) -> State:
        at, system = self._placed(), self._system
        rates = np.zeros(int(system.n_rates.sum()))
        joint_rates(system, at.position, at.orientation, at.velocity, at.angular_velocity, rates)
        rates[: system.n_v] = self._now.v
        return State(
            at.position[:-1].copy(),
            at.orientation[:-1].copy(),
            at.velocity[:-1].copy(),
            at.angular_velocity[:-1].copy(),
            at.coordinates.copy(),
            rates,
            memory=self._memory(),
        )

    def _memory(self) -> dict[str, object]:
        """Coordinates and rates say all that a fixed step depends on."""
        return {}

    def _placed(self) -> Equations:
        place(self._system, self._equations, self._now.q, self._now.v)
        return self._equations

    def _violation(self) -> float:
        """At the present instant; nothing can be violated in a tree."""
        return largest_violation(self._system, self._placed()) if self._loops else 0.0

    def _accelerate(self, q: Floats, v: Floats, out: Floats) -> None:
        """v̇ at (q, v), the user's potentials and force elements included."""
        system, equations, now = self._system, self._equations, self._now
        if self._model.potentials or self._elements is not None:
            place(system, equations, q, v)
            poses = equations.position, equations.orientation
            now.external[:] = self._applied + potential_wrenches(self._model, *poses)
            if self._elements is not None:
                now.external[:] += self._elements.at(*poses, equations.velocity, equations.angular_velocity)
        accelerations(system, equations, q, v, now.joint_force, now.external, self._gains, out)

    def _worst(self) -> str:
        """The first body whose acceleration was not finite when the equations were last evaluated."""
        wrong = ~np.isfinite(self._equations.tree.acceleration[:-1]).all(axis=1)
        return f'body "{list(self._model.bodies)[int(np.argmax(wrong))]}"' if wrong.any() else "the mechanism"


class FixedStepper(MinimalStepper):
    """A run in steps of one length."""

    @abstractmethod
    def _step(self) -> bool:
        """Take one step if all is finite after it; returns whether it is."""

    def _steps(self, n_steps: int) -> tuple[int, float]:
        worst = 0.0
        for done in range(n_steps):
            if not self._step():
                return done, worst
            worst = max(worst, self._violation())
        return n_steps, worst
