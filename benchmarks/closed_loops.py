"""Chains of closed four-link segments beside MuJoCo, whose loops are equality constraints: cost, gaps and energy.

    python benchmarks/closed_loops.py [--duration 5] [--segments 1 5 20]

The same mechanism, the same start at rest, the same step of 0.01 s, one thread. A *gap* is the largest distance, over
all steps and all loops, between the two points that a loop-closing joint holds together. *Energy* is the largest change
of the total energy, over the largest kinetic energy; nothing here dissipates. Times are the best of three runs, without
compilation and without recording. MuJoCo closes loops by soft constraints, here with its default parameters;
``inf`` stands for a run that it reported as unstable.
"""

from __future__ import annotations

import argparse
import time
from importlib import import_module
from typing import Any

import numpy as np

import dalembert as da
from dalembert.spatial.quaternion import rotate
from dalembert.studies.in_mujoco import mjcf
from dalembert.zoo import four_bar_chain

mujoco: Any = import_module("mujoco")

STEP = 0.01
TILT = 0.1
"""rad, of the chain at the start. A wilder start cracks a long chain like a whip, which no step of 10 ms resolves."""


def main() -> None:
    """Print one line for each size and engine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--duration", type=float, default=5.0, help="seconds to simulate")
    parser.add_argument("--segments", type=int, nargs="+", default=[1, 5, 20])
    options = parser.parse_args()
    steps = round(options.duration / STEP)
    print(f"{'segments':>8} {'engine':<28}{'µs/step':>10}{'ratio':>8}{'gap (m)':>11}{'energy':>10}")
    for segments in options.segments:
        model = four_bar_chain(segments, tilt=TILT)
        micro, gap, energy = ours(model, steps)
        print(
            f"{segments:>8} {'dalembert MaximalVI':<28}{micro:>10.1f}{1:>8.2f}{gap:>11.1e}{energy:>10.1e}", flush=True
        )
        for integrator in ("Euler", "implicitfast", "RK4"):
            other, gap, energy = theirs(model, steps, integrator)
            name = f"MuJoCo {mujoco.__version__} {integrator}"
            print(f"{segments:>8} {name:<28}{other:>10.1f}{other / micro:>8.2f}{gap:>11.1e}{energy:>10.1e}", flush=True)


def ours(model: da.Model, steps: int) -> tuple[float, float, float]:
    """(µs a step, largest gap, largest change of energy over largest kinetic energy)."""
    method = da.MaximalVI()
    run = da.simulate(model, duration=steps * STEP, dt=STEP, integrator=method)
    timed = [da.simulate(model, duration=steps * STEP, dt=STEP, integrator=method, every=steps) for _ in range(3)]
    gap = max(gap_between(model, x, q) for x, q in zip(run.position, run.orientation, strict=True))
    change = np.abs(run.energy - run.energy[0]).max() / run.kinetic.max()
    return 1e6 * min(each.wall_time for each in timed) / steps, gap, change


def theirs(model: da.Model, steps: int, integrator: str) -> tuple[float, float, float]:
    """The same of MuJoCo."""
    engine = mujoco.MjModel.from_xml_string(mjcf(model, integrator, STEP))
    data = mujoco.MjData(engine)
    best = np.inf
    for _ in range(3):
        mujoco.mj_resetData(engine, data)
        start = time.perf_counter()
        for _ in range(steps):
            mujoco.mj_step(engine, data)
        best = min(best, time.perf_counter() - start)
    mujoco.mj_resetData(engine, data)
    gap, energy, kinetic = 0.0, [], 0.0
    for _ in range(steps):
        mujoco.mj_step(engine, data)
        # positions and energies of the new state
        mujoco.mj_forward(engine, data)
        gap = max(gap, gap_between(model, data.xipos[1:], data.xquat[1:]))
        energy.append(data.energy.sum())
        kinetic = max(kinetic, data.energy[1])
    # MuJoCo starts anew by itself when a coordinate is no longer finite
    unstable = (
        data.warning[mujoco.mjtWarning.mjWARN_BADQPOS].number or data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number
    )
    mujoco.mj_resetData(engine, data)
    mujoco.mj_forward(engine, data)
    change = np.abs(np.array(energy) - data.energy.sum()).max() / kinetic
    if unstable:
        gap = change = np.inf
    return 1e6 * best / steps, gap, change


def gap_between(model: da.Model, position: np.ndarray, orientation: np.ndarray) -> float:
    """The largest distance of the two points of a loop-closing joint, for bodies in the model's order."""
    system, largest = model.system, 0.0
    for j in system.loop_joint:
        ends = []
        for i, p in ((system.joint_parent[j], system.parent_point[j]), (system.joint_child[j], system.child_point[j])):
            ends.append(position[i] + rotate(tuple(orientation[i]), tuple(p)))
        largest = max(largest, float(np.linalg.norm(ends[0] - ends[1])))
    return largest


if __name__ == "__main__":
    main()
