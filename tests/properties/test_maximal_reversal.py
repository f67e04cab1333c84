"""The method is symmetric: with all velocities turned round, a mechanism goes back the way it came."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo


def random_tree() -> tuple[da.Model, da.State]:
    model = zoo.random_tree(14, 6, stiffness=5.0)
    return model, zoo.random_state(model, 6)


def random_loops() -> tuple[da.Model, da.State]:
    model = zoo.random_loops(8, 3, 1, stiffness=5.0, armature=0.02)
    return model, zoo.random_state(model, 1)


def four_bars() -> tuple[da.Model, da.State]:
    model = zoo.four_bar_chain()
    return model, model.state()


@pytest.mark.parametrize(
    ("mechanism", "solver"),
    [(random_tree, "graph"), (random_tree, "auto"), (random_loops, "graph"), (four_bars, "graph")],
)
def test_back_the_way_it_came(mechanism: Any, solver: Any) -> None:
    """A hundred steps there and back; the motion itself multiplies rounding errors by some hundred."""
    model, state = mechanism()
    method = da.MaximalVI(tol=1e-13, linear_solver=solver)
    there = da.simulate(model, state, duration=1.0, dt=0.01, integrator=method)
    end = there.state(-1)
    turned = model.state_from_bodies(end.position, end.orientation, -end.velocity, -end.angular_velocity, near=end)
    back = da.simulate(model, turned, duration=1.0, dt=0.01, integrator=method)
    np.testing.assert_allclose(back.position[::-1], there.position, rtol=0, atol=1e-11)
    np.testing.assert_allclose(back.velocity[::-1], -there.velocity, rtol=0, atol=1e-9)
    np.testing.assert_allclose(back.angular_velocity[::-1], -there.angular_velocity, rtol=0, atol=1e-9)
