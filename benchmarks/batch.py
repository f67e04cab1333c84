"""A batch of chains beside MuJoCo's rollout: processor time in microseconds for each step of each member.

    python benchmarks/batch.py [--members 1024] [--links 10] [--steps 1000] [--threads 1 2]

Chains of ten links with revolute joints, let go from different angles; steps of 1 ms, the same for both, recorded at
the end only. *One run* is a single run stepped alone, without setting it up; *times one run* is how many times as many
steps a core makes in a batch, setting up included. MuJoCo's rollout steps its Euler integrator on as many threads.
Processor time of all threads together, so that other work on the machine does not count; compilation excluded.
"""

from __future__ import annotations

import argparse
import time
from importlib import import_module
from typing import Any

import numpy as np
from tree_chain import mujoco_chain

import dalembert as da
from dalembert.zoo.pendulum import pendulum

STEP = 0.001


def main() -> None:
    """Print one line for each number of threads."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--members", type=int, default=1024)
    parser.add_argument("--links", type=int, default=10)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    model = pendulum(options.links)
    states = [model.state(positions={"joint1": 1.0 + 1e-3 * k}) for k in range(options.members)]
    single = one_run(model, states[0], options.steps)
    print(f"one run: {single:.2f} µs a step")
    print(f"{'threads':>7}{'µs/step':>10}{'times one run':>15}{'MuJoCo':>10}{'ratio':>8}")
    for threads in options.threads:
        ours = batch(model, states, options.steps, threads)
        theirs = rollout(model, options.links, states, options.steps, threads)
        share = single / ours
        print(f"{threads:>7}{ours:>10.2f}{share:>15.2f}{theirs:>10.2f}{ours / theirs:>8.2f}", flush=True)


def one_run(model: da.Model, state: da.State, steps: int) -> float:
    """µs of a step of a run that is set up already."""
    best = np.inf
    for _ in range(5):
        stepper = da.MaximalVI().start(model, state, STEP)
        stepper.advance(1)
        began = time.process_time()
        stepper.advance(steps)
        best = min(best, time.process_time() - began)
    return 1e6 * best / steps


def batch(model: da.Model, states: list[da.State], steps: int, threads: int) -> float:
    """µs for each step of each member, setting up included."""
    setting: dict[str, Any] = {"dt": STEP, "integrator": da.MaximalVI(), "threads": threads, "every": steps}
    da.simulate_batch(model, states[:9], duration=steps * STEP, **setting)
    best = np.inf
    for _ in range(2):
        began = time.process_time()
        da.simulate_batch(model, states, duration=steps * STEP, **setting)
        best = min(best, time.process_time() - began)
    return 1e6 * best / (steps * len(states))


def rollout(model: da.Model, links: int, states: list[da.State], steps: int, threads: int) -> float:
    """The same of MuJoCo's rollout."""
    mujoco: Any = import_module("mujoco")
    engine: Any = mujoco_chain(model, links, "revolute")
    engine.opt.timestep = STEP
    data = mujoco.MjData(engine)
    start = np.zeros((len(states), mujoco.mj_stateSize(engine, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    for row, state in zip(start, states, strict=True):
        data.qpos[:] = state.coordinates
        mujoco.mj_getState(engine, data, row, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    workers = [mujoco.MjData(engine) for _ in range(threads)]
    run: Any = import_module("mujoco.rollout").rollout
    best = np.inf
    for _ in range(2):
        began = time.process_time()
        run(engine, workers, start, nstep=steps)
        best = min(best, time.process_time() - began)
    return 1e6 * best / (steps * len(states))


if __name__ == "__main__":
    main()
