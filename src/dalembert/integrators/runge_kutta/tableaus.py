"""Explicit Runge–Kutta methods of fixed step: x⁺ = x + h Σ b_i k_i,  k_i = f(x + h Σ_{l<i} a_il k_l)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert.model.system import Floats


class Tableau(NamedTuple):
    """The coefficients of [Hairer 2006] section II.1.1; the equations are autonomous between knots."""

    a: Floats
    """(s, s), strictly lower triangular."""
    b: Floats
    """(s,)"""


def _tableau(a: list[list[float]], b: list[float]) -> Tableau:
    return Tableau(np.array(a), np.array(b))


TABLEAUS = {
    "euler": (1, _tableau([[0.0]], [1.0])),
    "heun": (2, _tableau([[0.0, 0.0], [1.0, 0.0]], [0.5, 0.5])),
    "rk4": (
        4,
        _tableau(
            [[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
            [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
        ),
    ),
}
"""Order and coefficients by name."""
