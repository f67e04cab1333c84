"""How far a state is from fitting the joints: one plain evaluation of all constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.user_functions import CustomRows
from dalembert.model.state import State
from dalembert.model.system import CUSTOM, Floats, Integers, System

if TYPE_CHECKING:
    from dalembert.model.model import Model


def violations(model: Model, state: State) -> tuple[float, str, float, str]:
    """(largest violation of a position constraint, its joint, largest violation by velocities, its joint)."""
    system = model.system
    value, jacobian = np.zeros((len(model.joints), 6)), np.zeros((system.incidence_body.size, 6, 6))
    position, orientation, velocity, angular_velocity = state.with_world()
    evaluate_constraints(system, system.locked, state.coordinates, position, orientation, value, jacobian)
    if np.any(system.joint_kind == CUSTOM):
        CustomRows(model).evaluate(position, orientation, value, jacobian)
    names = list(model.joints)
    rates = constraint_rates(system, jacobian, np.hstack([velocity, angular_velocity]))
    return (*worst_joint(names, system.locked, value), *worst_joint(names, system.locked, rates))


def constraint_rates(system: System, jacobian: Floats, velocity: Floats) -> Floats:
    """(m, 6) rates of all components that were evaluated, from (n + 1, 6) velocities of the bodies."""
    rates = np.zeros((system.joint_kind.size, 6))
    joints = np.repeat(np.arange(len(rates)), np.diff(system.incidence_start))
    np.add.at(rates, joints, np.einsum("eck,ek->ec", jacobian, velocity[system.incidence_body]))
    return rates


def worst_joint(names: Sequence[str], active: Integers, values: Floats) -> tuple[float, str]:
    """The largest of (m, 6) values in active components, and the name of its joint; NaN counts as the largest."""
    sizes = np.where(active > 0, np.abs(values), 0.0).max(axis=1, initial=0.0)
    if not sizes.size:
        return 0.0, ""
    joint = int(np.argmax(sizes))
    return float(sizes[joint]), names[joint]
