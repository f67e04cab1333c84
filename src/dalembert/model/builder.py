"""The description of a mechanism, call by call, and its check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dalembert.model.bearings import BearingDeclaration, resolve_bearings
from dalembert.model.bodies import resolve_body
from dalembert.model.checks import Findings, VectorLike, read_vector
from dalembert.model.connect import connect
from dalembert.model.contacts import resolve_contacts
from dalembert.model.declaration import (
    WORLD,
    BodyDeclaration,
    ContactDeclaration,
    FrameDeclaration,
    JointDeclaration,
    PartLike,
    PotentialDeclaration,
)
from dalembert.model.flatten import flatten
from dalembert.model.force_resolve import ForceDeclaration, resolve_force
from dalembert.model.forces import ForceKind
from dalembert.model.frame import Frame
from dalembert.model.joint_kind import JointKind
from dalembert.model.joint_records import joint_records
from dalembert.model.material import Material
from dalembert.model.model import Model
from dalembert.model.named_frames import resolve_frame
from dalembert.model.names import check_names
from dalembert.model.placement import Pose
from dalembert.model.potential import resolve_potential
from dalembert.model.resolve_joints import resolve_joints
from dalembert.model.shapes import Shape
from dalembert.model.springs import Spring
from dalembert.model.surfaces import HalfSpace
from dalembert.model.system import Floats
from dalembert.model.user_constraints import ConstraintDeclaration, ConstraintKind, resolve_constraints


class ModelBuilder:
    """Describes a mechanism by names; `build` checks everything and gives a `Model`.

    Lengths in metres, masses in kilograms, angles in radians. Positions and axes are in world coordinates at the
    *reference configuration*, the one in which the mechanism is described.

    Args:
        gravity: acceleration of gravity in the world, m/s².
    """

    def __init__(self, gravity: VectorLike = (0.0, 0.0, -9.81)) -> None:
        self.gravity = gravity
        self._bodies: list[BodyDeclaration] = []
        self._joints: list[JointDeclaration] = []
        self._potentials: list[PotentialDeclaration] = []
        self._contacts: list[ContactDeclaration] = []
        self._frames: list[FrameDeclaration] = []
        self._forces: list[ForceDeclaration] = []
        self._constraints: list[ConstraintDeclaration] = []
        self._bearings: list[BearingDeclaration] = []

    def add_body(
        self,
        name: str,
        *,
        mass: float | None = None,
        inertia: VectorLike | Sequence[Sequence[float]] | None = None,
        shape: Shape | Sequence[PartLike] | None = None,
        density: float | None = None,
        material: Material | str | None = None,
        position: VectorLike = (0.0, 0.0, 0.0),
        orientation: VectorLike = (1.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Add a rigid body.

        Its mass properties are ``mass`` and ``inertia``, or follow from ``shape`` with a ``mass``, a ``density`` or the
        density of the ``material``. A shape beside an inertia is geometry only.

        Args:
            name: what to call it; "world" is taken.
            mass: kg.
            inertia: three principal moments or a 3×3 matrix about the centre of mass in body axes, kg m².
            shape: a shape, or a list of parts that make up a composite body: `Part` or (shape, position, orientation).
                The parts' densities or materials go before those of the body.
            density: kg/m³.
            material: a `Material` or the name of one in `MATERIALS`.
            position: where the centre of mass is in the world, m. For a composite or a mesh: where the origin of the
                axes is in which the parts or the vertices are given; the centre of mass follows.
            orientation: quaternion (w, x, y, z) from body axes to the world's. The body axes are those in which inertia
                and shapes are given, not the principal ones.
        """
        self._bodies.append(BodyDeclaration(name, mass, inertia, shape, density, material, position, orientation))

    def add_joint(
        self,
        name: str,
        kind: JointKind,
        *,
        parent: str | None = None,
        child: str | None = None,
        anchor: Any = None,
        parent_frame: Frame | None = None,
        child_frame: Frame | None = None,
        stiffness: float | Sequence[float] | None = None,
        damping: float | Sequence[float] | None = None,
        rest: float | Sequence[float] | None = None,
        limits: Sequence[Any] | None = None,
        friction: float | Sequence[float] | None = None,
        armature: float | Sequence[float] | None = None,
        closes_loop: bool = False,
    ) -> None:
        """Add a joint between two bodies. Which joints close loops is found out by `build`.

        With an anchor, all coordinates of the joint are zero at the reference configuration.

        Args:
            name: what to call it; joints, rods, gears and springs share their names.
            kind: such as ``Revolute(axis=(0, 1, 0))``.
            parent: a body or "world"; for a `Gear`, the first joint.
            child: a body or "world"; for a `Gear`, the second joint.
            anchor: where the joint sits, in world coordinates; for a `Distance`, a pair of points, on parent and child.
                May be left out where it does not matter (joints that do not turn) and for `Floating`.
            parent_frame: the joint's frame in the parent, instead of an anchor; the kind's axes are then in the axes of
                this frame. With one frame alone, the other coincides with it at the reference configuration.
            child_frame: the joint's frame in the child.
            stiffness: of the free components, N/m or N m/rad: one number for all of them or one for each.
            damping: N s/m or N m s/rad.
            rest: where the springs are at rest, m or rad; for a rotation about a point a rotation vector.
            limits: (lower, upper) for a single free component, else a pair or None for each.
            friction: Coulomb friction, N or N m.
            armature: inertia added to the rate of a component, kg or kg m².
            closes_loop: leave it out of the spanning tree if other joints place all bodies, so that theirs are the
                minimal coordinates; without it, the tree is the one with the shortest loops.
        """
        options = (stiffness, damping, rest, limits, friction, armature, closes_loop)
        self._joints.append(JointDeclaration(name, kind, parent, child, anchor, parent_frame, child_frame, *options))

    def add_spring(
        self,
        name: str,
        body_a: str,
        body_b: str,
        *,
        points: Sequence[VectorLike] | None = None,
        local_points: Sequence[VectorLike] | None = None,
        stiffness: float = 0.0,
        damping: float = 0.0,
        rest_length: float | None = None,
    ) -> None:
        """Add a spring, a damper or both between a point on one body and a point on another.

        Args:
            name: what to call it; shares its names with the joints.
            body_a: a body or "world".
            body_b: another body or "world".
            points: the two points in world coordinates at the reference configuration, m.
            local_points: the two points in body axes from the centres of mass, instead of ``points``.
            stiffness: N/m.
            damping: N s/m, along the line between the points.
            rest_length: m; without it the spring is at rest at the reference configuration. With 0 it pulls the points
                together with the same stiffness in all directions.
        """
        frames: list[Any] = [None, None]
        if local_points is not None:
            if len(local_points) == 2:
                frames = [Frame(point) for point in local_points]
            else:
                # refused by `build`, as all wrong input is
                points = local_points
        kind = Spring(rest_length)
        self._joints.append(
            JointDeclaration(name, kind, body_a, body_b, points, *frames, stiffness=stiffness, damping=damping)
        )

    def add_force(self, name: str, kind: ForceKind) -> None:
        """Add a force that is no joint: a `Cable`, `RoutedSpring`, `PointForce`, `Drag` or `PenaltyGround`.

        Args:
            name: what to call it; forces have names of their own.
            kind: such as ``Cable((("world", (0, 0, 1)), ("arm", (0, 0, 0.5))), stiffness=1e5)``.
        """
        self._forces.append(ForceDeclaration(name, kind))

    def add_constraint(self, name: str, kind: ConstraintKind) -> None:
        """Add equations or inequalities of your own: a `PoseConstraint` or a `CoordinateConstraint`.

        They are for integrators in minimal coordinates; an equation on poses that `MaximalVI` should take as well is a
        joint, `CustomConstraint`.

        Args:
            name: what to call it; constraints have names of their own.
            kind: such as ``CoordinateConstraint(lambda q: [1.0 - q[0] * q[1]], joints=["a", "b"], inequality=True)``.
        """
        self._constraints.append(ConstraintDeclaration(name, kind))

    def add_bearing(self, joint: str, *, friction: float, radius: float = 0.0, length: float = 0.0) -> None:
        """Give a joint dry friction that is bounded by what it carries, as a pin or slide in a bearing has it.

        Args:
            joint: a `Revolute`, `Prismatic`, `Cylindrical` or `Spherical` joint.
            friction: Coulomb's coefficient.
            radius: of the pin, the shaft or the ball, m; of a slide the arm on which torque along it presses.
            length: between the two ends that carry the joint, m; without it what tilts the joint does not rub.
        """
        self._bearings.append(BearingDeclaration(joint, friction, radius, length))

    def add_potential(
        self,
        name: str,
        bodies: Sequence[str],
        energy: Callable[[Floats, Floats], float],
        gradient: Callable[[Floats, Floats], Any] | None = None,
    ) -> None:
        """Add a potential energy of the poses of some bodies.

        Args:
            name: what to call it.
            bodies: names of bodies; their poses are the rows of the arguments.
            energy: ``energy(positions (k, 3), orientations (k, 4))`` in joules.
            gradient: of the same arguments, (k, 6): by the displacement of the centre of mass in the world (N) and by
                the turn in body axes (N m). Without it, central differences are used.
        """
        self._potentials.append(PotentialDeclaration(name, bodies, energy, gradient))

    def add_ground(
        self,
        name: str = "ground",
        *,
        normal: VectorLike = (0.0, 0.0, 1.0),
        point: VectorLike = (0.0, 0.0, 0.0),
        material: Material | str | None = None,
        friction: float | None = None,
        restitution: float | None = None,
        torsional_friction: float | None = None,
        rolling_friction: float | None = None,
        stiffness: float | None = None,
        damping: float | None = None,
        only: Sequence[str] | None = None,
        ignore: Sequence[str] = (),
    ) -> None:
        """Add a plane that is fixed in the world; everything behind it is solid.

        Args:
            name: what to call it.
            normal: out of the ground, length 1.
            point: any point of the plane in the world, m.
            material: and all that follows: see `add_contact`.
        """
        surface = (material, friction, restitution, torsional_friction, rolling_friction, stiffness, damping)
        pose = (point, (1.0, 0.0, 0.0, 0.0))
        self._contacts.append(
            ContactDeclaration(WORLD, name, HalfSpace(), None, *pose, *surface, only, ignore, (), normal)
        )

    def add_contact(
        self,
        body: str,
        shape: Shape | Sequence[PartLike] | None = None,
        *,
        name: str | None = None,
        points: Sequence[VectorLike] | Floats | None = None,
        position: VectorLike = (0.0, 0.0, 0.0),
        orientation: VectorLike = (1.0, 0.0, 0.0, 0.0),
        material: Material | str | None = None,
        friction: float | None = None,
        restitution: float | None = None,
        torsional_friction: float | None = None,
        rolling_friction: float | None = None,
        stiffness: float | None = None,
        damping: float | None = None,
        only: Sequence[str] | None = None,
        ignore: Sequence[str] = (),
        collide: Sequence[str] = (),
    ) -> None:
        """Let a body, or a surface fixed in the world, touch others.

        Surfaces of one body never touch each other, nor do bodies that a joint connects, unless they are named in
        ``collide``; a joint to the world does not keep a body from touching the ground.

        Two surfaces touch with the geometric mean of their coefficients of friction and the larger of their
        coefficients of restitution, torsional and rolling friction; where one of them says nothing, the other decides.

        Args:
            body: the body, or "world".
            shape: a shape, or a list of parts as in `add_body`; without it, the shape of the body.
            name: what to call it; the body's name unless given.
            points: points in body axes from the centre of mass (m), instead of a shape.
            position: of the shape or points, in body axes from the centre of mass, m.
            orientation: quaternion from the shape's axes to the body's.
            material: a `Material` or its name, for friction and restitution; the shape's or the body's unless given.
            friction: coefficient of Coulomb friction; goes before the material's.
            restitution: Newton's coefficient, 0 to 1; goes before the material's.
            torsional_friction: largest torque about the normal over normal force, m.
            rolling_friction: largest torque across the normal over normal force, m.
            stiffness: makes it compliant: normal force over depth, N/m. Two compliant surfaces are springs in series.
            damping: of a compliant contact, N s/m.
            only: contacts or bodies to touch, and no others; "world" for all that is fixed there.
            ignore: contacts or bodies not to touch.
            collide: contacts or bodies to touch although a joint connects them.
        """
        if name is None:
            taken = {contact.name for contact in self._contacts}
            name, k = body, 2
            while name in taken:
                name, k = f"{body} {k}", k + 1
        surface = (material, friction, restitution, torsional_friction, rolling_friction, stiffness, damping)
        self._contacts.append(
            ContactDeclaration(body, name, shape, points, position, orientation, *surface, only, ignore, collide)
        )

    def add_frame(
        self,
        name: str,
        body: str,
        *,
        position: VectorLike | None = None,
        orientation: VectorLike | None = None,
        frame: Frame | None = None,
    ) -> None:
        """Give a name to a frame of a body: a tool, a sensor, the foot's tip.

        Args:
            name: what to call it; frames have names of their own, a body and a frame may share one.
            body: a body or "world".
            position: its origin in the world at the reference configuration, m.
            orientation: quaternion (w, x, y, z) from its axes to the world's at the reference configuration.
            frame: where it is in the body's axes, instead of the two.
        """
        self._frames.append(FrameDeclaration(name, body, position, orientation, frame))

    def build(self) -> Model:
        """Check everything and freeze it. Raises `ModelError` with all the faults that were found."""
        findings = Findings()
        gravity = read_vector(findings, "gravity", self.gravity, "m/s²")
        check_names(findings, "body", [body.name for body in self._bodies], WORLD)
        check_names(findings, "joint", [joint.name for joint in self._joints])
        check_names(findings, "potential", [potential.name for potential in self._potentials])
        check_names(findings, "frame", [frame.name for frame in self._frames])
        check_names(findings, "force", [force.name for force in self._forces])
        check_names(findings, "bearing", [bearing.joint for bearing in self._bearings])
        check_names(findings, "constraint", [constraint.name for constraint in self._constraints])
        bodies = []
        for index, body in enumerate(self._bodies):
            with findings.separate() as own:
                bodies.append(resolve_body(body, index, own))
        # what follows rests on names and poses that are right
        findings.raise_if_any()

        indices = {body.name: body.index for body in bodies} | {WORLD: len(bodies)}
        poses: list[Pose] = [(body.position, body.orientation) for body in bodies]
        poses.append((np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])))
        joints = resolve_joints(self._joints, indices, poses, findings)
        potentials = []
        for potential in self._potentials:
            with findings.separate() as own:
                potentials.append(resolve_potential(potential, indices, poses, own))
        contacts = resolve_contacts(self._contacts, bodies, findings)
        frames = []
        for frame in self._frames:
            with findings.separate() as own:
                frames.append(resolve_frame(frame, indices, poses, own))
        forces = []
        for force in self._forces:
            with findings.separate() as own:
                forces.append(resolve_force(force, indices, poses, own))
        findings.raise_if_any()

        joints, tree = connect(bodies, joints, poses, findings)
        findings.raise_if_any()
        system = flatten(gravity, bodies, joints, tree)
        records = joint_records(bodies, joints, system)
        acting = [force for force in forces if force is not None]
        parts = (tuple(bodies), records, tuple(potentials), system, contacts, tuple(frames), acting)
        model = Model(*parts)
        if not self._constraints and not self._bearings:
            return model
        constraints = resolve_constraints(
            self._constraints, indices, poses, model.joints, model.state().coordinates, findings
        )
        bearings = resolve_bearings(self._bearings, model.joints, findings)
        findings.raise_if_any()
        return Model(*parts, constraints, bearings)
