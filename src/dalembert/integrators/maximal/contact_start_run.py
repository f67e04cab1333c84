"""Whether a run needs the equations of contact, and what they do not go together with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.errors import ModelError
from dalembert.integrators.base import Stepper
from dalembert.model.system import CUSTOM

if TYPE_CHECKING:
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.model.model import Model
    from dalembert.model.state import State


def contact_stepper(method: MaximalVI, model: Model, state: State, dt: float) -> Stepper | None:
    """The stepper with contact if the model has contacts, limits or dry friction, else None."""
    joints = model.joints.values()
    limits = any(np.isfinite(joint.limits).any() for joint in joints)
    friction = any(joint.friction.any() for joint in joints)
    if not (model.contacts or limits or friction):
        return None
    what = "contacts" if model.contacts else ("limits of joints" if limits else "friction of joints")
    if method.linear_solver == "tree":
        raise ModelError(f'MaximalVI(linear_solver="tree"): {what} are solved by the graph; use linear_solver="auto"')
    if method.initial_velocity == "interval":
        raise ModelError(f'MaximalVI(initial_velocity="interval"): {what} need initial_velocity="knot"')
    if np.any(model.system.joint_kind == CUSTOM):
        raise ModelError(f"MaximalVI: custom constraints and {what} do not go together in one model")
    from dalembert.integrators.maximal.contact_stepper import ContactStepper

    return ContactStepper(method, model, state, dt)
