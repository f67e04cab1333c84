"""Limits of every kind of joint coordinate hold while a body slams into them; dry friction holds in every one."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from dalembert.model.joint_kind import JointKind

KINDS: dict[str, JointKind] = {
    "prismatic": da.Prismatic(axis=(0, 0, 1)),
    "planar, fixed orientation": da.PlanarFixedOrientation(axis=(0, 0, 1)),
    "fixed orientation": da.FixedOrientation(),
    "revolute": da.Revolute(axis=(0, 1, 0)),
    "cylindrical": da.Cylindrical(axis=(0, 0, 1)),
    "planar": da.Planar(axis=(0, 0, 1)),
    "free revolute": da.FreeRevolute(axis=(0, 0, 1)),
    "universal": da.Universal(axes=((1, 0, 0), (0, 1, 0))),
    "screw": da.Screw(axis=(0, 0, 1), pitch=0.1),
    "cylindrical, free": da.CylindricalFree(axis=(0, 0, 1)),
    "planar, free": da.PlanarFree(axis=(0, 0, 1)),
    "floating": da.Floating(),
}


def held(kind: JointKind, **options: object) -> da.Model:
    """Two bodies in a row by joints of one kind, without gravity."""
    b = da.ModelBuilder(gravity=(0, 0, 0))
    parent = "world"
    for k in range(2):
        name = f"body {k}"
        b.add_body(name, mass=1.0 + k, inertia=(0.02, 0.03, 0.04), position=(0.3 * (k + 1), 0, 0))
        b.add_joint(f"joint {k}", kind, parent=parent, child=name, anchor=(0.3 * k, 0, 0), **options)  # type: ignore[arg-type]
        parent = name
    return b.build()


@pytest.mark.parametrize("name", KINDS)
def test_limits_hold_while_bodies_slam_into_them(name: str) -> None:
    kind = KINDS[name]
    free = [c for c in kind.free if c < 3 or not kind.turns_freely]
    pairs = [(-0.15, 0.1) if c in free else None for c in kind.free]
    model = held(kind, limits=pairs if len(kind.free) > 1 else pairs[0])
    rng = np.random.default_rng(len(name))
    speeds = rng.choice([-2.0, 2.0], (2, len(kind.free))) * rng.uniform(0.5, 1.0, (2, len(kind.free)))
    state = model.state(velocities={f"joint {k}": v if len(v) > 1 else float(v[0]) for k, v in enumerate(speeds)})
    run = da.simulate(model, state, duration=0.6, dt=0.01, integrator=da.MaximalVI())
    columns = [joint.coordinates.start + kind.free.index(c) for joint in model.joints.values() for c in free]
    seen = run.coordinates[:, columns]
    assert seen.min() > -0.15 - 1e-8
    assert seen.max() < 0.1 + 1e-8
    # every body has struck
    assert seen.min() < -0.15 + 1e-6 or seen.max() > 0.1 - 1e-6
    assert run.losses["limits"][-1] > 0.1
    assert np.ptp(run.energy + run.lost) < 0.02 * run.energy[0]


HELD = ("prismatic", "revolute", "cylindrical", "screw", "universal", "planar, fixed orientation")


@pytest.mark.parametrize("name", HELD)
def test_dry_friction_holds_below_its_threshold_for_ever(name: str) -> None:
    """A thousand seconds in steps of a tenth: no creep at all once it has given way by what the barrier leaves."""
    kind = KINDS[name]
    b = da.ModelBuilder(gravity=(0.3, 0.2, -0.5))
    b.add_body("body", mass=1.0, inertia=(0.02, 0.03, 0.04), position=(0.3, 0.1, 0.05))
    bound = 1.2
    b.add_joint("joint", kind, parent="world", child="body", anchor=(0, 0, 0), friction=bound)
    run = da.simulate(b.build(), duration=1000.0, dt=0.1, every=100, integrator=da.MaximalVI())
    assert np.abs(run.coordinates).max() < 1e-6
    assert np.ptp(run.coordinates[1:], axis=0).max() < 1e-9
