"""Reduced dynamics: screws and inverse dynamics with their exact derivatives, for every joint in tree and loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mechanics.random_elements import random_elements
from mechanics.random_systems import (
    KINDS,
    Bodies,
    move_coordinates,
    quaternion_starts,
    random_state,
    random_system,
)
from naive import reduced_tensors

import dalembert as da
from dalembert.mechanics.element_forces import element_forces
from dalembert.mechanics.kinematics import tree_screws
from dalembert.mechanics.recursive import inverse_dynamics
from dalembert.mechanics.recursive_tree import prepare_tree, tree_memory
from dalembert.mechanics.reduced_coordinates import no_limits
from dalembert.mechanics.reduced_equations import (
    Loads,
    differentiate_equations,
    evaluate_equations,
    reduced_equations,
)
from dalembert.mechanics.reduced_tree import move_tree, place_tree, reduced_memory
from dalembert.model.force_elements import flatten_forces
from dalembert.model.system import System


def slope(function: Callable[[float], np.ndarray]) -> np.ndarray:
    """Central differences, extrapolated twice: the error is of order h⁶ and about 1e-12 of the values."""
    central = [(function(h) - function(-h)) / (2 * h) for h in (1e-3, 5e-4, 2.5e-4)]
    return (64 * central[2] - 20 * central[1] + central[0]) / 45


class Case:
    """A system at a random state, with everything acting on it that can."""

    def __init__(self, system: System, rng: np.random.Generator, speed: float = 1.0, forces: bool = False) -> None:
        self.system = system
        self.q, v = random_state(rng, system)
        self.v, self.a = speed * v, rng.normal(size=system.n_v)
        external = rng.normal(size=(system.mass.size, 6))
        external[-1] = 0.0
        drives = rng.normal(size=int(system.n_rates.sum()))
        elements = random_elements(rng, system.tree_joint.size) if forces else flatten_forces((), {})
        self.loads = Loads(drives, external, no_limits(system.n_v), element_forces(elements))
        self.coordinates = np.zeros(int(system.n_coordinates.sum()))
        for k in quaternion_starts(system):
            self.coordinates[k] = 1.0
        self.multiplier = rng.normal(size=reduced_equations(system).loops.row_joint.size)

    def equations(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, Any]:
        memory, out = reduced_equations(self.system), np.zeros(self.system.n_v)
        memory.loops.coordinates[:] = self.coordinates
        evaluate_equations(self.system, memory, self.loads, q, v, a, self.multiplier, out)
        return out, memory

    def moved(self, k: int, h: float) -> np.ndarray:
        return move_coordinates(self.system, self.q, np.eye(self.system.n_v)[k], h)

    def check_derivatives(self, limit: float) -> None:
        """All three against differences, relative to the largest entry."""
        system, unit = self.system, np.eye(self.system.n_v)
        _, memory = self.equations(self.q, self.v, self.a)
        differentiate_equations(system, memory, self.loads, self.q)
        differences = (
            [slope(lambda h, k=k: self.equations(self.moved(k, h), self.v, self.a)[0]) for k in range(system.n_v)],
            [slope(lambda h, e=e: self.equations(self.q, self.v + h * e, self.a)[0]) for e in unit],
            [slope(lambda h, e=e: self.equations(self.q, self.v, self.a + h * e)[0]) for e in unit],
        )
        for exact, columns in zip(memory.derivatives, differences, strict=True):
            expected = np.array(columns).T
            assert np.abs(exact - expected).max() < limit * (1.0 + np.abs(expected).max())


@pytest.mark.parametrize("seed", range(3))
def test_inverse_dynamics_is_that_of_newton_and_euler(seed: int) -> None:
    rng = np.random.default_rng(seed)
    system = random_system(rng, [*KINDS])
    case = Case(system, rng)
    case.loads.joint_force[:] = 0.0
    bodies, tree, expected = Bodies(system, case.q, case.v), tree_memory(system), np.zeros(system.n_v)
    prepare_tree(system, tree, case.v, *bodies.pose, bodies.angular_velocity)
    wrench = case.loads.external.copy()
    wrench[:, :3] += system.mass[:, None] * system.gravity
    inverse_dynamics(system, tree, case.a, bodies.orientation, wrench, expected)
    found, _ = case.equations(case.q, case.v, case.a)
    assert np.abs(found - expected).max() < 1e-13 * np.abs(expected).max()


@pytest.mark.parametrize("name", [name for name in KINDS if name != "fixed"])
def test_screws_change_by_their_brackets(name: str) -> None:
    """S, Ṡ and dS/dq of every joint, declared outwards and inwards: one rule, where a screw is fixed."""
    rng = np.random.default_rng(list(KINDS).index(name))
    system = random_system(rng, ["floating", name, name, name], chain=True)
    q, v = random_state(rng, system)
    at = reduced_memory(system)
    place_tree(system, at, q)
    move_tree(system, at, v, v)
    ground, above, fixed_in = reduced_tensors._screws(system, Bodies(system, q))

    def screws(moved: np.ndarray) -> np.ndarray:
        return reduced_tensors._screws(system, Bodies(system, moved))[0]

    for i in range(system.n_v):
        found = slope(lambda h, i=i: screws(move_coordinates(system, q, np.eye(system.n_v)[i], h)))
        for j in range(system.n_v):
            expected = above[i, fixed_in[j]] * reduced_tensors.bracket(ground[i], ground[j])
            assert np.abs(found[j] - expected).max() < 1e-9 * (1.0 + np.abs(ground).max() ** 2)
    rate = at.screw_rate.copy()
    placed = np.repeat(system.tree_body, system.n_rates[system.tree_joint])
    rate[:, :3] += np.cross(at.position[placed], rate[:, 3:])
    assert np.abs(rate - slope(lambda h: screws(move_coordinates(system, q, v, h)))).max() < 1e-8
    local = np.zeros_like(at.screw)
    tree_screws(system, at.position, at.orientation, local)
    assert (at.screw == local).all()


@pytest.mark.parametrize("seed", range(4))
def test_derivatives_are_those_of_the_third_order_tensors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = rng.permutation([name for name in KINDS if name != "fixed"])[:4]
    system = random_system(rng, ["fixed", *names.tolist()])._replace(
        stiffness=np.zeros((5, 6)), damping=np.zeros((5, 6)), armature=rng.uniform(0.0, 1.0, (5, 6))
    )
    case = Case(system, rng)
    case.loads.joint_force[:], case.loads.external[:] = 0.0, 0.0
    found, memory = case.equations(case.q, case.v, case.a)
    differentiate_equations(system, memory, case.loads, case.q)
    for one, other in zip(
        (found, *memory.derivatives), reduced_tensors.inverse_dynamics(system, case.q, case.v, case.a), strict=True
    ):
        assert np.abs(one - other).max() < 1e-12 * (1.0 + np.abs(other).max())


@pytest.mark.parametrize("seed", range(4))
def test_derivatives_in_trees_of_all_joints(seed: int) -> None:
    """Branching, reversed joints, springs, dampers, armature, drives and wrenches."""
    rng = np.random.default_rng(seed)
    Case(random_system(rng, rng.permutation([*KINDS]).tolist(), options=True), rng).check_derivatives(1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_derivatives_with_all_joints_in_loops(seed: int) -> None:
    """Multipliers, springs, dampers and drives of joints outside the tree, and springs between points."""
    rng = np.random.default_rng(seed)
    tree = ["floating", "revolute", "spherical", "universal", "screw", "cylindrical"]
    Case(random_system(rng, tree, [*KINDS], springs=2, options=True), rng).check_derivatives(1e-9)


def test_derivatives_with_gears() -> None:
    model = geared()
    Case(model.system, np.random.default_rng(5)).check_derivatives(1e-10)


def geared() -> da.Model:
    """A gear between two hinges and one between a hinge and a slide, on a moving base."""
    builder = da.ModelBuilder()
    for i in range(4):
        builder.add_body(f"body{i}", mass=1.0 + i, inertia=(0.1, 0.2, 0.15), position=(i, 0.3 * i, 0.1))
    builder.add_joint("base", da.Floating(), parent="world", child="body0")
    builder.add_joint("first", da.Revolute(axis=(0, 1, 0)), parent="body0", child="body1", anchor=(0.5, 0, 0))
    builder.add_joint("second", da.Revolute(axis=(1, 0, 0)), parent="body0", child="body2", anchor=(1.5, 0, 0))
    builder.add_joint("third", da.Prismatic(axis=(0, 0, 1)), parent="body2", child="body3")
    builder.add_joint("gear", da.Gear(ratio=2.0), parent="first", child="second")
    builder.add_joint("rack", da.Gear(ratio=-0.7), parent="second", child="third")
    return builder.build()


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 3.0, 3.13])
def test_derivatives_near_special_turns(angle: float) -> None:
    """Springs of rotations about points near no turn at all and near half a turn from their rest."""
    rng = np.random.default_rng(1)
    system = random_system(rng, ["spherical", "floating"], ["spherical"], options=True)
    system.rest[:] = 0.0
    case = Case(system, rng)
    axis = np.array([0.6, 0.0, 0.8])
    for k in quaternion_starts(system):
        if k < system.n_q:
            case.q[k : k + 4] = np.cos(angle / 2), *(np.sin(angle / 2) * axis)
    case.check_derivatives(1e-9)


def test_a_long_chain_loses_no_digits() -> None:
    """The last of 300 links, 100 m away, feels what the derivatives by the first say, to 1e-9 of the largest."""
    rng = np.random.default_rng(3)
    case = Case(random_system(rng, ["revolute"] * 300, chain=True), rng, speed=0.01)
    _, memory = case.equations(case.q, case.v, case.a)
    differentiate_equations(case.system, memory, case.loads, case.q)
    column = slope(lambda h: case.equations(case.moved(150, h), case.v, case.a)[0])
    assert np.abs(memory.derivatives.by_place[:, 150] - column).max() < 1e-9 * np.abs(column).max()
