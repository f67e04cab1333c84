"""What root finding works in, made once for a run."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from dalembert.model.system import Floats

EXACT: Final = 0
"""Newton's direction by a recursive solve."""
RIQN: Final = 1
"""The impulse-based quasi-Newton direction, −h M(q_k)⁻¹ f."""
NEWTON: Final = 2
"""Newton's direction by the dense Jacobian."""
BROYDEN: Final = 3
"""RIQN's direction with Broyden's updates."""

ROOTS: Final = {"exact": EXACT, "riqn": RIQN, "newton": NEWTON, "broyden": BROYDEN}

IG1: Final = 0
"""Nothing moves."""
IG2: Final = 1
"""The last step again."""
IG3: Final = 2
"""The last step, and what the forces add to it."""
EXTRAPOLATION: Final = 3
"""The last steps, extrapolated."""

GUESSES: Final = {"ig1": IG1, "ig2": IG2, "ig3": IG3, "extrapolation": EXTRAPOLATION}


class Root(NamedTuple):
    """How the root of a step is found, and the memory that this takes (ν degrees of freedom)."""

    method: int
    """EXACT, RIQN, NEWTON or BROYDEN."""
    guess: int
    """IG1, IG2, IG3 or EXTRAPOLATION."""
    jacobian: Floats
    """(ν, ν) for NEWTON, else empty."""
    side: Floats
    """(ν,) residual, then increment."""
    steps: Floats
    """(iterations, ν) increments taken in this step, for BROYDEN, else empty."""
    squares: Floats
    """(iterations,) their squared lengths."""


def make_root(method: str, guess: str, dofs: int, iterations: int) -> Root:
    """Memory for a method by its name."""
    kind = ROOTS[method]
    side = dofs if kind == NEWTON else 0
    rows = iterations + 1 if kind == BROYDEN else 0
    return Root(
        method=kind,
        guess=GUESSES[guess],
        jacobian=np.zeros((side, side)),
        side=np.zeros(dofs),
        steps=np.zeros((rows, dofs if rows else 0)),
        squares=np.zeros(rows),
    )
