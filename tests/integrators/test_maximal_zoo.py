"""Every mechanism of the zoo runs with closed joints, in a few iterations a step, at any tolerance."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert.zoo import ZOO

STEP = {"andrews_squeezer": 1e-4, "flyball_governor": 1e-3}
"""Mechanisms whose own frequencies need a smaller step than 0.01 s."""


def simulate(name: str, steps: int, **options: object) -> da.Trajectory:
    mechanism = ZOO[name]
    model, dt = mechanism.build(), STEP.get(name, 0.01)
    return da.simulate(
        model,
        mechanism.start(model),
        duration=steps * dt,
        dt=dt,
        integrator=da.MaximalVI(**options),  # pyright: ignore[reportArgumentType]
        wrenches=mechanism.wrenches,
    )


@pytest.mark.parametrize("name", ZOO)
def test_joints_stay_closed_at_every_step(name: str) -> None:
    run = simulate(name, 100)
    assert run.constraint_error.max() < 1e-10
    assert run.iterations[1:].mean() <= 4.0
    assert run.iterations.max() <= 8


@pytest.mark.parametrize("tol", [1e-6, 1e-8, 1e-10, 1e-12])
@pytest.mark.parametrize("name", ["double_pendulum", "random_tree", "four_bar_chain", "random_loops", "minitaur"])
def test_any_tolerance(name: str, tol: float) -> None:
    """The tolerance bounds the error of a step relative to the mechanism's length, about one metre here."""
    loose, tight = simulate(name, 30, tol=tol), simulate(name, 30, tol=1e-14)
    assert loose.constraint_error.max() < max(tol, 1e-13)
    # errors of thirty steps: Newton's method lands well below what it promises
    np.testing.assert_allclose(loose.position, tight.position, rtol=0, atol=max(tol, 1e-12))
