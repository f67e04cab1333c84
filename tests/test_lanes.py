"""Lanes: every operation gives each lane the bits that it gives a number."""

from __future__ import annotations

import numpy as np

from dalembert._jit import kernel
from dalembert._lanes import WIDTH, choose, larger, root, size, table
from dalembert.integrators.maximal.tree_motion import get4, put3, swing
from dalembert.spatial.vector import part3


@kernel
def over_lanes(array):
    t = table(array)
    for i in range(array.shape[0]):
        put3(t, i, 7, swing(get4(t, i, 0), part3(t, i, 4)))
        x, y = t[i, 7], t[i, 8]
        t[i, 10] = (2.0 * x - y / 3.0) / (1.0 + x * x)
        t[i, 11] = root(size(-x))
        t[i, 12] = choose(x, y, x, 0.0 * y)
        t[i, 13] = larger(x, y)


@kernel
def over_numbers(a):
    for i in range(a.shape[0]):
        put3(a, i, 7, swing(get4(a, i, 0), part3(a, i, 4)))
        x, y = a[i, 7], a[i, 8]
        a[i, 10] = (2.0 * x - y / 3.0) / (1.0 + x * x)
        a[i, 11] = np.sqrt(abs(-x))
        a[i, 12] = x if x > y else 0.0 * y
        a[i, 13] = x if x > y or x != x else y


def test_lanes_have_the_bits_of_numbers() -> None:
    array = np.random.default_rng(0).normal(size=(20, 14, WIDTH))
    array[3, 4:7, 1] = np.nan
    expected = np.array([array[:, :, lane] for lane in range(WIDTH)])
    for each in expected:
        over_numbers(each)
    over_lanes(array)
    for lane in range(WIDTH):
        np.testing.assert_array_equal(array[:, :, lane], expected[lane])
