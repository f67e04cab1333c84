"""The linearised step against the closed form, and against the step itself on mechanisms of all joint kinds."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.control.tangent import difference, displaced

METHOD = da.MaximalVI(tol=1e-14)


def test_the_eigenvalues_of_a_pendulum_are_those_of_its_small_swings() -> None:
    """A slender rod: ω² = 3g/2l. The step advances the phase by ωh to second order."""
    model = zoo.pendulum()
    state = model.state()
    for dt, error in ((0.01, 2e-6), (0.005, 3e-7)):
        linear = da.linearize(model, state, dt=dt, integrator=METHOD)
        values = np.linalg.eigvals(linear.A)
        np.testing.assert_allclose(np.abs(values), 1.0, rtol=0, atol=1e-9)
        phase = np.abs(np.angle(values)) / dt
        exact = np.sqrt(1.5 * 9.81)
        # ω³h²/24 by which the discrete frequency exceeds the true one
        np.testing.assert_allclose(phase, exact + exact**3 * dt**2 / 24.0, rtol=0, atol=error)
        assert np.abs(linear.offset).max() < 1e-14


@pytest.mark.parametrize("name", ["tree", "loops"])
def test_the_linear_map_predicts_the_step(name: str) -> None:
    """What is left over falls with the square of the deviation."""
    if name == "tree":
        model = zoo.random_tree(14, 3, damping=0.1)
        state = zoo.random_state(model, 3)
    else:
        model = zoo.four_bar_chain(1)
        state = model.state()
    linear = da.linearize(model, state, dt=0.01, integrator=METHOD)
    d = linear.basis.shape[1]
    random = np.random.default_rng(4)
    x, u = random.normal(size=2 * d), random.normal(size=linear.B.shape[1])
    force = np.zeros(model.system.n_v)
    force[list(linear.rates)] = u
    left_over = []
    for size in (1e-2, 5e-3):
        near = displaced(
            model,
            state,
            size * linear.basis @ x[:d],
            state.rates[: model.system.n_v] + size * linear.basis @ x[d:],
        )
        if model.loop_joints:
            near = model.assemble(near).state
        end = da.simulate(
            model, near, duration=0.01, dt=0.01, integrator=METHOD, controller=lambda t, s, f=size * force: f
        ).final_state
        expected = size * (linear.A @ x + linear.B @ u) + linear.offset
        left_over.append(np.linalg.norm(linear.deviation(model, end) - expected))
    assert left_over[0] < 0.1
    assert np.log2(left_over[0] / left_over[1]) == pytest.approx(2.0, abs=0.2)


def test_loops_leave_the_degrees_of_freedom_of_the_mechanism() -> None:
    model = zoo.four_bar_chain(1)
    linear = da.linearize(model, model.state(), dt=0.01, integrator=METHOD, joints=["hook1"])
    assert linear.basis.shape == (model.system.n_v, 2)
    assert linear.B.shape == (4, 1)


def test_a_motion_there_and_back() -> None:
    """`difference` undoes `displaced` for every joint kind."""
    model = zoo.random_tree(28, 9)
    state = zoo.random_state(model, 9)
    motion = 0.3 * np.random.default_rng(1).normal(size=model.system.n_v)
    there = displaced(model, state, motion, state.rates[: model.system.n_v])
    np.testing.assert_allclose(difference(model, there, state), motion, rtol=0, atol=1e-13)
    np.testing.assert_array_equal(there.rates[: model.system.n_v], state.rates[: model.system.n_v])


def test_a_joint_that_closes_a_loop_cannot_be_driven() -> None:
    model = zoo.slider_crank()
    with pytest.raises(da.ModelError, match='joint "small_end": expected one of the spanning tree'):
        da.linearize(model, model.state(), dt=0.01, integrator=METHOD, joints=["small_end"])
