"""Everything that a run depends on, as arrays of its own that parameters may write to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dalembert.errors import ModelError
from dalembert.mechanics.kinematics import joint_coordinates, joint_rates, move_bodies, place_bodies
from dalembert.model.state import State, with_world
from dalembert.model.system import Floats, System

if TYPE_CHECKING:
    from dalembert.model.model import Model


@dataclass
class Inputs:
    """A mechanism, its start, and the drives of N steps."""

    model: Model
    """The mechanism before anything is changed: names, and what parameters are counted from."""
    system: System
    """A copy of the model's arrays."""
    q: Floats
    """(n_q,) minimal coordinates and (n_v,) rates of the start."""
    v: Floats
    joint_force: Floats
    """(N, rates of all joints)"""
    dt: float
    origin: Floats
    """(n_q,) minimal coordinates of the start as given."""

    @staticmethod
    def of(model: Model, state: State, steps: int, dt: float) -> Inputs:
        """What stands in the model and the state; no drives."""
        system = model.system
        copies = {name: part.copy() for name, part in system._asdict().items() if isinstance(part, np.ndarray)}
        return Inputs(
            model,
            system._replace(**copies),
            state.coordinates[: system.n_q].copy(),
            state.rates[: system.n_v].copy(),
            np.zeros((steps, int(system.n_rates.sum()))),
            dt,
            state.coordinates[: system.n_q].copy(),
        )

    def changed_model(self) -> Model:
        """The model with these arrays: names, shapes and options stay."""
        for name, body in self.model.bodies.items():
            mass, inertia = self.system.mass[body.index], self.system.inertia[body.index]
            if not mass > 0.0:
                raise ModelError(f'mass of body "{name}": expected a positive number, found {mass:g}; give it bounds')
            low, middle, high = np.linalg.eigvalsh(inertia)
            if not (low > 0.0 and high <= (low + middle) * (1.0 + 1e-9)):
                raise ModelError(
                    f'inertia of body "{name}": expected positive principal moments, none larger than the sum of the '
                    f"others, found {low:g}, {middle:g}, {high:g}; give it bounds"
                )
        bodies = {
            name: replace(
                body, mass=float(self.system.mass[body.index]), inertia=self.system.inertia[body.index].copy()
            )
            for name, body in self.model.bodies.items()
        }
        return self.model.replaced(self.system, bodies)


def state_at(model: Model, q: Floats, v: Floats, near: State) -> State:
    """The state with these minimal coordinates and rates; angles of closing joints on the branch of ``near``."""
    system = model.system
    position, orientation, velocity, angular_velocity = with_world(model.n_bodies)
    place_bodies(system, q, position, orientation)
    move_bodies(system, q, v, position, orientation, velocity, angular_velocity)
    coordinates, rates = near.coordinates.copy(), np.zeros_like(near.rates)
    joint_coordinates(system, position, orientation, coordinates, coordinates)
    joint_rates(system, position, orientation, velocity, angular_velocity, rates)
    # what was given stays to the last bit
    coordinates[: system.n_q], rates[: system.n_v] = q, v
    bodies = (position[:-1], orientation[:-1], velocity[:-1], angular_velocity[:-1])
    return State(*bodies, coordinates, rates, near.time)
