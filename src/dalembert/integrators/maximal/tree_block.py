"""Articulated 6×6 matrices as twelve vectors, and what eliminating a joint does to them.

A block [A B; C D] maps the increment of an end pose (displacement of the reference point, turn) to the residual wrench
about the reference point (force, torque); A … D are three rows each, all in world axes at the knot. It is not
symmetric: its columns belong to the end of the interval, its rows to the knot. Arms c and reaches d stand at the knot,
c⁺ and d⁺ at the end.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_motion import put3
from dalembert.spatial.vector import add, axpy, cross, dot, part3, scale, sub


@kernel
def load_block(a, i):
    """The block in row i of an (n, 36) array, 6×6 in row-major order, as twelve rows: A, B, C, D."""
    return (
        part3(a, i, 0), part3(a, i, 6), part3(a, i, 12), part3(a, i, 3), part3(a, i, 9), part3(a, i, 15),
        part3(a, i, 18), part3(a, i, 24), part3(a, i, 30), part3(a, i, 21), part3(a, i, 27), part3(a, i, 33),
    )  # fmt: skip


@kernel
def zero_block():
    """Nothing."""
    o = (0.0, 0.0, 0.0)
    return (o, o, o, o, o, o, o, o, o, o, o, o)


@kernel
def sum_block(p, q):
    """p + q."""
    return (
        add(p[0], q[0]), add(p[1], q[1]), add(p[2], q[2]), add(p[3], q[3]), add(p[4], q[4]), add(p[5], q[5]),
        add(p[6], q[6]), add(p[7], q[7]), add(p[8], q[8]), add(p[9], q[9]), add(p[10], q[10]), add(p[11], q[11]),
    )  # fmt: skip


@kernel
def store_block(a, i, block):
    """Write a block into row i of an (n, 36) array."""
    for r in range(3):
        put3(a, i, 6 * r, block[r])
        put3(a, i, 6 * r + 3, block[3 + r])
        put3(a, i, 6 * r + 18, block[6 + r])
        put3(a, i, 6 * r + 21, block[9 + r])


@kernel
def add_block(a, i, block):
    """Add a block to row i of an (n, 36) array."""
    for r in range(3):
        for k in range(3):
            a[i, 6 * r + k] += block[r][k]
            a[i, 6 * r + 3 + k] += block[3 + r][k]
            a[i, 6 * r + 18 + k] += block[6 + r][k]
            a[i, 6 * r + 21 + k] += block[9 + r][k]


@kernel
def clear_block(a, i):
    """Row i of an (n, 36) array to zero."""
    for k in range(36):
        a[i, k] = 0.0


@kernel
def add_body(block, m, c, e, g):
    """Add a body: m = mass/h, arms c and e = c⁺ to the centre of mass, g = G.

    Displacement of the centre: a + b×c⁺, so f = m (a + b×c⁺) and τ = G b + c×f:
    A = m, B = −m c⁺×, C = m c×, D = G − m c× c⁺× with c× c⁺× = c⁺ cᵀ − (c·c⁺).
    """
    a0, a1, a2, b0, b1, b2, c0, c1, c2, d0, d1, d2 = block
    k = m * dot(c, e)
    u, v = scale(m, e), scale(m, c)
    return (
        (a0[0] + m, a0[1], a0[2]),
        (a1[0], a1[1] + m, a1[2]),
        (a2[0], a2[1], a2[2] + m),
        (b0[0], b0[1] + u[2], b0[2] - u[1]),
        (b1[0] - u[2], b1[1], b1[2] + u[0]),
        (b2[0] + u[1], b2[1] - u[0], b2[2]),
        (c0[0], c0[1] - v[2], c0[2] + v[1]),
        (c1[0] + v[2], c1[1], c1[2] - v[0]),
        (c2[0] - v[1], c2[1] + v[0], c2[2]),
        (d0[0] + g[0][0] + k - u[0] * c[0], d0[1] + g[0][1] - u[0] * c[1], d0[2] + g[0][2] - u[0] * c[2]),
        (d1[0] + g[1][0] - u[1] * c[0], d1[1] + g[1][1] + k - u[1] * c[1], d1[2] + g[1][2] - u[1] * c[2]),
        (d2[0] + g[2][0] - u[2] * c[0], d2[1] + g[2][1] - u[2] * c[1], d2[2] + g[2][2] + k - u[2] * c[2]),
    )  # fmt: skip


@kernel
def raise_hinge(block, e):
    """U = block · (0, e): the wrench of a unit turn about the axis e."""
    _, _, _, b0, b1, b2, _, _, _, d0, d1, d2 = block
    return (dot(b0, e), dot(b1, e), dot(b2, e)), (dot(d0, e), dot(d1, e), dot(d2, e))


@kernel
def pull_hinge(block, e):
    """V = (0, e)ᵀ · block: the torque about the axis e of an increment."""
    _, _, _, _, _, _, c0, c1, c2, d0, d1, d2 = block
    return _combine(e, c0, c1, c2), _combine(e, d0, d1, d2)


@kernel
def raise_slider(block, e):
    """U = block · (e, 0)."""
    a0, a1, a2, _, _, _, c0, c1, c2, _, _, _ = block
    return (dot(a0, e), dot(a1, e), dot(a2, e)), (dot(c0, e), dot(c1, e), dot(c2, e))


@kernel
def pull_slider(block, e):
    """V = (e, 0)ᵀ · block."""
    a0, a1, a2, b0, b1, b2, _, _, _, _, _, _ = block
    return _combine(e, a0, a1, a2), _combine(e, b0, b1, b2)


@kernel
def _combine(e, r0, r1, r2):
    return axpy(e[0], r0, axpy(e[1], r1, scale(e[2], r2)))


@kernel
def remove(block, uf, ut, xa, xb):
    """block − U X: one degree of freedom eliminated, X = V/(screw · U)."""
    a0, a1, a2, b0, b1, b2, c0, c1, c2, d0, d1, d2 = block
    return (
        axpy(-uf[0], xa, a0), axpy(-uf[1], xa, a1), axpy(-uf[2], xa, a2),
        axpy(-uf[0], xb, b0), axpy(-uf[1], xb, b1), axpy(-uf[2], xb, b2),
        axpy(-ut[0], xa, c0), axpy(-ut[1], xa, c1), axpy(-ut[2], xa, c2),
        axpy(-ut[0], xb, d0), axpy(-ut[1], xb, d1), axpy(-ut[2], xb, d2),
    )  # fmt: skip


@kernel
def shift(block, d, e):
    """The block about a reference point that lies −d away at the knot and −e at the end.

    Twists there: a' = a + b×d⁺; wrenches: τ' = τ + d×f. A row r of a matrix turns under −(·)d⁺× into −r×d⁺.
    """
    a0, a1, a2, b0, b1, b2, c0, c1, c2, d0, d1, d2 = block
    b0, b1, b2 = sub(b0, cross(a0, e)), sub(b1, cross(a1, e)), sub(b2, cross(a2, e))
    d0, d1, d2 = sub(d0, cross(c0, e)), sub(d1, cross(c1, e)), sub(d2, cross(c2, e))
    c0, c1, c2 = _add_cross(d, a0, a1, a2, c0, c1, c2)
    d0, d1, d2 = _add_cross(d, b0, b1, b2, d0, d1, d2)
    return (a0, a1, a2, b0, b1, b2, c0, c1, c2, d0, d1, d2)


@kernel
def _add_cross(d, a0, a1, a2, c0, c1, c2):
    # rows of C + d× A
    return (
        axpy(d[1], a2, axpy(-d[2], a1, c0)),
        axpy(d[2], a0, axpy(-d[0], a2, c1)),
        axpy(d[0], a1, axpy(-d[1], a0, c2)),
    )


@kernel
def inverse(d0, d1, d2):
    """The rows of the inverse of a 3×3 matrix given by its rows."""
    x, y, z = cross(d1, d2), cross(d2, d0), cross(d0, d1)
    k = 1.0 / dot(d0, x)
    return (
        (k * x[0], k * y[0], k * z[0]),
        (k * x[1], k * y[1], k * z[1]),
        (k * x[2], k * y[2], k * z[2]),
    )


@kernel
def times_rows(m, r0, r1, r2):
    """The rows of the product of two 3×3 matrices given by their rows."""
    return _combine(m[0], r0, r1, r2), _combine(m[1], r0, r1, r2), _combine(m[2], r0, r1, r2)


@kernel
def subtract_rows(r0, r1, r2, m):
    """Row by row difference."""
    return sub(r0, m[0]), sub(r1, m[1]), sub(r2, m[2])


@kernel
def moved_wrench(d, f, t):
    """The torque about a reference point −d away of a wrench (f, t)."""
    return add(t, cross(d, f))
