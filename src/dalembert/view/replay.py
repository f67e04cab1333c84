"""A run as one HTML file that shows it moving: no network, nothing to install, to send to a colleague."""

from __future__ import annotations

import base64
import html
import json
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.view.scene import Scene, scene_of
from dalembert.view.surface import Surface

if TYPE_CHECKING:
    from dalembert.trajectory import Trajectory

INSTANTS = 3000
"""Most instants that a replay holds: 100 s at thirty a second."""
MOST_CORNERS = 65535
"""Corners that the indices of WebGL can number."""
PAGE = Path(__file__).with_name("replay.html")


def export_html(run: Trajectory, path: str | PathLike[str], *, title: str = "", instants: int = INSTANTS) -> Path:
    """Write the replay of a run; of long runs every k-th recorded instant, ``instants`` at most."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(run, title or target.stem.replace("_", " "), instants), encoding="utf-8")
    return target


def page(run: Trajectory, title: str, instants: int = INSTANTS) -> str:
    """The text of the replay."""
    every = -(-len(run) // instants)
    scene = scene_of(run.model, run.position, run.orientation)
    data = _data(run, scene, title, slice(None, None, every))
    # no text of the model can be taken for markup
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return PAGE.read_text(encoding="utf-8").replace("TITLE", html.escape(title), 1).replace("DATA", text, 1)


def frame(run: Trajectory, height: int = 480) -> str:
    """The replay as a frame within another page, of at most 600 instants."""
    text = html.escape(page(run, run.integrator, 600), quote=True)
    return f'<iframe srcdoc="{text}" style="width: 100%; height: {height}px; border: 1px solid #e2e7ec"></iframe>'


def _data(run: Trajectory, scene: Scene, title: str, rows: slice) -> dict[str, Any]:
    position = run.position[rows]
    low, high = position.min(axis=(0, 1)), position.max(axis=(0, 1))
    span = np.where(high > low, high - low, 1.0)
    # sixteen bits: a part in 65 000 of the way that the motion takes
    place = np.rint((position - low) / span * 65534.0 - 32767.0)
    turn = np.rint(run.orientation[rows] * 32767.0)
    meshes: dict[bytes, int] = {}
    shapes: list[dict[str, str]] = []
    solids = []
    for solid in scene.solids:
        for surface in _pieces(solid.surface):
            key = surface.points.tobytes() + surface.triangles.tobytes()
            if key not in meshes:
                meshes[key] = len(shapes)
                shapes.append(
                    {
                        "points": _packed(surface.points, np.float32),
                        "normals": _packed(surface.normals, np.float32),
                        "triangles": _packed(surface.triangles, np.uint16),
                    }
                )
            solids.append({"name": solid.name, "body": solid.body, "color": solid.color, "mesh": meshes[key]})
    return {
        "title": title,
        "report": run.report(),
        "bodies": run.model.n_bodies,
        "time": _packed(run.time[rows], np.float32),
        "poses": _packed(np.concatenate([place, turn], axis=2), np.int16),
        "low": low.tolist(),
        "span": span.tolist(),
        "meshes": shapes,
        "solids": solids,
        "ties": [{"bodies": list(t.bodies), "points": [p.tolist() for p in t.points]} for t in scene.ties],
        "energy": [_packed(curve[rows], np.float32) for curve in (run.kinetic, run.potential, run.energy)],
        "center": scene.center.tolist(),
        "size": scene.size,
        "up": scene.up.tolist(),
        "eye": scene.eye.tolist(),
        "sun": scene.sun.tolist(),
        "floor": scene.floor,
        "follow": scene.follow,
    }


def _pieces(surface: Surface) -> list[Surface]:
    """The surface in pieces whose corners sixteen bits can number."""
    if len(surface.points) <= MOST_CORNERS:
        return [surface]
    pieces = []
    for start in range(0, len(surface.triangles), MOST_CORNERS // 3):
        triangles = surface.triangles[start : start + MOST_CORNERS // 3]
        used, renumbered = np.unique(triangles, return_inverse=True)
        pieces.append(Surface(surface.points[used], surface.normals[used], renumbered.reshape(-1, 3)))
    return pieces


def _packed(array: NDArray[Any], kind: type) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype=np.dtype(kind).newbyteorder("<")).tobytes()).decode()
