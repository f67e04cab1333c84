"""Gradients of runs, as users ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dalembert.adjoint.objectives.base import ObjectiveFunction
from dalembert.adjoint.parameters.base import Parameter
from dalembert.adjoint.problem import Evaluation, Problem
from dalembert.integrators.base import Integrator
from dalembert.integrators.bdf2.method import BDF2

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State


def gradient(
    model: Model,
    state: State | None,
    objective: ObjectiveFunction,
    parameters: Sequence[Parameter],
    *,
    duration: float,
    dt: float,
    integrator: Integrator | None = None,
    values: Mapping[Any, Any] | None = None,
    hold: Sequence[str] = (),
) -> Evaluation:
    """Run a model and differentiate an objective of the run by parameters, exactly, by the adjoint method.

    The cost is that of the run and about half as much again, whatever the number of parameters.

    Args:
        model: the mechanism.
        state: where it starts; the reference configuration at rest if ``None``.
        objective: such as ``da.PointTarget("hand", (1, 0, 0)) + 0.1 * da.Effort()``, or any function
            ``objective(run, gradient)`` that returns a number and adds its derivatives by the run to ``gradient``, a
            `MotionGradient`.
        parameters: such as ``da.JointForce("elbow", knots=20)``, ``da.Mass("hand")``.
        duration: seconds; a whole number of steps.
        dt: step in seconds.
        integrator: ``BDF1()``, ``SDIRK2()`` or ``BDF2()``; the last if not given.
        values: of some parameters, instead of what stands in the model and the state (drives: nothing).
        hold: joints that keep their coordinates and rates where loops are closed anew at the start, because lengths or
            the initial state of other joints are parameters; else those keep them on which the loops depend least.

    Returns:
        An `Evaluation`: ``value``, ``gradient[parameter]``, ``values[parameter]``, ``run``.
    """
    method = BDF2() if integrator is None else integrator
    problem = Problem(model, state, objective, parameters, duration=duration, dt=dt, integrator=method, hold=hold)
    return problem.evaluate(values)
