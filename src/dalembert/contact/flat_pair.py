"""Two solids with flat faces: the corners of the patch in which they touch.

When two faces lie on each other the gap between them is an affine function over the polygon in which they overlap, so
it is nowhere negative if it is not at the corners of this polygon: corners of one solid over the face of the other,
and crossings of their edges. Each of them is a feature whose gap is right for any small motion: a box that rests keeps
the four under it, and one that tips over an edge turns about the crossings there, though its own corners beyond the
edge sink below the plane.

The face that separates the solids best says which corners and edges are looked at. If a pair of edges separates them
better, corners and crossings that the solids have already passed are no condition and are left out.
"""

from math import fabs, inf

from dalembert._jit import kernel
from dalembert.contact.features import POINT_PLANE
from dalembert.contact.nearest import lines
from dalembert.contact.round_pair import edge_line, put_edges
from dalembert.contact.separation import edge_separation, edges_normal, face_separation
from dalembert.contact.surface import put_feature
from dalembert.spatial.vector import axpy, cross, dot, norm, row3, sub

SLACK = 1e-6
"""Part of a solid's size by which a corner may lie outside a face and still count as over it."""

PREFERENCE = 1e-3
"""Part of a solid's size by which edges must separate better than faces to go before them."""

LOOSE = 0.1
"""Sine of the angle below which two edges are held at the point where they cross now."""

ROUND_OFF = 1e-9
"""Metres that a gap may be negative when the solids are apart."""


@kernel
def flat_pair(shapes, g, h, limit, out):
    """Features between two geoms of which at least one has faces."""
    size = min(shapes.reach[g], shapes.reach[h])
    if size == 0.0:
        size = max(shapes.reach[g], shapes.reach[h])
    gap_g, face_g = face_separation(shapes, g, h, limit)
    if gap_g > limit:
        return
    gap_h, face_h = face_separation(shapes, h, g, limit)
    if gap_h > limit:
        return
    gap_e, e, f = edge_separation(shapes, g, h, limit)
    if gap_e > limit:
        return
    best = max(gap_g, gap_h)
    edges_lead = gap_e > best + PREFERENCE * size
    if edges_lead:
        side = _side(shapes, e, f)
        put_edges(shapes, g, h, e, f, side, 0.0, out)
        least = min(0.0, gap_e) - ROUND_OFF
    else:
        least, e, f = -inf, -1, -1
    # the second solid's face must separate clearly better, so that equal ones do not take turns
    if gap_h > gap_g + PREFERENCE * size:
        _patch(shapes, h, g, face_h, 1, f, e, least, limit, size, out)
    else:
        _patch(shapes, g, h, face_g, 0, e, f, least, limit, size, out)


@kernel
def _side(shapes, e, f):
    """The sign that turns the product of two edges' directions into their outward normal."""
    _, u, _ = edge_line(shapes.corner_now, shapes.edge, e)
    _, v, _ = edge_line(shapes.corner_now, shapes.edge, f)
    return 1.0 if dot(cross(u, v), edges_normal(shapes, e, f)) > 0.0 else -1.0


@kernel
def _patch(shapes, g, h, face, swapped, lead_e, lead_f, least, limit, size, out):
    """Corners of the overlap of a face of g with what lies over it of h."""
    n = row3(shapes.normal_now, face)
    base = row3(shapes.corner_now, shapes.outline[shapes.outline_start[face]])
    for c in range(shapes.corner_start[h], shapes.corner_start[h + 1]):
        d = dot(n, sub(row3(shapes.corner_now, c), base))
        if least <= d <= limit and over_face(shapes, face, row3(shapes.corner_now, c), SLACK * size):
            put_corner_on_face(shapes, g, face, h, c, 0.0, out)
    first, last = shapes.outline_start[face], shapes.outline_start[face + 1]
    for other in range(shapes.face_start[h], shapes.face_start[h + 1]):
        m = row3(shapes.normal_now, other)
        if dot(m, n) > -0.1:
            continue
        foot = row3(shapes.corner_now, shapes.outline[shapes.outline_start[other]])
        for o in range(first, last):
            c = shapes.outline[o]
            corner = row3(shapes.corner_now, c)
            d = dot(m, sub(corner, foot))
            if least <= d <= limit and over_face(shapes, other, corner, -SLACK * size):
                put_corner_on_face(shapes, h, other, g, c, 0.0, out)
    for e in range(shapes.edge_start[g], shapes.edge_start[g + 1]):
        if shapes.edge_face[e, 0] != face and shapes.edge_face[e, 1] != face:
            continue
        a, u, length_a = edge_line(shapes.corner_now, shapes.edge, e)
        for f in range(shapes.edge_start[h], shapes.edge_start[h + 1]):
            if (e == lead_e and f == lead_f) or not faces_down(shapes, f, n):
                continue
            b, v, length_b = edge_line(shapes.corner_now, shapes.edge, f)
            w = cross(u, v)
            across = norm(w)
            if across < SLACK:
                continue
            side = 1.0 if dot(w, n) > 0.0 else -1.0
            if fabs(dot(w, n)) < 0.5 * across:
                continue
            _, s, t, d = lines(u, v, sub(b, a), side)
            if not (least <= d <= limit and 0.0 < s < length_a and 0.0 < t < length_b):
                continue
            if across > LOOSE:
                if swapped:
                    put_edges(shapes, h, g, f, e, side, 0.0, out)
                else:
                    put_edges(shapes, g, h, e, f, side, 0.0, out)
            else:
                put_crossing(shapes, g, face, h, e, f, t, out)


@kernel
def faces_down(shapes, f, n):
    """Whether an edge bounds a face that looks against n."""
    one, other = shapes.edge_face[f, 0], shapes.edge_face[f, 1]
    if one < 0:
        return True
    return dot(row3(shapes.normal_now, one), n) < -0.05 or (
        other >= 0 and dot(row3(shapes.normal_now, other), n) < -0.05
    )


@kernel
def over_face(shapes, face, p, slack):
    """Whether the point p is over a face, as seen along its normal, with ``slack`` metres to spare."""
    n = row3(shapes.normal_now, face)
    first, last = shapes.outline_start[face], shapes.outline_start[face + 1]
    tail = row3(shapes.corner_now, shapes.outline[last - 1])
    for o in range(first, last):
        tip = row3(shapes.corner_now, shapes.outline[o])
        out = cross(sub(tip, tail), n)
        if dot(out, sub(p, tail)) > slack * norm(out):
            return False
        tail = tip
    return True


@kernel
def put_corner_on_face(shapes, g, face, h, c, radius, out):
    """The feature between a face of g and a corner of h."""
    p, n, b = row3(shapes.face_point, face), row3(shapes.face_normal, face), row3(shapes.corner, c)
    identity = (face - shapes.face_start[g] << 20) + c - shapes.corner_start[h]
    put_feature(out, g, h, POINT_PLANE, identity, p, n, b, (0.0, 0.0, 1.0), radius)


@kernel
def put_crossing(shapes, g, face, h, e, f, t, out):
    """The feature between a face of g and the point of edge f of h, t metres along it, that crosses its edge e."""
    p, n = row3(shapes.face_point, face), row3(shapes.face_normal, face)
    b, v, _ = edge_line(shapes.corner, shapes.edge, f)
    identity = (1 << 50) + (e - shapes.edge_start[g] << 20) + f - shapes.edge_start[h]
    put_feature(out, g, h, POINT_PLANE, identity, p, n, axpy(t, v, b), v, 0.0)
