"""A mechanism without a run: a slider for every joint coordinate, and loops that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import AssemblyError
from dalembert.view.browser import Stage

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State

TURN, WAY = np.pi, 0.5
"""Ends of the sliders of joints without limits: rad, and metres in parts of the mechanism's size."""


class Poser:
    """Moves a stage by the coordinates of the joints of the spanning tree."""

    def __init__(self, server: Any, model: Model, state: State, stage: Stage) -> None:
        self._model, self.state, self._stage = model, state, stage
        gui = server.gui
        self._note = gui.add_markdown("")
        frames = gui.add_checkbox("body axes", False)
        frames.on_update(lambda _: stage.show_frames(frames.value))
        gui.add_button("Reset").on_click(lambda _: self._reset())
        self._start = state
        self.sliders: dict[str, list[Any]] = {}
        self._busy = False
        with gui.add_folder("Joints"):
            for name, joint in model.joints.items():
                if joint.in_tree and joint.components:
                    self.sliders[name] = self._add_sliders(gui, name)
        self._show(state)

    def _add_sliders(self, gui: Any, name: str) -> list[Any]:
        joint = self._model.joints[name]
        sliders = []
        for k, component in enumerate(joint.components):
            end = TURN if component >= 3 else WAY * self._stage.size
            low, high = (float(x) for x in joint.limits[component])
            low, high = (low if np.isfinite(low) else -end), (high if np.isfinite(high) else end)
            label = name if len(joint.components) == 1 else f"{name} {joint.kind.rate_names[k]}"
            slider = gui.add_slider(label, low, high, (high - low) / 720.0, float(np.clip(0.0, low, high)))
            slider.on_update(lambda _, name=name: self.move(name))
            sliders.append(slider)
        return sliders

    def move(self, name: str) -> None:
        """Bring a joint where its sliders stand."""
        if self._busy:
            return
        values = [slider.value for slider in self.sliders[name]]
        positions = {name: values[0] if len(values) == 1 else values}
        positions |= {
            other: self._value(other) for other, joint in self._model.joints.items() if joint.in_tree and other != name
        }
        positions = {other: value for other, value in positions.items() if value is not None}
        state = self._model.state(positions=positions)
        if self._model.loop_joints:
            try:
                state = self._model.assemble(state, hold=(name,)).state
            except AssemblyError as error:
                self._note.content = f"**{name}** cannot go there: {error}"
                return
        self._note.content = ""
        self._show(state)

    def _value(self, name: str) -> Any:
        """The present coordinates of a joint, as `Model.state` takes them."""
        joint = self._model.joints[name]
        q = self.state.coordinates[joint.coordinates]
        return None if q.size == 0 else float(q[0]) if q.size == 1 else q

    def _show(self, state: State) -> None:
        self.state = state
        self._stage.place(state.position, state.orientation)
        # sliders follow what the loops decided; moving them here must not move the mechanism again
        self._busy = True
        try:
            for name, sliders in self.sliders.items():
                q = state.coordinates[self._model.joints[name].coordinates]
                if len(q) == len(sliders):
                    for slider, value in zip(sliders, q, strict=True):
                        slider.value = float(np.clip(value, slider.min, slider.max))
        finally:
            self._busy = False

    def _reset(self) -> None:
        self._note.content = ""
        self._show(self._start)
