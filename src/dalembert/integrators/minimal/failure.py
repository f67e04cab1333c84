"""What a failed step says to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.integrators.base import StepFailure
from dalembert.integrators.maximal.knot import NO_CONVERGENCE, NO_DESCENT, NOT_FINITE, SINGULAR, TOO_FAST

if TYPE_CHECKING:
    from dalembert.integrators.minimal.method import MinimalVI
    from dalembert.model.model import Model
    from dalembert.model.system import Floats

REASONS = {
    NO_CONVERGENCE: 'root finding by "{root}" did not converge in {limit} iterations; try {remedy}',
    NO_DESCENT: "the equations of the step have no solution near its start; try {remedy}",
    SINGULAR: "the equations of the step are singular: this configuration leaves the motion undetermined",
    NOT_FINITE: "a force, position or velocity is not a finite number; check controllers and user potentials",
    TOO_FAST: "a body turns too fast, by half a revolution or more in one step; use a smaller dt",
}

FASTEST = 2.0
"""Radians in a step at which a body that turns is taken to be the reason why the equations have no solution."""


def step_failure(model: Model, method: MinimalVI, status: int, worst: int, done: int, turns: Floats) -> StepFailure:
    """The failure of a step with ``status``; ``turns`` (n,): angular velocities at the last knot times the step."""
    if not np.isfinite(turns).all():
        status = NOT_FINITE
    elif status != SINGULAR and turns.max(initial=0.0) > FASTEST:
        status, worst = TOO_FAST, int(turns.argmax())
    remedy = "a smaller dt" if method.root in ("exact", "newton") else 'root="exact" or a smaller dt'
    name = f'body "{list(model.bodies)[worst]}"' if worst >= 0 else "the mechanism"
    reason = REASONS[status].format(limit=method.max_iterations, root=method.root, remedy=remedy)
    return StepFailure(reason, name, done)
