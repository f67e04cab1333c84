"""In which direction two convex solids with flat faces are furthest apart: the separating axis.

Two such solids are apart if and only if one of these directions separates them: a face normal of one of them, or the
normal n of an edge of each, where n is an outward normal of the first's edge and an inward one of the second's. The
latter is so if the arcs between the normals of the two faces at each edge cross on the sphere of directions
[Gregorius 2013]; only then is the pair a face of the difference of the two solids.
"""

from math import inf

from dalembert._jit import kernel
from dalembert.contact.nearest import TINY
from dalembert.contact.round_pair import edge_line
from dalembert.spatial.vector import cross, dot, norm, row3, scale, sub


@kernel
def face_separation(shapes, g, h, limit):
    """(separation, face): the face of g from which the corners of h are furthest. Stops once it exceeds ``limit``."""
    best, chosen = -inf, -1
    for f in range(shapes.face_start[g], shapes.face_start[g + 1]):
        n = row3(shapes.normal_now, f)
        base = dot(n, row3(shapes.corner_now, shapes.outline[shapes.outline_start[f]]))
        lowest = inf
        for c in range(shapes.corner_start[h], shapes.corner_start[h + 1]):
            lowest = min(lowest, dot(n, row3(shapes.corner_now, c)) - base)
            if lowest <= best:
                break
        if lowest > best:
            best, chosen = lowest, f
            if best > limit:
                break
    return best, chosen


@kernel
def edge_separation(shapes, g, h, limit):
    """(separation, edge of g, edge of h) for the pair of edges that are furthest apart; −inf if none faces another."""
    best, edge_g, edge_h = -inf, -1, -1
    for e in range(shapes.edge_start[g], shapes.edge_start[g + 1]):
        a = row3(shapes.corner_now, shapes.edge[e, 0])
        for f in range(shapes.edge_start[h], shapes.edge_start[h + 1]):
            n = edges_normal(shapes, e, f)
            if dot(n, n) == 0.0:
                continue
            d = dot(n, sub(row3(shapes.corner_now, shapes.edge[f, 0]), a))
            if d > best:
                best, edge_g, edge_h = d, e, f
                if best > limit:
                    return best, edge_g, edge_h
    return best, edge_g, edge_h


@kernel
def edges_normal(shapes, e, f):
    """The unit normal of a pair of edges, out of the first's solid; zero if the edges do not face each other.

    With faces n₁, n₂ at e and m₁, m₂ at f: the arc n₁n₂ crosses the arc from −m₁ to −m₂ if each arc's ends are on
    different sides of the other's great circle, and the crossing is not on the far side. An edge without faces, the
    core of a capsule, has all directions across it: f may be one, e has faces.
    """
    zero = (0.0, 0.0, 0.0)
    n1, n2 = row3(shapes.normal_now, shapes.edge_face[e, 0]), row3(shapes.normal_now, shapes.edge_face[e, 1])
    u = cross(n1, n2)
    if shapes.edge_face[f, 0] < 0:
        _, v, _ = edge_line(shapes.corner_now, shapes.edge, f)
        if dot(n1, v) * dot(n2, v) >= 0.0:
            return zero
    else:
        m1, m2 = row3(shapes.normal_now, shapes.edge_face[f, 0]), row3(shapes.normal_now, shapes.edge_face[f, 1])
        v = cross(m1, m2)
        # −m against u, and n against v
        p1, p2, q1, q2 = -dot(m1, u), -dot(m2, u), dot(n1, v), dot(n2, v)
        if p1 * p2 >= 0.0 or q1 * q2 >= 0.0 or p1 * q2 <= 0.0:
            return zero
    n = cross(u, v)
    length = norm(n)
    if length < TINY:
        return zero
    return scale((1.0 if dot(n, n1) + dot(n, n2) > 0.0 else -1.0) / length, n)
