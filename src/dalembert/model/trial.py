"""Trying out functions that users write, at the reference configuration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dalembert.model.checks import Findings
from dalembert.model.placement import Pose
from dalembert.model.system import Floats


def try_out(
    function: Callable[[Floats, Floats], Any], poses: Sequence[Pose], findings: Findings, item: str, expected: str
) -> Floats | None:
    """What the function gives for these poses, as an array of finite numbers; None after a finding."""
    positions, orientations = np.array([x for x, _ in poses]), np.array([q for _, q in poses])
    try:
        value = np.asarray(function(positions, orientations), dtype=np.float64)
    except Exception as error:  # a function of the user's may raise anything
        findings.add(item, expected, f"{type(error).__name__}: {error}")
        return None
    if not np.isfinite(value).all():
        findings.add(item, f"{expected}, all finite", f"{value} at the reference configuration")
        return None
    return value
