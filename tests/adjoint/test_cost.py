"""A gradient costs a few runs at most, whatever the number of parameters."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import dalembert as da
from dalembert import zoo


def seconds(action: Callable[[], Any]) -> float:
    """Of this thread, the best of several: others on the machine count little."""
    action()
    times = []
    for _ in range(4):
        began = time.thread_time()
        action()
        times.append(time.thread_time() - began)
    return min(times)


@pytest.mark.compiled
def test_a_gradient_by_thousands_of_numbers_costs_few_runs() -> None:
    """1.4 runs are measured, and the objective and what users see of the run come on top; four are promised."""
    model = zoo.pendulum(12, damping=0.5)
    state = zoo.pendulum_start(model, 0.5, 0.05)
    many: list[da.Parameter] = [da.JointForce(name) for name in model.joints]
    many += [da.Mass(name) for name in model.bodies] + [da.Inertia(name) for name in model.bodies]
    many += [da.JointPoint(name) for name in model.joints] + [da.Damping(name) for name in model.joints]
    many += [kind(name) for name in model.joints for kind in (da.InitialPosition, da.InitialVelocity)]
    problem = da.Problem(
        model, state, da.PointTarget("link12", (0, 0, 0)), many, duration=3.0, dt=0.01, integrator=da.BDF2()
    )
    assert sum(value.size for value in problem.start_values().values()) > 3600

    def run() -> None:
        da.BDF2().start(model, state, 0.01).advance(300)

    assert seconds(problem.evaluate) < 2.5 * seconds(run)
