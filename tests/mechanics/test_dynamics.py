"""Forward, inverse and hybrid dynamics and products in O(n): each against the others, dense algebra and differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mechanics.random_systems import KINDS, Bodies, move_coordinates, random_state, random_system
from mechanics.test_reduced import slope
from scipy.sparse.linalg import aslinearoperator, cg

import dalembert as da
from dalembert import zoo
from dalembert.mechanics.inverse_mass import factor_inverse_mass, inverse_mass_memory, inverse_mass_times
from dalembert.mechanics.jacobian_products import jacobian_rate_times, jacobian_times, jacobian_transposed_times
from dalembert.mechanics.recursive import mass_matrix
from dalembert.mechanics.reduced_tree import move_tree, place_tree, reduced_memory


@pytest.mark.parametrize("seed", range(4))
def test_the_inverse_product_is_the_dense_inverse(seed: int) -> None:
    """Of the whole matrix, and with joints held of the block that is left: 1e-12 of the largest."""
    rng = np.random.default_rng(seed)
    system = random_system(rng, rng.permutation([*KINDS]).tolist(), options=True)
    q, _ = random_state(rng, system)
    at, inverse = reduced_memory(system), inverse_mass_memory(system)
    place_tree(system, at, q)
    mass = mass_matrix(system, *Bodies(system, q).pose)
    x, out = rng.normal(size=system.n_v), np.zeros(system.n_v)
    for held in ((), rng.choice(system.tree_joint, 5, replace=False)):
        inverse.held[list(held)] = 1
        free = np.repeat(inverse.held[system.tree_joint] == 0, system.n_rates[system.tree_joint])
        factor_inverse_mass(system, at, inverse)
        inverse_mass_times(system, at, inverse, x, out)
        expected = np.zeros(system.n_v)
        expected[free] = np.linalg.solve(mass[np.ix_(free, free)], x[free])
        assert np.abs(out - expected).max() < 1e-12 * np.abs(expected).max() * np.linalg.cond(mass) ** 0.5
    assert (out[~free] == 0.0).all()


@pytest.mark.parametrize("seed", range(3))
def test_jacobian_products(seed: int) -> None:
    """J x against the motion of the bodies, J̇ x against differences of J x, Jᵀ y by duality."""
    rng = np.random.default_rng(seed)
    system = random_system(rng, rng.permutation([*KINDS]).tolist())
    q, v = random_state(rng, system)
    x, at = rng.normal(size=system.n_v), reduced_memory(system)
    n = system.mass.size

    def product(q: np.ndarray) -> np.ndarray:
        out = np.zeros((n, 6))
        place_tree(system, at, q)
        jacobian_times(system, at, x, out)
        return out

    found, rate, back = product(q), np.zeros((n, 6)), np.zeros(system.n_v)
    bodies = Bodies(system, q, x)
    assert np.abs(found[:, :3] - bodies.velocity).max() < 1e-12 * np.abs(found).max()
    y = rng.normal(size=(n, 6))
    y[-1] = 0.0
    work = np.sum(found * y)
    jacobian_transposed_times(system, at, y.copy(), back)
    assert abs(work - back @ x) < 1e-12 * np.abs(found * y).sum()
    move_tree(system, at, v, v)
    jacobian_rate_times(system, at, x, found, rate)
    expected = slope(lambda h: product(move_coordinates(system, q, v, h)))
    assert np.abs(rate - expected).max() < 1e-9 * np.abs(expected).max()


def loaded() -> tuple[da.Model, da.State]:
    """A random tree with springs, dampers, a cable and drag."""
    model = zoo.random_tree(8, 2, floating_base=True, damping=0.1, stiffness=2.0)
    return model, zoo.random_state(model, 2)


def names_of(model: da.Model) -> list[str]:
    return [joint.name for joint in model.joints.values() if joint.in_tree and joint.rates.stop > joint.rates.start]


def test_inverse_dynamics_undoes_forward_dynamics() -> None:
    model, state = loaded()
    rng = np.random.default_rng(0)
    size = {name: model.joints[name].rates for name in names_of(model)}
    forces = {name: rng.normal(size=rates.stop - rates.start) for name, rates in size.items()}
    wrenches = {name: (rng.normal(size=3), rng.normal(size=3)) for name in model.bodies}
    forward = model.forward_dynamics(state, forces, wrenches)
    given = {name: forward.accelerations[rates] for name, rates in size.items()}
    inverse = model.inverse_dynamics(state, given, wrenches)
    for name, rates in size.items():
        assert np.abs(inverse.forces[rates] - forces[name]).max() < 1e-11
    back = model.mass_matrix(state) @ model.inverse_mass_times(state, inverse.forces)
    assert np.abs(back - inverse.forces).max() < 1e-11


@pytest.mark.parametrize("make", [zoo.slider_crank, zoo.four_bar_chain, zoo.bricard], ids=lambda make: make.__name__)
def test_forward_dynamics_is_that_of_the_reference_integrator(make: Any) -> None:
    """With loops, redundant rows too: the first small step of a Runge–Kutta method."""
    model = make()
    held = names_of(model)[0]
    state = model.assemble(model.state(velocities={held: 0.7}), hold=(held,)).state
    forward = model.forward_dynamics(state)
    run = da.simulate(model, state, duration=1e-6, dt=1e-6, integrator=da.RungeKutta("rk4"))
    n = model.system.n_v
    rate = (run.final_state.rates[:n] - state.rates[:n]) / 1e-6
    assert np.abs(forward.accelerations - rate).max() < 1e-4 * (1.0 + np.abs(rate).max())


@pytest.mark.parametrize("make", [zoo.slider_crank, zoo.four_bar_chain], ids=lambda make: make.__name__)
def test_hybrid_dynamics_returns_the_forces_of_a_prescribed_motion(make: Any) -> None:
    """Prescribed at one joint of a closed mechanism; these forces, given back, reproduce the accelerations."""
    model = make()
    crank = names_of(model)[0]
    state = model.assemble(model.state(velocities={crank: 0.7}), hold=(crank,)).state
    hybrid = model.hybrid_dynamics(state, {crank: 3.0})
    rates = model.joints[crank].rates
    assert abs(hybrid.accelerations[rates][0] - 3.0) < 1e-13
    again = model.forward_dynamics(state, {crank: hybrid.forces[rates]})
    assert np.abs(again.accelerations - hybrid.accelerations).max() < 1e-9 * np.abs(hybrid.accelerations).max()
    others = np.delete(hybrid.forces, rates)
    assert (others == 0.0).all()


def test_a_motor_drives_a_pendulum_as_prescribed() -> None:
    """A controller of hybrid dynamics keeps q̈ = −sin t at one joint while the other swings freely."""
    model = zoo.pendulum(2, da.Revolute((0, 1, 0)))
    first, second = names_of(model)
    state = model.state(positions={second: 0.5}, velocities={first: 1.0})

    def motor(time: float, state: da.State) -> dict[str, Any]:
        found = model.hybrid_dynamics(state, {first: -np.sin(time)})
        return {first: found.forces[model.joints[first].rates]}

    errors = []
    for steps in (200, 400):
        run = da.simulate(model, state, duration=1.0, dt=1.0 / steps, integrator=da.RungeKutta("rk4"), controller=motor)
        errors.append(abs(run.joint(first).position[-1] - np.sin(1.0)))
    # a force that is held for a step is late by half of it
    assert errors[1] < 0.02
    assert abs(errors[0] / errors[1] - 2.0) < 0.05


def test_the_inverse_product_preconditions() -> None:
    """Conjugate gradients on M + h² K of a chain of 60 links with weak springs: a few iterations instead of many."""
    model = zoo.pendulum(60, da.Revolute((0, 1, 0)))
    state = model.state(positions=dict.fromkeys(names_of(model), 0.1))
    n = model.system.n_v
    matrix = model.mass_matrix(state) + 1e-3 * np.eye(n)
    counts = []
    for inverse in (None, aslinearoperator(model.inverse_mass_times(state, np.eye(n)))):
        steps = [0]
        cg(matrix, np.ones(n), rtol=1e-8, M=inverse, callback=lambda _, steps=steps: steps.__setitem__(0, steps[0] + 1))
        counts.append(steps[0])
    assert counts[1] <= 0.5 * counts[0]


def test_faults_are_named() -> None:
    model, state = loaded()
    name = names_of(model)[1]
    with pytest.raises(da.ModelError, match="leave one of them out"):
        model.hybrid_dynamics(state, {name: 0.0}, {name: 0.0})
    with pytest.raises(da.ModelError, match="the name of a joint"):
        model.forward_dynamics(state, {"nowhere": 1.0})
    with pytest.raises(da.ModelError, match="the name of a body"):
        model.forward_dynamics(state, wrenches={"nowhere": ((0, 0, 0), (0, 0, 0))})
    with pytest.raises(da.ModelError, match="numbers or rows"):
        model.inverse_mass_times(state, np.zeros(3))
