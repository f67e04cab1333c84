"""Robot files of strangers: which load, which are refused and why, how far their equations are from other engines'."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dalembert.errors import ModelFileError
from dalembert.formats.load import file_format
from dalembert.formats.mjcf.mjcf import read_mjcf
from dalembert.formats.urdf.urdf import read_urdf
from dalembert.model.model import Model
from dalembert.studies.against_mujoco import against_mujoco
from dalembert.studies.against_pinocchio import Differences, against_pinocchio, pinocchio_reads
from dalembert.studies.report import number


@dataclass(frozen=True)
class Outcome:
    """What became of one file."""

    file: str
    """Its path below the folder that was looked through."""
    reason: str = ""
    """The first fault, without the name of the file; empty if the file loads."""
    faults: int = 0
    repairs: bool = False
    """Whether a refused file loads with ``repair_inertia=True``."""
    elsewhere: bool = False
    """Whether Pinocchio reads a refused file."""
    bodies: int = 0
    rates: int = 0
    loops: int = 0
    notes: int = 0
    differences: Differences | None = None
    """From the other engine; None where nothing moves."""

    @property
    def loads(self) -> bool:
        """Whether the file was read."""
        return not self.reason


def look_through(
    files: Iterable[Path], folder: Path, search_paths: Sequence[Path] = (), seed: int = 1
) -> list[Outcome]:
    """Read every file; compare what loads with Pinocchio (URDF) or MuJoCo (MJCF) at random configurations."""
    return [_outcome(path, folder, search_paths, seed) for path in files]


def _outcome(path: Path, folder: Path, search_paths: Sequence[Path], seed: int) -> Outcome:
    name = str(path.relative_to(folder))
    try:
        if file_format(path) == "urdf":
            urdf = read_urdf(path, search_paths=search_paths)
            model = urdf.build()
            differences = against_pinocchio(path, model, seed) if model.system.n_v else None
            return _loaded(name, model, urdf.notes, differences)
        mjcf = read_mjcf(path, search_paths=search_paths)
        model = mjcf.build()
        return _loaded(name, model, mjcf.notes, against_mujoco(mjcf, model, seed) if model.system.n_v else None)
    except ModelFileError as problem:
        place, _, reason = problem.findings[0].partition(": error: ")
        line = place.rsplit(":", 1)[-1]
        repairs = _repairs(path, search_paths)
        elsewhere = file_format(path) == "urdf" and pinocchio_reads(path)
        return Outcome(name, f"line {line}: {reason}", len(problem.findings), repairs, elsewhere)


def _loaded(name: str, model: Model, notes: Sequence[Any], differences: Differences | None) -> Outcome:
    return Outcome(
        name,
        bodies=model.n_bodies,
        rates=model.system.n_v,
        loops=len(model.loop_joints),
        notes=len(notes),
        differences=differences,
    )


def _repairs(path: Path, search_paths: Sequence[Path]) -> bool:
    if file_format(path) != "urdf":
        return False
    try:
        read_urdf(path, search_paths=search_paths).build(repair_inertia=True)
    except ModelFileError:
        return False
    return True


def markdown(outcomes: Sequence[Outcome], title: str) -> str:
    """A section with a table of what loads and a table of what does not."""
    loaded, refused = [o for o in outcomes if o.loads], [o for o in outcomes if not o.loads]
    worst = max((o.differences.worst for o in loaded if o.differences is not None), default=0.0)
    lines = [f"## {title}", "", f"{len(loaded)} of {len(outcomes)} load; the largest difference is {number(worst)}."]
    if loaded:
        head = ("file", "bodies", "rates", "loops", "notes", "mass matrix", "gravity", "bias")
        lines += ["", _row(head), _row(["---"] * len(head))]
        for o in loaded:
            found = map(number, o.differences) if o.differences is not None else ("nothing moves", "", "")
            lines.append(_row([f"`{o.file}`", o.bodies, o.rates, o.loops, o.notes, *found]))
    if refused:
        lines += ["", _row(("refused", "faults", "the first one", "repaired", "Pinocchio")), _row(["---"] * 5)]
        for o in refused:
            verdicts = ("loads" if answer else "no" for answer in (o.repairs, o.elsewhere))
            lines.append(_row([f"`{o.file}`", o.faults, _plain(o.reason), *verdicts]))
    return "\n".join([*lines, ""])


def _row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _plain(text: str) -> str:
    """A reason without its remedy, safe inside a table."""
    text = text.partition("; ")[0]
    return text.replace("|", "\\|").replace("<", "&lt;").replace("$", "\\$").replace("*", "\\*").replace("_", "\\_")
