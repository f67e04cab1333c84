"""Joints that follow others: against gears, against their continuous equations, and Newton's matrix by differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert import zoo
from dalembert.integrators.hyper.method import read_followers
from dalembert.integrators.hyper.stage import evaluate_hyper, form_hyper_hessian, hyper_memory
from dalembert.integrators.implicit.stage import stage_memory
from dalembert.mechanics.element_forces import element_forces
from dalembert.mechanics.followers import follower_function, place_followers
from dalembert.mechanics.reduced_coordinates import no_limits
from dalembert.mechanics.reduced_equations import Loads, evaluate_equations, reduced_equations

METHODS: list[Any] = ["BDF1", "SDIRK2", "BDF2"]
CAM = np.array([0.3, 0.9, -0.2, 0.4, 0.1, -0.5])


def branching(*, geared: bool = False) -> da.Model:
    """A hinge on a ball, with a hinge and a slide beyond it, springs and dampers."""
    builder = da.ModelBuilder()
    for i in range(4):
        builder.add_body(f"body{i}", mass=1.0 + 0.3 * i, inertia=(0.1, 0.2, 0.15), position=(i, 0.3 * i, 0.1))
    common: dict[str, Any] = {"damping": 0.1, "stiffness": 2.0}
    builder.add_joint("ball", da.Spherical(), parent="world", child="body0", anchor=(0, 0, 0.4))
    builder.add_joint("crank", da.Revolute((0, 1, 0)), parent="body0", child="body1", anchor=(0.5, 0, 0), **common)
    builder.add_joint("arm", da.Revolute((1, 0, 0)), parent="body1", child="body2", anchor=(1.5, 0, 0), armature=0.1)
    builder.add_joint("rod", da.Prismatic((0, 0, 1)), parent="body0", child="body3", **common)
    if geared:
        builder.add_joint("first", da.Gear(ratio=-1.0 / 0.8), parent="crank", child="arm")
        builder.add_joint("second", da.Gear(ratio=1.0 / 0.4), parent="crank", child="rod")
    return builder.build()


LINES = {"arm": da.Follow("crank", ratio=0.8), "rod": da.Follow("crank", ratio=-0.4)}
CURVES = {
    "arm": da.Follow("crank", values=CAM, over=(0.0, 2.0), closed=True),
    "rod": da.Follow("crank", values=(0.0, 0.1, -0.1, 0.3), over=(-1.0, 2.0)),
}


@pytest.mark.parametrize("method", METHODS)
def test_followers_move_as_gears_make_them(method: Any) -> None:
    """Linear followers and gears closed by multipliers are the same discrete equations: the same motion to 1e-9."""
    start = {"positions": {"ball": (0.2, 0.1, 0.3)}, "velocities": {"ball": (1.0, 0.5, 0.2), "crank": 2.0}}
    start["velocities"] |= {"arm": 1.6, "rod": -0.8}
    free, geared = branching(), branching(geared=True)
    run = da.simulate(
        free, free.state(**start), duration=0.5, dt=0.01, integrator=da.HyperReduced(follow=LINES, method=method)
    )
    closing = {"BDF1": da.BDF1(), "SDIRK2": da.SDIRK2(), "BDF2": da.BDF2()}[method]
    twin = da.simulate(geared, geared.state(**start), duration=0.5, dt=0.01, integrator=closing)
    assert np.abs(run.position - twin.position).max() < 1e-9
    assert np.abs(run.angular_velocity - twin.angular_velocity).max() < 1e-8
    assert np.abs(run.joint("arm").position - 0.8 * run.joint("crank").position).max() < 1e-14


def test_a_chain_whose_angles_are_equal_has_one_degree_of_freedom() -> None:
    """The example of the text: q = (1, …, 1) r, with M_R = Σ M and energy kept by the exact motion."""
    model = zoo.pendulum(5)
    names = list(model.joints)
    method = da.HyperReduced(follow=dict.fromkeys(names[1:], names[0]))
    state = model.state(positions=dict.fromkeys(names, 0.4))
    drifts = []
    for dt in (0.005, 0.0025):
        run = da.simulate(model, state, duration=1.0, dt=dt, integrator=method)
        angles = np.stack([run.joint(name).position for name in names])
        assert (angles == angles[0]).all()
        drifts.append(np.abs(run.energy - run.energy[0]).max())
    assert drifts[0] < 0.01 * np.ptp(run.kinetic)
    assert drifts[0] / drifts[1] > 3.5


def motion(model: da.Model, follow: Any, t: float) -> Any:
    """Scipy's solution of Jᵀ(M(J r̈ + J̇ ṙ) + c) = 0 for a crank that leads, with the base at rest in its hinge."""
    system, followers = model.system, read_followers(model, follow)
    equations, n = reduced_equations(system), model.system.n_v
    loads = Loads(
        np.zeros(int(system.n_rates.sum())),
        np.zeros((model.n_bodies + 1, 6)),
        no_limits(n),
        element_forces(model.elements),
    )
    lead = model.joints["crank"].rates.start

    def whole(r: float, dr: float, ddr: float) -> Any:
        q, v, a = np.zeros(system.n_q), np.zeros(n), np.zeros(n)
        q[lead], v[lead], a[lead] = r, dr, ddr
        place_followers(followers, q, v, a)
        return q, v, a

    def demand(r: float, dr: float, ddr: float) -> float:
        out = np.zeros(n)
        q, v, a = whole(r, dr, ddr)
        evaluate_equations(system, equations, loads, q, v, a, np.zeros(0), out)
        slopes = [follower_function(followers, k, r)[1] if followers.leader[k] >= 0 else 1.0 for k in range(n)]
        return float(np.dot(slopes, out))

    def slope(_: float, y: Any) -> Any:
        rest = demand(y[0], y[1], 0.0)
        return [y[1], -rest / (demand(y[0], y[1], 1.0) - rest)]

    found = solve_ivp(slope, (0.0, t), [0.5, 1.0], rtol=1e-11, atol=1e-12, method="DOP853")
    return found.y[:, -1]


def planar() -> da.Model:
    builder = da.ModelBuilder()
    for i in range(3):
        builder.add_body(f"body{i}", mass=1.0 + 0.3 * i, inertia=(0.1, 0.2, 0.15), position=(i, 0.3 * i, 0.1))
    builder.add_joint("crank", da.Revolute((0, 1, 0)), parent="world", child="body0", anchor=(-0.5, 0, 0))
    builder.add_joint("arm", da.Revolute((1, 0, 0)), parent="body0", child="body1", anchor=(0.5, 0, 0), stiffness=1.0)
    builder.add_joint("rod", da.Prismatic((0, 0, 1)), parent="body1", child="body2", damping=0.2)
    return builder.build()


@pytest.mark.parametrize("method", METHODS)
def test_order_with_followers_on_curves(method: Any) -> None:
    """Against the continuous equations in the one coordinate that is left, within one segment of the splines."""
    model = planar()
    follow = CURVES | {"arm": da.Follow("crank", values=CAM, over=(-1.0, 5.0), closed=True)}
    exact = motion(model, follow, 0.2)
    order = {"BDF1": 1, "SDIRK2": 2, "BDF2": 2}[method]
    errors, state = [], model.state(positions={"crank": 0.5}, velocities={"crank": 1.0})
    integrator = da.HyperReduced(follow=follow, method=method)
    for steps in (200 // order, 400 // order):
        run = da.simulate(model, state, duration=0.2, dt=0.2 / steps, integrator=integrator)
        crank = run.joint("crank")
        assert 0.0 < crank.position.min() < crank.position.max() < 1.0
        errors.append(np.abs(np.array([crank.position[-1], crank.velocity[-1]]) - exact).max())
        followers, k = read_followers(model, follow), model.joints["arm"].rates.start
        slopes = np.array([follower_function(followers, k, x)[1] for x in crank.position])
        assert np.abs(run.joint("arm").velocity - slopes * crank.velocity).max() < 1e-12
    assert abs(np.log2(errors[0] / errors[1]) - order) < 0.1


@pytest.mark.parametrize("follow", [LINES, CURVES], ids=["lines", "curves"])
def test_newton_matrix_is_the_derivative_of_the_residual(follow: Any) -> None:
    model, rng, t = branching(), np.random.default_rng(1), 0.02
    system, followers = model.system, read_followers(model, follow)
    stage, hyper = stage_memory(system), hyper_memory(followers)
    loads = Loads(
        rng.normal(size=int(system.n_rates.sum())),
        rng.normal(size=(model.n_bodies + 1, 6)),
        no_limits(system.n_v),
        element_forces(model.elements),
    )
    stage.base[:] = model.state(positions={"ball": (0.3, 0.2, 0.1), "crank": 0.6}).coordinates[: system.n_q]
    stage.offset[:], stage.carried[:] = 0.02 * rng.normal(size=(2, system.n_v))
    start = 0.05 * rng.normal(size=followers.free.size)

    def residual(x: np.ndarray) -> np.ndarray:
        stage.displacement[followers.free] = x
        evaluate_hyper(system, stage, followers, hyper, loads, t)
        return hyper.residual.copy()

    residual(start)
    form_hyper_hessian(system, stage, followers, hyper, loads, t)
    matrix = hyper.hessian.copy()
    h = 1e-4
    for a, one in enumerate(np.eye(followers.free.size)):
        steps = [residual(start + s * h * one) for s in (-2, -1, 1, 2)]
        found = (8.0 * (steps[2] - steps[1]) - (steps[3] - steps[0])) / (12.0 * h)
        assert np.abs(matrix[:, a] - found).max() < 1e-8 * np.abs(matrix).max()


def test_splines_of_followers_pass_through_their_values() -> None:
    model = branching()
    followers = read_followers(model, CURVES)
    arm, rod = model.joints["arm"].rates.start, model.joints["rod"].rates.start
    for i in range(-6, 12):
        assert abs(follower_function(followers, arm, i * 2.0 / 6.0)[0] - CAM[i % 6]) < 1e-14
    for x, value in zip((-1.0, 0.0, 1.0, 2.0), (0.0, 0.1, -0.1, 0.3), strict=True):
        assert abs(follower_function(followers, rod, x)[0] - value) < 1e-15
    x, h = 0.77, 1e-4
    for order in range(1, 4):
        sides = [follower_function(followers, arm, x + s * h)[order - 1] for s in (-1, 1)]
        assert abs((sides[1] - sides[0]) / (2 * h) - follower_function(followers, arm, x)[order]) < 1e-5


@pytest.mark.parametrize(
    ("follow", "words"),
    [
        ({"arm": "nobody"}, 'expected the name of a joint, found "nobody"'),
        ({"arm": "ball"}, 'one length or angle, found "ball", a Spherical'),
        ({"arm": "crank", "rod": "arm"}, 'expected an independent leader, found "arm"'),
        ({"arm": 3}, "expected a Follow or the name of a joint"),
        ({"arm": da.Follow("crank", ratio=float("nan"))}, "expected finite numbers"),
        ({"arm": da.Follow("crank", values=(1.0,))}, "expected 2 or more numbers"),
        ({"arm": da.Follow("crank", values=(1.0, 2.0), over=(1.0, 1.0))}, "first < last"),
    ],
)
def test_faults_are_named(follow: Any, words: str) -> None:
    with pytest.raises(da.ModelError, match=words):
        da.simulate(branching(), duration=0.1, dt=0.1, integrator=da.HyperReduced(follow=follow))


def test_loops_and_meaningless_methods_are_refused() -> None:
    with pytest.raises(da.ModelError, match="HyperReduced does not support loops"):
        da.simulate(zoo.slider_crank(), duration=0.1, dt=0.1, integrator=da.HyperReduced())
    with pytest.raises(da.ModelError, match="HyperReduced, method"):
        da.HyperReduced(method="BDF3")  # pyright: ignore[reportArgumentType]
