"""Mass matrix, bias forces and forward dynamics against Pinocchio on random trees."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import Bodies, random_state, random_system

from dalembert.mechanics.recursive import bias_forces, fill_mass_matrix
from dalembert.mechanics.recursive_articulated import forward_dynamics
from dalembert.mechanics.recursive_tree import prepare_tree, tree_memory
from dalembert.model.system import System

pin = pytest.importorskip("pinocchio")


def quaternion(q):
    return pin.Quaternion(float(q[0]), float(q[1]), float(q[2]), float(q[3]))


def depth_first(system: System) -> list[int]:
    """Tree joints so that every subtree is contiguous, as Pinocchio's composite-rigid-body algorithm assumes."""
    order: list[int] = []
    waiting = [i for i in range(system.tree_joint.size) if system.tree_parent[i] == system.mass.size - 1]
    while waiting:
        i = waiting.pop()
        order.append(i)
        waiting.extend(k for k in range(system.tree_joint.size) if system.tree_parent[k] == system.tree_body[i])
    return order


def pinocchio_model(system: System, names: list[str]):
    """The same tree for Pinocchio, whose joint frames are those of the joints' child frames B."""
    model = pin.Model()
    model.gravity = pin.Motion(system.gravity, np.zeros(3))
    joint_of = {system.mass.size - 1: (0, pin.SE3.Identity())}
    kinds = {
        "revolute": pin.JointModelRZ,
        "prismatic": pin.JointModelPZ,
        "spherical": pin.JointModelSpherical,
        "floating": pin.JointModelFreeFlyer,
        "fixed_orientation": pin.JointModelTranslation,
    }
    for i in depth_first(system):
        j, body, origin = (int(a[i]) for a in (system.tree_joint, system.tree_body, system.tree_parent))
        frame_a = pin.SE3(quaternion(system.parent_frame[j]), system.parent_point[j])
        parent, from_parent = joint_of[origin]
        added = model.addJoint(parent, kinds[names[i]](), from_parent * frame_a, f"joint{i}")
        body_in_b = pin.SE3(quaternion(system.child_frame[j]), system.child_point[j]).inverse()
        model.appendBodyToJoint(added, pin.Inertia(system.mass[body], np.zeros(3), system.inertia[body]), body_in_b)
        joint_of[body] = (added, body_in_b)
    return model


def to_pinocchio(system: System, names: list[str], q: np.ndarray):
    """Coordinates with quaternions as (x, y, z, w), and T with v_pin = T v: floating joints move in the axes of B."""
    coordinates, rows = [], []
    for i in depth_first(system):
        j, name = system.tree_joint[i], names[i]
        c = q[system.q_start[j] : system.q_start[j] + system.n_coordinates[j]]
        size = int(system.n_rates[j])
        block = np.zeros((size, system.n_v))
        block[:, system.v_start[j] : system.v_start[j] + size] = np.eye(size)
        if name in ("spherical", "floating"):
            coordinates.extend([*c[:-4], *c[-3:], c[-4]])
        else:
            coordinates.extend(c)
        if name == "floating":
            block[:3] = quaternion(c[-4:]).matrix().T @ block[:3]
        rows.append(block)
    return np.array(coordinates), np.vstack(rows)


@pytest.mark.parametrize("seed", range(8))
def test_agrees_with_pinocchio(seed):
    rng = np.random.default_rng(seed)
    kinds = ["revolute", "prismatic", "spherical", "floating", "fixed_orientation"]
    names = [str(name) for name in rng.choice(kinds, 12)]
    system = random_system(rng, names, reversals=False)
    q, v = random_state(rng, system)
    bodies = Bodies(system, q, v)
    tree = tree_memory(system)
    prepare_tree(system, tree, v, *bodies.pose, bodies.angular_velocity)
    mass = np.zeros((system.n_v, system.n_v))
    fill_mass_matrix(system, tree, mass)

    model = pinocchio_model(system, names)
    data = model.createData()
    pin_q, transform = to_pinocchio(system, names, q)
    pin_v = transform @ v
    pin_mass = transform.T @ pin.crba(model, data, pin_q) @ transform
    scale = np.abs(mass).max()
    assert np.abs(mass - pin_mass).max() < 1e-13 * scale

    # for floating joints v_pin = T v with Ṫ v = (−w × u, 0)
    turning, k = np.zeros(system.n_v), 0
    for i in depth_first(system):
        if names[i] == "floating":
            turning[k : k + 3] = -np.cross(pin_v[k + 3 : k + 6], pin_v[k : k + 3])
        k += int(system.n_rates[system.tree_joint[i]])
    bias = np.zeros(system.n_v)
    bias_forces(system, tree, bias)
    pin_bias = transform.T @ pin.rnea(model, data, pin_q, pin_v, turning)
    assert np.abs(bias - pin_bias).max() < 1e-13 * np.abs(bias).max()

    tau = rng.normal(size=system.n_v)
    gravity = np.hstack([system.mass[:, None] * system.gravity, np.zeros((system.mass.size, 3))])
    acceleration = np.zeros(system.n_v)
    forward_dynamics(system, tree, bodies.orientation, tau, gravity, acceleration)
    pin_acceleration = pin.aba(model, data, pin_q, pin_v, np.linalg.solve(transform.T, tau))
    found = transform @ acceleration + turning
    assert np.abs(found - pin_acceleration).max() < 1e-10 * np.abs(pin_acceleration).max()
