"""Which features there are at given poses."""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert.contact.broad_phase import HALF_AROUND, balls_meet, bucket_of, cell_around, file_geoms
from dalembert.contact.cylinder_pair import cylinder_pair
from dalembert.contact.flat_pair import flat_pair
from dalembert.contact.half_space import over_half_space
from dalembert.contact.mixed_pair import mixed_pair
from dalembert.contact.round_pair import round_pair
from dalembert.contact.search import place_geoms
from dalembert.contact.surface import Found, put_surface
from dalembert.contact.terrain_pair import terrain_pair
from dalembert.model.contact_geometry import CYLINDER, HEIGHT_FIELD, MESH


@kernel
def find_features(geometry, search, position, orientation, margin, features):
    """Fill ``features`` with all those that can close within a step.

    Poses (n + 1, 3), (n + 1, 4) have the world in their last row. ``margin`` (n + 1,) is how far any point of a body
    can move in the step, m: a pair is looked at up to the sum of its margins.
    """
    features.used[0] = 0
    features.missed[0] = 0
    out = Found(features.used, features.missed, features.integers, features.numbers)
    place_geoms(geometry, search.shapes, position, orientation)
    meet_planes(search, margin, out)
    meet_solids(search, margin, out)
    for k in range(features.used[0]):
        put_surface(geometry, features, k)


@kernel
def meet_planes(search, margin, out):
    """Every half-space against every solid."""
    body = search.filters.body
    for p in range(search.planes.shape[0]):
        g = search.planes[p]
        for s in range(search.solids.shape[0]):
            h = search.solids[s]
            if may_touch(search.filters, g, h):
                over_half_space(search.shapes, g, h, margin[body[g]] + margin[body[h]], out)


@kernel
def meet_solids(search, margin, out):
    """Solids against those that are near: the large ones against all, the others against those of the cells around."""
    search.compared[0] = 0
    n_large, size = file_geoms(search, margin), search.bucket.shape[0]
    for b in range(size):
        g = search.bucket[b]
        while g >= 0:
            for l in range(n_large):
                near_pair(search, g, search.large[l], margin, out)
            # offset 0 is the cell itself, where each pair is met from the one that comes first in the bucket
            for c in range(HALF_AROUND + 1):
                i, j, k = cell_around(c)
                i, j, k = search.cell[g, 0] + i, search.cell[g, 1] + j, search.cell[g, 2] + k
                h = search.following[g] if c == 0 else search.bucket[bucket_of(i, j, k, size)]
                while h >= 0:
                    if search.cell[h, 0] == i and search.cell[h, 1] == j and search.cell[h, 2] == k:
                        near_pair(search, g, h, margin, out)
                    h = search.following[h]
            g = search.following[g]
    for l in range(n_large):
        for m in range(l):
            near_pair(search, search.large[l], search.large[m], margin, out)


@kernel
def near_pair(search, g, h, margin, out):
    """Features between two solids, if they may touch and their balls are near."""
    search.compared[0] += 1
    limit = margin[search.filters.body[g]] + margin[search.filters.body[h]]
    if balls_meet(search.shapes, g, h, limit) and may_touch(search.filters, g, h):
        # in one order, however they were met
        find_pair(search.shapes, min(g, h), max(g, h), limit, out)


@kernel
def find_pair(shapes, g, h, limit, out):
    """Features between two solids that are closer than ``limit``."""
    if shapes.kind[g] == HEIGHT_FIELD or shapes.kind[h] == HEIGHT_FIELD:
        if shapes.kind[g] != HEIGHT_FIELD:
            g, h = h, g
        if shapes.kind[h] <= CYLINDER:
            terrain_pair(shapes, g, h, limit, out)
        return
    if shapes.kind[g] == CYLINDER or shapes.kind[h] == CYLINDER:
        if shapes.kind[g] != CYLINDER:
            g, h = h, g
        if shapes.kind[h] <= CYLINDER:
            cylinder_pair(shapes, g, h, limit, out)
        return
    if shapes.kind[g] > MESH or shapes.kind[h] > MESH:
        return
    flat_g = shapes.face_start[g + 1] > shapes.face_start[g]
    flat_h = shapes.face_start[h + 1] > shapes.face_start[h]
    if flat_h and not flat_g:
        g, h = h, g
        flat_g, flat_h = flat_h, flat_g
    if not flat_g:
        round_pair(shapes, g, h, limit, out)
    elif not flat_h and shapes.radius[h] > 0.0:
        mixed_pair(shapes, g, h, limit, out)
    else:
        flat_pair(shapes, g, h, limit, out)


@kernel
def may_touch(filters, g, h):
    """Whether two geoms touch at all: they are on different bodies, and no filter keeps them apart."""
    if filters.body[g] == filters.body[h]:
        return False
    c, d = filters.contact[g], filters.contact[h]
    if listed(filters.barred_start, filters.barred, c, d):
        return False
    if filters.choosy[c] and not listed(filters.wanted_start, filters.wanted, c, d):
        return False
    return not filters.choosy[d] or listed(filters.wanted_start, filters.wanted, d, c)


@kernel
def listed(start, values, row, value):
    """Whether a value stands in a row of sorted lists."""
    low, high = start[row], start[row + 1]
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low < start[row + 1] and values[low] == value
