"""The only file that touches numba's decorators; `_lanes` adds a type of its own, `_linked` a way to compile.

``@kernel`` compiles a function in nopython mode and caches the machine code on disk. Numba's own cache notices an edit
of the file a kernel stands in, but not of the files whose kernels it calls; so every module gets a cache folder of its
own, named by a hash of its source and of all the dalembert sources it imports, directly or not.
"""

from __future__ import annotations

import gc
import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core import config as numba_config
from numba.core.registry import CPUDispatcher

from dalembert._linked import EntryCompiler, LinkedCache, LinkedCompiler, linked_kernels

P = ParamSpec("P")
R = TypeVar("R")

config: Any = numba_config
"""numba fills it from the environment, out of sight of type checkers."""

_PACKAGE = Path(__file__).parent
_IMPORT = re.compile(r"^\s*(?:from\s+(dalembert[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+(dalembert[\w.]+))", re.M)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` with numba: cached, IEEE floating point, no Python objects, the GIL released.

    A kernel is compiled once for callers in Python and once, without machine code of its own (see `_linked`), for
    kernels that call it. Most kernels only ever need the second.

    Numba's reference counting is off: kernels own no memory, and counting would touch an atomic number at every mention
    of an array. An allocation in a kernel is therefore an error when it is compiled; so is an assignment from one slice
    to another (write a loop).
    """
    return _compiled(function, {})


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A `kernel` whose code is put into every kernel that calls it: the body of a hot loop, called from few places.

    A call with a handful of arrays costs as much as a hundred multiplications.
    """
    return _compiled(function, {"forceinline": True})


def _compiled(function: Callable[P, R], more: dict[str, Any]) -> Callable[P, R]:
    if config.DISABLE_JIT:
        return function
    folder = cache_folder(function.__module__)
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": False, "_nrt": False}
    options |= {"nopython": True, "boundscheck": None}
    bare: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **more}
    previous = config.CACHE_DIR
    try:
        config.CACHE_DIR = str(folder)
        inner: Any = CPUDispatcher(function, targetoptions={**options, **bare}, pipeline_class=LinkedCompiler)
        inner._cache = LinkedCache(function)
        linked_kernels[function.__module__, function.__qualname__] = inner
        config.CACHE_DIR = str(folder / "python")
        outer = _Kernel(function, targetoptions=options, pipeline_class=EntryCompiler)
        outer.inner = inner
        outer.enable_caching()
    finally:
        config.CACHE_DIR = previous
    return outer


class _Kernel(CPUDispatcher):
    """A compiled function that hands calls from other compiled functions to its ``inner`` version."""

    inner: Any
    """The `CPUDispatcher` without wrappers for callers in Python."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        # a constant argument is an ordinary number: else every column that is read would make a function of its own
        plain = {name: numba.types.unliteral(value) for name, value in kws.items()}
        return self.inner.get_call_template(tuple(numba.types.unliteral(value) for value in args), plain)

    def get_overload(self, sig: Any) -> Any:
        return self.inner.get_overload(sig)

    def compile(self, sig: Any) -> Any:
        with _rare_collection():
            return _with_room(super().compile, sig)


@contextmanager
def _rare_collection() -> Iterator[None]:
    """A compiler makes millions of objects that all live on: to look for garbage among them is a fifth of its time."""
    usual = gc.get_threshold()
    if usual[0] > 0:
        gc.set_threshold(max(usual[0], 20_000), *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _with_room(call: Callable[[Any], R], argument: Any) -> R:
    """``call(argument)`` with a stack of Python frames that need not grow.

    CPython gets memory for frames in chunks of 16 kB and returns a chunk when its last frame ends. A loop that calls
    functions just across the end of a chunk asks the system for memory at each call, and somewhere in the deep
    recursion of a compiler there always is one: a million calls of the system. A function with a wide frame gets a
    chunk as wide, and those it calls find room in the rest of it.
    """
    return call(argument)


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=140_000)


def cache_root() -> Path:
    """The folder that holds all compiled kernels; ``DALEMBERT_CACHE_DIR`` moves it."""
    chosen = os.environ.get("DALEMBERT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "dalembert"


@cache
def cache_folder(module: str) -> Path:
    """The cache folder of one module: it changes whenever a source that the module can see changes."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for name in sorted(_reachable(module)):
        digest.update(name.encode())
        digest.update(_source(name).encode())
    return cache_root() / f"{module.rpartition('.')[2]}-{digest.hexdigest()[:16]}"


def _reachable(module: str) -> set[str]:
    """The module and every dalembert module that it imports, directly or through others."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(_imports(name))
    return seen


@cache
def _imports(module: str) -> tuple[str, ...]:
    found = []
    for package, names, plain in _IMPORT.findall(_source(module)):
        base = package or plain
        found.append(base)
        # `from dalembert.spatial import quaternion` may name a module rather than a function
        found.extend(f"{base}.{name}" for name in re.findall(r"\w+", names) if _path(f"{base}.{name}").is_file())
    return tuple(found)


@cache
def _source(module: str) -> str:
    path = _path(module)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _path(module: str) -> Path:
    parts = module.split(".")
    if parts[0] != _PACKAGE.name:
        loaded = sys.modules.get(module)
        return Path(getattr(loaded, "__file__", None) or "")
    folder = _PACKAGE.joinpath(*parts[1:])
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
