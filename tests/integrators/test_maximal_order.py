"""The observed order of accuracy: three runs, the step halved each time, and how much their ends differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo

Start = tuple[da.Model, da.State]
DRIVEN = np.linspace(-3.0, 3.0, 64)


def ends(model: da.Model, state: da.State, steps: int, duration: float, method: da.MaximalVI, force: bool) -> Any:
    """Poses and knot velocities of all bodies at the end."""
    run = da.simulate(
        model,
        state,
        duration=duration,
        dt=duration / steps,
        every=steps,
        integrator=method,
        controller=(lambda time, state: DRIVEN[: model.system.n_v]) if force else None,
    )
    return (
        np.concatenate([run.position[-1].ravel(), run.orientation[-1].ravel()]),
        np.concatenate([run.velocity[-1].ravel(), run.angular_velocity[-1].ravel()]),
    )


def orders(
    model: da.Model, state: da.State, steps: int, duration: float = 0.4, *, force: bool = False, **options: Any
) -> tuple[float, float]:
    """Observed orders of poses and of velocities."""
    method = da.MaximalVI(tol=1e-12, **options)
    runs = [ends(model, state, n, duration, method, force) for n in (steps, 2 * steps, 4 * steps)]
    poses, velocities = ([np.linalg.norm(runs[i][k] - runs[i + 1][k]) for i in range(2)] for k in range(2))
    return float(np.log2(poses[0] / poses[1])), float(np.log2(velocities[0] / velocities[1]))


def tree(**options: Any) -> Start:
    """One joint of every kind."""
    model = zoo.random_tree(14, 3, **options)
    return model, zoo.random_state(model, 3)


def loops(**options: Any) -> Start:
    """Loops of random joints that share bodies."""
    model = zoo.random_loops(6, 2, 3, **options)
    return model, zoo.random_state(model, 3)


def segments(**options: Any) -> Start:
    """Closed rhombi whose planar joints are redundant."""
    model = zoo.four_bar_chain(2, **options)
    return model, model.state()


SPRINGS = {"stiffness": 30.0, "rest": 0.1}
CASES: dict[str, Callable[[], Start]] = {
    "tree": tree,
    "tree, springs": lambda: tree(**SPRINGS),
    "tree, dampers": lambda: tree(damping=0.5),
    "tree, rotors": lambda: tree(armature=0.1),
    "tree, all": lambda: tree(damping=0.5, armature=0.1, **SPRINGS),
    "loops": loops,
    "loops, dampers": lambda: loops(damping=0.5),
    "loops, all": lambda: loops(damping=0.5, armature=0.1, **SPRINGS),
    "redundant loops": segments,
}


@pytest.mark.parametrize("force", [False, True], ids=["free", "driven"])
@pytest.mark.parametrize("case", CASES)
def test_second_order_in_poses_and_knot_velocities(case: str, force: bool) -> None:
    model, state = CASES[case]()
    # undamped springs on light bodies: their fastest shaking asks for smaller steps
    steps = 256 if case == "tree, springs" else 64
    assert orders(model, state, steps, force=force) == pytest.approx((2.0, 2.0), abs=0.1)


@pytest.mark.parametrize("case", ["tree", "loops", "loops, dampers", "redundant loops"])
def test_first_order_with_the_start_of_the_papers(case: str) -> None:
    """They take the velocities of the start for those of the first interval and so lose half a step."""
    model, state = CASES[case]()
    assert orders(model, state, 256, initial_velocity="interval") == pytest.approx((1.0, 1.0), abs=0.1)


def test_the_graph_solver_has_the_order_of_the_tree_solver() -> None:
    model, state = CASES["tree, all"]()
    assert orders(model, state, 64, linear_solver="graph") == pytest.approx((2.0, 2.0), abs=0.1)


def test_the_start_of_the_papers_coasts_through_the_first_interval() -> None:
    """x₁ = x₀ + h v₀, whatever pulls; the first recorded instant is the start."""
    model, state = CASES["tree, all"]()
    method = da.MaximalVI(initial_velocity="interval")
    run = da.simulate(model, state, duration=0.04, dt=0.01, integrator=method)
    np.testing.assert_array_equal(run.position[0], state.position)
    np.testing.assert_allclose(run.velocity[0], state.velocity, rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.position[1], state.position + 0.01 * state.velocity, rtol=0, atol=1e-15)
    # turns open the joints by something of second order, which the next step closes
    assert 1e-6 < run.constraint_error[1] < 1e-3
    assert run.constraint_error[2:].max() < 1e-10
    coarse = da.simulate(model, state, duration=0.04, dt=0.01, every=2, integrator=method)
    np.testing.assert_array_equal(coarse.position, run.position[::2])
    np.testing.assert_array_equal(coarse.constraint_error[1], run.constraint_error[1])
    half = da.simulate(model, state, duration=0.02, dt=0.01, integrator=method)
    rest = da.simulate(model, half.final_state, duration=0.02, dt=0.01, integrator=method)
    np.testing.assert_array_equal(rest.position, run.position[2:])
