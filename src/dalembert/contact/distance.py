"""The exact distance of two solids with flat faces, part by part.

Where two convex polyhedra are nearest, a corner of one is over a face of the other, or two edges, their ends included,
are nearest to each other; the smallest of all these distances is theirs. Where they overlap, it is minus the length of
the shortest move that parts them: along the separating axis.
"""

from math import inf

from dalembert._jit import kernel
from dalembert.contact.flat_pair import over_face
from dalembert.contact.round_pair import edge_line
from dalembert.contact.separation import edge_separation, face_separation
from dalembert.spatial.vector import axpy, dot, norm, row3, sub


@kernel
def flat_distance(shapes, g, h):
    """Signed distance of the cores of g, which has faces, and h, m."""
    gap_g, _ = face_separation(shapes, g, h, inf)
    gap_h, _ = face_separation(shapes, h, g, inf)
    gap_e, _, _ = edge_separation(shapes, g, h, inf)
    apart = max(gap_g, gap_h, gap_e)
    if apart <= 0.0:
        return apart
    return min(over_faces(shapes, g, h), over_faces(shapes, h, g), between_edges(shapes, g, h))


@kernel
def over_faces(shapes, g, h):
    """The smallest height of a corner of h over a face of g."""
    best = inf
    for f in range(shapes.face_start[g], shapes.face_start[g + 1]):
        n = row3(shapes.normal_now, f)
        base = row3(shapes.corner_now, shapes.outline[shapes.outline_start[f]])
        for c in range(shapes.corner_start[h], shapes.corner_start[h + 1]):
            p = row3(shapes.corner_now, c)
            d = dot(n, sub(p, base))
            if 0.0 <= d < best and over_face(shapes, f, p, 0.0):
                best = d
    return best


@kernel
def between_edges(shapes, g, h):
    """The smallest distance of an edge of g and an edge, or the only corner, of h."""
    best, first = inf, shapes.corner_start[h]
    point = shapes.edge_start[h + 1] == shapes.edge_start[h]
    for e in range(shapes.edge_start[g], shapes.edge_start[g + 1]):
        a, u, length_a = edge_line(shapes.corner_now, shapes.edge, e)
        if point:
            best = min(best, segments(a, u, length_a, row3(shapes.corner_now, first), u, 0.0))
        for f in range(shapes.edge_start[h], shapes.edge_start[h + 1]):
            b, v, length_b = edge_line(shapes.corner_now, shapes.edge, f)
            best = min(best, segments(a, u, length_a, b, v, length_b))
    return best


@kernel
def segments(a, u, length_a, b, v, length_b):
    """Distance of the segments a + s u, 0 ≤ s ≤ length_a, and b + t v: inside both, or at one of four ends."""
    r, c = sub(b, a), dot(u, v)
    across = 1.0 - c * c
    if across > 1e-12:
        s, t = (dot(u, r) - c * dot(v, r)) / across, (c * dot(u, r) - dot(v, r)) / across
        if 0.0 <= s <= length_a and 0.0 <= t <= length_b:
            return norm(sub(axpy(t, v, b), axpy(s, u, a)))
    best = inf
    for end in range(2):
        p = axpy(end * length_b, v, b)
        s = max(0.0, min(length_a, dot(u, sub(p, a))))
        best = min(best, norm(sub(p, axpy(s, u, a))))
        p = axpy(end * length_a, u, a)
        t = max(0.0, min(length_b, dot(v, sub(p, b))))
        best = min(best, norm(sub(p, axpy(t, v, b))))
    return best
