"""Piles of bodies of all shapes: every step is solved, nothing overlaps, impulses account for the motion."""

from __future__ import annotations

import numpy as np
import pytest
from integrators.contact_models import G, pile

import dalembert as da


@pytest.mark.parametrize("seed", [2, 4, 8, 44])
def test_bodies_that_fall_on_each_other_never_overlap(seed: int) -> None:
    run = da.simulate(pile(seed), duration=2.5, dt=0.01, integrator=da.MaximalVI())
    assert np.isfinite(run.velocity).all()
    complementarity, cone, overlap = run.record.contact_error.max(axis=0)
    # products of impulse and gap, and impulses beyond their cone, in units of the tolerance of the step
    assert complementarity < 1e-10
    assert cone < 1e-15
    # an overlap at the end of a step is let pass below a millionth of a body's size
    assert overlap < 1e-6


def test_impulses_account_for_the_momentum_also_of_steps_taken_in_parts() -> None:
    model, dt = pile(2), 0.01
    run = da.simulate(model, duration=1.2, dt=dt, integrator=da.MaximalVI(max_iterations=14))
    # two starts, and what overlaps enters four times at most: beyond that a step has been taken in parts
    assert run.record.iterations.max() > 2 * 14 * 5
    # what a knot remembers lacks the impulses at itself, and those of the first knot act for half a step
    momentum = run.final_state.memory["momentum"][:-1, :3].sum(axis=0)
    pushes = -run.contact("ground").force[:-1].sum(axis=0) * dt
    weight = model.system.mass[:-1].sum() * G * run.time[-1]
    # every step leaves each body the tolerance of 1e-10 times m L/h = 100 N s
    np.testing.assert_allclose(momentum, pushes - (0, 0, weight), rtol=0, atol=1e-6)


def test_a_run_resumes_with_the_same_bits_in_the_middle_of_impacts() -> None:
    model, method = pile(44, 8), da.MaximalVI()
    whole = da.simulate(model, duration=1.0, dt=0.01, integrator=method)
    half = da.simulate(model, duration=0.6, dt=0.01, integrator=method)
    rest = da.simulate(model, half.final_state, duration=0.4, dt=0.01, integrator=method)
    np.testing.assert_array_equal(rest.position, whole.position[60:])
    np.testing.assert_array_equal(rest.velocity, whole.velocity[60:])
