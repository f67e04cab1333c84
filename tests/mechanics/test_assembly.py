"""Assembly from rough starts: every loop of the zoo, against dense linear algebra."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from naive.dense_constraints import constraint_rows, mass_matrix, projected, rank

import dalembert as da
from dalembert.mechanics.assembly import assemble
from dalembert.mechanics.violations import violations
from dalembert.zoo import ZOO
from dalembert.zoo.random_mechanisms import random_loops, random_state

CLOSED = (
    *("pinned_chain", "three_link_loop", "four_bar_chain", "n_four_bar", "double_four_bar", "ladder"),
    *("andrews_squeezer", "bricard", "flyball_governor", "slider_crank", "minitaur_leg", "minitaur", "random_loops"),
)
TREES = ("double_pendulum", "spinning_top", "point_pendulum", "random_tree", "tumbling_box")


def shaken(model: da.Model, start: da.State, spread: float, seed: int) -> da.State:
    """Every body moved and turned by up to ``spread``, as a part of its size and in radians, with random velocities."""
    rng, n = np.random.default_rng(seed), model.n_bodies
    size = min(1.0, float(np.ptp(start.position, axis=0).max()) / n + 0.1)
    turn = start.orientation + 0.5 * spread * rng.uniform(-1.0, 1.0, (n, 4))
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    position = start.position + spread * size * rng.uniform(-1.0, 1.0, (n, 3))
    return model.state_from_bodies(position, turn, rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), near=start)


def velocities(state: da.State) -> np.ndarray:
    return np.hstack([state.velocity, state.angular_velocity])


@pytest.mark.parametrize("spread", [0.1, 0.3])
@pytest.mark.parametrize("name", [*CLOSED, *TREES])
def test_rough_starts_of_the_zoo(name: str, spread: float) -> None:
    model = ZOO[name].build()
    reference = ZOO[name].start(model)
    for seed in range(3):
        rough = shaken(model, reference, spread, seed)
        found = model.assemble(rough)
        values, jacobian = constraint_rows(model, found.state)
        assert found.residual <= 1e-12
        # the poses of the state are those that were judged
        assert np.abs(values).max(initial=0.0) <= 1e-12
        independent = rank(jacobian)
        assert (found.dof, found.redundant) == (6 * model.n_bodies - independent, len(values) - independent)
        moved = replace(rough, position=found.state.position, orientation=found.state.orientation)
        nearest = projected(model, moved, jacobian, np.zeros(len(values)))
        # thin bodies make the masses' metric uneven, and the dense answer itself good to ten digits only
        assert np.abs(velocities(found.state) - nearest).max() < 1e-12 * (1.0 + 10.0 * np.abs(nearest).max())
        assert np.abs(jacobian @ velocities(found.state).ravel()).max(initial=0.0) < 1e-12 * (1 + np.abs(nearest).max())
        assert np.abs(found.state.position - rough.position).max() < 4.0 * spread
        gap, _, slip, _ = violations(model, found.state)
        assert gap == pytest.approx(found.residual, abs=1e-15)
        assert slip < 1e-12 * (1.0 + np.abs(nearest).max())


@pytest.mark.parametrize("seed", range(12))
def test_random_loops_of_all_kinds(seed: int) -> None:
    model = random_loops(n=8, loops=3, seed=seed)
    found = model.assemble(random_state(model, seed))
    values, jacobian = constraint_rows(model, found.state)
    independent = rank(jacobian)
    assert (found.dof, found.redundant) == (6 * model.n_bodies - independent, len(values) - independent)


def test_the_least_motion_in_the_metric_of_the_masses() -> None:
    """Near the constraints the poses move by M⁻¹ Gᵀ λ alone: nothing along the free directions, to second order."""
    model = ZOO["bricard"].build()
    reference = model.state()
    shares = []
    for spread in (1e-2, 1e-3):
        rough = shaken(model, reference, spread, 5)
        found = model.assemble(rough).state
        shift = found.position - rough.position
        w, v = rough.orientation[:, :1], rough.orientation[:, 1:]
        # the vector part of q⁻¹ q⁺, twice: the turn in body axes, to second order
        turn = 2.0 * (
            w * found.orientation[:, 1:] - found.orientation[:, :1] * v - np.cross(v, found.orientation[:, 1:])
        )
        step = np.hstack([shift, turn]).ravel()
        _, jacobian = constraint_rows(model, rough)
        free = np.linalg.svd(jacobian)[2][rank(jacobian, 1e-3) :]
        shares.append(np.abs(free @ mass_matrix(model) @ step).max() / np.abs(mass_matrix(model) @ step).max())
    assert shares[0] < 0.2
    assert shares[1] < 0.15 * shares[0]


def four_bar(lengths: Sequence[float] = (1.0, 2.0, 1.5, 2.0)) -> da.Model:
    """Ground, crank, coupler and rocker in the xz plane, hinges about y; crank upright at the reference."""
    ground, crank, coupler, rocker = lengths
    pins = [np.zeros(3), np.array([0.0, 0.0, crank]), np.zeros(3), np.array([ground, 0.0, 0.0])]
    across = pins[3] - pins[1]
    d = float(np.linalg.norm(across))
    along = (coupler**2 - rocker**2 + d**2) / (2.0 * d)
    height = float(np.sqrt(coupler**2 - along**2))
    normal = np.array([-across[2], 0.0, across[0]]) / d
    pins[2] = pins[1] + along * across / d + height * normal
    builder = da.ModelBuilder()
    chain = ["world", "crank", "coupler", "rocker", "world"]
    for k, name in enumerate(chain[1:4]):
        builder.add_body(name, mass=1 + k, inertia=(0.1, 0.1, 0.05), position=0.5 * (pins[k] + pins[k + 1]))
    for k in range(4):
        hinge = da.Revolute(axis=(0, 1, 0))
        builder.add_joint(f"pin{k}", hinge, parent=chain[k], child=chain[k + 1], anchor=pins[k])
    return builder.build()


def test_a_four_bar_of_spatial_hinges_has_three_redundant_rows_and_a_bricard_one() -> None:
    found = four_bar().assemble()
    assert (found.dof, found.redundant) == (1, 3)
    found = ZOO["bricard"].build().assemble()
    assert (found.dof, found.redundant) == (1, 1)


def test_joints_that_are_held_keep_their_values() -> None:
    """The crank of a four-bar is put at many angles; the others follow the closed formula."""
    model = four_bar((2.0, 0.5, 2.0, 1.5))
    state = model.state()
    for angle in np.linspace(0.0, 2.0 * np.pi, 25):
        guess = model.state_from_bodies(state.position, state.orientation, near=state)
        wanted = model.state(positions={"pin0": angle}, velocities={"pin0": 3.0})
        coordinates = guess.coordinates.copy()
        coordinates[model.joints["pin0"].coordinates] = angle
        rates = wanted.rates.copy()
        found = model.assemble(replace(guess, coordinates=coordinates, rates=rates), hold=["pin0"])
        state = found.state
        assert abs(state.coordinates[model.joints["pin0"].coordinates][0] - angle) < 1e-12
        assert abs(state.rates[model.joints["pin0"].rates][0] - 3.0) < 1e-11
        assert (found.dof, found.redundant) == (1, 3)
        # the far end of the rocker, seen from its pin through its middle, is a coupler's length from the crank's tip
        tip, pin = 0.5 * np.array([np.sin(angle), 0.0, np.cos(angle)]), np.array([2.0, 0.0, 0.0])
        far = 2.0 * state.position[2] - pin
        assert abs(np.linalg.norm(far - pin) - 1.5) < 1e-11
        assert abs(np.linalg.norm(far - tip) - 2.0) < 1e-11
        values, jacobian = constraint_rows(model, state)
        assert np.abs(values).max() < 1e-12
        assert np.abs(jacobian @ velocities(state).ravel()).max() < 1e-11


@pytest.mark.parametrize("kind", [da.Spherical(), da.Universal(), da.Cylindrical(axis=(0, 0, 1)), da.Floating()])
def test_joints_of_every_sort_can_be_held(kind: da.Spherical) -> None:
    """A pair of bodies in a loop with two rods; the joint between them keeps where it is and how it moves."""
    builder = da.ModelBuilder()
    builder.add_body("base", mass=1.0, inertia=(1, 1, 1))
    builder.add_body("arm", mass=1.0, inertia=(1, 2, 2), position=(1, 0, 0))
    builder.add_joint("free", da.Floating(), parent="world", child="base")
    builder.add_joint("held", kind, parent="base", child="arm", anchor=(0.5, 0, 0))
    builder.add_joint("rod1", da.Distance(), parent="world", child="arm", anchor=((1, 1, 1), (1.4, 0, 0)))
    builder.add_joint("rod2", da.Distance(), parent="world", child="base", anchor=((0, -1, 1), (-0.3, 0, 0)))
    model = builder.build()
    rough = shaken(model, model.state(), 0.1, 3)
    held = model.joints["held"]
    # what a joint is held at must fit its own constraints: the rods alone are open
    fitting = model.assemble(rough)
    moved = fitting.state.position + (0.1, -0.05, 0.07)
    rough = model.state_from_bodies(
        moved, fitting.state.orientation, fitting.state.velocity + (1, 2, 3), fitting.state.angular_velocity
    )
    found = model.assemble(rough, hold="held")
    assert found.residual <= 1e-12
    # of a free rotation the turn that is left is second order in what the solver leaves of it
    assert np.abs(found.state.coordinates[held.coordinates] - rough.coordinates[held.coordinates]).max() < 1e-11
    assert np.abs(found.state.rates[held.rates] - rough.rates[held.rates]).max() < 1e-11
    assert np.abs(found.state.position - rough.position).max() > 1e-3


def test_a_constraint_of_the_user_a_rod_and_a_gear() -> None:
    """A bead on a paraboloid by the user's function, a second one on a rod from it, and two geared wheels."""
    builder = da.ModelBuilder()
    builder.add_body("bead", mass=1.0, inertia=(1, 1, 1), position=(0.5, 0, 0.25))
    builder.add_body("hung", mass=2.0, inertia=(1, 1, 1), position=(0.5, 0, -0.75))
    paraboloid = da.CustomConstraint(lambda x, q: [x[0, 2] - x[0, 0] ** 2 - x[0, 1] ** 2], bodies=["bead"])
    builder.add_joint("bowl", paraboloid)
    builder.add_joint("rod", da.Distance(), parent="bead", child="hung", anchor=((0.5, 0, 0.25), (0.5, 0, -0.75)))
    for k, name in enumerate(("small", "large")):
        builder.add_body(name, mass=1.0, inertia=(1, 1, 1), position=(k, 0, 0))
        builder.add_joint(f"axle{k}", da.Revolute(axis=(0, 0, 1)), parent="world", child=name, anchor=(k, 0, 0))
    builder.add_joint("gear", da.Gear(ratio=-3.0), parent="axle0", child="axle1")
    model = builder.build()
    found = model.assemble(shaken(model, model.state(), 0.3, 8))
    # 24 − 2 · 5 − 3: bowl, rod and gear take one each
    assert (found.dof, found.redundant) == (11, 0)
    bead, hung = found.state.position[:2]
    assert abs(bead[2] - bead[0] ** 2 - bead[1] ** 2) < 1e-12
    assert abs(np.linalg.norm(hung - bead) - 1.0) < 1e-12
    angles = [found.state.coordinates[model.joints[f"axle{k}"].coordinates][0] for k in range(2)]
    rates = [found.state.rates[model.joints[f"axle{k}"].rates][0] for k in range(2)]
    assert abs(angles[0] - 3.0 * angles[1]) < 1e-12
    assert abs(rates[0] - 3.0 * rates[1]) < 1e-12


def test_lengths_that_cannot_meet() -> None:
    """Two rods of one metre to a bead from points that are then pulled three metres apart."""
    builder = da.ModelBuilder()
    builder.add_body("cart", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0))
    builder.add_body("bead", mass=1.0, inertia=(1, 1, 1), position=(0.5, 0, 0.8))
    builder.add_joint("rail", da.Prismatic(axis=(1, 0, 0)), parent="world", child="cart", anchor=(1, 0, 0))
    builder.add_joint("left", da.Distance(1.0), parent="world", child="bead", anchor=((0, 0, 0), (0.6, 0, 0.8)))
    builder.add_joint("right", da.Distance(1.0), parent="cart", child="bead", anchor=((1.2, 0, 0), (0.6, 0, 0.8)))
    model = builder.build()
    apart = model.state(positions={"rail": 1.8})
    with pytest.raises(da.AssemblyError, match=r"while rail keep their values; hold fewer joints") as caught:
        model.assemble(apart, hold=("rail",))
    assert caught.value.worst in ("left", "right", "rail")
    assert caught.value.residual is not None
    # three metres to bridge with two: at best half a metre is missing at each, or more where masses resist
    assert 0.3 < caught.value.residual < 1.2
    # left free, the rail gives way
    found = model.assemble(apart)
    assert found.residual <= 1e-12


def test_rates_that_cannot_be_held_together() -> None:
    """Both ends of a four-bar driven at will: one of the two rates is torn away."""
    model = four_bar()
    start = model.state()
    rates = start.rates.copy()
    rates[model.joints["pin0"].rates] = 1.0
    rates[model.joints["pin3"].rates] = 5.0
    with pytest.raises(da.AssemblyError, match=r"no velocities fit the joints here: .* hold fewer joints") as caught:
        model.assemble(replace(start, rates=rates), hold=["pin0", "pin3"])
    assert caught.value.residual is not None and caught.value.residual > 0.1


def test_what_cannot_be_held() -> None:
    builder = da.ModelBuilder()
    builder.add_body("a", mass=1.0, inertia=(1, 1, 1), position=(0, 0, -1))
    builder.add_joint("rod", da.Distance(), parent="world", child="a", anchor=((0, 0, 0), (0, 0, -1)))
    model = builder.build()
    with pytest.raises(da.ModelError, match='hold: expected joints with coordinates, found "rod", a Distance'):
        model.assemble(model.state(), hold=["rod"])


def test_a_tolerance_can_be_asked_for() -> None:
    model = ZOO["bricard"].build()
    rough = shaken(model, model.state(), 0.2, 1)
    assert assemble(model, rough, tol=1e-3).residual <= 1e-3
    assert assemble(model, rough, tol=1e-14).residual <= 1e-14


def test_violations_name_the_joint() -> None:
    model = four_bar()
    start = model.state()
    assert violations(model, start)[0] < 1e-15
    moved, pushed = start.position.copy(), start.velocity.copy()
    moved[2, 1] += 0.25
    pushed[0, 1] += 0.5
    gap, opened, slip, torn = violations(model, replace(start, position=moved, velocity=pushed))
    assert (gap, opened) == (pytest.approx(0.25, abs=1e-14), "pin2")
    assert slip == pytest.approx(0.5, abs=1e-14) and torn in ("pin0", "pin1")


@pytest.mark.compiled
def test_long_chains_are_quick() -> None:
    """A thousand links from a rough start within a second, and the check that every run makes within 20 ms."""
    model = ZOO["pendulum_chain"].build(n=1000)
    reference = ZOO["pendulum_chain"].start(model)
    rough = shaken(model, reference, 1e-3, 2)
    model.assemble(rough)
    began = time.process_time()
    found = model.assemble(rough)
    spent = time.process_time() - began
    assert found.residual <= 1e-12 and (found.dof, found.redundant) == (3000, 0)
    assert spent < 1.0
    began = time.process_time()
    violations(model, found.state)
    assert time.process_time() - began < 0.02
