"""What a gradient costs: adjoint against the run itself, finite differences, JAX, and Pinocchio's derivatives.

    python benchmarks/gradients.py [--links 2 4 8 16 32 64] [--steps 100] [--repeats 5]

Chains of rods of 1 m and 1 kg with revolute joints and dampers, BDF2 with steps of 10 ms, one thread. The objective is
where the last rod ends; the gradient is by the torque of every joint in every step, all masses, inertias, lengths and
dampers, and the start, at once. Times are of the processor, per step, the best of several runs:

* run: the steps alone;  backward: the pass backwards;  ratio: (run + backward) / run;
* differences: central differences by one number for each link (2 runs for each), against run + backward;
* JAX: value and gradient of the same objective by the torques of all steps, of closed equations in absolute angles
  with a solve of the dense mass matrix, semi-implicit Euler (explicit: one evaluation a step), compiled, 64 bits;
* RNEA: the derivatives of inverse dynamics, ours and Pinocchio's, one evaluation each.

Exponents are fitted to the longer half of the chains.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np

import dalembert as da
from dalembert._jit import kernel
from dalembert.adjoint.backward import Backward
from dalembert.adjoint.forward import run_on_tape
from dalembert.adjoint.objectives.motion_gradient import MotionGradient
from dalembert.integrators.implicit.stage import stage_memory
from dalembert.integrators.implicit.stepper import loads_memory
from dalembert.mechanics.reduced_equations import differentiate_equations, evaluate_equations
from dalembert.zoo.pendulum import pendulum, pendulum_start

STEP, BEND = 0.01, 0.05


def main() -> None:
    """Print one line for each length, and the exponents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, nargs="+", default=[2, 4, 8, 16, 32, 64])
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    heads = ("run", "backward", "ratio", "differences", "JAX", "JAX/ours", "RNEA", "Pinocchio")
    print(f"{'links':>6}" + "".join(f"{head:>12}" for head in heads) + "   (µs a step; RNEA: µs)")
    rows = []
    for links in options.links:
        run, back = adjoint_times(links, options.steps, options.repeats)
        jax = jax_time(links, options.steps, options.repeats)
        own, pin = derivative_times(links, options.repeats)
        rows.append((links, run, back, jax, own, pin))
        figures = (run, back, 1 + back / run, 2 * links * run / (run + back), jax, jax / (run + back), own, pin)
        print(f"{links:>6}" + "".join(f"{figure:>12.2f}" for figure in figures), flush=True)
    half = np.array(rows[len(rows) // 2 :])
    if len(half) > 1:
        names = ("run", "backward", "JAX", "RNEA", "Pinocchio")
        slopes = [np.polyfit(np.log(half[:, 0]), np.log(half[:, k]), 1)[0] for k in range(1, 6)]
        print("exponents: " + ", ".join(f"{name} {slope:.2f}" for name, slope in zip(names, slopes, strict=True)))


def best(action: Callable[[], Any], repeats: int) -> float:
    """Seconds of the processor that an action takes."""
    action()
    times = []
    for _ in range(repeats):
        began = time.process_time()
        action()
        times.append(time.process_time() - began)
    return min(times)


def chain(links: int) -> tuple[da.Model, da.State]:
    """Hanging to the side, a little bent."""
    model = pendulum(links, damping=0.5)
    return model, pendulum_start(model, 0.5, BEND)


def adjoint_times(links: int, steps: int, repeats: int) -> tuple[float, float]:
    """Microseconds per step of the run and of the pass backwards."""
    model, state = chain(links)
    method, force = da.BDF2(), np.zeros((steps, links))
    run, tape = run_on_tape(model, state, force, STEP, method)
    gradient = MotionGradient(run)
    da.PointTarget(f"link{links}", position=(0, 0, 0))(run, gradient)
    backward = Backward(model, method)

    def forward() -> None:
        method.start(model, state, STEP).advance(steps)

    scale = 1e6 / steps
    there = best(forward, repeats)
    return scale * there, scale * best(lambda: backward.sweep(tape, gradient, STEP), repeats)


def derivative_times(links: int, repeats: int, count: int = 50) -> tuple[float, float]:
    """Microseconds of the derivatives of inverse dynamics by position, rate and acceleration: ours, Pinocchio's."""
    model, state = chain(links)
    system = model.system
    stage, loads = stage_memory(system), loads_memory(model, da.BDF2())
    q, v = state.coordinates[: system.n_q], np.full(links, 0.1)
    own = best(lambda: derive(system, stage, loads, q, v, count), repeats) / count
    try:
        pin: Any = import_module("pinocchio")
    except ImportError:
        return 1e6 * own, float("nan")
    other, parent = pin.Model(), 0
    for i in range(links):
        below = pin.SE3(np.eye(3), np.array([0.0, 0.0, -1.0 if i else 0.0]))
        parent = other.addJoint(parent, pin.JointModelRY(), below, f"joint{i}")
        inertia = pin.Inertia(1.0, np.array([0.0, 0.0, -0.5]), np.diag([1.0 / 12.0, 1.0 / 12.0, 1e-6]))
        other.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    data = other.createData()

    def theirs() -> None:
        for _ in range(count):
            pin.computeRNEADerivatives(other, data, q, v, v)

    return 1e6 * own, 1e6 * best(theirs, repeats) / count


@kernel
def derive(system, stage, loads, q, v, count):
    """The equations and their derivatives, several times."""
    for _ in range(count):
        evaluate_equations(system, stage.equations, loads, q, v, v, stage.multiplier, stage.residual)
        differentiate_equations(system, stage.equations, loads, q)


def jax_time(links: int, steps: int, repeats: int) -> float:
    """Microseconds per step of a value and gradient by JAX; NaN without JAX."""
    try:
        jax: Any = import_module("jax")
    except ImportError:
        return float("nan")
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy
    i = np.arange(links)
    beyond = links - 1.0 - np.maximum.outer(i, i)
    weight = np.where(np.eye(links) > 0, 1.0 / 3.0 + beyond, 0.5 + beyond)
    lever = 9.81 * (0.5 + links - 1.0 - i)

    def step(now: Any, torque: Any) -> tuple[Any, None]:
        # absolute angles; the joints' torques act on both neighbours, and so do their dampers
        angle, rate = now
        gap = angle[:, None] - angle[None, :]
        bend = jnp.diff(rate, prepend=0.0)
        pull = torque - 0.5 * bend
        push = pull - jnp.append(pull[1:], 0.0) - lever * jnp.sin(angle) - (weight * jnp.sin(gap)) @ rate**2
        rate = rate + STEP * jnp.linalg.solve(weight * jnp.cos(gap), push)
        return (angle + STEP * rate, rate), None

    def objective(torques: Any) -> Any:
        start = (jnp.asarray(0.5 + BEND * i), jnp.zeros(links))
        (angle, _), _ = jax.lax.scan(step, start, torques)
        tip = jnp.array([jnp.sin(angle).sum(), -jnp.cos(angle).sum()])
        return 0.5 * (tip**2).sum()

    slope = jax.jit(jax.value_and_grad(objective))
    torques = jnp.zeros((steps, links))
    return 1e6 / steps * best(lambda: jax.block_until_ready(slope(torques)), repeats)


if __name__ == "__main__":
    main()
