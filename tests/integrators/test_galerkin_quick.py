"""Cheap increments of the Galerkin integrator: the mass matrix they invert, and the steps that they find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from integrators.galerkin_trial import make_trial

import dalembert as da
from dalembert import zoo
from dalembert.integrators.galerkin.quick import factor_mass, make_quick, solve_mass
from dalembert.integrators.galerkin.second_derivatives import MOMENTA, RATE, second_derivatives
from dalembert.integrators.galerkin.stepper import GalerkinStepper

SCALAR = ("Prismatic", "Revolute", "Cylindrical", "Planar", "Universal", "Screw", "PlanarFixedOrientation")


@pytest.mark.parametrize(("kinds", "options"), [((), {}), (SCALAR, {"armature": 0.1})], ids=["all", "rotors"])
@pytest.mark.parametrize("seed", range(2))
def test_the_mass_matrix_is_solved_on_all_joint_kinds(seed: int, kinds: Any, options: dict[str, Any]) -> None:
    """Against the second derivatives of the kinetic energy by the rates at the same point.

    The rotors of balls are taken as they are at the knot, and are not compared.
    """
    model = zoo.random_tree(14, seed, kinds, **options) if kinds else zoo.random_tree(14, seed)
    trial = make_trial(model, zoo.random_state(model, seed), 2, "lobatto", 0.1)
    random = np.random.default_rng(seed)
    trial.rows(0.1 * random.normal(size=(2, model.system.n_v)))
    quick = make_quick(trial.plan, trial.rule)
    gravity = tuple(model.system.gravity)
    second = second_derivatives(trial.plan, trial.rule, trial.knot, trial.outside, gravity, trial.h, trial.path)
    mass = second[quick.middle, MOMENTA, RATE] / trial.rule.weight[quick.middle]
    side = random.normal(size=model.system.n_v)
    quick.side[:] = side
    factor_mass(trial.plan, trial.path, quick)
    solve_mass(trial.plan, trial.path, quick)
    assert np.abs(quick.side - np.linalg.solve(mass, side)).max() < 1e-9


@pytest.mark.parametrize(("stages", "quadrature"), [(1, "lobatto"), (3, "lobatto"), (2, "gauss")])
def test_they_find_the_steps_that_newtons_method_finds(stages: int, quadrature: Any) -> None:
    model = zoo.random_tree(14, 1, stiffness=3.0, damping=0.2, armature=0.1)
    method, ends = da.GalerkinVI(stages=stages, quadrature=quadrature, tol=1e-13), []
    for patience in (0, 1000):
        stepper = method.start(model, zoo.random_state(model, 1), 0.01)
        assert isinstance(stepper, GalerkinStepper)
        stepper._knot.patience[0] = patience
        stepper.advance(20)
        ends.append(stepper.state())
        # none of the steps had to be Newton's where cheap increments were allowed
        assert stepper._knot.patience[0] == max(patience - 20, 0)
    assert np.abs(ends[0].position - ends[1].position).max() < 1e-11
    assert np.abs(ends[0].rates - ends[1].rates).max() < 1e-9


@pytest.mark.parametrize("kind", ["Revolute", "Spherical"])
def test_stiff_springs_are_left_to_newtons_method(kind: str) -> None:
    """By lanes and, with balls, by the scalar sweeps: the step is the one that Newton's method finds without them."""
    model, ends = zoo.random_tree(3, 0, (kind,), stiffness=1e5), []
    for patience in (0, 1000):
        stepper = da.GalerkinVI(quadrature="gauss").start(model, zoo.random_state(model, 0), 0.05)
        assert isinstance(stepper, GalerkinStepper)
        stepper._knot.patience[0] = patience
        ends.append((stepper.advance(1)[0], stepper.state().position))
    assert ends[0][0] == ends[1][0]
    np.testing.assert_array_equal(ends[0][1], ends[1][1])
