"""From increments to motion: where every node is at the quadrature points, how fast, and along which screws it moves.

[Fan 2018] algorithm B.1, lines 3 to 9, with the reference point of each node in place of the world's origin. A screw
(b; a) has the angular part a and moves the reference point by b; with the parent's frame moving with (v; ω) there,

    Ṡ = ad_v S = (ω×b + v×a; ω×a),          where S is constant in the parent's frame,

which holds for slides and turns. For a ball S = Q J_l(ξ), Q the parent's frame turned by the knot's P, and Ṡ has the
derivative of J_l in direction ξ̇ besides. A ball has a second set of screws, *still* in the parent's frame, Q alone: the
knot's own turn, which all control points share.
"""

from math import cos, sin

from dalembert._jit import kernel
from dalembert.integrators.galerkin.chart import bend, bend_rate, turn_coefficients
from dalembert.integrators.galerkin.memory import (
    ARM_NOW,
    CARRIED,
    FRAME,
    INERTIA_NOW,
    POINT,
    RATE,
    SCREW,
    SCREW_RATE,
    SPIN,
    STILL,
    STILL_RATE,
    VALUE,
    VELOCITY,
)
from dalembert.integrators.galerkin.plan import (
    ARM,
    AXES,
    BALL,
    BODY,
    DOFS,
    FIRST,
    INERTIA,
    MOTION,
    PARENT,
    PITCH,
    REACH,
    REVERSED,
    SIDE,
    SLIDE,
    TURN,
)
from dalembert.spatial.quaternion import exp, multiply, part4, rotate, row4, set_part4
from dalembert.spatial.vector import add, axpy, cross, part3, scale, set_part3, unit


@kernel
def follow(plan, rule, knot, h, path):
    """Poses, velocities, screws and inertias of all nodes at all quadrature points."""
    for v in range(path.dof.shape[0]):
        _sample(rule, knot, h, path, v)
    for i in range(plan.node.shape[0] - 1):
        for a in range(rule.weight.size):
            if plan.node[i, MOTION] == TURN:
                _turn(plan, path, i, a)
            else:
                _move(plan, knot, path, i, a)
            if plan.node[i, BODY] >= 0:
                _carry_body(plan, path, i, a)


@kernel
def _sample(rule, knot, h, path, v):
    """Value and rate of a coordinate at the quadrature points."""
    for a in range(rule.weight.size):
        value, rate = knot.start[v], 0.0
        for g in range(path.delta.shape[0]):
            value += rule.phi[a, g + 1] * path.delta[g, v]
            rate += rule.slope[a, g + 1] * path.delta[g, v]
        path.dof[v, a, VALUE] = value
        path.dof[v, a, RATE] = rate / h


@kernel
def _turn(plan, path, i, a):
    """A turn about a single axis, with a pitch for screws."""
    parent, fixed, here = path.node[plan.node[i, PARENT]], plan.fixed, path.node[i]
    first, pitch, k = plan.node[i, FIRST], plan.fixed[i, PITCH], plan.node[i, AXES]
    dof = path.dof[first]
    angle, rate = dof[a, VALUE], dof[a, RATE]
    spin, frame = part3(parent, a, SPIN), part4(parent, a, FRAME)
    reach = rotate(frame, part3(fixed, i, REACH))
    turn = multiply(frame, part4(fixed, i, SIDE))
    sign = -1.0 if plan.node[i, REVERSED] else 1.0
    axis = scale(sign, column(turn, k))
    half = 0.5 * angle
    s, c = sin(half), cos(half)
    # turn · (c, s e_k), with the axis in the world on the left
    turn = multiply((c, s * axis[0], s * axis[1], s * axis[2]), turn)
    reach = axpy(pitch * angle, axis, reach)
    carried = add(part3(parent, a, VELOCITY), cross(spin, reach))
    swept = cross(spin, axis)
    set_part3(dof, a, SCREW, scale(pitch, axis))
    set_part3(dof, a, SCREW + 3, axis)
    set_part3(dof, a, SCREW_RATE, axpy(pitch, swept, cross(carried, axis)))
    set_part3(dof, a, SCREW_RATE + 3, swept)
    set_part4(here, a, FRAME, turn)
    set_part3(here, a, POINT, add(part3(parent, a, POINT), reach))
    set_part3(here, a, SPIN, axpy(rate, axis, spin))
    set_part3(here, a, VELOCITY, axpy(pitch * rate, axis, carried))
    set_part3(here, a, CARRIED, carried)


@kernel
def column(q, k):
    """Axis k of the frame q in the world."""
    w, x, y, z = q
    if k == 0:
        return (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y))
    if k == 1:
        return (2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x))
    return (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y))


@kernel
def _move(plan, knot, path, i, a):
    """Slides, balls and rigid joints."""
    parent, fixed = path.node[plan.node[i, PARENT]], plan.fixed
    here, dof = path.node[i], path.dof
    motion, first, dofs = plan.node[i, MOTION], plan.node[i, FIRST], plan.node[i, DOFS]
    sign = -1.0 if plan.node[i, REVERSED] else 1.0
    spin, frame = part3(parent, a, SPIN), part4(parent, a, FRAME)
    reach = rotate(frame, part3(fixed, i, REACH))
    turn = multiply(frame, part4(fixed, i, SIDE))
    moved, turning, sliding = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if motion == SLIDE:
        for k in range(dofs):
            axis = scale(sign, rotate(turn, unit(plan.node[i, AXES + k])))
            set_part3(dof[first + k], a, SCREW, axis)
            set_part3(dof[first + k], a, SCREW_RATE, cross(spin, axis))
            moved = axpy(dof[first + k, a, VALUE], axis, moved)
            sliding = axpy(dof[first + k, a, RATE], axis, sliding)
    elif motion == BALL:
        turn = multiply(turn, row4(knot.turn, i))
    point = add(part3(parent, a, POINT), add(reach, moved))
    carried = add(part3(parent, a, VELOCITY), cross(spin, add(reach, moved)))
    if motion == BALL:
        turn, turning = _turn_ball(dof, first, a, turn, spin, carried)
    set_part4(here, a, FRAME, turn)
    set_part3(here, a, POINT, point)
    set_part3(here, a, SPIN, add(spin, turning))
    set_part3(here, a, VELOCITY, add(carried, sliding))
    set_part3(here, a, CARRIED, carried)


@kernel
def _turn_ball(dof, first, a, base, spin, carried):
    """(frame after the turn, its angular velocity relative to the parent's) and the screws of a ball."""
    xi = (dof[first, a, VALUE], dof[first + 1, a, VALUE], dof[first + 2, a, VALUE])
    rate = (dof[first, a, RATE], dof[first + 1, a, RATE], dof[first + 2, a, RATE])
    c1, c2, d1, d2, _, _ = turn_coefficients(xi)
    for k in range(3):
        axis = rotate(base, bend(xi, unit(k), c1, c2))
        rest = rotate(base, unit(k))
        own = rotate(base, bend_rate(xi, unit(k), c1, c2, d1, d2, rate))
        set_part3(dof[first + k], a, SCREW + 3, axis)
        set_part3(dof[first + k], a, SCREW_RATE, cross(carried, axis))
        set_part3(dof[first + k], a, SCREW_RATE + 3, add(cross(spin, axis), own))
        set_part3(dof[first + k], a, STILL + 3, rest)
        set_part3(dof[first + k], a, STILL_RATE, cross(carried, rest))
        set_part3(dof[first + k], a, STILL_RATE + 3, cross(spin, rest))
    return multiply(base, exp(xi)), rotate(base, bend(xi, rate, c1, c2))


@kernel
def _carry_body(plan, path, i, a):
    """Arm and inertia of the body in world axes."""
    here, fixed = path.node[i], plan.fixed
    turn = part4(here, a, FRAME)
    set_part3(here, a, ARM_NOW, rotate(turn, part3(fixed, i, ARM)))
    xx, yy, zz = fixed[i, INERTIA], fixed[i, INERTIA + 1], fixed[i, INERTIA + 2]
    yz, xz, xy = fixed[i, INERTIA + 3], fixed[i, INERTIA + 4], fixed[i, INERTIA + 5]
    ex, ey, ez = rotate(turn, (1.0, 0.0, 0.0)), rotate(turn, (0.0, 1.0, 0.0)), rotate(turn, (0.0, 0.0, 1.0))
    # J e of the frame's axes e, then Σ (J e) eᵀ
    jx = axpy(xx, ex, axpy(xy, ey, scale(xz, ez)))
    jy = axpy(xy, ex, axpy(yy, ey, scale(yz, ez)))
    jz = axpy(xz, ex, axpy(yz, ey, scale(zz, ez)))
    here[a, INERTIA_NOW] = jx[0] * ex[0] + jy[0] * ey[0] + jz[0] * ez[0]
    here[a, INERTIA_NOW + 1] = jx[1] * ex[1] + jy[1] * ey[1] + jz[1] * ez[1]
    here[a, INERTIA_NOW + 2] = jx[2] * ex[2] + jy[2] * ey[2] + jz[2] * ez[2]
    here[a, INERTIA_NOW + 3] = jx[1] * ex[2] + jy[1] * ey[2] + jz[1] * ez[2]
    here[a, INERTIA_NOW + 4] = jx[0] * ex[2] + jy[0] * ey[2] + jz[0] * ez[2]
    here[a, INERTIA_NOW + 5] = jx[0] * ex[1] + jy[0] * ey[1] + jz[0] * ez[1]
