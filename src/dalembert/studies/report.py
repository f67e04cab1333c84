"""What a study brings back: a figure, and claims with what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Claim:
    """A statement that a number judges: it holds when the measured value lies between the bounds."""

    text: str
    measured: float
    low: float = -inf
    high: float = inf
    unit: str = ""

    @property
    def holds(self) -> bool:
        """Whether the measured value is finite and within the bounds."""
        return isfinite(self.measured) and self.low <= self.measured <= self.high

    @property
    def bound(self) -> str:
        """The bounds in words."""
        unit = f" {self.unit}" if self.unit else ""
        if self.low == -inf:
            return f"≤ {number(self.high)}{unit}"
        if self.high == inf:
            return f"≥ {number(self.low)}{unit}"
        return f"{number(self.low)} … {number(self.high)}{unit}"

    @property
    def value(self) -> str:
        """The measured value with its unit."""
        return f"{number(self.measured)} {self.unit}".rstrip()


@dataclass(frozen=True)
class Report:
    """The outcome of one study."""

    title: str
    source: str
    """The figure it reproduces, such as ``[Brüdigam 2023] figure 7(b)``."""
    setting: str
    """What was run: mechanism, step, duration, methods."""
    claims: tuple[Claim, ...]
    figure: Figure
    name: str = ""
    """The study's name on the command line."""
    seconds: float = 0.0
    """How long the study took."""

    @property
    def holds(self) -> bool:
        """Whether every claim holds."""
        return all(claim.holds for claim in self.claims)


def number(value: float) -> str:
    """Three digits, as people write them."""
    if value == 0.0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.3g}" if abs(value) < 1e3 else f"{value:.0f}"
    mantissa, exponent = f"{value:.2e}".split("e") if isfinite(value) else (str(value), "")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa
