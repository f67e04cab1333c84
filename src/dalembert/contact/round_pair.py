"""Two geoms without faces: points and segments swept by balls.

A distance between a part of one core and a part of the other is at least the sum of the radii whenever the geoms do not
overlap. So every such distance is a sound feature, and those given here are all that can become the smallest: between
the ends of one and the other, and between the insides of two segments that cross. When capsules lie side by side the
ends carry the contact, and no feature depends on which points are nearest.
"""

from math import fabs

from dalembert._jit import kernel
from dalembert.contact.features import LINE_LINE, POINT_SEGMENT
from dalembert.contact.nearest import lines, segment_point
from dalembert.contact.surface import put_feature, put_radius_a, put_side, put_size
from dalembert.spatial.vector import add, cross, norm, row3, scale, sub

PARALLEL = 0.05
"""Sine of the angle below which the crossing of two lines is too loose a place for a feature."""

EDGES = 1 << 40
"""Identities of features between edges start here."""


@kernel
def round_pair(shapes, g, h, limit, out):
    """Features between two geoms that are points or segments."""
    radius = shapes.radius[g] + shapes.radius[h]
    if radius == 0.0:
        return
    ends_on_core(shapes, g, h, 0, radius, limit, out)
    if shapes.edge_start[g + 1] > shapes.edge_start[g] or shapes.edge_start[h + 1] > shapes.edge_start[h]:
        ends_on_core(shapes, h, g, 1, radius, limit, out)
        edges_cross(shapes, g, h, radius, limit, out)


@kernel
def ends_on_core(shapes, g, h, inner, radius, limit, out):
    """The corners of h against g, a point or a segment; with ``inner`` only those nearest to a segment's inside.

    The second time round, the ends of g have been compared with h, so pairs of ends are left out.
    """
    first, start = shapes.corner_start[g], shapes.corner_start[h]
    two = shapes.corner_start[g + 1] - first == 2
    a = row3(shapes.corner_now, first)
    u, half = (0.0, 0.0, 1.0), 0.0
    middle = a
    if two:
        along = sub(row3(shapes.corner_now, first + 1), a)
        half = 0.5 * norm(along)
        u = scale(0.5 / half, along)
        middle = scale(0.5, add(a, row3(shapes.corner_now, first + 1)))
    elif inner:
        return
    for c in range(start, shapes.corner_start[h + 1]):
        _, s, d = segment_point(u, half, sub(row3(shapes.corner_now, c), middle))
        if d - radius <= limit and not (inner and fabs(s) >= half):
            put_end_on_segment(shapes, g, first, two, h, c, c - start, radius, out)


@kernel
def put_end_on_segment(shapes, g, first, two, h, c, identity, radius, out):
    """A corner of h against the point or the segment of g that starts at its corner ``first``."""
    a, u, half = row3(shapes.corner, first), (0.0, 0.0, 1.0), 0.0
    if two:
        other = row3(shapes.corner, first + 1)
        along = sub(other, a)
        half = 0.5 * norm(along)
        u, a = scale(0.5 / half, along), scale(0.5, add(a, other))
    b = row3(shapes.corner, c)
    k = put_feature(out, g, h, POINT_SEGMENT, identity, a, u, b, (0.0, 0.0, 1.0), radius)
    put_size(out, k, (half, 0.0, 0.0))
    put_radius_a(out, k, shapes.radius[g])


@kernel
def edges_cross(shapes, g, h, radius, limit, out):
    """Edges of g and of h whose insides are nearest to each other."""
    for e in range(shapes.edge_start[g], shapes.edge_start[g + 1]):
        for f in range(shapes.edge_start[h], shapes.edge_start[h + 1]):
            cross_edges(shapes, g, h, e, f, radius, limit, out)


@kernel
def cross_edges(shapes, g, h, e, f, radius, limit, out):
    """Edge e of g and edge f of h, if their insides are nearest to each other."""
    a, u, length_a = edge_line(shapes.corner_now, shapes.edge, e)
    b, v, length_b = edge_line(shapes.corner_now, shapes.edge, f)
    if norm(cross(u, v)) < PARALLEL:
        return
    _, s, t, d = lines(u, v, sub(b, a), 1.0)
    if fabs(d) - radius <= limit and 0.0 < s < length_a and 0.0 < t < length_b:
        put_edges(shapes, g, h, e, f, 1.0 if d >= 0.0 else -1.0, radius, out)


@kernel
def edge_line(corner, edge, e):
    """(start, direction, length) of an edge; ``corner`` in the world or in body axes."""
    a = row3(corner, edge[e, 0])
    along = sub(row3(corner, edge[e, 1]), a)
    length = norm(along)
    return a, scale(1.0 / length, along), length


@kernel
def put_edges(shapes, g, h, e, f, side, radius, out):
    """The feature between edge e of g and edge f of h."""
    a, u, _ = edge_line(shapes.corner, shapes.edge, e)
    b, v, _ = edge_line(shapes.corner, shapes.edge, f)
    identity = EDGES + (e - shapes.edge_start[g] << 20) + f - shapes.edge_start[h]
    k = put_feature(out, g, h, LINE_LINE, identity, a, u, b, v, radius)
    put_side(out, k, side)
    put_radius_a(out, k, shapes.radius[g])
