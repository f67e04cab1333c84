"""From what stands on the command line to a model and its start: names of the zoo, model files, Python functions."""

from __future__ import annotations

import ast
import difflib
import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dalembert.errors import DalembertError, ModelError

if TYPE_CHECKING:
    from dalembert.formats.xml_reader import Note
    from dalembert.model.model import Model
    from dalembert.model.state import State


MODEL_FILES = (".urdf", ".xml", ".mjcf", ".json", ".xacro", ".sdf")
"""Endings of files that are read as models or refused with the reason."""


class InputError(Exception):
    """The command line or a file named on it is wrong: one line for each fault, ``file:line`` first if known."""

    def __init__(self, *faults: str, place: str = "") -> None:
        self.faults = faults
        self.place = place
        super().__init__("; ".join(faults))

    @property
    def lines(self) -> list[str]:
        """What the terminal shows."""
        start = f"{self.place}: " if self.place else ""
        return [f"{start}error: {fault}" for fault in self.faults]


@dataclass(frozen=True)
class Source:
    """A mechanism that the command line asked for."""

    name: str
    model: Model
    state: State
    wrenches: Mapping[str, Any] | None = None
    """What drives it, for ``simulate(wrenches=…)``."""
    notes: Sequence[Note] = field(default_factory=tuple)
    """What its file says and the model does not."""


def load_source(text: str, settings: Sequence[str] = ()) -> Source:
    """The mechanism that ``text`` names: ``zoo_name``, a model file, ``module:function`` or ``file.py[:function]``.

    ``settings`` are ``name=value`` arguments for the function or options of the file's format. A function returns a
    `Model`, or a model and its start.
    """
    arguments = read_settings(settings)
    if Path(text).suffix.lower() in MODEL_FILES:
        return _from_file(Path(text), arguments)
    path, _, function = text.partition(":")
    if not function and not path.endswith(".py"):
        return _from_zoo(text, arguments)
    module, place = _load_module(path)
    name = function or "model"
    build = getattr(module, name, None)
    if not callable(build):
        raise InputError(f"{path} has no function {name!r}{_close(name, vars(module))}", place=place)
    made = _call(build, arguments, text, place)
    model, state = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
    from dalembert.model.model import Model
    from dalembert.model.state import State

    if not isinstance(model, Model) or not isinstance(state, State | None):
        kind = type(made).__name__
        raise InputError(f"{text} should return a Model, or a Model and a State; it returned {kind}", place=place)
    return Source(name, model, model.state() if state is None else state)


def read_settings(settings: Sequence[str]) -> dict[str, Any]:
    """``name=value`` pairs; values are Python literals, joint kinds such as ``Revolute(axis=(0,1,0))``, or words."""
    found: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.isidentifier():
            raise InputError(f"expected name=value, found {setting!r}")
        found[name] = _value(value)
    return found


def check_names(given: Mapping[str, Any], known: Sequence[str], owner: str) -> None:
    """Refuse settings that nobody reads, and say which there are."""
    for name in given:
        if name not in known:
            listed = ", ".join(known) if known else "none"
            raise InputError(f"{owner} has no setting {name!r}{_close(name, known)}; it has: {listed}")


def _from_zoo(name: str, arguments: Mapping[str, Any]) -> Source:
    from dalembert.zoo import ZOO

    if name not in ZOO:
        listed = ", ".join(ZOO)
        raise InputError(
            f"no mechanism {name!r}{_close(name, ZOO)}; there are: {listed}; or module:function, or file.py"
        )
    entry = ZOO[name]
    model = _call(entry.build, arguments, name, "")
    return Source(name, model, entry.start(model), entry.wrenches)


def _from_file(path: Path, arguments: dict[str, Any]) -> Source:
    from dalembert.formats.load import load_with_notes, option_names

    check_names(arguments, option_names(path), str(path))
    folders = arguments.get("search_paths")
    if isinstance(folders, str):
        # one folder needs no brackets
        arguments["search_paths"] = (folders,)
    model, notes = load_with_notes(path, **arguments)
    state = model.state()
    if any(not joint.in_tree and joint.kind.locked != (0,) * 6 for joint in model.joints.values()):
        state = model.assemble(state).state
    return Source(path.stem, model, state, notes=notes)


def _load_module(path: str) -> tuple[ModuleType, str]:
    """The module and where its source stands, for messages."""
    file = Path(path)
    try:
        if path.endswith(".py"):
            if not file.is_file():
                raise InputError(f"there is no file {path}")
            # what the file imports from beside itself is found as if it were run
            sys.path.insert(0, str(file.resolve().parent))
            spec = importlib.util.spec_from_file_location(file.stem, file)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
        else:
            sys.path.insert(0, "")
            module = importlib.import_module(path)
    except InputError:
        raise
    except SyntaxError as error:
        place = f"{error.filename or path}:{error.lineno or 1}"
        raise InputError(error.msg or "syntax error", place=place) from error
    except Exception as error:
        raise _located(error, path) from error
    return module, path if path.endswith(".py") else str(getattr(module, "__file__", None) or path)


def _call(build: Callable[..., Any], arguments: Mapping[str, Any], owner: str, place: str) -> Any:
    parameters = inspect.signature(build).parameters.values()
    if not any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters):
        check_names(arguments, [p.name for p in parameters], owner)
    try:
        return build(**arguments)
    except Exception as error:
        raise _located(error, place) from error


def _located(error: Exception, place: str) -> InputError:
    """The error with the last line of the user's own file that led to it."""
    own = Path(place).resolve() if place else None
    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if own is not None and Path(frame.filename).resolve() == own:
            line = f"{place}:{frame.lineno}"
    if isinstance(error, ModelError):
        faults = error.findings
    else:
        faults = (str(error) if isinstance(error, DalembertError) else f"{type(error).__name__}: {error}",)
    return InputError(*faults, place=line or place)


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        pass
    from dalembert.model.joints import JOINT_KINDS

    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return text
    call = tree.func if isinstance(tree, ast.Call) else tree
    if not isinstance(call, ast.Name) or call.id not in JOINT_KINDS:
        return text
    kind = type(JOINT_KINDS[call.id])
    if not isinstance(tree, ast.Call):
        return kind()
    try:
        positional = [ast.literal_eval(part) for part in tree.args]
        named = {part.arg: ast.literal_eval(part.value) for part in tree.keywords if part.arg}
        return kind(*positional, **named)
    except (ValueError, TypeError) as error:
        raise InputError(f"cannot make a joint of {text!r}: {error}") from error


def _close(name: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    matches = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {matches[0]!r}?)" if matches else ""
