"""Every mechanism of the zoo runs as it stands: its joints stay closed, its energy stays where it was."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert.zoo import ZOO

STEP = {"andrews_squeezer": 1e-5, "flyball_governor": 1e-3, "spinning_top": 2e-3}
"""Seconds, where 0.01 s is too coarse for the mechanism's own motion."""

NOT_CONSERVATIVE = {"andrews_squeezer", "exoskeleton", "flyball_governor", "modelica_double_pendulum"}
"""Driven by a motor, or damped."""


@pytest.mark.parametrize("name", ZOO)
def test_runs_with_closed_joints_and_bounded_energy(name: str) -> None:
    mechanism = ZOO[name]
    model = mechanism.build()
    dt = STEP.get(name, 0.01)
    start = mechanism.start(model)
    run = da.simulate(model, start, duration=500 * dt, dt=dt, integrator=da.MaximalVI(), wrenches=mechanism.wrenches)
    assert run.constraint_error.max() < 1e-10
    assert np.isfinite(run.position).all()
    if name not in NOT_CONSERVATIVE:
        # a second-order band: a few per cent of the kinetic energy where the step is coarse for the motion
        band = np.abs(run.energy - run.energy[0]).max()
        assert band < 0.04 * run.kinetic.max()


@pytest.mark.parametrize("seed", range(10))
def test_random_loops_run(seed: int) -> None:
    """Loops of all kinds anywhere, bodies in several of them, from an assembled random start."""
    model = da.zoo.random_loops(10, 4, seed=seed)
    run = da.simulate(model, da.zoo.random_state(model, seed), duration=0.5, dt=0.005, integrator=da.MaximalVI())
    assert run.constraint_error.max() < 1e-10
