"""Momentum of mechanisms that nothing outside holds: exact, whatever happens inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo

INSIDE: dict[str, dict[str, Any]] = {
    "bare": {},
    "springs and dampers": {"stiffness": 5.0, "damping": 0.2, "rest": 0.1},
    "rotors": {"stiffness": 5.0, "damping": 0.2, "armature": 0.05},
}
SOLVERS: tuple[Any, ...] = ("graph", "auto")


def simulate(model: da.Model, state: da.State, solver: Any) -> da.Trajectory:
    integrator = da.MaximalVI(tol=1e-12, linear_solver=solver)
    return da.simulate(model, state, duration=10.0, dt=0.01, every=10, integrator=integrator)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("inside", INSIDE)
@pytest.mark.parametrize("seed", [0, 1])
def test_free_trees_of_all_joint_kinds_keep_their_momentum(seed: int, inside: str, solver: Any) -> None:
    """A thousand steps: rounding of momenta of about ten, and what Newton's method leaves, add up to less."""
    model = zoo.random_tree(15, seed, floating_base=True, gravity=0.0, **INSIDE[inside])
    run = simulate(model, zoo.random_state(model, seed), solver)
    np.testing.assert_allclose(run.linear_momentum, run.linear_momentum[[0] * len(run)], rtol=0, atol=1e-10)
    np.testing.assert_allclose(run.angular_momentum, run.angular_momentum[[0] * len(run)], rtol=0, atol=1e-10)


@pytest.mark.parametrize("inside", INSIDE)
def test_free_loops_keep_their_momentum(inside: str) -> None:
    model = zoo.random_loops(8, 3, 2, floating_base=True, gravity=0.0, **INSIDE[inside])
    run = simulate(model, zoo.random_state(model, 2), "graph")
    np.testing.assert_allclose(run.linear_momentum, run.linear_momentum[[0] * len(run)], rtol=0, atol=1e-10)
    np.testing.assert_allclose(run.angular_momentum, run.angular_momentum[[0] * len(run)], rtol=0, atol=1e-10)


@pytest.mark.parametrize("solver", SOLVERS)
def test_under_gravity_momentum_grows_as_that_of_a_falling_stone(solver: Any) -> None:
    model = zoo.random_tree(15, 4, floating_base=True, **INSIDE["springs and dampers"])
    run = simulate(model, zoo.random_state(model, 4), solver)
    fall = model.system.mass.sum() * np.outer(run.time, model.system.gravity)
    # up to 2000 kg m/s: a hundred times the rounding of the test above
    np.testing.assert_allclose(run.linear_momentum - run.linear_momentum[0], fall, rtol=0, atol=1e-8)


def test_a_spinning_body_keeps_its_momentum_and_its_energy_band() -> None:
    model = zoo.tumbling_box()
    run = da.simulate(model, zoo.tumbling_box_start(model), duration=10.0, dt=0.01, integrator=da.MaximalVI(tol=1e-12))
    np.testing.assert_allclose(run.angular_momentum, run.angular_momentum[[0] * len(run)], rtol=0, atol=1e-11)
