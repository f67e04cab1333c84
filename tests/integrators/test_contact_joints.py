"""Limits and dry friction of joints."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da

G = 9.81
LEVEL = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)


def chain(links: int, **options: object) -> da.Model:
    """Rods of 1 m and 1 kg in a row, level at first, hinged at one end."""
    b = da.ModelBuilder(gravity=(0, 0, -G))
    for i in range(links):
        b.add_body(f"rod {i}", mass=1.0, inertia=(1 / 12, 1 / 12, 1e-3), position=(0.5 + i, 0, 0), orientation=LEVEL)
        hinge = da.Revolute(axis=(0, 1, 0))
        parent = f"rod {i - 1}" if i else "world"
        b.add_joint(f"hinge {i}", hinge, parent=parent, child=f"rod {i}", anchor=(i, 0, 0), **options)  # type: ignore[arg-type]
    return b.build()


def test_limits_hold_while_a_chain_slams_into_them() -> None:
    run = da.simulate(chain(4, limits=(-0.3, 0.4)), duration=2.0, dt=0.01, integrator=da.MaximalVI())
    assert run.coordinates.min() > -0.3 - 1e-8
    assert run.coordinates.max() < 0.4 + 1e-8
    assert run.coordinates.max() > 0.4 - 1e-9
    assert run.losses["limits"][-1] > 1.0


def test_stiction_holds_a_joint_below_its_threshold() -> None:
    weight = 0.5 * G
    held = da.simulate(chain(1, friction=1.02 * weight), duration=3.0, dt=0.01, integrator=da.MaximalVI())
    # it gives way once, by what the barrier leaves, and does not creep
    assert np.abs(held.coordinates).max() < 1e-6
    assert np.ptp(held.coordinates[5:]) < 1e-10
    slipped = da.simulate(chain(1, friction=0.98 * weight), duration=0.5, dt=0.01, integrator=da.MaximalVI())
    # (1/3) φ'' = 0.02 · weight at first
    assert slipped.coordinates[10, 0] == pytest.approx(0.5 * 3 * 0.02 * weight * 0.1**2, rel=1e-3)


def test_dry_friction_stops_a_wheel_when_its_energy_is_gone() -> None:
    b = da.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("wheel", mass=1.0, inertia=(0.3, 0.3, 0.5))
    axle = da.Revolute(axis=(0, 0, 1))
    b.add_joint("axle", axle, parent="world", child="wheel", anchor=(0, 0, 0), friction=0.3)
    model = b.build()
    run = da.simulate(model, model.state(velocities={"axle": 1.0}), duration=3.0, dt=0.01, integrator=da.MaximalVI())
    # ω² J / 2 τ, but for a part of the last step
    assert run.coordinates[-1, 0] == pytest.approx(0.25 / 0.3, abs=0.3 / 0.5 * 0.01)
    assert np.abs(run.qdot[-1]).max() < 1e-7
    assert run.losses["joint friction"][-1] == pytest.approx(0.25, abs=1e-5)
