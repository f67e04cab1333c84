"""The pass backwards against the whole run as one dense matrix of positions, derivatives from third-order tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from naive.stacked_adjoint import gradients, objective_weights

import dalembert as da
from dalembert import zoo
from dalembert.integrators.implicit.stepper import ImplicitStepper


def weighted(run: Any, gradient: da.MotionGradient) -> float:
    weights = np.stack([objective_weights(k, run.q.shape[1]) for k in range(len(run))])
    gradient.coordinates += weights
    return float((weights * run.q).sum())


@pytest.mark.parametrize("method", [da.BDF1(), da.SDIRK2(), da.BDF2()], ids=lambda method: method.name)
def test_gradients_are_those_of_the_stacked_equations(method: Any) -> None:
    """Start-up rows included; the recorded stages solve the stacked equations too."""
    steps, h, rng = 5, 0.03, np.random.default_rng(4)
    kinds = ("Revolute", "Prismatic", "Universal", "Screw")
    model = zoo.random_tree(4, 3, kinds)
    n = model.system.n_v
    state = zoo.random_state(model, 3)
    force = rng.normal(size=(steps, n))
    stepper = method.start(model, state, h)
    assert isinstance(stepper, ImplicitStepper)
    tape = stepper.advance_on_tape(force)
    count = len(tape.displacement)
    doubled = {"BDF1": 0, "SDIRK2": steps, "BDF2": 1}[method.name]
    knots = [s // 2 if s < 2 * doubled else s - doubled for s in range(count)]
    positions = tape.q[knots] + tape.displacement
    q0, v0 = state.coordinates[:n], state.rates[:n]
    residual, by_force, by_q, by_v = gradients(model.system, q0, v0, force, positions, method.name, h)
    assert residual < 1e-9 * np.abs(force).max()

    joints = [name for name, joint in model.joints.items() if joint.components]
    drives = {name: da.JointForce(name) for name in joints}
    starts = {name: (da.InitialPosition(name), da.InitialVelocity(name)) for name in joints}
    wanted = [*drives.values(), *(one for pair in starts.values() for one in pair)]
    shaped = {one: force[:, model.joints[name].rates] for name, one in drives.items()}
    values = {one: value[:, 0] if value.shape[1] == 1 else value for one, value in shaped.items()}
    found = da.gradient(
        model, state, weighted, wanted, duration=steps * h, dt=h, integrator=method, values=values
    ).gradient
    for name in joints:
        rates = model.joints[name].rates
        pairs = (
            (found[drives[name]].reshape(steps, -1), by_force[:, rates], by_force),
            (found[starts[name][0]].reshape(-1), by_q[rates], by_q),
            (found[starts[name][1]].reshape(-1), by_v[rates], by_v),
        )
        for one, other, whole in pairs:
            assert np.abs(one - other).max() < 1e-11 * np.abs(whole).max()
