"""`MinimalVI` against published motions, and the one limit of all three variational integrators."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.convergence import converge
from oracles.published import FOUR_BAR, MODELICA_DOUBLE_PENDULUM, POINT_PENDULUM

import dalembert as da
from dalembert import zoo

METHOD = da.MinimalVI(tol=1e-13)


def test_a01_simple_pendulum() -> None:
    model = zoo.point_pendulum()
    start = model.state()

    def observe(run: da.Trajectory) -> np.ndarray:
        return run.body("bob").position[-1, :2]

    for time, published in POINT_PENDULUM.items():
        if time in (1.0, 5.0):
            found = converge(model, start, observe, duration=time, steps=round(400 * time), integrator=METHOD)
            assert found.order(published) == pytest.approx(2.0, abs=0.1)
            assert np.abs(found.limit - published).max() < 1e-9


def test_modelica_double_pendulum() -> None:
    """Angles and rates, with a damper, to the published digits."""

    def observe(run: da.Trajectory) -> list[float]:
        joints = [run.joint(name) for name in ("joint1", "joint2")]
        return [value for joint in joints for value in (joint.position[-1], joint.velocity[-1])]

    model = zoo.modelica_double_pendulum()
    found = converge(model, model.state(), observe, duration=3.0, steps=3000, integrator=METHOD)
    assert found.order(MODELICA_DOUBLE_PENDULUM) == pytest.approx(2.0, abs=0.1)
    assert np.abs(found.limit - MODELICA_DOUBLE_PENDULUM).max() < 3e-8


def test_a02_double_four_bar_with_its_loops() -> None:
    """Position and velocity of B0 after a second in which the mechanism has been flat."""
    model = zoo.n_four_bar(2)

    def observe(run: da.Trajectory) -> np.ndarray:
        crank = run.body("vertical0")
        return 2.0 * np.concatenate((crank.position[-1, :2], crank.velocity[-1, :2]))

    found = converge(model, zoo.n_four_bar_start(model), observe, duration=1.0, steps=200, integrator=METHOD)
    assert found.order(FOUR_BAR) == pytest.approx(2.0, abs=0.1)
    assert np.abs(found.limit - FOUR_BAR).max() < 1e-8
    assert found.constraint_error < 1e-12


@pytest.mark.parametrize("seed", range(2))
def test_maximal_minimal_and_galerkin_have_one_limit(seed: int) -> None:
    """On random trees of all joint kinds, with springs, dampers and rotors."""
    model = zoo.random_tree(14, seed, stiffness=5.0, damping=0.2, armature=0.05)
    state = zoo.random_state(model, seed)

    def observe(run: da.Trajectory) -> np.ndarray:
        return run.position[-1].ravel()

    fine = da.GalerkinVI(stages=5)
    limit = da.simulate(model, state, duration=0.2, dt=0.01, integrator=fine, every=20).position[-1].ravel()
    for method in (da.MaximalVI(tol=1e-13), METHOD):
        found = converge(model, state, observe, duration=0.2, steps=40, integrator=method)
        assert found.order(limit) == pytest.approx(2.0, abs=0.1)
        assert np.abs(found.limit - limit).max() < 1e-9
