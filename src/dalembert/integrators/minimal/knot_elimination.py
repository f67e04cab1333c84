"""RIQN's elimination: the articulated-body recursion at the knot, where all matrices are symmetric.

[Lee 2016] section 3.2, eq. (25): the inverse Jacobian is h M(q_k)⁻¹. The recursion is that of `elimination` for an
interval in which nothing moves: both sets of screws are those of the knot, so the matrix [A B; Bᵀ D] of a body with all
that it carries is the articulated inertia [Featherstone 1983] over h, and 21 numbers say it all. Ball joints and joints
of several freedoms, which are rare, take the way through the whole matrix.
"""

from math import isfinite

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_motion import get_inertia, put3, put4
from dalembert.integrators.maximal.tree_plan import (
    ARM,
    AXIS,
    BLOCK,
    BRANCHED,
    COSINE,
    DOFS,
    FIRST,
    GENERAL,
    GROWTH,
    HINGE,
    INERTIA,
    LEFT,
    MASS,
    PARENT,
    PIVOT,
    REACH,
    RIGHT,
    RIGID,
    SHAPE,
    SLIDER,
    SPRUNG,
    STEP,
    TURN,
)
from dalembert.integrators.minimal.elimination import eliminate_joint
from dalembert.spatial.vector import add, axpy, cross, dot, part3, scale, sub


@kernel
def eliminate_at_knot(slot, row, dof, h):
    """Eliminate every joint of M(q_k)/h, springs, dampers and rotors added; the slot without a pivot, or −1."""
    n = slot.shape[0] - 1
    worst = -1
    stand_still(slot, row, dof)
    a, b0, b1, b2, d = nothing()
    for i in range(n - 1, -1, -1):
        up, shape = slot[i, PARENT], slot[i, SHAPE]
        if slot[i, BRANCHED]:
            a, b0, b1, b2, d = take_waiting(row, i, a, b0, b1, b2, d)
        a, b0, b1, b2, d = add_body_at_knot(row, i, 1.0 / h, a, b0, b1, b2, d)
        if shape == HINGE or shape == SLIDER:
            e = part3(row, i, AXIS)
            if shape == HINGE:
                uf, ut = (dot(b0, e), dot(b1, e), dot(b2, e)), symmetric_times(d, e)
                pivot = dot(e, ut)
            else:
                uf, ut = symmetric_times(a, e), combine(e, b0, b1, b2)
                pivot = dot(e, uf)
            if slot[i, SPRUNG]:
                pivot += dof[slot[i, FIRST], GROWTH]
            inverse = 1.0 / pivot
            if not isfinite(inverse):
                worst = i
            xf, xt = scale(inverse, uf), scale(inverse, ut)
            put3(row, i, PIVOT, uf)
            put3(row, i, PIVOT + 3, ut)
            put3(row, i, PIVOT + 6, xf)
            put3(row, i, PIVOT + 9, xt)
            row[i, PIVOT + 12] = inverse
            a, d = without(a, uf, xf), without(d, ut, xt)
            b0, b1, b2 = axpy(-uf[0], xt, b0), axpy(-uf[1], xt, b1), axpy(-uf[2], xt, b2)
        elif shape != RIGID:
            whole = (
                *rows_of(a), b0, b1, b2,
                (b0[0], b1[0], b2[0]), (b0[1], b1[1], b2[1]), (b0[2], b1[2], b2[2]),
                *rows_of(d),
            )  # fmt: skip
            left, regular = eliminate_joint(slot, row, dof, i, whole)
            a, d = of_rows(left[0], left[1], left[2]), of_rows(left[9], left[10], left[11])
            b0, b1, b2 = left[3], left[4], left[5]
            if not regular:
                worst = i
        if up == n:
            a, b0, b1, b2, d = nothing()
        else:
            b0, b1, b2, d = about_parent(part3(row, i, REACH), a, b0, b1, b2, d)
            if up != i - 1:
                leave_waiting(row, up, a, b0, b1, b2, d)
                a, b0, b1, b2, d = nothing()
    return worst


@kernel
def nothing():
    """(A, rows of B, D) of no body; symmetric matrices are (xx, yy, zz, yz, xz, xy)."""
    o, none = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return none, o, o, o, none


@kernel
def symmetric_times(m, u):
    """The symmetric matrix m times u."""
    return (
        m[0] * u[0] + m[5] * u[1] + m[4] * u[2],
        m[5] * u[0] + m[1] * u[1] + m[3] * u[2],
        m[4] * u[0] + m[3] * u[1] + m[2] * u[2],
    )


@kernel
def combine(u, r0, r1, r2):
    """uᵀ times the matrix of three rows."""
    return axpy(u[0], r0, axpy(u[1], r1, scale(u[2], r2)))


@kernel
def without(m, u, x):
    """m − u xᵀ, x a multiple of u."""
    return (
        m[0] - u[0] * x[0],
        m[1] - u[1] * x[1],
        m[2] - u[2] * x[2],
        m[3] - u[1] * x[2],
        m[4] - u[0] * x[2],
        m[5] - u[0] * x[1],
    )


@kernel
def rows_of(m):
    """The rows of a symmetric matrix."""
    return (m[0], m[5], m[4]), (m[5], m[1], m[3]), (m[4], m[3], m[2])


@kernel
def of_rows(r0, r1, r2):
    """The six numbers of a matrix that is symmetric up to rounding."""
    return r0[0], r1[1], r2[2], r1[2], r0[2], r0[1]


@kernel
def about_parent(r, a, b0, b1, b2, d):
    """(rows of B, D) about the parent's reference point, −r away: B − A r×, D − Bᵀ r× + r× (B − A r×)."""
    a0, a1, a2 = rows_of(a)
    c0, c1, c2 = sub(b0, cross(a0, r)), sub(b1, cross(a1, r)), sub(b2, cross(a2, r))
    # rows of −Bᵀ r×, and of r× times the new B, of which six entries are needed
    t0 = add(cross(r, (b0[0], b1[0], b2[0])), axpy(r[1], c2, scale(-r[2], c1)))
    t1 = add(cross(r, (b0[1], b1[1], b2[1])), axpy(r[2], c0, scale(-r[0], c2)))
    t2 = add(cross(r, (b0[2], b1[2], b2[2])), axpy(r[0], c1, scale(-r[1], c0)))
    return c0, c1, c2, (d[0] + t0[0], d[1] + t1[1], d[2] + t2[2], d[3] + t1[2], d[4] + t0[2], d[5] + t0[1])


@kernel
def add_body_at_knot(row, i, per_h, a, b0, b1, b2, d):
    """Add the inertia of a slot's own body over h, about its reference point: A = m, B = −m c×, D = J − m c× c×."""
    m, j, c = per_h * row[i, MASS], get_inertia(row, i, INERTIA), part3(row, i, ARM)
    x, y, z = c
    p = scale(m, c)
    return (
        (a[0] + m, a[1] + m, a[2] + m, a[3], a[4], a[5]),
        add(b0, (0.0, p[2], -p[1])),
        add(b1, (-p[2], 0.0, p[0])),
        add(b2, (p[1], -p[0], 0.0)),
        (
            d[0] + per_h * j[0] + p[1] * y + p[2] * z,
            d[1] + per_h * j[1] + p[0] * x + p[2] * z,
            d[2] + per_h * j[2] + p[0] * x + p[1] * y,
            d[3] + per_h * j[3] - p[1] * z,
            d[4] + per_h * j[4] - p[0] * z,
            d[5] + per_h * j[5] - p[0] * y,
        ),
    )


@kernel
def leave_waiting(row, up, a, b0, b1, b2, d):
    """Add a matrix to what waits in the row of a slot where branches meet."""
    for k in range(6):
        row[up, BLOCK + k] += a[k]
        row[up, BLOCK + 15 + k] += d[k]
    for k in range(3):
        row[up, BLOCK + 6 + k] += b0[k]
        row[up, BLOCK + 9 + k] += b1[k]
        row[up, BLOCK + 12 + k] += b2[k]


@kernel
def take_waiting(row, i, a, b0, b1, b2, d):
    """The matrix at hand and what waited; the row is empty afterwards."""
    w, p = BLOCK, BLOCK + 15
    a = (
        a[0] + row[i, w], a[1] + row[i, w + 1], a[2] + row[i, w + 2],
        a[3] + row[i, w + 3], a[4] + row[i, w + 4], a[5] + row[i, w + 5],
    )  # fmt: skip
    d = (
        d[0] + row[i, p], d[1] + row[i, p + 1], d[2] + row[i, p + 2],
        d[3] + row[i, p + 3], d[4] + row[i, p + 4], d[5] + row[i, p + 5],
    )  # fmt: skip
    b0, b1, b2 = add(b0, part3(row, i, w + 6)), add(b1, part3(row, i, w + 9)), add(b2, part3(row, i, w + 12))
    for k in range(21):
        row[i, BLOCK + k] = 0.0
    return a, b0, b1, b2, d


@kernel
def stand_still(slot, row, dof):
    """Screws at the end as if nothing had moved, for joints of several freedoms."""
    for i in range(slot.shape[0] - 1):
        if slot[i, SHAPE] == GENERAL:
            put4(row, slot[i, PARENT], TURN, (1.0, 0.0, 0.0, 0.0))
            for v in range(slot[i, FIRST], slot[i, FIRST] + slot[i, DOFS]):
                dof[v, STEP] = 0.0
                dof[v, COSINE] = 1.0
                for c in range(6):
                    dof[v, RIGHT + c] = dof[v, LEFT + c]
