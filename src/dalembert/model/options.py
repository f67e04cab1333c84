"""Joint options: one number for all free components of a joint, or one for each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dalembert.model.checks import Findings, read_array, shown
from dalembert.model.declaration import JointDeclaration
from dalembert.model.joint_kind import JointKind
from dalembert.model.system import Floats


class Options(NamedTuple):
    """The options of one joint by component: (6,) each, limits (6, 2)."""

    stiffness: Floats
    damping: Floats
    rest: Floats
    armature: Floats
    friction: Floats
    limits: Floats


def read_options(declared: JointDeclaration, findings: Findings) -> Options:
    """Check the options of a joint and spread them over its six components."""

    def spread(name: str, unit: str, signed: bool = False) -> Floats:
        return _spread(declared.kind, getattr(declared, name), findings, f"{declared.item}, {name}", unit, signed)

    return Options(
        stiffness=spread("stiffness", "N/m or N m/rad"),
        damping=spread("damping", "N s/m or N m s/rad"),
        rest=spread("rest", "m or rad", signed=True),
        armature=spread("armature", "kg or kg m²"),
        friction=spread("friction", "N or N m"),
        limits=_read_limits(declared.kind, declared.limits, findings, f"{declared.item}, limits"),
    )


def _spread(kind: JointKind, value: Any, findings: Findings, item: str, unit: str, signed: bool) -> Floats:
    spread = np.zeros(6)
    if value is None or _refused(kind, value, findings, item):
        return spread
    free = len(kind.free)
    expected = f"a number or {free} of them ({unit})" if free > 1 else f"a number ({unit})"
    shape = () if _is_number(value) else (free,)
    before = len(findings.lines)
    values = read_array(findings, item, value, shape, expected)
    if len(findings.lines) == before and not signed and (values < 0.0).any():
        findings.add(item, "nothing negative", shown(value))
    spread[list(kind.free)] = values
    return spread


def _read_limits(kind: JointKind, value: Any, findings: Findings, item: str) -> Floats:
    limits = np.tile([-np.inf, np.inf], (6, 1))
    if value is None or _refused(kind, value, findings, item):
        return limits
    pairs = [] if _is_number(value) or isinstance(value, str) else list(value)
    if len(kind.free) == 1 and len(pairs) == 2:
        pairs = [pairs]
    if len(pairs) != len(kind.free):
        pair = "a pair (lower, upper)" if len(kind.free) == 1 else f"{len(kind.free)} pairs (lower, upper) or None"
        findings.add(item, pair, shown(value))
        return limits
    for component, pair in zip(kind.free, pairs, strict=True):
        if pair is None:
            continue
        if component >= 3 and kind.turns_freely:
            findings.add(item, "None for the components of a rotation about a point", shown(value))
            continue
        low, high = _read_pair(pair)
        if not low < high:
            findings.add(item, "pairs (lower, upper) with lower < upper; None or infinity for no limit", shown(value))
        limits[component] = low, high
    return limits


def _read_pair(pair: Any) -> tuple[float, float]:
    try:
        low, high = pair
        return (-np.inf if low is None else float(low), np.inf if high is None else float(high))
    except (TypeError, ValueError):
        return np.nan, np.nan


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) or getattr(value, "ndim", 1) == 0


def _refused(kind: JointKind, value: Any, findings: Findings, item: str) -> bool:
    if kind.free:
        return False
    remedy = "between points there is add_spring(…)" if kind.components == (0,) else ""
    findings.add(item, f"none, because {kind.name} leaves nothing free", shown(value), remedy)
    return True
