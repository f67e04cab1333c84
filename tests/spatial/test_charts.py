"""Coordinates of a rotation about a point: the twelve charts of Euler angles, and rotation vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dalembert.mechanics.charted_body import EXPONENTIAL, swing_body
from dalembert.spatial import euler_angles as euler
from dalembert.spatial import exponential_coordinates as exponential
from dalembert.spatial.quaternion import columns, exp, relative

Array = np.ndarray
CHARTS = ("XYX", "XZX", "YZY", "YXY", "ZXZ", "ZYZ", "XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")
NEAR_SINGULAR = [np.array(q) for q in ((0.3, 1e-6, 0.4), (0.3, np.pi / 2 - 1e-6, 0.4), (2.0, np.pi - 1e-6, -1.0))]


def slope(function: Callable[[float], Array], h: float = 2e-3) -> Array:
    """Central differences extrapolated twice."""
    d = [(function(s) - function(-s)) / (2 * s) for s in (h, h / 2, h / 4)]
    first = [(4 * d[i + 1] - d[i]) / 3 for i in range(2)]
    return (16 * first[1] - first[0]) / 15


def moved(q: Array, k: int, h: float) -> Array:
    out = q.copy()
    out[k] += h
    return out


def configurations(seed: int) -> list[Array]:
    rng = np.random.default_rng(seed)
    return [*rng.uniform(-3.0, 3.0, (4, 3)), *NEAR_SINGULAR]


def charts() -> list[Any]:
    return [*range(12), EXPONENTIAL]


def turn(chart: int, q: Array) -> Array:
    p = exp(tuple(q)) if chart == EXPONENTIAL else euler.euler_turn(chart, q)
    return np.array(columns(p)).T


def screw(chart: int, q: Array, k: int) -> Array:
    return np.array(
        exponential.exponential_screw(tuple(q), k) if chart == EXPONENTIAL else euler.euler_screws(chart, q)[k]
    )


def change(chart: int, q: Array, k: int, l: int) -> Array:
    return np.array(
        exponential.exponential_screw_change(tuple(q), k, l)
        if chart == EXPONENTIAL
        else euler.euler_screw_change(chart, q, k, l)
    )


def rate(chart: int, q: Array, dq: Array, k: int) -> Array:
    return np.array(
        exponential.exponential_screw_rate(tuple(q), tuple(dq), k)
        if chart == EXPONENTIAL
        else euler.euler_screw_rate(chart, q, dq, k)
    )


def rate_change(chart: int, q: Array, dq: Array, k: int, m: int) -> Array:
    return np.array(
        exponential.exponential_screw_rate_change(tuple(q), tuple(dq), k, m)
        if chart == EXPONENTIAL
        else euler.euler_screw_rate_change(chart, q, dq, k, m)
    )


@pytest.mark.parametrize("chart", charts())
def test_screws_and_derivatives(chart: int) -> None:
    """dR/dq, dS/dq, Ṡ, dṠ/dq at random and nearly singular configurations, to 1e-9."""
    rng = np.random.default_rng(chart)
    extra = [np.zeros(3), np.full(3, 1e-5), np.array([0.8, -0.8, 0.84]), np.array([0.0, 0.0, 6.2])]
    for q in [*configurations(chart), *extra]:
        dq, here = rng.normal(size=3), turn(chart, q)
        for k in range(3):
            w = here.T @ slope(lambda h, q=q, k=k: turn(chart, moved(q, k, h)))
            assert np.abs([w[2, 1], w[0, 2], w[1, 0]] - screw(chart, q, k)).max() < 1e-9
            along = slope(lambda h, q=q, k=k, dq=dq: screw(chart, q + h * dq, k))
            assert np.abs(rate(chart, q, dq, k) - along).max() < 1e-9
            for l in range(3):
                found = slope(lambda h, q=q, k=k, l=l: screw(chart, moved(q, l, h), k))
                assert np.abs(change(chart, q, k, l) - found).max() < 1e-9
                found = slope(lambda h, q=q, k=k, l=l, dq=dq: rate(chart, moved(q, l, h), dq, k))
                assert np.abs(rate_change(chart, q, dq, k, l) - found).max() < 1e-9


@pytest.mark.parametrize("chart", range(12))
def test_adjoints_change_by_the_screws(chart: int) -> None:
    """R = exp exp exp of the letters, and dA/dq_k, d²A/dq_k dq_l of A = diag(R, R): R [S_k] and its derivative."""

    def cross(u: Array) -> Array:
        return np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])

    for q in configurations(chart):
        expected = np.eye(3)
        for letter, angle in zip(CHARTS[chart], q, strict=True):
            axis = cross(np.eye(3)["XYZ".index(letter)])
            expected = expected @ (np.eye(3) + np.sin(angle) * axis + (1 - np.cos(angle)) * axis @ axis)
        assert np.abs(turn(chart, q) - expected).max() < 1e-14
        for k, l in np.ndindex(3, 3):
            found = slope(lambda h, q=q, k=k, l=l: turn(chart, moved(q, l, h)) @ cross(screw(chart, moved(q, l, h), k)))
            bent = cross(screw(chart, q, l)) @ cross(screw(chart, q, k)) + cross(change(chart, q, k, l))
            assert np.abs(found - turn(chart, q) @ bent).max() < 1e-9


@pytest.mark.parametrize("chart", range(12))
def test_angles_come_back_from_turns(chart: int) -> None:
    """The same turn everywhere, on the lines where two axes are one too; the same angles where the chart is regular."""
    rng = np.random.default_rng(chart)
    middle = np.pi / 2 if chart < 6 else 0.0
    for _ in range(50):
        q = np.array([rng.uniform(-3, 3), middle + rng.uniform(-1.5, 1.5), rng.uniform(-3, 3)])
        assert np.abs(np.array(euler.euler_angles(chart, euler.euler_turn(chart, q))) - q).max() < 1e-13 / 0.07
    for second in (0.0, 1e-14, 1e-9, np.pi / 2, -np.pi / 2, np.pi):
        p = euler.euler_turn(chart, np.array([0.7, second, -0.4]))
        again = euler.euler_turn(chart, np.array(euler.euler_angles(chart, p)))
        assert np.abs(relative(p, again)[1:]).max() < 1e-11


def test_rates_and_accelerations_invert_the_screws() -> None:
    rng = np.random.default_rng(0)
    for chart in range(12):
        q, dq, ddq = rng.uniform(0.4, 1.1, 3), rng.normal(size=3), rng.normal(size=3)
        s = np.array(euler.euler_screws(chart, q)).T
        sdot = np.array([rate(chart, q, dq, k) for k in range(3)]).T
        assert abs(abs(np.linalg.det(s)) - euler.euler_regularity(chart, q)) < 1e-14
        assert np.abs(np.array(euler.euler_rates(chart, q, tuple(s @ dq))) - dq).max() < 1e-13
        found = euler.euler_accelerations(chart, q, dq, tuple(s @ ddq + sdot @ dq))
        assert np.abs(np.array(found) - ddq).max() < 1e-12
    q, dq, ddq = (tuple(rng.normal(size=3)) for _ in range(3))
    s = np.array([exponential.exponential_screw(q, k) for k in range(3)]).T
    sdot = np.array([exponential.exponential_screw_rate(q, dq, k) for k in range(3)]).T
    found = exponential.exponential_accelerations(q, dq, tuple(s @ ddq + sdot @ dq))
    assert np.abs(np.array(found) - ddq).max() < 1e-13


def test_switching_keeps_turn_and_angular_velocity() -> None:
    rng = np.random.default_rng(5)
    switched = 0
    for _ in range(300):
        chart, q, dq = int(rng.integers(12)), rng.uniform(-3, 3, 3), rng.normal(size=3)
        new, r, dr = euler.switch_chart(chart, q, dq)
        switched += new != chart
        assert euler.euler_regularity(new, np.array(r)) >= euler.SWITCH
        before = np.array(euler.euler_screws(chart, q)).T @ dq
        after = np.array(euler.euler_screws(new, np.array(r))).T @ np.array(dr)
        assert np.abs(turn(chart, q) - turn(new, np.array(r))).max() < 1e-14
        assert np.abs(before - after).max() < 1e-13
    assert switched > 30
    q, dq = (4.0, -2.0, 2.0), (0.3, 0.5, -0.7)
    r, dr = exponential.shortened(q, dq)
    assert np.linalg.norm(r) < np.pi
    assert np.abs(turn(EXPONENTIAL, np.array(q)) - turn(EXPONENTIAL, np.array(r))).max() < 1e-14
    spins = [sum(np.array(exponential.exponential_screw(x, k)) * v[k] for k in range(3)) for x, v in ((q, dq), (r, dr))]
    assert np.abs(spins[0] - spins[1]).max() < 1e-13


@pytest.mark.compiled
@pytest.mark.parametrize("chart", [0, 6, EXPONENTIAL])
def test_a_body_swings_through_every_orientation_without_a_jump(chart: int) -> None:
    """1e5 steps of a heavy tumbling body on a ball joint in coordinates that are switched: no step is larger than the
    angular velocity says, and the end is that of the group, which has no charts."""
    steps, h = 100_000, 5e-4
    inertia, arm = (0.9, 0.5, 0.4), (0.1, 0.05, -0.3)
    start, spin = exp((0.4, 0.2, -0.3)), (3.0, 4.0, 2.0)
    track, switches = np.zeros((steps + 1, 4)), np.zeros(1, np.int64)
    fastest = swing_body(chart, inertia, arm, (0.0, 0.0, -9.81), start, spin, h, track, switches)
    jumps = np.linalg.norm(track[1:] - np.sign((track[1:] * track[:-1]).sum(1, keepdims=True)) * track[:-1], axis=1)
    assert jumps.max() < 0.5 * h * fastest * (1 + 1e-6)
    assert switches[0] > 15
    aligned = np.array([np.array(columns(tuple(p)))[2] for p in track[:: steps // 2000].tolist()])
    octants = {tuple(part) for part in (aligned > 0.0).tolist()}
    assert len(octants) == 8
    twin = np.zeros((steps + 1, 4))
    swing_body(-1, inertia, arm, (0.0, 0.0, -9.81), start, spin, h, twin, np.zeros(1, np.int64))
    # errors of fourth order, which a motion that is not integrable lets grow over 50 s: 1e-6 at this step
    assert np.abs(relative(tuple(track[-1]), tuple(twin[-1]))[1:]).max() < 3e-6
