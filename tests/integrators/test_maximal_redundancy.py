"""Loops with more constraints than they need, and configurations in which bars line up."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.mechanics.constraints import evaluate_constraints


def rows(run: da.Trajectory, k: int) -> np.ndarray:
    """(m, 6, 6 n) Jacobian of all locked components at a recorded instant, zero elsewhere."""
    system, n = run.model.system, run.model.n_bodies
    position, orientation, _, _ = run.state(k).with_world()
    value, edges = np.zeros((len(run.model.joints), 6)), np.zeros((len(system.incidence_body), 6, 6))
    evaluate_constraints(system, system.locked, run.record.coordinates[k], position, orientation, value, edges)
    out = np.zeros((len(run.model.joints), 6, n + 1, 6))
    for j in range(len(out)):
        for e in range(system.incidence_start[j], system.incidence_start[j + 1]):
            out[j, :, system.incidence_body[e]] += edges[e]
    return (out[:, :, :n] * system.locked[:, :, None, None]).reshape(len(out), 6, 6 * n)


@pytest.mark.parametrize(("name", "redundant"), [("four_bar_chain", 9), ("bricard", 1), ("n_four_bar", 6)])
def test_impulses_of_redundant_joints_have_least_norm(name: str, redundant: int) -> None:
    """Self-stresses do not move anything: the joints that close the loops carry none of them."""
    mechanism = zoo.ZOO[name]
    model = mechanism.build()
    state = mechanism.start(model)
    assert model.assemble(state).redundant == redundant
    run = da.simulate(model, state, duration=0.2, dt=0.01, integrator=da.MaximalVI())
    system = model.system
    for k in range(1, len(run) - 1):
        forces = run.record.multiplier[k]
        assert np.isfinite(forces).all()
        jacobian = rows(run, k)[system.locked == 1]
        _, sizes, right = np.linalg.svd(jacobian.T)
        stresses = right[np.sum(sizes > 1e-9 * sizes[0]) :]
        assert len(stresses) == redundant
        closing = np.isin(np.argwhere(system.locked == 1)[:, 0], system.loop_joint)
        basis, _ = np.linalg.qr(stresses[:, closing].T)
        # of a few hundred newtons
        np.testing.assert_allclose(basis.T @ forces[system.locked == 1][closing], 0.0, rtol=0, atol=1e-10)


def test_lined_up_bars_are_passed_through() -> None:
    """Parallel cranks: twice a turn all bars lie on one line, and a second branch of motion starts there."""
    model = zoo.n_four_bar()
    run = da.simulate(model, zoo.n_four_bar_start(model), duration=10.0, dt=0.01, integrator=da.MaximalVI())
    assert run.constraint_error.max() < 1e-10
    assert run.iterations.max() <= 8
    turns = np.ptp(run.q, axis=0).max() / (2.0 * np.pi)
    assert turns > 3.0
    assert np.ptp(run.energy) < 0.01 * np.ptp(run.kinetic)
