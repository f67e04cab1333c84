"""Nearest points of two circles, in world axes."""

from math import cos, fabs, sin, sqrt

from dalembert._jit import kernel
from dalembert.spatial.vector import add, axpy, cross, dot, norm, scale, sub

LEAST = 1e-3
"""Smallest eigenvalue that Newton's method takes its matrix to have, in squared radii."""


@kernel
def rim_rim(u, radius_a, look_a, v, radius_b, look_b, r, side):
    """(n, near, low, d): a circle about v with its middle at r seen from one about u at the origin.

    ``near`` and ``low`` are the points of either, each from its own middle. Of f = ½ |p|², p = r + R_b e_b − R_a e_a,

        ∂f = (−R_a t_a·p, R_b t_b·p),     ∂²f = [R_a² + R_a e_a·p, −R_a R_b t_a·t_b; ·, R_b² − R_b e_b·p]

    with the tangents t = e', Newton starts in the directions ``look``. Two sharp rims touch with the normal
    side t_a × t_b, which p is parallel to and which stays regular when they meet.
    """
    e_a = axpy(-dot(look_a, u), u, look_a)
    e_a = scale(1.0 / norm(e_a), e_a)
    e_b = axpy(-dot(look_b, v), v, look_b)
    e_b = scale(1.0 / norm(e_b), e_b)
    t_a, t_b = cross(u, e_a), cross(v, e_b)
    p = r
    for _ in range(40):
        p = sub(axpy(radius_b, e_b, r), scale(radius_a, e_a))
        g, h = -radius_a * dot(t_a, p), radius_b * dot(t_b, p)
        aa = radius_a * radius_a + radius_a * dot(e_a, p)
        bb = radius_b * radius_b - radius_b * dot(e_b, p)
        ab = -radius_a * radius_b * dot(t_a, t_b)
        least = 0.5 * (aa + bb - sqrt((aa - bb) * (aa - bb) + 4.0 * ab * ab))
        shift = max(0.0, LEAST * (radius_a * radius_a + radius_b * radius_b) - least)
        aa, bb = aa + shift, bb + shift
        q = 1.0 / (aa * bb - ab * ab)
        step_a, step_b = q * (ab * h - bb * g), q * (ab * g - aa * h)
        large = max(fabs(step_a), fabs(step_b))
        if large > 0.5:
            step_a, step_b = 0.5 * step_a / large, 0.5 * step_b / large
        e_a, t_a = turned(e_a, t_a, step_a)
        e_b, t_b = turned(e_b, t_b, step_b)
        if large < 1e-15:
            break
    near, low = scale(radius_a, e_a), scale(radius_b, e_b)
    p = sub(add(r, low), near)
    n = cross(t_a, t_b)
    n = scale(side / norm(n), n)
    return n, near, low, dot(n, p)


@kernel
def turned(e, t, angle):
    """Two directions across each other, turned in their plane."""
    c, s = cos(angle), sin(angle)
    return axpy(c, e, scale(s, t)), axpy(c, t, scale(-s, e))


@kernel
def rim_from_line(u, r, v, radius, look):
    """Squared distance from a line u through the origin to the point of a circle about v that is towards ``look``."""
    p = axpy(radius, look, r)
    along = dot(u, p)
    return dot(p, p) - along * along


@kernel
def rim_from_rim(u, radius_a, v, radius_b, r, look):
    """Squared distance from a circle about u at the origin to the point of one about v that is towards ``look``."""
    p = axpy(radius_b, look, r)
    height = dot(u, p)
    out = sqrt(max(0.0, dot(p, p) - height * height)) - radius_a
    return height * height + out * out
