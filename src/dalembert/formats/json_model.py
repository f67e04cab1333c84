"""Models as JSON, for exact storage: what is read has the same bits as what was written.

A number is written with as many digits as it takes to tell it from its neighbours. Parts that are Python functions
(custom constraints, potentials) are not data; a model that has them is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np

from dalembert.errors import ModelError, ModelFileError
from dalembert.formats.xml_source import read_bytes
from dalembert.model.bodies import check_inertia
from dalembert.model.checks import PRINTED_DIGITS, Findings
from dalembert.model.model import Model
from dalembert.model.system import Floats
from dalembert.model_file import describe_model, rebuild_model
from dalembert.system_file import Arrays

FORMAT: Final = "dalembert model"
VERSION: Final = 1
"""Of the format. A file of a higher one is refused."""
MAX_BYTES: Final = 256 * 2**20
_TYPES: Final = {"float64": np.float64, "int64": np.int64}
_INFINITE: Final[dict[str, float]] = {"inf": inf, "-inf": -inf}
_DAMAGE: Final = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)


def model_text(model: Model) -> str:
    """The model as the text of a JSON file. Raises `ModelError` if parts of it are Python functions."""
    description, arrays = describe_model(model)
    if description["functions"]:
        listed = ", ".join(description["functions"])
        raise ModelError(
            f"the model has parts written in Python, which a file cannot hold ({listed}); keep the program of it"
        )
    entries = [f"{json.dumps(name)}: {_array_text(array)}" for name, array in arrays.items()]
    header = {"format": FORMAT, "version": VERSION}
    lines = [f"{json.dumps(key)}: {_dumped(value)}" for key, value in header.items()]
    lines.append(f'"model": {_dumped(description)}')
    lines.append('"arrays": {\n' + ",\n".join(entries) + "\n}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_model(model: Model, path: Path) -> None:
    """Write a model; the file is complete or not there at all."""
    write_text(model_text(model), path)


def write_text(text: str, path: Path) -> None:
    """Write beside the target, then take its name."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def read_model(path: Path) -> Model:
    """Read a model that `write_model` wrote. Raises `ModelFileError` if it is damaged, newer or something else."""
    data = read_bytes(path, MAX_BYTES)
    try:
        content = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except json.JSONDecodeError as problem:
        _refuse(path, f"expected JSON, found {problem.msg}", problem.lineno)
    except (UnicodeDecodeError, RecursionError) as problem:
        _refuse(path, f"expected JSON in UTF-8, found something else ({type(problem).__name__})")
    except ValueError as problem:
        _refuse(path, str(problem))
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        _refuse(path, "expected a model saved by dalembert, found other JSON")
    version = content.get("version")
    if not isinstance(version, int) or version < 1:
        _refuse(path, f"version: expected a whole number from 1, found {version!r}")
    if version > VERSION:
        _refuse(path, f"version: expected at most {VERSION}, found {version}; update dalembert")
    try:
        arrays = {name: _array(name, entry) for name, entry in content["arrays"].items()}
        model = rebuild_model(content["model"], arrays, None)
        _check(model)
    except ModelError as problem:
        raise ModelFileError(*(f"{path}:1: error: {line}" for line in problem.findings)) from None
    except _DAMAGE as problem:
        _refuse(path, f"the file is damaged ({type(problem).__name__}: {problem})")
    return model


def _check(model: Model) -> None:
    """What the builder makes sure of and a hand could have changed."""
    findings, system = Findings(), model.system
    for body in model.bodies.values():
        if not body.mass > 0.0:
            findings.add(f'body "{body.name}", mass', "a positive mass in kg", repr(body.mass))
        check_inertia(body.inertia, findings, f'body "{body.name}", inertia')
    for joint in model.joints.values():
        if joint.kind.code != system.joint_kind[joint.index]:
            expected = f"that of a {joint.kind.name}"
            findings.add(f'joint "{joint.name}", kind', expected, str(system.joint_kind[joint.index]))
    in_tree = np.zeros(len(model.joints), dtype=bool)
    in_tree[system.tree_joint] = True
    if [joint.in_tree for joint in model.joints.values()] != in_tree.tolist():
        findings.add("the spanning tree", "the joints that say so", "others")
    turns = (system.parent_frame, system.child_frame, *(body.orientation[None] for body in model.bodies.values()))
    for turn in turns:
        if np.any(np.abs(np.linalg.norm(turn, axis=-1) - 1.0) > PRINTED_DIGITS):
            findings.add("an orientation", "a quaternion of length 1", "another length")
            break
    for name in ("stiffness", "damping", "armature"):
        if np.any(getattr(system, name) < 0.0):
            findings.add(f"the {name} of a joint", "nothing negative", "something negative")
    findings.raise_if_any()


def _array_text(array: Floats) -> str:
    values = array.ravel().tolist()
    if array.dtype.kind == "f":
        values = [value if -inf < value < inf else ("inf" if value > 0.0 else "-inf") for value in values]
    return _dumped({"shape": list(array.shape), "type": str(array.dtype), "values": values})


def _array(name: str, entry: Mapping[str, Any]) -> Arrays | Any:
    kind, shape, values = entry["type"], entry["shape"], entry["values"]
    if kind not in _TYPES:
        raise ValueError(f"{name}: expected numbers of type {' or '.join(_TYPES)}, found {kind!r}")
    wanted = int if kind == "int64" else (int, float)
    numbers = [_INFINITE.get(value, value) if isinstance(value, str) else value for value in values]
    if any(not isinstance(value, wanted) or isinstance(value, bool) for value in numbers):
        raise ValueError(f"{name}: expected numbers, found something else among them")
    return np.array(numbers, dtype=_TYPES[kind]).reshape([int(size) for size in shape])


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"expected finite numbers, found {text}")


def _refuse(path: Path, reason: str, line: int = 1) -> NoReturn:
    raise ModelFileError(f"{path}:{line}: error: {reason}")
