"""Steps in hyper-reduced coordinates: the stages of BDF1, SDIRK2 and BDF2."""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert.integrators.hyper.stage import solve_hyper_stage
from dalembert.integrators.implicit.newton import CONVERGED
from dalembert.integrators.implicit.steps import finish_step, stages_of, start_stage


@kernel
def take_hyper_steps(system, stage, followers, hyper, knots, loads, method, h, tolerance, max_iterations, count):
    """Take steps; (status, complete steps, iterations, row of the worst residual)."""
    spent = 0
    for done in range(count):
        for part in range(stages_of(knots, method)):
            t = start_stage(stage, knots, method, part, h)
            status, iterations, row = solve_hyper_stage(
                system, stage, followers, hyper, loads, t, tolerance, max_iterations
            )
            spent += iterations
            if status != CONVERGED:
                return status, done, spent, row
        finish_step(system, stage, knots)
    return CONVERGED, count, spent, -1
