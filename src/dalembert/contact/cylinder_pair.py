"""A cylinder and another solid: distances of their parts.

The parts of a cylinder are its side, a segment swept by a ball as far as its ends reach, its two ends, and their rims.
Against a ball or a capsule every distance between a part of one core and a part of the other is a sound feature while
the cores are apart. Sharp rims and sharp edges touch with the normal across both, which counts if it points out of both
solids where they meet.
"""

from math import atan2, cos, fabs, pi, sin, sqrt

from dalembert._jit import kernel
from dalembert.contact.circles import rim_from_line, rim_from_rim, rim_rim
from dalembert.contact.features import LINE_LINE, POINT_CYLINDER, POINT_PLANE, RIM_LINE, RIM_RIM
from dalembert.contact.gaps import tangents
from dalembert.contact.nearest import cylinder_point, lines, rim_line, segment_point
from dalembert.contact.rims import END, LEANING, rims_over
from dalembert.contact.round_pair import PARALLEL, edge_line
from dalembert.contact.surface import put_feature, put_frame, put_radius_a, put_side, put_size
from dalembert.model.contact_geometry import CYLINDER, HEIGHT_FIELD
from dalembert.spatial.quaternion import rotate, rotate_back, row4
from dalembert.spatial.vector import add, axpy, cross, dot, norm, row3, scale, sub

AROUND = 16
"""Directions from which nearest points of a rim are looked for."""

ALONG = 0.01
"""Sine of the angle below which an edge runs along a rim, or a rim along another: too loose a place for a feature."""

OUTSIDE = 0.02
"""Sine of the angle by which a normal may leave the directions that point out of an edge."""

SLACK = 1e-6
"""Part of a size by which points that are to be inside of both solids where a rim and an edge overlap may be out."""

SIDES, RIMS, FACES = 3 << 50, 4 << 50, 5 << 50
"""Identities of features of the side, of the rims, and of flat parts start here; those of points at 0."""


@kernel
def cylinder_pair(shapes, g, h, limit, out):
    """Features between the cylinder g and the solid h."""
    if shapes.kind[h] == CYLINDER:
        sides_cross(shapes, g, h, limit, out)
        for end in range(2):
            rim_on_side(shapes, g, h, end, limit, out)
            rim_on_side(shapes, h, g, end, limit, out)
            over_end(shapes, g, h, end, limit, out)
            over_end(shapes, h, g, end, limit, out)
            for other in range(2):
                rim_on_rim(shapes, g, h, end, other, limit, out)
        return
    radius = shapes.radius[h]
    for c in range(shapes.corner_start[h], shapes.corner_start[h + 1]):
        point_on_cylinder(shapes, g, h, c, radius, limit, out)
    for e in range(shapes.edge_start[h], shapes.edge_start[h + 1]):
        edge_on_cylinder(shapes, g, h, e, radius, limit, out)
    for f in range(shapes.face_start[h], shapes.face_start[h + 1]):
        n, base = row3(shapes.normal_now, f), row3(shapes.corner_now, shapes.outline[shapes.outline_start[f]])
        plane = (n, base, row3(shapes.face_normal, f), row3(shapes.face_point, f))
        rims_over(shapes, h, f, plane, g, FACES + (f - shapes.face_start[h] << 20), limit, out)


@kernel
def axis_now(shapes, g):
    """(middle, direction of the axis) of a cylinder in the world."""
    return row3(shapes.point_now, g), rotate(row4(shapes.frame_now, g), (0.0, 0.0, 1.0))


@kernel
def axis_in_body(shapes, g):
    """(middle, direction of the axis) of a cylinder in the axes of its body."""
    return row3(shapes.point, g), rotate(row4(shapes.frame, g), (0.0, 0.0, 1.0))


@kernel
def point_on_cylinder(shapes, g, h, c, radius, limit, out):
    """Corner c of h, swept by its radius, against the cylinder g."""
    m, v = axis_now(shapes, g)
    size = (shapes.size[g, 0], shapes.size[g, 1], 0.0)
    _, _, d = cylinder_point(v, size, sub(row3(shapes.corner_now, c), m))
    if d - radius <= limit:
        a, u = axis_in_body(shapes, g)
        identity = c - shapes.corner_start[h]
        k = put_feature(out, g, h, POINT_CYLINDER, identity, a, u, row3(shapes.corner, c), u, radius)
        put_size(out, k, size)


@kernel
def edge_on_cylinder(shapes, g, h, e, radius, limit, out):
    """Edge e of h, swept by its radius, against the side and the rims of the cylinder g."""
    m, v = axis_now(shapes, g)
    size_r, half = shapes.size[g, 0], shapes.size[g, 1]
    a, u, length = edge_line(shapes.corner_now, shapes.edge, e)
    _, _, d = segment_point(u, 0.5 * length, sub(m, axpy(0.5 * length, u, a)))
    if d > shapes.reach[g] + radius + limit:
        return
    number = e - shapes.edge_start[h] << 20
    if norm(cross(v, u)) >= PARALLEL:
        _, s, t, d = lines(v, u, sub(a, m), 1.0)
        deep = size_r + radius - fabs(d)
        if -limit <= deep and beside(deep, s, half) and 0.0 < t < length:
            p, w = axis_in_body(shapes, g)
            b, along, _ = edge_line(shapes.corner, shapes.edge, e)
            k = put_feature(out, g, h, LINE_LINE, SIDES + number, p, w, b, along, size_r + radius)
            put_side(out, k, 1.0 if d >= 0.0 else -1.0)
            put_radius_a(out, k, size_r)
    for end in range(2):
        center = axpy(half if end else -half, v, m)
        x = sub(center, a)
        along = dot(u, x)
        if sqrt(max(0.0, dot(x, x) - along * along)) > size_r + radius + limit:
            continue
        first, second = tangents(v)
        before = rim_from_line(u, x, v, size_r, spoke(first, second, AROUND - 1))
        now = rim_from_line(u, x, v, size_r, spoke(first, second, 0))
        for c in range(AROUND):
            after = rim_from_line(u, x, v, size_r, spoke(first, second, c + 1))
            if now <= before and now < after:
                look = spoke(first, second, c)
                put_rim_on_edge(
                    shapes, g, h, end, e, (a, u, length), look, radius, limit, RIMS + number + 16 * end + c, out
                )
            before, now = now, after


@kernel
def spoke(first, second, c):
    """One of AROUND directions in a plane."""
    angle = 2.0 * pi * c / AROUND
    return axpy(cos(angle), first, scale(sin(angle), second))


@kernel
def put_rim_on_edge(shapes, g, h, end, e, edge, look, radius, limit, identity, out):
    """The feature between edge e of h and the point of a rim of g that is found from the direction ``look``."""
    a, u, length = edge
    m, v = axis_now(shapes, g)
    size_r, up = shapes.size[g, 0], 2.0 * end - 1.0
    center = axpy(up * shapes.size[g, 1], v, m)
    if radius == 0.0 and fabs(dot(cross(v, look), u)) > 1.0 - 1e-12:
        # the edge runs along the rim there
        return
    n, s, low, d = rim_line(u, v, size_r, look, sub(center, a), 1.0, radius)
    if not 0.0 < s < length:
        return
    side = 1.0
    if radius == 0.0:
        out_of_rim = scale(1.0 / size_r, low)
        if norm(cross(u, cross(v, out_of_rim))) < ALONG:
            return
        if not (points_out(shapes, e, u, n) and points_in(n, out_of_rim, scale(up, v))):
            n, d, side = scale(-1.0, n), -d, -1.0
            if not (points_out(shapes, e, u, n) and points_in(n, out_of_rim, scale(up, v))):
                return
        if d < 0.0:
            spot = add(center, low)
            size = (size_r, shapes.size[g, 1], 0.0)
            if cylinder_point(v, size, sub(axpy(-d, n, spot), m))[2] > SLACK * size_r or not within(shapes, h, spot):
                return
    if d - radius > limit:
        return
    b, w = axis_in_body(shapes, g)
    b = axpy(up * shapes.size[g, 1], w, b)
    start, along, _ = edge_line(shapes.corner, shapes.edge, e)
    k = put_feature(out, h, g, RIM_LINE, identity, start, along, b, w, radius)
    put_size(out, k, (size_r, 0.0, 0.0))
    put_side(out, k, side)
    put_radius_a(out, k, radius)
    x = to_body(shapes, g, low)
    put_frame(out, k, (x[0], x[1], x[2], 0.0))


@kernel
def to_body(shapes, g, x):
    """A direction of the world in the axes of g's body."""
    own = rotate_back(row4(shapes.frame_now, g), x)
    return rotate(row4(shapes.frame, g), own)


@kernel
def within(shapes, h, point):
    """Whether a point is inside a solid with flat faces; a height field has no inside here."""
    if shapes.kind[h] == HEIGHT_FIELD:
        return True
    for f in range(shapes.face_start[h], shapes.face_start[h + 1]):
        base = row3(shapes.corner_now, shapes.outline[shapes.outline_start[f]])
        if dot(row3(shapes.normal_now, f), sub(point, base)) > SLACK * shapes.reach[h]:
            return False
    return True


@kernel
def points_out(shapes, e, u, n):
    """Whether n points out of the solid at its edge e: away from both faces that meet there."""
    n1, n2 = row3(shapes.normal_now, shapes.edge_face[e, 0]), row3(shapes.normal_now, shapes.edge_face[e, 1])
    for k in range(2):
        one, other = (n1, n2) if k == 0 else (n2, n1)
        along = cross(u, one)
        # into the face, which falls away from the other
        sign = -1.0 if dot(along, other) > 0.0 else 1.0
        if sign * dot(along, n) > OUTSIDE:
            return False
    return True


@kernel
def points_in(n, out_of_rim, out_of_end):
    """Whether n points into a cylinder at a point of its rim."""
    return dot(n, out_of_rim) <= OUTSIDE and dot(n, out_of_end) <= OUTSIDE


@kernel
def beside(deep, s, half):
    """Whether a point at s along a cylinder's axis, so deep in its side, is beside it: no nearer to one of its ends.

    What is over an end by no more than round-off would else be thrown out sideways.
    """
    return fabs(s) < half - max(0.0, deep)


@kernel
def sides_cross(shapes, g, h, limit, out):
    """The sides of two cylinders whose axes cross."""
    (m, u), (c, v) = axis_now(shapes, g), axis_now(shapes, h)
    if norm(cross(u, v)) < PARALLEL:
        return
    radius = shapes.size[g, 0] + shapes.size[h, 0]
    _, s, t, d = lines(u, v, sub(c, m), 1.0)
    deep = radius - fabs(d)
    if -limit <= deep and beside(deep, s, shapes.size[g, 1]) and beside(deep, t, shapes.size[h, 1]):
        (a, x), (b, y) = axis_in_body(shapes, g), axis_in_body(shapes, h)
        k = put_feature(out, g, h, LINE_LINE, SIDES, a, x, b, y, radius)
        put_side(out, k, 1.0 if d >= 0.0 else -1.0)
        put_radius_a(out, k, shapes.size[g, 0])


@kernel
def rim_on_side(shapes, g, h, end, limit, out):
    """A rim of h against the side of g: its axis swept by a ball."""
    (m, u), (c, v) = axis_now(shapes, g), axis_now(shapes, h)
    swept, size_r, up = shapes.size[g, 0], shapes.size[h, 0], 2.0 * end - 1.0
    x = sub(axpy(up * shapes.size[h, 1], v, c), m)
    first, second = tangents(v)
    before = rim_from_line(u, x, v, size_r, spoke(first, second, AROUND - 1))
    now = rim_from_line(u, x, v, size_r, spoke(first, second, 0))
    for i in range(AROUND):
        after = rim_from_line(u, x, v, size_r, spoke(first, second, i + 1))
        if now <= before and now < after:
            _, s, low, d = rim_line(u, v, size_r, spoke(first, second, i), x, 1.0, swept)
            if d - swept <= limit and beside(swept - d, s, shapes.size[g, 1]):
                (a, w), (b, y) = axis_in_body(shapes, g), axis_in_body(shapes, h)
                b = axpy(up * shapes.size[h, 1], y, b)
                k = put_feature(out, g, h, RIM_LINE, SIDES + 16 * (end + 1) + i, a, w, b, y, swept)
                put_size(out, k, (size_r, 0.0, 0.0))
                put_radius_a(out, k, swept)
                look = to_body(shapes, h, low)
                put_frame(out, k, (look[0], look[1], look[2], 0.0))
        before, now = now, after


@kernel
def over_end(shapes, g, h, end, limit, out):
    """The rims of h over an end of g, and where they cross its rim if both lie flat on each other."""
    (m, u), (c, v) = axis_now(shapes, g), axis_now(shapes, h)
    a, w = axis_in_body(shapes, g)
    up, half = 2.0 * end - 1.0, shapes.size[g, 1]
    plane = (scale(up, u), axpy(up * half, u, m), scale(up, w), axpy(up * half, w, a))
    rims_over(shapes, g, END, plane, h, FACES + 64 * end, limit, out)
    if norm(cross(u, v)) > LEANING:
        return
    # two circles in one plane, their middles a distance apart, cross at ± an angle from the line between
    n, base, m_g, p_g = plane
    r_g, r_h = shapes.size[g, 0], shapes.size[h, 0]
    facing = -1.0 if dot(n, v) > 0.0 else 1.0
    center = axpy(facing * shapes.size[h, 1], v, c)
    across = sub(base, center)
    across = axpy(-dot(n, across), n, across)
    apart = norm(across)
    if apart <= fabs(r_g - r_h) or apart >= r_g + r_h:
        return
    toward = scale(1.0 / apart, across)
    aside = cross(n, toward)
    cosine = (apart * apart + r_h * r_h - r_g * r_g) / (2.0 * apart * r_h)
    sine = sqrt(max(0.0, 1.0 - cosine * cosine))
    for k in range(2):
        spot = add(center, scale(r_h, axpy(cosine, toward, scale(sine if k else -sine, aside))))
        # on the rim of h as it leans
        r = sub(spot, center)
        r = axpy(-dot(r, v), v, r)
        r = scale(r_h / norm(r), r)
        d = dot(n, sub(add(center, r), base))
        if -0.1 * r_h <= d <= limit:
            b, y = axis_in_body(shapes, h)
            point = add(axpy(facing * shapes.size[h, 1], y, b), to_body(shapes, h, r))
            put_feature(out, g, h, POINT_PLANE, FACES + 64 * end + 40 + k, p_g, m_g, point, y, 0.0)


@kernel
def rim_on_rim(shapes, g, h, end, other, limit, out):
    """Points where a rim of g and one of h are nearest to each other."""
    (m, u), (c, v) = axis_now(shapes, g), axis_now(shapes, h)
    up, over = 2.0 * end - 1.0, 2.0 * other - 1.0
    r_g, r_h = shapes.size[g, 0], shapes.size[h, 0]
    x = sub(axpy(over * shapes.size[h, 1], v, c), axpy(up * shapes.size[g, 1], u, m))
    if norm(x) > r_g + r_h + limit or norm(cross(u, v)) < PARALLEL:
        return
    first, second = tangents(v)
    before = rim_from_rim(u, r_g, v, r_h, x, spoke(first, second, AROUND - 1))
    now = rim_from_rim(u, r_g, v, r_h, x, spoke(first, second, 0))
    for i in range(AROUND):
        after = rim_from_rim(u, r_g, v, r_h, x, spoke(first, second, i + 1))
        if now <= before and now < after:
            look = spoke(first, second, i)
            start = axpy(r_h, look, x)
            put_rim_on_rim(shapes, g, h, (up, over), x, start, look, limit, RIMS + 64 * end + 32 * other + i, out)
        before, now = now, after


@kernel
def put_rim_on_rim(shapes, g, h, ends, x, start, look, limit, identity, out):
    """The feature between two rims that is found from ``look`` on that of h and towards ``start`` on that of g."""
    (_, u), (_, v) = axis_now(shapes, g), axis_now(shapes, h)
    r_g, r_h = shapes.size[g, 0], shapes.size[h, 0]
    start = axpy(-dot(u, start), u, start)
    if norm(start) < PARALLEL * r_g:
        return
    n, near, low, d = rim_rim(u, r_g, start, v, r_h, look, x, 1.0)
    out_g, out_h = scale(1.0 / r_g, near), scale(1.0 / r_h, low)
    if norm(cross(cross(u, out_g), cross(v, out_h))) < ALONG:
        return
    end_g, end_h, side = scale(ends[0], u), scale(ends[1], v), 1.0
    if not (points_in(scale(-1.0, n), out_g, end_g) and points_in(n, out_h, end_h)):
        n, d, side = scale(-1.0, n), -d, -1.0
        if not (points_in(scale(-1.0, n), out_g, end_g) and points_in(n, out_h, end_h)):
            return
    if d > limit:
        return
    if d < 0.0:
        # from the end of g, and from that of h
        at_g, at_h = add(x, low), sub(near, x)
        size_g, size_h = (r_g, shapes.size[g, 1], 0.0), (r_h, shapes.size[h, 1], 0.0)
        middle_g, middle_h = scale(-ends[0] * size_g[1], u), scale(-ends[1] * size_h[1], v)
        if cylinder_point(u, size_g, sub(at_g, middle_g))[2] > SLACK * r_g:
            return
        if cylinder_point(v, size_h, sub(at_h, middle_h))[2] > SLACK * r_h:
            return
    (a, w), (b, y) = axis_in_body(shapes, g), axis_in_body(shapes, h)
    a, b = axpy(ends[0] * shapes.size[g, 1], w, a), axpy(ends[1] * shapes.size[h, 1], y, b)
    k = put_feature(out, g, h, RIM_RIM, identity, a, w, b, y, 0.0)
    t, s = tangents(w)
    near = to_body(shapes, g, near)
    put_size(out, k, (r_h, r_g, atan2(dot(s, near), dot(t, near))))
    put_side(out, k, side)
    low = to_body(shapes, h, low)
    put_frame(out, k, (low[0], low[1], low[2], 0.0))
