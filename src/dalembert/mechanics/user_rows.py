"""Constraints and potentials of users' in minimal coordinates: values, gradients, forces and their derivatives.

A constraint c on poses has the derivatives C by displacement of the centre of mass in the world and turn in body axes,
a wrench for each body. With J_b the motion of the bodies by the rates, G = C J_b, eq. (2.109) of [Sueda 2021]. A
multiplier λ makes the wrench w = Cᵀ λ, which moves with its body; that is what `Loads.external` is, and its derivative
while it moves along is known to `differentiate_equations`. What is left is

    ∂(Gᵀ λ)/∂η = (…) + J_bᵀ (Σ λ ∂C) J_b.

A constraint on coordinates has G and Σ λ ∂G itself. The energy of a potential is a row with λ = −1 that nothing holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from dalembert.mechanics.jacobian_products import jacobian_transposed_times
from dalembert.mechanics.kinematics_coordinates import advance_coordinates
from dalembert.mechanics.reduced_tree import place_tree
from dalembert.mechanics.user_functions import STEP, differences
from dalembert.model.joints import CustomConstraint
from dalembert.model.system import CUSTOM, Floats, System
from dalembert.model.user_constraints import CoordinateConstraint, PoseConstraint
from dalembert.spatial.quaternion import exp, multiply, rotate

if TYPE_CHECKING:
    from dalembert.mechanics.reduced_tree import Reduced
    from dalembert.model.model import Model

COARSE_STEP = 2e-4
"""Of second differences: their error is about 1e-7 of the scale of the derivatives."""


class UserRows:
    """All constraints and, unless told otherwise, potentials of a model at one place; `place` moves it there.

    ``system``: the tree whose rates are meant, if it is not that of the model.
    """

    def __init__(self, model: Model, system: System | None = None, potentials: bool = True) -> None:
        self._system = model.system if system is None else system
        self._parts: list[_PoseRows | _CoordinateRows] = []
        self.names: list[str] = []
        inequality: list[bool] = []
        for name, joint in model.joints.items():
            if isinstance(joint.kind, CustomConstraint):
                self._add(f'joint "{name}"', _custom(model, joint.index, joint.kind), inequality, False)
        for name, constraint in model.constraints.items():
            kind = constraint.kind
            if isinstance(kind, PoseConstraint):
                part = _PoseRows(kind.function, kind.jacobian, kind.hessian, constraint.bodies, constraint.rows)
            else:
                part = _CoordinateRows(kind, constraint.coordinates, constraint.rates, constraint.rows)
            self._add(f'constraint "{name}"', part, inequality, kind.inequality)
        self.inequality = np.array(inequality, bool)
        """(u,) whether each row may be positive."""
        self._potentials = []
        for potential in model.potentials.values() if potentials else ():
            gradient = potential.gradient
            one = _PoseRows(
                lambda x, q, energy=potential.energy: np.array([energy(x, q)]),
                None if gradient is None else lambda x, q, gradient=gradient: np.asarray(gradient(x, q))[None],
                None,
                potential.bodies,
                1,
            )
            self._potentials.append(one)
        self.count = len(self.names)
        self.value = np.zeros(self.count)
        """(u,) c, and (u, n_v) G."""
        self.rows = np.zeros((self.count, self._system.n_v))
        self.size = np.zeros(self.count)
        """(u,) how far a unit force along each row would move free bodies, as `Loops.size`."""

    def _add(self, name: str, part: _PoseRows | _CoordinateRows, inequality: list[bool], positive: bool) -> None:
        self._parts.append(part)
        self.names += [name] * part.count
        inequality += [positive] * part.count

    def missed(self) -> Floats:
        """(u,) how far equations are open and inequalities negative."""
        return np.where(self.inequality, np.maximum(-self.value, 0.0), np.abs(self.value))

    def open_by(self) -> float:
        """The largest of `missed`."""
        return float(self.missed().max(initial=0.0))

    def place(self, at: Reduced, q: Floats) -> None:
        """Values and the derivatives by poses where the tree ``at`` stands; G follows with `form`."""
        self._at, done = at, 0
        for part in self._parts:
            self.value[done : done + part.count] = part.place(at.position, at.orientation, q)
            done += part.count
        for potential in self._potentials:
            potential.place(at.position, at.orientation, q)

    def form(self) -> None:
        """G into ``rows``, and ``size``."""
        done = 0
        for part in self._parts:
            for c in range(part.count):
                self.rows[done] = part.forces(np.eye(part.count)[c], self._system.n_v)
                wrenches, self.size[done] = np.zeros_like(self._at.twist), 0.0
                part.add_wrenches(np.eye(part.count)[c], wrenches)
                for b in np.flatnonzero(np.any(wrenches != 0.0, axis=1)):
                    mass, mean = self._system.mass[b], np.trace(self._system.inertia[b]) / 3.0
                    if mass > 0.0:
                        self.size[done] += wrenches[b, :3] @ wrenches[b, :3] / mass + wrenches[b, 3:] @ wrenches[
                            b, 3:
                        ] / (mean or 1.0)
                self.rows[done] += self._carried(wrenches)
                done += 1
        self.size = np.sqrt(self.size)

    def scale(self, mass: Floats) -> None:
        """Put into ``size`` of rows on coordinates what M (n_v, n_v) says; before, it is zero there."""
        free = self.size == 0.0
        self.size[free] = np.sqrt((self.rows[free] ** 2 / np.diag(mass)).sum(axis=1))

    def loads(self, multiplier: Floats) -> tuple[Floats, Floats]:
        """Wrenches (n + 1, 6), forces in the world and torques in body axes, and forces on rates (n_v,)."""
        wrenches, forces, done = np.zeros_like(self._at.twist), np.zeros(self._system.n_v), 0
        for part in self._parts:
            share = multiplier[done : done + part.count]
            if share.any():
                part.add_wrenches(share, wrenches)
                forces += part.forces(share, self._system.n_v)
            done += part.count
        for potential in self._potentials:
            potential.add_wrenches(np.array([-1.0]), wrenches)
        return wrenches, forces

    def stiffness(self, multiplier: Floats) -> Floats:
        """(n_v, n_v) Σ λ ∂²c, besides what wrenches that move along do."""
        out, done = np.zeros((self._system.n_v,) * 2), 0
        for part in self._parts:
            share = multiplier[done : done + part.count]
            if share.any():
                self._add_stiffness(part, share, out)
            done += part.count
        for potential in self._potentials:
            self._add_stiffness(potential, np.array([-1.0]), out)
        return out

    def accelerations(self, at: Reduced, q: Floats, v: Floats) -> Floats:
        """(u,) c̈ at constant rates: the derivative of G v along the motion."""
        ends = []
        span = STEP / max(1.0, float(np.abs(v).max(initial=0.0)))
        for sign in (span, -span):
            there = q.copy()
            advance_coordinates(self._system, v, sign, there)
            place_tree(self._system, at, there)
            self.place(at, there)
            self.form()
            ends.append(self.rows @ v)
        place_tree(self._system, at, q)
        self.place(at, q)
        self.form()
        return (ends[0] - ends[1]) / (2.0 * span)

    def _add_stiffness(self, part: _PoseRows | _CoordinateRows, share: Floats, out: Floats) -> None:
        second = part.second(share)
        if isinstance(part, _CoordinateRows):
            out[np.ix_(part.rates, part.rates)] += second
            return
        moved = np.array([self._carried(self._unit(b, k)) for b in part.bodies for k in range(6)])
        out += moved.T @ second @ moved

    def _unit(self, body: int, k: int) -> Floats:
        wrench = np.zeros_like(self._at.twist)
        wrench[body, k] = 1.0
        return wrench

    def _carried(self, wrenches: Floats) -> Floats:
        """J_bᵀ w; torques in body axes."""
        world, out = wrenches.copy(), np.zeros(self._system.n_v)
        for b in np.flatnonzero(np.any(wrenches[:, 3:] != 0.0, axis=1)):
            turn = tuple(self._at.orientation[b].tolist())
            world[b, 3:] = rotate(turn, tuple(wrenches[b, 3:].tolist()))
        jacobian_transposed_times(self._system, self._at, world, out)
        return out


class _PoseRows:
    """Rows on the poses of some bodies."""

    def __init__(
        self,
        function: Callable[..., object],
        jacobian: Callable[..., object] | None,
        hessian: Callable[..., object] | None,
        bodies: tuple[int, ...],
        count: int,
    ) -> None:
        self.bodies, self.count = list(bodies), count
        self._function, self._jacobian, self._hessian = function, jacobian, hessian

    def place(self, position: Floats, orientation: Floats, q: Floats) -> Floats:
        self._x, self._q = position[self.bodies], orientation[self.bodies]
        self._blocks = self._derivative(self._x, self._q)
        return np.asarray(self._function(self._x, self._q), dtype=float)

    def add_wrenches(self, share: Floats, wrenches: Floats) -> None:
        np.add.at(wrenches, self.bodies, np.einsum("c,cbk->bk", share, self._blocks))

    def forces(self, share: Floats, n_v: int) -> Floats:
        return np.zeros(n_v)

    def second(self, share: Floats) -> Floats:
        """(6k, 6k) Σ λ ∂C."""
        k = len(self.bodies)
        if self._hessian is not None:
            found = np.asarray(self._hessian(self._x, self._q), dtype=float)
            return np.einsum("c,cbidj->bidj", share, found).reshape(6 * k, 6 * k)
        step, out = (COARSE_STEP if self._jacobian is None else STEP), np.zeros((6 * k, 6 * k))
        for body in range(k):
            for i in range(6):
                ends = []
                for sign in (step, -step):
                    x, q = self._x.copy(), self._q.copy()
                    if i < 3:
                        x[body, i] += sign
                    else:
                        turn = [sign if j == i - 3 else 0.0 for j in range(3)]
                        q[body] = multiply(tuple(q[body].tolist()), exp(tuple(turn)))
                    ends.append(np.einsum("c,cbk->bk", share, self._derivative(x, q)))
                out[:, 6 * body + i] = (ends[0] - ends[1]).ravel() / (2.0 * step)
        return out

    def _derivative(self, x: Floats, q: Floats) -> Floats:
        """(rows, k, 6)"""
        if self._jacobian is not None:
            return np.asarray(self._jacobian(x, q), dtype=float).reshape(self.count, len(self.bodies), 6)
        return differences(self._function, x, q).transpose(1, 0, 2)  # pyright: ignore[reportArgumentType]


class _CoordinateRows:
    """Rows on minimal coordinates."""

    def __init__(
        self, kind: CoordinateConstraint, coordinates: tuple[int, ...], rates: tuple[int, ...], count: int
    ) -> None:
        self.rates, self.count = list(rates), count
        self._kind, self._coordinates = kind, list(coordinates)

    def place(self, position: Floats, orientation: Floats, q: Floats) -> Floats:
        self._q = q[self._coordinates]
        self._rows = self._derivative(self._q)
        return np.asarray(self._kind.function(self._q), dtype=float)

    def add_wrenches(self, share: Floats, wrenches: Floats) -> None:
        """They act on rates only."""

    def forces(self, share: Floats, n_v: int) -> Floats:
        out = np.zeros(n_v)
        out[self.rates] = share @ self._rows
        return out

    def second(self, share: Floats) -> Floats:
        """(k, k) Σ λ ∂G."""
        if self._kind.hessian is not None:
            return np.einsum("c,cij->ij", share, np.asarray(self._kind.hessian(self._q), dtype=float))
        step = COARSE_STEP if self._kind.jacobian is None else STEP
        return _slopes(lambda q: share @ self._derivative(q), self._q, step)

    def _derivative(self, q: Floats) -> Floats:
        if self._kind.jacobian is not None:
            return np.asarray(self._kind.jacobian(q), dtype=float).reshape(self.count, q.size)
        return _slopes(lambda x: np.asarray(self._kind.function(x), dtype=float), q, STEP)


def _slopes(function: Callable[[Floats], Floats], x: Floats, step: float) -> Floats:
    """(rows, k) central differences."""
    return np.array([(function(x + d) - function(x - d)) / (2.0 * step) for d in step * np.eye(x.size)]).T


def _custom(model: Model, j: int, kind: CustomConstraint) -> _PoseRows:
    system = model.system
    assert system.joint_kind[j] == CUSTOM
    bodies = system.incidence_body[system.incidence_start[j] : system.incidence_start[j + 1]]
    return _PoseRows(kind.function, kind.jacobian, None, tuple(bodies.tolist()), int(system.locked[j].sum()))


def has_user_rows(model: Model) -> bool:
    """Whether the model has constraints, potentials or laws of springs written in Python."""
    laws = any(force.law is not None for force in model.forces.values())
    return bool(laws or model.constraints or model.potentials or np.any(model.system.joint_kind == CUSTOM))
