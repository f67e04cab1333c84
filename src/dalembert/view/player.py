"""The controls of a run in the browser: play, pause, step, speed, time, frames, forces, energy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.view.browser import Stage
from dalembert.view.force_arrows import Arrows, ForceArrows, contact_forces, joint_forces
from dalembert.view.style import envelope

if TYPE_CHECKING:
    from dalembert.trajectory import Trajectory

SPEEDS = ("0.05", "0.1", "0.25", "0.5", "1", "2", "5", "10")
POINTS = 600
"""Of a curve in the panel."""


class Player:
    """Moves a stage through the recorded instants of a run."""

    def __init__(self, server: Any, run: Trajectory, stage: Stage) -> None:
        self._server, self._run, self._stage = server, run, stage
        self._clock = float(run.time[0])
        self._playing = False
        gui = server.gui
        with gui.add_folder("Time"):
            step = float(run.dt * run.every)
            last = float(run.time[-1])
            self._slider = gui.add_slider("t (s)", float(run.time[0]), max(last, run.time[0] + step), step, self._clock)
            self._play = gui.add_button("Play")
            buttons = gui.add_button_group("step", ("‹", "›"))
            self._speed = gui.add_dropdown("speed", SPEEDS, initial_value="1")
        with gui.add_folder("Show"):
            frames = gui.add_checkbox("body axes", False)
            kinds: list[tuple[str, Callable[[Trajectory, float], Arrows]]] = [("joint forces", joint_forces)]
            if run.model.contacts:
                kinds.append(("contact forces", contact_forces))
            self._shown = [ForceArrows(server, run, stage.size, name, made) for name, made in kinds]
            boxes = [(arrows, gui.add_checkbox(arrows.name, False)) for arrows in self._shown]
        self._add_energy(gui)
        with gui.add_folder("Accuracy", expand_by_default=False):
            gui.add_markdown(f"```text\n{run.report()}\n```")

        # the slider is moved from here too: only what a person does pauses
        self._slider.on_update(lambda event: self._seek(self._slider.value) if event.client is not None else None)
        self._play.on_click(lambda _: self._toggle())
        buttons.on_click(lambda _: self._step(1 if buttons.value == "›" else -1))
        frames.on_update(lambda _: stage.show_frames(frames.value))
        for arrows, box in boxes:
            box.on_update(lambda _, arrows=arrows, box=box: arrows.show(box.value, self._index))
        self._place()

    def tick(self, seconds: float) -> None:
        """Let time pass."""
        if not self._playing:
            return
        self._clock += seconds * float(self._speed.value)
        if self._clock >= self._run.time[-1]:
            self._clock = float(self._run.time[-1])
            self._pause()
        self._place()

    @property
    def _index(self) -> int:
        return int(np.abs(self._run.time - self._clock).argmin())

    def _toggle(self) -> None:
        if self._playing:
            self._pause()
            return
        if self._clock >= self._run.time[-1]:
            self._clock = float(self._run.time[0])
        self._playing = True
        self._play.label = "Pause"

    def _pause(self) -> None:
        self._playing = False
        self._play.label = "Play"

    def _seek(self, time: float) -> None:
        self._pause()
        self._clock = float(time)
        self._place()

    def _step(self, by: int) -> None:
        k = min(max(self._index + by, 0), len(self._run) - 1)
        self._seek(float(self._run.time[k]))

    def _place(self) -> None:
        k = self._index
        self._stage.place(self._run.position[k], self._run.orientation[k])
        self._slider.value = float(self._run.time[k])
        for arrows in self._shown:
            arrows.place(k)

    def _add_energy(self, gui: Any) -> None:
        from viser import uplot

        run = self._run
        curves = [envelope(run.time, curve, POINTS) for curve in (run.kinetic, run.potential, run.energy)]
        time = np.unique(np.concatenate([x for x, _ in curves]))
        names = ("kinetic", "potential", "total")
        colors = ("#0072b2", "#009e73", "#22272e")
        with gui.add_folder("Energy (J)"):
            gui.add_uplot(
                (time, *(np.interp(time, x, y) for x, y in curves)),
                (
                    uplot.Series(label="t (s)"),
                    *(uplot.Series(label=n, stroke=c, width=1.5) for n, c in zip(names, colors, strict=True)),
                ),
                scales={"x": uplot.Scale(time=False, auto=True), "y": uplot.Scale(auto=True)},
                aspect=1.4,
            )
