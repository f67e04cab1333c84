"""What a failed step says to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.integrators.base import StepFailure
from dalembert.integrators.maximal.knot import NO_CONVERGENCE, NO_DESCENT, NOT_FINITE, SINGULAR, TOO_FAST

if TYPE_CHECKING:
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.model.model import Model
    from dalembert.model.system import Floats

REASONS = {
    NO_CONVERGENCE: "Newton's method did not converge in {limit} iterations; try a smaller dt",
    NO_DESCENT: "the equations of the step have no solution near its start; try a smaller dt",
    SINGULAR: "the Newton system is singular: this configuration leaves the motion undetermined",
    NOT_FINITE: "a force, position or velocity is not a finite number; check controllers and user potentials",
    TOO_FAST: "a body turns too fast, by a quarter of a revolution or more in one step; use a smaller dt",
}

FASTEST = 0.9
"""Radians in a step at which a body that turns is taken to be the reason why the equations have no solution.

The momentum of a turn by the angle α in a step is J sin(α)/h: up to a quarter of a revolution it determines the turn,
and beyond J/h there is none that has it.
"""


def step_failure(model: Model, method: MaximalVI, status: int, worst: int, done: int, turns: Floats) -> StepFailure:
    """The failure of a step with ``status``; ``worst`` numbers the bodies and then the joints.

    ``turns`` (n,) are the angular velocities at the last knot times the step.
    """
    if not np.isfinite(turns).all():
        status = NOT_FINITE
    elif status != SINGULAR and turns.max(initial=0.0) > FASTEST:
        status, worst = TOO_FAST, int(turns.argmax())
    n = model.n_bodies
    if worst < 0:
        name = "the mechanism"
    elif worst < n:
        name = f'body "{list(model.bodies)[worst]}"'
    else:
        name = f'joint "{list(model.joints)[worst - n]}"'
    return StepFailure(REASONS[status].format(limit=method.max_iterations), name, done)
