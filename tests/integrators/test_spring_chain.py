"""Chains of point masses and springs: forces and masses of the text, statics, waves, momentum, stiffness, order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.mechanics.acceleration import accelerations
from dalembert.mechanics.acceleration_equations import make_equations

MASS, STIFFNESS, NODES = 2.0, 400.0, 6


def hung() -> da.Model:
    """From the world down to nothing."""
    builder = da.ModelBuilder()
    points = [(0.0, 0.0, -0.2 * i) for i in range(NODES)]
    da.add_spring_chain(builder, "rope", points, mass=MASS, stiffness=STIFFNESS, damping=20.0, attached={0: "world"})
    return builder.build()


def swing(gravity: float = 9.81, **options: Any) -> da.Model:
    """A bar on a ball joint and a free box, with a rope of six nodes from one to the other and its third node free."""
    builder = da.ModelBuilder(gravity=(0.0, 0.0, -gravity))
    builder.add_body("bar", mass=1.0, inertia=(0.1, 0.1, 0.02), position=(0.0, 0.0, -0.5))
    builder.add_body("box", mass=0.7, inertia=(0.02, 0.03, 0.04), position=(1.0, 0.0, -1.2))
    if gravity:
        builder.add_joint("ball", da.Spherical(), parent="world", child="bar", anchor=(0, 0, 0))
    else:
        builder.add_joint("ball", da.Floating(), parent="world", child="bar")
    builder.add_joint("free", da.Floating(), parent="world", child="box")
    points = np.linspace((0.0, 0.0, -1.0), (1.0, 0.1, -1.1), NODES)
    da.add_spring_chain(
        builder, "rope", points, mass=0.3, attached={0: "bar", -1: "box"}, **({"stiffness": 60.0} | options)
    )
    return builder.build()


def started(model: da.Model) -> da.State:
    return model.state(velocities={"rope.2": (0.3, 1.0, 0.5), "free": (0.5, 0.2, 0.1, 1.0, 2.0, 0.5)})


def test_accelerations_are_those_of_the_text() -> None:
    """Free nodes: m a = m g + forces K ε/L Δx/l of their two springs, eq. (2.91)–(2.93), with K = EA L."""
    model = swing()
    system, rng = model.system, np.random.default_rng(1)
    state = model.state(positions={f"rope.{i}": rng.normal(size=3) * 0.05 for i in range(1, 5)})
    found, equations = np.zeros(system.n_v), make_equations(system)
    q, v = state.coordinates[: system.n_q].copy(), np.zeros(system.n_v)
    nothing = np.zeros(int(system.n_rates.sum()))
    accelerations(system, equations, q, v, nothing, np.zeros((model.n_bodies + 1, 6)), (0.0, 0.0), found)
    place = {name: state.position[body.index] for name, body in model.bodies.items()}
    rest = float(np.linalg.norm((1.0, 0.1, -0.1))) / (NODES - 1)
    for i in range(1, 5):
        force = np.array([0.0, 0.0, -9.81]) * 0.3 / (NODES - 1)
        for other in (i - 1, i + 1):
            gap = place[f"rope.{other}"] - place[f"rope.{i}"]
            length = np.linalg.norm(gap)
            force += 60.0 * rest * (length - rest) / rest / rest * gap / length
        rates = model.joints[f"rope.{i}"].rates
        assert np.abs(found[rates] - force / (0.3 / (NODES - 1))).max() < 1e-10
    assert abs(model.energy(state).potential - _potential(place, rest)) < 1e-12


def _potential(place: dict[str, np.ndarray], rest: float) -> float:
    total = 9.81 * (place["bar"][2] + 0.7 * place["box"][2])
    for i in range(NODES):
        total += 9.81 * place[f"rope.{i}"][2] * 0.3 / (NODES - 1) * (0.5 if i in (0, NODES - 1) else 1.0)
    for i in range(NODES - 1):
        strain = np.linalg.norm(place[f"rope.{i + 1}"] - place[f"rope.{i}"]) / rest - 1.0
        total += 0.5 * 60.0 * rest * strain**2
    return float(total)


@pytest.mark.parametrize("method", [da.BDF1(), da.BDF2()], ids=lambda method: method.name)
def test_a_rope_hangs_as_far_as_its_weight_stretches_it(method: Any) -> None:
    """At rest every segment is longer by L/EA times the weight below it: to 1e-9 m after 60 s of damping."""
    model = hung()
    run = da.simulate(model, duration=60.0, dt=0.1, integrator=method)
    below = 9.81 * MASS / (NODES - 1) * (np.arange(NODES - 1, 0, -1) - 0.5)
    depth = np.cumsum(0.2 * (1.0 + below / STIFFNESS))
    heights = np.array([run.body(f"rope.{i}").position[-1, 2] for i in range(1, NODES)])
    assert np.abs(heights + depth).max() < 1e-9


def test_waves_run_at_the_speed_of_the_stretched_string() -> None:
    """The lowest transverse mode of a fixed string of n segments: ω = 2 √(T/(m L)) sin(π/2n), T = EA ε."""
    n, strain = 8, 0.1
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    points = np.linspace((0.0, 0, 0), (1.0, 0, 0), n + 1)
    da.add_spring_chain(
        builder, "string", points, mass=0.8, stiffness=50.0, attached={0: "world", -1: "world"}, rest_length=1 / 1.1
    )
    model = builder.build()
    shape = np.sin(np.pi * np.arange(1, n) / n)
    state = model.state(positions={f"string.{i}": (0, 0, 1e-5 * shape[i - 1]) for i in range(1, n)})
    omega = 2.0 * np.sqrt(50.0 * strain / (0.8 / n * 1.0 / n)) * np.sin(np.pi / (2 * n))
    run = da.simulate(model, state, duration=2.0 * np.pi / omega, dt=2.0 * np.pi / omega / 400, integrator=da.BDF2())
    middle = run.joint(f"string.{n // 2}").position[:, 2]
    # BDF2 damps and delays by (ω h)³ and (ω h)² of a turn
    assert np.abs(middle - 1e-5 * np.cos(omega * run.time)).max() < 1e-5 * 1e-3


def test_momentum_is_kept_by_a_chain_between_free_bodies() -> None:
    """In maximal coordinates, with damping in the chain: linear and angular, to rounding."""
    model = swing(gravity=0.0, damping=0.2)
    run = da.simulate(model, started(model), duration=1.0, dt=0.01, integrator=da.MaximalVI())
    assert np.abs(run.linear_momentum - run.linear_momentum[0]).max() < 1e-10
    assert np.abs(run.angular_momentum - run.angular_momentum[0]).max() < 1e-9


@pytest.mark.parametrize("method", [da.BDF1(), da.BDF2()], ids=lambda method: method.name)
def test_order(method: Any) -> None:
    """Against the continuous equations of the same chain, bodies and attached nodes."""
    model = swing(damping=0.5)
    state = started(model)

    def end(integrator: Any, count: int) -> np.ndarray:
        run = da.simulate(model, state, duration=0.2, dt=0.2 / count, integrator=integrator, every=count)
        return np.hstack([run.position[-1], run.velocity[-1], run.angular_velocity[-1]])

    exact = end(da.RungeKutta("DOP853", rtol=1e-11, atol=1e-12), 1)
    steps = {1: 200, 2: 100}[method.declared_order]
    errors = [float(np.abs(end(method, n) - exact).max()) for n in (steps, 2 * steps)]
    assert abs(np.log2(errors[0] / errors[1]) - method.declared_order) < 0.1


def test_a_chain_that_is_nearly_rigid_takes_large_steps() -> None:
    """EA of 1e6 N: its fastest wave has 2 √(k/m) = 1.8e4 rad/s, 180 times what dt = 0.01 resolves; BDF2 keeps its
    length."""
    model = swing(stiffness=1e6)
    run = da.simulate(model, started(model), duration=1.0, dt=0.01, integrator=da.BDF2())
    nodes = np.stack([run.body(f"rope.{i}").position for i in range(NODES)])
    lengths = np.linalg.norm(np.diff(nodes, axis=0), axis=2)
    assert np.abs(lengths / lengths[:, :1] - 1.0).max() < 2e-4
    assert run.energy[-1] <= run.energy[0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mass": 0.0}, "mass: expected a positive mass"),
        ({"stiffness": -1.0}, "stiffness: expected a positive EA"),
        ({"damping": -1.0}, "damping: expected a number from 0"),
        ({"rest_length": 0.0}, "rest_length: expected a positive length"),
        ({"points": [(0, 0, 0)]}, "points: expected two or more points"),
        ({"points": [(0, 0, 0), (0, 0, 0)]}, "neighbours that are apart"),
        ({"attached": {2: "world"}}, "attached: expected numbers of its 2 nodes, found 2"),
    ],
)
def test_faults_are_named(options: Any, words: str) -> None:
    sound = {"points": [(0, 0, 0), (0, 0, 1)], "mass": 1.0, "stiffness": 1.0}
    with pytest.raises(da.ModelError, match=words):
        da.add_spring_chain(da.ModelBuilder(), "rope", **(sound | options))
