"""The integrator that users hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dalembert.integrators.implicit.method import ImplicitIntegrator


@dataclass(frozen=True)
class BDF1(ImplicitIntegrator):
    """Backward Euler, first order: v⁺ = v + h v̇⁺, q⁺ = q ⊕ h v⁺. It damps every motion, the faster the more.

    Springs, dampers, limits and gravity are taken at the end of a step, so that no stiffness limits it. Loops are
    closed by multipliers, exactly at every knot.

    Args:
        tol: Newton's method stops when a step changes rates by less than this, relative to 1 + the largest rate; the
            error that is left is about its square.
        max_iterations: Newton iterations after which a step fails.
        limit_stiffness: limits of joints are one-sided springs of this stiffness, N/m or N m/rad …
        limit_damping: … and dampers, N s/m or N m s/rad.
    """

    name: ClassVar[str] = "BDF1"
    code: ClassVar[int] = 0
    order: ClassVar[int] = 1
    summary: ClassVar[str] = "implicit Euler, first order: stiff mechanisms that may lose energy"
