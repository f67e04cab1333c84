"""Which features there are at given poses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.contact.half_space import over_half_space
from dalembert.model.contact_geometry import HALF_SPACE, ContactGeometry
from dalembert.model.system import Integers


class Search(NamedTuple):
    """Scratch and memory of the detection."""

    planes: Integers
    """Geoms that are half-spaces: they are compared with all others."""


def empty_search(geometry: ContactGeometry) -> Search:
    """The scratch that `find_features` needs for this geometry."""
    return Search(planes=np.flatnonzero(geometry.kind == HALF_SPACE))


@kernel
def find_features(geometry, search, position, orientation, margin, features):
    """Fill ``features`` with all those that can close within a step.

    Poses (n + 1, 3), (n + 1, 4) have the world in their last row. ``margin`` (n + 1,) is how far any point of a body
    can move in the step, m: a pair is looked at up to the sum of its margins.
    """
    features.used[0] = 0
    features.missed[0] = 0
    for p in range(search.planes.shape[0]):
        g = search.planes[p]
        for h in range(geometry.kind.shape[0]):
            if geometry.kind[h] < HALF_SPACE and may_touch(geometry, g, h):
                limit = margin[geometry.body[g]] + margin[geometry.body[h]]
                over_half_space(geometry, g, h, position, orientation, limit, features)


@kernel
def may_touch(geometry, g, h):
    """Whether two geoms touch at all: they are on different bodies, and no filter keeps them apart."""
    if geometry.body[g] == geometry.body[h]:
        return False
    c, d = geometry.contact[g], geometry.contact[h]
    if listed(geometry.barred_start, geometry.barred, c, d):
        return False
    if geometry.choosy[c] and not listed(geometry.wanted_start, geometry.wanted, c, d):
        return False
    return not geometry.choosy[d] or listed(geometry.wanted_start, geometry.wanted, d, c)


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
