"""Cylinders on boxes and on each other: they stand, lie, roll and tip over as they should."""

from __future__ import annotations

import numpy as np
import pytest
from integrators.contact_models import G, free

import dalembert as da

CAN = da.Cylinder(0.2, 0.6)
ACROSS = (0.5**0.5, 0.5**0.5, 0.0, 0.0)
"""Its axis along y."""


def over_table(x: float, height: float, orientation: tuple[float, ...], slope: float = 0.0) -> da.Trajectory:
    """A can let go at a place above a table whose top is a box of 2 m by 2 m at height zero, for half a second."""
    b = da.ModelBuilder(gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    b.add_body("can", mass=1.0, shape=CAN, position=(x, 0, height), orientation=orientation)
    free(b, "can")
    b.add_contact("world", da.Box(2.0, 2.0, 0.5), position=(0, 0, -0.25), friction=0.5)
    return da.simulate(b.build(), duration=0.5, dt=0.01, integrator=da.MaximalVI())


@pytest.mark.parametrize(
    ("orientation", "height"), [((1.0, 0.0, 0.0, 0.0), 0.3), (ACROSS, 0.2)], ids=["stands", "lies"]
)
def test_a_can_stands_and_lies_on_a_table(orientation: tuple[float, ...], height: float) -> None:
    run = over_table(0.0, height + 0.05, orientation)
    assert np.abs(run.position[-1, 0] - (0, 0, height)).max() < 1e-4 * 0.2
    assert np.abs(run.velocity[-1]).max() < 1e-6
    assert run.record.contact_error[:, 2].max() < 1e-8
    np.testing.assert_allclose(run.contact("can").force[-2], [0, 0, G], rtol=0, atol=1e-5)


def test_a_can_rolls_down_a_table() -> None:
    slope = 0.3
    run = over_table(0.0, 0.2, ACROSS, slope)
    # ½ m r² about its axis: 2/3 of what would slide
    assert 2.0 * run.position[-1, 0, 0] / run.time[-1] ** 2 == pytest.approx(2.0 / 3.0 * G * np.sin(slope), abs=1e-3)
    assert np.abs(run.position[:, 0, 1]).max() < 1e-8


@pytest.mark.parametrize(("beyond", "falls"), [(-0.01, False), (0.01, True)])
def test_a_can_tips_over_the_border_of_a_table_when_its_middle_is_beyond_it(beyond: float, falls: bool) -> None:
    run = over_table(1.0 + beyond, 0.3, (1.0, 0.0, 0.0, 0.0))
    if falls:
        # about the edge ω² grows with g d / (k² + d²)
        assert run.angular_velocity[-1, 0, 1] > 0.1
    else:
        assert np.abs(run.position[-1] - run.position[0]).max() < 1e-6


def test_cans_stand_on_each_other_and_lie_side_by_side() -> None:
    b = da.ModelBuilder(gravity=(0, 0, -G))
    for k, (x, y) in enumerate(((0.0, 0.0), (0.05, 0.03), (0.0, 0.08))):
        b.add_body(f"can {k}", mass=1.0, shape=CAN, position=(x, y, 0.3 + 0.6 * k))
        free(b, f"can {k}")
    b.add_ground()
    model = b.build()
    run = da.simulate(model, duration=0.5, dt=0.01, integrator=da.MaximalVI())
    assert np.abs(run.position[-1] - run.position[0]).max() < 1e-6
    assert run.contact("ground").force[-2, 2] == pytest.approx(-3 * G, abs=1e-4)
    # between two that lie a third one finds its place: the axes are 2 r apart
    b = da.ModelBuilder(gravity=(0, 0, -G))
    for k, (x, z) in enumerate(((-0.21, 0.2), (0.21, 0.2), (0.0, 0.58))):
        b.add_body(f"can {k}", mass=1.0, shape=CAN, position=(x, 0.02 * k, z), orientation=ACROSS)
        free(b, f"can {k}")
    b.add_ground(friction=1.0)
    run = da.simulate(b.build(), duration=0.6, dt=0.01, integrator=da.MaximalVI())
    apart = np.linalg.norm(run.position[-1, 2, [0, 2]] - run.position[-1, :2][:, [0, 2]], axis=1)
    assert np.abs(apart - 0.4).max() < 1e-5
    assert run.record.contact_error[:, 2].max() < 1e-5
