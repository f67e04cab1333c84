"""Many bodies that touch each other: chains, stacks, wedges, and runs that are resumed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from integrators.contact_models import G, cube, free, sphere_chain

import dalembert as da
from dalembert.zoo.walker import walker, walker_start


@pytest.mark.parametrize(("n", "slope"), [(8, 0.3), (30, 0.3), (30, 4.0)])
def test_a_chain_of_spheres_falls_onto_the_ground(n: int, slope: float) -> None:
    run = da.simulate(sphere_chain(n, slope=slope), duration=1.5, dt=0.01, integrator=da.MaximalVI())
    assert (run.position[:, :, 2].min() - 0.25) > -1e-9
    assert run.constraint_error.max() < 1e-8
    assert run.contact("sphere 0").active[-1]


def test_a_stack_of_ten_boxes_stands() -> None:
    b = da.ModelBuilder(gravity=(0, 0, -G))
    for i in range(10):
        b.add_body(f"box {i}", mass=1.0, shape=da.Box(0.2, 0.2, 0.2), position=(0, 0, 0.1 + 0.2 * i))
        free(b, f"box {i}")
    b.add_ground()
    model = b.build()
    run = da.simulate(model, duration=10.0, dt=0.01, integrator=da.MaximalVI())
    assert np.abs(run.position - run.position[0]).max() < 1e-9
    # each bears those above it
    load = run.contact("ground").force[-1, 2]
    assert load == pytest.approx(-10 * G, abs=1e-8)


def test_feet_slide_at_the_default_tolerance() -> None:
    # without torques the machine sits down, its feet spread
    model = walker(friction=0.1)
    run = da.simulate(model, walker_start(model), duration=0.2, dt=0.001, integrator=da.MaximalVI())
    slid = run.contact("fr_foot").slip_velocity
    assert np.linalg.norm(slid[run.contact("fr_foot").active], axis=1).max() > 0.1
    assert run.constraint_error.max() < 1e-9
    # below the tolerance at every step: products, |β| − μγ and overlap
    assert run.record.contact_error.max() < 1e-10


@pytest.mark.parametrize(("offset", "jams"), [(1.1, True), (0.9, False)])
def test_a_drawer_pulled_far_off_its_middle_jams(offset: float, jams: bool) -> None:
    # the walls' forces N at its diagonal corners bear the moment, N l = F e, and 2 μ N holds it if e > l / 2μ
    mu, length, force = 0.4, 0.5, 2.0
    b = da.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("drawer", mass=1.0, shape=da.Box(length, 0.3, 0.1))
    free(b, "drawer")
    for side in (-1.0, 1.0):
        # with no room at all it could be wedged in by forces that nothing determines
        b.add_ground(f"wall {side}", normal=(0, -side, 0), point=(0, (0.15 + 1e-6) * side, 0), friction=mu)
    moment = offset * force * length / (2 * mu)
    run = da.simulate(
        b.build(),
        duration=0.2,
        dt=0.01,
        wrenches={"drawer": ((force, 0, 0), (0, 0, -moment))},
        integrator=da.MaximalVI(),
    )
    if jams:
        # it turns until it touches, and stays
        assert np.abs(run.position[-1]).max() < 1e-5
        assert np.abs(run.velocity[-1]).max() < 1e-7
    else:
        gained = run.velocity[-1, 0, 0] - run.velocity[10, 0, 0]
        assert gained == pytest.approx(force * (1 - offset) * (run.time[-1] - run.time[10]), rel=1e-3)


def test_a_run_with_contact_resumes_with_the_same_bits(tmp_path: Path) -> None:
    model = cube(0.05)
    turn = np.array([0.9, 0.1, 0.3, 0.2])
    state = model.state_from_bodies([[0, 0, 0.45]], [turn / np.linalg.norm(turn)], [[1, 0.5, 0]], [[1, 2, -1]])
    method = da.MaximalVI()
    whole = da.simulate(model, state, duration=0.6, dt=0.01, integrator=method)
    half = da.simulate(model, state, duration=0.3, dt=0.01, integrator=method)
    loaded = da.load_run(half.save(tmp_path / "half.npz"), model)
    np.testing.assert_array_equal(loaded.contact("cube").force, half.contact("cube").force)
    rest = da.simulate(model, loaded.final_state, duration=0.3, dt=0.01, integrator=method)
    np.testing.assert_array_equal(rest.position, whole.position[30:])
    np.testing.assert_array_equal(rest.velocity, whole.velocity[30:])
    np.testing.assert_array_equal(rest.lost, whole.lost[30:])
    np.testing.assert_array_equal(rest.contact("cube").force[:-1], whole.contact("cube").force[30:-1])


def test_without_anything_in_reach_the_step_is_the_smooth_one() -> None:
    free_body = da.ModelBuilder(gravity=(0, 0, -G))
    free_body.add_body("cube", mass=1.0, shape=da.Box(0.5, 0.4, 0.3), position=(0, 0, 50))
    free_body.add_joint("free", da.Floating(), parent="world", child="cube")
    above = da.ModelBuilder(gravity=(0, 0, -G))
    above.add_body("cube", mass=1.0, shape=da.Box(0.5, 0.4, 0.3), position=(0, 0, 50))
    free(above, "cube")
    above.add_ground()
    runs = []
    for builder, name in ((free_body, "free"), (above, "cube free")):
        model = builder.build()
        speeds = {name: (1.0, 0.2, 0.0, 1.0, 2.0, 3.0)}
        state = model.state(velocities=speeds)
        runs.append(da.simulate(model, state, duration=0.3, dt=0.01, integrator=da.MaximalVI(linear_solver="graph")))
    np.testing.assert_array_equal(runs[0].position, runs[1].position)
    np.testing.assert_array_equal(runs[0].orientation, runs[1].orientation)
    np.testing.assert_array_equal(runs[0].velocity, runs[1].velocity)
    assert np.isinf(runs[1].contact("cube").gap).all()
