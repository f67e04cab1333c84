"""The continuous equations: open trees, closed loops, dependent rows, springs, dampers and armature everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import KINDS, Bodies, floating_twin, move_coordinates, random_state, random_system

from dalembert.mechanics.acceleration import accelerations
from dalembert.mechanics.acceleration_components import component_motions
from dalembert.mechanics.acceleration_equations import Equations, make_equations
from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.energy import energies
from dalembert.mechanics.kinematics import joint_coordinates, joint_rates, tree_jacobian
from dalembert.mechanics.recursive import accelerate_bodies, mass_matrix
from dalembert.mechanics.recursive_tree import prepare_tree
from dalembert.model.system import System
from dalembert.spatial.quaternion import rotate

ALL = list(KINDS)
FREE = (0.0, 0.0)


def solve(system: System, q, v, gains=FREE, joint_force=None, external=None, near=None) -> tuple[np.ndarray, Equations]:
    """v̇, and the memory with all that was evaluated on the way."""
    equations = make_equations(system)
    if near is not None:
        equations.coordinates[:] = near
    force = np.zeros(int(system.n_rates.sum())) if joint_force is None else joint_force
    wrench = np.zeros((system.mass.size, 6)) if external is None else external
    out = np.full(system.n_v, np.nan)
    accelerations(system, equations, q, v, force, wrench, gains, out)
    return out, equations


def body_accelerations(system: System, equations: Equations, v, acceleration) -> np.ndarray:
    prepare_tree(system, equations.tree, v, equations.position, equations.orientation, equations.angular_velocity)
    accelerate_bodies(system, equations.tree, acceleration)
    return equations.tree.acceleration.copy()


@pytest.mark.parametrize("seed", range(4))
def test_energy_changes_by_the_power_of_dampers_and_drives(seed):
    """dT/dt + dV/dt of an open tree with springs, dampers, armature and drives on every free component."""
    rng = np.random.default_rng(seed)
    system = random_system(rng, [str(name) for name in rng.permutation(ALL)], options=True, springs=2)
    q, v = random_state(rng, system)
    q = np.where(np.abs(q) > 1.0, q / 7.0, q)
    for j in system.tree_joint:
        if system.n_coordinates[j] > system.n_rates[j]:
            k = system.q_start[j] + system.n_coordinates[j]
            q[k - 4 : k] /= np.linalg.norm(q[k - 4 : k])
    drive = rng.normal(size=int(system.n_rates.sum()))
    acceleration, _ = solve(system, q, v, joint_force=drive)
    power = drive[: system.n_v] @ v
    for j in system.tree_joint:
        damping = system.damping[j][system.locked[j] == 0]
        power -= damping @ v[system.v_start[j] : system.v_start[j] + system.n_rates[j]] ** 2
    h, totals = 1e-4, []
    for s in (-2, -1, 1, 2):
        moved = move_coordinates(system, q, v + 0.5 * s * h * acceleration, s * h)
        faster = v + s * h * acceleration
        bodies = Bodies(system, moved, faster)
        coordinates = np.zeros(int(system.n_coordinates.sum()))
        coordinates[: system.n_q] = moved
        totals.append(float(energies(system, *bodies.pose, *bodies.motion, coordinates).total))
    slope = (totals[0] - 8 * totals[1] + 8 * totals[2] - totals[3]) / (12 * h)
    for j in range(system.tree_joint.size, system.joint_kind.size):
        power -= system.damping[j, 0] * rod_rate(system, j, Bodies(system, q, v)) ** 2
    # round-off of the energies over h
    assert abs(slope - power) < 1e-8 * (1.0 + abs(power) + abs(totals[0]))


def rod_rate(system: System, j: int, bodies: Bodies) -> float:
    active = np.ones((system.joint_kind.size, 6), np.int64)
    active[: system.tree_joint.size] = 0
    omega = world_omega(system, bodies)
    rate, faster = np.zeros(active.shape), np.zeros(active.shape)
    component_motions(
        system, active, *bodies.pose, bodies.velocity, omega, np.zeros((system.mass.size, 6)), rate, faster
    )
    return rate[j, 0]


def world_omega(system: System, bodies: Bodies) -> np.ndarray:
    pairs = zip(bodies.orientation, bodies.angular_velocity, strict=True)
    return np.array([rotate(tuple(q), tuple(w)) for q, w in pairs])


@pytest.mark.parametrize("name", ALL)
def test_a_joint_in_a_loop_does_what_it_does_in_the_tree(name):
    """Bodies accelerate alike whether the joints between them place them or close loops of floating bodies: constraint
    forces, springs, dampers, armature and drives of every kind."""
    rng = np.random.default_rng(ALL.index(name))
    system = random_system(rng, [name] * 3, options=True)
    q, v = random_state(rng, system)
    bodies = Bodies(system, q, v)
    drive = rng.normal(size=system.n_v)
    external = rng.normal(size=(4, 6))
    acceleration, equations = solve(system, q, v, joint_force=drive, external=external)
    expected = body_accelerations(system, equations, v, acceleration)

    twin = floating_twin(system)
    near = np.zeros(int(twin.n_coordinates.sum()))
    near[twin.n_q :] = q
    joint_coordinates(twin, *bodies.pose, near, near)
    rates = np.zeros(int(twin.n_rates.sum()))
    joint_rates(twin, *bodies.pose, *bodies.motion, rates)
    q2, v2 = near[: twin.n_q].copy(), rates[: twin.n_v].copy()
    force = np.concatenate([np.zeros(twin.n_v), drive])
    acceleration, equations = solve(twin, q2, v2, joint_force=force, external=external, near=near)
    found = body_accelerations(twin, equations, v2, acceleration)
    assert np.abs(found - expected).max() < 1e-10 * (1.0 + np.abs(expected).max())


@pytest.mark.parametrize("seed", range(6))
def test_loops_obey_the_stabilised_equation_and_gauss(seed):
    """c̈ = −a ċ − b c in every locked component, and v̇ − v̇₀ = M⁻¹ Gᵀ λ; loops doubled so that rows depend."""
    rng = np.random.default_rng(seed)
    loops = [str(name) for name in rng.choice(["revolute", "spherical", "universal", "prismatic", "screw"], 2)]
    system = random_system(rng, ["floating"] * 6, loops)
    while len({frozenset(pair) for pair in zip(system.joint_parent[6:], system.joint_child[6:], strict=True)}) < 2:
        # two different joints between the same bodies contradict each other
        system = random_system(rng, ["floating"] * 6, loops)
    if seed % 2:
        system = doubled(system, 6)
    q, v = random_state(rng, system)
    gains = (3.0, 5.0)
    acceleration, equations = solve(system, q, v, gains)
    faster = np.zeros_like(equations.faster)
    component_motions(
        system,
        equations.active,
        equations.position,
        equations.orientation,
        equations.velocity,
        equations.tree.omega,
        body_accelerations(system, equations, v, acceleration),
        equations.rate,
        faster,
    )
    demanded = -gains[0] * equations.rate - gains[1] * equations.value
    on = equations.active != 0
    scale = 1.0 + np.abs(equations.faster).max()
    assert np.abs(faster - demanded)[on].max() < 1e-9 * scale

    open_tree = system._replace(loop_joint=np.zeros(0, np.int64))
    free, _ = solve(open_tree, q, v)
    jacobian = np.zeros((system.mass.size, 6, system.n_v))
    tree_jacobian(system, q, equations.position, equations.orientation, jacobian)
    rows = []
    for j, c in zip(equations.row_joint, equations.row_component, strict=True):
        edges = range(system.incidence_start[j], system.incidence_start[j + 1])
        rows.append(sum(equations.jacobian[e, c] @ jacobian[system.incidence_body[e]] for e in edges))
    g = np.array(rows)
    mass = mass_matrix(system, equations.position, equations.orientation)
    assert np.abs(mass @ (acceleration - free) - g.T @ equations.multiplier).max() < 1e-9 * scale
    assert np.abs(g @ v - equations.rate[on]).max() < 1e-11


def doubled(system: System, j: int) -> System:
    """The system with a copy of loop joint j behind it in every array over joints."""
    copies = {
        name: np.concatenate([getattr(system, name), getattr(system, name)[j : j + 1]])
        for name in System._fields
        if getattr(system, name) is not None
        and isinstance(getattr(system, name), np.ndarray)
        and getattr(system, name).shape[:1] == system.joint_kind.shape
        and name not in ("tree_joint", "tree_body", "tree_parent", "tree_reversed", "loop_joint")
    }
    m = system.joint_kind.size
    copies["q_start"][-1], copies["v_start"][-1] = system.n_coordinates.sum(), system.n_rates.sum()
    ends = [system.joint_parent[j], system.joint_child[j]]
    return system._replace(
        **copies,
        incidence_start=np.append(system.incidence_start, system.incidence_start[-1] + 2),
        incidence_body=np.append(system.incidence_body, ends),
        loop_joint=np.append(system.loop_joint, m),
    )


def test_values_of_the_equations_are_those_of_the_constraints():
    rng = np.random.default_rng(5)
    system = random_system(rng, ["floating", "revolute"], ["universal"], options=True)
    q, v = random_state(rng, system)
    _, equations = solve(system, q, v)
    value, jacobian = np.zeros_like(equations.value), np.zeros_like(equations.jacobian)
    evaluate_constraints(system, equations.active, equations.coordinates, *Bodies(system, q).pose, value, jacobian)
    assert (value == equations.value).all()
