"""Both ends of a cylinder over something flat: a half-space, a face, an end of another cylinder."""

from math import sqrt

from dalembert._jit import kernel
from dalembert.contact.features import POINT_PLANE, RIM_PLANE
from dalembert.contact.flat_pair import over_face
from dalembert.contact.nearest import rim_plane
from dalembert.contact.surface import put_feature, put_size
from dalembert.model.contact_geometry import HEIGHT_FIELD
from dalembert.spatial.quaternion import columns, row4
from dalembert.spatial.vector import add, axpy, combine, dot, norm, row3, sub

NEARLY_FLAT = 1e-3
"""Sine of the angle to the ground below which a cylinder's end is held by fixed points of its rim alone."""

LEANING = 0.1
"""Sine of the angle below which it is held by these points as well as by its lowest one."""

RIM_POINTS = ((1.0, 0.0), (0.5**0.5, 0.5**0.5), (0.0, 1.0), (-(0.5**0.5), 0.5**0.5))
"""Half of the fixed points around a rim; the others are opposite."""

EVERYWHERE = -1
END = -2
"""In the place of a face: a plane without borders, an end of a cylinder."""

BORDER = 1e-6
"""Part of the radius by which a point may lie outside an end and still count as over it."""


@kernel
def rims_over(shapes, g, face, plane, h, first, limit, out):
    """Features between something flat of g and the ends of the cylinder h that are closer than ``limit``.

    ``plane`` is (normal, point) in the world and (normal, point) in the axes of g's body; ``face`` is one of g's, or
    EVERYWHERE, or END. Identities begin at ``first``. An end has its lowest point, or fixed points of its rim where it
    lies flat, or both. Between fixed points 45° apart the rim bulges by 1 − cos 22.5° of its radius; at an angle of
    NEARLY_FLAT it is lower there than they are by less than 8e-5 of the radius. The height of the lowest point has a
    kink where the end lies flat, so where a motion by ``limit`` can take it there, fixed points stand alone: one where
    the lowest is now.
    """
    n, a, m, p = plane
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
            low, depth = rim_plane(n, axes_now[2], radius)
            if above - depth <= limit and over_flat(shapes, g, face, plane, add(center, low), above - depth):
                k = put_feature(out, g, h, RIM_PLANE, first + 16 * end, p, m, b, axes[2], 0.0)
                put_size(out, k, (radius, 0.0, 0.0))
        if (lean < LEANING * LEANING or can_flatten) and up * height < 0.0:
            for c in range(8):
                u, v = RIM_POINTS[c % 4]
                s = radius if c < 4 else -radius
                rim = (s * (u * turn[0] - v * turn[1]), s * (u * turn[1] + v * turn[0]), 0.0)
                spot = add(center, combine(axes_now, rim))
                d = dot(n, sub(spot, a))
                if d <= limit and over_flat(shapes, g, face, plane, spot, d):
                    point = add(b, combine(axes, rim))
                    put_feature(out, g, h, POINT_PLANE, first + 16 * end + 1 + c, p, m, point, axes[2], 0.0)


@kernel
def over_flat(shapes, g, face, plane, point, d):
    """Whether a point at height d is over the face, or the end of the cylinder g whose middle is the plane's point.

    One that is inside the solid belongs to the face that it is least deep under.
    """
    if face == EVERYWHERE:
        return True
    if face == END:
        n, a, _, _ = plane
        r = sub(point, a)
        inside = (1.0 + BORDER) * shapes.size[g, 0] - norm(axpy(-dot(n, r), n, r))
        return inside >= max(0.0, -d - BORDER * shapes.size[g, 0])
    if not over_face(shapes, face, point, BORDER * shapes.reach[g]):
        return False
    if d >= 0.0 or shapes.kind[g] == HEIGHT_FIELD:
        return True
    for f in range(shapes.face_start[g], shapes.face_start[g + 1]):
        base = row3(shapes.corner_now, shapes.outline[shapes.outline_start[f]])
        if dot(row3(shapes.normal_now, f), sub(point, base)) > d + BORDER * shapes.reach[g]:
            return False
    return True
