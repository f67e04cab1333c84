"""Minimal coordinates in time: q̇ from (q, v), a turn along constant rates, and unit quaternions."""

from dalembert._jit import kernel
from dalembert.spatial.quaternion import exp, multiply, normalize


@kernel
def _angles(system, j):
    """How many coordinates of joint j are lengths or angles; a quaternion follows if there are more."""
    return system.n_rates[j] - 3 if system.n_coordinates[j] > system.n_rates[j] else system.n_rates[j]


@kernel
def _quaternion(q, k):
    return (q[k], q[k + 1], q[k + 2], q[k + 3])


@kernel
def _set_quaternion(q, k, p):
    q[k] = p[0]
    q[k + 1] = p[1]
    q[k + 2] = p[2]
    q[k + 3] = p[3]


@kernel
def coordinate_rates(system, q, v, out):
    """q̇ (n_q,) into ``out``: the rates themselves, and ṗ = ½ p·(0, w) of quaternions, which need not be units."""
    for j in system.tree_joint:
        k, r, n = system.q_start[j], system.v_start[j], _angles(system, j)
        for i in range(n):
            out[k + i] = v[r + i]
        if system.n_coordinates[j] > n:
            half = (0.0, 0.5 * v[r + n], 0.5 * v[r + n + 1], 0.5 * v[r + n + 2])
            _set_quaternion(out, k + n, multiply(_quaternion(q, k + n), half))


@kernel
def advance_coordinates(system, v, h, q):
    """Move q in place along the constant rates v for the time h: p ← p·exp(h w) on the group."""
    for j in system.tree_joint:
        k, r, n = system.q_start[j], system.v_start[j], _angles(system, j)
        for i in range(n):
            q[k + i] += h * v[r + i]
        if system.n_coordinates[j] > n:
            turn = exp((h * v[r + n], h * v[r + n + 1], h * v[r + n + 2]))
            _set_quaternion(q, k + n, normalize(multiply(_quaternion(q, k + n), turn)))


@kernel
def normalize_coordinates(system, q):
    """Make every quaternion of the minimal coordinates a unit, in place."""
    for j in system.tree_joint:
        n = _angles(system, j)
        if system.n_coordinates[j] > n:
            k = system.q_start[j] + n
            _set_quaternion(q, k, normalize(_quaternion(q, k)))
