"""The trials of the Galerkin integrator by lanes: their equations, the mass matrices they invert, and their steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from integrators.galerkin_trial import Trial, make_trial

import dalembert as da
from dalembert import zoo
from dalembert._jit import kernel
from dalembert._lanes import WIDTH, table
from dalembert.integrators.galerkin.memory import RATE as PATH_RATE
from dalembert.integrators.galerkin.memory import VALUE
from dalembert.integrators.galerkin.point_frames import cosine_and_sine
from dalembert.integrators.galerkin.point_masses import factor_masses
from dalembert.integrators.galerkin.point_sweeps import inwards, outwards, prepare_links
from dalembert.integrators.galerkin.points import ANSWER, MOMENTUM, OFFSET, PUSH, RATE, Points, make_points
from dalembert.integrators.galerkin.second_derivatives import MOMENTA, second_derivatives
from dalembert.integrators.galerkin.second_derivatives import RATE as BY_RATE
from dalembert.integrators.galerkin.stepper import GalerkinStepper

SCALAR = ("Prismatic", "Revolute", "Cylindrical", "Planar", "Universal", "Screw", "PlanarFixedOrientation", "Fixed")
RULES = [(3, "lobatto"), (7, "lobatto"), (4, "gauss"), (8, "gauss")]


@kernel
def evaluate_points(plan, knot, outside, gravity, h, points):
    """The equations of the offsets and rates at hand, and the way inwards to the first increment."""
    row, dof, tables = table(points.row), table(points.dof), table(points.matrix)
    prepare_links(plan, knot, outside, gravity, points)
    outwards(points, row, dof, tables, h, 1.0, False)
    factor_masses(plan, points, row)
    inwards(plan, knot, outside.joint_force, points, row, dof, tables, h, True)


@kernel
def increment_points(points, h):
    """The way outwards."""
    outwards(points, table(points.row), table(points.dof), table(points.matrix), h, 1.0, True)


@kernel
def turn_points(numbers):
    """Rows 1 and 2: cosines and sines of row 0."""
    t = table(numbers)
    t[1, 0], t[2, 0] = cosine_and_sine(t[0, 0])


def trial_with_loads(seed: int, stages: int, quadrature: str) -> tuple[Trial, Points]:
    """A random tree with springs, dampers and rotors under forces and wrenches, well away from its knot."""
    model = zoo.random_tree(14, seed, SCALAR, stiffness=3.0, damping=0.2, armature=0.1)
    trial = make_trial(model, zoo.random_state(model, seed), stages, quadrature, 0.1)
    random = np.random.default_rng(seed)
    trial.outside.joint_force[:] = random.normal(size=model.system.n_v)
    trial.outside.wrench[:, :-1] = random.normal(size=(model.n_bodies, 6))
    trial.knot.momentum[:] = random.normal(size=model.system.n_v)
    trial.rows(0.2 * random.normal(size=(stages, model.system.n_v)))
    points, r = make_points(trial.plan, trial.rule), len(trial.rule.weight)
    assert points.usable
    points.dof[:, OFFSET, :r] = trial.path.dof[:, :, VALUE] - trial.knot.start[:, None]
    points.dof[:, RATE, :r] = trial.path.dof[:, :, PATH_RATE]
    evaluate_points(trial.plan, trial.knot, trial.outside, tuple(model.system.gravity), trial.h, points)
    return trial, points


@pytest.mark.parametrize(("stages", "quadrature"), RULES)
@pytest.mark.parametrize("seed", range(2))
def test_the_equations_are_those_of_the_scalar_sweeps(seed: int, stages: int, quadrature: str) -> None:
    trial, points = trial_with_loads(seed, stages, quadrature)
    rule, r = trial.rule, len(trial.rule.weight)
    push, momentum = points.dof[:, PUSH, :r].T, points.dof[:, MOMENTUM, :r].T
    rows = rule.phi.T @ push + rule.slope.T @ (rule.weight[:, None] * momentum)
    rows[0] += trial.knot.momentum
    scale = np.abs(trial.path.residual).max()
    assert np.abs(rows[:-1] - trial.path.residual).max() < 1e-13 * scale
    assert np.abs(rows[-1] - trial.path.ending).max() < 1e-13 * scale
    # lanes without a point stand still
    assert not points.dof[:, PUSH, r:].any()


@pytest.mark.parametrize(("stages", "quadrature"), RULES)
@pytest.mark.parametrize("seed", range(2))
def test_an_increment_has_the_mass_matrix_of_every_point(seed: int, stages: int, quadrature: str) -> None:
    """Against the second derivatives of the kinetic energy by the rates there."""
    trial, points = trial_with_loads(seed, stages, quadrature)
    rule, s, r = trial.rule, stages, len(trial.rule.weight)
    gravity = tuple(trial.model.system.gravity)
    second = second_derivatives(trial.plan, rule, trial.knot, trial.outside, gravity, trial.h, trial.path)
    first, last, w = rule.slope[:, :s], rule.slope[:, 1:], np.diag(rule.weight)
    side = -first @ np.linalg.solve(first.T @ w @ first, trial.path.residual)
    change = np.array([np.linalg.solve(second[a, MOMENTA, BY_RATE] / rule.weight[a], side[a]) for a in range(r)])
    before = points.dof.copy()
    increment_points(points, trial.h)
    assert np.abs(points.dof[:, ANSWER, :r].T - change).max() < 1e-9 * np.abs(change).max()
    delta = trial.h * np.linalg.solve(last.T @ w @ last, last.T @ w @ change)
    moved = (points.dof - before)[:, :, :r]
    assert np.abs(moved[:, OFFSET].T - rule.phi[:, 1:] @ delta).max() < 1e-9 * np.abs(delta).max()
    assert np.abs(moved[:, RATE].T - last @ delta / trial.h).max() < 1e-9 * np.abs(change).max()


@pytest.mark.parametrize(("stages", "quadrature"), RULES)
def test_they_find_the_steps_that_newtons_method_finds(stages: int, quadrature: Any) -> None:
    model = zoo.random_tree(14, 1, SCALAR, stiffness=3.0, damping=0.2, armature=0.1)
    method, ends = da.GalerkinVI(stages=stages, quadrature=quadrature, tol=1e-13), []
    for patience in (0, 1000):
        stepper = method.start(model, zoo.random_state(model, 1), 0.02)
        assert isinstance(stepper, GalerkinStepper)
        stepper._knot.patience[0] = patience
        stepper.advance(20)
        ends.append(stepper.state())
        # none of the steps had to be Newton's where cheap increments were allowed
        assert stepper._knot.patience[0] == max(patience - 20, 0)
    assert np.abs(ends[0].position - ends[1].position).max() < 1e-11
    assert np.abs(ends[0].rates - ends[1].rates).max() < 1e-9


def test_more_points_than_lanes_and_balls_are_left_to_the_scalar_sweeps() -> None:
    chain, balls = zoo.pendulum(2), zoo.pendulum(2, da.Spherical())
    for model, stages, usable in ((chain, 7, True), (chain, 8, False), (balls, 2, False)):
        stepper = da.GalerkinVI(stages=stages).start(model, zoo.pendulum_start(model, 1.0), 0.01)
        assert isinstance(stepper, GalerkinStepper)
        assert make_points(stepper._plan, stepper._arguments[2]).usable == usable
        stepper.advance(1)
        assert stepper._knot.patience[0] == 0


@pytest.mark.parametrize(("largest", "tolerance"), [(1.0, 4.5e-16), (2.0, 1e-15)])
def test_cosines_and_sines_are_those_of_the_library(largest: float, tolerance: float) -> None:
    """The half angle's sine is rounded to 2e-16 at most; cos x = 1 − 2 sin² x/2 multiplies that by 4 sin x/2."""
    for angles in np.linspace(-largest, largest, 125 * WIDTH).reshape(-1, WIDTH):
        numbers = np.zeros((3, 1, WIDTH))
        numbers[0, 0] = angles
        turn_points(numbers)
        assert np.abs(numbers[1, 0] - np.cos(angles)).max() < tolerance
        assert np.abs(numbers[2, 0] - np.sin(angles)).max() < tolerance
