"""A sphere or a capsule and a solid with flat faces: distances of their parts.

As with two rounded geoms every distance between parts of the cores is a sound feature as long as the cores are apart:
ends of the rounded one and the solid, its inside and the solid's corners, its inside and the solid's edges.
"""

from math import inf

from dalembert._jit import kernel
from dalembert.contact.features import POINT_BOX, POINT_SEGMENT
from dalembert.contact.flat_pair import over_face, put_corner_on_face
from dalembert.contact.nearest import box_point, segment_point
from dalembert.contact.round_pair import edge_line, edges_cross, ends_on_core
from dalembert.contact.surface import put_feature, put_frame, put_size
from dalembert.model.contact_geometry import BOX
from dalembert.spatial.quaternion import row4
from dalembert.spatial.vector import axpy, dot, row3, sub


@kernel
def mixed_pair(shapes, g, h, limit, out):
    """Features between the solid g and the rounded geom h."""
    radius = shapes.radius[h]
    first = shapes.corner_start[h]
    for c in range(first, shapes.corner_start[h + 1]):
        if shapes.kind[g] == BOX:
            between = sub(row3(shapes.corner_now, c), row3(shapes.point_now, g))
            size = row3(shapes.size, g)
            _, _, d = box_point(row4(shapes.frame_now, g), size, between)
            if d - radius <= limit:
                a, b = row3(shapes.point, g), row3(shapes.corner, c)
                u = (0.0, 0.0, 1.0)
                k = put_feature(out, g, h, POINT_BOX, c - first, a, u, b, u, radius)
                put_size(out, k, size)
                put_frame(out, k, row4(shapes.frame, g))
        else:
            end_on_hull(shapes, g, h, c, radius, limit, out)
    if shapes.edge_start[h + 1] > shapes.edge_start[h]:
        ends_on_core(shapes, h, g, 1, radius, limit, out)
        edges_cross(shapes, g, h, radius, limit, out)


@kernel
def end_on_hull(shapes, g, h, c, radius, limit, out):
    """The corner c of h and the part of the hull g that is nearest to it: a face or an edge with its ends."""
    p = row3(shapes.corner_now, c)
    best, chosen = -inf, -1
    for f in range(shapes.face_start[g], shapes.face_start[g + 1]):
        foot = row3(shapes.corner_now, shapes.outline[shapes.outline_start[f]])
        d = dot(row3(shapes.normal_now, f), sub(p, foot))
        if d > 0.0 and over_face(shapes, f, p, 0.0):
            best, chosen = d, f
            break
        if d > best:
            best, chosen = d, f
    if best - radius > limit:
        return
    if best <= 0.0 or over_face(shapes, chosen, p, 0.0):
        put_corner_on_face(shapes, g, chosen, h, c, radius, out)
        return
    # outside, and over no face: an edge or one of its ends
    best, chosen = inf, -1
    for e in range(shapes.edge_start[g], shapes.edge_start[g + 1]):
        a, u, length = edge_line(shapes.corner_now, shapes.edge, e)
        _, _, d = segment_point(u, 0.5 * length, sub(p, axpy(0.5 * length, u, a)))
        if d < best:
            best, chosen = d, e
    if best - radius <= limit:
        a, u, length = edge_line(shapes.corner, shapes.edge, chosen)
        a = axpy(0.5 * length, u, a)
        identity = (2 << 50) + (chosen - shapes.edge_start[g] << 20) + c - shapes.corner_start[h]
        b = row3(shapes.corner, c)
        k = put_feature(out, g, h, POINT_SEGMENT, identity, a, u, b, (0.0, 0.0, 1.0), radius)
        put_size(out, k, (0.5 * length, 0.0, 0.0))
