"""An MJCF file that has been compiled: what is worth knowing about it, and the model that it describes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dalembert.errors import ModelError
from dalembert.formats.mjcf.actuators import Actuator, Control, make_controller, read_actuators
from dalembert.formats.mjcf.build import Choices, fill_builder
from dalembert.formats.mjcf.compiled import Compiled, compile_file
from dalembert.formats.mjcf.placing import BALL, FREE
from dalembert.formats.mjcf.references import look_through
from dalembert.formats.paths import Reach
from dalembert.formats.xml_reader import Note, Remarks
from dalembert.model.builder import ModelBuilder
from dalembert.model.model import Model
from dalembert.model.state import State


@dataclass(eq=False)
class Mjcf:
    """An MJCF file, made by `read_mjcf`.

    Attributes:
        notes: what has no counterpart in the model; `builder` adds to them.
        path: the file.
        compiled: the model as MuJoCo compiled it, an ``MjModel`` as ``compiled.model``.
        actuators: motors and servos on joints, for `controller`.
    """

    notes: list[Note]
    path: Path
    compiled: Compiled
    actuators: tuple[Actuator, ...] = field(default=())

    def builder(
        self, *, limits: bool = True, friction: bool = True, damping: bool = True, contacts: bool = False
    ) -> ModelBuilder:
        """The mechanism as a builder, to which more can be added.

        Bodies, joints and sites keep their names; joint coordinates are MuJoCo's. Equality constraints become joints
        that close loops.

        Args:
            limits: whether to use the limits of the joints.
            friction: whether to use their friction.
            damping: whether to use their damping.
            contacts: whether the geoms touch.
        """
        remarks = Remarks()
        builder = fill_builder(self.compiled, Choices(limits, friction, damping, contacts), remarks)
        remarks.raise_if_any()
        known = {str(note) for note in self.notes}
        self.notes += [note for note in remarks.notes if str(note) not in known]
        return builder

    def build(self, **options: bool) -> Model:
        """The model; takes the options of `builder`."""
        return self.builder(**options).build()

    def controller(self, model: Model, control: Control) -> Callable[[float, State], dict[str, float]]:
        """A controller for `simulate` with the forces of the actuators.

        Args:
            model: the model that was built.
            control: controls by actuator, or a function of time and state that gives them; those not named are zero.
        """
        return make_controller(self.actuators, model, control)

    def positions(self, qpos: ArrayLike) -> dict[str, Any]:
        """Positions by joint, for `Model.state`, from MuJoCo's vector of coordinates such as that of a keyframe."""
        return self._by_joint("qpos", qpos, int(self.compiled.model.nq), 7, 4)

    def velocities(self, qvel: ArrayLike) -> dict[str, Any]:
        """Velocities by joint, for `Model.state`, from MuJoCo's vector of rates."""
        return self._by_joint("dof", qvel, int(self.compiled.model.nv), 6, 3)

    def _by_joint(self, what: str, values: ArrayLike, size: int, free: int, ball: int) -> dict[str, Any]:
        model = self.compiled.model
        array = np.array(values, dtype=np.float64)
        if array.shape != (size,):
            raise ModelError(f"{self.path}: expected {size} numbers as MuJoCo orders them, found {array.shape}")
        found = {}
        for joint in range(model.njnt):
            start = int((model.jnt_qposadr if what == "qpos" else model.jnt_dofadr)[joint])
            count = {FREE: free, BALL: ball}.get(int(model.jnt_type[joint]), 1)
            found[self.compiled.name("joint", joint)] = array[start : start + count]
        return found


def read_mjcf(path: str | Path, *, search_paths: Sequence[str | Path] = ()) -> Mjcf:
    """Compile an MJCF file with MuJoCo, which opens the files that it names: those in its own folder and below.

    Args:
        path: the file.
        search_paths: folders besides the file's own in which files may be named.

    Raises:
        ModelFileError: the file names others that it may not reach, or MuJoCo refuses it.
    """
    path, remarks = Path(path), Remarks()
    places = look_through(path, Reach.of(path, search_paths), remarks)
    remarks.raise_if_any()
    compiled = compile_file(path, places, remarks)
    actuators, lost = read_actuators(compiled)
    for name, reason in lost:
        tags = ("motor", "position", "velocity", "general", "intvelocity", "damper", "cylinder", "muscle", "adhesion")
        remarks.note(places.of(name, *tags), f'actuator "{name}": not mapped ({reason})')
    return Mjcf(remarks.notes, path, compiled, tuple(actuators))
