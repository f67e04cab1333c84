"""What can go wrong, as exceptions that name the item, what was expected, what was found and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SHOWN = 10
"""How many faults a message shows; a chain of a thousand wrong links has one cause."""


class DalembertError(Exception):
    """The common base: catch this to catch everything that dalembert raises on purpose."""


class ModelError(DalembertError):
    """A mechanism, or a value given for one, is not meaningful. ``findings`` lists every fault, one line each."""

    def __init__(self, *findings: str) -> None:
        self.findings: tuple[str, ...] = findings
        lines = list(findings[:SHOWN])
        if len(findings) > 1:
            lines.insert(0, f"{len(findings)} things are wrong with the model:")
        if len(findings) > SHOWN:
            lines.append(f"… and {len(findings) - SHOWN} more")
        super().__init__("\n  ".join(lines))


class ModelFileError(ModelError):
    """A file does not describe a meaningful mechanism. Each of ``findings`` begins with ``file:line: error:``."""


class ModelFileWarning(UserWarning):
    """A file says more than the model that was made of it."""


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
