"""Which geoms are near each other: a grid of cells, hashed into buckets.

Each geom's ball, grown by its body's margin, is filed under the cell of its middle. A cell is as wide as four times the
mean of these radii, so that geoms which are not larger than a cell meet only those of their own and the 26 cells
around; the few that are larger are compared with all. Bodies that are far apart cost nothing together.
"""

from math import floor

from dalembert._jit import kernel
from dalembert.spatial.vector import dot, row3, sub

HALF_AROUND = 13
"""Cells around a cell, each pair of opposite ones once."""


@kernel
def file_geoms(search, margin):
    """Sort the solids into buckets; returns how many are larger than a cell."""
    solids, reach, body = search.solids, search.shapes.reach, search.filters.body
    count = solids.shape[0]
    total = 0.0
    for s in range(count):
        total += reach[solids[s]] + margin[body[solids[s]]]
    width = 4.0 * total / count if total > 0.0 else 1.0
    for b in range(search.bucket.shape[0]):
        search.bucket[b] = -1
    n_large = 0
    for s in range(count):
        g = solids[s]
        if reach[g] + margin[body[g]] > 0.5 * width:
            search.large[n_large] = g
            n_large += 1
            continue
        for k in range(3):
            search.cell[g, k] = floor(search.shapes.center_now[g, k] / width)
        b = bucket_of(search.cell[g, 0], search.cell[g, 1], search.cell[g, 2], search.bucket.shape[0])
        search.following[g] = search.bucket[b]
        search.bucket[b] = g
    return n_large


@kernel
def bucket_of(i, j, k, size):
    """The bucket of a cell; ``size`` is a power of two."""
    # products of large primes scatter neighbouring cells; overflow wraps
    return ((i * 73856093) ^ (j * 19349663) ^ (k * 83492791)) & (size - 1)


@kernel
def balls_meet(shapes, g, h, limit):
    """Whether the balls around two geoms are closer than ``limit``."""
    between = sub(row3(shapes.center_now, h), row3(shapes.center_now, g))
    reach = shapes.reach[g] + shapes.reach[h] + limit
    return dot(between, between) <= reach * reach


@kernel
def cell_around(c):
    """Offsets (i, j, k) of the cell itself, c = 0, and of one of each pair of opposite neighbours, c = 1 … 13."""
    # of the 27 offsets written to base three, the middle one and those after it
    c += 13
    return c // 9 - 1, (c // 3) % 3 - 1, c % 3 - 1
