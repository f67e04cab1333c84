"""What a failed step says to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.integrators.base import StepFailure
from dalembert.integrators.maximal.knot import NO_CONVERGENCE, NO_DESCENT, NOT_FINITE, SINGULAR, TOO_FAST

if TYPE_CHECKING:
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.model.model import Model

REASONS = {
    NO_CONVERGENCE: "Newton's method did not converge in {limit} iterations; try a smaller dt",
    NO_DESCENT: "the equations of the step have no solution near its start; try a smaller dt",
    SINGULAR: "the Newton system is singular: this configuration leaves the motion undetermined",
    NOT_FINITE: "a force, position or velocity is not a finite number; check controllers and user potentials",
    TOO_FAST: "a body would turn by half a revolution or more in one step; use a smaller dt",
}


def step_failure(model: Model, method: MaximalVI, status: int, worst: int, done: int) -> StepFailure:
    """The failure of a step with ``status``; ``worst`` numbers the bodies and then the joints."""
    n = model.n_bodies
    if worst < 0:
        name = "the mechanism"
    elif worst < n:
        name = f'body "{list(model.bodies)[worst]}"'
    else:
        name = f'joint "{list(model.joints)[worst - n]}"'
    return StepFailure(REASONS[status].format(limit=method.max_iterations), name, done)
