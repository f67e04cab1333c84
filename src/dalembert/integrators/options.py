"""Checks of the options of integrators: what was expected, what was found, for any kind of wrong value."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from dalembert.errors import ModelError

if TYPE_CHECKING:
    from dalembert.integrators.base import Integrator


def check_number(
    integrator: Integrator,
    option: str,
    least: float,
    below: float = float("inf"),
    *,
    open_start: bool = False,
    closed_end: bool = False,
    unit: str = "",
) -> None:
    """Raise unless the option is a number from ``least`` (above it if ``open_start``) to ``below``.

    ``below`` itself is taken only with ``closed_end``; ``unit`` is for the message.
    """
    value = getattr(integrator, option)
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        above = number > least if open_start else number >= least
        if above and (number < below or (closed_end and number == below)):
            return
    expected = f"a number above {least:g}" if open_start else f"a number from {least:g}"
    if below < float("inf"):
        expected += f" to {below:g}"
    _refuse(integrator, option, expected + unit, value)


def check_count(integrator: Integrator, option: str, least: int, most: int | None = None) -> None:
    """Raise unless the option is a whole number from ``least`` to ``most``."""
    value = getattr(integrator, option)
    if isinstance(value, Integral) and not isinstance(value, bool):
        if least <= int(value) and (most is None or int(value) <= most):
            return
    _refuse(integrator, option, f"a whole number from {least}" + ("" if most is None else f" to {most}"), value)


def check_choice(integrator: Integrator, option: str, known: Sequence[Any]) -> None:
    """Raise unless the option is one of those that are ``known``."""
    value = getattr(integrator, option)
    if not any(type(value) is type(choice) and value == choice for choice in known):
        named = [f'"{choice}"' if isinstance(choice, str) else repr(choice) for choice in known]
        _refuse(integrator, option, f"{', '.join(named[:-1])} or {named[-1]}", value)


def _refuse(integrator: Integrator, option: str, expected: str, value: Any) -> None:
    found = f'"{value}"' if isinstance(value, str) else repr(value)
    raise ModelError(f"{integrator.name}, {option}: expected {expected}, found {found}")
