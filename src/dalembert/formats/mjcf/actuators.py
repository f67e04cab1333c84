"""MuJoCo's actuators on joints, as a controller of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.formats.mjcf.compiled import Compiled
from dalembert.formats.mjcf.placing import HINGE, SLIDE
from dalembert.model.checks import suggestion
from dalembert.model.model import Model
from dalembert.model.state import State

Control = Mapping[str, float] | Callable[[float, State], Mapping[str, float]]
"""Controls by actuator, or a function of time and state that gives them."""


@dataclass(frozen=True)
class Actuator:
    """A motor, servo or damper on one joint, without states of its own.

    With the length l = gear · q and its rate, a control u makes the force
    ``(gain₀ + gain₁ l + gain₂ l̇) u + bias₀ + bias₁ l + bias₂ l̇``, and ``gear`` times it on the joint.
    """

    name: str
    joint: str
    gear: float
    gain: tuple[float, float, float]
    bias: tuple[float, float, float]
    control_range: tuple[float, float] = (-np.inf, np.inf)
    force_range: tuple[float, float] = (-np.inf, np.inf)
    joint_range: tuple[float, float] = (-np.inf, np.inf)
    """Of the force on the joint of all its actuators together."""

    def force(self, control: float, position: float, rate: float) -> float:
        """The force on the joint, N or N m."""
        u = min(max(control, self.control_range[0]), self.control_range[1])
        terms = (1.0, self.gear * position, self.gear * rate)
        gain = sum(a * b for a, b in zip(self.gain, terms, strict=True))
        bias = sum(a * b for a, b in zip(self.bias, terms, strict=True))
        return self.gear * min(max(gain * u + bias, self.force_range[0]), self.force_range[1])


def read_actuators(compiled: Compiled) -> tuple[list[Actuator], list[tuple[str, str]]]:
    """Actuators that map, and (name, reason) of those that do not."""
    model, mujoco = compiled.model, compiled.mujoco
    found, lost = [], []
    for index in range(model.nu):
        name = compiled.name("actuator", index)
        joint = int(model.actuator_trnid[index, 0])
        on_joint = int(model.actuator_trntype[index]) in (
            int(mujoco.mjtTrn.mjTRN_JOINT),
            int(mujoco.mjtTrn.mjTRN_JOINTINPARENT),
        )
        if not on_joint or int(model.jnt_type[joint]) not in (HINGE, SLIDE):
            lost.append((name, "it does not act on a joint with one coordinate"))
        elif int(model.actuator_dyntype[index]) != int(mujoco.mjtDyn.mjDYN_NONE):
            lost.append((name, "it has a state of its own"))
        elif int(model.actuator_gaintype[index]) > int(mujoco.mjtGain.mjGAIN_AFFINE) or int(
            model.actuator_biastype[index]
        ) > int(mujoco.mjtBias.mjBIAS_AFFINE):
            lost.append((name, "its force is not linear"))
        else:
            found.append(_read(compiled, index, name, joint))
    return found, lost


def _read(compiled: Compiled, index: int, name: str, joint: int) -> Actuator:
    model, mujoco = compiled.model, compiled.mujoco
    gain, bias = np.array(model.actuator_gainprm[index, :3]), np.array(model.actuator_biasprm[index, :3])
    if int(model.actuator_gaintype[index]) == int(mujoco.mjtGain.mjGAIN_FIXED):
        gain[1:] = 0.0
    if int(model.actuator_biastype[index]) == int(mujoco.mjtBias.mjBIAS_NONE):
        bias[:] = 0.0
    return Actuator(
        name,
        compiled.name("joint", joint),
        float(model.actuator_gear[index, 0]),
        tuple(gain.tolist()),
        tuple(bias.tolist()),
        _range(model.actuator_ctrllimited[index], model.actuator_ctrlrange[index]),
        _range(model.actuator_forcelimited[index], model.actuator_forcerange[index]),
        _range(model.jnt_actfrclimited[joint], model.jnt_actfrcrange[joint]),
    )


def _range(limited: Any, values: Any) -> tuple[float, float]:
    return (float(values[0]), float(values[1])) if limited else (-np.inf, np.inf)


def make_controller(
    actuators: Sequence[Actuator], model: Model, control: Control
) -> Callable[[float, State], dict[str, float]]:
    """A controller for `simulate` that gives the joints the forces of the actuators; controls not named are zero."""
    known = {actuator.name for actuator in actuators}
    places = {
        actuator.joint: (model.joints[actuator.joint].coordinates.start, model.joints[actuator.joint].rates.start)
        for actuator in actuators
    }

    def controller(time: float, state: State) -> dict[str, float]:
        wanted = control(time, state) if callable(control) else control
        for name in wanted:
            if name not in known:
                raise ModelError(f'control of actuator "{name}": there is none of this name; {suggestion(name, known)}')
        forces = dict.fromkeys(places, 0.0)
        limits = {}
        for actuator in actuators:
            q, v = places[actuator.joint]
            u = float(wanted.get(actuator.name, 0.0))
            forces[actuator.joint] += actuator.force(u, float(state.coordinates[q]), float(state.rates[v]))
            limits[actuator.joint] = actuator.joint_range
        return {joint: min(max(force, limits[joint][0]), limits[joint][1]) for joint, force in forces.items()}

    return controller
