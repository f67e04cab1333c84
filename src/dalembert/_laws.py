"""Control laws as machine code: compiled once by themselves, called from kernels through their address.

A kernel that took a jitted function as an argument would be compiled anew for each one, and never cached. All laws have
one signature instead, so a kernel calls whichever address it is handed, and no integrator is compiled again for a law.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
from numba.core import types
from numba.core.errors import NumbaError
from numba.core.extending import intrinsic

from dalembert._jit import cache_folder, config
from dalembert._linked import EntryCompiler
from dalembert.errors import ModelError

_MATRIX, _VECTOR = types.Array(types.float64, 2, "C"), types.Array(types.float64, 1, "C")


class Motion(NamedTuple):
    """What a law is told: fields of `State` of the same names, as arrays."""

    position: Any
    """(n, 3) centres of mass in the world, m."""
    orientation: Any
    """(n, 4) quaternions (w, x, y, z), body to world."""
    velocity: Any
    """(n, 3) of the centres of mass in the world, m/s."""
    angular_velocity: Any
    """(n, 3) in body axes, rad/s."""
    coordinates: Any
    """Coordinates of all joints; m, rad and quaternions."""
    rates: Any
    """Rates of all joints; m/s and rad/s."""


ARGUMENTS = (types.float64, types.NamedTuple([_MATRIX] * 4 + [_VECTOR] * 2, Motion), _VECTOR, _VECTOR, _VECTOR)
"""Time, motion, parameters, memory, force: what every law takes."""


class Law:
    """A function ``law(time, motion, parameters, memory, force)`` that writes ``force``, and its machine code.

    Args:
        function: in the part of Python that numba compiles.
        cached: keep the machine code on disk: for functions of this library, whose sources name the folder.
    """

    def __init__(self, function: Callable[..., None], *, cached: bool = False) -> None:
        self.function: Any = getattr(function, "py_func", function)
        self._cached = cached
        self._compiled: Any = None

    @property
    def callable(self) -> Any:
        """The function as Python calls it: the machine code, unless compilation is off."""
        if config.DISABLE_JIT:
            return self.function
        if self._compiled is None:
            self._compiled = self._compile()
        return self._compiled

    @property
    def address(self) -> int | None:
        """Where the machine code is; None when compilation is off."""
        if config.DISABLE_JIT:
            return None
        found = self.callable.overloads[ARGUMENTS]
        return int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))

    def _compile(self) -> Any:
        previous = config.CACHE_DIR
        try:
            if self._cached:
                config.CACHE_DIR = str(cache_folder(self.function.__module__))
            # a law may call kernels, whose code only an entry takes in
            options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "pipeline_class": EntryCompiler}
            compiled: Any = numba.njit(cache=self._cached, **options)(self.function)
        finally:
            config.CACHE_DIR = previous
        try:
            compiled.compile(types.none(*ARGUMENTS))
        except NumbaError as error:
            raise ModelError(
                f"controller {self.function.__name__}: expected a function law(time, motion, parameters, memory, "
                f"force) that numba compiles and that returns nothing; numba says: {str(error).strip()}"
            ) from error
        return compiled


def _call_law(typingctx: Any, address: Any, time: Any, motion: Any, parameters: Any, memory: Any, force: Any) -> Any:
    """Call the law at an address; 0, or 1 if it raised an exception."""
    given = (time, motion, parameters, memory, force)
    if address != types.int64 or given != ARGUMENTS:
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        inner = signature.args[1:]
        kind = context.call_conv.get_function_type(types.none, inner)
        place = builder.inttoptr(values[0], kind.as_pointer())
        status, _ = context.call_conv.call_function(builder, place, types.none, inner, values[1:])
        return builder.zext(status.is_error, context.get_value_type(types.int64))

    return types.int64(types.int64, *ARGUMENTS), generate


call_law: Any = intrinsic(_call_law)
"""For kernels: ``call_law(address, time, motion, parameters, memory, force)``."""
