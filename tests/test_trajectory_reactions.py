"""Forces in joints against statics, against the analytic pendulum and against Newton's third law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.zoo import ZOO
from dalembert.zoo.random_mechanisms import random_loops, random_state, random_tree

G = 9.81
SOLVERS = ("tree", "graph")


def vi(solver: str = "auto", tol: float = 1e-12) -> da.MaximalVI:
    arguments: dict[str, Any] = {"tol": tol, "linear_solver": solver}
    return da.MaximalVI(**arguments)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", [da.Spherical(), da.Revolute(axis=(0, 1, 0)), da.Universal(), da.Fixed()])
def test_each_joint_of_a_hanging_chain_carries_what_is_below(kind: Any, solver: str) -> None:
    model = ZOO["pendulum"].build(n=5, joint=kind, mass=2.0)
    run = da.simulate(model, duration=0.05, dt=0.01, integrator=vi(solver))
    for i in range(5):
        joint = run.joint(f"joint{i + 1}")
        # 100 N of weight at most; what Newton's method leaves is 1e-12 m, that is 1e-12 · m/h² = 2e-8 N
        assert np.abs(joint.reaction_force - (0, 0, 2.0 * G * (5 - i))).max() < 1e-7
        assert np.abs(joint.reaction_torque).max() < 1e-7


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", [da.Fixed(), da.Prismatic(axis=(1, 0, 0)), da.Prismatic(axis=(0, 1, 0))])
def test_a_clamped_beam(kind: Any, solver: str) -> None:
    """A horizontal beam of 3 kg held at one end: its weight, and weight times half of its length."""
    builder = da.ModelBuilder(gravity=(0, 0, -G))
    builder.add_body("beam", mass=3.0, inertia=(0.01, 1.0, 1.0), position=(1, 0, 0))
    builder.add_joint("clamp", kind, parent="world", child="beam", anchor=(0, 0, 0))
    run = da.simulate(builder.build(), duration=0.05, dt=0.01, integrator=vi(solver))
    clamp = run.joint("clamp")
    assert np.abs(clamp.reaction_force - (0, 0, 3.0 * G)).max() < 1e-7
    assert np.abs(clamp.reaction_torque - (0, -3.0 * G * 1.0, 0)).max() < 1e-7
    # the world feels the opposite, about its origin, which is the joint's point here
    force, torque = clamp.wrench_on("world")
    assert np.abs(force + clamp.reaction_force).max() < 1e-12
    assert np.abs(torque + clamp.reaction_torque).max() < 1e-12


def test_a_beam_on_two_supports() -> None:
    """A hinge and a slider of 1 : 2 in distance from the centre of mass share the weight 2 : 1."""
    builder = da.ModelBuilder(gravity=(0, 0, -G))
    builder.add_body("beam", mass=3.0, inertia=(0.01, 1.0, 1.0), position=(0, 0, 0))
    builder.add_joint("hinge", da.Revolute(axis=(0, 1, 0)), parent="world", child="beam", anchor=(-1, 0, 0))
    builder.add_joint("slider", da.PlanarFree(axis=(0, 0, 1)), parent="world", child="beam", anchor=(2, 0, 0))
    run = da.simulate(builder.build(), duration=0.05, dt=0.01, integrator=vi())
    assert np.abs(run.joint("hinge").reaction_force - (0, 0, 2.0 * G)).max() < 1e-7
    assert np.abs(run.joint("slider").reaction_force - (0, 0, 1.0 * G)).max() < 1e-7
    assert np.abs(run.joint("slider").reaction_torque).max() < 1e-7


def test_a_rod_and_a_gear() -> None:
    """A weight on a massless rod; two drums geared 1 : 2 whose torques balance."""
    builder = da.ModelBuilder(gravity=(0, 0, -G))
    builder.add_body("weight", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    builder.add_joint("rod", da.Distance(), parent="world", child="weight", anchor=((0, 0, 0), (0, 0, -1)))
    run = da.simulate(builder.build(), duration=0.05, dt=0.01, integrator=vi())
    assert np.abs(run.joint("rod").reaction_force - (0, 0, 2.0 * G)).max() < 1e-7
    assert np.abs(run.joint("rod").reaction_torque).max() < 1e-7

    builder = da.ModelBuilder(gravity=(0, 0, 0))
    for k, name in enumerate(("small", "large")):
        builder.add_body(name, mass=1.0, inertia=(1.0, 1.0, 1.0), position=(k, 0, 0))
        builder.add_joint(f"axle_{name}", da.Revolute(axis=(0, 0, 1)), parent="world", child=name, anchor=(k, 0, 0))
    builder.add_joint("gear", da.Gear(ratio=2.0), parent="axle_small", child="axle_large")
    # θ₁ + 2 θ₂ is kept: torques of 1 and 2 along its gradient are all held by the gear
    pull = {"axle_small": 1.0, "axle_large": 2.0}
    run = da.simulate(builder.build(), duration=0.05, dt=0.01, integrator=vi(), controller=lambda t, s: pull)
    for name, torque in (("small", 1.0), ("large", 2.0)):
        assert np.abs(run.joint("gear").wrench_on(name)[1] - (0, 0, -torque)).max() < 1e-9
        assert np.abs(run.joint("gear").wrench_on(name)[0]).max() < 1e-12
    with pytest.raises(da.ModelError, match=r"a Gear has no child .* ask for wrench_on\(body\)"):
        _ = run.joint("gear").reaction_force
    with pytest.raises(da.ModelError, match='bodies that it touches, world, small, world, large, found "x"'):
        run.joint("gear").wrench_on("x")


def test_a_constraint_of_the_user() -> None:
    """A floor at the height of the centre of mass, written in Python, carries the weight."""
    builder = da.ModelBuilder(gravity=(0, 0, -G))
    builder.add_body("box", mass=2.0, inertia=(0.1, 0.1, 0.1))
    builder.add_joint("floor", da.CustomConstraint(lambda x, q: [x[0, 2]], bodies=["box"]))
    run = da.simulate(builder.build(), duration=0.05, dt=0.01, integrator=vi())
    force, torque = run.joint("floor").wrench_on("box")
    assert np.abs(force - (0, 0, 2.0 * G)).max() < 1e-7
    assert np.abs(torque).max() < 1e-7


def tension_error(solver: str, dt: float) -> float:
    """Largest error of the force in the pin of a swinging rod at inner instants, N.

    A rod of mass m and length l about its end, from rest at θ₀: θ̇² = 3 (g/l) (cos θ − cos θ₀). The pin's force along
    the rod is m (g cos θ + θ̇² l/2), across it m g sin θ / 4.
    """
    mass, length, start = 2.0, 1.5, 1.0
    model = ZOO["pendulum"].build(length=length, mass=mass)
    run = da.simulate(model, model.state(positions={"joint1": start}), duration=1.6, dt=dt, integrator=vi(solver))
    angle = run.joint("joint1").position
    centre = run.body("link1").position / (0.5 * length)
    square = 3.0 * G / length * (np.cos(angle) - np.cos(start))
    along = mass * (G * np.cos(angle) + 0.5 * length * square)
    across = 0.25 * mass * G * np.sin(angle)
    force = run.joint("joint1").reaction_force
    tangent = np.stack([-centre[:, 2], centre[:, 1], centre[:, 0]], axis=1)
    found_along = -(force * centre).sum(axis=1)
    found_across = np.abs((force * tangent).sum(axis=1))
    # the motion passes the bottom, where the tension is largest: m (g + v²/l) for all of the mass at its centre
    assert angle.min() < 0.0
    inner = slice(1, -1)
    return float(max(np.abs(found_along - along)[inner].max(), np.abs(found_across - np.abs(across))[inner].max()))


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_tension_of_a_pendulum_is_second_order(solver: str) -> None:
    errors = np.array([tension_error(solver, dt) for dt in (0.04, 0.02, 0.01)])
    assert errors[-1] < 5e-3
    orders = np.log2(errors[:-1] / errors[1:])
    assert np.abs(orders - 2.0).max() < 0.1


def test_at_the_bottom_a_point_mass_pulls_with_its_weight_and_its_swing() -> None:
    """m (g + v²/l), to second order."""
    model = ZOO["point_pendulum"].build()
    rod = next(name for name, joint in model.joints.items() if joint.kind.name == "Distance")
    body = next(iter(model.bodies))
    mass = model.bodies[body].mass
    errors = []
    for dt in (0.02, 0.01, 0.005):
        run = da.simulate(model, ZOO["point_pendulum"].start(model), duration=2.0, dt=dt, integrator=vi())
        r = run.body(body).position
        length = float(np.linalg.norm(r[0]))
        gravity = model.system.gravity
        tension = mass * (run.body(body).velocity ** 2).sum(axis=1) / length + mass * (r @ gravity) / length
        found = -(run.joint(rod).reaction_force * r).sum(axis=1) / length
        errors.append(np.abs(found - tension)[1:-1].max())
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.abs(orders - 2.0).max() < 0.1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_action_is_reaction(seed: int) -> None:
    """The wrenches of a joint on its bodies cancel, about any point: here the world's origin."""
    trees, loops = random_tree(n=14, seed=seed), random_loops(seed=seed)
    for model in (trees, loops):
        run = da.simulate(model, random_state(model, seed), duration=0.02, dt=0.002, integrator=vi("auto", 1e-10))
        for name, joint in model.joints.items():
            forces, torques = np.zeros((len(run), 3)), np.zeros((len(run), 3))
            largest = 0.0
            for body in dict.fromkeys(joint.bodies):
                force, torque = run.joint(name).wrench_on(body)
                arm = run.body(body).position if body != "world" else np.zeros_like(force)
                forces += force
                torques += torque + np.cross(arm, force)
                largest = max(largest, float(np.abs(force).max()), float(np.abs(torque).max()))
            assert max(np.abs(forces).max(), np.abs(torques).max()) < 1e-13 * (1.0 + 10.0 * largest)


def test_reactions_move_the_bodies() -> None:
    """m a = gravity plus the forces of the joints: accelerations from differences of the velocities, second order."""
    model = random_tree(n=8, seed=4, kinds=("Revolute", "Spherical", "Universal", "Prismatic", "Screw"))
    errors = []
    for dt in (2e-3, 1e-3, 5e-4):
        run = da.simulate(model, random_state(model, 4), duration=0.08, dt=dt, integrator=vi("auto", 1e-12))
        worst = 0.0
        for body in model.bodies.values():
            total = body.mass * np.tile(model.system.gravity, (len(run), 1))
            for name, joint in model.joints.items():
                if body.name in joint.bodies:
                    total += run.joint(name).wrench_on(body.name)[0]
            velocity = run.body(body.name).velocity
            change = body.mass * (velocity[2:] - velocity[:-2]) / (2.0 * dt)
            # the first instant's force is known to first order only
            worst = max(worst, float(np.abs(total[1:-1] - change)[2:-2].max()))
        errors.append(worst)
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.abs(orders - 2.0).max() < 0.2


def test_methods_that_know_no_reactions_say_so() -> None:
    model = ZOO["pendulum"].build()
    run = da.simulate(model, duration=0.05, dt=0.01, integrator=da.SemiImplicitEuler())
    with pytest.raises(da.ModelError, match=r'joint "joint1": SemiImplicitEuler does not tell the forces in joints'):
        _ = run.joint("joint1").reaction_force
