"""What a model knows of its bodies, joints and potentials, by name: the side of the mechanism that people read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dalembert.model.joint_kind import JointKind
from dalembert.model.material import Material
from dalembert.model.shapes import Part
from dalembert.model.system import Floats


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body of a model."""

    name: str
    index: int
    mass: float
    """kg"""
    inertia: Floats
    """(3, 3) about the centre of mass in body axes, kg m²."""
    position: Floats
    """(3,) centre of mass in the world at the reference configuration, m."""
    orientation: Floats
    """(4,) quaternion, body to world, at the reference configuration."""
    parts: tuple[Part, ...]
    """The shapes that the body is made of, placed relative to its centre of mass; may be empty."""
    material: Material | None


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint, spring, rod, gear or constraint of a model."""

    name: str
    index: int
    kind: JointKind
    parent: str
    """The parent body; for a gear, its first joint; empty for a custom constraint."""
    child: str
    """The child body; for a gear, its second joint; empty for a custom constraint."""
    bodies: tuple[str, ...]
    """The bodies it touches, in the order of the incidence list of the system."""
    components: tuple[int, ...]
    """Its free components, in the order of sequences of options."""
    limits: Floats
    """(6, 2) lower and upper end of each free component, ±inf where there is none; m or rad."""
    friction: Floats
    """(6,) Coulomb friction of each free component, N or N m."""
    coincide: bool
    """Whether its two frames are one at the reference configuration, so that its coordinates are zero there."""
    in_tree: bool
    """Whether it places a body; otherwise it closes a loop or has no coordinates."""
    coordinates: slice
    """Where its coordinates stand in ``State.coordinates``."""
    rates: slice
    """Where its rates stand in ``State.rates``."""


@dataclass(frozen=True, eq=False)
class BodyFrame:
    """A frame with a name, fixed in a body or in the world."""

    name: str
    body: str
    """A body or "world"."""
    position: Floats
    """(3,) of its origin in body axes, from the centre of mass; for the world, from the origin; m."""
    orientation: Floats
    """(4,) quaternion from its axes to the body's."""


@dataclass(frozen=True, eq=False)
class Potential:
    """A potential energy of the user's, of the poses of some bodies."""

    name: str
    bodies: tuple[int, ...]
    """Indices of the bodies, in the order of the arguments' rows."""
    energy: Callable[[Floats, Floats], float]
    """``energy(positions (k, 3), orientations (k, 4))`` in joules."""
    gradient: Callable[[Floats, Floats], Any] | None
    """(k, 6): by the displacement in the world (N) and by the turn in body axes (N m); None: central differences."""


@dataclass(frozen=True, eq=False)
class Contact:
    """The surface of a body that touches others."""

    name: str
    index: int
    body: str
    """The body that it belongs to, or "world"."""
    parts: tuple[Part, ...]
    """Its shapes, placed relative to the centre of mass in body axes; their materials are resolved."""
    friction: float | None
    """Coefficient of Coulomb friction; None: the materials', else the partner's."""
    restitution: float | None
    """Newton's coefficient, 0 to 1; None: the materials', else the partner's."""
    torsional_friction: float
    """m: torque about the normal over normal force."""
    rolling_friction: float
    """m: torque across the normal over normal force."""
    stiffness: float | None
    """N/m of a compliant contact; None: rigid."""
    damping: float
    """N s/m of a compliant contact."""
    only: tuple[str, ...] | None
    """Contacts or bodies that it touches alone; None: all."""
    ignore: tuple[str, ...]
    """Contacts or bodies that it never touches."""
    collide: tuple[str, ...]
    """Contacts or bodies that it touches although a joint connects them."""
    geoms: slice
    """Where its shapes stand in ``Model.geometry``."""
