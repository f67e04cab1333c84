"""What can go wrong, as exceptions that name the item, what was expected, what was found and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class DalembertError(Exception):
    """The common base: catch this to catch everything that dalembert raises on purpose."""


class ModelError(DalembertError):
    """A mechanism, or a value given for one, is not meaningful. ``findings`` lists every fault, one line each."""

    def __init__(self, *findings: str) -> None:
        self.findings: tuple[str, ...] = findings
        heading = f"{len(findings)} things are wrong with the model:\n  " if len(findings) > 1 else ""
        super().__init__(heading + "\n  ".join(findings))


class AssemblyError(DalembertError):
    """No configuration was found in which all joints fit. ``residual`` is the gap that is left (m or rad)."""

    def __init__(self, message: str, *, residual: float | None = None, worst: str | None = None) -> None:
        self.residual = residual
        self.worst = worst
        super().__init__(message)


class SimulationError(DalembertError):
    """A run cannot be continued.

    ``time`` (s) and ``step`` say where, ``reason`` says why, ``worst`` names the body or joint with the largest
    residual, and ``trajectory`` holds the run so far.
    """

    def __init__(
        self,
        reason: str,
        *,
        time: float | None = None,
        step: int | None = None,
        worst: str | None = None,
        trajectory: Any = None,
        remedies: Sequence[str] = (),
    ) -> None:
        self.reason = reason
        self.time = time
        self.step = step
        self.worst = worst
        self.trajectory = trajectory
        where = [f"step {step}"] if step is not None else []
        if time is not None:
            where.append(f"t = {time:.9g} s")
        message = f"{', '.join(where)}: {reason}" if where else reason
        if worst is not None:
            message += f"; worst: {worst}"
        for remedy in remedies:
            message += f"; {remedy}"
        super().__init__(message)
