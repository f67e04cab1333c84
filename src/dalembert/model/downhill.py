"""The least value of a function of directions, for questions about shapes; nothing that a step needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dalembert.model.system import Floats


def downhill(function: Callable[[Floats], Any], start: Floats) -> float:
    """The least value that Nelder and Mead's method finds from a direction (3,); the length does not matter."""
    from scipy.optimize import minimize

    options = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 600}
    return float(minimize(function, start, method="Nelder-Mead", options=options).fun)
