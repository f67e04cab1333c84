"""What `MinimalVI` promises on trees of all joint kinds, whichever way its roots are found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.model.joints import JOINT_KINDS

ROOTS: tuple[Any, ...] = ("exact", "riqn", "broyden", "newton")
GUESSES: tuple[Any, ...] = ("ig1", "ig2", "ig3", "extrapolation")
INSIDE: dict[str, dict[str, Any]] = {
    "bare": {},
    "springs": {"stiffness": 30.0, "rest": 0.1},
    "dampers": {"damping": 0.5},
    "all": {"stiffness": 5.0, "damping": 0.2, "rest": 0.1, "armature": 0.05},
}


def end(model: da.Model, state: da.State, steps: int, duration: float, **options: Any) -> da.Trajectory:
    chosen: dict[str, Any] = {"tol": 1e-12, **options}
    integrator = da.MinimalVI(**chosen)
    force = np.linspace(-3.0, 3.0, model.system.n_v)
    return da.simulate(
        model,
        state,
        duration=duration,
        dt=duration / steps,
        every=steps,
        integrator=integrator,
        controller=lambda time, state: force,
    )


@pytest.mark.parametrize("inside", INSIDE)
def test_all_methods_find_the_same_root(inside: str) -> None:
    # one joint of every kind, declared both ways
    model = zoo.random_tree(len(JOINT_KINDS) + 2, 11, **INSIDE[inside])
    state = zoo.random_state(model, 3)
    runs = [end(model, state, 10, 0.05, root=root, tol=1e-13) for root in ROOTS]
    for run in runs[1:]:
        np.testing.assert_allclose(run.position[-1], runs[0].position[-1], rtol=0, atol=1e-11)
        np.testing.assert_allclose(run.q[-1], runs[0].q[-1], rtol=0, atol=1e-11)


@pytest.mark.parametrize("guess", GUESSES)
def test_the_root_does_not_depend_on_the_guess(guess: str) -> None:
    model = zoo.random_tree(8, 4)
    state = zoo.random_state(model, 4)
    expected = end(model, state, 20, 0.2, tol=1e-13)
    found = end(model, state, 20, 0.2, tol=1e-13, initial_guess=guess)
    np.testing.assert_allclose(found.position[-1], expected.position[-1], rtol=0, atol=1e-11)


@pytest.mark.parametrize("inside", INSIDE)
def test_second_order_and_the_limit_of_the_maximal_integrator(inside: str) -> None:
    model = zoo.random_tree(len(JOINT_KINDS), 3, **INSIDE[inside])
    state = zoo.random_state(model, 3)
    # undamped springs on light bodies shake fast
    steps, duration = (384 if inside == "springs" else 256), 0.4
    runs = [end(model, state, n * steps, duration) for n in (1, 2, 4)]
    for rows in ("position", "velocity"):
        values = [getattr(run, rows)[-1] for run in runs]
        coarse, fine = np.linalg.norm(values[0] - values[1]), np.linalg.norm(values[1] - values[2])
        assert abs(np.log2(coarse / fine) - 2.0) <= 0.1
    force = np.linspace(-3.0, 3.0, model.system.n_v)
    others = [
        da.simulate(
            model,
            state,
            duration=duration,
            dt=duration / (n * steps),
            every=n * steps,
            integrator=da.MaximalVI(tol=1e-12),
            controller=lambda time, state: force,
        )
        for n in (1, 2, 4)
    ]
    limits = [_limit([run.position[-1] for run in found]) for found in (runs, others)]
    # the sixth-order rest of two extrapolations
    np.testing.assert_allclose(limits[0], limits[1], rtol=0, atol=1e-8)


def _limit(values: list[np.ndarray]) -> np.ndarray:
    coarse, middle, fine = values
    once, twice = (4.0 * middle - coarse) / 3.0, (4.0 * fine - middle) / 3.0
    return (16.0 * twice - once) / 15.0


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("inside", INSIDE)
def test_free_trees_keep_their_momentum(inside: str, root: Any) -> None:
    model = zoo.random_tree(15, 1, floating_base=True, gravity=0.0, **INSIDE[inside])
    run = da.simulate(
        model,
        zoo.random_state(model, 1),
        duration=2.0,
        dt=0.01,
        every=10,
        integrator=da.MinimalVI(tol=1e-13, root=root),
    )
    # rounding of momenta of about ten, and what root finding leaves: a position's error over the step
    np.testing.assert_allclose(run.linear_momentum, run.linear_momentum[[0] * len(run)], rtol=0, atol=1e-10)
    np.testing.assert_allclose(run.angular_momentum, run.angular_momentum[[0] * len(run)], rtol=0, atol=1e-10)


def test_a_free_body_turns_by_the_logarithm_of_its_rate() -> None:
    # about a principal axis p⁻ = J θ/h: any turn below half a revolution has the momentum of its rate exactly
    model = zoo.pendulum(1, da.Revolute(axis=(0, 1, 0)), gravity=0.0)
    dt, rate = 0.01, 300.0
    # three radians a step, which the quaternion's sine could not follow; the pivot shifts the centre along its arc
    run = da.simulate(
        model,
        model.state(velocities={"joint1": rate}),
        duration=1.0,
        dt=dt,
        integrator=da.MinimalVI(tol=1e-13, initial_guess="ig2"),
    )
    turns = np.diff(run.q[:, 0])
    assert np.ptp(turns) <= 1e-11


def test_energy_stays_in_a_band() -> None:
    model = zoo.double_pendulum()
    state = zoo.pendulum_start(model, 1.0)
    run = da.simulate(model, state, duration=100.0, dt=0.01, integrator=da.MinimalVI())
    energy = run.energy - run.energy[0]
    scale = run.kinetic.max()
    # a band of second order in the step
    assert np.abs(energy).max() <= 2e-3 * scale
    halves = np.abs(energy[: len(run) // 2]).max(), np.abs(energy[len(run) // 2 :]).max()
    assert halves[1] <= 1.2 * halves[0]


def test_a_motion_runs_back() -> None:
    model = zoo.random_tree(8, 5)
    state = zoo.random_state(model, 5)
    there = da.simulate(model, state, duration=0.5, dt=0.01, integrator=da.MinimalVI(tol=1e-13))
    turned = there.final_state
    back_start = model.state_from_bodies(
        turned.position, turned.orientation, -turned.velocity, -turned.angular_velocity, near=turned
    )
    back = da.simulate(model, back_start, duration=0.5, dt=0.01, integrator=da.MinimalVI(tol=1e-13))
    np.testing.assert_allclose(back.position[-1], state.position, rtol=0, atol=1e-9)


@pytest.mark.parametrize("root", ROOTS)
def test_a_resumed_run_has_the_same_bits(root: Any) -> None:
    model = zoo.random_tree(10, 7, damping=0.1)
    state = zoo.random_state(model, 8)
    integrator = da.MinimalVI(root=root)
    whole = da.simulate(model, state, duration=0.3, dt=0.01, every=5, integrator=integrator)
    half = da.simulate(model, state, duration=0.15, dt=0.01, every=5, integrator=integrator)
    rest = da.simulate(model, half.final_state, duration=0.15, dt=0.01, every=5, integrator=integrator)
    np.testing.assert_array_equal(rest.position[-1], whole.position[-1])
    np.testing.assert_array_equal(rest.velocity[-1], whole.velocity[-1])
    fine = da.simulate(model, state, duration=0.3, dt=0.01, integrator=integrator)
    np.testing.assert_array_equal(fine.position[::5], whole.position)


def test_reactions_are_those_of_the_maximal_integrator_as_the_step_vanishes() -> None:
    model = zoo.random_tree(8, 4)
    state = zoo.random_state(model, 4)
    gaps = []
    for dt in (2e-3, 1e-3):
        runs = [
            da.simulate(model, state, duration=0.1, dt=dt, integrator=kind(tol=1e-13))
            for kind in (da.MinimalVI, da.MaximalVI)
        ]
        every = round(2e-3 / dt)
        gaps.append(np.abs(runs[0].record.multiplier - runs[1].record.multiplier)[2 * every : -2 * every : every].max())
    assert abs(np.log2(gaps[0] / gaps[1]) - 2.0) <= 0.1


def test_a_spin_that_no_step_can_follow_is_refused() -> None:
    model = zoo.pendulum(2, gravity=0.0)
    state = model.state(velocities={"joint1": 400.0})
    with pytest.raises(da.SimulationError, match="half a revolution") as failure:
        da.simulate(model, state, duration=0.1, dt=0.01, integrator=da.MinimalVI())
    assert "link" in str(failure.value.worst)


def test_a_start_that_is_too_rough_is_an_error() -> None:
    model = zoo.pendulum(10)
    state = zoo.pendulum_start(model)
    with pytest.raises(da.SimulationError, match="smaller dt") as failure:
        da.simulate(model, state, duration=10.0, dt=0.5, integrator=da.MinimalVI())
    assert np.isfinite(failure.value.trajectory.position).all()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"root": "secant"}, "root"),
        ({"initial_guess": "ig4"}, "initial_guess"),
        ({"tol": 0.0}, "tol"),
        ({"max_iterations": 0}, "max_iterations"),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(da.ModelError, match=f"MinimalVI, {text}"):
        da.MinimalVI(**options)
