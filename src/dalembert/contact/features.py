"""Features: what a step sees of contact.

A feature is a smooth gap function of the poses of two bodies A and B. Everything in it is fixed in the bodies for one
step; which features there are is found anew for each step by `dalembert.contact.detect`. Points, directions and frames
are in the axes of their body, from its centre of mass.

================  ======================================  ============================================================
kind              on A                                    on B
================  ======================================  ============================================================
POINT_PLANE       plane: point, outward normal            point
POINT_SEGMENT     segment: middle, direction; ``size``    point
                  is half its length, 0 for a point
LINE_LINE         line: point, direction                  line: point, direction; ``side`` says which side of A is out
POINT_BOX         box: middle, ``frame``, half lengths    point
POINT_CYLINDER    cylinder: middle, axis; radius, half    point
                  length in ``size``
RIM_LINE          line: point, direction; ``side`` says   circle: middle, axis; its radius in ``size``; ``frame`` begins
                  which side of it is out                 with the direction from its middle in which to look
RIM_RIM           circle: middle, axis; its radius and   circle: middle, axis; its radius is the first of
                  angle from the first of two           ``size``; ``frame`` begins with the direction from its
                  `tangents` of the axis are the rest   middle in which to look
                  of ``size``; ``side`` as above
POINT_TRIANGLE    triangle: a corner, the others from   point
                  it in ``frame`` and ``size``,
                  counter-clockwise from outside
RIM_PLANE         plane: point, outward normal            circle: middle, axis; its radius in ``size``
ELLIPSOID_PLANE   plane: point, outward normal            ellipsoid: middle, ``frame``, semi-axes
================  ======================================  ============================================================

From each distance ``radius`` is taken off: the sum of the radii of the balls that sweep the two cores, of which
``radius_a`` is A's.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from dalembert.model.system import Floats, Integers

POINT_PLANE: Final = 0
POINT_SEGMENT: Final = 1
LINE_LINE: Final = 2
POINT_BOX: Final = 3
POINT_CYLINDER: Final = 4
RIM_PLANE: Final = 5
ELLIPSOID_PLANE: Final = 6
RIM_LINE: Final = 7
RIM_RIM: Final = 8
POINT_TRIANGLE: Final = 9

BODY_A: Final = 1
BODY_B: Final = 2
GEOM_A: Final = 3
GEOM_B: Final = 4
IDENTITY: Final = 5
"""Columns of `Features.integers`; the kind is column 0."""

POINT_A: Final = 0
DIRECTION_A: Final = 3
POINT_B: Final = 6
DIRECTION_B: Final = 9
FRAME: Final = 12
SIZE: Final = 16
RADIUS: Final = 19
SIDE: Final = 20
RADIUS_A: Final = 21
FRICTION: Final = 22
RESTITUTION: Final = 23
TORSIONAL: Final = 24
ROLLING: Final = 25
STIFFNESS: Final = 26
DAMPING: Final = 27
"""First columns of `Features.numbers`."""


class Features(NamedTuple):
    """Room for K features, of which the first ``used[0]`` are in use."""

    used: Integers
    """(1,) how many there are."""
    missed: Integers
    """(1,) how many more there would have been, had there been room."""
    kind: Integers
    """(K,) POINT_PLANE, …"""
    body_a: Integers
    """(K,) the world is body n."""
    body_b: Integers
    """(K,)"""
    geom_a: Integers
    """(K,) geoms of the model's `ContactGeometry`."""
    geom_b: Integers
    """(K,)"""
    identity: Integers
    """(K,) with the geoms, a number that stays with the feature from step to step."""
    point_a: Floats
    """(K, 3)"""
    direction_a: Floats
    """(K, 3) length 1"""
    point_b: Floats
    """(K, 3)"""
    direction_b: Floats
    """(K, 3) length 1"""
    frame: Floats
    """(K, 4) turn from the axes of a box or an ellipsoid to those of its body."""
    size: Floats
    """(K, 3)"""
    radius: Floats
    """(K,)"""
    side: Floats
    """(K,) 1 or −1: the normal of LINE_LINE is ``side`` direction_a × direction_b."""
    radius_a: Floats
    """(K,)"""
    friction: Floats
    """(K,) coefficient of Coulomb friction."""
    restitution: Floats
    """(K,) Newton's coefficient."""
    torsional: Floats
    """(K,) m"""
    rolling: Floats
    """(K,) m"""
    stiffness: Floats
    """(K,) N/m; 0 for a rigid contact."""
    damping: Floats
    """(K,) N s/m"""
    integers: Integers
    """(K, 6) the columns from ``kind`` to ``identity`` in one array: those above are views of it."""
    numbers: Floats
    """(K, 28) likewise the columns from ``point_a`` to ``damping``."""


class Gaps(NamedTuple):
    """What the features are at given poses."""

    gap: Floats
    """(K,) m; negative where the bodies overlap."""
    normal: Floats
    """(K, 3) from A to B, in the world."""
    on_a: Floats
    """(K, 3) the point of A that is nearest to B, in the world."""
    on_b: Floats
    """(K, 3) the point of B that is nearest to A."""
    tangent: Floats
    """(K, 2, 3) two directions across the normal, in the world; the three are right-handed, normal first."""
    rows: Floats
    """(K, 3, 12) how the gap and the two slips change with the displacement in the world and the turn in body axes of
    A (0 … 5) and of B (6 … 11)."""


def empty_features(capacity: int) -> Features:
    """Room for that many features."""
    counts = [np.zeros(1, dtype=np.int64) for _ in range(2)]
    integers, numbers = np.zeros((capacity, 6), dtype=np.int64), np.zeros((capacity, 28))
    columns = [integers[:, c] for c in range(6)]
    rows = np.split(numbers[:, :19], np.cumsum([3, 3, 3, 3, 4]), axis=1)
    single = [numbers[:, c] for c in range(19, 28)]
    return Features._make([*counts, *columns, *rows, *single, integers, numbers])


def empty_gaps(capacity: int) -> Gaps:
    """Room for the values of that many features."""
    points = [np.zeros((capacity, 3)) for _ in range(3)]
    return Gaps._make([np.zeros(capacity), *points, np.zeros((capacity, 2, 3)), np.zeros((capacity, 3, 12))])
