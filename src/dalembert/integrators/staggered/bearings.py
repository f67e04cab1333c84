"""Friction in the bearings of joints, bounded by what the joints carry: bilateral staggered projections.

[Sueda 2021] section 2.11, algorithm 8. The solve for contact forces is the motion itself: with the velocity v⁺ that
impulses of contact, friction and loops give, inverse dynamics with v̇ = (v⁺ − v)/h says what every joint of the tree
carries, from the leaves inwards; this is (2.124) and the traversal after it in one recursion, external constraints
(2.126) included. A joint that closes a loop carries its multipliers.

Where the source has contact points around a joint with multipliers of least norm, (2.125), the points lie here where
the load presses. A pin or slide of length L that carries the force F and torque τ about its middle, a its axis, presses
at its ends with F_⊥/2 ± (τ_⊥ × a)/L, on a shoulder with F·a, a slide on its flanks with τ·a / r. The bounds are

    revolute  μ r (|F₁| + |F₂| + |F·a|),      prismatic  μ (|F₁| + |F₂| + |τ·a|/r),      spherical  μ r |F|,

and for a cylindrical joint μ (|F₁| + |F₂|) along the axis and r times as much about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.integrators.staggered.rows import ImpulseRows, directions_across, impulse_row, pair_wrenches
from dalembert.mechanics.constraints import joint_frames
from dalembert.model.joints import Cylindrical, Prismatic, Revolute, Spherical
from dalembert.spatial.quaternion import rotate

if TYPE_CHECKING:
    from dalembert.mechanics.reduced_loops import Loops
    from dalembert.mechanics.reduced_tree import Reduced
    from dalembert.model.bearings import Bearing
    from dalembert.model.model import Model
    from dalembert.model.system import Floats, System


class Bearings:
    """The bearings of a model in the equations of ``system``, whose joints are those of the model from ``first`` on."""

    def __init__(self, model: Model, system: System, first: int) -> None:
        self._system = system
        self._all = [_Joint(model, bearing, system, first) for bearing in model.bearings.values()]

    def __len__(self) -> int:
        return len(self._all)

    def rows(self, at: Reduced) -> ImpulseRows:
        """Slips of all bearings; their bounds are left out."""
        n, slip, slip_on = self._system.n_v, [], []
        for one in self._all:
            one.place(self._system, at)
            for force, torque in one.slips(at):
                on = pair_wrenches(at, one.bodies, one.middle, force, torque)
                slip.append(impulse_row(self._system, at, on))
                # what acts on a rate of the tree is no load of a joint
                slip_on.append(on if one.tree_body < 0 else 0.0 * on)
        f, none = len(slip), np.zeros(0)
        return ImpulseRows(
            np.zeros((0, n)),
            none,
            np.array(slip).reshape(f, n),
            np.zeros(f),
            np.full(f, -1),
            np.zeros(f),
            np.zeros((0, *at.twist.shape)),
            np.array(slip_on).reshape(f, *at.twist.shape),
        )

    def bounds(self, at: Reduced, loops: Loops) -> Floats:
        """(f,) the largest force or torque of friction of each row, where `evaluate_equations` has run."""
        return np.concatenate([one.bounds(self._system, at, loops) for one in self._all])


class _Joint:
    """One bearing."""

    def __init__(self, model: Model, bearing: Bearing, system: System, first: int) -> None:
        joint = model.joints[bearing.joint]
        self._j, self._bearing, self._kind = first + joint.index, bearing, joint.kind
        self.bodies = (int(system.joint_parent[self._j]), int(system.joint_child[self._j]))
        found = np.flatnonzero(system.tree_joint == self._j)
        self.tree_body = int(system.tree_body[found[0]]) if found.size else -1
        self._axis = joint.kind.free[0] % 3

    def place(self, system: System, at: Reduced) -> None:
        """Middle and axis in the world."""
        _, _, point, turn = joint_frames(system, self._j, at.position, at.orientation)
        self.middle = np.array(point)
        unit = tuple(1.0 if k == self._axis else 0.0 for k in range(3))
        self._along = np.array(rotate(turn, unit))

    def slips(self, at: Reduced) -> list[tuple[Floats, Floats]]:
        """(force, torque) on the child of unit friction along each way that the joint slips."""
        zero = np.zeros(3)
        if isinstance(self._kind, Revolute):
            return [(zero, self._along)]
        if isinstance(self._kind, Prismatic):
            return [(self._along, zero)]
        if isinstance(self._kind, Cylindrical):
            return [(self._along, zero), (zero, self._along)]
        # the first along the slip, so that the box bounds it as a ball would
        parent, child = self.bodies
        spin = at.twist[child, 3:] - at.twist[parent, 3:]
        speed = float(np.linalg.norm(spin))
        first = spin / speed if speed > 0.0 else np.array([0.0, 0.0, 1.0])
        return [(zero, axis) for axis in (first, *directions_across(first))]

    def bounds(self, system: System, at: Reduced, loops: Loops) -> Floats:
        """The largest friction of each slip."""
        force, torque = self._load(system, at, loops)
        mu, r, length = self._bearing.friction, self._bearing.radius, self._bearing.length
        if isinstance(self._kind, Spherical):
            return np.full(3, mu * r * float(np.linalg.norm(force)))
        thrust, twist = float(force @ self._along), float(torque @ self._along)
        across, tilt = force - thrust * self._along, torque - twist * self._along
        pair = np.cross(tilt, self._along) / length if length > 0.0 else np.zeros(3)
        ends = float(np.linalg.norm(0.5 * across + pair) + np.linalg.norm(0.5 * across - pair))
        if isinstance(self._kind, Revolute):
            return np.array([mu * r * (ends + abs(thrust))])
        if isinstance(self._kind, Cylindrical):
            return np.array([mu * ends, mu * r * ends])
        return np.array([mu * (ends + (abs(twist) / r if r > 0.0 else 0.0))])

    def _load(self, system: System, at: Reduced, loops: Loops) -> tuple[Floats, Floats]:
        """Force and torque that the joint carries, about its middle."""
        if self.tree_body >= 0:
            body, wrench = self.tree_body, at.demand[self.tree_body]
        else:
            body, edge = self.bodies[1], system.incidence_start[self._j] + 1
            wrench = np.zeros(6)
            for c in np.flatnonzero(system.locked[self._j]):
                wrench += loops.force[self._j, c] * loops.jacobian[edge, c]
        return wrench[:3], wrench[3:] + np.cross(at.position[body] - self.middle, wrench[:3])
