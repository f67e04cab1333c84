"""Coordinates and rates of joints as users write them: many ways that are understood, and those that are refused."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da


def single(kind: object) -> da.Model:
    builder = da.ModelBuilder()
    builder.add_body("x", mass=1, inertia=(1, 1, 1))
    builder.add_joint("j", kind, parent="world", child="x", anchor=(0, 0, 0))  # pyright: ignore[reportArgumentType]
    return builder.build()


ANGLE = 0.8
TURN = (np.cos(0.4), 0.0, np.sin(0.4), 0.0)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (da.Revolute(), 0.3, [0.3]),
        (da.Revolute(), [0.3], [0.3]),
        (da.Revolute(), np.float64(0.3), [0.3]),
        (da.Cylindrical(), (0.1, 0.2), [0.1, 0.2]),
        (da.Universal(), np.array([0.1, 0.2]), [0.1, 0.2]),
        (da.Spherical(), (0, ANGLE, 0), TURN),
        (da.Spherical(), TURN, TURN),
        (da.CylindricalFree(), (0.5, (0, ANGLE, 0)), [0.5, *TURN]),
        (da.CylindricalFree(), (0.5, 0, ANGLE, 0), [0.5, *TURN]),
        (da.PlanarFree(), ((1, 2), TURN), [1, 2, *TURN]),
        (da.Floating(), ((1, 2, 3), (0, ANGLE, 0)), [1, 2, 3, *TURN]),
        (da.Floating(), ((1, 2, 3), TURN), [1, 2, 3, *TURN]),
        (da.Floating(), [1, 2, 3, 0, ANGLE, 0], [1, 2, 3, *TURN]),
        (da.Floating(), np.array([1, 2, 3, *TURN]), [1, 2, 3, *TURN]),
    ],
)
def test_coordinates_may_be_written_in_several_ways(kind: object, value: object, expected: list[float]) -> None:
    state = single(kind).state(positions={"j": value})
    assert np.abs(state.coordinates - expected).max() < 3e-16


def test_rates_of_a_floating_joint_may_be_two_vectors() -> None:
    state = single(da.Floating()).state(velocities={"j": ((1, 2, 3), (4, 5, 6))})
    assert state.velocity.tolist() == [[1, 2, 3]]
    assert state.angular_velocity.tolist() == [[4, 5, 6]]


@pytest.mark.parametrize(
    ("kind", "positions", "velocities", "words"),
    [
        (da.Revolute(), {"k": 1.0}, {}, ('position of joint "k"', "name of a joint", 'known: "j"')),
        (da.Revolute(), {}, {"jj": 1.0}, ('velocity of joint "jj"', 'did you mean "j"?')),
        (da.Revolute(), {"j": (1, 2)}, {}, ('position of joint "j"', "1 (angle)", "(1, 2)")),
        (da.Revolute(), {"j": "up"}, {}, ('position of joint "j"', "1 (angle)", "'up'")),
        (da.Revolute(), {"j": None}, {}, ('position of joint "j"', "found None")),
        (da.Revolute(), {"j": np.nan}, {}, ('position of joint "j"', "finite", "nan")),
        (da.Planar(), {"j": (1, 2)}, {}, ('position of joint "j"', "3 (x, y, angle)", "(1, 2)")),
        (da.Planar(), {}, {"j": (1, np.inf, 2)}, ('velocity of joint "j"', "finite", "inf")),
        (da.Spherical(), {"j": (1, 2)}, {}, ('position of joint "j"', "3 of a rotation vector or 4", "(1, 2)")),
        (da.Spherical(), {"j": (1, 1, 0, 0)}, {}, ('position of joint "j", quaternion', "length 1", "1.41421356")),
        (da.Spherical(), {}, {"j": (1, 0, 0, 0)}, ('velocity of joint "j"', "3 (wx, wy, wz)")),
        (da.Floating(), {"j": (1, 2, 3)}, {}, ('position of joint "j"', "3 (x, y, z) and 3 of a rotation vector or 4")),
        (da.Fixed(), {"j": 0.0}, {}, ('position of joint "j"', "a joint with coordinates", "a Fixed, which has none")),
    ],
)
def test_values_that_do_not_fit_are_refused(
    kind: object, positions: dict[str, object], velocities: dict[str, object], words: tuple[str, ...]
) -> None:
    with pytest.raises(da.ModelError) as caught:
        single(kind).state(positions, velocities)
    assert len(caught.value.findings) == 1
    for word in words:
        assert word in str(caught.value)
