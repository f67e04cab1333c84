"""Euler angles that change their axes during a run, against rotations on the group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.spatial.quaternion import relative

METHODS = [da.BDF2(), da.SDIRK2(), da.BDF1()]


def tumbler(kind: Any, gravity: float = 9.81) -> da.Model:
    """A body of three moments on a ball joint, its weight below."""
    b = da.ModelBuilder(gravity=(0.0, 0.0, -gravity))
    b.add_body("body", mass=1.0, inertia=(0.9, 0.5, 0.4), position=(0.1, 0.05, -0.3))
    b.add_joint("ball", kind, parent="world", child="body", anchor=(0, 0, 0))
    return b.build()


def swing(kind: Any, method: Any, dt: float, duration: float, every: int = 1) -> da.Trajectory:
    model = tumbler(kind)
    state = model.state(velocities={"ball": (3.0, 4.0, 2.0)})
    return da.simulate(model, state, duration=duration, dt=dt, integrator=method, every=every)


def apart(one: da.Trajectory, other: da.Trajectory) -> float:
    """The angle between two orientations at the end, rad."""
    turns = (tuple(run.body("body").orientation[-1].tolist()) for run in (one, other))
    return 2.0 * float(np.linalg.norm(relative(*turns)[1:]))


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
@pytest.mark.parametrize("axes", ["XYZ", "ZXZ"])
def test_charts_have_the_motion_of_the_group(method: Any, axes: str) -> None:
    """Through several changes of axes, the difference falls with the order of the method. At rest ZXZ is singular, so
    it starts turned."""
    if axes == "ZXZ":
        model = tumbler(da.EulerAngles(axes, switch=0.3))
        state = model.state(positions={"ball": (0.3, 0.9, 0.2)}, velocities={"ball": (3.0, 4.0, 2.0)})
        twin = tumbler(da.Spherical())
        at = model.state(positions={"ball": (0.3, 0.9, 0.2)}, velocities={"ball": (3.0, 4.0, 2.0)})
        turn, spin = at.orientation[0], at.angular_velocity[0]
        start = twin.state(positions={"ball": tuple(turn)}, velocities={"ball": tuple(spin)})
    else:
        model, twin = tumbler(da.EulerAngles(axes, switch=0.3)), tumbler(da.Spherical())
        state, start = (one.state(velocities={"ball": (3.0, 4.0, 2.0)}) for one in (model, twin))
    errors = []
    for dt in (2e-3, 1e-3):
        runs = [da.simulate(m, s, duration=2.0, dt=dt, integrator=method) for m, s in ((model, state), (twin, start))]
        errors.append(apart(*runs))
    order = float(np.log2(errors[0] / errors[1]))
    assert abs(order - method.declared_order) < 0.25
    assert errors[1] < {1: 0.2, 2: 2e-3}[method.declared_order]


def test_nothing_jumps_where_axes_change() -> None:
    """1e4 steps through all octants: no step turns the body further than its angular velocity says."""
    dt = 1e-3
    run = swing(da.EulerAngles("XYZ", switch=0.3), da.SDIRK2(), dt, 10.0)
    p = run.body("body").orientation
    cosines = np.clip(np.abs((p[1:] * p[:-1]).sum(axis=1)), 0.0, 1.0)
    fastest = np.linalg.norm(run.body("body").angular_velocity, axis=1).max()
    assert 2.0 * np.arccos(cosines).max() < 1.02 * dt * fastest
    axes = np.array([2.0 * (q[1] * q[3] + q[0] * q[2]) for q in p]), 2.0 * (p[:, 2] * p[:, 3] - p[:, 0] * p[:, 1])
    up = 1.0 - 2.0 * (p[:, 1] ** 2 + p[:, 2] ** 2)
    octants = {tuple(part) for part in (np.array([*axes, up]).T[::50] > 0.0).tolist()}
    assert len(octants) == 8
    # second order: what is lost over 10 s of the kinetic energy of some 10 J
    assert np.ptp(run.energy) < 5e-4


def test_coordinates_are_those_that_the_model_declares() -> None:
    """Angles and rates of the record give the orientation and the angular velocity of the body, whatever the chart."""
    model = tumbler(da.EulerAngles("XYZ", switch=0.3))
    run = swing(da.EulerAngles("XYZ", switch=0.3), da.BDF2(), 1e-3, 2.0, every=100)
    for k in range(len(run.time)):
        again = model.state(positions={"ball": tuple(run.joint("ball").position[k])})
        turn = relative(tuple(again.orientation[0].tolist()), tuple(run.body("body").orientation[k].tolist()))
        assert np.abs(turn[1:]).max() < 1e-12


def test_a_run_goes_on_where_it_stopped() -> None:
    kind, model = da.EulerAngles("XYZ", switch=0.3), tumbler(da.EulerAngles("XYZ", switch=0.3))
    whole = swing(kind, da.BDF2(), 1e-3, 2.0)
    half = swing(kind, da.BDF2(), 1e-3, 1.2)
    rest = da.simulate(model, half.final_state, duration=0.8, dt=1e-3, integrator=da.BDF2())
    np.testing.assert_array_equal(rest.position[-1], whole.position[-1])


def test_what_changes_of_axes_would_break_is_refused() -> None:
    kind = da.EulerAngles("XYZ", switch=0.3)
    with pytest.raises(da.ModelError, match="does not support changes of axes"):
        da.simulate(tumbler(kind), duration=0.1, dt=0.01, integrator=da.RungeKutta("rk4"))
    driven: Any = {"controller": lambda t, s: {"ball": (1.0, 0.0, 0.0)}}
    with pytest.raises(da.ModelError, match="expected none on Euler angles"):
        da.simulate(tumbler(kind), duration=0.1, dt=0.01, integrator=da.BDF2(), **driven)
    with pytest.raises(da.ModelError, match="there is no gradient"):
        da.gradient(tumbler(kind), None, da.Effort(), [da.Mass("body")], duration=0.1, dt=0.01)
    b = da.ModelBuilder()
    b.add_body("body", mass=1.0, inertia=(1.0, 1.0, 1.0))
    b.add_joint("ball", kind, parent="world", child="body", anchor=(0, 0, 0), damping=0.1)
    with pytest.raises(da.ModelError, match="has damping on Euler angles"):
        da.simulate(b.build(), duration=0.1, dt=0.01, integrator=da.BDF2())
    with pytest.raises(da.ModelError, match=r"switch: expected 0 to 0\.5"):
        tumbler(da.EulerAngles("XYZ", switch=0.7))
    with pytest.raises(da.ModelError, match="0 inside a Composite"):
        tumbler(da.Composite((da.FixedOrientation(), kind)))
