"""Runs as files: one .npz of plain arrays and a header in JSON. Nothing is pickled, nothing in a file is executed."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

import numpy as np

from dalembert.errors import ModelError
from dalembert.integrators.record import Record
from dalembert.model.state import State
from dalembert.model_file import describe_model, rebuild_model
from dalembert.system_file import Arrays, checked_array, checked_integers
from dalembert.trajectory import Trajectory

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.system import System

FORMAT: Final = "dalembert run"
VERSION: Final = 1
"""Of the format. A file of a higher one is refused."""

LATER: Final = ("lost", "contact_error", "contact_force", "contact_state")
"""Columns that files written before there was contact do not have."""

_STATE = ("position", "orientation", "velocity", "angular_velocity", "coordinates", "rates")
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    LookupError,
    TypeError,
    AttributeError,
    OverflowError,
)


def save_run(run: Trajectory, path: str | Path) -> Path:
    """Write a run with its model and the memory to resume from; the file is complete or not there at all.

    Args:
        run: the run.
        path: usually ends in .npz; a file that is already there is replaced.
    """
    path = Path(path)
    description, arrays = describe_model(run.model)
    memory = _write_memory(run.final_state.memory, arrays)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "integrator": run.integrator,
        "parameters": {name: _scalar(value) for name, value in run.parameters.items()},
        "dt": float(run.dt),
        "every": int(run.every),
        "wall_time": float(run.wall_time),
        "interrupted": bool(run.interrupted),
        "forced": bool(run.forced),
        "final_time": float(run.final_state.time),
        "memory": memory,
        "model": description,
    }
    text = json.dumps(header, ensure_ascii=False, allow_nan=False)
    arrays["header"] = np.frombuffer(text.encode(), dtype=np.uint8)
    arrays["time"] = run.time
    arrays |= {f"record.{name}": column for name, column in run.record._asdict().items()}
    arrays |= {f"final.{name}": getattr(run.final_state, name) for name in _STATE}
    _write_whole(path, arrays)
    return path


def load_run(path: str | Path, model: Model | None = None) -> Trajectory:
    """Read a run that `Trajectory.save` wrote. ``run.final_state`` resumes it with the same bits.

    Args:
        path: the file.
        model: the model that the run was made with; needed if it has user potentials or custom constraints, which are
            Python functions and are not in the file.

    Raises:
        ModelError: the file is not a run, is damaged, was written by a newer dalembert, or belongs to another model.
    """
    path = Path(path)
    try:
        arrays = _read_arrays(path)
        header = _read_header(path, arrays)
        return _restore(header, arrays, model)
    except ModelError as problem:
        raise ModelError(*(line if str(path) in line else f"{path}: {line}" for line in problem.findings)) from None
    except ValueError as problem:
        _refuse(path, f"the file is damaged: {problem}")
    except _DAMAGE as problem:
        _refuse(path, f"the file is damaged or cut short ({type(problem).__name__}: {problem})")


def _restore(header: Mapping[str, Any], arrays: Arrays, given: Model | None) -> Trajectory:
    model = rebuild_model(header["model"], arrays, given)
    system, n = model.system, model.n_bodies
    rows = int(np.size(arrays.get("time", ())))
    if rows < 1:
        raise ValueError("time: expected at least one instant, found none")
    time = checked_array(arrays, "time", (rows,))
    shapes = _state_shapes(system, n)
    final = {name: checked_array(arrays, f"final.{name}", shapes[name]) for name in _STATE}
    memory = dict(header["memory"])
    memory |= {name[7:]: array for name, array in arrays.items() if name.startswith("memory.")}
    return Trajectory(
        model=model,
        time=time,
        record=_restore_record(system, arrays, rows, len(model.contacts)),
        final_state=State(**final, time=_number(header, "final_time"), memory=memory),
        dt=_number(header, "dt", positive=True),
        every=_count(header, "every"),
        integrator=str(header["integrator"]),
        parameters=dict(header["parameters"]),
        wall_time=_number(header, "wall_time"),
        interrupted=bool(header["interrupted"]),
        forced=bool(header["forced"]),
    )


def _restore_record(system: System, arrays: Arrays, rows: int, contacts: int) -> Record:
    columns = []
    for name, like in Record.empty(system, 0, contacts)._asdict().items():
        shape = (rows, *like.shape[1:])
        if f"record.{name}" not in arrays and name in LATER:
            columns.append(np.zeros(shape))
            continue
        if like.dtype.kind == "i":
            columns.append(checked_integers(arrays, f"record.{name}", shape))
        else:
            # reactions are NaN where they could not be known, gaps infinite where nothing is within reach
            finite = name not in ("multiplier", "contact_force", "contact_state")
            columns.append(checked_array(arrays, f"record.{name}", shape, finite=finite))
    return Record(*columns)


def _state_shapes(system: System, n: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(_STATE, (n, 3))
    shapes["orientation"] = (n, 4)
    shapes["coordinates"] = (int(system.n_coordinates.sum()),)
    shapes["rates"] = (int(system.n_rates.sum()),)
    return shapes


def _write_whole(path: Path, arrays: Arrays) -> None:
    """Write beside the target, reach the disk, then take the target's name: a crash leaves the old file or the new."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            np.savez(file, **cast(Any, arrays))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _read_arrays(path: Path) -> Arrays:
    with path.open("rb") as file:
        if file.read(4) != b"PK\x03\x04":
            _refuse(path, "this is not a run saved by dalembert")
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except ValueError as problem:
        if "pickle" in str(problem).lower() or "object array" in str(problem).lower():
            _refuse(path, "it holds pickled Python objects, which are never read; this is not a run saved by dalembert")
        raise


def _read_header(path: Path, arrays: Arrays) -> dict[str, Any]:
    raw = arrays.get("header")
    if raw is None or raw.dtype != np.uint8:
        _refuse(path, "this is not a run saved by dalembert: it has no header")
    header = json.loads(raw.tobytes().decode(), parse_constant=_no_constant)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        _refuse(path, "this is not a run saved by dalembert: its header says something else")
    version = header.get("version")
    if not isinstance(version, int) or version < 1:
        raise ValueError(f"header, version: expected a whole number from 1, found {version!r}")
    if version > VERSION:
        _refuse(path, f"it is of format {version}, and this dalembert reads formats up to {VERSION}; update dalembert")
    return header


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"header: expected finite numbers, found {text}")


def _number(header: Mapping[str, Any], name: str, *, positive: bool = False) -> float:
    value = header[name]
    if not isinstance(value, int | float) or not isfinite(value) or (positive and not value > 0.0):
        raise ValueError(f"header, {name}: expected a {'positive ' * positive}finite number, found {value!r}")
    return float(value)


def _count(header: Mapping[str, Any], name: str) -> int:
    value = header[name]
    if not isinstance(value, int) or value < 1:
        raise ValueError(f"header, {name}: expected a whole number from 1, found {value!r}")
    return value


def _write_memory(memory: Mapping[str, Any], arrays: Arrays) -> dict[str, Any]:
    """What an integrator remembers: arrays go to ``arrays``, what is left comes back for the header."""
    plain = {}
    for name, value in memory.items():
        if isinstance(value, np.ndarray) and value.dtype.kind in "fi":
            arrays[f"memory.{name}"] = value
        else:
            plain[name] = _scalar(value)
    return plain


def _scalar(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def _refuse(path: Path, reason: str) -> NoReturn:
    raise ModelError(f"{path}: {reason}")
