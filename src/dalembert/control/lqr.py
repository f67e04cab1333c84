"""The linear-quadratic regulator about a configuration, constrained mechanisms included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dalembert.compiled_controller import CompiledController
from dalembert.control.feedback_law import compiled_feedback, feedback_table
from dalembert.control.linearize import Linearization, linearize
from dalembert.errors import ModelError
from dalembert.integrators.base import Integrator
from dalembert.model.state import State
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.model.model import Model

AT_REST = 1e-9
"""How far one step may lead away from the configuration that the holding force is meant to keep, m, rad and rates
times the step."""
REFINEMENTS = 2


@dataclass(frozen=True, eq=False)
class LQR:
    """u = u₀ − K x, to be handed to ``simulate(controller=…)`` at the step that it was made for.

    It runs inside the compiled loop.
    """

    model: Model
    linear: Linearization
    gain: Floats
    """(m, 2 d)"""
    holding: Floats
    """(m,) u₀: what keeps the configuration, N or N m."""
    limit: float | None = None
    """Largest force, N or N m."""

    def __call__(self, time: float, state: State) -> Floats:
        """Forces on the rates of all joints."""
        return self.compiled(time, state)

    @cached_property
    def compiled(self) -> CompiledController:
        """The controller that runs inside the loop over steps."""
        linear, d = self.linear, self.linear.basis.shape[1]
        gain = np.hstack([self.gain[:, :d] @ linear.basis.T, self.gain[:, d:] @ linear.basis.T])
        limit = np.inf if self.limit is None else self.limit
        table = feedback_table(self.model, linear.state, linear.rates, self.holding, gain, limit)
        return CompiledController(self.model, compiled_feedback(), parameters=table)

    @property
    def closed_loop(self) -> Floats:
        """(2 d, 2 d) A − B K: the eigenvalues lie within the unit circle."""
        return self.linear.A - self.linear.B @ self.gain


def lqr(
    model: Model,
    state: State,
    *,
    dt: float,
    integrator: Integrator,
    joints: Sequence[str] | None = None,
    state_cost: float | Sequence[float] | Floats = 1.0,
    force_cost: float | Sequence[float] | Floats = 1.0,
    limit: float | None = None,
) -> LQR:
    """The regulator that minimises Σ xᵀQx + uᵀRu about a configuration at rest.

    Args:
        model: the mechanism.
        state: a configuration at rest that forces in ``joints`` can hold.
        dt: the step of the runs that it will be used in, s.
        integrator: such as ``MaximalVI(tol=1e-13)``.
        joints: those that are driven; all joints of the spanning tree if not given.
        state_cost: Q: a number, the diagonal or the matrix (2 d, 2 d), for motions and rates in the mechanism's degrees
            of freedom.
        force_cost: R likewise (m, m).
        limit: largest force, N or N m.
    """
    from scipy.linalg import solve_discrete_are

    linear = linearize(model, state, dt=dt, integrator=integrator, joints=joints)
    size, inputs = linear.B.shape
    q, r = _weight("state_cost", state_cost, size), _weight("force_cost", force_cost, inputs)
    holding = np.zeros(inputs)
    for _ in range(REFINEMENTS):
        # a step is not linear in large forces: those that hold are found by Newton's method
        holding -= np.linalg.lstsq(linear.B, linear.offset, rcond=None)[0]
        linear = linearize(model, state, dt=dt, integrator=integrator, joints=joints, force=holding)
    left_over = np.abs(linear.offset)
    left_over[size // 2 :] *= dt
    if np.abs(state.rates).max(initial=0.0) > 0.0 or left_over.max(initial=0.0) > AT_REST:
        raise ModelError(
            "state: expected a configuration at rest that forces in the driven joints can hold, found one that moves "
            f"by {left_over.max(initial=0.0):.3g} in a step; choose an equilibrium or drive other joints"
        )
    try:
        cost = solve_discrete_are(linear.A, linear.B, q, r)
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"joints: expected enough of them to control the mechanism, found that {', '.join(linear.joints)} cannot "
            "move everything that is unstable"
        ) from error
    gain = np.linalg.solve(r + linear.B.T @ cost @ linear.B, linear.B.T @ cost @ linear.A)
    return LQR(model, linear, gain, holding, limit)


def _weight(item: str, value: float | Sequence[float] | Floats, size: int) -> Floats:
    array = np.asarray(value, dtype=float)
    if array.ndim == 0:
        array = array * np.eye(size)
    elif array.shape == (size,):
        array = np.diag(array)
    if array.shape != (size, size) or not np.isfinite(array).all():
        raise ModelError(f"{item}: expected a number, {size} numbers or a matrix {size} × {size}, found {value!r}")
    return array
