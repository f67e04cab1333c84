"""Open trees beside MuJoCo's Euler: microseconds per step of the variational integrator's tree solver.

    python benchmarks/tree_chain.py [--links 1 10 100 300 1000 3000] [--joint revolute|spherical] [--steps 50]

A chain of rods of 1 m and 1 kg is let go from the horizontal; gravity along −z, steps of 0.01 s, tolerance 1e-10, one
thread, no friction, no contact. The run is short because a long chain of such rods soon shakes faster than a step of
0.01 s resolves, in any engine. Both engines take the same steps from the same start in one run, in turn, without
compilation and without recording; each time is the best of several runs (of one for MuJoCo's longest chains).
*Exponent* is the slope between two lines in a log-log plot. *Increments* are full Newton increments per step; most are
followed by a simplified one.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import mujoco as _mujoco
import numpy as np

import dalembert as da
from dalembert.integrators.maximal.tree_stepper import TreeStepper
from dalembert.zoo.pendulum import pendulum, pendulum_start

# its stubs lack most names
mujoco: Any = _mujoco
STEP = 0.01


def main() -> None:
    """Print one line for each length."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, nargs="+", default=[1, 10, 100, 300, 1000, 3000])
    parser.add_argument("--joint", choices=("revolute", "spherical"), default="revolute")
    parser.add_argument("--steps", type=int, default=50)
    options = parser.parse_args()
    print(f"{'links':>6}{'µs/step':>11}{'µs/link':>9}{'increments':>12}{'MuJoCo':>11}{'ratio':>8}{'exponent':>10}")
    last: tuple[int, float] | None = None
    for links in options.links:
        ours, theirs, increments = measure(links, options.joint, options.steps)
        exponent = "" if last is None else f"{np.log(ours / last[1]) / np.log(links / last[0]):>10.2f}"
        print(
            f"{links:>6}{ours:>11.2f}{ours / links:>9.3f}{increments:>12.2f}"
            + (f"{theirs:>11.2f}{ours / theirs:>8.3f}" if np.isfinite(theirs) else f"{'refused':>11}{'':>8}")
            + exponent,
            flush=True,
        )
        last = links, ours


def measure(links: int, joint: str, steps: int) -> tuple[float, float, float]:
    """(µs per step, MuJoCo's, full Newton increments per step)."""
    model = pendulum(links, da.Revolute(axis=(0, 1, 0)) if joint == "revolute" else da.Spherical())
    stepper = da.MaximalVI(tol=1e-10, linear_solver="tree").start(model, pendulum_start(model), STEP)
    assert isinstance(stepper, TreeStepper)
    start = [array.copy() for array in stepper._knot]
    # MuJoCo refuses a chain of more than 1024 bodies
    engine: Any = mujoco_chain(model, links, joint) if links <= 1024 else None
    data: Any = None if engine is None else mujoco.MjData(engine)
    stepper.advance(1)
    ours, theirs, increments = np.inf, np.inf, 0
    for _ in range(int(np.clip(1e6 / (links * steps), 5, 300))):
        for array, before in zip(stepper._knot, start, strict=True):
            array[...] = before
        began = time.perf_counter()
        increments = stepper.advance(steps)[0]
        ours = min(ours, time.perf_counter() - began)
        if engine is None or (theirs < np.inf and links > 500):
            continue
        mujoco.mj_resetData(engine, data)
        if joint == "revolute":
            data.qpos[0] = np.pi / 2
        else:
            data.qpos[0:4] = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)
        began = time.perf_counter()
        mujoco.mj_step(engine, data, steps)
        theirs = min(theirs, time.perf_counter() - began)
    return 1e6 * ours / steps, 1e6 * theirs / steps, increments / steps


def mujoco_chain(model: da.Model, links: int, joint: str) -> Any:
    """The same rods, built in memory: MuJoCo's XML reader refuses deep chains."""
    spec = mujoco.MjSpec()
    spec.option.timestep = STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    body = spec.worldbody
    inertia = np.sort(np.diag(model.system.inertia[0]))
    for i in range(links):
        body = body.add_body(pos=(0.0, 0.0, 0.0 if i == 0 else -1.0))
        kind = mujoco.mjtJoint.mjJNT_HINGE if joint == "revolute" else mujoco.mjtJoint.mjJNT_BALL
        body.add_joint(type=kind, axis=(0.0, 1.0, 0.0))
        # the rod's own line is z in the body's frame: the small moment of inertia comes last
        body.ipos, body.mass, body.inertia, body.explicitinertial = (0.0, 0.0, -0.5), 1.0, inertia[::-1], True
    return spec.compile()


if __name__ == "__main__":
    main()
