"""Joints that are products of exponentials: poses, screws, derivatives, rows, and the way back from poses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from mechanics.product_kinds import ANGLES, GRID, POINTS, PRODUCT_KINDS, TURNS, carried, placed
from mechanics.random_systems import Bodies, move_coordinates
from mechanics.test_constraints import assembled, evaluate, moved
from naive.reduced_tensors import bracket, cross_matrix, rotation

import dalembert as da
from dalembert.mechanics.element_forces import element_forces
from dalembert.mechanics.kinematics import product_rates
from dalembert.mechanics.product_joint import product_jet, product_pose
from dalembert.mechanics.recursive import inverse_dynamics
from dalembert.mechanics.recursive_tree import prepare_tree, tree_memory
from dalembert.mechanics.reduced_coordinates import no_limits
from dalembert.mechanics.reduced_equations import (
    Loads,
    differentiate_equations,
    evaluate_equations,
    reduced_equations,
)

Array = np.ndarray
STEP = 1e-5
names = pytest.mark.parametrize("name", PRODUCT_KINDS)
# the twelve orders differ in nothing but their letters
few = pytest.mark.parametrize("name", [n for n in PRODUCT_KINDS if not n.startswith("euler") or n == "euler ZXZ"])


def slope(function: Callable[[float], Array], h: float = 2e-3) -> Array:
    """Central differences extrapolated twice: h⁶ times a seventh derivative, and 1e-16/h."""
    d = [(function(s) - function(-s)) / (2 * s) for s in (h, h / 2, h / 4)]
    first = [(4 * d[i + 1] - d[i]) / 3 for i in range(2)]
    return (16 * first[1] - first[0]) / 15


def jet(model: da.Model, q: Array, v: Array, k: int, l: int) -> list[Array]:
    j, joint = model.joint_index("track"), model.joints["track"]
    found = product_jet(model.system, j, q, joint.coordinates.start, v, joint.rates.start, k, l)
    return [np.hstack(part) for part in found]


@names
def test_screws_and_their_derivatives_are_those_of_the_pose(name: str) -> None:
    """S_k = Q⁻¹ ∂_k Q, ∂_l S_k, u = Σ S_k v_k, a = Σ ∂_l S_k v_k v_l, ∂_l u and ∂_l a, to 1e-9."""
    model = carried(PRODUCT_KINDS[name])
    system, j, joint = model.system, model.joint_index("track"), model.joints["track"]
    q, v = placed(model, 2)
    first, n = joint.coordinates.start, joint.coordinates.stop - joint.coordinates.start

    def at(k: int, h: float) -> Array:
        out = q.copy()
        out[first + k] += h
        return out

    def pose(q: Array) -> Array:
        t, p = product_pose(system, j, q, first)
        out = np.eye(4)
        out[:3, :3], out[:3, 3] = rotation(np.array(p)), t
        return out

    here = pose(q)
    for k in range(n):
        change = np.linalg.solve(here, slope(lambda h, k=k: pose(at(k, h))))
        screw = np.array([*change[:3, 3], change[2, 1], change[0, 2], change[1, 0]])
        for l in range(n):
            s, s_l, u, a, u_l, a_l = jet(model, q, v, k, l)
            assert np.abs(s - screw).max() < 1e-9
            for part, found in ((0, s_l), (2, u_l), (3, a_l)):
                expected = slope(lambda h, k=k, l=l, part=part: jet(model, at(l, h), v, k, 0)[part])
                assert np.abs(found - expected).max() < 1e-9 * (1.0 + np.abs(expected).max())
            total = sum((v[joint.rates][i] * jet(model, q, v, i, 0)[0] for i in range(n)), np.zeros(6))
            assert np.abs(u - total).max() < 1e-14 * (1.0 + np.abs(u).max())
            along = slope(lambda h: jet(model, _along(q, joint, v, h), v, 0, 0)[2])
            assert np.abs(a - along).max() < 1e-9 * (1.0 + np.abs(a).max())


def _along(q: Array, joint: object, v: Array, h: float) -> Array:
    out = q.copy()
    out[joint.coordinates] += h * v[joint.rates]  # pyright: ignore[reportAttributeAccessIssue]
    return out


@few
def test_the_adjoint_changes_by_the_screws(name: str) -> None:
    """dA/dq_k = A ad(S_k) and d²A/dq_k dq_l = A (ad(S_l) ad(S_k) + ad(∂_l S_k)): [Sueda 2021] section 3.2."""
    model = carried(PRODUCT_KINDS[name])
    q, v = placed(model, 3)
    first, j = model.joints["track"].coordinates.start, model.joint_index("track")
    n = model.joints["track"].coordinates.stop - first

    def adjoint(q: Array) -> Array:
        t, p = product_pose(model.system, j, q, first)
        turn, out = rotation(np.array(p)), np.zeros((6, 6))
        out[:3, :3] = out[3:, 3:] = turn
        out[:3, 3:] = cross_matrix(np.array(t)) @ turn
        return out

    def ad(s: Array) -> Array:
        return np.array([bracket(s, e) for e in np.eye(6)]).T

    def at(k: int, h: float) -> Array:
        out = q.copy()
        out[first + k] += h
        return out

    here = adjoint(q)
    for k in range(n):
        l = n - 1 - k
        s, s_l, *_ = jet(model, q, v, k, l)
        other = jet(model, q, v, l, 0)[0]
        assert np.abs(slope(lambda h, k=k: adjoint(at(k, h))) - here @ ad(s)).max() < 1e-9 * (1 + np.abs(here).max())

        def first_derivative(h: float, k: int = k, l: int = l) -> Array:
            moved = at(l, h)
            return adjoint(moved) @ ad(jet(model, moved, v, k, 0)[0])

        found = here @ (ad(other) @ ad(s) + ad(s_l))
        assert np.abs(slope(first_derivative) - found).max() < 1e-9 * (1 + np.abs(found).max())


@few
def test_coordinates_and_rates_come_back_from_poses_and_velocities(name: str) -> None:
    for inwards in (False, True):
        model = carried(PRODUCT_KINDS[name], inwards=inwards)
        system, joint = model.system, model.joints["track"]
        q, v = placed(model, 4)
        bodies = Bodies(system, q, v)
        near = q.copy()
        near[joint.coordinates] += 0.05
        start = model.state(positions={"track": near[joint.coordinates]})
        found = model.state_from_bodies(*(rows[:-1] for rows in (*bodies.pose, *bodies.motion)), near=start)
        assert np.abs(found.coordinates[joint.coordinates] - q[joint.coordinates]).max() < 1e-13
        rates = np.zeros(system.n_v)
        product_rates(system, q, *bodies.pose, *bodies.motion, rates)
        assert np.abs(rates[joint.rates] - v[joint.rates]).max() < 1e-12
        change = slope(lambda h, s=system, q=q, v=v: Bodies(s, move_coordinates(s, q, v, h)).position)
        assert np.abs(change - bodies.velocity).max() < 1e-9


@few
def test_rows_are_the_derivatives_of_the_components(name: str) -> None:
    """On the joint: locked components vanish, free ones are the coordinates, and all rows are exact there."""
    model = carried(PRODUCT_KINDS[name])
    system, joint, j = model.system, model.joints["track"], model.joint_index("track")
    q, _ = placed(model, 5)
    x, turn = Bodies(system, q).pose
    active = np.zeros_like(system.locked)
    active[j] = 1
    value, jacobian = evaluate(system, active, q + 0.02, x, turn)
    n = joint.coordinates.stop - joint.coordinates.start
    assert np.abs(value[j, :n] - q[joint.coordinates]).max() < 1e-13
    assert np.abs(value[j, n:]).max(initial=0.0) < 1e-14
    rows = assembled(system, jacobian)[j]
    for body in range(system.mass.size):
        for k in range(6):
            found = slope(
                lambda h, body=body, k=k: evaluate(system, active, q, *moved(x, turn, body, k, h))[0][j], 1e-4
            )
            assert np.abs(rows[:, body, k] - found).max() < 1e-8 * (1.0 + np.abs(rows).max())


@few
@pytest.mark.parametrize("inwards", [False, True])
def test_dynamics_and_their_derivatives(name: str, inwards: bool) -> None:
    """Reduced dynamics equal those of Newton and Euler; their derivatives are exact, crossed either way."""
    model = carried(PRODUCT_KINDS[name], inwards=inwards, stiffness=3.0, damping=0.2, armature=0.1)
    system, rng = model.system, np.random.default_rng(6)
    q, v = placed(model, 6)
    a = rng.normal(size=system.n_v)
    equations = reduced_equations(system)
    external = rng.normal(size=(model.n_bodies + 1, 6))
    loads = Loads(np.zeros(int(system.n_rates.sum())), external, no_limits(system.n_v), element_forces(model.elements))

    def demand(q: Array, v: Array) -> Array:
        out = np.zeros(system.n_v)
        evaluate_equations(system, equations, loads, q, v, a, np.zeros(0), out)
        return out

    def moved_along(i: int, h: float) -> Array:
        return move_coordinates(system, q, np.eye(system.n_v)[i], h)

    found = demand(q, v)
    differentiate_equations(system, equations, loads, q)
    by_place, by_rate, mass = (part.copy() for part in equations.derivatives)
    for i in range(system.n_v):
        one = np.eye(system.n_v)[i]
        for derivative, change in (
            (by_place, slope(lambda h, i=i: demand(moved_along(i, h), v))),
            (by_rate, slope(lambda h, one=one: demand(q, v + h * one))),
        ):
            assert np.abs(derivative[:, i] - change).max() < 1e-9 * (1.0 + np.abs(derivative).max())
    bodies, tree, expected = Bodies(system, q, v), tree_memory(system), np.zeros(system.n_v)
    tree.coordinates[:] = q
    prepare_tree(system, tree, v, *bodies.pose, bodies.angular_velocity)
    wrench = external.copy()
    wrench[:, :3] += system.mass[:, None] * system.gravity
    inverse_dynamics(system, tree, a, bodies.orientation, wrench, expected)
    track = model.joints["track"]
    expected[track.rates] += 3.0 * q[track.coordinates] + 0.2 * v[track.rates]
    assert np.abs(found - expected).max() < 1e-12 * (1.0 + np.abs(expected).max())
    state = model.state(positions={n: q[j.coordinates] for n, j in model.joints.items()})
    assert np.abs(model.mass_matrix(state) - mass).max() < 1e-12


def test_curves_pass_through_their_frames() -> None:
    for closed in (False, True):
        model = carried(da.SplineCurve(POINTS, TURNS, closed=closed))
        first = rotation(np.array(TURNS[0]))
        for i, (point, turn) in enumerate(zip(POINTS, TURNS, strict=True)):
            q, _ = placed(model, 0)
            q[model.joints["track"].coordinates] = i + 5.0 * closed
            t, p = product_pose(model.system, 1, q, model.joints["track"].coordinates.start)
            assert np.abs(np.array(t) - first.T @ (point - POINTS[0])).max() < 1e-12
            assert np.abs(rotation(np.array(p)) - first.T @ rotation(np.array(turn))).max() < 1e-12


def test_surfaces_pass_through_their_points() -> None:
    model = carried(PRODUCT_KINDS["surface"])
    axes = np.eye(3)
    first = np.linalg.multi_dot([rotation(_quaternion(axes[k], ANGLES[0, 0, k])) for k in range(3)])
    for i, k in np.ndindex(4, 3):
        q, _ = placed(model, 0)
        q[model.joints["track"].coordinates] = i, k
        t, p = product_pose(model.system, 1, q, model.joints["track"].coordinates.start)
        turn = np.linalg.multi_dot([rotation(_quaternion(axes[c], ANGLES[i, k, c])) for c in range(3)])
        assert np.abs(np.array(t) - first.T @ (GRID[i, k] - GRID[0, 0])).max() < 1e-13
        assert np.abs(rotation(np.array(p)) - first.T @ turn).max() < 1e-13


def _quaternion(axis: Array, angle: float) -> Array:
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])


def test_composites_are_the_joints_that_they_are_made_of() -> None:
    """Against the kinds that have the same motion: Planar, Cylindrical, Universal, Screw, and one in itself."""
    axis = (0.0, 0.6, 0.8)
    pairs = (
        (da.Composite((da.PlanarFixedOrientation(axis), da.Revolute(axis))), da.Planar(axis)),
        (da.Composite((da.Prismatic(axis), da.Revolute(axis))), da.Cylindrical(axis)),
        (da.Composite((da.Revolute((1, 0, 0)), da.Revolute((0, 1, 0)))), da.Universal()),
        (da.Composite((da.Screw(axis, pitch=0.3),)), da.Screw(axis, pitch=0.3)),
        (da.Composite((da.Composite((da.Prismatic(axis),)),)), da.Prismatic(axis)),
    )
    for composite, plain in pairs:
        values = np.array([0.7, -0.4, 1.1])[: len(composite.rate_names)]
        states = [
            model.state(positions={"track": values}, velocities={"track": 2 * values, "ball": (1, 2, 3)})
            for model in (carried(composite), carried(plain))
        ]
        for field in ("position", "orientation", "velocity", "angular_velocity"):
            assert np.abs(getattr(states[0], field) - getattr(states[1], field)).max() < 1e-14
