"""Work against error: how long a method takes for a motion that is right to so many digits.

A `Motion` is a mechanism, a start and the instants at which positions are compared. `curve` runs an integrator over it
with ever smaller steps; `cost` reads from the curve what a given error costs. Times are those of the steps alone:
setting up and recording are left out, for other engines too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

import dalembert as da
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import rotate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INSTANTS = 10
"""At so many instants, evenly spaced, positions are compared."""


LONG = 0.2
"""Seconds of a run that a busy machine cannot disturb by much."""


@dataclass(frozen=True)
class Motion:
    """A motion to be computed."""

    name: str
    model: da.Model
    state: da.State
    duration: float
    """Seconds; ``steps`` of `curve` are multiples of `INSTANTS`."""

    @cached_property
    def reference(self) -> Floats:
        """(INSTANTS, n, 3) centres of mass at the instants: sixth order, steps halved until 1e-11 is left."""
        steps, before = 64 * INSTANTS, None
        while True:
            found = self.positions(da.MaximalVI(order=6, tol=1e-14), steps)
            if before is not None and np.abs(found - before).max() < 1e-11:
                return found
            if steps > 2**17:
                raise RuntimeError(f"{self.name}: no motion to 1e-11 m with {steps} steps of {self.duration:g} s")
            steps, before = 2 * steps, found

    def positions(self, integrator: da.Integrator, steps: int) -> Floats:
        """(INSTANTS, n, 3) centres of mass in a run of so many steps."""
        run = da.simulate(
            self.model,
            self.state,
            duration=self.duration,
            dt=self.duration / steps,
            every=steps // INSTANTS,
            integrator=integrator,
        )
        return run.position[1:]

    def error(self, positions: Floats) -> float:
        """The largest distance (m) of a centre of mass from where it should be, at any instant."""
        return float(np.linalg.norm(positions - self.reference, axis=2).max())


@dataclass(frozen=True)
class Curve:
    """Errors and times of one method, from coarse steps to fine ones."""

    label: str
    steps: tuple[int, ...]
    errors: tuple[float, ...]
    """m"""
    seconds: tuple[float, ...]
    failed: tuple[int, ...] = ()
    """Numbers of steps with which the method gave up."""

    @property
    def failed_seconds(self) -> tuple[float, ...]:
        """What the failed runs would have taken, by the time of a step in the coarsest good one."""
        if not self.steps:
            return ()
        return tuple(n * self.seconds[0] / self.steps[0] for n in self.failed)

    def cost(self, error: float) -> float:
        """Seconds for a run of this error, between two runs by a line through the logarithms; infinite if not reached.

        The first crossing counts: with ever finer steps an error stops at rounding.
        """
        x, y = np.log(np.maximum(self.errors, 1e-300)), np.log(self.seconds)
        for k in range(len(x)):
            if x[k] <= np.log(error):
                if k == 0 or not np.isfinite(x[k - 1]):
                    return float(self.seconds[k])
                share = (np.log(error) - x[k - 1]) / (x[k] - x[k - 1])
                return float(np.exp(y[k - 1] + share * (y[k] - y[k - 1])))
        return np.inf


def curve(label: str, motion: Motion, integrator: da.Integrator, steps: Sequence[int], repeats: int = 3) -> Curve:
    """Run an integrator with each number of steps."""

    def positions(n: int) -> Floats:
        return motion.positions(integrator, n)

    def seconds(n: int) -> float:
        stepper = integrator.start(motion.model, motion.state, motion.duration / n)
        begun = process_time()
        stepper.advance(n)
        return process_time() - begun

    return measured(label, motion, steps, positions, seconds, repeats)


def measured(
    label: str,
    motion: Motion,
    steps: Sequence[int],
    positions: Callable[[int], Floats],
    seconds: Callable[[int], float],
    repeats: int,
) -> Curve:
    """A curve from two functions of the number of steps: positions at the instants, and the time of the steps.

    The shortest of several times counts; a run of `LONG` or more is timed once.
    """
    done, errors, times, failed = [], [], [], []
    for n in steps:
        try:
            error = motion.error(positions(n))
        except da.SimulationError:
            error = np.inf
        if np.isfinite(error):
            done.append(n)
            errors.append(error)
            best = seconds(n)
            for _ in range(repeats - 1 if best < LONG else 0):
                best = min(best, seconds(n))
            times.append(best)
        else:
            failed.append(n)
    return Curve(label, tuple(done), tuple(errors), tuple(times), tuple(failed))


def spatial(model: da.Model) -> bool:
    """Whether axes of the joints point in different directions."""
    system = model.system
    _, orientation, _, _ = model.state().with_world()
    turns = zip(orientation[system.joint_child], system.child_frame, strict=True)
    axes = np.array([rotate(tuple(q), rotate(tuple(f), (0.0, 0.0, 1.0))) for q, f in turns])
    return float(np.abs(np.cross(axes, axes[0])).max()) > 1e-9


def doubling(first: int, count: int) -> tuple[int, ...]:
    """Numbers of steps, each twice the one before, all multiples of `INSTANTS`."""
    return tuple(INSTANTS * first * 2**k for k in range(count))


def draw(axes: Axes, curves: Sequence[Curve], looks: Mapping[str, tuple[str, str]], title: str) -> None:
    """Errors against times, both as powers of ten; a cross at the upper edge is a run that failed."""
    for each in curves:
        colour, line = looks[each.label]
        axes.loglog(each.seconds, each.errors, line, color=colour, label=each.label, markersize=3, linewidth=1)
        edge = [0.97] * len(each.failed_seconds)
        axes.plot(each.failed_seconds, edge, "x", color=colour, markersize=5, transform=axes.get_xaxis_transform())
    axes.set(xlabel="time of the steps (s)", ylabel="largest error of a position (m)", title=title)
