"""A mechanism that has been checked: names above, the flat `System` below.

Its methods are the face of `dalembert.mechanics` and `dalembert.contact`, which stand above the model and are imported
when they are called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.bearings import Bearing
from dalembert.model.checks import Findings, read_array, suggestion
from dalembert.model.contact_flatten import flatten_contacts
from dalembert.model.contact_geometry import ContactGeometry
from dalembert.model.declaration import WORLD
from dalembert.model.force_elements import Elements, flatten_forces
from dalembert.model.forces import Force
from dalembert.model.record import Body, BodyFrame, Contact, Joint, Potential
from dalembert.model.state import State
from dalembert.model.system import Floats, System
from dalembert.model.user_constraints import UserConstraint

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from dalembert.contact.query import ContactPoint
    from dalembert.mechanics.assembly import Assembly
    from dalembert.mechanics.dynamics import Dynamics
    from dalembert.mechanics.energy import Energies
    from dalembert.mechanics.momentum import Momenta


class Model:
    """A mechanism, made by `ModelBuilder.build`; it never changes.

    Attributes:
        bodies: bodies by name, in their order.
        joints: joints, rods, gears and springs by name, in their order; bodies that nothing else places float by joints
            named "free:" and the body's name.
        potentials: potentials by name.
        contacts: surfaces that touch others, by name.
        geometry: the contacts as flat arrays, for kernels.
        frames: frames with names, by name.
        forces: cables, drag and other force elements, by name.
        elements: the forces as flat arrays, for kernels.
        constraints: constraints written in Python that are no joints, by name.
        bearings: friction of joints by their load, by the name of the joint.
        system: the same as flat arrays, for kernels.
    """

    __slots__ = (
        *(
            "bearings",
            "bodies",
            "constraints",
            "contacts",
            "elements",
            "forces",
            "frames",
            "geometry",
            "joints",
            "potentials",
        ),
        "system",
    )

    bodies: Mapping[str, Body]
    joints: Mapping[str, Joint]
    potentials: Mapping[str, Potential]
    contacts: Mapping[str, Contact]
    geometry: ContactGeometry
    frames: Mapping[str, BodyFrame]
    forces: Mapping[str, Force]
    elements: Elements
    constraints: Mapping[str, UserConstraint]
    bearings: Mapping[str, Bearing]
    system: System

    def __init__(
        self,
        bodies: Sequence[Body],
        joints: Sequence[Joint],
        potentials: Sequence[Potential],
        system: System,
        contacts: Sequence[Contact] = (),
        frames: Sequence[BodyFrame] = (),
        forces: Sequence[Force] = (),
        constraints: Sequence[UserConstraint] = (),
        bearings: Sequence[Bearing] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "bodies", MappingProxyType({body.name: body for body in bodies}))
        put(self, "joints", MappingProxyType({joint.name: joint for joint in joints}))
        put(self, "potentials", MappingProxyType({potential.name: potential for potential in potentials}))
        put(self, "contacts", MappingProxyType({contact.name: contact for contact in contacts}))
        put(self, "geometry", flatten_contacts(contacts, bodies, joints))
        put(self, "frames", MappingProxyType({frame.name: frame for frame in frames}))
        put(self, "forces", MappingProxyType({force.name: force for force in forces}))
        indices = {body.name: body.index for body in bodies} | {WORLD: len(bodies)}
        put(self, "elements", flatten_forces(forces, indices))
        put(self, "constraints", MappingProxyType({constraint.name: constraint for constraint in constraints}))
        put(self, "bearings", MappingProxyType({bearing.joint: bearing for bearing in bearings}))
        put(self, "system", system)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a model is frozen, {name} cannot be set; build a new one")

    def __reduce__(self) -> tuple[Any, ...]:
        # read-only mappings cannot be pickled, what they hold can
        parts = (tuple(self.bodies.values()), tuple(self.joints.values()), tuple(self.potentials.values()))
        others = (tuple(self.contacts.values()), tuple(self.frames.values()), tuple(self.forces.values()))
        return Model, (*parts, self.system, *others, tuple(self.constraints.values()), tuple(self.bearings.values()))

    def replaced(self, system: System, bodies: Mapping[str, Body]) -> Model:
        """The same mechanism with other numbers: arrays of the same shapes, and the bodies' records that go with them.

        Nothing is checked; contacts, frames and shapes stay where they are in their bodies.
        """
        other = object.__new__(Model)
        for name in self.__slots__:
            object.__setattr__(other, name, getattr(self, name))
        object.__setattr__(other, "system", system)
        object.__setattr__(other, "bodies", MappingProxyType(dict(bodies)))
        return other

    def __repr__(self) -> str:
        return f"<Model: {self.n_bodies} bodies, {len(self.joints)} joints, {self.system.n_v} tree rates>"

    @property
    def n_bodies(self) -> int:
        """Number of bodies, the world not counted."""
        return len(self.bodies)

    @property
    def has_potentials(self) -> bool:
        """Whether potentials of the user's or force elements act."""
        return bool(self.potentials or self.forces)

    @property
    def loop_joints(self) -> tuple[str, ...]:
        """Names of the joints that place no body: those that close loops, rods, gears, springs, custom constraints."""
        return tuple(joint.name for joint in self.joints.values() if not joint.in_tree)

    def body_index(self, name: str) -> int:
        """The number of a body; that of "world" is ``n_bodies``."""
        if name == WORLD:
            return self.n_bodies
        if name in self.bodies:
            return self.bodies[name].index
        raise _unknown("body", name, [*self.bodies, WORLD])

    def joint_index(self, name: str) -> int:
        """The number of a joint."""
        return self._joint(name).index

    def _joint(self, name: str) -> Joint:
        if name in self.joints:
            return self.joints[name]
        raise _unknown("joint", name, self.joints)

    def state(
        self,
        positions: Mapping[str, Any] | None = None,
        velocities: Mapping[str, Any] | None = None,
        *,
        time: float = 0.0,
    ) -> State:
        """The state in which joints have given coordinates and rates; the others are at the reference and at rest.

        Joints of the spanning tree place the bodies. A joint that closes a loop follows from them and cannot be set:
        use `assemble`.

        Args:
            positions: by joint: a number, or one for each coordinate; for a spherical joint a rotation vector or a
                quaternion; for a floating one ``(position, rotation vector or quaternion)``. Metres and radians.
            velocities: by joint: rates; of a spherical joint the angular velocity of its child's frame relative to its
                parent's in the axes of the child's; of a floating one the velocity in the parent frame's axes and that.
            time: s.
        """
        from dalembert.mechanics.named_state import state_of_joints

        return state_of_joints(self, positions, velocities, time)

    def state_from_bodies(
        self,
        position: ArrayLike,
        orientation: ArrayLike,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        *,
        time: float = 0.0,
        near: State | None = None,
    ) -> State:
        """The state with given poses and velocities of the bodies, taken as they are: `assemble` makes them fit.

        Args:
            position: (n, 3) centres of mass in the world, m.
            orientation: (n, 4) quaternions, body to world.
            velocity: (n, 3) in the world, m/s; zero if not given.
            angular_velocity: (n, 3) in body axes, rad/s; zero if not given.
            time: s.
            near: angles of joints are on the branch nearest to those of this state, else to the reference.
        """
        from dalembert.mechanics.named_state import state_of_bodies

        return state_of_bodies(self, position, orientation, velocity, angular_velocity, time, near)

    def frame_pose(self, name: str, state: State) -> tuple[Floats, Floats]:
        """Where a frame is: position (3,) in the world, m, and quaternion (4,) from its axes to the world's.

        Args:
            name: a frame.
            state: where the bodies are.
        """
        from dalembert.model.placement import in_world

        if name not in self.frames:
            raise _unknown("frame", name, self.frames)
        frame = self.frames[name]
        local = (frame.position, frame.orientation)
        if frame.body == WORLD:
            return local[0].copy(), local[1].copy()
        index = self.bodies[frame.body].index
        return in_world((state.position[index], state.orientation[index]), local)

    def assemble(self, state: State | None = None, hold: Sequence[str] = ()) -> Assembly:
        """The nearest state in which all joints fit, positions first, then velocities, in the metric of the masses.

        Args:
            state: a rough start; the reference configuration if not given.
            hold: joints that keep their coordinates and rates.
        """
        from dalembert.mechanics.assembly import assemble

        names = [hold] if isinstance(hold, str) else list(hold)
        for name in names:
            self._joint(name)
        return assemble(self, self.state() if state is None else state, names)

    def view(self, state: State | None = None, *, port: int = 8080, open_browser: bool = True) -> None:
        """Show the mechanism in a browser until Ctrl-C, with a slider for each joint. Needs ``dalembert[view]``.

        Args:
            state: where it stands; the reference configuration if not given.
            port: of this machine (127.0.0.1), which nothing else can reach.
            open_browser: open the page by itself.
        """
        from dalembert.view.browser import view_model

        view_model(self, state, port=port, open_browser=open_browser)

    def _repr_html_(self) -> str:
        """Bodies and joints as tables, in a notebook."""
        from dalembert.view.tables import model_tables

        return model_tables(self)

    def energy(self, state: State) -> Energies:
        """Kinetic and potential energy in joules, with springs, force elements and the potentials of users."""
        from dalembert.mechanics.energy import Energies, energies

        found = energies(self.system, *_motion(state), state.coordinates)
        position, orientation, _, _ = state.with_world()
        potential = float(found.potential)
        for own in self.potentials.values():
            bodies = list(own.bodies)
            potential += float(own.energy(position[bodies], orientation[bodies]))
        if self.forces:
            from dalembert.mechanics.element_energy import element_potential

            potential += float(element_potential(self.elements, state.position, state.orientation))
        return Energies(found.kinetic, np.array(potential))

    def momentum(self, state: State) -> Momenta:
        """Linear momentum (3,) in kg m/s and angular momentum (3,) about the world's origin in kg m²/s, world axes."""
        from dalembert.mechanics.momentum import momenta

        return momenta(self.system, *_motion(state))

    def mass_matrix(self, state: State) -> Floats:
        """(n_v, n_v) mass matrix in the rates of the tree's joints, ``state.rates[:model.system.n_v]``.

        Joints that close loops are not counted in it.
        """
        from dalembert.mechanics.recursive import mass_matrix

        position, orientation, _, _ = state.with_world()
        return mass_matrix(self.system, position, orientation, state.coordinates)

    def inverse_mass_times(self, state: State, x: Floats) -> Floats:
        """M⁻¹ x of (n_v,) numbers or of each row of (k, n_v), in time proportional to the number of bodies for each.

        M is that of `mass_matrix`, which is not formed. Also a preconditioner of systems with M and little else.
        """
        from dalembert.mechanics.dynamics import inverse_products

        return inverse_products(self, state, x)

    def forward_dynamics(
        self,
        state: State,
        forces: Mapping[str, Any] | None = None,
        wrenches: Mapping[str, Any] | None = None,
    ) -> Dynamics:
        """How the mechanism accelerates under gravity, its springs, dampers and forces, and what is given.

        Contacts and limits of joints are not counted. Loops are closed exactly, however many rows are redundant.

        Args:
            state: positions and velocities.
            forces: forces of actuators at joints, {joint: a number, or one for each rate}, N or N m.
            wrenches: {body: (force in the world at the centre of mass, torque in body axes)}, N and N m.
        """
        return self.hybrid_dynamics(state, {}, forces, wrenches)

    def inverse_dynamics(
        self,
        state: State,
        accelerations: Mapping[str, Any] | None = None,
        wrenches: Mapping[str, Any] | None = None,
    ) -> Dynamics:
        """The forces at all joints of the tree that give these accelerations: {joint: acceleration}, others 0.

        With loops the accelerations have to close them, and the forces are those of the open tree: no constraint
        helps. Prescribe as many joints as the mechanism has degrees of freedom to `hybrid_dynamics` instead.
        """
        joints = (joint for joint in self.joints.values() if joint.in_tree)
        rest = {joint.name: np.zeros(joint.rates.stop - joint.rates.start) for joint in joints}
        return self.hybrid_dynamics(state, rest | dict(accelerations or {}), None, wrenches)

    def hybrid_dynamics(
        self,
        state: State,
        accelerations: Mapping[str, Any],
        forces: Mapping[str, Any] | None = None,
        wrenches: Mapping[str, Any] | None = None,
    ) -> Dynamics:
        """Some joints have given accelerations, others given forces; the rest of both is found, loops closed.

        Args:
            state: positions and velocities.
            accelerations: {joint: a number, or one for each rate} of joints of the tree, m/s² or rad/s².
            forces: {joint: a number, or one for each rate} of other joints, N or N m; 0 unless given.
            wrenches: {body: (force in the world at the centre of mass, torque in body axes)}, N and N m.
        """
        from dalembert.mechanics.dynamics import hybrid_dynamics
        from dalembert.solve.quadratic import solve_quadratic

        return hybrid_dynamics(self, state, accelerations, forces or {}, wrenches or {}, solve_quadratic)

    def contacts_at(self, state: State, within: float = 0.0) -> tuple[ContactPoint, ...]:
        """Where contacts that may touch are at most ``within`` metres apart, nearest first.

        Faces that lie on each other have a point at each corner of the patch in which they overlap.
        """
        from dalembert.contact.query import contacts_at

        findings = Findings()
        within = float(read_array(findings, "within", within, (), "a distance in metres"))
        findings.raise_if_any()
        return contacts_at(self, state, within)

    def distance(self, state: State, first: str, second: str) -> float:
        """The smallest distance between two contacts (m), whether or not they may touch; negative where they overlap.

        It is then minus the depth: how far one of them must move to be free.
        """
        from dalembert.contact.query import distance

        for name in (first, second):
            if name not in self.contacts:
                raise _unknown("contact", name, self.contacts)
        return distance(self, state, first, second)


def _motion(state: State) -> tuple[Floats, Floats, Floats, Floats]:
    return state.position, state.orientation, state.velocity, state.angular_velocity


def _unknown(noun: str, name: object, known: Any) -> ModelError:
    return ModelError(f'{noun} "{name}": there is none of this name; {suggestion(name, known)}')
