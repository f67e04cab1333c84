"""What cannot be stepped raises, with the reason and the item; what was done before is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo

SOLVERS: tuple[Any, ...] = ("graph", "auto")


def box(speed: float) -> tuple[da.Model, da.State]:
    b = da.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("box", mass=1.0, inertia=(0.1, 0.2, 0.25))
    b.add_joint("float", da.Floating(), parent="world", child="box")
    model = b.build()
    return model, model.state(velocities={"float": (0, 0, 0, 0, 0, speed)})


@pytest.mark.parametrize("speed", [101.0, 150.0, 250.0])
@pytest.mark.parametrize("solver", SOLVERS)
def test_turning_too_fast_at_the_start(solver: Any, speed: float) -> None:
    """The momentum of a turn by α in a step is J sin(α)/h: none is greater than that of 1 / 0.01 s = 100 rad/s."""
    model, state = box(speed)
    with pytest.raises(da.SimulationError, match="turns too fast") as caught:
        da.simulate(model, state, duration=0.1, dt=0.01, integrator=da.MaximalVI(linear_solver=solver))
    assert caught.value.step == 1
    assert caught.value.worst == 'body "box"'


@pytest.mark.parametrize("solver", SOLVERS)
def test_turning_as_fast_as_can_be(solver: Any) -> None:
    model, state = box(99.0)
    run = da.simulate(model, state, duration=0.1, dt=0.01, integrator=da.MaximalVI(linear_solver=solver))
    np.testing.assert_allclose(run.angular_velocity[-1, 0], (0, 0, 99.0), rtol=0, atol=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_turning_too_fast_later(solver: Any) -> None:
    model, state = box(51.0)
    with pytest.raises(da.SimulationError, match="turns too fast") as caught:
        da.simulate(
            model,
            state,
            duration=1.0,
            dt=0.01,
            integrator=da.MaximalVI(linear_solver=solver),
            wrenches={"box": ((0, 0, 0), (0, 0, 100.0))},
        )
    error = caught.value
    # 400 rad/s²: the thirteenth step starts with 99 rad/s and half of its impulse
    assert error.step == 13
    assert error.worst == 'body "box"'
    assert len(error.trajectory) == error.step
    assert np.isfinite(error.trajectory.position).all()


def test_too_few_iterations() -> None:
    """The graph solver counts every increment; the tree solver makes several with one elimination."""
    model = zoo.double_pendulum()
    method = da.MaximalVI(max_iterations=1, tol=1e-12, linear_solver="graph")
    with pytest.raises(da.SimulationError, match="did not converge in 1 iterations"):
        da.simulate(model, zoo.pendulum_start(model), duration=0.1, dt=0.01, integrator=method)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_potential_that_stops_being_a_number(solver: Any) -> None:
    b = da.ModelBuilder()
    b.add_body("stone", mass=1.0, inertia=(0.1, 0.1, 0.1))
    b.add_joint("float", da.Floating(), parent="world", child="stone")
    b.add_potential("cliff", ["stone"], lambda x, q: 0.0 if x[0, 2] > -1.0 else np.nan)
    model = b.build()
    with pytest.raises(da.SimulationError, match="not a finite number") as caught:
        da.simulate(model, duration=1.0, dt=0.01, integrator=da.MaximalVI(linear_solver=solver))
    # it falls a metre in 0.45 s
    assert caught.value.step is not None and 45 <= caught.value.step <= 47
    assert len(caught.value.trajectory) == caught.value.step


def test_a_controller_that_returns_nothing_finite() -> None:
    model = zoo.double_pendulum()
    with pytest.raises(da.ModelError, match="finite forces"):
        da.simulate(
            model, duration=0.1, dt=0.01, integrator=da.MaximalVI(), controller=lambda time, state: {"joint1": np.nan}
        )


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_force_beyond_all_numbers(solver: Any) -> None:
    """Finite, but its impulse times a length is not: no step can be found, whatever stops the search first."""
    model = zoo.double_pendulum()
    with pytest.raises(da.SimulationError, match=r"not a finite number|no solution"):
        da.simulate(
            model,
            duration=0.1,
            dt=0.01,
            integrator=da.MaximalVI(linear_solver=solver),
            wrenches={"link2": ((1e308, 0, 0), (0, 1e308, 0))},
        )


@pytest.mark.parametrize("wild", [30.0, 300.0])
def test_a_start_that_leads_nowhere_is_left_for_a_calmer_one(wild: float) -> None:
    """A history too rough to extrapolate costs iterations, not the run, and changes the solution by nothing."""
    entry = zoo.ZOO["four_bar_chain"]
    model = entry.build()
    method = da.MaximalVI(tol=1e-12, linear_solver="graph")
    calm = da.simulate(model, entry.start(model), duration=0.5, dt=0.01, integrator=method).final_state
    rough = {name: np.copy(value) if name == "history" else value for name, value in calm.memory.items()}
    rough["history"][1] += wild * np.random.default_rng(7).normal(size=rough["history"][1].shape)
    expected = da.simulate(model, calm, duration=0.01, dt=0.01, integrator=method)
    run = da.simulate(model, replace(calm, memory=rough), duration=0.01, dt=0.01, integrator=method)
    assert run.iterations[1] > expected.iterations[1]
    np.testing.assert_allclose(run.position, expected.position, rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.orientation, expected.orientation, rtol=0, atol=1e-12)
