"""RIQN on serial chains: microseconds per step beside DART's published ones, with Pinocchio's ABA as the yardstick.

    python benchmarks/minimal.py [--links 1 10 32 100 128 256] [--steps 200] [--root exact riqn broyden] [--repeats 5]

Chains of links of 1 m and 1 kg with revolute joints, steps of 1 ms, tolerance 1e-10, one thread. A chain is let go
from a bent position at rest, so that all its joints move. DART's times are those of its own benchmark of the same
algorithm, on another machine: 0.378 ms a step at 32 links and 2.66 ms at 128. Pinocchio's ABA, one evaluation of the
accelerations of the same chain, is measured in the same run: it says how fast this machine is. Times are the best of
several runs.
"""

from __future__ import annotations

import argparse
import time
from importlib import import_module
from typing import Any

import numpy as np

import dalembert as da
from dalembert.integrators.minimal.stepper import MinimalTreeStepper
from dalembert.zoo.pendulum import pendulum, pendulum_start

STEP = 0.001
DART = {32: 378.0, 128: 2660.0}


def main() -> None:
    """Print one line for each length and method."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, nargs="+", default=[1, 10, 32, 100, 128, 256])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--root", nargs="+", default=["exact", "riqn", "broyden"])
    parser.add_argument("--guess", default="extrapolation")
    options = parser.parse_args()
    print(f"{'links':>6}{'root':>9}{'µs/step':>10}{'µs/link':>9}{'iterations':>12}{'ABA µs':>8}{'DART/ours':>11}")
    for links in options.links:
        yardstick = aba_time(links)
        for root in options.root:
            seconds, iterations = measure(links, root, options.guess, options.steps, options.repeats)
            dart = f"{DART[links] / (1e6 * seconds):>11.1f}" if links in DART else ""
            print(
                f"{links:>6}{root:>9}{1e6 * seconds:>10.2f}{1e6 * seconds / links:>9.3f}{iterations:>12.2f}"
                f"{1e6 * yardstick:>8.2f}{dart}",
                flush=True,
            )


def measure(links: int, root: Any, guess: Any, steps: int, repeats: int) -> tuple[float, float]:
    """(seconds per step, evaluations of the residual per step)."""
    model = pendulum(links)
    state = pendulum_start(model, 0.5 * np.pi, 0.02)
    stepper = da.MinimalVI(root=root, initial_guess=guess).start(model, state, STEP)
    assert isinstance(stepper, MinimalTreeStepper)
    start = [array.copy() for array in stepper._knot]
    best, iterations = np.inf, 0
    for _ in range(repeats):
        for array, before in zip(stepper._knot, start, strict=True):
            array[...] = before
        began = time.perf_counter()
        iterations = stepper.advance(steps)[0]
        best = min(best, time.perf_counter() - began)
    return best / steps, iterations / steps


def aba_time(links: int) -> float:
    """Seconds of Pinocchio's articulated-body algorithm on the same chain; NaN without Pinocchio."""
    try:
        pin: Any = import_module("pinocchio")
    except ImportError:
        return float("nan")
    model = pin.Model()
    parent = 0
    for i in range(links):
        below = pin.SE3(np.eye(3), np.array([0.0, 0.0, -1.0 if i else 0.0]))
        parent = model.addJoint(parent, pin.JointModelRY(), below, f"joint{i}")
        inertia = pin.Inertia(1.0, np.array([0.0, 0.0, -0.5]), np.diag([1.0 / 12.0, 1.0 / 12.0, 1e-6]))
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    data = model.createData()
    q, v, tau = np.full(links, 0.02), np.zeros(links), np.zeros(links)
    best = np.inf
    for _ in range(20):
        began = time.perf_counter()
        for _ in range(50):
            pin.aba(model, data, q, v, tau)
        best = min(best, (time.perf_counter() - began) / 50)
    return best


if __name__ == "__main__":
    main()
