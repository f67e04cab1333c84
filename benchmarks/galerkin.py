"""GalerkinVI beside MuJoCo at equal trajectory error: what a ten-link chain costs to so many digits.

    python benchmarks/galerkin.py [--links 10] [--duration 2] [--repeats 5]

A chain of revolute links of 1 m and 1 kg is let go level and bent. Errors are the largest distances of centres of mass
after the run from those of an adaptive method of eighth order at its tightest. Times are those of the steps alone, one
thread, processor time, best of several runs. A method's cost at an error is read between its runs, by a straight
line through the logarithms, and at each error MuJoCo's cheapest integrator counts.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import mujoco as engine
import numpy as np

import dalembert as da
from dalembert.zoo.pendulum import pendulum, pendulum_start

mujoco: Any = engine
BEND = 0.1
ERRORS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)


def main() -> None:
    """Print the runs of each method, then the costs at equal errors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, default=10)
    parser.add_argument("--duration", type=float, default=2.0)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    model = pendulum(options.links)
    state = pendulum_start(model, 0.5 * np.pi, BEND)
    exact = da.RungeKutta("DOP853", rtol=1e-13, atol=1e-15)
    run = da.simulate(model, state, duration=options.duration, dt=options.duration, integrator=exact)
    target = run.position[-1]
    curves: dict[str, list[tuple[float, float]]] = {}
    print(f"{'method':>26}{'steps':>8}{'error m':>11}{'ms':>10}")

    def keep(name: str, steps: int, error: float, seconds: float) -> None:
        curves.setdefault(name, []).append((error, seconds))
        print(f"{name:>26}{steps:>8}{error:>11.1e}{1e3 * seconds:>10.3f}", flush=True)

    base = round(50 * options.duration)
    # the error that a step's solution leaves need not be smaller than what the step itself leaves
    for stages, tol in [(s, tol) for s in (2, 3, 4, 5, 6, 7) for tol in (1e-9, 1e-12)]:
        method = da.GalerkinVI(stages=stages, tol=tol)
        for factor in (0.8, 1.0, 1.2, 1.4, 1.7, 2.0, 2.4, 2.8, 3.4, 4.0, 5.6, 8.0, 16.0):
            steps = round(base * factor * 2 / stages)
            found = galerkin(model, state, method, options.duration, steps, options.repeats)
            if found is not None:
                position, seconds = found
                keep(f"GalerkinVI({stages}, tol={tol:g})", steps, error_of(position, target), seconds)
    for name in ("Euler", "implicitfast", "RK4"):
        other = in_mujoco(model, name)
        for factor in 2.0 ** np.arange(1, 13 if name == "RK4" else 11):
            steps = round(base * factor)
            position, seconds = mujoco_run(other, options.duration, steps, options.repeats if steps < 50_000 else 1)
            keep(f"MuJoCo {name}", steps, error_of(position, target), seconds)
    print(f"\n{'error m':>9}{'GalerkinVI ms':>16}{'MuJoCo ms':>12}{'ratio':>8}")
    for error in ERRORS:
        costs = {name: cost(curve, error) for name, curve in curves.items()}
        ours = min(value for name, value in costs.items() if name.startswith("Gal"))
        theirs = min(value for name, value in costs.items() if name.startswith("MuJ"))
        best = {value: name for name, value in costs.items()}
        print(
            f"{error:>9.0e}{1e3 * ours:>16.3f}{1e3 * theirs:>12.3f}{theirs / ours:>8.1f}  {best[ours]}, {best[theirs]}"
        )


def error_of(position: np.ndarray, target: np.ndarray) -> float:
    """The largest distance of a centre of mass from where it should be."""
    return float(np.linalg.norm(position - target, axis=1).max())


def cost(curve: list[tuple[float, float]], error: float) -> float:
    """Seconds at an error, at the first crossing; infinite where no run reaches it."""
    for k, (found, seconds) in enumerate(curve):
        if found <= error:
            if k == 0:
                return seconds
            before, earlier = curve[k - 1]
            share = np.log(before / error) / np.log(before / found)
            return float(earlier * (seconds / earlier) ** share)
    return np.inf


def galerkin(
    model: da.Model, state: da.State, method: da.GalerkinVI, duration: float, steps: int, repeats: int
) -> tuple[np.ndarray, float] | None:
    """(positions at the end, seconds), or nothing if a step fails."""
    best, position = np.inf, state.position
    for _ in range(repeats + 1):
        stepper = method.start(model, state, duration / steps)
        began = time.process_time()
        try:
            stepper.advance(steps)
        except Exception as failure:
            if "step" not in str(failure):
                raise
            return None
        best = min(best, time.process_time() - began)
        position = stepper.state().position
    return position, best


def in_mujoco(model: da.Model, integrator: str) -> Any:
    """The same chain: a hinge about y at the top of every link."""
    body, close = "", ""
    for i in range(model.n_bodies):
        mass, inertia = model.system.mass[i], model.system.inertia[i].diagonal()
        body += (
            (
                f'<body pos="0 0 {-1.0 if i else 0.0}"><joint type="hinge" axis="0 1 0"/>'
                f'<inertial pos="0 0 -0.5" mass="{mass!r}" diaginertia="{inertia[0]!r} {inertia[1]!r} {inertia[2]!r}"/>'
            )
            .replace("np.float64(", "")
            .replace(")", "")
        )
        close += "</body>"
    text = (
        f'<mujoco><compiler autolimits="false" boundmass="0" boundinertia="0" balanceinertia="false"/>'
        f'<option gravity="0 0 {model.system.gravity[2]:.17g}" integrator="{integrator}">'
        '<flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{body}{close}</worldbody></mujoco>"
    )
    return mujoco.MjModel.from_xml_string(text)


def mujoco_run(model: Any, duration: float, steps: int, repeats: int) -> tuple[np.ndarray, float]:
    """(centres of mass at the end, seconds)."""
    model.opt.timestep = duration / steps
    best, data = np.inf, mujoco.MjData(model)
    for _ in range(repeats):
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qpos[0] = BEND, 0.5 * np.pi
        began = time.process_time()
        mujoco.mj_step(model, data, steps)
        best = min(best, time.process_time() - began)
    mujoco.mj_forward(model, data)
    return np.array(data.xipos[1:]), best


if __name__ == "__main__":
    main()
