"""What a user wrote, not yet checked: one record per call of the builder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dalembert.model.checks import VectorLike
from dalembert.model.frame import Frame
from dalembert.model.joint_kind import JointKind
from dalembert.model.material import Material
from dalembert.model.shapes import Part, Shape
from dalembert.model.system import Floats

WORLD = "world"
FREE_PREFIX = "free:"
"""Names of joints that the builder adds by itself start with this."""

PartLike = Part | Shape | tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class BodyDeclaration:
    """One call of `ModelBuilder.add_body`."""

    name: str
    mass: float | None
    inertia: Any
    shape: Shape | Sequence[PartLike] | None
    density: float | None
    material: Material | str | None
    position: VectorLike
    orientation: VectorLike


@dataclass(frozen=True, eq=False)
class JointDeclaration:
    """One call of `ModelBuilder.add_joint` or `ModelBuilder.add_spring`."""

    name: str
    kind: JointKind
    parent: str | None = None
    child: str | None = None
    anchor: Any = None
    parent_frame: Frame | None = None
    child_frame: Frame | None = None
    stiffness: Any = None
    damping: Any = None
    rest: Any = None
    limits: Any = None
    friction: Any = None
    armature: Any = None
    closes_loop: bool = False

    @property
    def item(self) -> str:
        """How messages call it."""
        return f'joint "{self.name}"'


@dataclass(frozen=True, eq=False)
class FrameDeclaration:
    """One call of `ModelBuilder.add_frame`."""

    name: str
    body: str
    position: VectorLike | None
    orientation: VectorLike | None
    frame: Frame | None


@dataclass(frozen=True, eq=False)
class PotentialDeclaration:
    """One call of `ModelBuilder.add_potential`."""

    name: str
    bodies: Sequence[str]
    energy: Callable[[Floats, Floats], float]
    gradient: Callable[[Floats, Floats], Any] | None


@dataclass(frozen=True, eq=False)
class ContactDeclaration:
    """One call of `ModelBuilder.add_contact` or `ModelBuilder.add_ground`."""

    body: str
    name: str
    shape: Shape | Sequence[PartLike] | None
    points: Any
    position: VectorLike
    orientation: VectorLike
    material: Material | str | None
    friction: float | None
    restitution: float | None
    torsional_friction: float | None
    rolling_friction: float | None
    stiffness: float | None
    damping: float | None
    only: Sequence[str] | None
    ignore: Sequence[str]
    collide: Sequence[str]
    normal: Any = None
    """For the ground: the outward normal, instead of an orientation."""

    @property
    def item(self) -> str:
        """How messages call it."""
        return f'contact "{self.name}"'
