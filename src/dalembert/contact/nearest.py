"""Nearest points between a point and simple sets, in world axes. Offsets are from the set's own origin.

Each function returns the unit normal n from the set outwards, and the signed distance d along it.
"""

from math import copysign, cos, fabs, sin, sqrt

from dalembert._jit import kernel
from dalembert.spatial.quaternion import rotate, rotate_back
from dalembert.spatial.vector import add, axpy, cross, dot, norm, scale, sub, unit

TINY = 1e-14
"""Metres; a distance below it has no direction."""

FLAT = 1e-4
"""Sine of the angle between a rim's plane and the ground below which its lowest point is blurred."""


@kernel
def segment_point(u, half, r):
    """(n, s, d): the point r seen from the segment s u, |s| ≤ half."""
    s = max(-half, min(half, dot(u, r)))
    away = axpy(-s, u, r)
    d = norm(away)
    if d < TINY:
        # on the segment: any direction across it
        k = 0 if fabs(u[0]) < 0.6 else 1
        away = axpy(-u[k], u, unit(k))
        return scale(1.0 / norm(away), away), s, 0.0
    return scale(1.0 / d, away), s, d


@kernel
def lines(u, v, r, side):
    """(n, s, t, d): the line r + t v seen from the line s u, along n = side u×v / |u×v|.

    With c = u·v the feet satisfy u·(r + t v − s u) = 0 = v·(r + t v − s u).
    """
    w = cross(u, v)
    n = scale(side / norm(w), w)
    c, p, q = dot(u, v), dot(u, r), dot(v, r)
    across = 1.0 - c * c
    return n, (p - c * q) / across, (c * p - q) / across, dot(n, r)


@kernel
def box_point(turn, half, r):
    """(n, near, d): the point r seen from a box in its middle; from inside, towards the nearest face."""
    p = rotate_back(turn, r)
    near = (
        max(-half[0], min(half[0], p[0])),
        max(-half[1], min(half[1], p[1])),
        max(-half[2], min(half[2], p[2])),
    )
    away = sub(p, near)
    d = norm(away)
    if d > TINY:
        return rotate(turn, scale(1.0 / d, away)), rotate(turn, near), d
    depth = (half[0] - fabs(p[0]), half[1] - fabs(p[1]), half[2] - fabs(p[2]))
    k = 0 if depth[0] <= min(depth[1], depth[2]) else (1 if depth[1] <= depth[2] else 2)
    n = scale(copysign(1.0, p[k]), unit(k))
    return rotate(turn, n), rotate(turn, axpy(depth[k], n, p)), -depth[k]


@kernel
def triangle_point(b, c, r):
    """(n, near, d): the point r seen from the first corner of a triangle, whose others are at b and c.

    Over its inside the distance has the sign of the side, which b × c points to; elsewhere it is that of the nearest
    edge or corner.
    """
    n = cross(b, c)
    n = scale(1.0 / norm(n), n)
    height = dot(n, r)
    foot, inside, best = axpy(-height, n, r), True, -1.0
    near = foot
    for k in range(3):
        start = (0.0, 0.0, 0.0) if k == 0 else (b if k == 1 else c)
        along = b if k == 0 else (sub(c, b) if k == 1 else scale(-1.0, c))
        from_start = sub(foot, start)
        if dot(cross(n, along), from_start) < 0.0:
            inside = False
        s = max(0.0, min(1.0, dot(from_start, along) / dot(along, along)))
        point = axpy(s, along, start)
        away = sub(foot, point)
        if best < 0.0 or dot(away, away) < best:
            best, near = dot(away, away), point
    if inside:
        return n, foot, height
    away = sub(r, near)
    d = norm(away)
    if d < TINY:
        return n, near, 0.0
    return scale(1.0 / d, away), near, d


@kernel
def cylinder_point(u, size, r):
    """(n, near, d): the point r seen from the middle of a cylinder of radius size[0], half length size[1] along u."""
    h = dot(u, r)
    radial = axpy(-h, u, r)
    rho = norm(radial)
    if rho < TINY:
        k = 0 if fabs(u[0]) < 0.6 else 1
        out = axpy(-u[k], u, unit(k))
        out = scale(1.0 / norm(out), out)
    else:
        out = scale(1.0 / rho, radial)
    up = copysign(1.0, h)
    over, beyond = fabs(h) - size[1], rho - size[0]
    if over <= 0.0 and beyond <= 0.0:
        if beyond >= over:
            return out, axpy(h, u, scale(size[0], out)), beyond
        return scale(up, u), axpy(up * size[1], u, radial), over
    over, beyond = max(over, 0.0), max(beyond, 0.0)
    d = sqrt(over * over + beyond * beyond)
    n = axpy(up * over / d, u, scale(beyond / d, out))
    return n, axpy(-d, n, r), d


@kernel
def rim_plane(n, v, radius):
    """(low, depth): the lowest point of a circle about v over a plane with normal n, from its middle, and how deep.

    With w = n − (n·v) v the depth is R |w| at −R w/|w|; where the circle lies flat every point is the lowest. |w| is
    blurred to √(w² + FLAT²), so that the depth is smooth: too deep by less than R FLAT, and by R FLAT²/(2|w|) at an
    angle. The derivative of the depth is still that of the point −R w/√(w² + FLAT²) held in the body.
    """
    w = axpy(-dot(n, v), v, n)
    s = sqrt(dot(w, w) + FLAT * FLAT)
    return scale(-radius / s, w), radius * s


@kernel
def rim_line(u, v, radius, look, r, side, swept):
    """(n, s, low, d): a circle about v, with its middle at r, seen from the line s u; ``low`` is its point, from r.

    The point r + R e(φ) is nearest to the line where e'·p = 0, p = r + R e without its part along u; Newton with the
    slope R (1 − (u·e')²) − e·p starts in the direction ``look``. There can be several such points: a line across the
    disc has two. Where the line is swept by a ball, the normal is p/|p|; a sharp line and a sharp rim touch with the
    normal side u × e', which stays regular when they meet.
    """
    e = axpy(-dot(look, v), v, look)
    e = scale(1.0 / norm(e), e)
    f = cross(v, e)
    phi, c, s = 0.0, 1.0, 0.0
    for _ in range(20):
        out, t = axpy(c, e, scale(s, f)), axpy(-s, e, scale(c, f))
        p = axpy(radius, out, r)
        p = axpy(-dot(u, p), u, p)
        ut = dot(u, t)
        slope = radius * (1.0 - ut * ut) - dot(out, p)
        step = -dot(t, p) / max(slope, 0.05 * radius)
        step = max(-0.5, min(0.5, step))
        phi += step
        c, s = cos(phi), sin(phi)
        if fabs(step) < 1e-15:
            break
    out, t = axpy(c, e, scale(s, f)), axpy(-s, e, scale(c, f))
    low = scale(radius, out)
    p = add(r, low)
    along = dot(u, p)
    p = axpy(-along, u, p)
    if swept > 0.0:
        d = norm(p)
        return scale(1.0 / d, p), along, low, d
    n = cross(u, t)
    n = scale(side / norm(n), n)
    return n, along, low, dot(n, p)


@kernel
def ellipsoid_plane(n, turn, size):
    """The lowest point of an ellipsoid over a plane with normal n, from its middle.

    It maximises −n·p over |D⁻¹ p| = 1 in its own axes, D = diag(size): p = −D² n / |D n|.
    """
    m = rotate_back(turn, n)
    w = (size[0] * m[0], size[1] * m[1], size[2] * m[2])
    f = -1.0 / norm(w)
    return rotate(turn, (f * size[0] * w[0], f * size[1] * w[1], f * size[2] * w[2]))
