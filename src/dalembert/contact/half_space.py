"""Geoms over a half-space: every corner of the core, both rims of a cylinder, the lowest point of an ellipsoid."""

from math import sqrt

from dalembert._jit import kernel
from dalembert.contact.features import ELLIPSOID_PLANE, POINT_PLANE, RIM_PLANE
from dalembert.contact.nearest import ellipsoid_plane, rim_plane
from dalembert.contact.surface import put_feature, put_frame, put_size
from dalembert.model.contact_geometry import CYLINDER, ELLIPSOID
from dalembert.spatial.quaternion import columns, row4
from dalembert.spatial.vector import add, axpy, combine, dot, row3, sub

NEARLY_FLAT = 1e-3
"""Sine of the angle to the ground below which a cylinder's end is held by fixed points of its rim alone."""

LEANING = 0.1
"""Sine of the angle below which it is held by these points as well as by its lowest one."""

RIM_POINTS = ((1.0, 0.0), (0.5**0.5, 0.5**0.5), (0.0, 1.0), (-(0.5**0.5), 0.5**0.5))
"""Half of the fixed points around a rim; the others are opposite."""


@kernel
def over_half_space(shapes, g, h, limit, out):
    """Features between the half-space g and the geom h that are closer than ``limit``."""
    face = shapes.face_start[g]
    n, a = row3(shapes.normal_now, face), row3(shapes.point_now, g)
    p, m, z = row3(shapes.face_point, face), row3(shapes.face_normal, face), (0.0, 0.0, 1.0)
    if dot(n, sub(row3(shapes.center_now, h), a)) - shapes.reach[h] > limit:
        return
    if shapes.kind[h] == ELLIPSOID:
        size = row3(shapes.size, h)
        low = ellipsoid_plane(n, row4(shapes.frame_now, h), size)
        if dot(n, sub(add(row3(shapes.point_now, h), low), a)) <= limit:
            k = put_feature(out, g, h, ELLIPSOID_PLANE, 0, p, m, row3(shapes.point, h), z, 0.0)
            put_size(out, k, size)
            put_frame(out, k, row4(shapes.frame, h))
        return
    if shapes.kind[h] == CYLINDER:
        _rims(shapes, g, h, n, a, limit, out)
        return
    radius, first = shapes.radius[h], shapes.corner_start[h]
    for c in range(first, shapes.corner_start[h + 1]):
        if dot(n, sub(row3(shapes.corner_now, c), a)) - radius <= limit:
            put_feature(out, g, h, POINT_PLANE, c - first, p, m, row3(shapes.corner, c), z, radius)


@kernel
def _rims(shapes, g, h, n, a, limit, out):
    """Both ends of a cylinder: the lowest point of the rim, or fixed points of it where it lies flat, or both.

    Between fixed points 45° apart the rim bulges by 1 − cos 22.5° of its radius; at an angle of NEARLY_FLAT it is lower
    there than they are by less than 8e-5 of the radius. The height of the lowest point has a kink where the end lies
    flat, so where a motion by ``limit`` can take it there, fixed points stand alone: one where the lowest is now.
    """
    face = shapes.face_start[g]
    p, m = row3(shapes.face_point, face), row3(shapes.face_normal, face)
    radius, half = shapes.size[h, 0], shapes.size[h, 1]
    axes, axes_now = columns(row4(shapes.frame, h)), columns(row4(shapes.frame_now, h))
    height = dot(n, axes_now[2])
    lean = max(0.0, 1.0 - height * height)
    can_flatten = limit < radius and lean < (limit / radius) ** 2
    turn = (1.0, 0.0)
    if can_flatten and lean > NEARLY_FLAT * NEARLY_FLAT:
        x, y = dot(n, axes_now[0]), dot(n, axes_now[1])
        turn = (x / sqrt(lean), y / sqrt(lean))
    for end in range(2):
        up = 2.0 * end - 1.0
        b, center = (
            axpy(up * half, axes[2], row3(shapes.point, h)),
            axpy(up * half, axes_now[2], row3(shapes.point_now, h)),
        )
        above = dot(n, sub(center, a))
        if lean > NEARLY_FLAT * NEARLY_FLAT and not can_flatten:
            _, depth = rim_plane(n, axes_now[2], radius)
            if above - depth <= limit:
                k = put_feature(out, g, h, RIM_PLANE, 16 * end, p, m, b, axes[2], 0.0)
                put_size(out, k, (radius, 0.0, 0.0))
        if (lean < LEANING * LEANING or can_flatten) and up * height < 0.0:
            for c in range(8):
                u, v = RIM_POINTS[c % 4]
                s = radius if c < 4 else -radius
                rim = (s * (u * turn[0] - v * turn[1]), s * (u * turn[1] + v * turn[0]), 0.0)
                if above + dot(n, combine(axes_now, rim)) <= limit:
                    point = add(b, combine(axes, rim))
                    put_feature(out, g, h, POINT_PLANE, 16 * end + 1 + c, p, m, point, axes[2], 0.0)
