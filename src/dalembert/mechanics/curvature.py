"""How the row of a joint's component turns and bends when its two bodies move: the second derivatives of components.

The row of a component on body e is a wrench (n, r×n) of a unit force, see `dalembert.mechanics.rows`; here it is
differentiated in the axes of e, with respect to motions (y, θ) of both bodies in world axes:

* translation along an axis n of A, at r_B:  on b  (φ×n, d_b×(φ×n)),  φ = θ_a − θ_b;  on a  −(0, δ×n) with
  δ = y_b + θ_b×d_b − y_a − θ_a×d_a the displacement of r_B against a;
* distance, n along the line of length L:  δn = (1 − n nᵀ) δ/L in the world, δ that of r_B against r_A;
* a function of the relative turn, n = Q_B g(p):  on b  Q_B δg,  on a  −(Q_B δg − φ×n), with δg for the turn
  ζ = −Q_Bᵀ φ of B against A.
"""

from dalembert._jit import kernel
from dalembert.mechanics.constraints import joint_frames
from dalembert.mechanics.forces import turn_spring
from dalembert.mechanics.kinematics_joint import axis_angle_gradient, universal_gradients
from dalembert.mechanics.reduced_coordinates import turn_spring_change
from dalembert.model.system import DISTANCE, SCREW, UNIVERSAL
from dalembert.spatial.quaternion import columns, relative, rotate, rotate_back
from dalembert.spatial.vector import add, axis, axpy, cross, dot, norm, row3, scale, sub, unit

ALL_TURNS = 6
"""In place of a component: the torque of the spring of a joint that turns freely."""


@kernel
def bend(system, i, c, position, orientation, out):
    """∂(row of component c of joint i)/∂(motions) into ``out`` (2, 2, 6, 6): [of, by, row, motion], 0 parent, 1 child.

    Rows are wrenches [force; torque]; all in world axes at the centres of mass.
    """
    a, b = system.joint_parent[i], system.joint_child[i]
    r_a, q_a, r_b, q_b = joint_frames(system, i, position, orientation)
    d_a, d_b = sub(r_b, row3(position, a)), sub(r_b, row3(position, b))
    reach_a = sub(r_a, row3(position, a))
    zero = (0.0, 0.0, 0.0)
    for by in range(2):
        for k in range(6):
            e = unit(k % 3)
            y_a = e if by == 0 and k < 3 else zero
            t_a = e if by == 0 and k >= 3 else zero
            y_b = e if by == 1 and k < 3 else zero
            t_b = e if by == 1 and k >= 3 else zero
            turn = sub(t_a, t_b)
            if system.joint_kind[i] == DISTANCE:
                gap = sub(r_b, r_a)
                length = norm(gap)
                n = scale(1.0 / length, gap)
                slip = sub(add(y_b, cross(t_b, d_b)), add(y_a, cross(t_a, reach_a)))
                dn = scale(1.0 / length, axpy(-dot(n, slip), n, slip))
                on_a, on_b = sub(cross(t_a, n), dn), sub(dn, cross(t_b, n))
                _put(out, by, k, on_a, cross(reach_a, on_a), on_b, cross(d_b, on_b))
            elif c < 3:
                n = axis(columns(q_a), c)
                slip = sub(add(y_b, cross(t_b, d_b)), add(y_a, cross(t_a, d_a)))
                dn = cross(turn, n)
                _put(out, by, k, zero, cross(n, slip), dn, cross(d_b, dn))
                if c == 2 and system.joint_kind[i] == SCREW:
                    on_a, on_b = _bend_turn(system, i, 5, q_a, q_b, turn)
                    for r in range(3):
                        out[0, by, 3 + r, k] -= system.parameter[i] * on_a[r]
                        out[1, by, 3 + r, k] -= system.parameter[i] * on_b[r]
            else:
                on_a, on_b = _bend_turn(system, i, c, q_a, q_b, turn)
                _put(out, by, k, zero, on_a, zero, on_b)


@kernel
def _bend_turn(system, i, c, q_a, q_b, turn):
    """Changes of the torques on a and b when A turns by ``turn`` against B."""
    p = relative(q_a, q_b)
    zeta = rotate_back(q_b, scale(-1.0, turn))
    g, dg = turn_gradient(system, i, c, p, zeta)
    on_b = rotate(q_b, dg)
    return sub(cross(turn, rotate(q_b, g)), on_b), on_b


@kernel
def turn_gradient(system, i, c, p, zeta):
    """(g, δg) in the axes of B: the gradient of component c of the turn p, and its change for p ← p · exp(ζ)."""
    if c == ALL_TURNS:
        _, torque = turn_spring(system, i, p)
        return torque, turn_spring_change(system, i, p, zeta)
    if system.joint_kind[i] == UNIVERSAL:
        return _universal(c, p, zeta)
    v = (p[1], p[2], p[3])
    # ṗ = ½ p·(0, ζ)
    dw = -0.5 * dot(v, zeta)
    dv = scale(0.5, axpy(p[0], zeta, cross(v, zeta)))
    if system.locked[i, c] == 1:
        # 2 p_v·e: g = w e + e × p_v
        e = unit(c - 3)
        return axpy(p[0], e, cross(e, v)), axpy(dw, e, cross(e, dv))
    g = axis_angle_gradient(p)
    s = 1.0 / (p[0] * p[0] + p[3] * p[3])
    shrink = -2.0 * s * (p[0] * dw + p[3] * dv[2])
    return g, (
        shrink * g[0] + s * (dv[0] * p[3] + p[1] * dv[2] - dw * p[2] - p[0] * dv[1]),
        shrink * g[1] + s * (dv[1] * p[3] + p[2] * dv[2] + dw * p[1] + p[0] * dv[0]),
        0.0,
    )


@kernel
def _universal(c, p, zeta):
    """With a, A's first axis in B: ȧ = a × ζ; the gradients are those of `universal_gradients`, and e₂ × a."""
    a = rotate_back(p, (1.0, 0.0, 0.0))
    da = cross(a, zeta)
    if c == 5:
        return cross((0.0, 1.0, 0.0), a), cross((0.0, 1.0, 0.0), da)
    g1, g2 = universal_gradients(p)
    s = 1.0 / (a[0] * a[0] + a[2] * a[2])
    shrink = -2.0 * s * (a[0] * da[0] + a[2] * da[2])
    if c == 3:
        return g1, (shrink * g1[0] + s * da[0], 0.0, shrink * g1[2] + s * da[2])
    return g2, (
        shrink * g2[0] - s * (da[0] * a[1] + a[0] * da[1]),
        0.0,
        shrink * g2[2] - s * (da[2] * a[1] + a[2] * da[1]),
    )


@kernel
def _put(out, by, k, force_a, torque_a, force_b, torque_b):
    for r in range(3):
        out[0, by, r, k] = force_a[r]
        out[0, by, 3 + r, k] = torque_a[r]
        out[1, by, r, k] = force_b[r]
        out[1, by, 3 + r, k] = torque_b[r]
