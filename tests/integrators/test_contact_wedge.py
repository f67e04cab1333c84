"""A wedge under a load: within the angle of friction it holds whatever the load, beyond it it is squeezed out."""

from __future__ import annotations

import numpy as np
import pytest
from integrators.contact_models import free

import dalembert as da

MU = 0.3


def squeezed(angle: float, load: float) -> da.Trajectory:
    """A wedge without weight to speak of between the ground and a block that is guided up and down and pressed."""
    rise = 0.4 * np.tan(angle)
    b = da.ModelBuilder(gravity=(0, 0, 0))
    # its thin end points to +x, its upper face falls that way: it is squeezed out towards −x
    low, high = 0.05, 0.05 + rise
    ends = [(-0.2, y, 0.0) for y in (-0.1, 0.1)] + [(0.2, y, 0.0) for y in (-0.1, 0.1)]
    ends += [(-0.2, y, high) for y in (-0.1, 0.1)] + [(0.2, y, low) for y in (-0.1, 0.1)]
    b.add_body("wedge", mass=1.0, shape=da.ConvexMesh(ends))
    free(b, "wedge")
    # the block's lower face lies on it, wider all round
    tall = 0.3 + 0.5 * (low + high)
    face = [(x, y, 0.5 * (low + high) - x * np.tan(angle)) for x in (-0.15, 0.15) for y in (-0.2, 0.2)]
    top = [(x, y, tall) for x in (-0.15, 0.15) for y in (-0.2, 0.2)]
    b.add_body("block", mass=2.0, shape=da.ConvexMesh(face + top))
    b.add_joint("guide", da.Prismatic(axis=(0, 0, 1)), parent="world", child="block")
    b.add_contact("block", friction=MU)
    b.add_ground(friction=MU, only=["wedge"])
    model = b.build()
    wrenches = {"block": ((0.0, 0.0, -load), (0.0, 0.0, 0.0))}
    return da.simulate(model, duration=0.2, dt=0.005, wrenches=wrenches, integrator=da.MaximalVI())


@pytest.mark.parametrize("load", [1.0, 1e2, 1e4])
def test_below_twice_the_angle_of_friction_it_holds_under_any_load(load: float) -> None:
    run = squeezed(2.0 * np.arctan(MU) - 0.03, load)
    assert np.abs(run.body("wedge").position[-1] - run.body("wedge").position[0]).max() < 1e-5
    # the velocities at a knot keep a millionth of what the load would add in a step
    assert np.abs(run.velocity[-1]).max() < 1e-6 + 3e-6 * load * 0.005


def test_above_it_it_is_squeezed_out_as_the_forces_say() -> None:
    angle, load, mass, block = 2.0 * np.arctan(MU) + 0.1, 50.0, 1.0, 2.0
    run = squeezed(angle, load)
    # both faces slide: N between the block and the wedge, R between the wedge and the ground, x out, z = −x tan down
    # wedge: m a = N (sin − μ cos) − μ R, R = N (cos + μ sin);   block: M a tan = L − N (cos + μ sin)
    sin, cos = np.sin(angle), np.cos(angle)
    down = cos + MU * sin
    out = sin - MU * cos - MU * down
    accel = load * out / (mass * down + block * np.tan(angle) * out)
    moved = run.body("wedge").position[0, 0] - run.body("wedge").position[:, 0]
    np.testing.assert_allclose(moved, 0.5 * accel * run.time**2, rtol=0, atol=1e-5)
    sunk = run.body("block").position[:, 2] - run.body("block").position[0, 2]
    np.testing.assert_allclose(sunk, -moved * np.tan(angle), rtol=0, atol=1e-7)
