"""From a pose back to the coordinates of a joint that is a product of exponentials, and the rows of its components.

With e the pose as seen from Q(r), e = (R_Qᵀ (t − t_Q), 2 vec(p_Q⁻¹ p)), the coordinates r of a pose are those where the
screws S(r) are at right angles to e; at a pose that the joint allows, e vanishes. In the orthonormal columns
[Q₁ Q₂] of S = Q₁ U the constraints are Q₂ᵀ e, and the coordinates change by U⁻¹ Q₁ᵀ times the relative twist. Rows
follow to within e: exactly where the joint holds. Metres and radians weigh alike in e, which is all that the choice of
r off the constraints depends on.
"""

from math import sqrt

from dalembert._jit import kernel
from dalembert.mechanics.product_joint import ZERO, plus, product_pose, product_screw
from dalembert.spatial.quaternion import relative, rotate_back
from dalembert.spatial.vector import dot, sub

MAX_STEPS = 50
CLOSE = 1e-15
SINGULAR = 1e-12
TINY = 1e-36
"""Of |Sᵀ e|²: nothing is left to be gained, or the screws that are left move nothing."""


@kernel
def nearest_coordinates(system, j, t, p, q, first):
    """Move the coordinates of joint j, from q[first] on, to those nearest to the pose (t, p). Gauss–Newton from where
    they are: quadratic where the pose fits the joint."""
    for _ in range(MAX_STEPS):
        e = miss(system, j, t, p, q, first)
        step = least_squares(system, j, q, first, e)
        size, speed = 0.0, 1.0
        for k in range(system.n_coordinates[j]):
            q[first + k] += step[k]
            size = max(size, abs(step[k]))
            speed = max(speed, abs(q[first + k]))
        if not size > CLOSE * speed:
            break


@kernel
def least_squares(system, j, q, first, e):
    """x (6,) with the least |e − S x|, zeros beyond the joint's own coordinates: conjugate gradients on Sᵀ S, where all
    is small enough to stay in registers; once more on what is left, against rounding."""
    s0, s1, s2 = _screw(system, j, q, first, 0), _screw(system, j, q, first, 1), _screw(system, j, q, first, 2)
    s3, s4, s5 = _screw(system, j, q, first, 3), _screw(system, j, q, first, 4), _screw(system, j, q, first, 5)
    x = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for _ in range(2):
        r = _along(s0, s1, s2, s3, s4, s5, e)
        p, size = r, _dot(r, r)
        for _ in range(2 * system.n_coordinates[j]):
            if not size > TINY:
                break
            u = plus(p[0], s0, plus(p[1], s1, plus(p[2], s2, plus(p[3], s3, plus(p[4], s4, plus(p[5], s5, ZERO))))))
            share = size / (dot(u[0], u[0]) + dot(u[1], u[1]))
            x, e = _axpy(share, p, x), plus(-share, u, e)
            r = _along(s0, s1, s2, s3, s4, s5, e)
            left = _dot(r, r)
            p, size = _axpy(left / size, p, r), left
    return x


@kernel
def _screw(system, j, q, first, k):
    return product_screw(system, j, q, first, k) if k < system.n_coordinates[j] else ZERO


@kernel
def _along(s0, s1, s2, s3, s4, s5, e):
    """Sᵀ e."""
    return (
        dot(s0[0], e[0]) + dot(s0[1], e[1]),
        dot(s1[0], e[0]) + dot(s1[1], e[1]),
        dot(s2[0], e[0]) + dot(s2[1], e[1]),
        dot(s3[0], e[0]) + dot(s3[1], e[1]),
        dot(s4[0], e[0]) + dot(s4[1], e[1]),
        dot(s5[0], e[0]) + dot(s5[1], e[1]),
    )


@kernel
def _dot(x, y):
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5]


@kernel
def _axpy(s, x, y):
    return (
        s * x[0] + y[0],
        s * x[1] + y[1],
        s * x[2] + y[2],
        s * x[3] + y[3],
        s * x[4] + y[4],
        s * x[5] + y[5],
    )


@kernel
def component_rows(system, j, q, first, basis, factor):
    """Into ``basis``: how the components change with the relative twist in the axes of B, at coordinates as above."""
    n = system.n_coordinates[j]
    orthonormal_screws(system, j, q, first, basis, factor)
    complete(n, basis, factor)
    # U R = Q₁ᵀ, from the last row up
    for k in range(n - 1, -1, -1):
        for c in range(6):
            for m in range(k + 1, n):
                basis[k, c] -= factor[k, m] * basis[m, c]
            basis[k, c] /= factor[k, k]


@kernel
def miss(system, j, t, p, q, first):
    """e of the pose (t, p) at the coordinates that begin at q[first]."""
    t_q, p_q = product_pose(system, j, q, first)
    x, turn = rotate_back(p_q, sub(t, t_q)), relative(p_q, p)
    sign = 2.0 if turn[0] >= 0.0 else -2.0
    return x, (sign * turn[1], sign * turn[2], sign * turn[3])


@kernel
def orthonormal_screws(system, j, q, first, basis, factor):
    """Q₁ as the first rows of ``basis`` and U above the diagonal of ``factor``, by Gram and Schmidt, done twice."""
    for k in range(system.n_coordinates[j]):
        s = product_screw(system, j, q, first, k)
        for c in range(3):
            basis[k, c] = s[0][c]
            basis[k, 3 + c] = s[1][c]
        for i in range(k):
            factor[i, k] = 0.0
        factor[k, k] = _orthonormalize(basis, k, factor, True)


@kernel
def complete(n, basis, factor):
    """Q₂ as the other rows of ``basis``: of the unit vectors the one that is left longest, time and again."""
    for k in range(n, 6):
        longest, chosen = -1.0, 0
        for c in range(6):
            left = 1.0
            for i in range(k):
                left -= basis[i, c] * basis[i, c]
            if left > longest:
                longest, chosen = left, c
        for c in range(6):
            basis[k, c] = 1.0 if c == chosen else 0.0
        _orthonormalize(basis, k, factor, False)


@kernel
def _orthonormalize(basis, k, factor, accumulate):
    """Make row k of ``basis`` a unit vector at right angles to those before; the length that was left of it."""
    for _ in range(2):
        for i in range(k):
            along = 0.0
            for c in range(6):
                along += basis[i, c] * basis[k, c]
            if accumulate:
                factor[i, k] += along
            for c in range(6):
                basis[k, c] -= along * basis[i, c]
    length = 0.0
    for c in range(6):
        length += basis[k, c] * basis[k, c]
    # a screw that follows from the others moves nothing: its coordinate is left where it is
    length = max(sqrt(length), SINGULAR)
    for c in range(6):
        basis[k, c] /= length
    return length
