"""A mechanism of revolute joints in MuJoCo: the same bodies, the same start, to compare runs."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from time import process_time
from typing import Any
from xml.etree import ElementTree

import numpy as np

from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import relative, rotate, rotate_back
from dalembert.studies.work_error import INSTANTS, Curve, Motion, measured, spatial


def mujoco_curve(motion: Motion, integrator: str, steps: Sequence[int], repeats: int = 3) -> Curve:
    """Errors and times of one of MuJoCo's integrators, its steps looped over in C."""
    mujoco: Any = import_module("mujoco")

    def begin(n: int) -> tuple[Any, Any]:
        engine = mujoco.MjModel.from_xml_string(mjcf(motion.model, integrator, motion.duration / n, stiff=True))
        data = mujoco.MjData(engine)
        set_state(engine, data, motion.model, motion.state)
        return engine, data

    def positions(n: int) -> Floats:
        engine, data = begin(n)
        order = [engine.body(name).id for name in motion.model.bodies]
        out = []
        for _ in range(INSTANTS):
            mujoco.mj_step(engine, data, n // INSTANTS)
            mujoco.mj_kinematics(engine, data)
            mujoco.mj_comPos(engine, data)
            out.append(data.xipos[order].copy())
        return np.array(out)

    def seconds(n: int) -> float:
        engine, data = begin(n)
        begun = process_time()
        mujoco.mj_step(engine, data, n)
        return process_time() - begun

    return measured(f"MuJoCo {integrator}", motion, steps, positions, seconds, repeats)


def set_state(engine: Any, data: Any, model: Model, state: State) -> None:
    """Angles and rates of the hinges of the spanning tree; an angle counts from the reference configuration."""
    system, names = model.system, list(model.bodies)
    for joint, body, crossed in zip(system.tree_joint, system.tree_body, system.tree_reversed, strict=True):
        hinge = engine.body(names[body]).jntadr[0]
        sign = -1.0 if crossed else 1.0
        data.qpos[engine.jnt_qposadr[hinge]] = sign * state.coordinates[system.q_start[joint]]
        data.qvel[engine.jnt_dofadr[hinge]] = sign * state.rates[system.v_start[joint]]


def mjcf(model: Model, integrator: str, step: float, stiff: bool = False) -> str:
    """A mechanism of revolute joints as MJCF: the spanning tree as bodies in bodies, loops as connect constraints.

    In a plane mechanism a point held is a hinge; in a spatial one it takes two. Constraints are as soft as MuJoCo makes
    them, or as ``stiff`` as it allows at this step. No collisions, nothing damps.
    """
    system, names = model.system, list(model.bodies)
    root = ElementTree.Element("mujoco")
    ElementTree.SubElement(root, "compiler", angle="radian", inertiafromgeom="false")
    option = ElementTree.SubElement(
        root, "option", timestep=repr(step), integrator=integrator, gravity=_text(system.gravity)
    )
    ElementTree.SubElement(option, "flag", energy="enable", contact="disable")
    elements = {model.n_bodies: ElementTree.SubElement(root, "worldbody")}
    for joint, crossed, body, parent in zip(
        system.tree_joint, system.tree_reversed, system.tree_body, system.tree_parent, strict=True
    ):
        record = model.bodies[names[body]]
        position, orientation = record.position, tuple(record.orientation)
        if parent < model.n_bodies:
            base = model.bodies[names[parent]]
            turn = tuple(base.orientation)
            position = np.array(rotate_back(turn, tuple(position - base.position)))
            orientation = relative(turn, orientation)
        element = ElementTree.SubElement(
            elements[int(parent)], "body", name=names[body], pos=_text(position), quat=_text(orientation)
        )
        inertia = record.inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        ElementTree.SubElement(element, "inertial", pos="0 0 0", mass=repr(record.mass), fullinertia=_text(inertia))
        # a joint that is crossed from child to parent has its parent's end in this body
        axis = rotate(tuple((system.parent_frame if crossed else system.child_frame)[joint]), (0.0, 0.0, 1.0))
        point = (system.parent_point if crossed else system.child_point)[joint]
        ElementTree.SubElement(element, "joint", type="hinge", pos=_text(point), axis=_text(axis))
        elements[int(body)] = element
    equality = ElementTree.SubElement(root, "equality")
    for j in system.loop_joint:
        a, b = names[system.joint_parent[j]], names[system.joint_child[j]]
        axis = np.array(rotate(tuple(system.parent_frame[j]), (0.0, 0.0, 1.0)))
        for along in (-0.5, 0.5) if spatial(model) else (0.0,):
            anchor = _text(system.parent_point[j] + along * axis)
            tied = ElementTree.SubElement(equality, "connect", body1=a, body2=b, anchor=anchor)
            if stiff:
                tied.set("solref", f"{2.0 * step!r} 1")
                tied.set("solimp", "0.9999 0.9999 0.001")
    return ElementTree.tostring(root, encoding="unicode")


def _text(numbers: Sequence[float] | Floats) -> str:
    return " ".join(repr(float(number)) for number in numbers)
