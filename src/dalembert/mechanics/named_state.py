"""States of a model from what users know: coordinates of joints by name, or poses of bodies.

`Model.state` and `Model.state_from_bodies` are their public face and say what the arguments are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.mechanics.kinematics import joint_coordinates, joint_rates, move_bodies, place_bodies, product_rates
from dalembert.model.checks import Findings, read_array, read_quaternion, suggestion
from dalembert.model.model import Model
from dalembert.model.record import Joint
from dalembert.model.state import State, with_world
from dalembert.model.system import Floats
from dalembert.model.values import read_coordinates, read_rates

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def state_of_joints(
    model: Model, positions: Mapping[str, Any] | None, velocities: Mapping[str, Any] | None, time: float
) -> State:
    """The state in which joints have given coordinates and rates; see `Model.state`."""
    findings = Findings()
    q = reference_coordinates(model)
    v = np.zeros(int(model.system.n_rates.sum()))
    for name, value in (positions or {}).items():
        joint = _settable(model, name, "position", findings)
        if joint is not None:
            with findings.separate() as own:
                q[joint.coordinates] = read_coordinates(joint, value, own)
    for name, value in (velocities or {}).items():
        joint = _settable(model, name, "velocity", findings)
        if joint is not None:
            with findings.separate() as own:
                v[joint.rates] = read_rates(joint, value, own)
    time = float(read_array(findings, "time", time, (), "seconds"))
    findings.raise_if_any()

    position, orientation, velocity, angular_velocity = with_world(model.n_bodies)
    place_bodies(model.system, q, position, orientation)
    move_bodies(model.system, q, v, position, orientation, velocity, angular_velocity)
    given_q, given_v = q[: model.system.n_q].copy(), v[: model.system.n_v].copy()
    joint_coordinates(model.system, position, orientation, q, q)
    joint_rates(model.system, position, orientation, velocity, angular_velocity, v)
    product_rates(model.system, q, position, orientation, velocity, angular_velocity, v)
    # what was given stays to the last bit
    q[: model.system.n_q], v[: model.system.n_v] = given_q, given_v
    return State(position[:-1], orientation[:-1], velocity[:-1], angular_velocity[:-1], q, v, time)


def state_of_bodies(
    model: Model,
    position: ArrayLike,
    orientation: ArrayLike,
    velocity: ArrayLike | None,
    angular_velocity: ArrayLike | None,
    time: float,
    near: State | None,
) -> State:
    """The state with given poses and velocities of the bodies; see `Model.state_from_bodies`."""
    n, findings = model.n_bodies, Findings()
    x, turn, xdot, omega = with_world(n)
    x[:-1] = read_array(findings, "position", position, (n, 3), f"an array ({n}, 3) in metres")
    quaternions = read_array(findings, "orientation", orientation, (n, 4), f"{n} quaternions")
    if not findings.lines:
        for name, body in model.bodies.items():
            item = f'orientation of body "{name}"'
            turn[body.index] = read_quaternion(findings, item, quaternions[body.index])
    if velocity is not None:
        xdot[:-1] = read_array(findings, "velocity", velocity, (n, 3), f"an array ({n}, 3) in m/s")
    if angular_velocity is not None:
        expected = f"an array ({n}, 3) in rad/s"
        omega[:-1] = read_array(findings, "angular_velocity", angular_velocity, (n, 3), expected)
    time = float(read_array(findings, "time", time, (), "seconds"))
    findings.raise_if_any()

    q = reference_coordinates(model) if near is None else near.coordinates.copy()
    v = np.zeros(int(model.system.n_rates.sum()))
    joint_coordinates(model.system, x, turn, q, q)
    joint_rates(model.system, x, turn, xdot, omega, v)
    product_rates(model.system, q, x, turn, xdot, omega, v)
    return State(x[:-1], turn[:-1], xdot[:-1], omega[:-1], q, v, time)


def _settable(model: Model, name: str, what: str, findings: Findings) -> Joint | None:
    """The joint of that name, if its coordinates can be set."""
    item = f'{what} of joint "{name}"'
    if name not in model.joints:
        findings.add(item, "the name of a joint", f'"{name}"', suggestion(name, model.joints))
        return None
    joint = model.joints[name]
    if not joint.kind.coordinate_names:
        findings.add(item, "a joint with coordinates", f"a {joint.kind.name}, which has none")
        return None
    if not joint.in_tree:
        remedy = f'set other joints and call model.assemble(state, hold=("{name}",)), or hold those that drive'
        findings.add(item, "a joint of the spanning tree", "one that closes a loop", remedy)
        return None
    return joint


def reference_coordinates(model: Model) -> Floats:
    """Coordinates of all joints at the reference configuration."""
    position, orientation, _, _ = with_world(model.n_bodies)
    for body in model.bodies.values():
        position[body.index] = body.position
        orientation[body.index] = body.orientation
    q = np.zeros(int(model.system.n_coordinates.sum()))
    turning = [j for j in model.joints.values() if j.kind.turns_freely and j.kind.coordinate_names]
    for joint in turning:
        # quaternions take the sign of the one they are compared with
        q[joint.coordinates.stop - 4] = 1.0
    zero = q.copy()
    joint_coordinates(model.system, position, orientation, q, q)
    for joint in model.joints.values():
        if joint.coincide:
            # without the round-off of the reference poses
            q[joint.coordinates] = zero[joint.coordinates]
    return q
