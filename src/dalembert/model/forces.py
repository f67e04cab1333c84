"""Forces that are not joints, as users write them: cables, springs through points, pulls, drag, a ground of springs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dalembert.model.checks import VectorLike
from dalembert.model.system import Floats

CABLE: Final = 0
ROUTED_SPRING: Final = 1
POINT_FORCE: Final = 2
PENALTY_GROUND: Final = 3
DRAG: Final = 4

Place = tuple[str, VectorLike]
"""A body (or "world") and a point."""


class ForceKind:
    """What `ModelBuilder.add_force` takes."""


@dataclass(frozen=True)
class Cable(ForceKind):
    """A cable that slides through points without friction and can only pull.

    With L the sum of the distances between neighbouring points its tension is k (L − rest) + d dL/dt while it is longer
    than at rest and that is positive, and nothing otherwise.

    Args:
        through: two or more (body, point), in order from end to end.
        stiffness: k, N/m.
        damping: d, N s/m.
        rest_length: m; without it the length at the reference configuration.
        local: whether points are in the axes of their body, from its centre of mass, instead of in the world at the
            reference configuration.
    """

    through: Sequence[Place]
    stiffness: float
    damping: float = 0.0
    rest_length: float | None = None
    local: bool = False


@dataclass(frozen=True)
class RoutedSpring(ForceKind):
    """A spring and damper that slides through points without friction: the tension of a `Cable`, of either sign.

    Args:
        through: two or more (body, point), in order from end to end.
        stiffness: N/m.
        damping: N s/m.
        rest_length: m; without it the length at the reference configuration.
        local: whether points are in the axes of their body, from its centre of mass, instead of in the world at the
            reference configuration.
    """

    through: Sequence[Place]
    stiffness: float
    damping: float = 0.0
    rest_length: float | None = None
    local: bool = False


@dataclass(frozen=True)
class GenericSpring(ForceKind):
    """A spring that slides through points without friction, with a tension that is a function of yours.

    Args:
        through: two or more (body, point), in order from end to end.
        law: ``law(length, rate) -> (tension, its derivative by the length, its derivative by the rate)``, the sum of
            the distances between neighbouring points in m and its rate in m/s; N, N/m and N s/m.
        local: whether points are in the axes of their body, from its centre of mass, instead of in the world at the
            reference configuration.
    """

    through: Sequence[Place]
    law: Callable[[float, float], Any]
    local: bool = False


@dataclass(frozen=True)
class PointForce(ForceKind):
    """A constant force at a point of a body.

    Args:
        body: the body.
        point: in the world at the reference configuration, m.
        force: in the world, N; if it ``follows``, in the axes of the body.
        follows: whether the force turns with the body.
        local: whether the point is in the axes of the body, from its centre of mass.
    """

    body: str
    point: VectorLike
    force: VectorLike
    follows: bool = False
    local: bool = False


@dataclass(frozen=True)
class Drag(ForceKind):
    """Viscous damping of a body against the world, at its centre of mass and in its axes: −linear∘v and −angular∘ω.

    Args:
        body: the body.
        linear: N s/m, a number or one for each axis.
        angular: N m s/rad, a number or one for each axis.
    """

    body: str
    linear: float | VectorLike = 0.0
    angular: float | VectorLike = 0.0


@dataclass(frozen=True)
class PenaltyGround(ForceKind):
    """A plane that pushes points of a body back like springs, with friction that is smooth but where it starts to slip.

    At depth δ with normal velocity v and tangential velocity a the force is k δ (1 − D v) − d v along the normal, its
    first part never negative, and the smaller of ``c |a|`` (a damper that stands for sticking) and μ k δ against a.
    [Geilinger 2020], [Sueda 2021] section 1.9.6 with D = 0, and [Hunt 1975] for D.

    The damper d of the source sets in at once where a point touches: a step that ends there may have no solution. It
    also holds points back that leave. The dissipation D does neither: prefer it.

    Args:
        body: the body.
        points: (m, 3) of it, in its axes from the centre of mass, m.
        normal: out of the ground, length 1.
        point: any point of the plane, m.
        stiffness: k, N/m.
        damping: d, N s/m.
        sticking: c, N s/m.
        friction: μ.
        dissipation: D, s/m; a ball that falls at v rebounds at v (1 − ⅔ D v) while D v is small.
    """

    body: str
    points: Sequence[VectorLike]
    stiffness: float
    damping: float = 0.0
    sticking: float = 0.0
    friction: float = 0.0
    dissipation: float = 0.0
    normal: VectorLike = (0.0, 0.0, 1.0)
    point: VectorLike = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Force:
    """A force of a model, checked: what `dalembert.model.force_elements` lays out for kernels."""

    name: str
    code: int
    """One of CABLE, ROUTED_SPRING, …"""
    bodies: tuple[str, ...]
    """The bodies it acts on, one for each point."""
    points: Floats
    """(k, 3) where it acts, in the axes of the bodies, from their centres of mass, m."""
    numbers: tuple[float, float, float, float, float]
    """By code: stiffness, damping, rest length, constant tension; follows; stiffness, damping, sticking, friction,
    dissipation."""
    vectors: Floats
    """(2, 3) by code: 0; the force; normal and point of the plane; linear and angular drag."""
    law: Callable[[float, float], Any] | None = None
    """The tension of a `GenericSpring`."""

    @property
    def stores(self) -> bool:
        """Whether it has a potential energy; a force that turns with its body and drag have none."""
        return self.law is None and self.code != DRAG and not (self.code == POINT_FORCE and self.numbers[0] != 0.0)

    @property
    def damps(self) -> bool:
        """Whether it depends on velocities."""
        if self.law is not None:
            return True
        if self.code == PENALTY_GROUND:
            return any(number != 0.0 for number in self.numbers[1:])
        return self.code == DRAG or (self.code in (CABLE, ROUTED_SPRING) and self.numbers[1] != 0.0)
