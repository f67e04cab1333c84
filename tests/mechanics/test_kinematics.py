"""Poses, velocities and joint coordinates: round trips and derivatives on random mechanisms of all joint kinds."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import (
    KINDS,
    Bodies,
    move_coordinates,
    quaternion_starts,
    random_state,
    random_system,
    unit_quaternions,
)

from dalembert.mechanics.kinematics import joint_coordinates, joint_rates, tree_jacobian
from dalembert.mechanics.kinematics_joint import (
    coordinate_pose,
    coordinate_velocity,
    parent_frame_pose,
    relative_pose,
    relative_velocity,
    screw,
)
from dalembert.spatial.quaternion import multiply

ALL = list(KINDS)


def matrix(q):
    """The rotation matrix of a quaternion, spelled independently of the kernels."""
    w, x, y, z = q
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


@pytest.mark.parametrize("name", ALL)
def test_round_trip_from_minimal_to_maximal_and_back(name):
    rng = np.random.default_rng(1)
    for _ in range(40):
        system = random_system(rng, [name, name])
        q, v = random_state(rng, system)
        bodies = Bodies(system, q, v)
        # a previous value within half a turn, and quaternions with the right sign, select the branch
        found = q + rng.uniform(-1.5, 1.5, q.size)
        for k in quaternion_starts(system):
            found[k : k + 4] = q[k : k + 4]
        joint_coordinates(system, *bodies.pose, found, found)
        assert np.abs(found - q).max(initial=0.0) < 1e-12
        rates = np.full(system.n_v, np.nan)
        joint_rates(system, *bodies.pose, *bodies.motion, rates)
        assert np.abs(rates - v).max(initial=0.0) < 1e-12


def test_round_trip_from_maximal_to_minimal_and_back():
    """Bodies placed anywhere on floating joints, some crossed from child to parent, come back where they were."""
    rng = np.random.default_rng(2)
    system = random_system(rng, ["floating"] * 8)
    n = system.mass.size
    position, orientation = rng.normal(size=(n, 3)), unit_quaternions(rng, n)
    velocity, angular_velocity = rng.normal(size=(n, 3)), rng.normal(size=(n, 3))
    position[-1], orientation[-1], velocity[-1], angular_velocity[-1] = 0, (1, 0, 0, 0), 0, 0
    q, v = np.zeros(system.n_q), np.zeros(system.n_v)
    joint_coordinates(system, position, orientation, q, q)
    joint_rates(system, position, orientation, velocity, angular_velocity, v)
    bodies = Bodies(system, q, v)
    sign = np.sign((bodies.orientation * orientation).sum(axis=1, keepdims=True))
    assert np.abs(bodies.position - position).max() < 1e-13
    assert np.abs(sign * bodies.orientation - orientation).max() < 1e-13
    assert np.abs(bodies.velocity - velocity).max() < 1e-12
    assert np.abs(bodies.angular_velocity - angular_velocity).max() < 1e-12


@pytest.mark.parametrize("name", ALL)
def test_frames_mean_what_the_system_says(name):
    """t = Q_Aᵀ(r_B − r_A), p = q_A⁻¹ q_B and the meaning of each coordinate, spelled out with matrices."""
    rng = np.random.default_rng(3)
    system = random_system(rng, [name])
    q, _ = random_state(rng, system)
    bodies = Bodies(system, q)
    a, b = system.joint_parent[0], system.joint_child[0]
    turn_a, turn_b = matrix(bodies.orientation[a]), matrix(bodies.orientation[b])
    frame_a, frame_b = turn_a @ matrix(system.parent_frame[0]), turn_b @ matrix(system.child_frame[0])
    r_a = bodies.position[a] + turn_a @ system.parent_point[0]
    r_b = bodies.position[b] + turn_b @ system.child_point[0]
    t, p = relative_pose(system, 0, *bodies.pose)
    assert np.allclose(t, frame_a.T @ (r_b - r_a), rtol=0, atol=1e-14)
    assert np.allclose(matrix(p), frame_a.T @ frame_b, rtol=0, atol=1e-14)
    rest = list(q)
    angle = rest[-1] if name in ("screw", "revolute", "cylindrical", "planar", "free_revolute") else 0.0
    expected_t = [rest.pop(0) if free else 0.0 for free in (1 - system.locked[0, :3])] if name != "screw" else [0, 0, 0]
    if name == "screw":
        expected_t[2] = system.parameter[0] * angle
    if name == "universal":
        c, s = np.cos(q), np.sin(q)
        about_1 = np.array([[1, 0, 0], [0, c[0], -s[0]], [0, s[0], c[0]]])
        about_2 = np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
        expected_turn = about_1 @ about_2
    elif len(rest) == 4:
        expected_turn = matrix(rest)
    else:
        c, s = np.cos(angle), np.sin(angle)
        expected_turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    assert np.allclose(t, expected_t, rtol=0, atol=1e-13)
    assert np.allclose(matrix(p), expected_turn, rtol=0, atol=1e-14)
    t2, p2 = coordinate_pose(system, 0, q)
    assert np.allclose(t, t2, rtol=0, atol=1e-13)
    assert np.allclose(matrix(p), matrix(p2), rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", ALL)
def test_velocities_are_the_rates_of_the_poses(name):
    rng = np.random.default_rng(4)
    system = random_system(rng, [name] * 3)
    q, v = random_state(rng, system)
    bodies = Bodies(system, q, v)
    h = 1e-5
    after, before = (Bodies(system, move_coordinates(system, q, v, s * h)) for s in (1, -1))
    difference = (after.position - before.position) / (2 * h)
    assert np.abs(difference - bodies.velocity).max() < 3e-8  # h² times third derivatives
    for i in range(3):
        change = (matrix(after.orientation[i]) - matrix(before.orientation[i])) / (2 * h)
        w = matrix(bodies.orientation[i]).T @ change
        assert np.abs([w[2, 1], w[0, 2], w[1, 0]] - bodies.angular_velocity[i]).max() < 3e-8


def test_tree_jacobian_times_rates_is_the_velocity():
    rng = np.random.default_rng(5)
    for _ in range(10):
        system = random_system(rng, [*rng.permutation(ALL)])
        q, v = random_state(rng, system)
        bodies = Bodies(system, q, v)
        jacobian = np.full((len(ALL) + 1, 6, system.n_v), np.nan)
        tree_jacobian(system, q, *bodies.pose, jacobian)
        assert np.abs(jacobian[:, :3] @ v - bodies.velocity).max() < 1e-12
        assert np.abs(jacobian[:, 3:] @ v - bodies.angular_velocity).max() < 1e-12


@pytest.mark.parametrize("name", ALL)
def test_screws_and_relative_velocity_agree_with_the_rates(name):
    rng = np.random.default_rng(6)
    system = random_system(rng, ["floating", name], chain=True, reversals=False)
    q, v = random_state(rng, system)
    bodies = Bodies(system, q, v)
    dt, w = coordinate_velocity(system, 1, q, v)
    dt2, w2 = relative_velocity(system, 1, *bodies.pose, *bodies.motion)
    assert np.abs(np.subtract(dt, dt2)).max() < 1e-13
    assert np.abs(np.subtract(w, w2)).max() < 1e-13
    _, q_a = parent_frame_pose(system, 1, *bodies.pose)
    b = system.joint_child[1]
    frame_b = matrix(bodies.orientation[b]) @ matrix(system.child_frame[1])
    q_b = multiply(tuple(bodies.orientation[b]), tuple(system.child_frame[1]))
    total = np.zeros((2, 3))
    for k in range(system.n_rates[1]):
        total += v[system.v_start[1] + k] * np.array(screw(system, 1, k, q_a, q_b))
    assert np.abs(total[0] - matrix(q_a) @ dt).max(initial=0.0) < 1e-13
    assert np.abs(total[1] - frame_b @ w).max(initial=0.0) < 1e-13


@pytest.mark.parametrize("name", ["revolute", "universal", "screw", "cylindrical"])
def test_rates_are_exact_derivatives_off_the_constraints(name):
    """Joint rates of bodies that violate the joint are still the derivative of the joint's coordinates."""
    rng = np.random.default_rng(7)
    loop = random_system(rng, ["floating", "floating"], [name], reversals=False)
    q, v = random_state(rng, loop)
    n = loop.n_coordinates.sum()
    bodies = Bodies(loop, q, v)
    rates = np.zeros(loop.n_rates.sum())
    joint_rates(loop, *bodies.pose, *bodies.motion, rates)
    h = 1e-5
    values = []
    previous = np.zeros(n)
    joint_coordinates(loop, *bodies.pose, previous, previous)
    for s in (1, -1):
        out = np.zeros(n)
        joint_coordinates(loop, *Bodies(loop, move_coordinates(loop, q, v, s * h)).pose, previous, out)
        values.append(out[loop.q_start[2] :])
    difference = (values[0] - values[1]) / (2 * h)
    assert np.abs(difference - rates[loop.v_start[2] :]).max() < 1e-8


def test_angles_unwrap_over_many_turns():
    rng = np.random.default_rng(8)
    system = random_system(rng, ["revolute", "universal", "screw"])
    q = np.zeros(system.n_q)
    out = q.copy()
    for _ in range(300):
        q += rng.uniform(-1.0, 3.0, q.size)  # less than half a turn at a time
        joint_coordinates(system, *Bodies(system, q).pose, out, out)
        assert np.abs(out - q).max() < 1e-12
    assert q.min() > 200.0


def test_quaternions_keep_the_sign_of_the_previous_ones():
    rng = np.random.default_rng(9)
    system = random_system(rng, ["spherical"])
    q, _ = random_state(rng, system)
    out = np.zeros(4)
    for sign in (1.0, -1.0):
        joint_coordinates(system, *Bodies(system, q).pose, sign * q, out)
        assert np.abs(out - sign * q).max() < 1e-15
