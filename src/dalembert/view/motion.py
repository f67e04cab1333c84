"""The motion as one picture: the mechanism at equal intervals of time, pale to dark, and the traces of its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dalembert.view.skeleton import Skeleton
from dalembert.view.style import GREY, VERMILION, house_style, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dalembert.trajectory import Trajectory

Floats = NDArray[np.float64]
TRACES = 2


def plot_motion(run: Trajectory, *, start: float | None = None, stop: float | None = None, pictures: int = 9) -> Figure:
    """The mechanism at ``pictures`` times between ``start`` and ``stop`` (seconds; the whole run if not given)."""
    with house_style():
        figure = new_figure(6.0, 5.6)
        draw_motion(figure.subplots(), run, start=start, stop=stop, pictures=pictures)
    return figure


def draw_motion(
    axes: Axes, run: Trajectory, *, start: float | None = None, stop: float | None = None, pictures: int = 9
) -> None:
    """Draw the strobe picture; see `plot_motion`. Lines run from each centre of mass to the body's joints."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LinearSegmentedColormap

    time = np.asarray(run.time)
    first, last = span(time, start, stop)
    position, orientation = np.asarray(run.position)[first : last + 1], np.asarray(run.orientation)[first : last + 1]
    time = time[first : last + 1]
    skeleton = Skeleton.of(run.model)
    plane = view_plane(skeleton, position, orientation, np.asarray(run.model.system.gravity))

    ends = skeleton.ends(position, orientation) @ plane.T
    # traces of many points would cover the mechanism: those that go furthest tell most
    length = np.linalg.norm(np.diff(ends, axis=0), axis=2).sum(axis=0)
    for i in np.argsort(length)[-TRACES:]:
        trace = ends[:, i]
        axes.plot(trace[:, 0], trace[:, 1], color=VERMILION, linewidth=0.6, alpha=0.55, zorder=1)

    chosen = np.unique(np.searchsorted(time, np.linspace(time[0], time[-1], pictures)).clip(0, len(time) - 1))
    shades = LinearSegmentedColormap.from_list("shades", ["#cfe3f1", "#5aa2cf", "#00375a"])
    for rank, k in enumerate(chosen):
        shade = rank / max(len(chosen) - 1, 1)
        segments = skeleton.segments(position[k], orientation[k]) @ plane.T
        width = 1.0 + 0.9 * shade
        axes.add_collection(LineCollection(list(segments), colors=[shades(shade)], linewidths=width, zorder=2 + shade))
        joints = segments[skeleton.joint, 1]
        axes.plot(joints[:, 0], joints[:, 1], ".", color=shades(shade), markersize=3 + shade, zorder=2.1 + shade)
    ground = skeleton.ground @ plane.T
    axes.plot(ground[:, 0], ground[:, 1], "^", color=GREY, markersize=6, zorder=4)

    axes.set_aspect("equal", adjustable="datalim")
    axes.autoscale_view()
    axes.set_xlabel(f"{axis_name(plane[0])} (m)")
    axes.set_ylabel(f"{axis_name(plane[1])} (m)")
    axes.set_title(f"Motion from {time[0]:g} s to {time[-1]:g} s")


def view_plane(skeleton: Skeleton, position: Floats, orientation: Floats, gravity: Floats) -> Floats:
    """(2, 3) rows: the world directions that the picture shows to the right and upwards.

    Up is against gravity; to the right is the horizontal direction in which the joints spread most, so that a planar
    mechanism is seen from the side. Without gravity both are the directions of the largest spread.
    """
    step = max(1, len(position) // 50)
    points = np.concatenate(
        [skeleton.segments(x, q).reshape(-1, 3) for x, q in zip(position[::step], orientation[::step], strict=True)]
    )
    points = points - points.mean(axis=0)
    strength = float(np.linalg.norm(gravity))
    if strength > 0.0:
        up = -gravity / strength
        points = points - np.outer(points @ up, up)
        right = _main_direction(points, np.zeros(3) if abs(up[0]) > 0.9 else np.eye(3)[0])
        right = right - (right @ up) * up
        if np.linalg.norm(right) < 1e-9:
            right = np.cross(up, np.eye(3)[1])
        right = np.asarray(right / np.linalg.norm(right), dtype=float)
    else:
        right = _main_direction(points, np.eye(3)[0])
        # where only one direction is taken, up is an axis of the world across it
        across = np.eye(3)[2] if abs(right[2]) < 0.9 else np.eye(3)[0]
        up = _main_direction(points - np.outer(points @ right, right), across)
        up = up - (up @ right) * right
        up = up / np.linalg.norm(up)
    # axes of the world are easier to read than directions a few degrees off
    axis_up, axis_right = _nearest_axis(up), _nearest_axis(right)
    if np.linalg.norm(axis_up - up) < 1e-9 and np.linalg.norm(axis_right - right) < 0.1:
        return np.array([axis_right, axis_up])
    return np.array([right, up])


def _main_direction(points: Floats, otherwise: Floats) -> Floats:
    """The unit direction of the largest spread of centred points, its largest component positive."""
    values, vectors = np.linalg.eigh(points.T @ points)
    # an even spread (or none) has no direction of its own: keep to the axes of the world
    if values[2] < 1.1 * values[1] or values[2] <= 0.0:
        return otherwise
    direction = vectors[:, 2]
    return direction * np.sign(direction[np.argmax(np.abs(direction))])


def _nearest_axis(direction: Floats) -> Floats:
    nearest = np.zeros(3)
    axis = int(np.argmax(np.abs(direction)))
    nearest[axis] = np.sign(direction[axis])
    return nearest


def axis_name(direction: Floats) -> str:
    """The direction in words: an axis of the world, or a sum of axes."""
    terms = [(value, axis) for value, axis in zip(direction, "xyz", strict=True) if abs(value) > 1e-3]
    if len(terms) == 1:
        return ("−" if terms[0][0] < 0 else "") + terms[0][1]
    text = " ".join(f"{'−' if value < 0 else '+'} {abs(value):.2f} {axis}" for value, axis in terms)
    return text.removeprefix("+ ")


def span(time: Floats, start: float | None, stop: float | None) -> tuple[int, int]:
    """The first and the last recorded instant from ``start`` to ``stop`` (s)."""
    first = 0 if start is None else int(np.searchsorted(time, start - 1e-12))
    last = len(time) - 1 if stop is None else int(np.searchsorted(time, stop + 1e-12)) - 1
    if not 0 <= first <= last < len(time):
        asked = " ".join(f"{word} {value:g} s" for word, value in (("from", start), ("to", stop)) if value is not None)
        raise ValueError(f"nothing was recorded {asked}: the run covers {time[0]:g} to {time[-1]:g} s")
    return first, last
