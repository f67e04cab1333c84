"""Derivatives of the Galerkin integrator's step: exact on all joint kinds, symplectic, and those that control uses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from integrators.galerkin_trial import derivatives

import dalembert as da
from dalembert import zoo
from dalembert.control.linearize import linearize
from dalembert.control.tangent import difference, displaced

SCALAR = ("Prismatic", "Revolute", "Cylindrical", "Planar", "Universal", "Screw", "PlanarFixedOrientation")
LAWS: dict[str, Any] = {"stiffness": 3.0, "damping": 0.4, "armature": 0.3}


def step(method: da.GalerkinVI, model: da.Model, state: da.State, dt: float, force: Any, wrenches: Any) -> da.State:
    stepper = method.start(model, state, dt)
    stepper.control(force, np.vstack([wrenches, np.zeros((1, 6))]))
    stepper.advance(1)
    return stepper.state()


@pytest.mark.parametrize("options", [{}, LAWS], ids=["free", "laws"])
@pytest.mark.parametrize(("stages", "quadrature"), [(1, "lobatto"), (2, "lobatto"), (2, "gauss")])
def test_derivatives_are_those_of_the_step(stages: int, quadrature: Any, options: dict[str, Any]) -> None:
    """Along random directions, by differences of eighth order, good to 1e-10, on joints of all kinds.

    Forces in the world and torques in body axes are not conservative: their matrices are not symmetric.
    """
    model = zoo.random_tree(14, 1 if options else 0, **options)
    state, n = zoo.random_state(model, 1), model.system.n_v
    random = np.random.default_rng(2)
    force, wrenches, dt = random.normal(size=n), random.normal(size=(model.n_bodies, 6)), 0.05
    method = da.GalerkinVI(stages=stages, quadrature=quadrature, tol=1e-14)
    found = method.linearize(model, state, dt, force, wrenches)

    directions = random.normal(size=(4, 3 * n))

    def after(shares: np.ndarray) -> np.ndarray:
        x = shares @ directions
        near = displaced(model, state, x[:n], state.rates[:n] + x[n : 2 * n])
        end = step(method, model, near, dt, force + x[2 * n :], wrenches)
        return np.concatenate([difference(model, end, found.state), end.rates[:n]])

    expected = derivatives(after, np.zeros(4), 1e-3)
    assert np.abs(np.hstack([found.A, found.B]) @ directions.T - expected).max() < 1e-9


@pytest.mark.parametrize("stages", [1, 3])
def test_the_step_is_a_symplectic_map(stages: int) -> None:
    """Cᵀ J C = J to rounding, for joints whose coordinates are lengths and angles, springs and rotors included."""
    model = zoo.random_tree(12, 3, SCALAR, stiffness=3.0, armature=0.2)
    found = da.GalerkinVI(stages=stages).linearize(model, zoo.random_state(model, 3), 0.05)
    matrix, n = found.canonical.state, model.system.n_v
    symplectic = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    assert np.abs(matrix.T @ symplectic @ matrix - symplectic).max() < 1e-12


@pytest.mark.compiled
def test_control_uses_them() -> None:
    """The same matrices as by central differences of steps, whose error is 1e-9, with a ball that turns meanwhile."""
    model = zoo.random_tree(6, 2, ("Spherical", "Revolute", "Prismatic"), damping=0.2)
    state = zoo.random_state(model, 2)
    method = da.GalerkinVI(tol=1e-14)
    found = linearize(model, state, dt=0.05, integrator=method)
    n, columns = model.system.n_v, list(found.rates)

    def after(x: np.ndarray) -> np.ndarray:
        near = displaced(model, state, x[:n], state.rates[:n] + x[n : 2 * n])
        force = np.zeros(n)
        force[columns] = x[2 * n :]
        end = step(method, model, near, 0.05, force, np.zeros((model.n_bodies, 6)))
        return np.concatenate([difference(model, end, state), end.rates[:n] - state.rates[:n]])

    expected = derivatives(after, np.zeros(2 * n + len(columns)))
    assert np.abs(np.hstack([found.A, found.B]) - expected).max() < 1e-10
    assert np.abs(found.offset - after(np.zeros(2 * n + len(columns)))).max() < 1e-13


def test_what_cannot_be_differentiated_is_refused() -> None:
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    builder.add_body("bob", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    builder.add_joint("pivot", da.Revolute(axis=(0, 1, 0)), parent="world", child="bob", anchor=(0, 0, 0))
    model = builder.build()
    with pytest.raises(da.ModelError, match=r"force: expected finite numbers of shape \(1,\)"):
        da.GalerkinVI().linearize(model, model.state(), 0.01, force=[1.0, 2.0])
    with pytest.raises(da.ModelError, match="wrenches: expected finite numbers"):
        da.GalerkinVI().linearize(model, model.state(), 0.01, wrenches=np.full((1, 6), np.nan))
