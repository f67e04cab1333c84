"""A height field and a solid.

The free space over a height field is not convex, so which of its parts a feature may be made of depends on how they
meet. At a ridge the plane of a triangle is no condition beyond the triangle; in a valley it is one on both sides. So a
sharp corner of a solid has the plane of the triangle under it, and those across valleys that it could reach in the
step. A ball has the planes of the triangles under it and of those across flat edges and valleys, so that the normal of
one that it is about to roll onto is that of its plane and not of its border, and its distance from triangles that end
at a ridge, which is right wherever it goes. Against the inside of a capsule, the faces and edges of a solid and all of
a cylinder stand the ridges, and the corners that end them.
"""

from math import floor

from dalembert._jit import kernel
from dalembert.contact.cylinder_pair import edge_on_cylinder, point_on_cylinder, points_out
from dalembert.contact.features import POINT_TRIANGLE
from dalembert.contact.flat_pair import over_face, put_corner_on_face
from dalembert.contact.nearest import lines, segment_point, triangle_point
from dalembert.contact.rims import rims_over
from dalembert.contact.round_pair import cross_edges, edge_line, put_edges, put_end_on_segment
from dalembert.contact.surface import put_feature, put_frame, put_size
from dalembert.model.contact_geometry import CYLINDER
from dalembert.spatial.quaternion import rotate_back, row4
from dalembert.spatial.vector import add, axpy, cross, dot, norm, row3, scale, sub

VALLEY, FLAT, RIDGE, BORDER = 1, 0, -1, -2

BENT = 1e-9
"""Part of a cell by which neighbouring triangles leave each other's plane before they make a ridge or a valley."""

DEEP = 0.1
"""Part of a solid's size below which a corner of the ground has passed its face, or a ridge its edge."""


@kernel
def terrain_pair(shapes, g, h, limit, out):
    """Features between the height field g and the solid h."""
    radius = shapes.radius[h]
    if shapes.kind[h] == CYLINDER:
        cylinder_on_ridges(shapes, g, h, limit, out)
        return
    for c in range(shapes.corner_start[h], shapes.corner_start[h + 1]):
        if radius > 0.0:
            ball_on_triangles(shapes, g, h, c, radius, limit, out)
        else:
            corner_on_triangles(shapes, g, h, c, limit, out)
    if shapes.edge_start[h + 1] > shapes.edge_start[h]:
        ridges(shapes, g, h, radius, limit, out)


@kernel
def cells_near(shapes, g, p, reach):
    """(first row, past the last, first column, past the last) of the cells within ``reach`` of p across the heights."""
    x = rotate_back(row4(shapes.frame_now, g), sub(p, row3(shapes.point_now, g)))
    rows, columns = shapes.grid[g, 0] - 1, shapes.grid[g, 1] - 1
    dx, dy = shapes.spacing[g, 0], shapes.spacing[g, 1]
    i, j = (x[0] + shapes.size[g, 0]) / dx, (x[1] + shapes.size[g, 1]) / dy
    r, s = reach / dx, reach / dy
    return (
        floor(max(0.0, min(rows, i - r))),
        floor(max(-1.0, min(rows - 1, i + r))) + 1,
        floor(max(0.0, min(columns, j - s))),
        floor(max(-1.0, min(columns - 1, j + s))) + 1,
    )


@kernel
def ball_on_triangles(shapes, g, h, c, radius, limit, out):
    """Corner c of h, swept by a ball, against the triangles near it."""
    p, first = row3(shapes.corner_now, c), shapes.corner_start[h]
    i0, i1, j0, j1 = cells_near(shapes, g, p, radius + limit)
    for i in range(i0, i1):
        for j in range(j0, j1):
            for which in range(2):
                own = 2 * (i * (shapes.grid[g, 1] - 1) + j) + which
                face = shapes.face_start[g] + own
                start = shapes.outline_start[face]
                a, b, t = shapes.outline[start], shapes.outline[start + 1], shapes.outline[start + 2]
                n, x = row3(shapes.normal_now, face), row3(shapes.corner_now, a)
                height = dot(n, sub(p, x))
                if height - radius > limit:
                    continue
                u, v = in_cell(shapes, g, axpy(-height, n, p), i, j)
                if over_triangle(shapes, g, i, j, which, u, v, limit, 0):
                    put_corner_on_face(shapes, g, face, h, c, radius, out)
                    continue
                along, across = sub(row3(shapes.corner_now, b), x), sub(row3(shapes.corner_now, t), x)
                _, _, d = triangle_point(along, across, sub(p, x))
                if d - radius <= limit:
                    x = row3(shapes.corner, a)
                    along, across = sub(row3(shapes.corner, b), x), sub(row3(shapes.corner, t), x)
                    n, q = row3(shapes.face_normal, face), row3(shapes.corner, c)
                    k = put_feature(out, g, h, POINT_TRIANGLE, (6 << 50) + (own << 20) + c - first, x, n, q, n, radius)
                    put_frame(out, k, (along[0], along[1], along[2], 0.0))
                    put_size(out, k, across)


@kernel
def in_cell(shapes, g, p, i, j):
    """Where a point is in cell (i, j), along its sides, in cells."""
    x = rotate_back(row4(shapes.frame_now, g), sub(p, row3(shapes.point_now, g)))
    u = (x[0] + shapes.size[g, 0]) / shapes.spacing[g, 0] - i
    return u, (x[1] + shapes.size[g, 1]) / shapes.spacing[g, 1] - j


@kernel
def corner_on_triangles(shapes, g, h, c, limit, out):
    """The sharp corner c of h over the triangle under it and over those across valleys within reach."""
    p = row3(shapes.corner_now, c)
    i0, i1, j0, j1 = cells_near(shapes, g, p, limit)
    for i in range(i0, i1):
        for j in range(j0, j1):
            u, v = in_cell(shapes, g, p, i, j)
            for which in range(2):
                face = shapes.face_start[g] + 2 * (i * (shapes.grid[g, 1] - 1) + j) + which
                base = row3(shapes.corner_now, shapes.outline[shapes.outline_start[face]])
                d = dot(row3(shapes.normal_now, face), sub(p, base))
                if d <= limit and over_triangle(shapes, g, i, j, which, u, v, limit, 1):
                    put_corner_on_face(shapes, g, face, h, c, 0.0, out)


@kernel
def over_triangle(shapes, g, i, j, which, u, v, reach, least):
    """Whether (u, v) in cell (i, j), in cells, is over one of its triangles.

    It may be beyond its sides by ``reach`` where they bend up by ``least``: VALLEY, or FLAT and more.
    """
    columns = shapes.grid[g, 1]
    dx, dy = shapes.spacing[g, 0], shapes.spacing[g, 1]
    along_y = (shapes.grid[g, 0] - 1) * columns
    across = along_y + shapes.grid[g, 0] * (columns - 1)
    diagonal = across + i * (columns - 1) + j
    # how far outside of each of its sides, across the heights
    lean = (u - v) * dx * dy / (dx * dx + dy * dy) ** 0.5
    if which == 0:
        return (
            beyond(shapes, g, -v * dy, i * columns + j, reach, least)
            and beyond(shapes, g, (u - 1.0) * dx, along_y + (i + 1) * (columns - 1) + j, reach, least)
            and beyond(shapes, g, -lean, diagonal, reach, least)
        )
    return (
        beyond(shapes, g, (v - 1.0) * dy, i * columns + j + 1, reach, least)
        and beyond(shapes, g, -u * dx, along_y + i * (columns - 1) + j, reach, least)
        and beyond(shapes, g, lean, diagonal, reach, least)
    )


@kernel
def beyond(shapes, g, outside, e, reach, least):
    """Whether a point so far outside of an edge of a triangle still counts for it."""
    if outside <= BENT * shapes.spacing[g, 0]:
        return True
    return outside <= reach and bend(shapes, g, shapes.edge_start[g] + e) >= least


@kernel
def bend(shapes, g, e):
    """VALLEY, FLAT, RIDGE or BORDER: what edge e is."""
    one, other = shapes.edge_face[e, 0], shapes.edge_face[e, 1]
    if one < 0 or other < 0:
        return BORDER
    a, b, start = shapes.edge[e, 0], shapes.edge[e, 1], shapes.outline_start[other]
    for k in range(3):
        c = shapes.outline[start + k]
        if c != a and c != b:
            rise = dot(row3(shapes.normal_now, one), sub(row3(shapes.corner_now, c), row3(shapes.corner_now, a)))
            least = BENT * shapes.spacing[g, 0]
            return VALLEY if rise > least else (RIDGE if rise < -least else FLAT)
    return BORDER


@kernel
def corner_edge(shapes, g, i, j, k):
    """The k-th of the six edges at corner (i, j) of the grid, or −1."""
    rows, columns = shapes.grid[g, 0], shapes.grid[g, 1]
    along_y = shapes.edge_start[g] + (rows - 1) * columns
    across = along_y + rows * (columns - 1)
    back = 1 if k % 2 else 0
    if k < 2:
        return shapes.edge_start[g] + (i - back) * columns + j if 0 <= i - back < rows - 1 else -1
    if k < 4:
        return along_y + i * (columns - 1) + j - back if 0 <= j - back < columns - 1 else -1
    inside = 0 <= i - back < rows - 1 and 0 <= j - back < columns - 1
    return across + (i - back) * (columns - 1) + j - back if inside else -1


@kernel
def ridges(shapes, g, h, radius, limit, out):
    """Ridges and the corners that end them against the inside of a capsule or the faces and edges of a solid."""
    i0, i1, j0, j1 = cells_near(shapes, g, row3(shapes.center_now, h), shapes.reach[h] + limit)
    if i1 <= i0 or j1 <= j0:
        return
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            sharp = False
            for k in range(6):
                e = corner_edge(shapes, g, i, j, k)
                if e < 0 or bend(shapes, g, e) != RIDGE:
                    continue
                sharp = True
                # each edge once: from the corner where it begins
                if k % 2 == 0:
                    for f in range(shapes.edge_start[h], shapes.edge_start[h + 1]):
                        if radius > 0.0:
                            cross_edges(shapes, g, h, e, f, radius, limit, out)
                        else:
                            ridge_on_edge(shapes, g, h, e, f, limit, out)
            if sharp:
                c = shapes.corner_start[g] + i * shapes.grid[g, 1] + j
                if radius > 0.0:
                    corner_on_capsule(shapes, g, h, c, radius, limit, out)
                else:
                    corner_on_solid(shapes, g, h, c, limit, out)


@kernel
def corner_on_capsule(shapes, g, h, c, radius, limit, out):
    """Corner c of the ground against the inside of the capsule h."""
    first = shapes.corner_start[h]
    a, u, length = edge_line(shapes.corner_now, shapes.edge, shapes.edge_start[h])
    _, s, d = segment_point(u, 0.5 * length, sub(row3(shapes.corner_now, c), axpy(0.5 * length, u, a)))
    if d - radius <= limit and -0.5 * length < s < 0.5 * length:
        put_end_on_segment(shapes, h, first, True, g, c, c - shapes.corner_start[g], radius, out)


@kernel
def corner_on_solid(shapes, g, h, c, limit, out):
    """Corner c of the ground against the face of h that it is most outside of."""
    p, best, chosen = row3(shapes.corner_now, c), -1e300, -1
    for f in range(shapes.face_start[h], shapes.face_start[h + 1]):
        base = row3(shapes.corner_now, shapes.outline[shapes.outline_start[f]])
        d = dot(row3(shapes.normal_now, f), sub(p, base))
        if d > best:
            best, chosen = d, f
    if -DEEP * shapes.reach[h] <= best <= limit and over_face(shapes, chosen, p, 0.0):
        put_corner_on_face(shapes, h, chosen, g, c, 0.0, out)


@kernel
def ridge_on_edge(shapes, g, h, e, f, limit, out):
    """The ridge e of the ground and edge f of h where they cross with a normal out of both."""
    a, u, length_a = edge_line(shapes.corner_now, shapes.edge, e)
    b, v, length_b = edge_line(shapes.corner_now, shapes.edge, f)
    w = cross(u, v)
    across = norm(w)
    if across < DEEP:
        # nearly along each other: corners carry them
        return
    up = add(row3(shapes.normal_now, shapes.edge_face[e, 0]), row3(shapes.normal_now, shapes.edge_face[e, 1]))
    side = 1.0 if dot(w, up) > 0.0 else -1.0
    n = scale(side / across, w)
    # a flat face on a ridge has its normal at the border of what points out of its edge
    if not points_out(shapes, e, u, n) or not points_out(shapes, f, v, scale(-1.0, n)):
        return
    _, s, t, d = lines(u, v, sub(b, a), side)
    if -DEEP * shapes.reach[h] <= d <= limit and 0.0 < s < length_a and 0.0 < t < length_b:
        put_edges(shapes, g, h, e, f, side, 0.0, out)


@kernel
def cylinder_on_ridges(shapes, g, h, limit, out):
    """The rims of a cylinder over triangles, ridges and corners on all of it."""
    i0, i1, j0, j1 = cells_near(shapes, g, row3(shapes.center_now, h), shapes.reach[h] + limit)
    if i1 <= i0 or j1 <= j0:
        return
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            sharp = False
            for k in range(6):
                e = corner_edge(shapes, g, i, j, k)
                if e >= 0 and bend(shapes, g, e) == RIDGE:
                    sharp = True
                    if k % 2 == 0:
                        edge_on_cylinder(shapes, h, g, e, 0.0, limit, out)
            if sharp:
                point_on_cylinder(shapes, h, g, shapes.corner_start[g] + i * shapes.grid[g, 1] + j, 0.0, limit, out)
            for which in range(2 if i < i1 and j < j1 else 0):
                own = 2 * (i * (shapes.grid[g, 1] - 1) + j) + which
                f = shapes.face_start[g] + own
                n, base = row3(shapes.normal_now, f), row3(shapes.corner_now, shapes.outline[shapes.outline_start[f]])
                plane = (n, base, row3(shapes.face_normal, f), row3(shapes.face_point, f))
                rims_over(shapes, g, f, plane, h, (5 << 50) + (own << 20), limit, out)
