"""Controllers that run inside the compiled loop over steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.checks import shown
from dalembert.model.state import State
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert._laws import Law
    from dalembert.model.model import Model


class CompiledController:
    """A controller that `simulate` calls as machine code, without entering Python.

    The law is a function ``law(time, motion, parameters, memory, force)`` in the part of Python that numba compiles.
    ``motion`` has the arrays of `State`: ``position``, ``orientation``, ``velocity``, ``angular_velocity``,
    ``coordinates``, ``rates``. The law writes into ``force``, which has an entry for each rate of each joint (N or N m)
    and is zero before; where a joint stands in these arrays: ``model.joints["elbow"].coordinates`` and ``.rates``.

    Integrators that cannot call it from inside, and runs with wrenches that are functions, call it from Python; the
    forces are the same.

    Args:
        model: the mechanism.
        law: the function. It is compiled once in a process.
        parameters: numbers that it reads, such as gains.
        memory: numbers that it may change and finds again at the next step, such as an integral: how many, all zero, or
            those at the start. They are kept between runs in ``memory``: runs at one time need a controller each.
    """

    def __init__(
        self,
        model: Model,
        law: Callable[..., None] | Law,
        *,
        parameters: Any = (),
        memory: Any = 0,
    ) -> None:
        from dalembert._laws import Law

        if not callable(law) and not isinstance(law, Law):
            raise ModelError(f"CompiledController, law: expected a function, found {shown(law)}")
        self.model = model
        self.law = law if isinstance(law, Law) else Law(law)
        self.parameters = _numbers("parameters", parameters)
        self.memory = np.zeros(memory) if isinstance(memory, int) else _numbers("memory", memory)

    def __call__(self, time: float, state: State) -> Floats:
        """Forces on the rates of all joints."""
        return self.forces(time, state, self.parameters)

    def forces(self, time: float, state: State, parameters: Floats) -> Floats:
        """The same with other parameters."""
        from dalembert._laws import Motion

        force = np.zeros(int(self.model.system.n_rates.sum()))
        fields = (np.ascontiguousarray(getattr(state, name), dtype=float) for name in Motion._fields)
        self.law.callable(time, Motion(*fields), parameters, self.memory, force)
        return force


def compiled_part(controller: Any) -> CompiledController | None:
    """The controller as one that can be compiled, or None; those of other kinds have one in ``compiled``."""
    found = controller if isinstance(controller, CompiledController) else getattr(controller, "compiled", None)
    return found if isinstance(found, CompiledController) else None


def _numbers(item: str, values: Any) -> Floats:
    try:
        found = np.array(values, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise ModelError(f"CompiledController, {item}: expected numbers, found {shown(values)}") from None
    if np.isnan(found).any():
        raise ModelError(f"CompiledController, {item}: expected numbers, found {shown(values)}")
    return found
