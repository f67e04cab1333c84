"""The linearised friction cone: its bias on an incline, and how it goes over into the exact one."""

from __future__ import annotations

import numpy as np
import pytest
from integrators.contact_models import G, cube, tilted_ground

import dalembert as da
from dalembert.integrators.maximal.contact_lines import friction_lines

MU = 0.5
BLOCK = da.Box(0.4, 0.4, 0.1)


def slide(slope: float, heading: float, sides: int | str, duration: float = 1.0) -> da.Trajectory:
    """A block of 1 kg let go on an incline that falls in the direction ``heading``."""
    model = tilted_ground(slope, BLOCK, 0.05, MU, heading)
    method = da.MaximalVI(friction_cone=sides)  # type: ignore[arg-type]
    return da.simulate(model, model.state(), duration=duration, dt=0.01, integrator=method)


def corners_of(sides: int) -> np.ndarray:
    """(sides, 2) corners of the polygon of friction, by eqs (2)–(4) of the paper."""
    angles = 2 * np.pi * np.arange(sides) / sides
    return np.stack((np.cos(angles), np.sin(angles)), axis=1)


def biased(slope: float, heading: float, sides: int) -> np.ndarray:
    """(2,) acceleration from rest: what is left of gravity when the polygon has taken the nearest force.

    From rest with constant forces the motion is straight, and maximum dissipation along it is the projection of gravity
    on the polygon: f = argmin |g − f|.
    """
    pull = G * np.sin(slope) * np.array([np.cos(heading), np.sin(heading)])
    ends = MU * G * np.cos(slope) * corners_of(sides)
    following = np.roll(ends, -1, axis=0)
    left = [(b - a)[0] * (pull - a)[1] - (b - a)[1] * (pull - a)[0] for a, b in zip(ends, following, strict=True)]
    if min(left) >= 0:
        return np.zeros(2)
    nearest = []
    for a, b in zip(ends, following, strict=True):
        t = np.clip((pull - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
        nearest.append(pull - (a + t * (b - a)))
    return min(nearest, key=np.linalg.norm)


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 16])
def test_the_lines_add_up_to_the_polygon(sides: int) -> None:
    lines = friction_lines(sides)
    signs = np.array(np.meshgrid(*[(-1, 1)] * (sides // 2))).reshape(sides // 2, -1)
    sums = (lines[:, :2] * lines[:, 2:]).T @ signs
    for angle in np.linspace(0.0, 2 * np.pi, 50):
        along = np.array([np.cos(angle), np.sin(angle)])
        assert (along @ sums).max() == pytest.approx((corners_of(sides) @ along).max(), abs=1e-14)


@pytest.mark.parametrize("sides", [4, 8])
@pytest.mark.parametrize("heading", [0.0, 0.3, 0.7853981633974483, 2.0])
def test_a_block_slides_with_the_known_bias_of_the_polygon(sides: int, heading: float) -> None:
    slope = np.arctan(MU) + 0.1
    expected = biased(slope, heading, sides)
    run = slide(slope, heading, sides)
    np.testing.assert_allclose(run.position[:, 0, :2], 0.5 * run.time[:, None] ** 2 * expected, rtol=0, atol=1e-7)
    assert np.ptp(run.energy + run.lost) < 1e-6
    exact = G * (np.sin(slope) - MU * np.cos(slope))
    # the polygon lies inside the disc: friction is too small by a known share at most
    most = MU * G * np.cos(slope) * (1 - np.cos(np.pi / sides))
    along = expected @ [np.cos(heading), np.sin(heading)]
    assert -1e-12 < along - exact < most + 1e-12


def test_a_block_rests_within_the_polygon_and_slides_between_its_corners_where_the_disc_would_hold_it() -> None:
    slope = np.arctan(MU) - 0.05
    towards_a_corner = slide(slope, 0.0, 4)
    assert np.abs(towards_a_corner.position[-1, 0, :2]).max() < 1e-8
    between = slide(slope, 0.25 * np.pi, 4)
    expected = G * (np.sin(slope) - MU * np.cos(slope) * np.cos(0.25 * np.pi))
    assert np.linalg.norm(between.position[-1, 0, :2]) == pytest.approx(0.5 * expected, abs=1e-7)
    # the slip is that of the interval after the knot, at its middle
    slip = between.contact("body").slip_velocity[-2, :2]
    np.testing.assert_allclose(slip, expected * 0.995 / 2**0.5, rtol=0, atol=1e-6)


def test_many_sides_come_close_to_the_exact_cone() -> None:
    slope, heading = np.arctan(MU) + 0.1, 0.2
    ends = {sides: slide(slope, heading, sides, 0.5).position[-1, 0, :2] for sides in (8, 16, 32, "exact")}
    for sides in (8, 16, 32):
        # the nearest point of the polygon is off by less than half a side
        error = np.linalg.norm(ends[sides] - ends["exact"])
        assert error < 0.5 * 0.5**2 * MU * G * np.sin(np.pi / sides)


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_thrown_cube_rests_with_a_linearised_cone(restitution: float) -> None:
    model = cube(0.5, restitution=restitution)
    turn = np.array([0.9, 0.1, 0.3, 0.2])
    state = model.state_from_bodies([[0, 0, 1.0]], [turn / np.linalg.norm(turn)], [[1, 0.5, 0]], [[1, 2, -1]])
    run = da.simulate(model, state, duration=2.5, dt=0.01, integrator=da.MaximalVI(friction_cone=8))
    assert run.record.contact_error[:, 2].max() < 1e-9
    assert run.record.contact_error[:, 1].max() < 1e-10
    # turning, the integrator's own band
    assert np.ptp(run.energy + run.lost) < 1e-3
    assert np.abs(run.velocity[-1]).max() < 1e-7
    # it bears its weight, with the friction of the lines among the forces
    np.testing.assert_allclose(run.contact("cube").force[-2], [0, 0, G], rtol=0, atol=1e-5)


@pytest.mark.parametrize("sides", [2, 5, 0, 4.0, "round"])
def test_a_cone_without_pairs_of_opposite_sides_is_refused(sides: object) -> None:
    with pytest.raises(da.ModelError, match="friction_cone"):
        da.MaximalVI(friction_cone=sides)  # type: ignore[arg-type]
