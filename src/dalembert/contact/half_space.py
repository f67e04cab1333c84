"""Geoms over a half-space: every corner of the core, both rims of a cylinder, the lowest point of an ellipsoid."""

from dalembert._jit import kernel
from dalembert.contact.features import ELLIPSOID_PLANE, POINT_PLANE, RIM_PLANE
from dalembert.contact.nearest import ellipsoid_plane, rim_plane
from dalembert.contact.surface import put_feature
from dalembert.model.contact_geometry import CYLINDER, ELLIPSOID
from dalembert.spatial.quaternion import columns, multiply, rotate, row4, set_row4
from dalembert.spatial.vector import add, axpy, combine, dot, row3, set_row3, sub

NEARLY_FLAT = 1e-3
"""Sine of the angle to the ground below which a cylinder's end is held by fixed points of its rim alone."""

LEANING = 0.1
"""Sine of the angle below which it is held by these points as well as by its lowest one."""

RIM_POINTS = ((1.0, 0.0), (0.5**0.5, 0.5**0.5), (0.0, 1.0), (-(0.5**0.5), 0.5**0.5))
"""Half of the fixed points around a rim; the others are opposite."""


@kernel
def over_half_space(geometry, g, h, position, orientation, margin, features):
    """Features between the half-space g and the geom h that are closer than ``margin``."""
    i, j = geometry.body[g], geometry.body[h]
    face = geometry.face_start[g]
    p, m = row3(geometry.face_point, face), row3(geometry.face_normal, face)
    n = rotate(row4(orientation, i), m)
    a = add(row3(position, i), rotate(row4(orientation, i), p))
    x, q = row3(position, j), row4(orientation, j)
    center = add(x, rotate(q, row3(geometry.center, h)))
    if dot(n, sub(center, a)) - geometry.reach[h] > margin:
        return
    if geometry.kind[h] == ELLIPSOID:
        turn, size = row4(geometry.frame, h), row3(geometry.size, h)
        if dot(n, sub(add(center, ellipsoid_plane(n, multiply(q, turn), size)), a)) <= margin:
            b = row3(geometry.point, h)
            k = put_feature(geometry, g, h, ELLIPSOID_PLANE, 0, p, m, b, (0.0, 0.0, 1.0), 0.0, features)
            set_row3(features.size, k, size)
            set_row4(features.frame, k, turn)
        return
    if geometry.kind[h] == CYLINDER:
        _rims(geometry, g, h, p, m, n, a, x, q, margin, features)
        return
    radius, first = geometry.radius[h], geometry.corner_start[h]
    for c in range(first, geometry.corner_start[h + 1]):
        b = row3(geometry.corner, c)
        if dot(n, sub(add(x, rotate(q, b)), a)) - radius <= margin:
            put_feature(geometry, g, h, POINT_PLANE, c - first, p, m, b, (0.0, 0.0, 1.0), radius, features)


@kernel
def _rims(geometry, g, h, p, m, n, a, x, q, margin, features):
    """Both ends of a cylinder: the lowest point of the rim, or fixed points of it where it lies flat, or both.

    Between fixed points 45° apart the rim bulges by 1 − cos 22.5° of its radius; at an angle of NEARLY_FLAT it is lower
    there than they are by less than 8e-5 of the radius.
    """
    turn, middle = row4(geometry.frame, h), row3(geometry.point, h)
    radius, half = geometry.size[h, 0], geometry.size[h, 1]
    axes = columns(turn)
    axis = rotate(q, axes[2])
    height = dot(n, axis)
    lean = max(0.0, 1.0 - height * height)
    for end in range(2):
        up = 2.0 * end - 1.0
        b = axpy(up * half, axes[2], middle)
        center = add(x, rotate(q, b))
        if lean > NEARLY_FLAT * NEARLY_FLAT:
            _, depth = rim_plane(n, axis, radius)
            if dot(n, sub(center, a)) - depth <= margin:
                k = put_feature(geometry, g, h, RIM_PLANE, 16 * end, p, m, b, axes[2], 0.0, features)
                features.size[k, 0] = radius
        if lean < LEANING * LEANING and up * height < 0.0:
            for c in range(8):
                u, v = RIM_POINTS[c % 4]
                s = radius if c < 4 else -radius
                rim = combine(axes, (s * u, s * v, 0.0))
                if dot(n, sub(add(center, rotate(q, rim)), a)) <= margin:
                    put_feature(
                        geometry, g, h, POINT_PLANE, 16 * end + 1 + c, p, m, add(b, rim), axes[2], 0.0, features
                    )
