"""Geoms over a half-space: every corner of the core, both rims of a cylinder, the lowest point of an ellipsoid."""

from dalembert._jit import kernel
from dalembert.contact.features import ELLIPSOID_PLANE, POINT_PLANE
from dalembert.contact.nearest import ellipsoid_plane
from dalembert.contact.rims import EVERYWHERE, rims_over
from dalembert.contact.surface import put_feature, put_frame, put_size
from dalembert.model.contact_geometry import CYLINDER, ELLIPSOID, HEIGHT_FIELD
from dalembert.spatial.quaternion import row4
from dalembert.spatial.vector import add, dot, row3, sub


@kernel
def over_half_space(shapes, g, h, limit, out):
    """Features between the half-space g and the geom h that are closer than ``limit``."""
    face = shapes.face_start[g]
    n, a = row3(shapes.normal_now, face), row3(shapes.point_now, g)
    p, m, z = row3(shapes.face_point, face), row3(shapes.face_normal, face), (0.0, 0.0, 1.0)
    if dot(n, sub(row3(shapes.center_now, h), a)) - shapes.reach[h] > limit:
        return
    if shapes.kind[h] == HEIGHT_FIELD:
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
        rims_over(shapes, g, EVERYWHERE, (n, a, m, p), h, 0, limit, out)
        return
    radius, first = shapes.radius[h], shapes.corner_start[h]
    for c in range(first, shapes.corner_start[h + 1]):
        if dot(n, sub(row3(shapes.corner_now, c), a)) - radius <= limit:
            put_feature(out, g, h, POINT_PLANE, c - first, p, m, row3(shapes.corner, c), z, radius)
