"""What a model needs of an integrator, and which integrators have it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from dalembert.integrators.base import Integrator
from dalembert.model.product_kinds import EulerAngles
from dalembert.model.system import CUSTOM, PRODUCT

if TYPE_CHECKING:
    from dalembert.model.model import Model


def needs(model: Model, forced: bool = False) -> Iterator[tuple[str, str]]:
    """Pairs (ability, item that needs it); ``forced`` if forces are given from outside."""
    system, names = model.system, list(model.joints)
    closing = [j for j in system.loop_joint.tolist() if system.locked[j].any()]
    if closing:
        yield "loops", f'joint "{names[closing[0]]}" closes a loop'
    custom = np.flatnonzero(system.joint_kind == CUSTOM)
    if custom.size:
        yield "custom constraints", f'joint "{names[custom[0]]}" is a custom constraint'
    if model.constraints:
        kinds = {constraint.kind.inequality: name for name, constraint in model.constraints.items()}
        if False in kinds:
            yield "constraints", f'there is the constraint "{kinds[False]}"'
        if True in kinds:
            yield "inequalities", f'there is the constraint "{kinds[True]}", an inequality'
    products = np.flatnonzero(system.joint_kind == PRODUCT)
    if products.size:
        joint = model.joints[names[products[0]]]
        yield "joints along curves", f'joint "{joint.name}" is a {joint.kind.name}, whose axes change as it moves'
    for name, joint in model.joints.items():
        if isinstance(joint.kind, EulerAngles) and joint.kind.switch > 0.0:
            yield "changes of axes", f'joint "{name}" changes the axes of its Euler angles'
            break
    bent = [j for j in closing if system.joint_kind[j] == PRODUCT]
    if bent:
        yield (
            "loops along curves",
            f'joint "{names[bent[0]]}", a {model.joints[names[bent[0]]].kind.name}, closes a loop',
        )
    for ability, array in (("springs", system.stiffness), ("dampers", system.damping), ("armature", system.armature)):
        joints = np.flatnonzero((array > 0.0).any(axis=1))
        if joints.size:
            yield ability, f'joint "{names[joints[0]]}" has {ability.rstrip("s") if ability != "armature" else ability}'
    for name, joint in model.joints.items():
        if np.isfinite(joint.limits).any():
            yield "limits", f'joint "{name}" has limits'
            break
    for name, joint in model.joints.items():
        if joint.friction.any():
            yield "friction", f'joint "{name}" has friction'
            break
    if model.bearings:
        yield "bearings", f'joint "{next(iter(model.bearings))}" has a bearing with friction'
    if model.contacts:
        yield "contact", f'there is the contact "{next(iter(model.contacts))}"'
    if model.potentials:
        yield "potentials", f'there is the potential "{next(iter(model.potentials))}"'
    for name, force in model.forces.items():
        if force.law is not None:
            yield "spring laws", f'the force "{name}" has a law written in Python'
            break
    damps = {force.damps: name for name, force in model.forces.items()}
    if False in damps:
        yield "forces", f'there is the force "{damps[False]}"'
    if True in damps:
        yield "damped forces", f'there is the force "{damps[True]}", which depends on velocities'
    if forced:
        yield "actuators", "forces are given by a controller or as wrenches"


def missing_support(model: Model, integrator: Integrator, forced: bool = False) -> str | None:
    """Why the integrator cannot run the model and which ones can; None if it can."""
    needed = list(needs(model, forced))
    missing = [(ability, item) for ability, item in needed if ability not in integrator.supports]
    if not missing:
        return None
    from dalembert.integrators import INTEGRATORS

    able = [kind.name for kind in INTEGRATORS if all(ability in kind.supports for ability, _ in needed)]
    reasons = "; ".join(f"{item}, and {integrator.name} does not support {ability}" for ability, item in missing)
    return f"{reasons}; use {' or '.join(able) if able else 'a model without it: no integrator supports it yet'}"
