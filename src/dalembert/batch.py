"""Many runs at once: the members of a batch are simulated on all cores, each as if it were alone."""

from __future__ import annotations

import os
import threading
import time as stopwatch
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from dalembert.batch_lanes import fits_lanes, run_in_lanes
from dalembert.errors import DalembertError, ModelError, SimulationError
from dalembert.integrators.base import Integrator
from dalembert.integrators.maximal.method import MaximalVI
from dalembert.model.system import Floats, Integers
from dalembert.run_inputs import Controller, Wrenches, step_count
from dalembert.simulate import simulate
from dalembert.trajectory import Trajectory

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State

T = TypeVar("T")


class Batch(Sequence[Trajectory]):
    """The runs of `simulate_batch`, in the order of their states: ``batch[i]`` is the `Trajectory` of member i.

    The arrays have one more axis than those of a trajectory, the members first. Rows that a member that failed or was
    interrupted did not reach are NaN.

    Attributes:
        runs: one trajectory for each member, to where it came.
        failures: index of the member → the `SimulationError` that ended it, with time, step, reason and worst item.
        time: (N,) seconds from the start of each run.
        wall_time: seconds that all took together.
        interrupted: whether Ctrl-C ended the batch.
    """

    def __init__(
        self,
        runs: Sequence[Trajectory],
        failures: Mapping[int, SimulationError],
        time: Floats,
        wall_time: float,
        interrupted: bool,
    ) -> None:
        self.runs = tuple(runs)
        self.failures = dict(failures)
        self.time = time
        self.wall_time = wall_time
        self.interrupted = interrupted

    def __len__(self) -> int:
        return len(self.runs)

    def __getitem__(self, index: Any) -> Any:
        return self.runs[index]

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"<Batch: {len(self)} runs of {len(self.time)} instants{failed}, {self.wall_time:.3g} s>"

    @cached_property
    def position(self) -> Floats:
        """(B, N, n, 3) centres of mass in the world, m."""
        return self._stacked(lambda run: run.position)

    @cached_property
    def orientation(self) -> Floats:
        """(B, N, n, 4) quaternions (w, x, y, z), body to world."""
        return self._stacked(lambda run: run.orientation)

    @cached_property
    def velocity(self) -> Floats:
        """(B, N, n, 3) of the centres of mass in the world, m/s."""
        return self._stacked(lambda run: run.velocity)

    @cached_property
    def angular_velocity(self) -> Floats:
        """(B, N, n, 3) in body axes, rad/s."""
        return self._stacked(lambda run: run.angular_velocity)

    @cached_property
    def q(self) -> Floats:
        """(B, N, n_q) minimal coordinates."""
        return self._stacked(lambda run: run.q)

    @cached_property
    def qdot(self) -> Floats:
        """(B, N, n_v) minimal rates."""
        return self._stacked(lambda run: run.qdot)

    @cached_property
    def energy(self) -> Floats:
        """(B, N) kinetic plus potential energy, J."""
        return self._stacked(lambda run: run.energy)

    @cached_property
    def iterations(self) -> Integers:
        """(B,) Newton iterations of each run."""
        return np.array([run.iterations.sum() for run in self.runs])

    @property
    def final_states(self) -> list[State]:
        """The last state that each member reached; a next batch resumes from them with the same bits."""
        return [run.final_state for run in self.runs]

    def _stacked(self, read: Callable[[Trajectory], Floats]) -> Floats:
        rows = [read(run) for run in self.runs]
        out = np.full((len(rows), len(self.time), *rows[0].shape[1:]), np.nan)
        for member, values in zip(out, rows, strict=True):
            member[: len(values)] = values
        return out


def simulate_batch(
    model: Model | Sequence[Model],
    states: Sequence[State | None],
    *,
    duration: float,
    dt: float,
    integrator: Integrator,
    controllers: Controller | Sequence[Controller | None] | None = None,
    wrenches: Wrenches | Sequence[Wrenches | None] | None = None,
    every: int = 1,
    threads: int | None = None,
) -> Batch:
    """Simulate many starts, parameters and controls, on all cores.

    Every member is the run that `simulate` makes of it, to the last bit, whatever the number of threads. A member that
    cannot be continued ends alone.

    Args:
        model: the mechanism, or one for each member: the same with other masses, lengths, dampers.
        states: where each member starts; None is the reference configuration at rest.
        duration: seconds; a whole number of steps.
        dt: step in seconds.
        integrator: such as ``MaximalVI()``.
        controllers: as for `simulate`, one for all members or one for each. One for all is called from several threads.
        wrenches: likewise.
        every: record every n-th step. A batch keeps the recordings of all members: choose it large where they are many.
        threads: how many members run at the same time; as many as there are cores if not given. Compiled steps run side
            by side, compiled controllers with them. Controllers in Python take turns.

    Raises:
        ModelError: an argument is not meaningful, or the integrator cannot do what a model needs; names the member.
        AssemblyError: a state does not fit the joints of its model; names the member.
    """
    steps = step_count(duration, dt, every)
    states = list(states)
    count = len(states)
    if not count:
        raise ModelError("states: expected one state or more, found none")
    models = _one_each("model", model, count, isinstance(model, Sequence))
    shapes = {(m.n_bodies, int(m.system.n_coordinates.sum())) for m in models}
    if len(shapes) > 1:
        raise ModelError(f"model: expected models with the same bodies and joints, found {len(shapes)} kinds")
    control = _one_each("controllers", controllers, count, isinstance(controllers, Sequence))
    acting = _one_each("wrenches", wrenches, count, isinstance(wrenches, Sequence))
    workers = _threads(threads, count)
    stop, failures = threading.Event(), {}
    began = stopwatch.perf_counter()

    def watch(done: int, total: int) -> None:
        if stop.is_set():
            raise KeyboardInterrupt

    def run(i: int) -> Trajectory:
        try:
            return simulate(
                models[i],
                states[i],
                duration=duration,
                dt=dt,
                integrator=integrator,
                controller=control[i],
                wrenches=acting[i],
                every=every,
                progress=watch,
            )
        except SimulationError as error:
            failures[i] = error
            return error.trajectory
        except DalembertError as error:
            stop.set()
            error.args = (f"member {i}: {error}",)
            raise

    alike = not isinstance(model, Sequence) and controllers is None and wrenches is None
    runs: dict[int, Trajectory] = {}
    if alike:
        starts = [models[0].state() if state is None else state for state in states]
        if fits_lanes(models[0], starts, integrator):
            assert isinstance(integrator, MaximalVI)
            rows = steps // int(every) + 1
            found, failed = run_in_lanes(models[0], starts, rows, int(every), float(dt), integrator, workers)
            # those that failed are run again alone, to where they come
            runs = {i: each for i, each in enumerate(found) if i not in failed}
    with ThreadPoolExecutor(workers) as pool:
        waiting = {i: pool.submit(run, i) for i in range(count) if i not in runs}
        try:
            runs |= {i: each.result() for i, each in waiting.items()}
        except KeyboardInterrupt:
            stop.set()
            runs |= {i: each.result() for i, each in waiting.items()}
        except DalembertError:
            pool.shutdown(cancel_futures=True)
            raise
    taken = stopwatch.perf_counter() - began
    time = float(dt) * int(every) * np.arange(steps // int(every) + 1, dtype=np.float64)
    return Batch([runs[i] for i in range(count)], dict(sorted(failures.items())), time, taken, stop.is_set())


def _one_each(name: str, given: Any, count: int, several: bool) -> list[Any]:
    """The same for every member, or one for each."""
    if not several:
        return [given] * count
    if len(given) != count:
        raise ModelError(f"{name}: expected one or {count}, as there are states, found {len(given)}")
    return list(given)


def _threads(threads: int | None, count: int) -> int:
    if threads is None:
        # the cores that this process may use, which may be fewer than there are
        available = getattr(os, "sched_getaffinity", None)
        cores = len(available(0)) if available is not None else os.cpu_count() or 1
        return min(cores, count)
    if not isinstance(threads, int) or threads < 1:
        raise ModelError(f"threads: expected a whole number from 1, found {threads!r}")
    return min(threads, count)
