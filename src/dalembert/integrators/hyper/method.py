"""The integrator that users hold, and what it takes: joints that follow others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from dalembert.errors import ModelError
from dalembert.integrators.base import Stepper
from dalembert.integrators.implicit.method import ImplicitIntegrator
from dalembert.integrators.implicit.steps import BDF1_METHOD, BDF2_METHOD, SDIRK2_METHOD
from dalembert.integrators.options import check_choice
from dalembert.mechanics.followers import Followers, no_followers
from dalembert.model.spline_fit import fitted_values
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.record import Joint
    from dalembert.model.state import State

_METHODS = {"BDF1": (BDF1_METHOD, 1), "SDIRK2": (SDIRK2_METHOD, 2), "BDF2": (BDF2_METHOD, 2)}


@dataclass(frozen=True)
class Follow:
    """A joint follows another one: q = offset + ratio · leader, or through values over the leader's range.

    Args:
        leader: a joint with one length or angle, itself independent.
        ratio: of a multiple; a ratio between an angle and a length is in rad/m or m/rad.
        offset: of a multiple, m or rad.
        values: instead of both: what the coordinate is at equally spaced places of the leader; a cubic spline between.
        over: (first, last): the leader at the first and at the last value; m or rad.
        closed: whether the values repeat; the last one is then followed by the first at ``over[1]`` and not given.
    """

    leader: str
    ratio: float = 1.0
    offset: float = 0.0
    values: Sequence[float] | Floats | None = None
    over: tuple[float, float] = (0.0, 2.0 * np.pi)
    closed: bool = False


@dataclass(frozen=True)
class HyperReduced(ImplicitIntegrator):
    """Implicit integration in fewer coordinates than the tree has: some joints follow others, [Sueda 2021] section 2.6.

    Followers are no constraints: their equations are added to their leaders' through the Jacobian, and there is nothing
    to drift. The forces of springs, dampers and drives on followers act on their leaders. Followers start where their
    leaders place them. For open trees; a `Gear` says the same of two joints in a closed one.

    Args:
        tol: Newton's method stops when a step changes rates by less than this, relative to 1 + the largest rate.
        max_iterations: Newton iterations after which a step fails.
        limit_stiffness: limits of joints are one-sided springs of this stiffness, N/m or N m/rad …
        limit_damping: … and dampers, N s/m or N m s/rad.
        follow: by the name of the joint that follows: a `Follow`, or the name of its leader.
        method: "BDF1", "SDIRK2" or "BDF2".
    """

    follow: Mapping[str, Follow | str] = field(default_factory=dict)
    method: Literal["BDF1", "SDIRK2", "BDF2"] = "BDF2"

    name: ClassVar[str] = "HyperReduced"
    supports: ClassVar[frozenset[str]] = frozenset(
        {"springs", "dampers", "armature", "actuators", "limits", "forces", "damped forces", "joints along curves"}
    )
    summary: ClassVar[str] = "implicit, in fewer coordinates than the tree has: joints that follow others"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self, "method", tuple(_METHODS))
        object.__setattr__(self, "code", _METHODS[self.method][0])

    @property
    def declared_order(self) -> int:
        return _METHODS[self.method][1]

    def parameters(self) -> Mapping[str, Any]:
        options = {name: value for name, value in super().parameters().items() if name != "code"}
        return {**options, "follow": {name: str(one) for name, one in self.follow.items()}}

    def start(self, model: Model, state: State, dt: float) -> Stepper:
        from dalembert.integrators.hyper.stepper import HyperStepper

        return HyperStepper(self, model, state, dt, read_followers(model, self.follow))


def read_followers(model: Model, follow: Mapping[str, Follow | str]) -> Followers:
    """The followers of a model as arrays. Raises `ModelError` where they cannot be."""
    found, control = no_followers(model.system.n_v), []
    for name, given in follow.items():
        one = Follow(given) if isinstance(given, str) else given
        if not isinstance(one, Follow):
            raise ModelError(
                f'HyperReduced, follow["{name}"]: expected a Follow or the name of a joint, found {given!r}'
            )
        k, i = _single(model, name, "follow"), _single(model, one.leader, f'follow["{name}"]')
        if one.leader in follow:
            raise ModelError(
                f'HyperReduced, follow["{name}"]: expected an independent leader, found "{one.leader}", which follows '
                "another joint; let both follow that one"
            )
        found.leader[k.rates.start] = i.rates.start
        found.place[k.rates.start], found.place[i.rates.start] = k.coordinates.start, i.coordinates.start
        found.line[k.rates.start] = one.offset, one.ratio
        if one.values is not None:
            _put_spline(found, k.rates.start, one, control, f'HyperReduced, follow["{name}"]')
        if not np.isfinite(found.line[k.rates.start]).all():
            raise ModelError(f'HyperReduced, follow["{name}"]: expected finite numbers, found {one!r}')
    free = np.flatnonzero(found.leader < 0)
    return found._replace(free=free, control=np.array(control, dtype=np.float64))


def _put_spline(found: Followers, k: int, one: Follow, control: list[float], item: str) -> None:
    values = np.array(one.values, dtype=np.float64)
    if values.ndim != 1 or values.size < (3 if one.closed else 2) or not np.isfinite(values).all():
        raise ModelError(f"{item}, values: expected {3 if one.closed else 2} or more numbers, found {one.values!r}")
    if not one.over[0] < one.over[1]:
        raise ModelError(f"{item}, over: expected (first, last) with first < last, found {one.over!r}")
    count = values.size if one.closed else values.size - 1
    found.first[k], found.segments[k], found.closed[k] = len(control), count, int(one.closed)
    found.line[k] = one.over[0], (one.over[1] - one.over[0]) / count
    control.extend(fitted_values(values, closed=one.closed).tolist())


def _single(model: Model, name: str, item: str) -> Joint:
    joint = model.joints.get(name)
    if joint is None:
        raise ModelError(f'HyperReduced, {item}: expected the name of a joint, found "{name}"')
    if joint.rates.stop - joint.rates.start != 1 or not joint.in_tree:
        raise ModelError(
            f"HyperReduced, {item}: expected a joint of the spanning tree with one length or angle, found "
            f'"{name}", a {joint.kind.name}'
        )
    return joint
