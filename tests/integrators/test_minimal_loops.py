"""`MinimalVI` on mechanisms with closed loops, rods, gears and point springs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo

CASES: dict[str, Any] = {
    "loops": lambda: zoo.random_loops(6, 2, 3),
    "loops, all": lambda: zoo.random_loops(6, 2, 3, damping=0.5, armature=0.1, stiffness=30.0, rest=0.1),
    "redundant loops": lambda: zoo.four_bar_chain(2),
    "overconstrained": zoo.bricard,
    "slider crank": zoo.slider_crank,
}


def start(model: da.Model, case: str) -> da.State:
    return zoo.random_state(model, 3) if case.startswith("loops") else model.state()


def end(model: da.Model, state: da.State, steps: int, duration: float, integrator: da.Integrator) -> da.Trajectory:
    return da.simulate(model, state, duration=duration, dt=duration / steps, every=steps, integrator=integrator)


@pytest.mark.parametrize("root", ["riqn", "broyden"])
@pytest.mark.parametrize("case", CASES)
def test_all_methods_find_the_same_root(case: str, root: Any) -> None:
    model = CASES[case]()
    state = start(model, case)
    runs = [end(model, state, 10, 0.02, da.MinimalVI(tol=1e-13, root=kind)) for kind in ("exact", root)]
    np.testing.assert_allclose(runs[1].position[-1], runs[0].position[-1], rtol=0, atol=1e-11)


@pytest.mark.parametrize("case", CASES)
def test_second_order_closed_loops_and_the_limit_of_the_maximal_integrator(case: str) -> None:
    model = CASES[case]()
    state = start(model, case)
    steps, duration = 64, 0.4
    limits = []
    for kind in (da.MinimalVI, da.MaximalVI):
        runs = [end(model, state, n * steps, duration, kind(tol=1e-12)) for n in (1, 2, 4)]
        for rows in ("position", "velocity"):
            coarse, middle, fine = (getattr(run, rows)[-1] for run in runs)
            assert abs(np.log2(np.linalg.norm(coarse - middle) / np.linalg.norm(middle - fine)) - 2.0) <= 0.1
        assert max(run.constraint_error.max() for run in runs) <= 1e-10
        coarse, middle, fine = (run.position[-1] for run in runs)
        once, twice = (4.0 * middle - coarse) / 3.0, (4.0 * fine - middle) / 3.0
        limits.append((16.0 * twice - once) / 15.0)
    # the sixth-order rest of the extrapolations
    np.testing.assert_allclose(limits[0], limits[1], rtol=0, atol=1e-7)


@pytest.mark.parametrize("options", [{}, {"stiffness": 5.0, "damping": 0.2, "rest": 0.1, "armature": 0.05}])
def test_free_loops_keep_their_momentum(options: dict[str, Any]) -> None:
    model = zoo.random_loops(8, 3, 2, floating_base=True, gravity=0.0, **options)
    run = da.simulate(
        model, zoo.random_state(model, 2), duration=5.0, dt=0.01, every=10, integrator=da.MinimalVI(tol=1e-13)
    )
    np.testing.assert_allclose(run.linear_momentum, run.linear_momentum[[0] * len(run)], rtol=0, atol=1e-10)
    np.testing.assert_allclose(run.angular_momentum, run.angular_momentum[[0] * len(run)], rtol=0, atol=1e-10)


def test_reactions_are_those_of_the_maximal_integrator_as_the_step_vanishes() -> None:
    model = zoo.random_loops(6, 2, 3)
    state = zoo.random_state(model, 3)
    gaps = []
    for dt in (2e-3, 1e-3):
        runs = [
            da.simulate(model, state, duration=0.1, dt=dt, integrator=kind(tol=1e-13))
            for kind in (da.MinimalVI, da.MaximalVI)
        ]
        every = round(2e-3 / dt)
        gaps.append(np.abs(runs[0].record.multiplier - runs[1].record.multiplier)[2 * every : -2 * every : every].max())
    assert abs(np.log2(gaps[0] / gaps[1]) - 2.0) <= 0.1


def test_a_resumed_run_has_the_same_bits() -> None:
    model = zoo.random_loops(6, 2, 3, damping=0.5, armature=0.1)
    state, integrator = zoo.random_state(model, 3), da.MinimalVI()
    whole = da.simulate(model, state, duration=0.3, dt=0.01, every=5, integrator=integrator)
    half = da.simulate(model, state, duration=0.15, dt=0.01, every=5, integrator=integrator)
    rest = da.simulate(model, half.final_state, duration=0.15, dt=0.01, every=5, integrator=integrator)
    np.testing.assert_array_equal(rest.position[-1], whole.position[-1])
    np.testing.assert_array_equal(rest.velocity[-1], whole.velocity[-1])


def test_dense_newton_refuses_loops() -> None:
    with pytest.raises(da.ModelError, match='root="exact"'):
        da.simulate(zoo.slider_crank(), duration=0.01, dt=0.01, integrator=da.MinimalVI(root="newton"))
