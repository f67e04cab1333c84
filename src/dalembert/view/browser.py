"""The browser view: a page on this machine alone, drawn by viser. An extra: pip install 'dalembert[view]'."""

from __future__ import annotations

import socket
import sys
import time
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import DalembertError
from dalembert.view.scene import PIN, Scene, scene_of

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.trajectory import Trajectory

Floats = NDArray[np.float64]

HOST = "127.0.0.1"
PORT = 8080
FRAMES_PER_SECOND = 30.0


def view_run(run: Trajectory, *, port: int = PORT, open_browser: bool = True, block: bool = True) -> Any:
    """Show a run; returns the server, or, with ``block``, comes back at Ctrl-C."""
    from dalembert.view.player import Player

    server = open_server(port)
    scene = scene_of(run.model, run.position, run.orientation)
    player = Player(server, run, Stage(server, scene))
    return _serve(server, open_browser, block, player.tick)


def view_model(
    model: Model, state: Any = None, *, port: int = PORT, open_browser: bool = True, block: bool = True
) -> Any:
    """Show a model with a slider for every joint coordinate; loops stay closed."""
    from dalembert.view.poser import Poser

    state = model.state() if state is None else state
    server = open_server(port)
    scene = scene_of(model, state.position[None], state.orientation[None])
    Poser(server, model, state, Stage(server, scene))
    return _serve(server, open_browser, block, None)


def open_server(port: int) -> Any:
    """A viser server that only this machine can reach."""
    try:
        import viser
    except ImportError as error:
        raise DalembertError("the browser view needs viser: pip install 'dalembert[view]'") from error
    with socket.socket() as probe:
        # what was closed a moment ago may be taken again
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise DalembertError(
                f"port {port} of {HOST}: expected a free port, found it in use; choose another one"
            ) from error
    server = viser.ViserServer(host=HOST, port=port, label="dalembert", verbose=False)
    server.gui.configure_theme(show_logo=False, show_share_button=False)
    return server


class Stage:
    """The scene of a mechanism in the browser."""

    def __init__(self, server: Any, scene: Scene) -> None:
        self._server, self._scene = server, scene
        api = server.scene
        api.set_up_direction(tuple(scene.up))
        server.initial_camera.position, server.initial_camera.look_at = tuple(scene.eye), tuple(scene.center)
        server.initial_camera.fov = np.pi / 6
        self._bodies = [
            api.add_frame(
                f"/bodies/{i}", show_axes=False, axes_length=0.08 * scene.size, axes_radius=0.003 * scene.size
            )
            for i in range(scene.n_bodies)
        ]
        for k, solid in enumerate(scene.solids):
            parent = f"/bodies/{solid.body}" if solid.body < scene.n_bodies else "/world"
            api.add_mesh_simple(
                f"{parent}/{k} {solid.name}",
                solid.surface.points.astype(np.float32),
                solid.surface.triangles.astype(np.uint32),
                color=_rgb(solid.color),
            )
        if scene.floor is not None:
            self._add_floor()
        self._ties = (
            api.add_line_segments(
                "/ties", np.zeros((len(scene.ties), 2, 3), np.float32), _rgb(PIN), thickness=0.004 * scene.size
            )
            if scene.ties
            else None
        )

    def place(self, position: Floats, orientation: Floats) -> None:
        """Move everything to poses (n, 3), (n, 4)."""
        with self._server.atomic():
            for frame, x, q in zip(self._bodies, position, orientation, strict=True):
                frame.position, frame.wxyz = x, q
            if self._ties is not None:
                ends = [tie.ends(position, orientation) for tie in self._scene.ties]
                self._ties.points = np.array(ends, dtype=np.float32)

    def show_frames(self, shown: bool) -> None:
        """Show or hide the axes of the bodies."""
        for frame in self._bodies:
            frame.show_axes = shown

    @property
    def size(self) -> float:
        """Diagonal of the space that is shown, m."""
        return self._scene.size

    def _add_floor(self) -> None:
        scene = self._scene
        assert scene.floor is not None
        middle = scene.center + (scene.floor - scene.center @ scene.up) * scene.up
        # a grid lies across its z axis
        z, up = np.array([0.0, 0.0, 1.0]), scene.up
        turn = np.array([1.0 + z @ up, *np.cross(z, up)]) if z @ up > -0.999 else np.array([0.0, 1.0, 0.0, 0.0])
        cell = 10.0 ** np.round(np.log10(0.1 * scene.size))
        self._server.scene.add_grid(
            "/floor",
            width=4.0 * scene.size,
            height=4.0 * scene.size,
            cell_size=cell,
            section_size=5.0 * cell,
            cell_color=(226, 231, 236),
            section_color=(201, 209, 217),
            wxyz=turn / np.linalg.norm(turn),
            position=middle,
        )


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _serve(server: Any, open_browser: bool, block: bool, tick: Callable[[float], None] | None) -> Any:
    address = f"http://{HOST}:{server.get_port()}"
    if open_browser:
        webbrowser.open(address)
    if not block:
        return server
    print(f"showing {address} until Ctrl-C", file=sys.stderr)
    try:
        before = time.perf_counter()
        while True:
            time.sleep(1.0 / FRAMES_PER_SECOND)
            now = time.perf_counter()
            if tick is not None:
                tick(now - before)
            before = now
    except KeyboardInterrupt:
        print(file=sys.stderr)
    finally:
        server.stop()
    return None
