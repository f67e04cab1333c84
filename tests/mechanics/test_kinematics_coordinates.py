"""Minimal coordinates moved in time, against an independent spelling of the update on the group."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import KINDS, move_coordinates, quaternion_starts, random_state, random_system

from dalembert.mechanics.kinematics_coordinates import advance_coordinates, coordinate_rates, normalize_coordinates


@pytest.mark.parametrize("name", list(KINDS))
def test_coordinates_advance_on_the_group(name):
    rng = np.random.default_rng(1)
    system = random_system(rng, [name] * 3)
    q, v = random_state(rng, system)
    for h in (1e-9, 0.3, -2.0):
        found = q.copy()
        advance_coordinates(system, v, h, found)
        assert np.abs(found - move_coordinates(system, q, v, h)).max(initial=0.0) < 1e-13
    rates, h = np.full(system.n_q, np.nan), 1e-5
    coordinate_rates(system, q, v, rates)
    difference = (move_coordinates(system, q, v, h) - move_coordinates(system, q, v, -h)) / (2 * h)
    assert np.abs(rates - difference).max(initial=0.0) < 1e-9  # round-off over h


def test_quaternions_are_scaled_to_units_and_nothing_else_changes():
    rng = np.random.default_rng(2)
    system = random_system(rng, list(KINDS))
    q, _ = random_state(rng, system)
    longer = q.copy()
    for k in quaternion_starts(system):
        longer[k : k + 4] *= rng.uniform(0.5, 2.0)
    normalize_coordinates(system, longer)
    assert np.abs(longer - q).max() < 1e-15
