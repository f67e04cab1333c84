"""An MJCF file as MuJoCo compiles it, with names for everything."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from dalembert.errors import DalembertError, ModelFileError
from dalembert.formats.mjcf.references import Places
from dalembert.formats.xml_reader import Remarks

_LINE: Final = re.compile(r"line (\d+)")


@dataclass(eq=False)
class Compiled:
    """A compiled model and what is known about its file."""

    mujoco: Any
    """The package."""
    model: Any
    """The ``MjModel``."""
    places: Places

    def name(self, kind: str, index: int) -> str:
        """The name of a body, joint, site, …; those without one are called after their kind and number."""
        found = self.mujoco.mj_id2name(self.model, getattr(self.mujoco.mjtObj, f"mjOBJ_{kind.upper()}"), int(index))
        return found or f"{kind}{int(index)}"

    def place(self, kind: str, index: int, *tags: str) -> str:
        """``file:line`` of a body, joint, …; ``tags`` are the elements that may describe it."""
        return self.places.of(self.name(kind, index), *(tags or (kind,)))

    def disabled(self, what: str) -> bool:
        """Whether the file switches a part of the physics off, such as "GRAVITY"."""
        return bool(int(self.model.opt.disableflags) & int(getattr(self.mujoco.mjtDisableBit, f"mjDSBL_{what}")))


def compile_file(path: Path, places: Places, remarks: Remarks) -> Compiled:
    """Compile a file with MuJoCo; its warnings become notes."""
    try:
        mujoco: Any = import_module("mujoco")
    except ImportError:
        raise DalembertError(
            f"{path}: MJCF files are compiled by MuJoCo, which is not installed; pip install dalembert[robots]"
        ) from None
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model = mujoco.MjSpec.from_file(str(path)).compile()
    except ValueError as problem:
        text = " ".join(str(problem).split())
        line = _LINE.search(text)
        raise ModelFileError(f"{path}:{line.group(1) if line else 1}: error: MuJoCo refuses it: {text}") from None
    for warning in said:
        remarks.note(f"{path}:1", f"MuJoCo says: {warning.message}")
    return Compiled(mujoco, model, places)
