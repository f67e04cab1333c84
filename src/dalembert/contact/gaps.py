"""Gap, normal and nearest points of a feature, and the rows of its Jacobian.

Each kind is a distance between two sets, so the derivative of the gap is that of n · (r_B − r_A) with the normal n and
the nearest points held as points of the bodies (Danskin): moving them along their surfaces changes the distance to
second order only. The rows are therefore those of `dalembert.mechanics.rows` with the reach of each side's own point,
exact at every pose.
"""

from math import cos, sin

from dalembert._jit import kernel
from dalembert.contact.circles import rim_rim
from dalembert.contact.features import (
    BODY_A,
    BODY_B,
    DIRECTION_A,
    DIRECTION_B,
    ELLIPSOID_PLANE,
    FRAME,
    LINE_LINE,
    POINT_A,
    POINT_B,
    POINT_BOX,
    POINT_CYLINDER,
    POINT_PLANE,
    POINT_TRIANGLE,
    RADIUS,
    RADIUS_A,
    RIM_LINE,
    RIM_PLANE,
    RIM_RIM,
    SIDE,
    SIZE,
)
from dalembert.contact.nearest import (
    box_point,
    cylinder_point,
    ellipsoid_plane,
    lines,
    rim_line,
    rim_plane,
    segment_point,
    triangle_point,
)
from dalembert.spatial.quaternion import columns, multiply, part4, rotate, row4
from dalembert.spatial.vector import add, axpy, components, cross, dot, part3, row3, scale, set_row3, sub


@kernel
def tangents(n):
    """Two directions across the unit vector n, right-handed with it. [Duff 2017] eq. (4).

    One of two regular formulas; the border between them is n₃ = −½, not 0 as in the source, so that round-off does not
    turn the pair at a vertical wall.
    """
    s = 1.0 if n[2] > -0.5 else -1.0
    a = -1.0 / (s + n[2])
    b = n[0] * n[1] * a
    return (1.0 + s * n[0] * n[0] * a, s * b, -s * n[0]), (b, s + n[1] * n[1] * a, -n[1])


@kernel
def evaluate_feature(integers, numbers, k, position, orientation):
    """(gap, normal, point on A, point on B) of feature k, in the world; the columns of `Features`."""
    kind, i, j = integers[k, 0], integers[k, BODY_A], integers[k, BODY_B]
    q_a, q_b = row4(orientation, i), row4(orientation, j)
    a = add(row3(position, i), rotate(q_a, part3(numbers, k, POINT_A)))
    b = add(row3(position, j), rotate(q_b, part3(numbers, k, POINT_B)))
    size, r = part3(numbers, k, SIZE), numbers[k, RADIUS]
    # what the ball around A's core adds, and the one around B's takes off
    r_a = numbers[k, RADIUS_A]
    r_b = r - r_a
    if kind == POINT_BOX:
        n, near, d = box_point(multiply(q_a, part4(numbers, k, FRAME)), size, sub(b, a))
        return d - r, n, add(a, near), axpy(-r, n, b)
    if kind == POINT_TRIANGLE:
        n, near, d = triangle_point(rotate(q_a, part3(numbers, k, FRAME)), rotate(q_a, size), sub(b, a))
        return d - r, n, add(a, near), axpy(-r, n, b)
    u = rotate(q_a, part3(numbers, k, DIRECTION_A))
    if kind == POINT_PLANE:
        d = dot(u, sub(b, a))
        return d - r, u, axpy(-d, u, b), axpy(-r, u, b)
    if kind == POINT_CYLINDER:
        n, near, d = cylinder_point(u, size, sub(b, a))
        return d - r, n, add(a, near), axpy(-r, n, b)
    if kind == LINE_LINE:
        v = rotate(q_b, part3(numbers, k, DIRECTION_B))
        n, s, t, d = lines(u, v, sub(b, a), numbers[k, SIDE])
        return d - r, n, axpy(r_a, n, axpy(s, u, a)), axpy(-r_b, n, axpy(t, v, b))
    if kind == RIM_LINE:
        v, look = rotate(q_b, part3(numbers, k, DIRECTION_B)), rotate(q_b, part3(numbers, k, FRAME))
        n, s, low, d = rim_line(u, v, size[0], look, sub(b, a), numbers[k, SIDE], r)
        return d - r, n, axpy(r_a, n, axpy(s, u, a)), axpy(-r_b, n, add(b, low))
    if kind == RIM_RIM:
        v, look_b = rotate(q_b, part3(numbers, k, DIRECTION_B)), rotate(q_b, part3(numbers, k, FRAME))
        t, s = tangents(part3(numbers, k, DIRECTION_A))
        look_a = rotate(q_a, axpy(cos(size[2]), t, scale(sin(size[2]), s)))
        n, near, low, d = rim_rim(u, size[1], look_a, v, size[0], look_b, sub(b, a), numbers[k, SIDE])
        return d, n, add(a, near), add(b, low)
    if kind == RIM_PLANE:
        low, depth = rim_plane(u, rotate(q_b, part3(numbers, k, DIRECTION_B)), size[0])
        d = dot(u, sub(b, a)) - depth
        b = add(b, low)
        return d - r, u, axpy(-d, u, b), axpy(-r, u, b)
    if kind == ELLIPSOID_PLANE:
        b = add(b, ellipsoid_plane(u, multiply(q_b, part4(numbers, k, FRAME)), size))
        d = dot(u, sub(b, a))
        return d - r, u, axpy(-d, u, b), axpy(-r, u, b)
    n, s, d = segment_point(u, size[0], sub(b, a))
    return d - r, n, axpy(r_a, n, axpy(s, u, a)), axpy(-r_b, n, b)


@kernel
def put_row(rows, k, c, n, axes_a, axes_b, reach_a, reach_b):
    """Row c of feature k: how n · (r_B − r_A) changes when the points at the two reaches move with their bodies."""
    on_a, on_b = components(axes_a, cross(reach_a, n)), components(axes_b, cross(reach_b, n))
    for l in range(3):
        rows[k, c, l] = -n[l]
        rows[k, c, 3 + l] = -on_a[l]
        rows[k, c, 6 + l] = n[l]
        rows[k, c, 9 + l] = on_b[l]


@kernel
def evaluate_features(features, position, orientation, gaps):
    """Fill ``gaps`` for all features at poses (n + 1, 3), (n + 1, 4) whose last row is the world."""
    for k in range(features.used[0]):
        gap, n, on_a, on_b = evaluate_feature(features.integers, features.numbers, k, position, orientation)
        t, s = tangents(n)
        gaps.gap[k] = gap
        set_row3(gaps.normal, k, n)
        set_row3(gaps.on_a, k, on_a)
        set_row3(gaps.on_b, k, on_b)
        for l in range(3):
            gaps.tangent[k, 0, l] = t[l]
            gaps.tangent[k, 1, l] = s[l]
        put_rows(features.integers, k, position, orientation, n, t, s, on_a, on_b, gaps.rows, k)


@kernel
def put_rows(integers, k, position, orientation, n, t, s, on_a, on_b, rows, at):
    """``rows[at]``: how the gap and the two slips of feature k change."""
    i, j = integers[k, BODY_A], integers[k, BODY_B]
    axes_a, axes_b = columns(row4(orientation, i)), columns(row4(orientation, j))
    reach_a, reach_b = sub(on_a, row3(position, i)), sub(on_b, row3(position, j))
    put_row(rows, at, 0, n, axes_a, axes_b, reach_a, reach_b)
    # slips are those of one point in space, half-way: a common turn of both bodies about it is no slip
    middle = scale(0.5, add(on_a, on_b))
    reach_a, reach_b = sub(middle, row3(position, i)), sub(middle, row3(position, j))
    put_row(rows, at, 1, t, axes_a, axes_b, reach_a, reach_b)
    put_row(rows, at, 2, s, axes_a, axes_b, reach_a, reach_b)
