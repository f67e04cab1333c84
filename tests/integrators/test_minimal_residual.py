"""The residual of a step and its Jacobian, computed in several ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.integrators.maximal.knot import Options
from dalembert.integrators.maximal.tree_knot import enter
from dalembert.integrators.maximal.tree_loop_sweep import reduce_all, spread_all
from dalembert.integrators.maximal.tree_motion import get_inertia
from dalembert.integrators.maximal.tree_plan import BODY, DOFS, INERTIA, MASS, NEWTON, RATE, TARGET
from dalembert.integrators.maximal.tree_step import keep_steps, start_steps, take_steps
from dalembert.integrators.minimal.discrete_body import body_momenta
from dalembert.integrators.minimal.drnea import move, residual
from dalembert.integrators.minimal.elimination import eliminate
from dalembert.integrators.minimal.increments import spread_at_knot
from dalembert.integrators.minimal.knot_elimination import eliminate_at_knot
from dalembert.integrators.minimal.newton import fill_jacobian
from dalembert.integrators.minimal.stepper import MinimalTreeStepper
from dalembert.integrators.minimal.svi import past_of, svi_residual
from dalembert.model.joints import JOINT_KINDS

H = 0.02


def stepper_of(model: da.Model, seed: int) -> MinimalTreeStepper:
    """After some steps, at a knot; the arrays of its tree hold the knot."""
    stepper = da.MinimalVI().start(model, zoo.random_state(model, seed), H)
    assert isinstance(stepper, MinimalTreeStepper)
    stepper.advance(3)
    return stepper


def scatter(stepper: MinimalTreeStepper, seed: int, spread_: float = 0.1) -> None:
    """Steps away from any root."""
    slot, row, dof, _ = stepper._arguments[1]
    start_steps(slot, row, dof, 1)
    move(slot, row, dof, H)
    dof[:, NEWTON] = np.random.default_rng(seed).uniform(-spread_, spread_, dof.shape[0])
    keep_steps(slot, row, dof)
    take_steps(slot, row, dof, 1.0)


def residual_of(stepper: MinimalTreeStepper) -> np.ndarray:
    slot, row, dof, _ = stepper._arguments[1]
    out = np.zeros(dof.shape[0])
    move(slot, row, dof, H)
    residual(slot, row, dof, out)
    return out


@pytest.mark.parametrize("seed", range(3))
def test_drnea_is_the_residual_in_generalised_coordinates(seed: int) -> None:
    model = zoo.random_tree(len(JOINT_KINDS), seed, gravity=0.0)
    stepper = stepper_of(model, seed)
    before = stepper.state()
    stepper.advance(1)
    after = stepper.state()
    slot, row, dof, _ = stepper._arguments[1]
    past = past_of(model.system, slot, before, after)
    for i in range(slot.shape[0] - 1):
        # the momentum that the interval before leaves, from the poses alone
        j = get_inertia(past.inertia, i, 0)
        linear, _, right = body_momenta(H, row[i, MASS], j, tuple(past.shift[i]), tuple(past.turn[i]))
        np.testing.assert_allclose(row[i, TARGET : TARGET + 6], np.concatenate([linear, right]), rtol=0, atol=1e-11)
        assert slot[i, BODY] >= 0 and row[i, INERTIA] > 0.0
    scatter(stepper, seed)
    found = residual_of(stepper)
    expected = np.zeros_like(found)
    move(slot, row, dof, H)
    svi_residual(slot, row, dof, H, past, expected)
    # residuals of about ten
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("options", [{}, {"stiffness": 5.0, "damping": 0.2, "rest": 0.1, "armature": 0.05}])
@pytest.mark.parametrize("seed", range(3))
def test_recursive_direction_is_that_of_the_dense_jacobian(seed: int, options: dict[str, Any]) -> None:
    model = zoo.random_tree(len(JOINT_KINDS) + 2, seed, **options)
    stepper = stepper_of(model, seed)
    slot, row, dof, _ = stepper._arguments[1]
    scatter(stepper, seed)
    f = residual_of(stepper)
    jacobian = np.zeros((f.size, f.size))
    move(slot, row, dof, H)
    fill_jacobian(slot, row, dof, H, jacobian)
    dense = -np.linalg.solve(jacobian, f)
    move(slot, row, dof, H)
    assert eliminate(slot, row, dof, H) == -1
    reduce_all(slot, row, dof, None)
    spread_all(slot, row, dof, None, 1.0)
    np.testing.assert_allclose(dof[:, NEWTON], dense, rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(2))
def test_dense_jacobian_is_the_derivative_of_the_residual(seed: int) -> None:
    model = zoo.random_tree(len(JOINT_KINDS), seed, stiffness=5.0, damping=0.2, armature=0.05)
    stepper = stepper_of(model, seed)
    slot, row, dof, _ = stepper._arguments[1]
    scatter(stepper, seed)
    size = dof.shape[0]
    jacobian = np.zeros((size, size))
    move(slot, row, dof, H)
    fill_jacobian(slot, row, dof, H, jacobian)
    eps = 1e-5
    start = dof.copy()
    for v in range(size):
        ends = []
        for sign in (eps, -eps):
            dof[:] = start
            move(slot, row, dof, H)
            dof[:, NEWTON] = 0.0
            dof[v, NEWTON] = sign
            keep_steps(slot, row, dof)
            take_steps(slot, row, dof, 1.0)
            ends.append(residual_of(stepper))
        # third derivatives, divided by the step of 0.02 s
        np.testing.assert_allclose((ends[0] - ends[1]) / (2.0 * eps), jacobian[:, v], rtol=0, atol=1e-6)


def test_riqn_is_the_mass_matrix_at_the_knot() -> None:
    kinds = ("Fixed", "Prismatic", "Revolute", "Cylindrical", "Planar", "Universal", "Screw", "PlanarFixedOrientation")
    model = zoo.random_tree(10, 1, kinds=kinds, armature=0.1)
    state = zoo.random_state(model, 1)
    stepper = da.MinimalVI(root="riqn").start(model, state, H)
    assert isinstance(stepper, MinimalTreeStepper)
    tree, knot = stepper._arguments[1], stepper._knot
    slot, row, dof, _ = tree
    enter(tree, Options(H, 1e-10, 1.0, 50, 20), knot)
    assert eliminate_at_knot(slot, row, dof, H) == -1
    start_steps(slot, row, dof, 0)
    f = residual_of(stepper)
    move(slot, row, dof, H)
    reduce_all(slot, row, dof, None)
    spread_at_knot(slot, row, dof, 1.0)
    order = np.concatenate([slot[i, RATE] + np.arange(slot[i, DOFS]) for i in range(slot.shape[0] - 1)])
    mass = model.mass_matrix(state)[np.ix_(order, order)]
    np.testing.assert_allclose(dof[:, NEWTON], -H * np.linalg.solve(mass, f), rtol=0, atol=1e-13)
