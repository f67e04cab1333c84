"""What a controller costs inside the compiled loop and from Python: microseconds a step.

    python benchmarks/controllers.py

The same controller runs three times in each setting, in turn; the shortest run counts. The two runs have the same bits.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

import dalembert as da
from dalembert import zoo
from dalembert.integrators.base import Integrator
from dalembert.zoo.walker import walker, walker_start

REPEATS = 3


def hold(model: da.Model, state: da.State, stiffness: float, damping: float) -> da.PD:
    """Every joint of one coordinate stays where it is."""
    targets = {
        name: state.coordinates[joint.coordinates].tolist()
        for name, joint in model.joints.items()
        if joint.in_tree and len(joint.components) == 1
    }
    return da.PD(model, targets, stiffness=stiffness, damping=damping)


def cases() -> list[tuple[str, da.Model, da.State, Any, Integrator, float, int]]:
    """(name, model, start, controller, integrator, dt, steps)"""
    pendulum, leg, machine, arm = zoo.double_pendulum(), zoo.minitaur_leg(), walker(), zoo.random_tree(20, seed=3)
    method = da.MaximalVI()
    pulled = pendulum.state(positions={"joint1": 0.5})
    standing = walker_start(machine)
    return [
        ("double pendulum, PD", pendulum, pulled, hold(pendulum, pulled, 2.0, 0.1), method, 0.01, 4000),
        (
            "the same, graph",
            pendulum,
            pulled,
            hold(pendulum, pulled, 2.0, 0.1),
            da.MaximalVI(linear_solver="graph"),
            0.01,
            4000,
        ),
        ("the same, MinimalVI", pendulum, pulled, hold(pendulum, pulled, 2.0, 0.1), da.MinimalVI(), 0.01, 4000),
        ("the same, GalerkinVI", pendulum, pulled, hold(pendulum, pulled, 2.0, 0.1), da.GalerkinVI(), 0.01, 4000),
        ("tree of 20 bodies, PD", arm, arm.state(), hold(arm, arm.state(), 0.5, 0.01), method, 0.002, 2000),
        ("closed leg, PD", leg, leg.state(), hold(leg, leg.state(), 2.0, 0.05), method, 0.002, 2000),
        (
            "walking machine on the ground, PD",
            machine,
            standing,
            hold(machine, standing, 80.0, 4.0),
            da.MaximalVI(tol=1e-6),
            0.001,
            500,
        ),
    ]


def main() -> None:
    """Print the table."""
    print("| run | inside the loop | from Python | ratio |")
    print("| --- | --- | --- | --- |")
    for name, model, state, controller, integrator, dt, steps in cases():
        best = [np.inf, np.inf]
        ends = []
        given = (controller, lambda time, now, asked=controller: asked(time, now))
        for repeat in range(REPEATS + 1):
            for k in range(2):
                begun = perf_counter()
                run = da.simulate(
                    model,
                    state,
                    duration=steps * dt,
                    dt=dt,
                    integrator=integrator,
                    controller=given[k],
                    every=steps // 10,
                )
                if repeat > 0:
                    best[k] = min(best[k], (perf_counter() - begun) / steps)
                ends.append(run.final_state.coordinates)
        assert all(np.array_equal(end, ends[0]) for end in ends)
        print(f"| {name} | {1e6 * best[0]:.1f} µs | {1e6 * best[1]:.1f} µs | {best[1] / best[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
