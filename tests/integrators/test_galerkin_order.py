"""Order of accuracy of the Galerkin integrator, and the one limit that all methods have."""

from typing import Any

import numpy as np
import pytest
from oracles.convergence import converge
from oracles.published import MODELICA_DOUBLE_PENDULUM, POINT_PENDULUM

import dalembert as da
from dalembert import zoo

STEPS = {
    "lobatto": {1: (240, 480), 2: (96, 144), 3: (48, 60, 72), 4: (42, 48, 54)},
    "gauss": {1: (240, 480), 2: (96, 144), 3: (48, 60, 72), 4: (30, 36)},
}
"""Steps in 0.6 s, few enough that the errors stand clear of rounding and many enough for the leading power."""


def exact_run(model: da.Model, state: da.State, duration: float, rows: int = 1) -> da.Trajectory:
    method = da.RungeKutta("DOP853", rtol=1e-13, atol=1e-15)
    return da.simulate(model, state, duration=duration, dt=duration / rows, integrator=method)


def order(steps: Any, errors: Any) -> float:
    return -float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


@pytest.mark.parametrize("quadrature", ["lobatto", "gauss"])
@pytest.mark.parametrize("stages", [1, 2, 3, 4])
def test_order_is_twice_the_stages(stages: int, quadrature: Any) -> None:
    """Positions and energy at six knots of a random tree of all joint kinds."""
    model = zoo.random_tree(14, 1)
    state = zoo.random_state(model, 1, speed=2.0)
    exact = exact_run(model, state, 0.6, 6).position
    errors, energies, steps = [], [], STEPS[quadrature][stages]
    for n in steps:
        method = da.GalerkinVI(stages=stages, quadrature=quadrature, tol=1e-14)
        run = da.simulate(model, state, duration=0.6, dt=0.6 / n, integrator=method, every=n // 6)
        errors.append(np.linalg.norm(run.position - exact))
        energies.append(np.linalg.norm(run.energy - run.energy[0]))
    assert abs(order(steps, errors) - 2 * stages) < 0.1
    # energies of some ten joules are rounded at 1e-12: with eighth order there is little room above
    assert abs(order(steps, energies) - 2 * stages) < (0.2 if stages == 4 else 0.1)


@pytest.mark.parametrize("seed", range(3))
def test_one_limit_with_the_other_methods(seed: int) -> None:
    """Maximal coordinates, extrapolated from steps of second order, and an adaptive method at its tightest."""
    model = zoo.random_tree(14, seed)
    state = zoo.random_state(model, seed)
    run = da.simulate(model, state, duration=0.2, dt=0.01, integrator=da.GalerkinVI(stages=5), every=20)
    assert np.abs(run.position[-1] - exact_run(model, state, 0.2).position[-1]).max() < 1e-12
    limit = converge(model, state, lambda r: r.position[-1].ravel(), duration=0.2, steps=40)
    assert 1.9 < limit.order(run.position[-1].ravel()) < 2.1
    assert np.abs(limit.limit - run.position[-1].ravel()).max() < 1e-10


def test_dampers_springs_and_rotors_keep_the_order() -> None:
    """Forces that are not conservative enter by the principle of Lagrange and d'Alembert at the same points."""
    model = zoo.random_tree(14, 2, stiffness=3.0, damping=0.5, armature=0.1)
    state = zoo.random_state(model, 2)
    exact = exact_run(model, state, 0.4).position[-1]
    errors = []
    for n in (32, 48):
        run = da.simulate(model, state, duration=0.4, dt=0.4 / n, integrator=da.GalerkinVI(stages=2, tol=1e-14))
        errors.append(np.linalg.norm(run.position[-1] - exact))
    assert abs(order((32, 48), errors) - 4.0) < 0.1


def test_a01_simple_pendulum() -> None:
    """A physical pendulum of the same reduced length, d + J/(m d) = 1 m: ten seconds to all published digits."""
    builder = da.ModelBuilder(gravity=(0, -9.81, 0))
    builder.add_body("bob", mass=1.0, inertia=(0.09, 0.09, 0.09), position=(-0.9, 0, 0))
    builder.add_joint("pivot", da.Revolute(axis=(0, 0, 1)), parent="world", child="bob", anchor=(0, 0, 0))
    run = da.simulate(builder.build(), duration=10.0, dt=0.01, integrator=da.GalerkinVI(stages=4))
    tip = run.body("bob").point((-0.1, 0.0, 0.0))[:, :2]
    for time, published in POINT_PENDULUM.items():
        assert np.abs(tip[round(time / 0.01)] - published).max() < 2e-12


def test_modelica_double_pendulum() -> None:
    model = zoo.modelica_double_pendulum()
    run = da.simulate(model, duration=3.0, dt=0.01, integrator=da.GalerkinVI(stages=5), every=300)
    for name, angle, rate, digits in (
        ("joint1", MODELICA_DOUBLE_PENDULUM[0], MODELICA_DOUBLE_PENDULUM[1], 1e-10),
        ("joint2", MODELICA_DOUBLE_PENDULUM[2], MODELICA_DOUBLE_PENDULUM[3], 6e-9),
    ):
        assert abs(run.joint(name).position[-1] - angle) < digits
        assert abs(run.joint(name).velocity[-1] - rate) < 6e-9
