"""Reading what users give: every fault becomes a line that says what was expected, what was found and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.system import Floats

PRINTED_DIGITS = 1e-6
"""Relative error that is allowed for the sake of numbers written with six or seven digits."""

VectorLike = Sequence[float] | Floats


class Findings:
    """Faults found so far. A reader that finds one returns a harmless value, so that the search can go on."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, item: str, expected: str, found: str, remedy: str = "") -> None:
        """Note that ``item`` should have been ``expected`` but is ``found``, in words or as `shown`."""
        self.lines.append(f"{item}: expected {expected}, found {found}" + (f"; {remedy}" if remedy else ""))

    @contextmanager
    def separate(self) -> Iterator[Findings]:
        """Findings of one item: whether it is sound so far does not depend on the others."""
        own = Findings()
        yield own
        self.lines.extend(own.lines)

    def raise_if_any(self) -> None:
        """Raise a `ModelError` with all the faults, if there are any."""
        if self.lines:
            raise ModelError(*self.lines)


def read_array(findings: Findings, item: str, value: Any, shape: tuple[int, ...], expected: str) -> Floats:
    """``value`` as a finite float array of ``shape``; zeros when it is not one."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        findings.add(item, expected, shown(value))
        return np.zeros(shape)
    if array.shape != shape:
        found = f"{shown(value)} of shape {array.shape}"
        findings.add(item, expected, found)
    elif not np.isfinite(array).all():
        findings.add(item, f"{expected} without NaN or infinity", shown(value), "look for a division by zero upstream")
    else:
        return array
    return np.zeros(shape)


def read_vector(findings: Findings, item: str, value: Any, unit: str = "metres") -> Floats:
    """A vector of three finite numbers."""
    return read_array(findings, item, value, (3,), f"three numbers ({unit})")


def read_number(findings: Findings, item: str, value: Any, expected: str, *, least: float, open_end: bool) -> float:
    """A finite number above ``least``, or equal to it unless ``open_end``; 1 when it is not one."""
    before = len(findings.lines)
    number = float(read_array(findings, item, value, (), expected))
    if len(findings.lines) == before:
        if number > least or (number == least and not open_end):
            return number
        findings.add(item, expected, shown(value))
    return 1.0


def read_unit(findings: Findings, item: str, value: Any, size: int, what: str) -> Floats:
    """A vector of length one, to the printed digits; it is then scaled to length one exactly."""
    before = len(findings.lines)
    array = read_array(findings, item, value, (size,), what)
    length = float(np.linalg.norm(array))
    if len(findings.lines) == before:
        if abs(length - 1.0) <= PRINTED_DIGITS:
            return array / length
        unit = "" if length < 1e-12 else f"; the same direction with length 1 is {shown(array / length)}"
        findings.add(item, f"{what} of length 1", f"{shown(value)} of length {length:.9g}{unit}")
    array[:] = 0.0
    array[0] = 1.0
    return array


def read_quaternion(findings: Findings, item: str, value: Any) -> Floats:
    """A unit quaternion (w, x, y, z)."""
    return read_unit(findings, item, value, 4, "a quaternion (w, x, y, z)")


def suggestion(name: object, known: Iterable[str]) -> str:
    """Close matches of an unknown name, as a sentence."""
    names = list(known)
    close = difflib.get_close_matches(str(name), names, n=3)
    if close:
        return "did you mean " + " or ".join(f'"{match}"' for match in close) + "?"
    if not names:
        return "there are none yet"
    listed = ", ".join(f'"{other}"' for other in names[:8])
    return f"known: {listed}" + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def shown(value: object) -> str:
    """The value on one line of bounded length, numpy arrays as plain tuples."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
        value = tuple(value) if isinstance(value, list) else value
    text = " ".join(repr(value).split())
    return text if len(text) <= 120 else text[:117] + "…"
