"""A tree of bodies that touch in Drake's discrete step: floating, revolute and spherical joints, shapes of contacts.

The step is that of SAP with contacts at points, whose stiffness goes beyond what a step resolves: Drake then makes them
as stiff as it can ("near rigid"). Of a box on a plane Drake has one point, the deepest, so a box may be given small
balls at its corners in its place.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.bodies import rotation_matrix
from dalembert.model.declaration import WORLD
from dalembert.model.model import Model
from dalembert.model.shapes import Box, Capsule, Cylinder, Part, Sphere
from dalembert.model.state import State
from dalembert.model.surfaces import HalfSpace
from dalembert.model.system import Floats

RIGID = 1e10
"""N/m: at any step of a benchmark far in the near-rigid regime."""

CORNER = 1e-3
"""Radius of the balls at the corners of a box, m; they touch its faces from inside."""


class DrakeScene:
    """A plant in contact, in motion."""

    def __init__(self, model: Model, state: State, dt: float, corners: bool = False) -> None:
        analysis: Any = import_module("pydrake.systems.analysis")
        framework: Any = import_module("pydrake.systems.framework")
        parts: Any = import_module("pydrake.multibody.plant")
        maths: Any = import_module("pydrake.math")
        builder = framework.DiagramBuilder()
        self._plant, _ = parts.AddMultibodyPlantSceneGraph(builder, dt)
        plant, system = self._plant, model.system
        plant.set_discrete_contact_approximation(parts.DiscreteContactApproximation.kSap)
        plant.set_contact_model(parts.ContactModel.kPoint)
        plant.mutable_gravity_field().set_gravity_vector(np.array(system.gravity))
        self._bodies = _add_bodies(plant, model)
        hinges = _add_joints(plant, model, [*self._bodies, plant.world_body()])
        for contact in model.contacts.values():
            body = plant.world_body() if contact.body == WORLD else plant.GetBodyByName(contact.body)
            for k, part in enumerate(contact.parts):
                _add_shape(plant, body, part, f"{contact.name} {k}", contact.friction, corners)
        plant.Finalize()
        self._dt, self._done = dt, 0
        self._simulator = analysis.Simulator(builder.Build())
        self._context = plant.GetMyMutableContextFromRoot(self._simulator.get_mutable_context())
        for hinge, j in hinges:
            hinge.set_angle(self._context, float(state.coordinates[system.q_start[j]]))
        for i, body in enumerate(self._bodies):
            if body.is_floating_base_body():
                turn = maths.RotationMatrix(rotation_matrix(np.asarray(state.orientation[i])))
                plant.SetFreeBodyPose(self._context, body, maths.RigidTransform(turn, np.asarray(state.position[i])))
        if plant.num_actuators():
            plant.get_actuation_input_port().FixValue(self._context, np.zeros(plant.num_actuators()))
        self._simulator.Initialize()

    def advance(self, steps: int) -> None:
        """Take so many steps."""
        self._done += steps
        self._simulator.AdvanceTo(self._done * self._dt)

    def poses(self) -> tuple[Floats, Floats]:
        """(n, 3) centres of mass and (n, 3, 3) axes."""
        poses = [self._plant.EvalBodyPoseInWorld(self._context, body) for body in self._bodies]
        places = np.array([pose.translation() for pose in poses])
        return places, np.array([pose.rotation().matrix() for pose in poses])


def _add_bodies(plant: Any, model: Model) -> list[Any]:
    """All bodies; their frames are ours."""
    trees: Any = import_module("pydrake.multibody.tree")
    bodies = []
    for body in model.bodies.values():
        j = body.inertia
        about_centre = trees.RotationalInertia(j[0, 0], j[1, 1], j[2, 2], j[0, 1], j[0, 2], j[1, 2])
        inertia = trees.SpatialInertia.MakeFromCentralInertia(float(body.mass), np.zeros(3), about_centre)
        bodies.append(plant.AddRigidBody(body.name, inertia))
    return bodies


def _add_joints(plant: Any, model: Model, bodies: list[Any]) -> list[tuple[Any, int]]:
    """Joints of the tree, with springs, dampers and armature of hinges; returns the hinges and their numbers."""
    trees: Any = import_module("pydrake.multibody.tree")
    maths: Any = import_module("pydrake.math")
    system, records, hinges = model.system, list(model.joints.values()), []
    for j, body, parent in zip(system.tree_joint, system.tree_body, system.tree_parent, strict=True):
        name, kind = records[j].name, records[j].kind.name
        if kind == "Floating":
            # that is what a body without a joint is
            continue
        ends = (
            (parent, system.parent_point[j], system.parent_frame[j]),
            (body, system.child_point[j], system.child_frame[j]),
        )
        frames = []
        for k, (owner, point, turn) in enumerate(ends):
            place = maths.RigidTransform(maths.RotationMatrix(rotation_matrix(turn)), point)
            frames.append(
                plant.AddFrame(trees.FixedOffsetFrame(f"end {k} of {name}", bodies[owner].body_frame(), place))
            )
        if kind == "Spherical":
            plant.AddJoint(trees.BallRpyJoint(name, *frames))
            continue
        if kind != "Revolute":
            raise ModelError(f'joint "{name}": expected Floating, Revolute or Spherical, found {kind}')
        c = records[j].components[0]
        hinge = plant.AddJoint(trees.RevoluteJoint(name, *frames, [0.0, 0.0, 1.0], float(system.damping[j, c])))
        if system.stiffness[j, c] > 0.0:
            spring = trees.RevoluteSpring(hinge, float(system.rest[j, c]), float(system.stiffness[j, c]))
            plant.AddForceElement(spring)
        if system.armature[j, c] > 0.0:
            motor = plant.AddJointActuator(f"motor of {name}", hinge)
            motor.set_default_rotor_inertia(float(system.armature[j, c]))
            motor.set_default_gear_ratio(1.0)
        hinges.append((hinge, int(j)))
    return hinges


def _add_shape(plant: Any, body: Any, part: Part, name: str, friction: float | None, corners: bool) -> None:
    """One shape of a contact."""
    geometry: Any = import_module("pydrake.geometry")
    parts: Any = import_module("pydrake.multibody.plant")
    maths: Any = import_module("pydrake.math")
    shape, mu = part.shape, 0.5 if friction is None else float(friction)
    properties = geometry.ProximityProperties()
    geometry.AddContactMaterial(
        dissipation=0.0, point_stiffness=RIGID, friction=parts.CoulombFriction(mu, mu), properties=properties
    )
    turn = maths.RotationMatrix(rotation_matrix(np.asarray(part.orientation, float)))
    place = maths.RigidTransform(turn, np.asarray(part.position, float))
    if isinstance(shape, Box) and corners:
        half = 0.5 * np.array([shape.x, shape.y, shape.z]) - CORNER
        for k, signs in enumerate(np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T):
            at = place.multiply(maths.RigidTransform(signs * half))
            plant.RegisterCollisionGeometry(body, at, geometry.Sphere(CORNER), f"{name} {k}", properties)
        return
    if isinstance(shape, HalfSpace):
        made = geometry.HalfSpace()
    elif isinstance(shape, Sphere):
        made = geometry.Sphere(shape.radius)
    elif isinstance(shape, Box):
        made = geometry.Box(shape.x, shape.y, shape.z)
    elif isinstance(shape, Capsule):
        made = geometry.Capsule(shape.radius, shape.length)
    elif isinstance(shape, Cylinder):
        made = geometry.Cylinder(shape.radius, shape.length)
    else:
        raise ModelError(f"expected planes, balls, boxes, capsules and cylinders, found {type(shape).__name__}")
    plant.RegisterCollisionGeometry(body, place, made, name, properties)
