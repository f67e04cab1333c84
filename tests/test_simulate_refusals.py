"""What an integrator would have to ignore is refused, not ignored."""

from __future__ import annotations

from typing import Any

import pytest

import dalembert as da
from dalembert.integrators import INTEGRATORS

OPTIONS: dict[str, dict[str, Any]] = {"limits": {"limits": (-1.0, 1.0)}, "friction": {"friction": 0.1}}


@pytest.mark.parametrize(
    ("kind", "need"), [(kind, need) for kind in INTEGRATORS for need in OPTIONS if need not in kind.supports]
)
def test_limits_and_friction_are_not_ignored(kind: type[Any], need: str):
    options = OPTIONS[need]
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    builder.add_body("rod", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    pin = da.Revolute(axis=(0, 1, 0))
    builder.add_joint("pin", pin, parent="world", child="rod", anchor=(0, 0, 0), **options)
    with pytest.raises(da.ModelError, match=f'joint "pin" has {need}, and {kind.name} does not support {need}'):
        da.simulate(builder.build(), duration=0.1, dt=0.01, integrator=kind())
