"""A mechanism of revolute joints in Drake: its discrete step, and its fixed-step Runge–Kutta methods."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np

from dalembert.model.bodies import rotation_matrix
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.studies.work_error import INSTANTS, Curve, Motion, measured, spatial

DISCRETE = "discrete"
"""Stands for Drake's own step; any other name is that of a Runge–Kutta method, such as ``runge_kutta5``."""


def drake_curve(motion: Motion, scheme: str, steps: Sequence[int], repeats: int = 3) -> Curve:
    """Errors and times of one of Drake's methods, its steps looped over in C++."""

    def positions(n: int) -> Floats:
        run, out = DrakeRun(motion.model, motion.state, motion.duration / n, scheme), []
        for _ in range(INSTANTS):
            run.advance(n // INSTANTS)
            out.append(run.positions())
        return np.array(out)

    def seconds(n: int) -> float:
        run = DrakeRun(motion.model, motion.state, motion.duration / n, scheme)
        begun = process_time()
        run.advance(n)
        return process_time() - begun

    return measured(f"Drake {scheme.replace('_', ' ')}", motion, steps, positions, seconds, repeats)


class DrakeRun:
    """A plant in motion. Loops are closed by ball constraints, which only the discrete step knows."""

    def __init__(self, model: Model, state: State, dt: float, scheme: str = DISCRETE) -> None:
        analysis: Any = import_module("pydrake.systems.analysis")
        self._plant, joints = drake_plant(model, dt if scheme == DISCRETE else 0.0)
        self._dt, self._done = dt, 0
        self._simulator = analysis.Simulator(self._plant)
        self._context, system = self._simulator.get_mutable_context(), model.system
        for joint, j, crossed in zip(joints, system.tree_joint, system.tree_reversed, strict=True):
            sign = -1.0 if crossed else 1.0
            joint.set_angle(self._context, sign * state.coordinates[system.q_start[j]])
            joint.set_angular_rate(self._context, sign * state.rates[system.v_start[j]])
        if scheme != DISCRETE:
            analysis.ResetIntegratorFromFlags(self._simulator, scheme, dt)
            self._simulator.get_mutable_integrator().set_fixed_step_mode(True)
        self._simulator.Initialize()
        self._bodies = [self._plant.GetBodyByName(name) for name in model.bodies]

    def advance(self, steps: int) -> None:
        """Take so many steps."""
        self._done += steps
        self._simulator.AdvanceTo(self._done * self._dt)

    def positions(self) -> Floats:
        """(n, 3) centres of mass."""
        poses = [self._plant.EvalBodyPoseInWorld(self._context, body) for body in self._bodies]
        return np.array([pose.translation() for pose in poses])


def drake_plant(model: Model, dt: float) -> tuple[Any, list[Any]]:
    """(plant, joints of the spanning tree); with ``dt`` = 0 a continuous one. The body frames are ours."""
    parts: Any = import_module("pydrake.multibody.plant")
    trees: Any = import_module("pydrake.multibody.tree")
    maths: Any = import_module("pydrake.math")
    plant, system = parts.MultibodyPlant(dt), model.system
    plant.mutable_gravity_field().set_gravity_vector(np.array(system.gravity))
    if dt > 0.0:
        # the fastest of its discrete steps, and the one that closes loops
        plant.set_discrete_contact_approximation(parts.DiscreteContactApproximation.kSap)
    bodies = []
    for body in model.bodies.values():
        j = body.inertia
        about_centre = trees.RotationalInertia(j[0, 0], j[1, 1], j[2, 2], j[0, 1], j[0, 2], j[1, 2])
        inertia = trees.SpatialInertia.MakeFromCentralInertia(float(body.mass), np.zeros(3), about_centre)
        bodies.append(plant.AddRigidBody(body.name, inertia))
    bodies.append(plant.world_body())
    joints = []
    for j, crossed, body, parent in zip(
        system.tree_joint, system.tree_reversed, system.tree_body, system.tree_parent, strict=True
    ):
        ends = [(system.parent_point[j], system.parent_frame[j]), (system.child_point[j], system.child_frame[j])]
        frames = []
        for k, (owner, (point, turn)) in enumerate(zip((parent, body), ends[::-1] if crossed else ends, strict=True)):
            place = maths.RigidTransform(maths.RotationMatrix(rotation_matrix(turn)), point)
            frames.append(plant.AddFrame(trees.FixedOffsetFrame(f"end{k} of {j}", bodies[owner].body_frame(), place)))
        joints.append(plant.AddJoint(trees.RevoluteJoint(f"joint{j}", *frames, [0.0, 0.0, 1.0])))
    for j in system.loop_joint:
        first, second = bodies[system.joint_parent[j]], bodies[system.joint_child[j]]
        # in a plane mechanism a point held is a hinge; in a spatial one it takes two
        for along in (-0.5, 0.5) if spatial(model) else (0.0,):
            points = [
                point[j] + along * rotation_matrix(frame[j])[:, 2]
                for point, frame in (
                    (system.parent_point, system.parent_frame),
                    (system.child_point, system.child_frame),
                )
            ]
            plant.AddBallConstraint(first, points[0], second, points[1])
    plant.Finalize()
    return plant, joints
