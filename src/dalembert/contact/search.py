"""The memory of the detection: where geoms stand in the world, and the grid of the broad phase."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.model.contact_geometry import HALF_SPACE, ContactGeometry
from dalembert.model.system import Floats, Integers
from dalembert.spatial.quaternion import columns, multiply, row4, set_row4
from dalembert.spatial.vector import add, combine, row3, set_row3


class Shapes(NamedTuple):
    """What the comparison of two geoms needs to know of them; see `ContactGeometry` for what is in body axes."""

    kind: Integers
    size: Floats
    radius: Floats
    reach: Floats
    point: Floats
    frame: Floats
    corner_start: Integers
    corner: Floats
    edge_start: Integers
    edge: Integers
    edge_face: Integers
    face_start: Integers
    face_point: Floats
    face_normal: Floats
    outline_start: Integers
    outline: Integers
    height_start: Integers
    height: Floats
    grid: Integers
    spacing: Floats

    center_now: Floats
    """(g, 3) middle of each geom's ball in the world."""
    point_now: Floats
    """(g, 3) origin of each geom in the world."""
    frame_now: Floats
    """(g, 4) turn from each geom's axes to the world's."""
    corner_now: Floats
    """(k, 3) all corners in the world."""
    normal_now: Floats
    """(f, 3) all face normals in the world."""
    standing: Integers
    """(g,) 1 once a geom that is fixed in the world has been placed."""


class Filters(NamedTuple):
    """What says who touches whom; see `ContactGeometry`."""

    body: Integers
    contact: Integers
    choosy: Integers
    wanted_start: Integers
    wanted: Integers
    barred_start: Integers
    barred: Integers


class Search(NamedTuple):
    """Scratch of `dalembert.contact.detect` for g geoms."""

    shapes: Shapes
    filters: Filters
    planes: Integers
    """Geoms that are half-spaces: each is compared with all others."""
    solids: Integers
    """(s,) the other geoms."""
    bucket: Integers
    """(power of two,) first geom of each bucket of cells, or −1."""
    following: Integers
    """(g,) next geom of the same bucket, or −1."""
    cell: Integers
    """(g, 3) the cell in which each geom's middle lies."""
    large: Integers
    """(g,) geoms that are larger than a cell."""
    compared: Integers
    """(1,) how many pairs of solids were looked at in all."""


def empty_search(geometry: ContactGeometry) -> Search:
    """The scratch for this geometry."""
    g = len(geometry.kind)
    known = geometry._asdict()
    shapes = Shapes(
        **{name: array for name, array in known.items() if name in Shapes._fields},
        center_now=np.zeros((g, 3)),
        point_now=np.zeros((g, 3)),
        frame_now=np.zeros((g, 4)),
        corner_now=np.zeros_like(geometry.corner),
        normal_now=np.zeros_like(geometry.face_normal),
        standing=np.zeros(g, dtype=np.int64),
    )
    return Search(
        shapes=shapes,
        filters=Filters(**{name: known[name] for name in Filters._fields}),
        planes=np.flatnonzero(geometry.kind == HALF_SPACE),
        solids=np.flatnonzero(geometry.kind != HALF_SPACE),
        bucket=np.full(1 << max(4, int(2 * g).bit_length()), -1),
        following=np.full(g, -1),
        cell=np.zeros((g, 3), dtype=np.int64),
        large=np.zeros(g, dtype=np.int64),
        compared=np.zeros(1, dtype=np.int64),
    )


@kernel
def place_geoms(geometry, shapes, position, orientation):
    """Corners, normals and middles in the world."""
    for g in range(geometry.kind.shape[0]):
        body = geometry.body[g]
        if shapes.standing[g]:
            continue
        shapes.standing[g] = 1 if body == position.shape[0] - 1 else 0
        x, q = row3(position, body), row4(orientation, body)
        axes = columns(q)
        set_row3(shapes.center_now, g, add(x, combine(axes, row3(geometry.center, g))))
        set_row3(shapes.point_now, g, add(x, combine(axes, row3(geometry.point, g))))
        set_row4(shapes.frame_now, g, multiply(q, row4(geometry.frame, g)))
        for c in range(geometry.corner_start[g], geometry.corner_start[g + 1]):
            set_row3(shapes.corner_now, c, add(x, combine(axes, row3(geometry.corner, c))))
        for f in range(geometry.face_start[g], geometry.face_start[g + 1]):
            set_row3(shapes.normal_now, f, combine(axes, row3(geometry.face_normal, f)))
