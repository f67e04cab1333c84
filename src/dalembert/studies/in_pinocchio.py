"""An open tree of revolute joints in Pinocchio, with the classical Runge–Kutta method around its accelerations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np

from dalembert.model.bodies import rotation_matrix
from dalembert.model.model import Model
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import relative, rotate_back
from dalembert.studies.work_error import INSTANTS, Curve, Motion, measured

ACCELERATIONS = 2000
"""Calls over which the time of one is averaged."""


def pinocchio_curve(motion: Motion, steps: Sequence[int]) -> Curve:
    """Errors of RK4, and the time of its four accelerations a step alone, as if the rest of the method cost nothing.

    The loop over steps is in Python here, which is no fault of Pinocchio's.
    """
    pin: Any = import_module("pinocchio")
    model, order = pinocchio_model(pin, motion.model)
    data, system = model.createData(), motion.model.system
    signs = np.where(system.tree_reversed != 0, -1.0, 1.0)
    q0 = signs * motion.state.coordinates[system.q_start[system.tree_joint]]
    v0 = signs * motion.state.rates[system.v_start[system.tree_joint]]
    still = np.zeros(model.nv)

    def acceleration(q: Floats, v: Floats) -> Floats:
        return np.array(pin.aba(model, data, q, v, still))

    def positions(n: int) -> Floats:
        q, v, h, out = q0.copy(), v0.copy(), motion.duration / n, []
        for step in range(1, n + 1):
            q, v = _runge_kutta(acceleration, q, v, h)
            if step % (n // INSTANTS) == 0:
                pin.forwardKinematics(model, data, q)
                places = [data.oMi[k + 1].act(model.inertias[k + 1].lever) for k in range(model.njoints - 1)]
                out.append(np.array(places)[order])
        return np.array(out)

    def seconds(n: int) -> float:
        best = np.inf
        for _ in range(5):
            begun = process_time()
            for _ in range(ACCELERATIONS):
                pin.aba(model, data, q0, v0, still)
            best = min(best, process_time() - begun)
        return 4 * n * best / ACCELERATIONS

    return measured("Pinocchio, RK4", motion, steps, positions, seconds, 1)


def _runge_kutta(f: Callable[[Floats, Floats], Floats], q: Floats, v: Floats, h: float) -> tuple[Floats, Floats]:
    a1 = f(q, v)
    v2 = v + 0.5 * h * a1
    a2 = f(q + 0.5 * h * v, v2)
    v3 = v + 0.5 * h * a2
    a3 = f(q + 0.5 * h * v2, v3)
    v4 = v + h * a3
    a4 = f(q + h * v3, v4)
    return q + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4), v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)


def pinocchio_model(pin: Any, model: Model) -> tuple[Any, list[int]]:
    """The model, and for each of our bodies where it stands among the joints."""
    system, bodies = model.system, list(model.bodies.values())
    made = pin.Model()
    made.gravity = pin.Motion(np.array(system.gravity), np.zeros(3))
    index, order = {model.n_bodies: 0}, [0] * model.n_bodies
    points: dict[int, Floats] = {model.n_bodies: np.zeros(3)}
    for k, (j, body, parent) in enumerate(zip(system.tree_joint, system.tree_body, system.tree_parent, strict=True)):
        record, turn = bodies[body], tuple(bodies[body].orientation)
        placement, offset = turn, np.array(record.position)
        if parent < model.n_bodies:
            base = bodies[parent]
            placement = relative(tuple(base.orientation), turn)
            offset = np.array(rotate_back(tuple(base.orientation), tuple(record.position - base.position)))
        crossed = bool(system.tree_reversed[k])
        point = np.array(system.parent_point[j] if crossed else system.child_point[j])
        frame = system.parent_frame[j] if crossed else system.child_frame[j]
        axis = rotation_matrix(frame)[:, 2]
        # the joint's frame has the axes of the body and stands at the joint; the parent's frame likewise
        to_joint = offset + rotation_matrix(np.array(placement)) @ point - points[int(parent)]
        points[int(body)] = point
        at = pin.SE3(rotation_matrix(np.array(placement)), to_joint)
        joint = made.addJoint(index[int(parent)], pin.JointModelRevoluteUnaligned(axis), at, f"joint{k}")
        inertia = pin.Inertia(float(record.mass), -point, np.array(record.inertia))
        made.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
        index[int(body)], order[int(body)] = joint, joint - 1
    return made, order
