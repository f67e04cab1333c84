"""Curves of a run over time: energy, its change, and how well the joints hold."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dalembert.view.motion import draw_motion
from dalembert.view.style import BLUE, GREEN, GREY, VERMILION, envelope, house_style, new_figure, scientific, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dalembert.trajectory import Trajectory


def plot_energy(run: Trajectory) -> Figure:
    """Kinetic, potential and total energy above; the change of the total since the start below."""
    with house_style():
        figure = new_figure(7.0, 5.0)
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        draw_energy(upper, run)
        draw_energy_change(lower, run)
        lower.set_xlabel("time (s)")
    return figure


def plot_loop_error(run: Trajectory) -> Figure:
    """The largest violation of a position constraint at each recorded time."""
    with house_style():
        figure = new_figure(7.0, 3.0)
        axes = figure.subplots()
        draw_loop_error(axes, run)
        axes.set_xlabel("time (s)")
    return figure


def plot_accuracy(run: Trajectory) -> Figure:
    """Energy, change of energy and constraint error, one above the other."""
    with house_style():
        figure = new_figure(7.0, 6.5)
        upper, middle, lower = figure.subplots(3, 1, sharex=True, height_ratios=(3, 2, 2))
        draw_energy(upper, run)
        draw_energy_change(middle, run)
        draw_loop_error(lower, run)
        lower.set_xlabel("time (s)")
    return figure


def plot_overview(run: Trajectory, *, start: float | None = None, stop: float | None = None) -> Figure:
    """The motion between ``start`` and ``stop`` (s) beside energy, change of energy and constraint error of the run."""
    with house_style():
        figure = new_figure(11.0, 5.6)
        halves = figure.subfigures(1, 2, squeeze=False)[0]
        draw_motion(halves[0].subplots(), run, start=start, stop=stop)
        upper, middle, lower = halves[1].subplots(3, 1, sharex=True, height_ratios=(3, 2, 2))
        draw_energy(upper, run)
        draw_energy_change(middle, run)
        draw_loop_error(lower, run)
        lower.set_xlabel("time (s)")
    return figure


def overview(run: Trajectory, path: str | PathLike[str]) -> Path:
    """Save `plot_overview` of the whole run to ``path``; the ending chooses the format."""
    return write(plot_overview(run), path)


def draw_energy(axes: Axes, run: Trajectory) -> None:
    """Kinetic, potential and total energy in joules."""
    time = run.time
    for value, colour, name in (
        (run.kinetic, BLUE, "kinetic"),
        (run.potential, GREEN, "potential"),
        (run.energy, "#333333", "total"),
    ):
        axes.plot(*envelope(time, value), color=colour, label=name)
    axes.set_title("Energy")
    axes.set_ylabel("energy (J)")
    # above the axes, where no curve can hide it
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, borderaxespad=0.2)
    axes.margins(x=0)


def draw_energy_change(axes: Axes, run: Trajectory) -> None:
    """Total energy minus its value at the start, in joules, with the band it stays in."""
    change = np.asarray(run.energy) - run.energy[0]
    low, high = float(change.min()), float(change.max())
    axes.axhspan(low, high, color=VERMILION, alpha=0.08, linewidth=0)
    axes.plot(*envelope(run.time, change), color=VERMILION, linewidth=0.9)
    axes.axhline(0.0, color=GREY, linewidth=0.7)
    axes.set_title(f"Change of energy: between {scientific(low, signed=True)} and {scientific(high, signed=True)} J")
    axes.set_ylabel("E − E(0) (J)")
    axes.margins(x=0)


def draw_loop_error(axes: Axes, run: Trajectory) -> None:
    """The largest violation of a position constraint, on a logarithmic scale that ends at the round-off of one."""
    error = np.asarray(run.constraint_error, dtype=float)
    # a logarithmic axis cannot show a zero, and below round-off there is nothing to see
    floor = 1e-17
    axes.plot(*envelope(run.time, np.maximum(error, floor)), color=BLUE, linewidth=0.9)
    axes.set_yscale("log")
    top = float(error.max(initial=floor))
    axes.set_ylim(floor, 10.0 ** np.ceil(np.log10(max(10.0 * top, 1e-14))))
    axes.set_title(f"Constraint error: at most {scientific(top)} (m, rad)")
    axes.set_ylabel("error (m, rad)")
    axes.margins(x=0)
