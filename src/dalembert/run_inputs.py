"""What users hand to `dalembert.simulate`, read and checked: nothing that is not meaningful reaches a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import AssemblyError, ModelError
from dalembert.integrators.base import Integrator
from dalembert.integrators.needs import missing_support
from dalembert.model.checks import shown
from dalembert.model.state import State
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.model.model import Model

Controller = Callable[[float, State], Any]
"""Called at the beginning of every step with the time and the state; returns joint forces by name."""

Wrenches = Mapping[str, Any] | Callable[[float, State], Mapping[str, Any]]
"""Forces and torques on bodies by name, or a function of time and state that gives them."""

OPEN = 1e-6
"""The largest violation of a constraint at the start, m or rad; of its rate, relative to the speeds, m/s or rad/s."""

ROUNDING = 1e-9
"""How far, relatively, a duration may be from a whole number of steps: numbers written with ten digits pass."""


def step_count(duration: float, dt: float, every: int) -> int:
    """How many steps of ``dt`` make the duration."""
    dt = _number("dt", dt, "a positive number of seconds")
    duration = _number("duration", duration, "seconds, zero or more")
    if not dt > 0.0:
        raise ModelError(f"dt: expected a positive number of seconds, found {dt!r}")
    if not duration >= 0.0:
        raise ModelError(f"duration: expected seconds, zero or more, found {duration!r}")
    count = _number("every", every, "a whole number of steps from 1")
    if count != int(count) or count < 1:
        raise ModelError(f"every: expected a whole number of steps from 1, found {every!r}")
    ratio = duration / dt
    if not ratio < 2**53:
        raise ModelError(f"dt: expected steps that can be counted, found {dt!r} s in {duration!r} s")
    steps = round(ratio)
    if abs(ratio - steps) > min(ROUNDING * steps, 1e-3):
        raise ModelError(
            f"duration: expected a whole number of steps of dt = {dt!r} s, found {duration!r} s; "
            f"take {steps * dt:.12g} s or another dt"
        )
    if steps % int(every):
        raise ModelError(f"every: expected a divisor of the {steps} steps of the run, found {every}")
    return steps


def check_support(model: Model, integrator: Integrator, forced: bool) -> None:
    """Refuse what the integrator cannot do; ``forced`` if forces are given from outside."""
    if not isinstance(integrator, Integrator):
        raise ModelError(f"integrator: expected one such as da.MaximalVI(), found {shown(integrator)}")
    problem = missing_support(model, integrator, forced)
    if problem:
        raise ModelError(problem)


def check_start(model: Model, state: State) -> float:
    """The largest violation of a position constraint at the start, m or rad; refuses a start that does not fit."""
    from dalembert.mechanics.violations import violations

    _check_shapes(model, state)
    for array, what in (
        (state.position, "position"),
        (state.orientation, "orientation"),
        (state.velocity, "velocity"),
        (state.angular_velocity, "angular velocity"),
    ):
        bad = np.flatnonzero(~np.isfinite(array).all(axis=1))
        if bad.size:
            raise ModelError(f'{what} of body "{_body(model, bad)}": expected finite numbers, found {array[bad[0]]}')
    for values, what in ((state.coordinates, "position"), (state.rates, "velocity")):
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            joint = _joint_at(model, int(bad[0]), what == "velocity")
            raise ModelError(f'{what} of joint "{joint}": expected finite numbers, found {values[bad[0]]}')
    bad = np.flatnonzero(np.abs(np.linalg.norm(state.orientation, axis=1) - 1.0) > OPEN)
    if bad.size:
        raise ModelError(
            f'orientation of body "{_body(model, bad)}": expected a unit quaternion, found {state.orientation[bad[0]]}'
        )
    gap, joint, slip, slipping = violations(model, state)
    if not gap <= OPEN:
        raise AssemblyError(
            f'joint "{joint}" is open by {gap:.3g} (m or rad) at the start; close it with model.assemble(state)',
            residual=gap,
            worst=joint,
        )
    speed = float(np.abs(np.hstack([state.velocity, state.angular_velocity])).max(initial=0.0))
    if not slip <= OPEN * max(1.0, speed):
        raise AssemblyError(
            f'the velocities at the start tear joint "{slipping}" apart by {slip:.3g} (m/s or rad/s); '
            "make them fit with model.assemble(state)",
            residual=slip,
            worst=slipping,
        )
    return gap


def read_joint_forces(model: Model, forces: Any, time: float) -> Floats:
    """Forces on all joint rates from what a controller returned at ``time``."""
    out = np.zeros(int(model.system.n_rates.sum()))
    who = f"controller at t = {time:.9g} s"
    if forces is None:
        return out
    if isinstance(forces, Mapping):
        for name, value in forces.items():
            model.joint_index(name)
            rates = model.joints[name].rates
            values = _floats(value, f'{who}, joint "{name}"')
            if values.size != rates.stop - rates.start or values.ndim > 1:
                raise ModelError(
                    f'{who}, joint "{name}": expected {_forces(rates.stop - rates.start)}, found {shown(value)}'
                )
            _check_finite(values, f'{who}, joint "{name}"')
            out[rates] = values
        return out
    array = _floats(forces, who)
    if array.shape not in ((model.system.n_v,), out.shape):
        raise ModelError(
            f"{who}: expected {{joint: force}} or {model.system.n_v} numbers, one for each rate of the "
            f"spanning tree, found {shown(forces)} of shape {array.shape}"
        )
    _check_finite(array, who)
    out[: array.size] = array
    return out


def read_wrenches(model: Model, wrenches: Any, time: float) -> Floats:
    """(n + 1, 6) wrenches from ``{body: (force, torque)}``; ``None`` is none."""
    out = np.zeros((model.n_bodies + 1, 6))
    who = f"wrenches at t = {time:.9g} s"
    if wrenches is None:
        return out
    if not isinstance(wrenches, Mapping):
        raise ModelError(f"{who}: expected {{body: (force, torque)}}, found {shown(wrenches)}")
    for name, value in wrenches.items():
        index = model.body_index(name)
        parts = _floats(value, f'{who}, body "{name}"').reshape(-1)
        if parts.size != 6:
            raise ModelError(f'{who}, body "{name}": expected (force, torque), six numbers, found {shown(value)}')
        _check_finite(parts, f'{who}, body "{name}"')
        out[index] = parts
    return out


def _number(item: str, value: Any, expected: str) -> float:
    """A finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not np.isfinite(number):
        raise ModelError(f"{item}: expected {expected}, found {value!r}")
    return number


def _floats(value: Any, item: str) -> Floats:
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ModelError(f"{item}: expected numbers, found {shown(value)}") from None


def _check_finite(values: Floats, item: str) -> None:
    if not np.isfinite(values).all():
        raise ModelError(f"{item}: expected finite forces, found {values}")


def _forces(count: int) -> str:
    return {0: "no force, for it has no rates", 1: "a number"}.get(count, f"{count} numbers")


def _check_shapes(model: Model, state: State) -> None:
    n, system = model.n_bodies, model.system
    expected = {
        "position": (n, 3),
        "orientation": (n, 4),
        "velocity": (n, 3),
        "angular_velocity": (n, 3),
        "coordinates": (int(system.n_coordinates.sum()),),
        "rates": (int(system.n_rates.sum()),),
    }
    for name, shape in expected.items():
        found = np.shape(getattr(state, name))
        if found != shape:
            raise ModelError(
                f"state, {name}: expected an array of shape {shape}, found {found}; "
                "states of this model come from model.state()"
            )


def _body(model: Model, indices: Any) -> str:
    return list(model.bodies)[int(indices[0])]


def _joint_at(model: Model, column: int, rates: bool) -> str:
    """The joint to which a column of all coordinates or rates belongs."""
    slices = ((joint.name, joint.rates if rates else joint.coordinates) for joint in model.joints.values())
    return next(name for name, part in slices if part.start <= column < part.stop)
