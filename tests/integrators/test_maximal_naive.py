"""The compiled step beside a slow twin that shares no code with it, on mechanisms of all joint kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from naive.maximal_step import NaiveMaximal, matrix

import dalembert as da
from dalembert import zoo
from dalembert.model.system import GEAR

DT = 0.01
STEPS = 8
LOADED: dict[str, Any] = {"stiffness": 20.0, "damping": 0.3, "rest": 0.2, "armature": 0.05}
SOLVERS: tuple[Any, ...] = ("graph", "dense", "auto")


def compare(model: da.Model, state: da.State, *, driven: bool = False, unique: bool = True) -> None:
    """Eight steps by all solvers and by the twin: poses, velocities at the knots and reactions of all joints.

    All solve to rounding error. Impulses are differences of momenta, so forces lose two digits to the step size. Where
    constraints are redundant only what the reactions add up to on each body is ``unique``.
    """
    system, random = model.system, np.random.default_rng(5)
    force, wrench = np.zeros(int(system.n_rates.sum())), np.zeros((model.n_bodies + 1, 6))
    if driven:
        force[: system.n_v], wrench[:-1] = random.normal(size=system.n_v), random.normal(size=(model.n_bodies, 6))
    runs = [
        da.simulate(
            model,
            state,
            duration=STEPS * DT,
            dt=DT,
            integrator=da.MaximalVI(tol=1e-13, linear_solver=solver),
            controller=(lambda time, state: force) if driven else None,
            wrenches={name: (wrench[i, :3], wrench[i, 3:]) for i, name in enumerate(model.bodies)},
        )
        for solver in SOLVERS
    ]
    naive = NaiveMaximal(system, state, DT, force, wrench)
    for k in range(STEPS):
        poses, jacobian, velocity = naive.poses, naive.jacobian(naive.poses), naive.knot_velocity()
        naive.step()
        # at the first knot the impulse belongs to half an interval
        forces = naive.impulse / (0.5 * DT if k == 0 else DT)
        rows = [naive.reaction(j, forces, jacobian, poses) for j in pairs(model).values()]
        for run in runs:
            np.testing.assert_allclose(run.position[k], poses.x[:-1], rtol=0, atol=1e-12)
            np.testing.assert_allclose(matrix(run.orientation[k]), poses.turn[:-1], rtol=0, atol=1e-12)
            found = np.hstack([run.velocity[k], run.angular_velocity[k]])
            np.testing.assert_allclose(found, velocity, rtol=0, atol=1e-10)
            joints = [run.joint(name) for name in pairs(model)]
            reactions = np.array([np.r_[joint.reaction_force[k], joint.reaction_torque[k]] for joint in joints])
            if unique:
                np.testing.assert_allclose(reactions, rows, rtol=0, atol=1e-8)
                gears = system.joint_kind == GEAR
                np.testing.assert_allclose(run.record.multiplier[k, gears, 0], forces[gears, 0], rtol=0, atol=1e-8)
            else:
                found = naive.reaction_wrenches(reactions, poses)
                expected = naive.reaction_wrenches(np.array(rows), poses)
                np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


def pairs(model: da.Model) -> dict[str, int]:
    """The joints that stand between two bodies: all but gears."""
    return {name: joint.index for name, joint in model.joints.items() if not isinstance(joint.kind, da.Gear)}


@pytest.mark.parametrize("options", [{}, LOADED], ids=["bare", "loaded"])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_trees_of_all_joint_kinds(seed: int, options: dict[str, Any]) -> None:
    model = zoo.random_tree(14, seed, **options)
    compare(model, zoo.random_state(model, seed), driven=seed == 2)


@pytest.mark.parametrize("options", [{}, LOADED], ids=["bare", "loaded"])
@pytest.mark.parametrize("seed", [1, 2, 4])
def test_random_loops(seed: int, options: dict[str, Any]) -> None:
    model = zoo.random_loops(8, 3, seed, **options)
    compare(model, zoo.random_state(model, seed), driven=seed == 2)


def test_two_bodies_joined_at_two_points() -> None:
    """The pull along the line between the points is not unique."""
    model = zoo.random_loops(8, 3, 3)
    state = zoo.random_state(model, 3)
    assert model.assemble(state).redundant == 1
    compare(model, state, unique=False)


def coupled() -> da.Model:
    """Rods, springs between points, gears of angles and lengths, a screw and a Cardan joint in one mechanism."""
    b = da.ModelBuilder(gravity=(0.3, -0.5, -9.0))
    for name, position in (
        ("wheel", (0.1, 0, 0)),
        ("pinion", (0.5, 0.1, 0)),
        ("rack", (0.5, 0.4, 0.1)),
        ("nut", (-0.4, 0, 0.2)),
        ("cardan", (0, 0, -0.6)),
        ("bob", (0.3, 0.2, -1.0)),
    ):
        b.add_body(name, mass=1.3, inertia=(0.02, 0.03, 0.04), position=position, orientation=(0.8, 0.36, 0.0, 0.48))
    b.add_joint("axle", da.Revolute(axis=(0, 0, 1)), parent="world", child="wheel", anchor=(0, 0, 0), damping=0.05)
    b.add_joint("arbor", da.Revolute(axis=(0, 0, 1)), parent="pinion", child="world", anchor=(0.4, 0, 0))
    b.add_joint("rail", da.Cylindrical(axis=(1, 0, 0)), parent="world", child="rack", anchor=(0.5, 0.4, 0.1))
    b.add_joint("thread", da.Screw(axis=(0, 0.6, 0.8), pitch=0.3), parent="wheel", child="nut", anchor=(-0.3, 0.1, 0.1))
    b.add_joint(
        "cross", da.Universal(axes=((1, 0, 0), (0, 1, 0))), parent="pinion", child="cardan", anchor=(0.3, 0, -0.3)
    )
    b.add_joint("gear1", da.Gear(ratio=-2.0), parent="axle", child="arbor")
    b.add_joint("gear2", da.Gear(ratio=5.0, coordinates=("angle", "z")), parent="arbor", child="rail")
    b.add_joint("float", da.Floating(), parent="world", child="bob")
    b.add_joint("rod", da.Distance(), parent="cardan", child="bob", anchor=((0.1, 0, -0.7), (0.3, 0.1, -0.9)))
    b.add_spring("spring", "rack", "bob", points=((0.5, 0.5, 0), (0.2, 0.2, -0.9)), stiffness=30.0, damping=0.7)
    b.add_spring("pull", "nut", "bob", points=((-0.4, 0, 0), (0.3, 0.2, -1.1)), stiffness=8.0, rest_length=0.0)
    return b.build()


def test_rods_springs_gears_screws_and_cardan_joints_together() -> None:
    model = coupled()
    rough = model.state(
        positions={"thread": 0.4, "cross": (0.2, -0.3)}, velocities={"axle": 2.0, "thread": -1.0, "cross": (0.5, 0.8)}
    )
    state = model.assemble(rough, hold=("axle", "thread")).state
    compare(model, state, driven=True)


@pytest.mark.parametrize("name", ["four_bar_chain", "bricard", "minitaur"])
def test_redundant_loops_move_alike(name: str) -> None:
    mechanism = zoo.ZOO[name]
    model = mechanism.build()
    compare(model, mechanism.start(model), unique=False)
