"""Controllers do what they promise: regulators balance, joints follow paths."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo

METHOD = da.MaximalVI(tol=1e-13)
DT = 0.01


def test_a_regulator_balances_a_pole_with_the_cart_alone() -> None:
    model = zoo.cart_pole()
    control = da.lqr(model, model.state(), dt=DT, integrator=METHOD, joints=["rail"], force_cost=0.1)
    assert np.abs(np.linalg.eigvals(control.closed_loop)).max() < 1.0
    state = model.state(positions={"hinge": 0.2, "rail": 0.5})
    run = da.simulate(model, state, duration=20.0, dt=DT, integrator=METHOD, controller=control)
    assert abs(run.joint("hinge").position).max() < 0.5
    assert abs(run.joint("hinge").position[-1]) < 1e-6
    assert abs(run.joint("rail").position[-1]) < 1e-6


def test_the_cost_of_a_run_is_what_the_riccati_equation_says() -> None:
    """Σ xᵀQx + uᵀRu = x₀ᵀ P x₀ for small deviations: the gain is the optimal one."""
    from scipy.linalg import solve_discrete_are

    model = zoo.cart_pole()
    control = da.lqr(model, model.state(), dt=DT, integrator=METHOD, joints=["rail"])
    linear = control.linear
    cost = solve_discrete_are(linear.A, linear.B, np.eye(4), np.eye(1))
    state = model.state(positions={"hinge": 1e-4})
    run = da.simulate(model, state, duration=60.0, dt=DT, integrator=METHOD, controller=control)
    x = np.hstack([run.q, run.qdot])
    u = x @ control.gain.T
    found = (x[:-1] ** 2).sum() + (u[:-1] ** 2).sum()
    expected = x[0] @ cost @ x[0]
    assert found == pytest.approx(expected, rel=1e-5)


def test_a_regulator_holds_a_closed_mechanism_where_it_would_not_stay() -> None:
    """A slider-crank held against gravity at its bearing comes back from a push."""
    model = zoo.slider_crank()
    state = model.state()
    control = da.lqr(model, state, dt=DT, integrator=METHOD, joints=["bearing"], force_cost=0.01)
    assert control.holding[0] != 0.0
    pushed = model.assemble(model.state(positions={"bearing": 0.2}), hold=("bearing",)).state
    run = da.simulate(model, pushed, duration=20.0, dt=DT, integrator=METHOD, controller=control)
    assert abs(run.joint("bearing").position[-1]) < 1e-6
    assert run.constraint_error.max() < 1e-10


def test_what_cannot_be_held_is_refused() -> None:
    model = zoo.pendulum()
    with pytest.raises(da.ModelError, match="expected a configuration at rest"):
        da.lqr(model, model.state(velocities={"joint1": 1.0}), dt=DT, integrator=METHOD)
    cart = zoo.cart_pole()
    leaning = cart.state(positions={"hinge": 0.3})
    with pytest.raises(da.ModelError, match="drive other joints"):
        da.lqr(cart, leaning, dt=DT, integrator=METHOD, joints=["rail"])
    with pytest.raises(da.ModelError, match="state_cost: expected a number, 4 numbers or a matrix 4 × 4"):
        da.lqr(cart, cart.state(), dt=DT, integrator=METHOD, state_cost=[1.0, 2.0])


def test_joints_go_where_they_are_sent() -> None:
    """At rest the error is what gravity leaves: torque over stiffness."""
    model = zoo.pendulum()
    control = da.PD(model, {"joint1": 0.5}, stiffness=40.0, damping=6.0)
    run = da.simulate(model, model.state(), duration=10.0, dt=DT, integrator=METHOD, controller=control)
    angle = run.joint("joint1").position[-1]
    assert 40.0 * (0.5 - angle) == pytest.approx(9.81 * 0.5 * np.sin(angle), abs=1e-6)


def test_a_ball_joint_turns_to_its_target_and_a_free_body_flies_to_its_own() -> None:
    for kind, target in ((da.Spherical(), (0.3, -0.4, 0.2)), (da.Floating(), (0.1, 0.2, -0.1, 0.3, -0.4, 0.2))):
        b = da.ModelBuilder(gravity=(0, 0, 0))
        b.add_body("box", mass=1.0, inertia=(0.2, 0.25, 0.3))
        b.add_joint("joint", kind, parent="world", child="box", anchor=(0.2, 0, 0))
        model = b.build()
        control = da.PD(model, {"joint": target}, stiffness=20.0, damping=4.0)
        run = da.simulate(model, model.state(), duration=20.0, dt=0.01, integrator=METHOD, controller=control)
        goal = model.state(positions={"joint": target})
        np.testing.assert_allclose(run.final_state.coordinates, goal.coordinates, rtol=0, atol=1e-9)


def test_a_path_is_followed_and_the_force_stays_within_its_limit() -> None:
    model = zoo.double_pendulum()
    way = da.path([0.0, 1.0, 2.0], [0.0, 1.0, 0.3])
    assert [way(t) for t in (-1.0, 0.0, 1.0, 2.0, 3.0)] == pytest.approx([0.0, 0.0, 1.0, 0.3, 0.3], abs=1e-15)
    control = da.PD(
        model, {"joint1": way, "joint2": 0.0}, stiffness=2000.0, damping=60.0, limit={"joint1": 80.0, "joint2": 40.0}
    )
    forces = []

    def watched(time: float, state: da.State) -> dict[str, np.ndarray]:
        forces.append(control(time, state))
        return forces[-1]

    run = da.simulate(model, model.state(), duration=2.0, dt=0.001, integrator=METHOD, controller=watched)
    wanted = np.array([way(t) for t in run.time])
    # what gravity and the pendulum's own inertia take of the limit, over the stiffness, and a little for the damper
    assert np.abs(run.joint("joint1").position - wanted).max() < 1.5 * 80.0 / 2000.0
    assert max(abs(f["joint1"][0]) for f in forces) <= 80.0
    assert max(abs(f["joint2"][0]) for f in forces) <= 40.0


def test_gains_that_mean_nothing_are_refused() -> None:
    model = zoo.double_pendulum()
    with pytest.raises(da.ModelError, match='stiffness of joint "joint1": expected a number from 0, found -1'):
        da.PD(model, {"joint1": 0.0}, stiffness=-1.0)
    with pytest.raises(da.ModelError, match='joint "joint2" has no target'):
        da.PD(model, {"joint1": 0.0}, stiffness={"joint1": 1.0, "joint2": 1.0})
    with pytest.raises(da.ModelError, match="joint3"):
        da.PD(model, {"joint3": 0.0}, stiffness=1.0)
    with pytest.raises(da.ModelError, match="increasing times"):
        da.path([0.0, 0.0], [1.0, 2.0])
