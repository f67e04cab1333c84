"""Unit quaternions (w, x, y, z), Hamilton, local to global: Q(q) u turns local components into global ones.

Source: [Brüdigam 2023] appendix A, equations (A.1) to (A.14).
"""

from math import atan2, cos, sin, sqrt

from dalembert._jit import kernel

Quaternion = tuple[float, float, float, float]


@kernel
def row4(a, i):
    """Row ``i`` of an (n, 4) array as a quaternion."""
    return (a[i, 0], a[i, 1], a[i, 2], a[i, 3])


@kernel
def part4(a, i, first):
    """Four numbers of row ``i`` of an array from column ``first`` on."""
    return (a[i, first], a[i, first + 1], a[i, first + 2], a[i, first + 3])


@kernel
def set_part4(a, i, first, q):
    """Write the quaternion ``q`` into row ``i`` of an array from column ``first`` on."""
    a[i, first] = q[0]
    a[i, first + 1] = q[1]
    a[i, first + 2] = q[2]
    a[i, first + 3] = q[3]


@kernel
def set_row4(a, i, q):
    """Write the quaternion ``q`` into row ``i`` of an (n, 4) array."""
    a[i, 0] = q[0]
    a[i, 1] = q[1]
    a[i, 2] = q[2]
    a[i, 3] = q[3]


@kernel
def multiply(p, q):
    """p · q, the turn q followed, in global axes, by the turn p. [Brüdigam 2023] eq. (A.2c)."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@kernel
def conjugate(q):
    """The inverse of a unit quaternion. [Brüdigam 2023] eq. (A.2a)."""
    return (q[0], -q[1], -q[2], -q[3])


@kernel
def relative(p, q):
    """p⁻¹ · q, the turn from frame p to frame q in the axes of p."""
    return (
        p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3],
        p[0] * q[1] - p[1] * q[0] - p[2] * q[3] + p[3] * q[2],
        p[0] * q[2] + p[1] * q[3] - p[2] * q[0] - p[3] * q[1],
        p[0] * q[3] - p[1] * q[2] + p[2] * q[1] - p[3] * q[0],
    )


@kernel
def normalize(q):
    """q / |q|."""
    s = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (s * q[0], s * q[1], s * q[2], s * q[3])


@kernel
def rotate(q, u):
    """Q(q) u, local components to global ones. With v = q_v: u + 2 w (v×u) + 2 v×(v×u)."""
    tx = 2.0 * (q[2] * u[2] - q[3] * u[1])
    ty = 2.0 * (q[3] * u[0] - q[1] * u[2])
    tz = 2.0 * (q[1] * u[1] - q[2] * u[0])
    return (
        u[0] + q[0] * tx + q[2] * tz - q[3] * ty,
        u[1] + q[0] * ty + q[3] * tx - q[1] * tz,
        u[2] + q[0] * tz + q[1] * ty - q[2] * tx,
    )


@kernel
def rotate_back(q, u):
    """Q(q)ᵀ u, global components to local ones."""
    tx = 2.0 * (q[2] * u[2] - q[3] * u[1])
    ty = 2.0 * (q[3] * u[0] - q[1] * u[2])
    tz = 2.0 * (q[1] * u[1] - q[2] * u[0])
    return (
        u[0] - q[0] * tx + q[2] * tz - q[3] * ty,
        u[1] - q[0] * ty + q[3] * tx - q[1] * tz,
        u[2] - q[0] * tz + q[1] * ty - q[2] * tx,
    )


@kernel
def columns(q):
    """The columns of Q(q): the axes of the local frame in global components."""
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        (2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
        (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@kernel
def exp(u):
    """The quaternion of the rotation vector u (radians times axis)."""
    t2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2]
    if t2 < 1e-8:
        # sin(t/2)/t = 1/2 − t²/48 + t⁴/3840 − …
        c, s = 1.0 - t2 / 8.0 + t2 * t2 / 384.0, 0.5 - t2 / 48.0 + t2 * t2 / 3840.0
    else:
        t = sqrt(t2)
        c, s = cos(0.5 * t), sin(0.5 * t) / t
    return (c, s * u[0], s * u[1], s * u[2])


@kernel
def log(q):
    """The rotation vector of q, of length at most π."""
    w, x, y, z = q
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    s2 = x * x + y * y + z * z
    if s2 < 1e-12:
        # 2 atan(s/w)/s = (2/w)(1 − (s/w)²/3 + …)
        f = 2.0 / w * (1.0 - s2 / (3.0 * w * w))
    else:
        s = sqrt(s2)
        f = 2.0 * atan2(s, w) / s
    return (f * x, f * y, f * z)
