"""Second derivatives on the group of rotations against differences of the first, across the ends of their series."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.spatial.rotation import exp_rate, log_rate_transposed
from dalembert.spatial.rotation_second import exp_rate_change, exp_rate_transposed, log_rate_transposed_change

LENGTHS = [0.0, 1e-8, 1e-3, 0.5, 0.5477, 0.5478, 0.999999, 1.000001, 2.0, 3.1]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(
    ("map_", "change"), [(exp_rate, exp_rate_change), (log_rate_transposed, log_rate_transposed_change)]
)
def test_changes_are_derivatives(length, map_, change):
    rng = np.random.default_rng(int(1000 * length))
    u, w, x = rng.normal(size=(3, 3))
    u *= length / np.linalg.norm(u)
    slopes = [
        (np.array(map_(tuple(u + h * x), tuple(w))) - map_(tuple(u - h * x), tuple(w))) / (2 * h) for h in (1e-3, 5e-4)
    ]
    expected = (4 * slopes[1] - slopes[0]) / 3
    assert np.abs(change(tuple(u), tuple(w), tuple(x)) - expected).max() < 2e-10


@pytest.mark.parametrize("length", LENGTHS)
def test_transpose(length):
    rng = np.random.default_rng(7)
    u, w, f = rng.normal(size=(3, 3))
    u *= length / np.linalg.norm(u)
    assert (
        abs(np.dot(f, exp_rate(tuple(u), tuple(w))) - np.dot(exp_rate_transposed(tuple(u), tuple(f)), w)) < 1e-15 * 20
    )
