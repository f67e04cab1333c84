"""The time of a thousand steps against the size of a mechanism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import dalembert as da
from dalembert.studies.measure import best_time

STEP, STEPS = 0.01, 1000


@dataclass(frozen=True)
class Scaling:
    """Seconds for a thousand steps by size; shorter than ``sizes`` where a run failed."""

    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    failed: int = 0
    """How many sizes could not be simulated."""
    constraint_error: float = 0.0
    """The largest violation of a constraint in all runs (m or rad)."""
    iterations: float = 0.0
    """The most iterations per step, on average over a run."""


def scaling(
    sizes: Sequence[int],
    mechanism: Callable[[int], tuple[da.Model, da.State]],
    integrator: da.Integrator,
    repeats: int,
) -> Scaling:
    """Simulate 10 s at 0.01 s for every size; a first short run of each keeps compilation out of the times."""
    done: list[int] = []
    seconds: list[float] = []
    failed, error, iterations = 0, 0.0, 0.0
    for size in sizes:
        model, state = mechanism(size)
        runs: list[da.Trajectory] = []

        def simulate(
            steps: int = STEPS, model: da.Model = model, state: da.State = state, runs: list[da.Trajectory] = runs
        ) -> None:
            runs[:] = [da.simulate(model, state, duration=steps * STEP, dt=STEP, integrator=integrator, every=steps)]

        try:
            simulate(1)
            seconds.append(best_time(simulate, repeats))
        except da.SimulationError:
            failed += 1
            continue
        done.append(size)
        error = max(error, float(runs[0].constraint_error.max()))
        iterations = max(iterations, float(runs[0].iterations[1:].sum()) / STEPS)
    return Scaling(tuple(done), tuple(seconds), failed, error, iterations)
