"""A heavy body on a ball joint, integrated in coordinates of its rotation: to hold charts against the group.

The library integrates rotations about points on the group, where there are no charts to leave
(`dalembert.integrators.implicit.stage`). Here the same body moves as sections 2.4.5 and 2.4.8 of [Sueda 2021] have it,
by its Euler angles with automatic switching or its rotation vector with replacement: J ω̇ = (m arm) × Rᵀ g − ω × J ω,
q̈ = S⁻¹ (ω̇ − Ṡ q̇), in steps of the classical Runge–Kutta method.
"""

from math import sqrt

from dalembert._jit import kernel
from dalembert.spatial.euler_angles import (
    euler_accelerations,
    euler_angles,
    euler_rates,
    euler_screws,
    euler_turn,
    switch_chart,
)
from dalembert.spatial.exponential_coordinates import exponential_accelerations, shortened
from dalembert.spatial.quaternion import exp, log, multiply, normalize, rotate_back, set_row4
from dalembert.spatial.rotation import exp_rate, log_rate
from dalembert.spatial.vector import add, axpy, cross, dot, scale

GROUP = -1
EXPONENTIAL = 12
"""In place of the number of a chart of Euler angles: the rotation vector; −1: the group itself."""


@kernel
def swing_body(chart, inertia, arm, gravity, turn, spin, h, track, switches):
    """Fill ``track`` (steps + 1, 4) with quaternions from ``turn`` on; the largest angular velocity.

    Args:
        chart: 0 … 11, EXPONENTIAL or GROUP.
        inertia: principal moments about the joint, kg m².
        arm: centre of mass from the joint in body axes, times the mass, kg m.
        gravity: in the world, m/s².
        turn: quaternion at the start.
        spin: angular velocity at the start in body axes, rad/s.
        h: step, s.
        track: written.
        switches: (1,) how often coordinates were changed, added to.
    """
    p, fastest = turn, sqrt(dot(spin, spin))
    q, v = (0.0, 0.0, 0.0), spin
    if chart == EXPONENTIAL:
        q = log(p)
        v = log_rate(q, spin)
    elif chart != GROUP:
        q = euler_angles(chart, p)
        v = euler_rates(chart, q, spin)
    set_row4(track, 0, p)
    for i in range(track.shape[0] - 1):
        if chart == EXPONENTIAL:
            before = q
            q, v = shortened(q, v)
            switches[0] += 1 if before[0] != q[0] else 0
        elif chart != GROUP:
            before_chart = chart
            chart, q, v = switch_chart(chart, q, v)
            switches[0] += 1 if chart != before_chart else 0
        k1, a1 = _slope(chart, inertia, arm, gravity, p, q, v)
        k2, a2 = _slope(chart, inertia, arm, gravity, p, axpy(0.5 * h, k1, q), axpy(0.5 * h, a1, v))
        k3, a3 = _slope(chart, inertia, arm, gravity, p, axpy(0.5 * h, k2, q), axpy(0.5 * h, a2, v))
        k4, a4 = _slope(chart, inertia, arm, gravity, p, axpy(h, k3, q), axpy(h, a3, v))
        q = axpy(h / 6.0, add(add(k1, k4), scale(2.0, add(k2, k3))), q)
        v = axpy(h / 6.0, add(add(a1, a4), scale(2.0, add(a2, a3))), v)
        if chart == GROUP:
            # a rotation vector that starts afresh at every step
            p, q = normalize(multiply(p, exp(q))), (0.0, 0.0, 0.0)
            w = v
        else:
            p, w = _placed(chart, q, v)
        fastest = max(fastest, sqrt(dot(w, w)))
        set_row4(track, i + 1, p)
    return fastest


@kernel
def _placed(chart, q, v):
    """(quaternion, angular velocity in body axes)."""
    if chart == EXPONENTIAL:
        return exp(q), exp_rate(q, v)
    s = euler_screws(chart, q)
    return euler_turn(chart, q), add(add(scale(v[0], s[0]), scale(v[1], s[1])), scale(v[2], s[2]))


@kernel
def _slope(chart, inertia, arm, gravity, base, q, v):
    """(q̇, v̇): on the group q is the turn since ``base`` and v the angular velocity, else v = q̇."""
    if chart == GROUP:
        p, w = multiply(base, exp(q)), v
    else:
        p, w = _placed(chart, q, v)
    spin = (inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2])
    torque = axpy(-1.0, cross(w, spin), cross(arm, rotate_back(p, gravity)))
    dw = (torque[0] / inertia[0], torque[1] / inertia[1], torque[2] / inertia[2])
    if chart == GROUP:
        return log_rate(q, w), dw
    return v, exponential_accelerations(q, v, dw) if chart == EXPONENTIAL else euler_accelerations(chart, q, v, dw)
