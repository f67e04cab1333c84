"""From a pose back to the coordinates of a joint that is a product of exponentials, and the rows of its components.

With e the pose as seen from Q(r), e = (R_Qᵀ (t − t_Q), 2 vec(p_Q⁻¹ p)), the coordinates r of a pose are those where the
screws S(r) are at right angles to e; at a pose that the joint allows, e vanishes. In the orthonormal columns
[Q₁ Q₂] of S = Q₁ U the constraints are Q₂ᵀ e, and the coordinates change by U⁻¹ Q₁ᵀ times the relative twist. Rows
follow to within e: exactly where the joint holds. Metres and radians weigh alike in e, which is all that the choice of
r off the constraints depends on.
"""

from math import sqrt

from dalembert._jit import kernel
from dalembert.mechanics.product_joint import product_pose, product_screw
from dalembert.spatial.quaternion import relative, rotate_back
from dalembert.spatial.vector import sub

MAX_STEPS = 50
CLOSE = 1e-15
SINGULAR = 1e-12


@kernel
def nearest_coordinates(system, j, t, p, q, first, basis, factor):
    """Move the coordinates of joint j, from q[first] on, to those nearest to the pose (t, p); ``basis`` and ``factor``:
    (6, 6) scratch. Gauss–Newton from where they are: quadratic where the pose fits the joint."""
    n = system.n_coordinates[j]
    for _ in range(MAX_STEPS):
        orthonormal_screws(system, j, q, first, basis, factor)
        e = miss(system, j, t, p, q, first)
        for k in range(n):
            # the first row has served when it is written over
            basis[0, k] = row6(basis, k, e)
        size, speed = 0.0, 1.0
        for k in range(n - 1, -1, -1):
            for i in range(k + 1, n):
                basis[0, k] -= factor[k, i] * basis[0, i]
            basis[0, k] /= factor[k, k]
            q[first + k] += basis[0, k]
            size = max(size, abs(basis[0, k]))
            speed = max(speed, abs(q[first + k]))
        if not size > CLOSE * speed:
            break


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


@kernel
def row6(a, i, u):
    """Row i of ``a`` times the twist u."""
    return (
        a[i, 0] * u[0][0]
        + a[i, 1] * u[0][1]
        + a[i, 2] * u[0][2]
        + a[i, 3] * u[1][0]
        + a[i, 4] * u[1][1]
        + a[i, 5] * u[1][2]
    )
