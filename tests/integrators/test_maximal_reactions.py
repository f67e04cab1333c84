"""Reaction forces and torques of joints in newtons, where statics or circular motion give them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo

G = 9.81
SOLVERS: tuple[Any, ...] = ("graph", "auto")


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_hanging_chain_carries_its_weight(solver: Any) -> None:
    model = zoo.pendulum(3)
    run = da.simulate(model, duration=0.1, dt=0.01, integrator=da.MaximalVI(tol=1e-12, linear_solver=solver))
    for i in range(3):
        joint = run.joint(f"joint{i + 1}")
        weight = np.tile((0.0, 0.0, (3 - i) * G), (len(run), 1))
        np.testing.assert_allclose(joint.reaction_force, weight, rtol=0, atol=1e-9)
        np.testing.assert_allclose(joint.reaction_torque, 0.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("outward", [True, False], ids=["declared outwards", "declared inwards"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_beam_in_a_wall(solver: Any, outward: bool) -> None:
    """Weight times half the length about the wall; the signs change with who is whose child."""
    b = da.ModelBuilder()
    b.add_body("beam", mass=2.0, inertia=(0.01, 0.2, 0.2), position=(0.5, 0, 0))
    ends = ("world", "beam") if outward else ("beam", "world")
    b.add_joint("wall", da.Fixed(), parent=ends[0], child=ends[1], anchor=(0, 0, 0))
    integrator = da.MaximalVI(tol=1e-12, linear_solver=solver)
    joint = da.simulate(b.build(), duration=0.05, dt=0.01, integrator=integrator).joint("wall")
    sign = 1.0 if outward else -1.0
    np.testing.assert_allclose(sign * joint.reaction_force, [[0, 0, 2.0 * G]] * 6, rtol=0, atol=1e-12)
    np.testing.assert_allclose(sign * joint.reaction_torque, [[0, -G, 0]] * 6, rtol=0, atol=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_goes_round_is_pulled_inwards(solver: Any) -> None:
    """m ω² r towards the axle, to second order in the step."""
    b = da.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("stone", mass=2.0, inertia=(0.01, 0.02, 0.03), position=(0.5, 0, 0))
    b.add_joint("axle", da.Revolute(axis=(0, 0, 1)), parent="world", child="stone", anchor=(0, 0, 0))
    model = b.build()
    state, errors = model.state(velocities={"axle": 4.0}), []
    for dt in (0.01, 0.005):
        run = da.simulate(model, state, duration=0.1, dt=dt, integrator=da.MaximalVI(tol=1e-13, linear_solver=solver))
        pull = -2.0 * 4.0**2 * run.body("stone").position
        errors.append(np.linalg.norm(run.joint("axle").reaction_force - pull, axis=1).max())
        np.testing.assert_allclose(run.joint("axle").reaction_torque, 0.0, rtol=0, atol=1e-9)
    assert errors[1] < 2e-3
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


def test_the_pins_of_a_moving_ladder_explain_its_motion() -> None:
    """Its planar joints are redundant, but what both pins carry together is the change of momentum less the weight."""
    model = zoo.ladder()
    run = da.simulate(model, duration=0.3, dt=0.01, integrator=da.MaximalVI(tol=1e-13))
    pins = [joint for joint in model.joints.values() if "world" in (joint.parent, joint.child)]
    assert len(pins) == 2
    total = sum((1.0 if pin.parent == "world" else -1.0) * run.joint(pin.name).reaction_force for pin in pins)
    mass = model.system.mass[:-1]
    # momenta of successive intervals
    momentum = np.einsum("i,kix->kx", mass, np.diff(run.position, axis=0)) / 0.01
    weight = mass.sum() * model.system.gravity
    change = np.diff(momentum, axis=0) / 0.01
    np.testing.assert_allclose(np.asarray(total)[1:-1], change - weight, rtol=0, atol=1e-9)
