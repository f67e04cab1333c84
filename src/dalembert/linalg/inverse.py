"""The inverse of a small matrix without row exchanges, for sizes known to the compiler (see `blocks`).

Up to size three it is Gaussian elimination written out. Larger matrices are cut after the third row,

    [P Q; R S]⁻¹ = [P⁻¹ + X Z⁻¹ T, −X Z⁻¹; −Z⁻¹ T, Z⁻¹],    T = R P⁻¹,  X = P⁻¹ Q,  Z = S − T Q,

which is the same elimination with fewer results waiting for one another. Rows are not exchanged. Instead each step is
watched: where it takes much more from a diagonal entry than the entry holds, digits are lost, the result is not to be
trusted, nothing is written, and the caller inverts again with exchanges. The test does not depend on the units of rows
and columns, and definite matrices always pass it, since a step takes at most the whole entry.
"""

from dalembert._jit import kernel
from dalembert.linalg.blocks import THREE

ACCEPTED = 10.0
"""How many times its own size a diagonal entry may lose in a step: one digit is given away."""

REGULAR_BELOW = 1e13
"""The product of the diagonal's size with the sum of 1/|pivot| that passes."""


@kernel
def invert_up_to_three(v, a, size):
    """Invert the block at ``v[a:]``, of size 1, 2 or 3, in place; False, and nothing done, if it cannot be trusted."""
    n = len(size)
    block = v[a : a + n * n]
    diagonal = 0.0
    for i in range(n):
        diagonal += abs(block[(n + 1) * i])
    p, lost, reciprocal = _inverse(block, 0, n, size)
    if not (lost <= 0.0 and reciprocal * diagonal <= REGULAR_BELOW):
        return False
    for i in range(n):
        for j in range(n):
            block[n * i + j] = p[i][j]
    return True


@kernel
def invert_above_three(v, a, size, rest, work):
    """`invert_up_to_three` for sizes 4, 5 and 6; ``rest`` is as long as rows follow the third, ``work`` 36 numbers."""
    n, m = len(size), len(rest)
    block = v[a : a + n * n]
    diagonal = 0.0
    for i in range(n):
        diagonal += abs(block[(n + 1) * i])
    p, lost, reciprocal = _inverse(block, 0, n, THREE)
    # T (m × 3) at 0, Z and then Z⁻¹ (m × m) at 9, X (3 × m) at 18, W = Z⁻¹ T (m × 3) at 27
    for i in range(m):
        r0, r1, r2 = block[n * (3 + i)], block[n * (3 + i) + 1], block[n * (3 + i) + 2]
        t0 = r0 * p[0][0] + r1 * p[1][0] + r2 * p[2][0]
        t1 = r0 * p[0][1] + r1 * p[1][1] + r2 * p[2][1]
        t2 = r0 * p[0][2] + r1 * p[1][2] + r2 * p[2][2]
        work[3 * i], work[3 * i + 1], work[3 * i + 2] = t0, t1, t2
        for j in range(m):
            c0, c1, c2 = t0 * block[3 + j], t1 * block[n + 3 + j], t2 * block[2 * n + 3 + j]
            entry = block[n * (3 + i) + 3 + j]
            work[9 + m * i + j] = entry - (c0 + c1 + c2)
            if i == j:
                lost = max(lost, abs(c0) + abs(c1) + abs(c2) - ACCEPTED * abs(entry))
    z, lost_z, reciprocal_z = _inverse(work, 9, m, rest)
    reciprocal += reciprocal_z
    if not (max(lost, lost_z) <= 0.0 and reciprocal * diagonal <= REGULAR_BELOW):
        return False
    for i in range(3):
        for j in range(m):
            work[18 + m * i + j] = p[i][0] * block[3 + j] + p[i][1] * block[n + 3 + j] + p[i][2] * block[2 * n + 3 + j]
    for i in range(m):
        for j in range(3):
            total = z[i][0] * work[j]
            for k in range(1, m):
                total += z[i][k] * work[3 * k + j]
            work[27 + 3 * i + j] = total
            block[n * (3 + i) + j] = -total
        for j in range(m):
            block[n * (3 + i) + 3 + j] = z[i][j]
    for i in range(3):
        for j in range(3):
            total = p[i][j]
            for k in range(m):
                total += work[18 + m * i + k] * work[27 + 3 * k + j]
            block[n * i + j] = total
        for j in range(m):
            total = work[18 + m * i] * z[0][j]
            for k in range(1, m):
                total += work[18 + m * i + k] * z[k][j]
            block[n * i + 3 + j] = -total
    return True


@kernel
def _inverse(v, a, stride, size) -> tuple[tuple[tuple[float, ...], ...], float, float]:
    """The inverse of the 1 to 3 rows at ``v[a:]``, ``stride`` apart, whether it lost digits, and the sum of 1/|pivot|.

    Digits are lost if the second number is positive. The sum is NaN if an entry is not finite: zero times infinity is
    NaN, where 1/pivot = 0 alone would hide it.
    """
    p = 1.0 / v[a]
    if len(size) == 1:
        return ((p,),), 0.0, abs(p) + 0.0 * v[a]
    elif len(size) == 2:
        m01, m11 = v[a + 1], v[a + stride + 1]
        f = v[a + stride] * p
        r = 1.0 / (m11 - f * m01)
        g = m01 * p
        lost = abs(f * m01) - ACCEPTED * abs(m11)
        return ((p + g * r * f, -g * r), (-r * f, r)), lost, abs(p) + abs(r) + 0.0 * (v[a] + m01 + m11)
    else:
        # clear column 0; the rest is inverted as a 2 × 2 matrix, [z11 z12; z21 z22]
        m01, m02 = v[a + 1], v[a + 2]
        m10, m11, m12 = v[a + stride], v[a + stride + 1], v[a + stride + 2]
        m20, m21, m22 = v[a + 2 * stride], v[a + 2 * stride + 1], v[a + 2 * stride + 2]
        f, g = m10 * p, m20 * p
        b, e = m12 - f * m02, m21 - g * m01
        r = 1.0 / (m11 - f * m01)
        h, d = e * r, m22 - g * m02
        z22 = 1.0 / (d - h * b)
        z12, z21 = -b * r * z22, -z22 * h
        z11 = r - z12 * h
        w1, w2 = z11 * f + z12 * g, z21 * f + z22 * g
        x1, x2 = p * m01, p * m02
        return (
            (
                (p + x1 * w1 + x2 * w2, -(x1 * z11 + x2 * z21), -(x1 * z12 + x2 * z22)),
                (-w1, z11, z12),
                (-w2, z21, z22),
            ),
            max(
                abs(f * m01) - ACCEPTED * abs(m11),
                abs(g * m02) - ACCEPTED * abs(m22),
                abs(h * b) - ACCEPTED * abs(d),
            ),
            abs(p) + abs(r) + abs(z22) + 0.0 * (v[a] + m01 + m02 + m11 + m12 + m21 + m22),
        )
