"""Force elements: exact derivatives, potentials, what they do to momentum, closed forms, and all integrators agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mechanics.random_elements import random_elements
from mechanics.random_systems import KINDS, Bodies, move_coordinates, random_system
from mechanics.test_reduced import Case, slope

import dalembert as da
from dalembert.mechanics.element_energy import ElementWrenches, element_potential
from dalembert.mechanics.recursive import generalised_forces
from dalembert.mechanics.recursive_tree import prepare_tree, tree_memory
from dalembert.model.force_elements import flatten_forces

IMPLICIT = [da.BDF1(), da.SDIRK2(), da.BDF2()]


def bead(mass: float = 1.0, **joint: Any) -> da.ModelBuilder:
    """A body of 1 kg on a vertical slide through the origin."""
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    builder.add_body("bead", mass=mass, inertia=(0.1, 0.1, 0.1))
    builder.add_joint("slide", da.Prismatic((0, 0, 1)), parent="world", child="bead", **joint)
    return builder


@pytest.mark.parametrize("seed", range(6))
def test_stiffness_and_damping_are_exact(seed: int) -> None:
    """In the equations of trees of all joints, against differences of sixth order: 1e-9 of the largest entry."""
    rng = np.random.default_rng(seed)
    names = rng.permutation([name for name in KINDS if name != "fixed"])[:5]
    Case(random_system(rng, names.tolist()), rng, forces=True).check_derivatives(1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_elastic_forces_are_the_slope_of_their_potential(seed: int) -> None:
    rng = np.random.default_rng(seed)
    system = random_system(rng, ["floating", "spherical", "revolute", "screw"])
    elements, case = random_elements(rng, 4, damping=0.0), Case(system, rng)

    def potential(h: float, k: int) -> np.ndarray:
        bodies = Bodies(system, move_coordinates(system, case.q, np.eye(system.n_v)[k], h))
        return element_potential(elements, bodies.position[:-1], bodies.orientation[:-1])

    bodies, tree, found = Bodies(system, case.q, case.v), tree_memory(system), np.zeros(system.n_v)
    prepare_tree(system, tree, case.v, *bodies.pose, bodies.angular_velocity)
    wrenches = ElementWrenches(elements, 4).at(*bodies.pose)
    generalised_forces(system, tree, bodies.orientation, wrenches, found)
    expected = [-float(slope(lambda h, k=k: potential(h, k))) for k in range(system.n_v)]
    assert np.abs(found - expected).max() < 1e-9 * (1.0 + np.abs(expected).max())


def test_what_a_cable_does_to_bodies_adds_up_to_nothing() -> None:
    """Force and torque about the origin, the world's share included, whatever moves."""
    rng = np.random.default_rng(7)
    system = random_system(rng, ["floating"] * 3)
    case = Case(system, rng)
    bodies = Bodies(system, case.q, case.v)
    elements = random_elements(rng, 3)
    paths = [e for e in range(elements.code.size) if elements.port_start[e + 1] - elements.port_start[e] > 1]
    for e in paths:
        first, last = elements.port_start[e], elements.port_start[e + 1]
        one = elements._replace(
            code=elements.code[e : e + 1],
            port_start=np.array([0, last - first]),
            port_body=elements.port_body[first:last],
            port_point=elements.port_point[first:last],
            number=elements.number[e : e + 1],
            vector=elements.vector[e : e + 1],
        )
        wrench = ElementWrenches(one, 3).at(*bodies.pose, *bodies.motion)
        force, torque = wrench[:, :3], np.zeros(3)
        for i in range(4):
            w, *v = bodies.orientation[i]
            t = wrench[i, 3:]
            torque += t + 2 * np.cross(v, w * t + np.cross(v, t)) + np.cross(bodies.position[i], force[i])
        assert np.abs(force.sum(axis=0)).max() < 1e-13
        assert np.abs(torque).max() < 1e-12


def pulley(stiffness: float, damping: float = 0.0) -> da.Model:
    """2 kg and 1 kg on slides, tied by a cable over two points of the world."""
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    for name, mass, x in (("heavy", 2.0, -0.5), ("light", 1.0, 0.5)):
        builder.add_body(name, mass=mass, inertia=(0.1, 0.1, 0.1), position=(x, 0, -2))
        builder.add_joint(name, da.Prismatic((0, 0, 1)), parent="world", child=name, anchor=(x, 0, -2))
    through = [("heavy", (-0.5, 0, -2)), ("world", (-0.5, 0, 0)), ("world", (0.5, 0, 0)), ("light", (0.5, 0, -2))]
    builder.add_force("cable", da.Cable(through, stiffness=stiffness, damping=damping))
    return builder.build()


@pytest.mark.parametrize("method", IMPLICIT, ids=lambda method: method.name)
def test_a_stiff_cable_is_stable_at_a_hundredth_of_a_second(method: Any) -> None:
    """Atwood's machine: g/3 down and up, and an elongation T/k = 13 µm; damping takes the vibration out."""
    run = da.simulate(pulley(1e6, 1e4), duration=0.5, dt=0.01, integrator=method)
    fall = run.joint("heavy").position[-1]
    assert abs(fall + run.joint("light").position[-1] + 13.08e-6) < 1e-8
    assert abs(run.body("heavy").velocity[-1, 2] + 9.81 / 3 * 0.5) < 1e-6
    assert abs(fall + 9.81 / 6 * 0.25) < {1: 0.01, 2: 1e-3}[method.declared_order]


def test_a_slack_cable_does_nothing_until_it_is_taut() -> None:
    builder = bead()
    builder.add_force("leash", da.Cable([("world", (0, 0, 0)), ("bead", (0, 0, 0))], stiffness=50.0, rest_length=0.5))
    run = da.simulate(builder.build(), duration=1.0, dt=1e-3, integrator=da.RungeKutta("rk4"))
    height, t = run.joint("slide").position, run.time
    slack = height > -0.5
    assert np.abs(height + 0.5 * 9.81 * t**2)[slack & (t < 0.3192)].max() < 1e-13
    # energy ½ k s² = m g (0.5 + s) at the turn
    s = (9.81 + np.sqrt(9.81**2 + 50.0 * 9.81)) / 50.0
    assert abs(height.min() + 0.5 + s) < 1e-5


def boxes(**ground: Any) -> da.ModelBuilder:
    """A cube of 2 kg, 5 mm above the ground, that moves at 1 m/s along x."""
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    builder.add_body("cube", shape=da.Box(0.2, 0.2, 0.2), mass=2.0, position=(0, 0, 0.105))
    builder.add_joint("free", da.Floating(), parent="world", child="cube")
    corners = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
    builder.add_force("ground", da.PenaltyGround("cube", corners, **ground))
    return builder


@pytest.mark.parametrize("method", [da.BDF1(), da.BDF2()], ids=lambda method: method.name)
def test_stiff_contact_is_stable_at_a_hundredth_of_a_second(method: Any) -> None:
    """It comes to rest at the depth m g/4k, having slid about v²/2μg."""
    model = boxes(stiffness=1e6, sticking=1e4, friction=0.4, dissipation=2.0).build()
    state = model.state(positions={"free": ((0, 0, 0.105), (0, 0, 0))}, velocities={"free": (1, 0, 0, 0, 0, 0)})
    run = da.simulate(model, state, duration=1.5, dt=0.01, integrator=method)
    assert abs(run.position[-1, 0, 2] - (0.1 - 2.0 * 9.81 / 4e6)) < 1e-9
    assert np.abs(run.velocity[-1]).max() < 1e-6
    assert abs(run.position[-1, 0, 0] - 1.0 / (2 * 0.4 * 9.81)) < 0.05
    assert run.energy[-1] < run.energy[0]


def test_a_ball_rebounds_as_its_dissipation_says() -> None:
    """At v (1 − ⅔ D v + O((D v)²)): the work of the dissipation over one stroke of a linear spring."""
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1))
    builder.add_joint("slide", da.Prismatic((0, 0, 1)), parent="world", child="ball")
    builder.add_force("floor", da.PenaltyGround("ball", [(0, 0, 0)], stiffness=1e4, dissipation=0.01))
    model = builder.build()
    run = da.simulate(
        model, model.state(velocities={"slide": -1.0}), duration=0.05, dt=1e-4, integrator=da.RungeKutta("rk4")
    )
    assert abs(run.joint("slide").velocity[-1] - (1.0 - 2.0 / 3.0 * 0.01)) < 1e-4


def test_a_block_on_a_slope_sticks_or_slides_as_coulomb_says() -> None:
    """Below the angle of friction it creeps by the damper alone, above it gathers speed by g (sin − μ cos)."""
    for angle, mu in ((0.3, 0.4), (0.5, 0.4)):
        normal = (-np.sin(angle), 0.0, np.cos(angle))
        builder = da.ModelBuilder(gravity=(0, 0, -9.81))
        builder.add_body("block", mass=1.0, inertia=(0.1, 0.1, 0.1))
        builder.add_joint("free", da.FixedOrientation(), parent="world", child="block")
        floor = da.PenaltyGround(
            "block", [(0, 0, 0)], stiffness=1e5, sticking=1e4, friction=mu, dissipation=1.0, normal=normal
        )
        builder.add_force("floor", floor)
        model = builder.build()
        rest = -9.81 * np.cos(angle) / 1e5
        state = model.state(positions={"free": rest * np.array(normal)})
        run = da.simulate(model, state, duration=1.0, dt=0.005, integrator=da.BDF2())
        speed = float(run.velocity[-1, 0] @ (-np.cos(angle), 0.0, -np.sin(angle)))
        slides = np.tan(angle) > mu
        expected = 9.81 * (np.sin(angle) - mu * np.cos(angle)) if slides else 9.81 * np.sin(angle) / 1e4
        assert abs(speed - expected) < (1e-2 if slides else 1e-9)


def rigged(damping: float) -> tuple[da.Model, da.State]:
    """A double pendulum with a spring through four points, a cable, a force and, with damping, drag."""
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    builder.add_body("upper", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    builder.add_body("lower", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -1.5))
    builder.add_joint("shoulder", da.Spherical(), parent="world", child="upper", anchor=(0, 0, 0))
    builder.add_joint("elbow", da.Revolute((0, 1, 0)), parent="upper", child="lower", anchor=(0, 0, -1))
    route = [("world", (1, 0.3, 0)), ("upper", (0.2, 0, -0.5)), ("upper", (0.1, 0, -0.9)), ("lower", (0, 0, -2))]
    builder.add_force("spring", da.RoutedSpring(route, stiffness=20.0, damping=damping))
    taut = [("world", (-1, 0, 0)), ("lower", (0, 0, -1.5))]
    builder.add_force("cable", da.Cable(taut, stiffness=5.0, damping=damping, rest_length=0.0))
    builder.add_force("pull", da.PointForce("lower", (0, 0, -2), (0.5, 1.0, 0.0)))
    if damping:
        builder.add_force("air", da.Drag("lower", linear=0.3, angular=(0.1, 0.1, 0.02)))
        builder.add_force("jet", da.PointForce("upper", (0, 0, -0.5), (0, 2.0, 0), follows=True))
    model = builder.build()
    return model, model.state(positions={"shoulder": (0.3, 0.5, 0.1), "elbow": 0.8}, velocities={"elbow": 1.0})


METHODS = [*IMPLICIT, da.SemiImplicitEuler(), da.RungeKutta("rk4"), da.MaximalVI(), da.MinimalVI()]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_all_integrators_find_the_same_motion(method: Any) -> None:
    damped = "damped forces" in method.supports
    model, state = rigged(0.4 if damped else 0.0)
    exact = da.simulate(model, state, duration=0.3, dt=0.3, integrator=da.RungeKutta("DOP853", rtol=1e-12, atol=1e-13))
    errors = []
    for steps in (100, 200):
        run = da.simulate(model, state, duration=0.3, dt=0.3 / steps, integrator=method, every=steps)
        errors.append(np.abs(run.position[-1] - exact.position[-1]).max())
    assert abs(np.log2(errors[0] / errors[1]) - method.declared_order) < 0.25
    assert errors[1] < {1: 2e-3, 2: 2e-5, 4: 1e-10}[method.declared_order]


def test_energy_is_accounted_for() -> None:
    """The sum stays to the tolerance of the method; with dampers it only falls."""
    tight = da.RungeKutta("DOP853", rtol=1e-11, atol=1e-12)
    model, state = rigged(0.0)
    run = da.simulate(model, state, duration=2.0, dt=0.1, integrator=tight)
    assert np.ptp(run.energy) < 1e-9
    assert abs(run.energy[0] - model.energy(state).total) < 1e-12
    builder = bead()
    builder.add_force("air", da.Drag("bead", linear=2.0))
    run = da.simulate(builder.build(), duration=1.0, dt=0.1, integrator=tight)
    speed = 9.81 / 2.0 * (1.0 - np.exp(-2.0 * run.time))
    assert np.abs(run.body("bead").velocity[:, 2] + speed).max() < 1e-9
    assert "force elements" in run.report()


def test_faults_are_named() -> None:
    builder = bead()
    builder.add_force("rope", da.Cable([("bead", (0, 0, 0)), ("bea", (0, 0, 1))], stiffness=-1.0))
    builder.add_force("short", da.RoutedSpring([("bead", (0, 0, 0))], stiffness=1.0))
    builder.add_force("wind", da.Drag("bead", linear=(1, 2)))
    builder.add_force("floor", da.PenaltyGround("bead", [], stiffness=1.0, normal=(0, 0, 2)))
    builder.add_force("class", da.Cable)  # pyright: ignore[reportArgumentType]
    with pytest.raises(da.ModelError) as caught:
        builder.build()
    for part in (
        'did you mean "bead"',
        "stiffness",
        "two or more points",
        '"wind", linear',
        "one or more points",
        "called",
    ):
        assert part in str(caught.value)


def test_an_integrator_that_cannot_damp_says_so() -> None:
    model, state = rigged(0.4)
    with pytest.raises(da.ModelError, match=r'force "air", which depends on velocities.*use BDF1'):
        da.simulate(model, state, duration=0.1, dt=0.01, integrator=da.MaximalVI())


def test_forces_survive_a_file(tmp_path: Any) -> None:
    model, state = rigged(0.4)
    da.save_model(model, tmp_path / "rigged.json")
    again = da.load(tmp_path / "rigged.json")
    assert all((a == b).all() for a, b in zip(model.elements, again.elements, strict=True))
    assert again.energy(state).total == model.energy(state).total
    assert flatten_forces((), {}).code.size == 0


STIFF, LIMP = 30.0, 1.0
"""N/m³ and N s/m of `hardening`."""


def hardening(length: float, rate: float) -> tuple[float, float, float]:
    """A tension that grows with the cube of the stretch, and a damper that is stiffer the longer it is."""
    stretch = length - 0.5
    return STIFF * stretch**3 + LIMP * length * rate, 3.0 * STIFF * stretch**2 + LIMP * rate, LIMP * length


def tied(law: Any, through: list[Any]) -> da.Model:
    b = da.ModelBuilder()
    b.add_body("a", mass=1.0, inertia=(0.1, 0.2, 0.3), position=(0.0, 0, -0.5))
    b.add_body("b", mass=2.0, inertia=(0.3, 0.1, 0.2), position=(0.0, 0, -1.5))
    b.add_joint("ball", da.Spherical(), parent="world", child="a", anchor=(0, 0, 0))
    b.add_joint("pin", da.Universal(((1, 0, 0), (0, 1, 0))), parent="a", child="b", anchor=(0, 0, -1))
    b.add_force("tie", law(through))
    return b.build()


PATH = [("world", (1.0, 0.2, 0.0)), ("a", (0.1, 0.1, -0.7)), ("b", (0.3, 0.0, -1.8))]


@pytest.mark.parametrize(
    "method", [da.BDF1(), da.BDF2(), da.SDIRK2(), da.StaggeredEuler(), da.LinearlyImplicitEuler()], ids=lambda m: m.name
)
def test_a_law_that_is_linear_is_a_routed_spring(method: Any) -> None:
    """[Sueda 2021] section 1.9.8 with the law of 1.9.9: the same steps to Newton's tolerance."""

    def linear(length: float, rate: float) -> tuple[float, float, float]:
        return 200.0 * (length - 0.9) + 3.0 * rate, 200.0, 3.0

    ends = []
    for law in (
        lambda path: da.GenericSpring(path, linear),
        lambda path: da.RoutedSpring(path, 200.0, 3.0, rest_length=0.9),
    ):
        run = da.simulate(tied(law, PATH), duration=0.3, dt=0.01, integrator=method)
        ends.append(run.position[-1])
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-10)


def test_a_law_that_bends_converges_to_one_motion() -> None:
    """BDF2 with second order and `StaggeredEuler` with first towards the same end; Newton's method is quadratic."""
    model = tied(lambda path: da.GenericSpring(path, hardening), PATH)
    fine = [da.simulate(model, duration=0.3, dt=h, integrator=da.BDF2()).position[-1] for h in (2e-3, 1e-3, 5e-4)]
    ratio = np.abs(fine[0] - fine[1]).max() / np.abs(fine[1] - fine[2]).max()
    assert 3.8 < ratio < 4.4
    exact = (4.0 * fine[2] - fine[1]) / 3.0
    coarse = [da.simulate(model, duration=0.3, dt=h, integrator=da.StaggeredEuler()).position[-1] for h in (2e-3, 1e-3)]
    assert np.abs(2.0 * coarse[1] - coarse[0] - exact).max() < 3e-5
    run = da.simulate(model, duration=0.3, dt=0.01, integrator=da.BDF2())
    assert run.iterations.max() <= 8


def test_a_law_acts_in_forward_dynamics() -> None:
    """A bead that falls along a line, held by a law: m z̈ = −m g − T(L, L̇)."""
    b = da.ModelBuilder()
    b.add_body("bead", mass=2.0, inertia=(1.0, 1.0, 1.0), position=(0, 0, 1.0))
    b.add_joint("rail", da.Prismatic((0, 0, 1)), parent="world", child="bead", anchor=(0, 0, 1.0))
    b.add_force("tie", da.GenericSpring([("world", (0, 0, 0)), ("bead", (0, 0, 1.0))], hardening))
    model = b.build()
    found = model.forward_dynamics(model.state(velocities={"rail": 0.7}))
    assert abs(found.accelerations[0] + 9.81 + hardening(1.0, 0.7)[0] / 2.0) < 1e-12
    with pytest.raises(da.ModelError, match="does not support spring laws"):
        da.simulate(model, duration=0.1, dt=0.01, integrator=da.MaximalVI())
