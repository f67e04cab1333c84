"""The two sweeps of a trial at all quadrature points at once: equations inwards, increments and motion outwards.

`inwards` gathers momentum and torque from the leaves and has for each rate, at each point, with a unit axis a at the
reference point that moves with v while the frame turns with ω, and e = 1 for a turn (pitch b a besides), 0 for a slide,

    Sᵀμ = e a·L + b a·p,     Ṡᵀμ = a·(e (L×ω + p×v) + b p×ω)

(b = 1 for a slide): the node's own part in ω and v drops out of the triple products, so those after the motion do. It
then turns the equations into ρ at the points and reduces M(q^a) Δv^a = ρ^a by the articulated-body recursion of
`quick`, each point with its own mass matrix M. `outwards` finds the Δv^a, projects them on polynomials, and follows the
motion; so a whole increment is one sweep in and one out. With M at every point rather than one for all, increments
shrink by what forces and velocities vary with the motion alone, times h and the small norm of the collocation matrix.
"""

from math import cos, sin

from dalembert._jit import inlined, kernel
from dalembert._lanes import WIDTH, larger, size
from dalembert.integrators.galerkin.plan import (
    ARMATURE,
    BODY,
    BODY_TURN,
    DAMPING,
    MASS,
    REST,
    RIGID,
    SLIDE,
    STIFFNESS,
    TURN,
)
from dalembert.integrators.galerkin.point_frames import cosine_and_sine, frame_of, inertia_of, local, spread
from dalembert.integrators.galerkin.points import (
    ANGULAR,
    ANSWER,
    AXIS,
    AXIS_OF,
    AXIS_THEN,
    BODY_ARM,
    BODY_MASS,
    CARRIED_FORCE,
    CARRIES,
    CHANGE_TO_OFFSET,
    COSINE,
    FORCE,
    FRAME_X,
    INVERSE,
    KIND,
    KNOT_TO_SIDE,
    LIFT,
    LINEAR,
    MOMENTUM,
    NODE,
    OFFSET,
    PITCH_OF,
    PROJECTION,
    PUSH,
    PUSH_TO_SIDE,
    RATE,
    RATE_OF,
    REACH_NOW,
    REACH_THEN,
    REACH_TO,
    SIDE_MATRIX,
    SIGN,
    SINE,
    SINGLES,
    SPIN,
    START,
    TILTED,
    TORQUE,
    TORQUE_IN_LINK,
    TWIST,
    UP,
    VELOCITY,
    WEIGHT,
    WRENCH,
)
from dalembert.integrators.maximal.tree_motion import put3
from dalembert.integrators.minimal.knot_elimination import symmetric_times
from dalembert.spatial.quaternion import part4, rotate
from dalembert.spatial.vector import add, axpy, cross, dot, part3, scale


@kernel
def prepare_links(plan, knot, outside, gravity, points):
    """What is constant in a step: turns at the knot, and forces that do not move with the mechanism."""
    link, fixed, nodes = points.link, points.fixed, points.link.shape[0] - 1
    for i in range(nodes + 1):
        for c in range(3):
            fixed[i, CARRIED_FORCE + c] = 0.0
    for i in range(nodes - 1, -1, -1):
        up, node = link[i, UP], link[i, NODE]
        if link[i, KIND] != RIGID:
            fixed[i, START] = knot.start[link[i, RATE_OF]]
        if link[i, KIND] == TURN:
            fixed[i, COSINE], fixed[i, SINE] = cos(fixed[i, START]), fixed[i, SIGN] * sin(fixed[i, START])
        if link[i, CARRIES]:
            body = plan.node[node, BODY]
            force = axpy(plan.fixed[node, MASS], gravity, part3(outside.wrench[0], body, 0))
            put3(fixed, i, FORCE, force)
            put3(fixed, i, CARRIED_FORCE, add(part3(fixed, i, CARRIED_FORCE), force))
            torque = rotate(part4(plan.fixed, node, BODY_TURN), part3(outside.wrench[0], body, 3))
            put3(fixed, i, TORQUE_IN_LINK, torque)
        put3(fixed, up, CARRIED_FORCE, add(part3(fixed, up, CARRIED_FORCE), part3(fixed, i, CARRIED_FORCE)))


@inlined
def apply(table, which, values, v, c, zero):
    """Σ_b table[which, b] · values[v, c, b]: two sums, which do not wait for one another."""
    even, odd = zero, zero
    for b in range(0, WIDTH, 2):
        even = even + table[which, b] * values[v, c, b]
        odd = odd + table[which, b + 1] * values[v, c, b + 1]
    return even + odd


@inlined
def outwards(points, row, dof, table, h, length, changing):
    """Changes of the rates, if ``changing``, then the motion with them; (largest change, largest offset of a turn).

    A change is that of an offset, in radians or parts of ``length``.
    """
    link, fixed, values = points.link, points.fixed, points.dof
    n = link.shape[0] - 1
    zero = 0.0 * row[n, FRAME_X]
    change, offset, per_length = zero, zero, 1.0 / length
    for i in range(n):
        up, kind, v, pitch = link[i, UP], link[i, KIND], link[i, RATE_OF], fixed[i, PITCH_OF]
        if changing:
            turn = part3(row, up, TWIST + 3)
            move = add(part3(row, up, TWIST), cross(turn, part3(row, i, REACH_THEN)))
            if kind != RIGID:
                lift = dot(part3(row, i, LIFT), move) + dot(part3(row, i, LIFT + 3), turn)
                answer = dof[v, ANSWER] - row[i, INVERSE] * lift
                dof[v, ANSWER] = answer
                axis = part3(row, i, AXIS_THEN)
                if kind == TURN:
                    turn = axpy(answer, axis, turn)
                if kind == SLIDE or pitch != 0.0:
                    move = axpy((1.0 if kind == SLIDE else pitch) * answer, axis, move)
                moved = h * apply(table, CHANGE_TO_OFFSET, values, v, ANSWER, zero)
                dof[v, OFFSET] = dof[v, OFFSET] + moved
                dof[v, RATE] = dof[v, RATE] + apply(table, PROJECTION, values, v, ANSWER, zero)
                change = larger(size((1.0 if kind == TURN else per_length) * moved), change)
            put3(row, i, TWIST, move)
            put3(row, i, TWIST + 3, turn)
        frame = frame_of(row, up)
        reach = local(frame, part3(fixed, i, REACH_TO))
        if link[i, TILTED]:
            frame = (
                local(frame, (fixed[i, SIDE_MATRIX], fixed[i, SIDE_MATRIX + 3], fixed[i, SIDE_MATRIX + 6])),
                local(frame, (fixed[i, SIDE_MATRIX + 1], fixed[i, SIDE_MATRIX + 4], fixed[i, SIDE_MATRIX + 7])),
                local(frame, (fixed[i, SIDE_MATRIX + 2], fixed[i, SIDE_MATRIX + 5], fixed[i, SIDE_MATRIX + 8])),
            )
        spin_up, velocity = part3(row, up, SPIN), part3(row, up, VELOCITY)
        spin = spin_up
        if kind == RIGID:
            velocity = add(velocity, cross(spin, reach))
        else:
            x, rate, k, sign = dof[v, OFFSET], dof[v, RATE], link[i, AXIS_OF], fixed[i, SIGN]
            ex, ey, ez = frame
            axis = scale(sign, ex if k == 0 else (ey if k == 1 else ez))
            put3(row, i, AXIS, axis)
            if kind == TURN:
                offset = larger(size(x), offset)
                c, s = cosine_and_sine(x)
                s = sign * s
                c, s = fixed[i, COSINE] * c - fixed[i, SINE] * s, fixed[i, COSINE] * s + fixed[i, SINE] * c
                if k == 0:
                    ey, ez = axpy(c, ey, scale(s, ez)), axpy(c, ez, scale(-s, ey))
                elif k == 1:
                    ez, ex = axpy(c, ez, scale(s, ex)), axpy(c, ex, scale(-s, ez))
                else:
                    ex, ey = axpy(c, ex, scale(s, ey)), axpy(c, ey, scale(-s, ex))
                frame = (ex, ey, ez)
                spin = axpy(rate, axis, spin)
            if kind == SLIDE or pitch != 0.0:
                slid = 1.0 if kind == SLIDE else pitch
                reach = axpy(slid * (fixed[i, START] + x), axis, reach)
                velocity = axpy(slid * rate, axis, velocity)
            velocity = add(velocity, cross(spin_up, reach))
        put3(row, i, FRAME_X, frame[0])
        put3(row, i, FRAME_X + 3, frame[1])
        put3(row, i, FRAME_X + 6, frame[2])
        put3(row, i, VELOCITY, velocity)
        put3(row, i, SPIN, spin)
        put3(row, i, REACH_NOW, reach)
        none = (zero, zero, zero)
        put3(row, i, WRENCH, none)
        put3(row, i, WRENCH + 3, none)
        if link[i, CARRIES]:
            mass, arm = fixed[i, BODY_MASS], local(frame, part3(fixed, i, BODY_ARM))
            linear = scale(mass, add(velocity, cross(spin, arm)))
            w = (dot(frame[0], spin), dot(frame[1], spin), dot(frame[2], spin))
            turning = local(frame, symmetric_times(inertia_of(fixed, i), w))
            torque = cross(arm, spread(part3(fixed, i, FORCE), zero))
            own = part3(fixed, i, TORQUE_IN_LINK)
            if own[0] != 0.0 or own[1] != 0.0 or own[2] != 0.0:
                torque = add(torque, local(frame, own))
            put3(row, i, LINEAR, linear)
            put3(row, i, ANGULAR, add(turning, cross(arm, linear)))
            put3(row, i, TORQUE, torque)
        else:
            put3(row, i, LINEAR, none)
            put3(row, i, ANGULAR, none)
            put3(row, i, TORQUE, none)
    return change, offset


@inlined
def inwards(plan, knot, joint_force, points, row, dof, table, h, solving):
    """Gather the equations of a trial; reduce M Δv = ρ if ``solving``, else add the balance of the step to momenta."""
    link, fixed, values = points.link, points.fixed, points.dof
    n = link.shape[0] - 1
    zero, share = 0.0 * row[n, FRAME_X], h * table[SINGLES, WEIGHT]
    for i in range(n - 1, -1, -1):
        up, kind, v, pitch = link[i, UP], link[i, KIND], link[i, RATE_OF], fixed[i, PITCH_OF]
        linear, angular, torque = part3(row, i, LINEAR), part3(row, i, ANGULAR), part3(row, i, TORQUE)
        force = spread(part3(fixed, i, CARRIED_FORCE), zero)
        if kind != RIGID:
            axis, spin, rate = part3(row, i, AXIS), part3(row, i, SPIN), dof[v, RATE]
            momentum, push = zero, zero
            if kind == TURN:
                momentum = dot(axis, angular)
                whole = add(cross(angular, spin), add(cross(linear, part3(row, i, VELOCITY)), torque))
                push = dot(axis, whole)
            if kind == SLIDE or pitch != 0.0:
                slid = 1.0 if kind == SLIDE else pitch
                momentum = momentum + slid * dot(axis, linear)
                push = push + slid * dot(axis, add(cross(linear, spin), force))
            law = plan.law[v]
            away = fixed[i, START] - law[REST] + dof[v, OFFSET]
            push = push + joint_force[v] - law[STIFFNESS] * away - law[DAMPING] * rate
            dof[v, PUSH] = share * push
            if solving:
                dof[v, MOMENTUM] = momentum + law[ARMATURE] * rate
                side = zero - knot.momentum[v] * table[SINGLES, KNOT_TO_SIDE]
                side = side - apply(table, PUSH_TO_SIDE, values, v, PUSH, zero)
                side = side - apply(table, PROJECTION, values, v, MOMENTUM, zero)
                axis = part3(row, i, AXIS_THEN)
                if kind == TURN:
                    side = side - dot(axis, part3(row, i, WRENCH + 3))
                if kind == SLIDE or pitch != 0.0:
                    side = side - (1.0 if kind == SLIDE else pitch) * dot(axis, part3(row, i, WRENCH))
                dof[v, ANSWER] = row[i, INVERSE] * side
            else:
                for b in range(WIDTH):
                    knot.momentum[v] += values[v, PUSH, b]
        if up == n:
            continue
        reach = part3(row, i, REACH_NOW)
        put3(row, up, LINEAR, add(part3(row, up, LINEAR), linear))
        put3(row, up, ANGULAR, add(part3(row, up, ANGULAR), add(angular, cross(reach, linear))))
        put3(row, up, TORQUE, add(part3(row, up, TORQUE), add(torque, cross(reach, force))))
        if solving:
            pull, twist = part3(row, i, WRENCH), part3(row, i, WRENCH + 3)
            if kind != RIGID:
                answer = dof[v, ANSWER]
                pull = axpy(answer, part3(row, i, LIFT), pull)
                twist = axpy(answer, part3(row, i, LIFT + 3), twist)
            put3(row, up, WRENCH, add(part3(row, up, WRENCH), pull))
            twist = add(twist, cross(part3(row, i, REACH_THEN), pull))
            put3(row, up, WRENCH + 3, add(part3(row, up, WRENCH + 3), twist))
