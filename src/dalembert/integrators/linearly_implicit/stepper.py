"""Steps of linearly implicit Euler on g(q, v, v̇, λ) = M v̇ + c − f − Gᵀ λ:

    A = M + h ∂g/∂v + h² ∂g/∂q,      A Δv = −h (g + h ∂g/∂q v) + Gᵀ λ,      G (v + Δv) = −γ c/h,      q⁺ = q ⊕ h v⁺,

with g and its derivatives at (q, v, v̇ = 0, λ = 0). [Sueda 2021] eq. (2.86), of all terms, c included. For springs and
dampers that are linear in q and v it is implicit Euler itself.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrators.staggered.stepper import DEPENDENT, StaggeredStepper
from dalembert.mechanics.kinematics_coordinates import advance_coordinates
from dalembert.mechanics.reduced_equations import differentiate_equations, evaluate_equations, largest_gap
from dalembert.mechanics.reduced_loops import evaluate_loops
from dalembert.mechanics.reduced_tree import place_tree


class LinearlyImplicitStepper(StaggeredStepper):
    """A run; placing, recording and control are those of `StaggeredStepper`."""

    def _step(self) -> tuple[int, float]:
        system, equations, loads, h = self._system, self._equations, self._loads, self._h
        loops, at = equations.loops, equations.tree
        self._poses()
        loads.external[:] = self._applied
        self._refresh_laws()
        g = np.zeros(system.n_v)
        evaluate_equations(system, equations, loads, self._q, self._v, self._still, self._no_forces, g)
        differentiate_equations(system, equations, loads, self._q)
        by_place, by_rate, mass = equations.derivatives
        matrix = mass + h * by_rate + h * h * by_place
        try:
            change = np.linalg.solve(matrix, -h * (g + h * (by_place @ self._v)))
            if loops.rows.size:
                columns = np.linalg.solve(matrix, loops.rows.T)
                scale = np.where(loops.size > 0.0, loops.size, 1.0)
                schur = (loops.rows @ columns) / np.outer(scale, scale)
                missing = -self._gain * self._gaps() / h - loops.rows @ (self._v + change)
                change += columns @ (np.linalg.lstsq(schur, missing / scale, rcond=DEPENDENT)[0] / scale)
        except np.linalg.LinAlgError:
            change = np.full(system.n_v, np.nan)
        self._v = self._v + change
        advance_coordinates(system, self._v, h, self._q)
        if not loops.rows.size:
            return 1, 0.0
        place_tree(system, at, self._q)
        evaluate_loops(system, at, loops)
        return 1, float(largest_gap(loops)[0])
