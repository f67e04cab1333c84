"""`MinimalVI` in steps of variable length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.integrators.minimal.pace import DENSITY, TIME, advance_until, look
from dalembert.integrators.minimal.variable_stepper import VariableStepper
from dalembert.mechanics.acceleration import place
from dalembert.mechanics.momentum import momenta


@pytest.mark.compiled
def test_second_order_at_rows_between_the_knots() -> None:
    """On a tree of all joint kinds, positions and velocities, and nearer than the fixed step of the same length."""
    model = zoo.random_tree(14, 1, stiffness=3.0, damping=0.1)
    state = zoo.random_state(model, 1)
    exact = da.simulate(model, state, duration=0.4, dt=0.1, integrator=da.RungeKutta("DOP853", rtol=1e-12, atol=1e-13))
    errors = []
    for n in (80, 160, 320):
        method = da.MinimalVI(slow_rate=5.0, tol=1e-12)
        run = da.simulate(model, state, duration=0.4, dt=0.4 / n, every=n // 4, integrator=method)
        errors.append([np.linalg.norm(getattr(run, rows) - getattr(exact, rows)) for rows in ("position", "velocity")])
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(orders[-1] - 2.0).max() < 0.1
    fixed = da.simulate(model, state, duration=0.4, dt=0.4 / 320, every=80, integrator=da.MinimalVI(tol=1e-12))
    assert errors[-1][0] < 0.5 * np.linalg.norm(fixed.position - exact.position)


def energy_drift(steps: int, wish: bool) -> tuple[float, float]:
    """(band, drift) of the energy of a pendulum; with ``wish`` steps follow the state alone, as is common."""
    model = zoo.pendulum()
    stepper = da.MinimalVI(slow_rate=1.0).start(model, zoo.pendulum_start(model, 3.0), 0.1)
    assert isinstance(stepper, VariableStepper)
    pace: Any = stepper._pace
    energies = []
    for _ in range(steps // 8):
        for _ in range(8):
            assert advance_until(*stepper._driving, pace.clock[TIME] + 1e-12)[0] == 0
            if wish:
                pace.clock[DENSITY] = look(*stepper._looking)[0]
        energies.append(pace.v[1, 0] ** 2 / 6.0 - 0.5 * 9.81 * np.cos(pace.q[1, 0]))
    first, last = np.array_split(energies, 10)[0], np.array_split(energies, 10)[-1]
    return float(np.ptp(energies)), abs(float(np.mean(last) - np.mean(first)))


@pytest.mark.compiled
def test_the_energy_does_not_drift_where_steps_chosen_by_the_state_alone_lose_it() -> None:
    band, drift = energy_drift(16_000, False)
    assert band < 0.02
    # the mean of a band that is sampled at other phases
    assert drift < 1e-4
    assert energy_drift(4_000, True)[1] > 1e-2


def test_the_same_bits_resumed_and_however_often_recorded() -> None:
    model = zoo.random_tree(8, 5, damping=0.2)
    state, method = zoo.random_state(model, 5), da.MinimalVI(slow_rate=4.0)
    whole = da.simulate(model, state, duration=0.4, dt=0.02, integrator=method)
    seldom = da.simulate(model, state, duration=0.4, dt=0.02, integrator=method, every=4)
    half = da.simulate(model, state, duration=0.2, dt=0.02, integrator=method)
    rest = da.simulate(model, half.final_state, duration=0.2, dt=0.02, integrator=method)
    assert (seldom.position == whole.position[::4]).all()
    assert (rest.position == whole.position[10:]).all()
    assert (rest.velocity == whole.velocity[10:]).all()


def test_steps_of_any_length_keep_momentum() -> None:
    model = zoo.random_tree(10, 3, floating_base=True, gravity=0.0)
    stepper = da.MinimalVI(slow_rate=2.0, tol=1e-13).start(model, zoo.random_state(model, 3), 0.02)
    assert isinstance(stepper, VariableStepper)
    pace, at, found = stepper._pace, stepper._equations, []
    for _ in range(100):
        assert advance_until(*stepper._driving, pace.clock[TIME] + 1e-12)[0] == 0
        place(model.system, at, pace.q[1], pace.v[1])
        both = momenta(model.system, at.position, at.orientation, at.velocity, at.angular_velocity)
        found.append(np.concatenate([both.linear, both.angular]))
    assert np.ptp(found, axis=0).max() < 1e-10


def test_what_variable_steps_cannot_do_is_refused() -> None:
    method = da.MinimalVI(slow_rate=2.0)
    with pytest.raises(da.ModelError, match="open tree without user potentials, found joint"):
        da.simulate(zoo.slider_crank(), duration=0.1, dt=0.01, integrator=method)
    model = zoo.pendulum()
    with pytest.raises(da.ModelError, match="use a fixed step"):
        da.simulate(model, duration=0.1, dt=0.01, integrator=method, controller=lambda time, state: {"joint1": 1.0})
    with pytest.raises(da.ModelError, match="slow_rate: expected a number above 0 rad/s, or None"):
        da.MinimalVI(slow_rate=0.0)


def test_a_motion_that_no_step_can_follow_is_an_error_at_the_last_row() -> None:
    model = zoo.pendulum(10)
    with pytest.raises(da.SimulationError, match="smaller dt") as failure:
        da.simulate(model, zoo.pendulum_start(model), duration=40.0, dt=0.5, integrator=da.MinimalVI(slow_rate=50.0))
    assert np.isfinite(failure.value.trajectory.position).all()
