"""The integrator that users hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dalembert.integrators.implicit.method import ImplicitIntegrator


@dataclass(frozen=True)
class SDIRK2(ImplicitIntegrator):
    """The L-stable diagonally implicit Runge–Kutta method of two stages, second order [Nishikawa 2019].

    Springs, dampers, limits and gravity are taken at the end of a step, so that no stiffness limits it. Loops are
    closed by multipliers, exactly at every knot.

    Args:
        tol: Newton's method stops when a step changes rates by less than this, relative to 1 + the largest rate; the
            error that is left is about its square.
        max_iterations: Newton iterations after which a step fails.
        limit_stiffness: limits of joints are one-sided springs of this stiffness, N/m or N m/rad …
        limit_damping: … and dampers, N s/m or N m s/rad.
    """

    name: ClassVar[str] = "SDIRK2"
    code: ClassVar[int] = 1
    order: ClassVar[int] = 2
    summary: ClassVar[str] = "implicit Runge–Kutta of two stages, second order: stiff mechanisms, one step at a time"
