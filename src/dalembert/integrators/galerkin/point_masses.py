"""The mass matrices of a trial at all quadrature points at once, factored: `quick.factor_mass` in lanes."""

from dalembert._jit import inlined
from dalembert.integrators.galerkin.plan import ARMATURE, RIGID, SLIDE, TURN
from dalembert.integrators.galerkin.point_frames import frame_of, inertia_of, local
from dalembert.integrators.galerkin.points import (
    ARTICULATED,
    AXIS,
    AXIS_THEN,
    BODY_ARM,
    BODY_MASS,
    CARRIES,
    FRAME_X,
    INVERSE,
    KIND,
    LIFT,
    PITCH_OF,
    RATE_OF,
    REACH_NOW,
    REACH_THEN,
    UP,
)
from dalembert.integrators.maximal.tree_motion import put3
from dalembert.integrators.minimal.knot_elimination import about_parent, combine, symmetric_times, without
from dalembert.spatial.vector import add, axpy, dot, part3, scale


@inlined
def factor_masses(plan, points, row):
    """Eliminate the joints of the mass matrix of every point, leaves first, where the motion of the trial is."""
    link, fixed = points.link, points.fixed
    n = link.shape[0] - 1
    zero = 0.0 * row[n, FRAME_X]
    for i in range(n):
        for c in range(21):
            row[i, ARTICULATED + c] = zero
    for i in range(n - 1, -1, -1):
        up, kind, v, pitch = link[i, UP], link[i, KIND], link[i, RATE_OF], fixed[i, PITCH_OF]
        k = ARTICULATED
        m = (row[i, k], row[i, k + 1], row[i, k + 2], row[i, k + 3], row[i, k + 4], row[i, k + 5])
        b0, b1, b2 = part3(row, i, k + 6), part3(row, i, k + 9), part3(row, i, k + 12)
        k += 15
        d = (row[i, k], row[i, k + 1], row[i, k + 2], row[i, k + 3], row[i, k + 4], row[i, k + 5])
        if link[i, CARRIES]:
            m, b0, b1, b2, d = _with_body(fixed, i, frame_of(row, i), m, b0, b1, b2, d)
        reach = part3(row, i, REACH_NOW)
        put3(row, i, REACH_THEN, reach)
        if kind != RIGID:
            axis = part3(row, i, AXIS)
            put3(row, i, AXIS_THEN, axis)
            none = (zero, zero, zero)
            slid = 1.0 if kind == SLIDE else pitch
            turn = axis if kind == TURN else none
            move = scale(slid, axis) if slid != 0.0 else none
            uf = add(symmetric_times(m, move), (dot(b0, turn), dot(b1, turn), dot(b2, turn)))
            ut = add(combine(move, b0, b1, b2), symmetric_times(d, turn))
            inverse = 1.0 / (dot(move, uf) + dot(turn, ut) + plan.law[v, ARMATURE])
            put3(row, i, LIFT, uf)
            put3(row, i, LIFT + 3, ut)
            row[i, INVERSE] = inverse
            xf, xt = scale(inverse, uf), scale(inverse, ut)
            m, d = without(m, uf, xf), without(d, ut, xt)
            b0, b1, b2 = axpy(-uf[0], xt, b0), axpy(-uf[1], xt, b1), axpy(-uf[2], xt, b2)
        if up == n:
            continue
        b0, b1, b2, d = about_parent(reach, m, b0, b1, b2, d)
        k = ARTICULATED
        for c in range(6):
            row[up, k + c] = row[up, k + c] + m[c]
            row[up, k + 15 + c] = row[up, k + 15 + c] + d[c]
        for c in range(3):
            row[up, k + 6 + c] = row[up, k + 6 + c] + b0[c]
            row[up, k + 9 + c] = row[up, k + 9 + c] + b1[c]
            row[up, k + 12 + c] = row[up, k + 12 + c] + b2[c]


@inlined
def _with_body(fixed, i, frame, m, b0, b1, b2, d):
    """The inertia of a body added: A = m, B = −m c×, D = J − m c× c×, with J = Σ (J e) eᵀ over the frame's axes."""
    mass, arm = fixed[i, BODY_MASS], local(frame, part3(fixed, i, BODY_ARM))
    xx, yy, zz, yz, xz, xy = inertia_of(fixed, i)
    ex, ey, ez = frame
    jx = axpy(xx, ex, axpy(xy, ey, scale(xz, ez)))
    jy = axpy(xy, ex, axpy(yy, ey, scale(yz, ez)))
    jz = axpy(xz, ex, axpy(yz, ey, scale(zz, ez)))
    x, y, z = arm
    p = scale(mass, arm)
    return (
        (m[0] + mass, m[1] + mass, m[2] + mass, m[3], m[4], m[5]),
        (b0[0], b0[1] + p[2], b0[2] - p[1]),
        (b1[0] - p[2], b1[1], b1[2] + p[0]),
        (b2[0] + p[1], b2[1] - p[0], b2[2]),
        (
            d[0] + (jx[0] * ex[0] + jy[0] * ey[0] + jz[0] * ez[0]) + (p[1] * y + p[2] * z),
            d[1] + (jx[1] * ex[1] + jy[1] * ey[1] + jz[1] * ez[1]) + (p[0] * x + p[2] * z),
            d[2] + (jx[2] * ex[2] + jy[2] * ey[2] + jz[2] * ez[2]) + (p[0] * x + p[1] * y),
            d[3] + (jx[1] * ex[2] + jy[1] * ey[2] + jz[1] * ez[2]) - p[1] * z,
            d[4] + (jx[0] * ex[2] + jy[0] * ey[2] + jz[0] * ez[2]) - p[0] * z,
            d[5] + (jx[0] * ex[1] + jy[0] * ey[1] + jz[0] * ez[1]) - p[0] * y,
        ),
    )
