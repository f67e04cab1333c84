"""Steps of `StaggeredEuler`: forces, loops, impulses, positions.

v_free = v − h M⁻¹ g(q, v, v̇ = 0, λ = 0). Loops demand G v̄ = −γ c/h (Baumgarte) or 0 (post-stabilisation):
v̄ = v_free + M⁻¹ Gᵀ S⁺ (b − G v_free), S = G M⁻¹ Gᵀ. [Sueda 2021] eq. (1.86), (1.97), (2.106), (2.114). After the step,
post-stabilisation moves positions by the smallest δ, in the metric of M, with G δ = −c.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dalembert.contact.query import contacts_at
from dalembert.integrators.base import StepFailure, Stepper
from dalembert.integrators.record import Record
from dalembert.integrators.staggered.bearings import Bearings
from dalembert.integrators.staggered.free_bodies import free_coordinates, freed
from dalembert.integrators.staggered.method import StaggeredEuler
from dalembert.integrators.staggered.projections import find_impulses
from dalembert.integrators.staggered.rows import (
    ImpulseRows,
    contact_rows,
    in_body_axes,
    in_world_axes,
    joined,
    joint_rows,
    push_rows,
)
from dalembert.mechanics.inverse_mass import factor_inverse_mass, inverse_mass_memory, inverse_mass_times
from dalembert.mechanics.kinematics import joint_coordinates, joint_rates, move_bodies, place_bodies
from dalembert.mechanics.kinematics_coordinates import advance_coordinates
from dalembert.mechanics.reduced_coordinates import no_limits
from dalembert.mechanics.reduced_equations import Loads, evaluate_equations, largest_gap, reduced_equations
from dalembert.mechanics.reduced_loops import evaluate_loops, fill_rows
from dalembert.mechanics.reduced_tree import move_tree, place_tree
from dalembert.mechanics.spring_laws import SpringLaws
from dalembert.mechanics.user_functions import potential_wrenches
from dalembert.mechanics.user_rows import UserRows
from dalembert.model.state import State, with_world
from dalembert.solve.quadratic import QuadraticFailure

if TYPE_CHECKING:
    from dalembert.integrators.linearly_implicit.method import LinearlyImplicitEuler
    from dalembert.model.model import Model
    from dalembert.model.system import Floats

DEPENDENT = 1e-11
MARGIN = 0.02
"""m: contacts that are further apart than this and than a step can bring together are not looked at."""
POST_ITERATIONS = 3
"""Corrections of positions after a step; the first takes all but the square of a gap."""


class _Closing(NamedTuple):
    """Impulses (r,) that close loops where nothing else acts, rows of M⁻¹ Gᵀ and (G M⁻¹ Gᵀ)⁺."""

    impulse: Floats
    columns: Floats
    inner: Floats


class StaggeredStepper(Stepper):
    """A run."""

    def __init__(self, method: StaggeredEuler | LinearlyImplicitEuler, model: Model, state: State, dt: float) -> None:
        self._model, self._h, self._gain = model, dt, method.gain
        self._options = method if isinstance(method, StaggeredEuler) else StaggeredEuler()
        self._minimal = minimal = self._options.unknowns == "minimal"
        self._system = system = model.system if minimal else freed(model.system)
        n = system.n_v
        self._equations, self._inverse = reduced_equations(system), inverse_mass_memory(system)
        self._q, self._v = free_coordinates(state)
        if minimal:
            self._q, self._v = state.coordinates[: system.n_q].copy(), state.rates[:n].copy()
        # those of the model's joints stand behind those of free bodies
        self._coordinates = self._equations.loops.coordinates[0 if minimal else 7 * model.n_bodies :]
        self._coordinates[:] = state.coordinates
        drives = int(system.n_rates.sum())
        self._first_drive = drives - int(model.system.n_rates.sum())
        self._applied = np.zeros((model.n_bodies + 1, 6))
        self._laws = SpringLaws(model)
        self._loads = Loads(np.zeros(drives), np.zeros((model.n_bodies + 1, 6)), no_limits(n), self._laws.work)
        self._still, self._no_forces = np.zeros(n), np.zeros(self._equations.loops.row_joint.size)
        self._limits, self._friction = np.tile([-np.inf, np.inf], (n, 1)), np.zeros(n)
        if minimal:
            for joint in model.joints.values():
                if joint.in_tree:
                    components = joint.components[: joint.rates.stop - joint.rates.start]
                    self._limits[joint.rates] = joint.limits[list(components)]
                    self._friction[joint.rates] = joint.friction[list(components)]
        self._user = UserRows(model, system, potentials=False)
        self._bearings = Bearings(model, system, 0 if minimal else model.n_bodies)
        self._slip: Floats | None = state.memory.get("slip")

    def advance(self, n_steps: int) -> tuple[int, float]:
        spent, worst = 0, 0.0
        for done in range(n_steps):
            try:
                count, gap = self._step()
            except QuadraticFailure as failure:
                raise StepFailure(str(failure), "the mechanism", done) from None
            if not (np.isfinite(self._q).all() and np.isfinite(self._v).all()):
                reason = "a force, position or velocity is not a finite number; check controllers, or try a smaller dt"
                raise StepFailure(reason, "the mechanism", done)
            spent, worst = spent + count, max(worst, gap)
        return spent, worst

    def _step(self) -> tuple[int, float]:
        system, method, h = self._system, self._options, self._h
        at = self._equations.tree
        present = self._poses()
        free = self._free_velocity(present)
        self._place_user()
        inverse_rows, columns, inner = self._loop_products()
        closing = np.zeros(len(inverse_rows))
        if inverse_rows.size:
            wanted = -method.gain * self._gaps() / h if method.stabilisation == "baumgarte" else 0.0
            closing = inner @ (wanted - inverse_rows @ free)
            free += columns.T @ closing
        rows = joint_rows(system, self._limits, self._friction, self._q, h, method.gain)
        may = self._user.inequality
        if may.any():
            rows = joined(self._user_rows(), rows)
        if self._model.contacts:
            reach = MARGIN + 2.0 * h * float(np.linalg.norm(present.velocity, axis=1).max())
            points = contacts_at(self._model, present, within=reach)
            rows = joined(contact_rows(self._model, system, at, free, points, h, method.gain), rows)
        if self._bearings:
            rows = joined(rows, self._bearings.rows(at))
        count = 1
        if rows.least.size or rows.share.size:
            inverse = np.eye(system.n_v)
            for row in inverse:
                inverse_mass_times(system, at, self._inverse, row, row)
            inverse -= columns.T @ (inner @ columns)
            carried = None
            if self._bearings:
                carried = partial(self._carried, rows, free.copy(), inverse, _Closing(closing, columns, inner))
            impulses = find_impulses(
                rows, inverse, free, method.friction, method.qp, method.tol, method.max_projections, self._slip, carried
            )
            free += inverse @ (rows.push.T @ impulses.push + rows.slip.T @ impulses.slip)
            self._slip, count = impulses.slip, impulses.projections
        self._v = free
        advance_coordinates(system, self._v, h, self._q)
        place_tree(system, at, self._q)
        if inverse_rows.size:
            evaluate_loops(system, at, self._equations.loops)
            self._user.place(at, self._q)
            if method.stabilisation == "post":
                self._correct()
        return count, max(float(largest_gap(self._equations.loops)[0]), self._user.open_by())

    def _carried(
        self, rows: ImpulseRows, v: Floats, inverse: Floats, loops: _Closing, alpha: Floats, beta: Floats
    ) -> Floats:
        """How far what joints carry bounds each slip where these impulses act on the velocity v (P = ``inverse``)."""
        system, equations, loads, h = self._system, self._equations, self._loads, self._h
        impulse = rows.push.T @ alpha + rows.slip.T @ beta
        closing = loops.impulse - loops.inner @ (loops.columns @ impulse)
        acting = np.tensordot(alpha, rows.push_on, 1) + np.tensordot(beta, rows.slip_on, 1)
        kept, r = loads.external.copy(), self._equations.loops.row_joint.size
        loads.external[:] += in_body_axes(equations.tree, acting) / h
        if self._user.count:
            user = np.zeros(self._user.count)
            user[~self._user.inequality] = closing[r:]
            loads.external[:] += self._user.loads(user)[0] / h
        acceleration = (v + inverse @ impulse - self._v) / h
        evaluate_equations(
            system, equations, loads, self._q, self._v, acceleration, closing[:r] / h, np.zeros(system.n_v)
        )
        loads.external[:] = kept
        bounds = np.zeros(beta.size)
        found = self._bearings.bounds(equations.tree, equations.loops)
        bounds[beta.size - found.size :] = h * found
        return bounds

    def _free_velocity(self, present: State) -> Floats:
        system, equations, loads = self._system, self._equations, self._loads
        loads.external[:] = self._applied
        if self._model.potentials:
            position, orientation, _, _ = present.with_world()
            loads.external[:] += potential_wrenches(self._model, position, orientation)
        self._refresh_laws()
        demand = np.zeros(system.n_v)
        evaluate_equations(system, equations, loads, self._q, self._v, self._still, self._no_forces, demand)
        factor_inverse_mass(system, equations.tree, self._inverse)
        inverse_mass_times(system, equations.tree, self._inverse, demand, demand)
        return self._v - self._h * demand

    def _refresh_laws(self) -> None:
        at = self._equations.tree
        place_tree(self._system, at, self._q)
        move_tree(self._system, at, self._v, self._still)
        self._laws.refresh(at.position, at.orientation, at.twist)

    def _loop_products(self) -> tuple[Floats, Floats, Floats]:
        """(G, rows of M⁻¹ Gᵀ, (G M⁻¹ Gᵀ)⁺) of the loops, rows scaled as in `dalembert.integrators.implicit.saddle`."""
        system, loops, at = self._system, self._equations.loops, self._equations.tree
        fill_rows(system, at, loops)
        equal = ~self._user.inequality
        rows = np.vstack([loops.rows, self._user.rows[equal]])
        columns = rows.copy()
        for row in columns:
            inverse_mass_times(system, at, self._inverse, row, row)
        size = np.concatenate([loops.size, self._user.size[equal]])
        scale = np.where(size > 0.0, size, 1.0)
        schur = (rows @ columns.T) / np.outer(scale, scale)
        inner = np.linalg.pinv(schur, rcond=DEPENDENT, hermitian=True) / np.outer(scale, scale)
        return rows, columns, inner

    def _gaps(self) -> Floats:
        loops, user = self._equations.loops, self._user
        return np.concatenate([loops.value[loops.row_joint, loops.row_component], user.value[~user.inequality]])

    def _user_rows(self) -> ImpulseRows:
        """Inequalities of the user's."""
        user, at = self._user, self._equations.tree
        may = np.flatnonzero(user.inequality)
        on = [in_world_axes(at, user.loads(np.eye(user.count)[i])[0]) for i in may]
        rows = push_rows(user.rows[may], user.value[may], self._h, self._gain)
        return rows._replace(push_on=np.array(on).reshape(-1, *at.twist.shape))

    def _place_user(self) -> None:
        if self._user.count:
            self._user.place(self._equations.tree, self._q)
            self._user.form()

    def _correct(self) -> None:
        system, at = self._system, self._equations.tree
        for _ in range(POST_ITERATIONS):
            factor_inverse_mass(system, at, self._inverse)
            self._place_user()
            _, columns, inner = self._loop_products()
            advance_coordinates(system, -columns.T @ (inner @ self._gaps()), 1.0, self._q)
            place_tree(system, at, self._q)
            evaluate_loops(system, at, self._equations.loops)
            self._user.place(at, self._q)

    def control(self, joint_force: Floats, external: Floats) -> None:
        self._loads.joint_force[self._first_drive :] = joint_force
        self._applied[:] = external

    def write(self, record: Record, row: int) -> None:
        state = self._poses()
        record.position[row], record.orientation[row] = state.position, state.orientation
        record.velocity[row], record.angular_velocity[row] = state.velocity, state.angular_velocity
        record.coordinates[row] = state.coordinates

    def state(self) -> State:
        return replace(self._poses(), memory={} if self._slip is None else {"slip": self._slip.copy()})

    def _poses(self) -> State:
        """The present instant; unwraps the coordinates of joints."""
        system, whole = self._system, self._model.system
        position, orientation, velocity, angular_velocity = with_world(self._model.n_bodies)
        place_bodies(system, self._q, position, orientation)
        move_bodies(system, self._q, self._v, position, orientation, velocity, angular_velocity)
        joint_coordinates(whole, position, orientation, self._coordinates, self._coordinates)
        rates = np.zeros(int(whole.n_rates.sum()))
        joint_rates(whole, position, orientation, velocity, angular_velocity, rates)
        if self._minimal:
            self._coordinates[: whole.n_q], rates[: whole.n_v] = self._q, self._v
        return State(
            position[:-1], orientation[:-1], velocity[:-1], angular_velocity[:-1], self._coordinates.copy(), rates
        )
