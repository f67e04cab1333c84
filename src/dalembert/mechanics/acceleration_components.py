"""How fast and how much faster: rates and accelerations of the components of a joint.

With V, A the velocities and accelerations of the bodies' material points at r_B (`dalembert.mechanics.recursive_tree`)

    ṫ = Q_Aᵀ (V_b − V_a),    ẗ = Q_Aᵀ (A_b − A_a − 2 Ω_a × (V_b − V_a)),
    w = Q_Bᵀ (Ω_b − Ω_a),    ẇ = Q_Bᵀ (α_b − α_a + Ω_b × Ω_a),    ṗ = ½ p·(0, w),    p̈ = ½ ṗ·(0, w) + ½ p·(0, ẇ),

and every component is a function of t and p whose second derivative follows. No linearisation about a closed loop is
made, so the values are exact for bodies that violate the joint too.
"""

from dalembert._jit import kernel
from dalembert.mechanics.kinematics_joint import (
    axis_angle_gradient,
    child_frame_pose,
    parent_frame_pose,
    relative_pose,
    universal_gradients,
)
from dalembert.mechanics.recursive_tree import angular6, linear6
from dalembert.model.system import CUSTOM, DISTANCE, GEAR, LOWER_PAIR, SCREW, UNIVERSAL
from dalembert.spatial.quaternion import multiply, rotate_back
from dalembert.spatial.vector import add, axpy, cross, dot, norm, row3, sub


@kernel
def component_motions(system, active, position, orientation, velocity, omega, acceleration, rate, out):
    """Rates and accelerations (m, 6) of the components with ``active`` (m, 6) set.

    Args:
        position: (n + 1, 3), and ``orientation`` (n + 1, 4) of the bodies.
        velocity: (n + 1, 3) in the world, and ``omega`` (n + 1, 3) angular velocities in world axes.
        acceleration: (n + 1, 6) [linear; angular] in world axes.
        rate: (m, 6) rates of the components, written.
        out: (m, 6) their accelerations, written. Custom constraints are left untouched in both.
    """
    for j in range(active.shape[0]):
        wanted = False
        for c in range(6):
            wanted = wanted or active[j, c] != 0
        kind = system.joint_kind[j]
        if not wanted or kind == CUSTOM:
            continue
        if kind == GEAR:
            rate[j, 0] = out[j, 0] = 0.0
            for side in range(2):
                factor = 1.0 if side == 0 else system.parameter[j]
                i, c = system.gear_joint[j, side], system.gear_component[j, side]
                bodies = relative_motion(system, i, position, orientation, velocity, omega, acceleration)
                first, second = _component(system, i, c, bodies)
                rate[j, 0] += factor * first
                out[j, 0] += factor * second
            continue
        bodies = relative_motion(system, j, position, orientation, velocity, omega, acceleration)
        for c in range(6):
            if active[j, c] != 0:
                rate[j, c], out[j, c] = _component(system, j, c, bodies)


@kernel
def relative_motion(system, j, position, orientation, velocity, omega, acceleration):
    """(t, p, ṫ, w, ẗ, ẇ) of joint j."""
    a, b = system.joint_parent[j], system.joint_child[j]
    _, frame_a = parent_frame_pose(system, j, position, orientation)
    r_b, frame_b = child_frame_pose(system, j, position, orientation)
    t, p = relative_pose(system, j, position, orientation)
    d_a, d_b = sub(r_b, row3(position, a)), sub(r_b, row3(position, b))
    omega_a, omega_b = row3(omega, a), row3(omega, b)
    alpha_a, alpha_b = angular6(acceleration, a), angular6(acceleration, b)
    moving = sub(add(row3(velocity, b), cross(omega_b, d_b)), add(row3(velocity, a), cross(omega_a, d_a)))
    at_a = add(add(linear6(acceleration, a), cross(alpha_a, d_a)), cross(omega_a, cross(omega_a, d_a)))
    at_b = add(add(linear6(acceleration, b), cross(alpha_b, d_b)), cross(omega_b, cross(omega_b, d_b)))
    speeding = axpy(-2.0, cross(omega_a, moving), sub(at_b, at_a))
    turning = add(sub(alpha_b, alpha_a), cross(omega_b, omega_a))
    return (
        t,
        p,
        rotate_back(frame_a, moving),
        rotate_back(frame_b, sub(omega_b, omega_a)),
        rotate_back(frame_a, speeding),
        rotate_back(frame_b, turning),
    )


@kernel
def turns_freely(system, j):
    """Whether all three rotations of joint j are free: its components 3 … 5 have rates but no values."""
    free = system.locked[j, 3] == 0 and system.locked[j, 4] == 0 and system.locked[j, 5] == 0
    return system.joint_kind[j] == LOWER_PAIR and free


@kernel
def _component(system, j, c, motion):
    """(ċ, c̈) of component c of joint j."""
    t, p, dt, w, ddt, dw = motion
    kind = system.joint_kind[j]
    if kind == DISTANCE:
        # ℓ ℓ̇ = t·ṫ
        length = norm(t)
        first = dot(t, dt) / length
        return first, (dot(dt, dt) + dot(t, ddt) - first * first) / length
    if kind == UNIVERSAL and c >= 3:
        return _universal_component(c, p, w, dw)
    if c >= 3 and turns_freely(system, j):
        return (w[0], dw[0]) if c == 3 else ((w[1], dw[1]) if c == 4 else (w[2], dw[2]))
    if c == 5 and system.locked[j, 5] == 0:
        return _angle(p, w, dw)
    if c >= 3:
        dp, ddp = _turn(p, w, dw)
        return 2.0 * dp[c - 2], 2.0 * ddp[c - 2]
    first, second = (dt[0], ddt[0]) if c == 0 else ((dt[1], ddt[1]) if c == 1 else (dt[2], ddt[2]))
    if kind == SCREW and c == 2:
        angle, faster = _angle(p, w, dw)
        return first - system.parameter[j] * angle, second - system.parameter[j] * faster
    return first, second


@kernel
def _turn(p, w, dw):
    """(ṗ, p̈)."""
    dp = multiply(p, (0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]))
    u, v = multiply(dp, (0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2])), multiply(p, (0.0, dw[0], dw[1], dw[2]))
    return dp, (u[0] + 0.5 * v[0], u[1] + 0.5 * v[1], u[2] + 0.5 * v[2], u[3] + 0.5 * v[3])


@kernel
def _angle(p, w, dw):
    """θ = 2 atan2(p₃, p₀): θ̇ = g·w = 2 (p₀ ṗ₃ − p₃ ṗ₀)/s, s = p₀² + p₃², so θ̈ = 2 (p₀ p̈₃ − p₃ p̈₀)/s − θ̇ ṡ/s."""
    dp, ddp = _turn(p, w, dw)
    s = p[0] * p[0] + p[3] * p[3]
    first = dot(axis_angle_gradient(p), w)
    return first, 2.0 * (p[0] * ddp[3] - p[3] * ddp[0] - first * (p[0] * dp[0] + p[3] * dp[3])) / s


@kernel
def _universal_component(c, p, w, dw):
    """From a = A's axis 1 in B, ȧ = a×w: θ₂ = atan2(a₃, a₁), the cosine is a₂; θ₁ from b = B's axis 2 in A likewise."""
    a = rotate_back(p, (1.0, 0.0, 0.0))
    da = cross(a, w)
    dda = add(cross(da, w), cross(a, dw))
    if c == 5:
        return da[1], dda[1]
    s = a[0] * a[0] + a[2] * a[2]
    if c == 4:
        first = dot(universal_gradients(p)[1], w)
        return first, (a[0] * dda[2] - a[2] * dda[0] - 2.0 * first * (a[0] * da[0] + a[2] * da[2])) / s
    # θ̇₁ s = a₁ w₁ + a₃ w₃
    first = dot(universal_gradients(p)[0], w)
    slope = da[0] * w[0] + a[0] * dw[0] + da[2] * w[2] + a[2] * dw[2]
    return first, (slope - 2.0 * first * (a[0] * da[0] + a[2] * da[2])) / s
