"""BDF1, SDIRK2 and BDF2: orders, published energies, loops, stiffness, momentum, resumed runs, failures, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.mechanics.violations import violations
from dalembert.zoo.redmax_scenes import REDMAX_SCENES, redmax_scene

METHODS = [da.BDF1(), da.SDIRK2(), da.BDF2()]
TIGHT = da.RungeKutta("DOP853", rtol=1e-12, atol=1e-13)


def ids(value: Any) -> str:
    return getattr(value, "name", None) or str(value)


def limit_energy(run: da.Trajectory, options: dict[str, float]) -> float:
    """What the springs of limits store at the end; `run.energy` knows springs of the model only."""
    total = 0.0
    for name, joint in run.model.joints.items():
        if np.isfinite(joint.limits).any():
            lower, upper = joint.limits[joint.components[0]]
            value = float(run.joint(name).position[-1])
            beyond = max(value - upper, 0.0) + min(value - lower, 0.0)
            total += 0.5 * options["limit_stiffness"] * beyond**2
    return total


@pytest.mark.parametrize("number", REDMAX_SCENES)
def test_published_energies(number: int) -> None:
    """[Sueda 2021]: kinetic plus potential energy at the end, published to 1e-2 absolute, here to 1e-6 relative.

    The numbers of a free rotation are those of Euler angles x, y, z: bodies of 1e-9 between them weigh that much.
    """
    scene = redmax_scene(number)
    for method, published in zip((da.BDF1, da.BDF2), scene.energies, strict=True):
        if published is None:
            continue
        run = da.simulate(
            scene.model, scene.state, duration=scene.duration, dt=scene.dt, integrator=method(**scene.options)
        )
        found = run.energy[-1] - run.potential[0] + (limit_energy(run, scene.options) if scene.options else 0.0)
        assert abs(found - published) < 1e-6 * abs(published)


def mixed() -> tuple[da.Model, da.State]:
    """Rotations about points, springs, dampers, armature, branches."""
    model = zoo.pendulum(2, da.Spherical(), stiffness=3.0, damping=0.2, armature=0.1)
    return model, model.state(
        positions={"joint1": (0.9, 0.3, 0.2), "joint2": (0.4, -0.7, 0.1)},
        velocities={"joint1": (0.5, 1.5, -1.0), "joint2": (-1.0, 1.0, 2.0)},
    )


def closed() -> tuple[da.Model, da.State]:
    """Loops with redundant rows."""
    model = zoo.four_bar_chain()
    return model, model.state()


def tree() -> tuple[da.Model, da.State]:
    """Every joint that has coordinates, some declared inwards."""
    model = zoo.random_tree(8, 2, floating_base=True, damping=0.1, stiffness=2.0)
    return model, zoo.random_state(model, 2)


@pytest.mark.parametrize("make", [mixed, closed, tree], ids=lambda make: make.__name__)
@pytest.mark.parametrize("method", METHODS, ids=ids)
def test_order(method: Any, make: Any) -> None:
    model, state = make()
    steps = {1: 400, 2: 200}[method.declared_order]

    def end(integrator: Any, count: int) -> np.ndarray:
        run = da.simulate(model, state, duration=0.2, dt=0.2 / count, integrator=integrator, every=count)
        return np.hstack([run.position[-1], run.velocity[-1], run.angular_velocity[-1]])

    exact = end(TIGHT, 1)
    errors = [float(np.abs(end(method, n) - exact).max()) for n in (steps, 2 * steps)]
    assert errors[1] > 1e-9  # tolerances would hide the order
    assert abs(np.log2(errors[0] / errors[1]) - method.declared_order) < 0.1


@pytest.mark.parametrize("method", METHODS, ids=ids)
@pytest.mark.parametrize("name", ["three_link_loop", "bricard", "slider_crank", "n_four_bar"])
def test_loops_stay_closed(method: Any, name: str) -> None:
    """To 1e-10 m at every step, redundant rows and singular positions included."""
    mechanism = zoo.ZOO[name]
    model = mechanism.build()
    run = da.simulate(model, mechanism.start(model), duration=0.5, dt=0.005, integrator=method)
    assert run.constraint_error.max() < 1e-10
    assert violations(model, run.final_state)[0] < 1e-10
    assert run.energy.max() - run.energy[0] < 0.02 * np.ptp(run.kinetic)


def test_a_closed_four_bar_is_that_of_the_maximal_integrator() -> None:
    """Both of second order: their difference falls by four when the step is halved."""
    model = zoo.slider_crank()
    state = model.state()
    gaps = []
    for steps in (200, 400):
        runs = [
            da.simulate(model, state, duration=0.4, dt=0.4 / steps, integrator=one, every=steps)
            for one in (da.BDF2(), da.MaximalVI())
        ]
        gaps.append(np.abs(runs[0].position[-1] - runs[1].position[-1]).max())
    assert gaps[1] < 1e-3
    assert abs(np.log2(gaps[0] / gaps[1]) - 2.0) < 0.2


def test_stiff_springs_do_not_limit_the_step() -> None:
    """Springs of 8e5 N/m and dampers of 4e4 N s/m at dt = 0.01: the published height of the governor to 1 mm."""
    model = zoo.flyball_governor()
    state = zoo.flyball_governor_start(model)
    run = da.simulate(model, state, duration=1.0, dt=0.01, integrator=da.BDF2())
    height = 0.5 + run.joint("slide").position
    assert abs(height[50] - 0.7432494248) < 1e-3
    assert abs(height[100] - 0.5014209224) < 1e-3


def test_a_ball_joint_swings_through_every_orientation() -> None:
    """A spinning, tumbling rod over many turns: no chart is left and nothing jumps; turns per step stay below 0.2."""
    model = zoo.pendulum(1, da.Spherical(), gravity=2.0)
    joint = next(iter(model.joints))
    state = model.state(positions={joint: (0.4, 2.0, 0.3)}, velocities={joint: (6.0, 9.0, 5.0)})
    run = da.simulate(model, state, duration=20.0, dt=0.01, integrator=da.SDIRK2())
    p = run.joint(joint).position
    assert np.abs(np.linalg.norm(p, axis=1) - 1.0).max() < 1e-14
    assert np.arccos(np.clip((p[1:] * p[:-1]).sum(axis=1), -1.0, 1.0)).max() < 0.1
    assert (p.min(axis=0) < -0.5).all() and (p.max(axis=0) > 0.5).all()


def test_limits_stop_a_pendulum() -> None:
    """At rest against its limit it stands where spring and weight agree."""
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    builder.add_body("rod", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0.5, 0, 0))
    hinge = da.Revolute(axis=(0, 1, 0))
    builder.add_joint("hinge", hinge, parent="world", child="rod", anchor=(0, 0, 0), limits=(-0.5, 0.3))
    run = da.simulate(
        builder.build(), duration=5.0, dt=0.01, integrator=da.BDF1(limit_stiffness=100.0, limit_damping=20.0)
    )
    angle = float(run.joint("hinge").position[-1])
    assert angle > 0.3
    assert abs(100.0 * (angle - 0.3) - 9.81 * 0.5 * np.cos(angle)) < 1e-9


@pytest.mark.parametrize("method", METHODS, ids=ids)
def test_the_same_bits_twice_and_when_resumed(method: Any) -> None:
    model, state = closed()
    whole = da.simulate(model, state, duration=0.4, dt=0.01, integrator=method)
    again = da.simulate(model, state, duration=0.4, dt=0.01, integrator=method)
    first = da.simulate(model, state, duration=0.2, dt=0.01, integrator=method)
    second = da.simulate(model, first.final_state, duration=0.2, dt=0.01, integrator=method)
    assert (whole.position == again.position).all()
    assert (whole.position[20:] == second.position).all()
    assert (whole.angular_velocity[20:] == second.angular_velocity).all()


@pytest.mark.parametrize("method", METHODS, ids=ids)
def test_drives_and_wrenches_act(method: Any) -> None:
    """A wheel with armature under a constant torque, and a force on a free body: velocities exact in every method."""
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("wheel", mass=2.0, inertia=(0.2, 0.2, 0.3), position=(0, 0, 0))
    builder.add_body("free", mass=2.0, inertia=(0.2, 0.2, 0.3), position=(3, 0, 0))
    axle = da.Revolute(axis=(0, 0, 1))
    builder.add_joint("axle", axle, parent="world", child="wheel", anchor=(0, 0, 0), armature=0.2)
    builder.add_joint("none", da.Floating(), parent="world", child="free")
    run = da.simulate(
        builder.build(),
        duration=2.0,
        dt=0.1,
        integrator=method,
        controller=lambda time, state: {"axle": 1.5},
        wrenches={"free": ((0, 4.0, 0), (0, 0, 0.6))},
    )
    assert np.abs(run.joint("axle").velocity - 3.0 * run.time).max() < 1e-12
    assert np.abs(run.body("free").velocity[:, 1] - 2.0 * run.time).max() < 1e-12
    assert np.abs(run.body("free").angular_velocity[:, 2] - 2.0 * run.time).max() < 1e-12


def test_a_step_without_solution_says_so() -> None:
    """One iteration is not enough for a swinging pendulum."""
    model = zoo.double_pendulum()
    state = model.state(positions={"joint1": 2.0}, velocities={"joint2": 5.0})
    with pytest.raises(da.SimulationError, match="did not converge in 1 iterations") as caught:
        da.simulate(model, state, duration=1.0, dt=0.1, integrator=da.BDF2(max_iterations=1))
    assert "joint" in str(caught.value.worst)
    assert caught.value.step == 1


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: da.BDF1(tol=0.0), "BDF1, tol"),
        (lambda: da.BDF2(tol=float("nan")), "BDF2, tol"),
        (lambda: da.SDIRK2(max_iterations=0), "max_iterations"),
        (lambda: da.BDF1(limit_stiffness=-1.0), "limit_stiffness"),
        (lambda: da.BDF1(limit_damping=float("inf")), "limit_damping"),
    ],
)
def test_meaningless_options_are_refused(make: Any, words: str) -> None:
    with pytest.raises(da.ModelError, match=words):
        make()


def test_armature_on_a_closing_joint_is_refused() -> None:
    builder = da.ModelBuilder()
    for i, x in enumerate((0.0, 1.0)):
        builder.add_body(f"body{i}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(x, 0, 0))
        builder.add_joint(f"hinge{i}", da.Revolute(), parent="world", child=f"body{i}", anchor=(x, 0, 0))
    builder.add_joint("gap", da.Planar(), parent="body0", child="body1", anchor=(0.5, 0, 0), armature=0.1)
    with pytest.raises(da.ModelError, match='joint "gap" closes a loop and has armature'):
        da.simulate(builder.build(), duration=0.1, dt=0.1, integrator=da.BDF1())
