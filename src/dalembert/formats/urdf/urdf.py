"""A URDF file that has been read: its records, what is worth knowing about it, and the model that it describes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dalembert.formats.paths import Reach
from dalembert.formats.urdf.build import Choices, fill_builder
from dalembert.formats.urdf.read import read_robot
from dalembert.formats.urdf.records import Robot
from dalembert.formats.urdf.write import write_robot
from dalembert.formats.xml_reader import Note, Remarks
from dalembert.model.builder import ModelBuilder
from dalembert.model.checks import VectorLike
from dalembert.model.model import Model


@dataclass(eq=False)
class Urdf:
    """A URDF file, made by `read_urdf`.

    Attributes:
        robot: what the file says, as records.
        notes: what has no counterpart in the model, by ``file:line``; `builder` adds to them.
        path: the file.
        search_paths: folders in which references are looked for besides the file's own.
    """

    robot: Robot
    notes: list[Note]
    path: Path
    search_paths: tuple[Path, ...] = ()

    def builder(
        self,
        *,
        base: str | None = None,
        gravity: VectorLike = (0.0, 0.0, -9.81),
        merge_fixed: bool = True,
        limits: bool = True,
        friction: bool = True,
        damping: bool = True,
        repair_inertia: bool = False,
        meshes: bool = False,
        density: float | None = None,
    ) -> ModelBuilder:
        """The mechanism as a builder, to which more can be added.

        The reference configuration is that in which all joints are at zero; the root link's frame is the world's.
        Every link is a frame of the model; links joined by fixed joints are one body, called after the first of them
        that has mass.

        Args:
            base: "fixed" or "floating"; without it, a root link with mass floats unless it is called "world".
            gravity: m/s².
            merge_fixed: whether links with mass that are fixed to each other become one body.
            limits: whether to use the limits of the joints.
            friction: whether to use their friction.
            damping: whether to use their damping.
            repair_inertia: take the nearest inertia that a body can have where the file's is that of none; a note says
                which. Without it such an inertia is refused.
            meshes: whether to open the meshes (STL, OBJ, PLY) and show links by their convex hulls.
            density: kg/m³; gives links without an ``<inertial>`` the mass properties of their collision geometry, or of
                their visual one if they have no other. Meshes count with the volume that they enclose.

        Raises:
            ModelFileError: with every fault as ``file:line: error: …``.
        """
        choices = Choices(base, gravity, merge_fixed, limits, friction, damping, repair_inertia, meshes, density)
        remarks = Remarks()
        builder = fill_builder(self.robot, choices, Reach.of(self.path, self.search_paths), remarks)
        remarks.raise_if_any()
        known = {str(note) for note in self.notes}
        self.notes += [note for note in remarks.notes if str(note) not in known]
        return builder

    @property
    def text(self) -> str:
        """The file as dalembert writes it: reading it gives the same records."""
        return write_robot(self.robot)

    def build(self, **options: object) -> Model:
        """The model; takes the options of `builder`."""
        return self.builder(**options).build()  # pyright: ignore[reportArgumentType]


def read_urdf(path: str | Path, *, search_paths: Sequence[str | Path] = ()) -> Urdf:
    """Read a URDF file strictly; nothing but the file itself is opened until `Urdf.builder` is asked for meshes.

    Args:
        path: the file.
        search_paths: folders in which ``package://name/…`` and relative references are looked for besides the file's
            own folder. A reference that leads out of these folders is refused.

    Raises:
        ModelFileError: with every fault as ``file:line: error: …``.
    """
    path, remarks = Path(path), Remarks()
    robot = read_robot(path, search_paths, remarks)
    return Urdf(robot, remarks.notes, path, tuple(Path(folder) for folder in search_paths))
