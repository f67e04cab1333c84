"""The time of a thousand steps against the size of a mechanism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import dalembert as da
from dalembert.studies.measure import best_time, exponent

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
    iterations: tuple[float, ...] = ()
    """Newton iterations per step, on average over each run; zero for methods without."""

    def power(self, last: int = 3) -> float:
        """The power of the size with which the time of one iteration grows, over the last sizes."""
        each = [t / max(i, 1.0) for t, i in zip(self.seconds, self.iterations, strict=True)]
        return exponent(self.sizes[-last:], each[-last:])


def scaling(
    sizes: Sequence[int],
    mechanism: Callable[[int], tuple[da.Model, da.State]],
    integrator: da.Integrator,
    repeats: int,
    step: Callable[[int], float] = lambda size: STEP,
) -> Scaling:
    """Simulate 1000 steps, of ``step(size)`` seconds, for every size.

    What a run of a single step takes is setting up, and is left out.
    """
    done: list[int] = []
    seconds: list[float] = []
    iterations: list[float] = []
    failed, error = 0, 0.0
    for size in sizes:
        model, state = mechanism(size)
        runs: list[da.Trajectory] = []

        def simulate(
            steps: int = STEPS,
            model: da.Model = model,
            state: da.State = state,
            runs: list[da.Trajectory] = runs,
            dt: float = step(size),
        ) -> None:
            runs[:] = [da.simulate(model, state, duration=steps * dt, dt=dt, integrator=integrator, every=steps)]

        try:
            simulate(1)
            setup = best_time(lambda simulate=simulate: simulate(1), repeats)
            seconds.append(best_time(simulate, repeats) - setup)
        except da.SimulationError:
            failed += 1
            continue
        done.append(size)
        error = max(error, float(runs[0].constraint_error.max()))
        iterations.append(float(runs[0].iterations[1:].sum()) / STEPS)
    return Scaling(tuple(done), tuple(seconds), failed, error, tuple(iterations))
