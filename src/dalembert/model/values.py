"""Joint coordinates and rates as users write them: numbers, sequences, rotation vectors, quaternions."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.checks import Findings, read_quaternion, shown
from dalembert.model.record import Joint
from dalembert.model.system import Floats


def read_coordinates(joint: Joint, value: Any, findings: Findings) -> Floats:
    """The coordinates of a joint; a free rotation may be a rotation vector or a quaternion.

    Nested sequences are joined, so a floating joint takes ``(position, quaternion)`` as well as seven numbers.
    """
    kind, item = joint.kind, f'position of joint "{joint.name}"'
    names = kind.coordinate_names
    numbers = _numbers(value)
    if not kind.turns_freely:
        return _checked(numbers, len(names), f"{len(names)} ({', '.join(names)})", value, findings, item)
    lengths = len(names) - 4
    if numbers is not None and numbers.size == lengths + 4:
        values = _checked(numbers, lengths + 4, "", value, findings, item)
        if not findings.lines:
            values[lengths:] = read_quaternion(findings, f"{item}, quaternion", values[lengths:])
        return values
    before = f"{lengths} ({', '.join(names[:lengths])}) and " if lengths else ""
    expected = f"{before}3 of a rotation vector or 4 of a quaternion"
    values = _checked(numbers, lengths + 3, expected, value, findings, item)
    if findings.lines:
        return np.zeros(len(names))
    from dalembert.spatial.quaternion import exp

    return np.concatenate((values[:lengths], exp(tuple(values[lengths:].tolist()))))


def read_rates(joint: Joint, value: Any, findings: Findings) -> Floats:
    """The rates of a joint; those of a free rotation are an angular velocity in the axes of the child's frame."""
    names = joint.kind.rate_names
    item = f'velocity of joint "{joint.name}"'
    return _checked(_numbers(value), len(names), f"{len(names)} ({', '.join(names)})", value, findings, item)


def _numbers(value: Any) -> Floats | None:
    """All numbers of a nest of sequences in a row; None when something is not a number."""
    if isinstance(value, str):
        return None
    try:
        if isinstance(value, list | tuple):
            parts = [_numbers(entry) for entry in value]
            if any(part is None for part in parts):
                return None
            return np.concatenate([part for part in parts if part is not None]) if parts else np.zeros(0)
        return np.array(value, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        return None


def _checked(numbers: Floats | None, size: int, expected: str, value: Any, findings: Findings, item: str) -> Floats:
    if numbers is None or numbers.size != size:
        findings.add(item, f"numbers: {expected}", shown(value))
    elif not np.isfinite(numbers).all():
        findings.add(item, "finite numbers", shown(value))
    else:
        return numbers
    return np.zeros(size)
