"""Solid pictures and films of a motion, drawn without a display. pyvista is an extra: pip install 'dalembert[view]'."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import DalembertError
from dalembert.view.motion import span
from dalembert.view.scene import PIN, Scene, scene_of
from dalembert.view.skeleton import rotate

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.trajectory import Trajectory

Floats = NDArray[np.float64]

FLOOR, SHADOW, BACKGROUND = "#dfe5ea", "#c3cbd3", "#ffffff"


def picture(
    run: Trajectory, path: str | PathLike[str], *, time: float | None = None, size: tuple[int, int] = (1280, 800)
) -> Path:
    """Draw the instant recorded nearest to ``time`` (s; the last one if not given) as a PNG of ``size`` pixels."""
    target = Path(path)
    k = len(run) - 1 if time is None else int(np.abs(run.time - time).argmin())
    _pyvista()
    from PIL import Image

    target.parent.mkdir(parents=True, exist_ok=True)
    with stage(run, size) as draw:
        Image.fromarray(draw(k)).save(target, "PNG")
    return target


def film(
    run: Trajectory,
    path: str | PathLike[str],
    *,
    start: float | None = None,
    stop: float | None = None,
    speed: float = 1.0,
    frames_per_second: int = 30,
    size: tuple[int, int] = (1280, 800),
) -> Path:
    """Draw the motion between ``start`` and ``stop`` (s) as an MP4, ``speed`` times as fast as life."""
    try:
        from imageio_ffmpeg import write_frames
    except ImportError as error:
        raise DalembertError("films need imageio-ffmpeg: pip install 'dalembert[view]'") from error
    if not speed > 0.0 or frames_per_second < 1:
        raise DalembertError(f"expected a positive speed and frame rate, found {speed!r} and {frames_per_second!r}")
    target = Path(path)
    first, last = span(run.time, start, stop)
    times = np.arange(run.time[first], run.time[last] + 1e-9, speed / frames_per_second)
    # the recorded instant nearest to each frame: nothing is drawn that was not computed
    index = np.searchsorted(run.time, times - 0.5 * run.dt * run.every).clip(first, last)
    target.parent.mkdir(parents=True, exist_ok=True)
    with stage(run, size) as draw:
        # sizes that are not multiples of sixteen are what people ask for
        writer = write_frames(str(target), size, fps=frames_per_second, quality=8, macro_block_size=2)
        writer.send(None)
        try:
            for k in index.tolist():
                writer.send(draw(k))
        finally:
            writer.close()
    return target


class Stage:
    """A scene that is drawn into arrays of pixels.

    Args:
        model: the mechanism.
        position: (times, n, 3) the poses that it will go through, which choose what is in the picture.
        orientation: (times, n, 4).
        size: width and height in pixels.
    """

    def __init__(self, model: Model, position: Floats, orientation: Floats, size: tuple[int, int]) -> None:
        pyvista = _pyvista()
        self._scene = scene = scene_of(model, position, orientation)
        self._middle = position[0].mean(axis=0)
        self._plotter = plotter = pyvista.Plotter(off_screen=True, window_size=list(size), lighting="none")
        plotter.set_background(BACKGROUND)
        _light(pyvista, plotter, scene)
        self._disc = _floor(pyvista, plotter, scene)
        self._shadow = scene.shadow()
        self._actors, self._shadows = [], []
        for solid in scene.solids:
            mesh = _mesh(pyvista, solid.surface)
            shine = {"ambient": 0.25, "diffuse": 0.75, "specular": 0.2, "specular_power": 20}
            self._actors.append(plotter.add_mesh(mesh, color=solid.color, smooth_shading=True, **shine))
            if self._shadow is not None:
                self._shadows.append(plotter.add_mesh(mesh, color=SHADOW, lighting=False))
                self._shadows[-1].user_matrix = self._shadow
        self._ties = [pyvista.Line((0, 0, 0), (0, 0, 1)) for _ in scene.ties]
        for line in self._ties:
            plotter.add_mesh(line, color=PIN, line_width=3)
        plotter.camera_position = [tuple(scene.eye), tuple(scene.center), tuple(scene.up)]
        plotter.enable_anti_aliasing("msaa", multi_samples=8)
        self._label = plotter.add_text("", position="lower_left", font_size=11, color=PIN)

    def draw(self, position: Floats, orientation: Floats, text: str = "") -> NDArray[np.uint8]:
        """(height, width, 3) the picture of poses (n, 3), (n, 4) with a line of text in its corner."""
        scene = self._scene
        for i, solid in enumerate(scene.solids):
            if solid.body < scene.n_bodies:
                pose = _matrix(position[solid.body], orientation[solid.body])
                self._actors[i].user_matrix = pose
                if self._shadow is not None:
                    self._shadows[i].user_matrix = self._shadow @ pose
        for line, tie in zip(self._ties, scene.ties, strict=True):
            line.points = tie.ends(position, orientation)
        if scene.follow:
            drift = position.mean(axis=0) - self._middle
            self._plotter.camera_position = [tuple(scene.eye + drift), tuple(scene.center + drift), tuple(scene.up)]
            if self._disc is not None:
                # it stays under what is followed
                self._disc.position = tuple(drift - (drift @ scene.up) * scene.up)
        self._label.set_text("lower_left", text)
        self._plotter.render()
        return np.ascontiguousarray(self._plotter.screenshot(return_img=True))

    def close(self) -> None:
        """Free the memory of the picture."""
        self._plotter.close()


@contextmanager
def stage(run: Trajectory, size: tuple[int, int]) -> Iterator[Callable[[int], NDArray[np.uint8]]]:
    """A function that draws the k-th recorded instant of a run."""
    drawn = Stage(run.model, run.position, run.orientation, size)
    try:
        yield lambda k: drawn.draw(run.position[k], run.orientation[k], f"t = {run.time[k]:.2f} s")
    finally:
        drawn.close()


def _pyvista() -> Any:
    try:
        import pyvista
    except ImportError as error:
        raise DalembertError("solid pictures need pyvista: pip install 'dalembert[view]'") from error
    return pyvista


def _mesh(pyvista: Any, surface: Any) -> Any:
    faces = np.column_stack([np.full(len(surface.triangles), 3), surface.triangles])
    mesh = pyvista.PolyData(surface.points, faces.ravel())
    mesh.point_data.active_normals = surface.normals
    return mesh


def _matrix(position: Floats, orientation: Floats) -> Floats:
    matrix = np.eye(4)
    matrix[:3, :3] = rotate(orientation[None], np.eye(3)).T
    matrix[:3, 3] = position
    return matrix


def _light(pyvista: Any, plotter: Any, scene: Scene) -> None:
    """The sun, and a fainter light from where the viewer stands."""
    toward = (scene.eye - scene.center) / np.linalg.norm(scene.eye - scene.center)
    for direction, strength in ((scene.sun, 0.75), (toward, 0.45)):
        light = pyvista.Light(
            position=tuple(scene.center + scene.size * direction),
            focal_point=tuple(scene.center),
            intensity=strength,
            light_type="scene light",
        )
        plotter.add_light(light)


def _floor(pyvista: Any, plotter: Any, scene: Scene) -> Any:
    """A disc that fades into the background, if there is a floor."""
    if scene.floor is None:
        return None
    middle = scene.center + (scene.floor - scene.center @ scene.up) * scene.up
    disc = pyvista.Disc(
        center=tuple(middle), normal=tuple(scene.up), inner=0.0, outer=3.0 * scene.size, r_res=24, c_res=72
    )
    far = np.linalg.norm(disc.points - middle, axis=1) / (3.0 * scene.size)
    near, white = (np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) for color in (FLOOR, BACKGROUND))
    fade = np.clip(1.6 * far, 0.0, 1.0)[:, None] ** 2
    disc.point_data["color"] = ((1.0 - fade) * near + fade * white).astype(np.uint8)
    return plotter.add_mesh(disc, scalars="color", rgb=True, lighting=False)
