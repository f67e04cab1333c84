"""Stages of models with equations, inequalities or potentials written in Python: Newton's method step by step.

The equations are those of `dalembert.integrators.implicit.stage` with the rows of the user below those of loops,

    H δξ − Aᵀ δλ = −t² g,      A_e δξ = −c_e,      0 ≤ λ_i ⊥ c_i + A_i δξ ≥ 0,      λ times t².

Equations first, by S = A H⁻¹ Aᵀ as in `dalembert.integrators.implicit.saddle`: what they leave of the inequalities is

    0 ≤ λ ⊥ P λ + b ≥ 0,      P = S_ii − S_ie S_ee⁺ S_ei,

whose active rows the quadratic program min ½ λᵀ P λ + bᵀ λ over λ ≥ 0 finds with the symmetric part of P, which P is up
to terms of damping; they are then solved for with P itself. [Sueda 2021] eq. (2.112), dual and implicit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.errors import AssemblyError
from dalembert.integrators.implicit.newton import (
    CONVERGED,
    MAX_HALVINGS,
    NO_CONVERGENCE,
    NO_DESCENT,
    NOT_FINITE,
    ROUNDING,
    SINGULAR,
)
from dalembert.integrators.implicit.saddle import LARGEST, OPEN, REDUNDANT
from dalembert.integrators.implicit.stage import Stage, follow, form_hessian, form_rows
from dalembert.mechanics.reduced_equations import Loads, differentiate_equations, evaluate_equations
from dalembert.mechanics.reduced_tree import move_tree, place_tree
from dalembert.mechanics.spring_laws import SpringLaws
from dalembert.mechanics.user_rows import UserRows
from dalembert.solve.quadratic import QuadraticFailure, solve_quadratic

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.system import Floats, System

FITS = 1e-6
"""How far constraints of the user's may be missed at the start."""
SMALLEST = 1e-10
"""Added to the scaled diagonal of P, so that of many λ the smallest is found."""


class UserStage:
    """A stage with the rows of a model's user; `solve` does what `solve_stage` does without them."""

    def __init__(self, model: Model, system: System, stage: Stage, loads: Loads) -> None:
        self._laws = SpringLaws(model)
        self._system, self._stage, self._loads = system, stage, loads._replace(elements=self._laws.work)
        self.rows = UserRows(model, system)
        self.multiplier = np.zeros(self.rows.count)
        self.jumps = False
        """Whether an inequality began to push in the step before."""
        r = stage.multiplier.size
        self._may = np.concatenate([np.zeros(r, bool), self.rows.inequality])
        self._applied = loads.external.copy()

    def check_start(self, q: Floats) -> None:
        """Refuse a start that a step would have to leave by a jump."""
        place_tree(self._system, self._stage.equations.tree, q)
        self.rows.place(self._stage.equations.tree, q)
        missed = self.rows.missed()
        worst = int(np.argmax(missed)) if missed.size else -1
        if worst >= 0 and not missed[worst] <= FITS:
            raise AssemblyError(
                f"{self.rows.names[worst]} is {self.rows.value[worst]:.3g} at the start, expected "
                f"{'nothing negative' if self.rows.inequality[worst] else 'zero'}; choose positions that fit it",
                residual=float(missed[worst]),
                worst=self.rows.names[worst],
            )

    def load(self, external: Floats) -> None:
        """Wrenches from outside; those of the user's rows come on top."""
        self._applied[:] = external

    def solve(self, t: float, tolerance: float, limit: int) -> tuple[int, int, int]:
        """(status, iterations, row of the worst residual)."""
        stage = self._stage
        start, kept = stage.offset + t * stage.carried, np.concatenate([stage.multiplier, self.multiplier])
        stage.displacement[:] = start
        merit = found = self._evaluate(t)
        if not merit < np.inf:
            return NOT_FINITE, 0, self._worst()
        for iteration in range(1, limit + 1):
            try:
                step, forces, gap = self._aim(t)
            except (np.linalg.LinAlgError, QuadraticFailure):
                return SINGULAR, iteration, self._worst()
            if iteration == 1:
                # weights are those of the first matrix; the merit before had none
                merit = self._merit(t)
            length = float(np.abs(step).max(initial=0.0)) / t / (1.0 + float(np.abs(stage.v).max(initial=0.0)))
            start, kept, share, done = stage.displacement.copy(), self._forces(), 1.0, False
            for halving in range(MAX_HALVINGS + 1):
                stage.displacement[:] = start + share * step
                self._set_forces(kept + share * (forces - kept))
                found = self._evaluate(t)
                rounded = halving == 0 and length <= ROUNDING * tolerance and found < np.inf
                if found <= (1.0 - 1e-4 * share) * merit or rounded:
                    done = True
                    break
                share *= 0.5
            if not done:
                # a row that starts to act may hide every descent: see `solve_stage`
                stage.displacement[:] = start + step
                self._set_forces(forces)
                found = self._evaluate(t)
                if not found < np.inf:
                    return NO_DESCENT, iteration, self._worst()
            merit = found
            if done and share == 1.0 and length <= tolerance and gap <= tolerance:
                return CONVERGED, iteration, -1
        return NO_CONVERGENCE, limit, self._worst()

    def hits(self, before: Floats) -> bool:
        """Whether an inequality pushes that did not with the multipliers ``before``."""
        return bool(((self.multiplier > 0.0) & (before <= 0.0))[self.rows.inequality].any())

    def _forces(self) -> Floats:
        return np.concatenate([self._stage.multiplier, self.multiplier])

    def _set_forces(self, forces: Floats) -> None:
        r = self._stage.multiplier.size
        self._stage.multiplier[:], self.multiplier[:] = forces[:r], forces[r:]

    def _evaluate(self, t: float) -> float:
        """Residuals and constraints at the displacement; the merit, see `dalembert.integrators.implicit.newton`."""
        system, stage, loads = self._system, self._stage, self._loads
        follow(system, stage, t)
        tree = stage.equations.tree
        place_tree(system, tree, stage.q)
        self.rows.place(tree, stage.q)
        wrenches, forces = self.rows.loads(self.multiplier)
        loads.external[:] = self._applied + wrenches
        move_tree(system, tree, stage.v, stage.acceleration)
        self._laws.refresh(tree.position, tree.orientation, tree.twist)
        g = stage.residual
        evaluate_equations(system, stage.equations, loads, stage.q, stage.v, stage.acceleration, stage.multiplier, g)
        g -= forces
        g *= t * t
        return self._merit(t)

    def _merit(self, t: float) -> float:
        weight, gap = self._stage.weight, self._gaps()
        mass = float(np.sum(1.0 / weight[weight > 0.0]))
        # an inequality is missed by how far it is negative, or by how far apart it is though it pushes
        apart = np.minimum(gap, self._forces() * self._lengths() ** 2 * t * t)
        missed = np.where(self._may, np.where(gap < 0.0, gap, apart), gap)
        merit = float(self._stage.residual**2 @ weight + mass / weight.size * (missed @ missed))
        return merit if np.isfinite(merit) else np.inf

    def _lengths(self) -> Floats:
        return np.concatenate([self._stage.equations.loops.size, self.rows.size])

    def _gaps(self) -> Floats:
        loops = self._stage.equations.loops
        return np.concatenate([loops.value[loops.row_joint, loops.row_component], self.rows.value])

    def _aim(self, t: float) -> tuple[Floats, Floats, float]:
        """(δξ, new multipliers, how far equations are open and inequalities negative here)."""
        system, stage = self._system, self._stage
        differentiate_equations(system, stage.equations, self._loads, stage.q)
        derivatives = stage.equations.derivatives
        derivatives.by_place[:] -= self.rows.stiffness(self.multiplier)
        form_hessian(system, stage, t)
        form_rows(system, stage)
        self.rows.form()
        self.rows.scale(derivatives.mass)
        stage.weight[:] = 1.0 / np.diag(derivatives.mass)
        turned = self.rows.rows.copy()
        for s, k in enumerate(stage.turn_start.tolist()):
            turned[:, k : k + 3] = self.rows.rows[:, k : k + 3] @ stage.turn[s]
        along = np.vstack([stage.rows, turned])
        across = np.vstack([stage.equations.loops.rows, self.rows.rows])
        columns = np.linalg.solve(stage.hessian, np.column_stack([-stage.residual, across.T]))
        free, columns = columns[:, 0], columns[:, 1:]
        size, gap, forces = self._lengths(), self._gaps(), self._forces()
        size[size == 0.0] = 1.0
        matrix = (along @ columns) / np.outer(size, size)
        # with λ absolute: c + A (free − columns λ_old t²) + S λ t²
        free = free - columns @ forces * (t * t)
        wanted = (gap + along @ free) / size
        share, may = np.zeros(size.size), self._may
        equal = ~may
        opened = float(np.abs(gap[equal]).max(initial=0.0))
        cut = max(REDUNDANT, min((OPEN * opened) ** 2, LARGEST))
        inverse = np.linalg.pinv(matrix[np.ix_(equal, equal)], rcond=cut)
        if may.any():
            between = matrix[np.ix_(may, equal)] @ inverse
            left = matrix[np.ix_(may, may)] - between @ matrix[np.ix_(equal, may)]
            share[may] = push(left, wanted[may] - between @ wanted[equal])
        share[equal] = -inverse @ (wanted[equal] + matrix[np.ix_(equal, may)] @ share[may])
        negative = float(np.maximum(-gap[may], 0.0).max(initial=0.0))
        found = share / size
        return free + columns @ found, found / (t * t), max(opened, negative)

    def _worst(self) -> int:
        return int(np.argmax(np.abs(self._stage.residual))) if self._stage.residual.size else -1


def push(matrix: Floats, vector: Floats) -> Floats:
    """x with 0 ≤ x ⊥ P x + b ≥ 0 for P nearly symmetric."""
    k = vector.size
    if (vector >= 0.0).all():
        return np.zeros(k)
    scale = np.sqrt(np.maximum(np.diag(matrix), 1e-30))
    scaled, linear = matrix / np.outer(scale, scale), vector / scale
    unit = float(np.abs(linear).max())
    even = 0.5 * (scaled + scaled.T) + SMALLEST * np.eye(k)
    guess = solve_quadratic(even, linear / unit, np.eye(k), np.zeros(k), np.full(k, np.inf)).x
    active = guess > 1e-9 * max(1.0, float(guess.max()))
    out = np.zeros(k)
    out[active] = np.linalg.lstsq(scaled[np.ix_(active, active)], -linear[active], rcond=REDUNDANT)[0]
    return np.where(out >= 0.0, out, np.maximum(guess, 0.0) * unit) / scale
