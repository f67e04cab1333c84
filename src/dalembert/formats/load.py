"""Models from files, whatever their format."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dalembert.errors import ModelFileError, ModelFileWarning
from dalembert.formats.json_model import read_model
from dalembert.formats.mjcf.mjcf import Mjcf, read_mjcf
from dalembert.formats.urdf.urdf import Urdf, read_urdf
from dalembert.formats.xml_reader import Note
from dalembert.formats.xml_source import parse_xml, read_bytes
from dalembert.model.model import Model

SHOWN = 5
"""How many notes a warning shows."""


def load(path: str | Path, **options: Any) -> Model:
    """The model that a file describes.

    What the file says and the model does not is listed in a `ModelFileWarning`; `read_urdf` and `read_mjcf` give it
    as ``notes``.

    Args:
        path: a URDF or MJCF file, or a JSON file that `save_model` wrote.
        options: of the format: ``search_paths`` and those of `Urdf.builder` or `Mjcf.builder`.

    Raises:
        ModelFileError: with every fault as ``file:line: error: …``.
    """
    model, notes = load_with_notes(path, **options)
    if notes:
        shown = "\n  ".join(str(note) for note in notes[:SHOWN])
        more = f"\n  … and {len(notes) - SHOWN} more" if len(notes) > SHOWN else ""
        warnings.warn(f"{path}: read with {len(notes)} notes:\n  {shown}{more}", ModelFileWarning, stacklevel=2)
    return model


def load_with_notes(path: str | Path, **options: Any) -> tuple[Model, list[Note]]:
    """The model and what is worth knowing about its file."""
    path = Path(path)
    return _READERS[file_format(path)](path, **options)


def option_names(path: Path) -> tuple[str, ...]:
    """The options that `load` takes for this file."""
    return _OPTIONS[file_format(path)]


def file_format(path: Path) -> str:
    """The name of the format of a file, one of those in `FORMATS`."""
    kind = FORMATS.get(path.suffix.lower())
    if kind is not None:
        return kind
    if path.suffix.lower() == ".xml":
        tag = parse_xml(read_bytes(path), str(path)).tag
        if tag in _ROOTS:
            return _ROOTS[tag]
        raise ModelFileError(f"{path}:1: error: expected a <robot> or a <mujoco>, found <{tag[:60]}>")
    known = ", ".join((*FORMATS, ".xml"))
    remedy = "; let xacro write the URDF first" if path.suffix.lower() == ".xacro" else ""
    raise ModelFileError(f'{path}:1: error: expected a file that ends in {known}, found "{path.suffix}"{remedy}')


def _load_urdf(path: Path, *, search_paths: Any = (), **options: Any) -> tuple[Model, list[Note]]:
    urdf = read_urdf(path, search_paths=search_paths)
    model = urdf.build(**options)
    return model, urdf.notes


def _load_mjcf(path: Path, *, search_paths: Any = (), **options: Any) -> tuple[Model, list[Note]]:
    mjcf = read_mjcf(path, search_paths=search_paths)
    model = mjcf.build(**options)
    return model, mjcf.notes


def _load_json(path: Path) -> tuple[Model, list[Note]]:
    return read_model(path), []


def _options_of(builder: Callable[..., Any]) -> tuple[str, ...]:
    return ("search_paths", *(name for name in signature(builder).parameters if name != "self"))


FORMATS: Mapping[str, str] = MappingProxyType({".urdf": "urdf", ".mjcf": "mjcf", ".json": "json"})
"""Endings of files and the formats that they stand for."""
_OPTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"urdf": _options_of(Urdf.builder), "mjcf": _options_of(Mjcf.builder), "json": ()}
)
_ROOTS: Mapping[str, str] = MappingProxyType({"robot": "urdf", "mujoco": "mjcf"})
_READERS: Mapping[str, Callable[..., tuple[Model, list[Note]]]] = MappingProxyType(
    {"urdf": _load_urdf, "mjcf": _load_mjcf, "json": _load_json}
)
