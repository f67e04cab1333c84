"""Derivatives of a step by the state that it starts from and by the joints' forces, as users see states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.integrators.galerkin.linearize import StepMap, declared_motions, declared_rates, step_map
from dalembert.integrators.galerkin.memory import Knot, Outside, make_path
from dalembert.integrators.galerkin.motion import follow
from dalembert.integrators.galerkin.residual import evaluate
from dalembert.integrators.galerkin.rule import Rule
from dalembert.integrators.galerkin.second_derivatives import KNOT, MOMENTA, RATE, second_derivatives
from dalembert.integrators.galerkin.stepper import GalerkinStepper
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.integrators.galerkin.method import GalerkinVI
    from dalembert.model.model import Model
    from dalembert.model.state import State


@dataclass(frozen=True, eq=False)
class StepDerivatives:
    """x⁺ = A x + B u for small deviations x = (motion, rates) of the joints and u of their forces.

    A motion is like the minimal rates: metres, radians, and for a rotation about a point the rotation vector in the
    axes of the joint's child, p ← p · exp(δ).
    """

    A: Floats
    """(2 n_v, 2 n_v)"""
    B: Floats
    """(2 n_v, n_v)"""
    state: State
    """The end of the step."""
    canonical: StepMap
    """The same in the coordinates and momenta (q, p) that the integrator works in: a symplectic matrix where no damper
    acts and no joint turns freely."""


def step_derivatives(
    method: GalerkinVI, model: Model, state: State, dt: float, force: Floats, wrenches: Floats
) -> StepDerivatives:
    """Take a step and linearise it; see `GalerkinVI.linearize`."""
    if model.potentials:
        raise ModelError(
            f'GalerkinVI.linearize: the potential "{next(iter(model.potentials))}" is a Python function, of which only '
            "first derivatives are known; dalembert.linearize differentiates steps by differences"
        )
    stepper = method.start(model, state, dt)
    assert isinstance(stepper, GalerkinStepper)
    stepper.control(force, wrenches)
    _, plan, rule, options, knot, outside, path, *_ = stepper._arguments
    copies: Any = [array.copy() for array in knot]
    before = Knot(*copies)
    stepper.advance(1)
    gravity = (options.gx, options.gy, options.gz)
    path.delta[:] = knot.past
    follow(plan, rule, before, dt, path)
    evaluate(plan, rule, before, outside, gravity, dt, path)
    step = step_map(plan, rule, before, outside, gravity, dt, path)
    end = stepper.state()
    v = len(plan.law)
    entering = _canonical(plan, before, state.rates[:v], outside)
    leaving = _canonical(plan, knot, end.rates[:v], outside)
    both: Any = np.linalg.solve(leaving, np.hstack([step.state @ entering, step.force]))
    return StepDerivatives(both[:, : 2 * v], both[:, 2 * v :], end, step)


def _canonical(plan: Any, knot: Knot, rates: Floats, outside: Outside) -> Floats:
    """(2 ν, 2 ν) δ(q, p) of the nodes by (motion, rates) of the joints as declared, at a knot.

    The momenta of a step of one point, in which the rates are those of the knot.
    """
    dofs = len(plan.law)
    here = Rule(
        *(np.array(x) for x in ([0.0, 1.0], [1.0], [[1.0, 0.0]], [[-1.0, 1.0]], [-1.0, 1.0], [[1.0]])),
        turned=np.array([-1]),
        pushed=np.array([0]),
        n_turned=0,
        n_pushed=1,
    )
    path = make_path(plan, here)
    motions, turned = declared_motions(plan, knot.turn), declared_rates(plan, knot.turn, rates)
    path.delta[0] = motions @ rates
    none = Outside(np.zeros(dofs), np.zeros((1, *outside.wrench.shape[1:])))
    follow(plan, here, knot, 1.0, path)
    evaluate(plan, here, knot, none, (0.0, 0.0, 0.0), 1.0, path)
    second = second_derivatives(plan, here, knot, none, (0.0, 0.0, 0.0), 1.0, path)[0, MOMENTA]
    out = np.zeros((2 * dofs, 2 * dofs))
    out[:dofs, :dofs] = motions
    out[dofs:, :dofs] = second[KNOT] @ motions + second[RATE] @ turned
    out[dofs:, dofs:] = second[RATE] @ motions
    return out
