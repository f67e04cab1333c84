"""All linear solvers take the same steps, the same bits come twice, nothing is allocated in a step, JIT on or off."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo

LOADED: dict[str, Any] = {"stiffness": 20.0, "damping": 0.3, "rest": 0.2, "armature": 0.05}


def mechanism(name: str) -> tuple[da.Model, da.State]:
    if name in ("random_tree", "random_loops"):
        model = zoo.random_tree(14, 5, **LOADED) if name == "random_tree" else zoo.random_loops(8, 3, 1, **LOADED)
        return model, zoo.random_state(model, 5)
    entry = zoo.ZOO[name]
    model = entry.build()
    return model, entry.start(model)


MECHANISMS = ["random_tree", "random_loops", "four_bar_chain", "ladder"]


@pytest.mark.parametrize("name", MECHANISMS)
def test_solvers_agree(name: str) -> None:
    """Twenty steps, each solved to rounding error."""
    model, state = mechanism(name)
    runs = [
        da.simulate(model, state, duration=0.2, dt=0.01, integrator=da.MaximalVI(tol=1e-13, linear_solver=solver))
        for solver in ("graph", "dense", "auto")
    ]
    for run in runs[1:]:
        np.testing.assert_allclose(run.position, runs[0].position, rtol=0, atol=1e-12)
        np.testing.assert_allclose(run.orientation, runs[0].orientation, rtol=0, atol=1e-12)
        np.testing.assert_allclose(run.velocity, runs[0].velocity, rtol=0, atol=1e-11)
        np.testing.assert_allclose(run.q, runs[0].q, rtol=0, atol=1e-12)
        np.testing.assert_allclose(run.qdot, runs[0].qdot, rtol=0, atol=1e-11)


@pytest.mark.parametrize("solver", ["graph", "auto"])
@pytest.mark.parametrize("name", MECHANISMS)
def test_the_same_bits_twice_and_after_a_stop(name: str, solver: Any) -> None:
    model, state = mechanism(name)
    method = da.MaximalVI(linear_solver=solver)
    whole = da.simulate(model, state, duration=0.4, dt=0.01, integrator=method)
    again = da.simulate(model, state, duration=0.4, dt=0.01, integrator=method)
    for first, second in zip(whole.record, again.record, strict=True):
        np.testing.assert_array_equal(first, second)
    half = da.simulate(model, state, duration=0.2, dt=0.01, integrator=method)
    rest = da.simulate(model, half.final_state, duration=0.2, dt=0.01, integrator=method)
    for first, second in zip(whole.record[:6], rest.record[:6], strict=True):
        np.testing.assert_array_equal(first[21:], second[1:])


@pytest.mark.parametrize("solver", ["graph", "auto"])
@pytest.mark.parametrize("name", MECHANISMS)
def test_coarse_recording_and_one_step_at_a_time_change_nothing(name: str, solver: Any) -> None:
    model, state = mechanism(name)
    method = da.MaximalVI(linear_solver=solver)
    fine = da.simulate(model, state, duration=0.2, dt=0.01, integrator=method)
    coarse = da.simulate(model, state, duration=0.2, dt=0.01, every=5, integrator=method)
    for first, second in zip(fine.record[:5], coarse.record[:5], strict=True):
        if solver == "graph":
            np.testing.assert_array_equal(first[::5], second)
        else:
            # the tree solver reads the knot again where it is recorded, so that a run resumes from there
            np.testing.assert_allclose(first[::5], second, rtol=0, atol=1e-12)
    if solver == "graph":
        assert coarse.iterations.sum() == fine.iterations.sum()
        assert coarse.constraint_error.max() == fine.constraint_error.max()
    # a controller that does nothing makes the loop leave compiled code at every step
    watched = da.simulate(model, state, duration=0.2, dt=0.01, integrator=method, controller=lambda time, state: None)
    for first, second in zip(fine.record[:6], watched.record[:6], strict=True):
        np.testing.assert_array_equal(first, second)


@pytest.mark.compiled
@pytest.mark.parametrize("solver", ["graph", "auto"])
@pytest.mark.parametrize("name", MECHANISMS)
def test_a_step_allocates_nothing(name: str, solver: Any) -> None:
    """Numba's own count of allocations is that of the call, however many steps it takes."""
    runtime: Any = import_module("numba.core.runtime")
    switches, statistics = runtime._nrt_python, runtime.rtsys.get_allocation_stats
    model, state = mechanism(name)
    stepper = da.MaximalVI(linear_solver=solver).start(model, state, 0.01)
    stepper.advance(1)
    enabled = switches.memsys_stats_enabled()
    switches.memsys_enable_stats()
    try:
        counts = []
        for n in (10, 20, 40):
            before = statistics()
            stepper.advance(n)
            after = statistics()
            counts.append((after.alloc - before.alloc, after.mi_alloc - before.mi_alloc))
    finally:
        if not enabled:
            switches.memsys_disable_stats()
    assert counts[0] == counts[1] == counts[2]


SCRIPT = """
import json
import dalembert as da
from dalembert import zoo
out = {}
for name in ("double_pendulum", "three_link_loop"):
    model = zoo.ZOO[name].build()
    run = da.simulate(model, zoo.ZOO[name].start(model), duration=0.03, dt=0.01, integrator=da.MaximalVI())
    out[name] = run.position[-1].tolist()
print(json.dumps(out))
"""


def test_plain_python_takes_the_same_steps() -> None:
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1")
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True)
    for name, position in json.loads(done.stdout).items():
        model = zoo.ZOO[name].build()
        run = da.simulate(model, zoo.ZOO[name].start(model), duration=0.03, dt=0.01, integrator=da.MaximalVI())
        # the compiler may contract products and sums
        np.testing.assert_allclose(position, run.position[-1], rtol=0, atol=1e-14)
