"""How a feature gets into its place, and what two surfaces make of each other."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from dalembert._jit import kernel
from dalembert.contact.features import (
    BODY_A,
    BODY_B,
    DAMPING,
    FRICTION,
    GEOM_A,
    GEOM_B,
    RESTITUTION,
    ROLLING,
    STIFFNESS,
    TORSIONAL,
)
from dalembert.model.system import Floats, Integers

DEFAULT_FRICTION = 0.5
"""Where neither surface says anything."""


class Found(NamedTuple):
    """Where the detection writes: the memory of `Features`, in few arrays, for they go through many hands."""

    used: Integers
    missed: Integers
    integers: Integers
    numbers: Floats


@kernel
def put_feature(out, g, h, kind, identity, a, u, b, v, radius):
    """The next feature, between geoms g and h at points a and b with directions u and v in body axes; its number.

    When there is no room it is counted as missed and the last place is overwritten. The caller may go on to put its
    size, frame, side and A's radius, which are zero, no turn, 1 and 0. Bodies and surfaces are put by `put_surface`.
    """
    k = out.used[0]
    if k == out.integers.shape[0]:
        out.missed[0] += 1
        k -= 1
    else:
        out.used[0] = k + 1
    out.integers[k, 0] = kind
    out.integers[k, 3], out.integers[k, 4], out.integers[k, 5] = g, h, identity
    numbers = out.numbers
    for l in range(3):
        numbers[k, l], numbers[k, 3 + l], numbers[k, 6 + l], numbers[k, 9 + l] = a[l], u[l], b[l], v[l]
    put_frame(out, k, (1.0, 0.0, 0.0, 0.0))
    put_size(out, k, (0.0, 0.0, 0.0))
    numbers[k, 19] = radius
    put_side(out, k, 1.0)
    put_radius_a(out, k, 0.0)
    return k


@kernel
def put_frame(out, k, frame):
    """The frame of feature k."""
    for l in range(4):
        out.numbers[k, 12 + l] = frame[l]


@kernel
def put_size(out, k, size):
    """The size of feature k."""
    for l in range(3):
        out.numbers[k, 16 + l] = size[l]


@kernel
def put_side(out, k, side):
    """The side of feature k."""
    out.numbers[k, 20] = side


@kernel
def put_radius_a(out, k, radius):
    """How much of the radius of feature k belongs to A."""
    out.numbers[k, 21] = radius


@kernel
def mean_or_known(a, b, default):
    """√(a b); negative numbers stand for what is not said."""
    if a < 0.0:
        return b if b >= 0.0 else default
    return sqrt(a * b) if b >= 0.0 else a


@kernel
def put_surface(geometry, features, k):
    """The bodies and the surface of feature k: friction by the geometric mean, restitution by the larger.

    Compliant surfaces act as springs in series, and so do their dampers; a rigid surface adds nothing.
    """
    integers, numbers = features.integers, features.numbers
    g, h = integers[k, GEOM_A], integers[k, GEOM_B]
    integers[k, BODY_A], integers[k, BODY_B] = geometry.body[g], geometry.body[h]
    numbers[k, FRICTION] = mean_or_known(geometry.friction[g], geometry.friction[h], DEFAULT_FRICTION)
    numbers[k, RESTITUTION] = max(geometry.restitution[g], geometry.restitution[h], 0.0)
    numbers[k, TORSIONAL] = max(geometry.torsional[g], geometry.torsional[h])
    numbers[k, ROLLING] = max(geometry.rolling[g], geometry.rolling[h])
    soft_g, soft_h = geometry.compliance[g], geometry.compliance[h]
    numbers[k, STIFFNESS] = 1.0 / (soft_g + soft_h) if soft_g + soft_h > 0.0 else 0.0
    c, d = geometry.damping[g], geometry.damping[h]
    if soft_g > 0.0 and soft_h > 0.0:
        numbers[k, DAMPING] = c * d / (c + d) if c + d > 0.0 else 0.0
    else:
        numbers[k, DAMPING] = c if soft_g > 0.0 else d
