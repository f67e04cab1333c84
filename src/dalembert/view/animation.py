"""The motion as a moving picture: GIF, or MP4 where ffmpeg is installed."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dalembert.errors import DalembertError
from dalembert.view.motion import axis_name, span, view_plane
from dalembert.view.skeleton import Skeleton
from dalembert.view.style import BLUE, GREY, VERMILION, house_style, new_figure

if TYPE_CHECKING:
    from matplotlib.animation import AbstractMovieWriter

    from dalembert.trajectory import Trajectory

TRACE_SECONDS = 1.0


def animate(
    run: Trajectory,
    path: str | PathLike[str],
    *,
    start: float | None = None,
    stop: float | None = None,
    speed: float = 1.0,
    frames_per_second: int = 25,
) -> Path:
    """Save the motion between ``start`` and ``stop`` (s) as a .gif or .mp4, ``speed`` times as fast as life."""
    from matplotlib.collections import LineCollection

    if not speed > 0.0 or frames_per_second < 1:
        raise DalembertError(f"expected a positive speed and frame rate, found {speed!r} and {frames_per_second!r}")
    target = Path(path)
    writer = _writer(target, frames_per_second)
    first, last = span(run.time, start, stop)
    times = np.arange(run.time[first], run.time[last] + 1e-9, speed / frames_per_second)
    # the recorded instant nearest to each frame: nothing is drawn that was not computed
    index = np.searchsorted(run.time, times - 0.5 * run.dt * run.every).clip(first, last)
    skeleton = Skeleton.of(run.model)
    position, orientation = run.position[first : last + 1], run.orientation[first : last + 1]
    plane = view_plane(skeleton, position, orientation, np.asarray(run.model.system.gravity))
    ends = skeleton.ends(run.position, run.orientation)[:, -1] @ plane.T
    tail = max(1, round(TRACE_SECONDS / (run.dt * run.every)))
    drawn = (
        np.concatenate([skeleton.segments(run.position[k], run.orientation[k]).reshape(-1, 3) for k in index]) @ plane.T
    )

    target.parent.mkdir(parents=True, exist_ok=True)
    with house_style():
        figure = new_figure(5.0, 5.0)
        axes = figure.subplots()
        axes.set_aspect("equal")
        low, high = drawn.min(axis=0), drawn.max(axis=0)
        # a square picture, as wide as the motion is in its larger direction
        reach = 0.55 * max(float((high - low).max()), 1e-6)
        for limits, middle in zip((axes.set_xlim, axes.set_ylim), 0.5 * (low + high), strict=True):
            limits(middle - reach, middle + reach)
        axes.set_xlabel(f"{axis_name(plane[0])} (m)")
        axes.set_ylabel(f"{axis_name(plane[1])} (m)")
        (trace,) = axes.plot([], [], color=VERMILION, linewidth=0.8, alpha=0.7)
        lines = LineCollection([], colors=[BLUE], linewidths=2.0)
        axes.add_collection(lines)
        ground = skeleton.ground @ plane.T
        axes.plot(ground[:, 0], ground[:, 1], "^", color=GREY, markersize=6)
        with writer.saving(figure, str(target), dpi=100):
            for k in index:
                lines.set_segments(list(skeleton.segments(run.position[k], run.orientation[k]) @ plane.T))
                recent = ends[max(first, k - tail) : k + 1]
                trace.set_data(recent[:, 0], recent[:, 1])
                axes.set_title(f"t = {run.time[k]:.2f} s")
                writer.grab_frame()
    return target


def _writer(path: Path, frames_per_second: int) -> AbstractMovieWriter:
    from matplotlib.animation import FFMpegWriter, PillowWriter

    if path.suffix == ".gif":
        return PillowWriter(fps=frames_per_second)
    if path.suffix != ".mp4":
        raise DalembertError(f"{path}: expected a film to end in .gif or .mp4")
    if not FFMpegWriter.isAvailable():
        raise DalembertError(f"{path}: films of this kind need ffmpeg, which is not installed; use .gif")
    return FFMpegWriter(fps=frames_per_second)
