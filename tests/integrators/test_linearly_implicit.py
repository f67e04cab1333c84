"""Linearly implicit Euler: its order, implicit Euler where forces are linear, stiffness, loops, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo

METHOD = da.LinearlyImplicitEuler()


def test_first_order_in_a_tree_of_all_joints() -> None:
    model = zoo.random_tree(5, 2, floating_base=True, damping=0.1, stiffness=2.0)
    state = zoo.random_state(model, 2)
    exact = da.simulate(model, state, duration=0.2, dt=0.2, integrator=da.RungeKutta("DOP853"))
    errors = []
    for steps in (200, 400):
        run = da.simulate(model, state, duration=0.2, dt=0.2 / steps, integrator=METHOD, every=steps)
        errors.append(np.abs(run.position[-1] - exact.position[-1]).max())
    assert abs(np.log2(errors[0] / errors[1]) - 1.0) < 0.1


def test_it_is_implicit_euler_where_forces_are_linear() -> None:
    """A mass on a slide with a spring and a damper, at a step of many periods: the iteration of BDF1 ends at once."""
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    builder.add_body("bead", mass=1.0, inertia=(0.1, 0.1, 0.1))
    slide = da.Prismatic((0, 0, 1))
    builder.add_joint("slide", slide, parent="world", child="bead", stiffness=1e6, damping=3.0)
    model = builder.build()
    state = model.state(positions={"slide": 0.1})
    runs = [da.simulate(model, state, duration=0.2, dt=0.01, integrator=one) for one in (METHOD, da.BDF1())]
    assert np.abs(runs[0].position - runs[1].position).max() < 1e-13


def test_a_stiff_cable_is_stable_at_a_hundredth_of_a_second() -> None:
    """A mass of 1 kg that falls 0.2 m into a cable of 1e6 N/m comes to rest hanging on it."""
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    builder.add_body("bead", mass=1.0, inertia=(0.1, 0.1, 0.1))
    builder.add_joint("slide", da.Prismatic((0, 0, 1)), parent="world", child="bead")
    through = [("world", (0, 0, 1.0)), ("bead", (0, 0, 0))]
    builder.add_force("cable", da.Cable(through, stiffness=1e6, damping=1e3, rest_length=1.2))
    run = da.simulate(builder.build(), duration=4.0, dt=0.01, integrator=METHOD)
    assert abs(run.joint("slide").position[-1] + 0.2 + 9.81e-6) < 1e-9


def test_loops_are_pulled_together() -> None:
    """Redundant rows too; gaps fall with the square of the step."""
    for make in (zoo.slider_crank, zoo.bricard):
        model, gaps = make(), []
        for dt in (0.01, 0.005):
            gaps.append(da.simulate(model, duration=0.1, dt=dt, integrator=METHOD).constraint_error.max())
        assert gaps[1] < 0.6 * gaps[0]


def test_refusals() -> None:
    with pytest.raises(da.ModelError, match="gain: expected a number from 0 to 1"):
        da.LinearlyImplicitEuler(gain=2.0)
