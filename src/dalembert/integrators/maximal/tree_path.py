"""Outward sweeps over the tree: vectors of the mechanism at a knot, and the motion over an interval."""

from math import cos, sin

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_general import follow_general, joint_offset, joint_turn, write_screws
from dalembert.integrators.maximal.tree_motion import (
    angular_momentum,
    get4,
    get_inertia,
    hinged,
    put3,
    put4,
    swing,
    toward,
    turned_inertia,
)
from dalembert.integrators.maximal.tree_plan import (
    ARM,
    ARM_END,
    ARM_H,
    AXIS,
    AXIS_END,
    COORDINATE,
    COSINE,
    FIRST,
    FRAME,
    FREE_X,
    GENERAL,
    HINGE,
    INERTIA,
    INERTIA_H,
    LEFT,
    MASS,
    MOMENTUM,
    OFFSET,
    PARENT,
    PITCH,
    REACH,
    REACH_END,
    REACH_H,
    REVERSED,
    RIGID,
    SHAPE,
    SHIFT,
    SIDE,
    SIDE_H,
    SLIDER,
    STEP,
    TARGET,
    TURN,
    WRENCH,
)
from dalembert.spatial.quaternion import columns, conjugate, multiply, normalize, rotate
from dalembert.spatial.vector import add, cross, part3, scale, sub


@kernel
def place_slots(plan, work, coordinates):
    """FRAME, ARM, REACH, AXIS, INERTIA and screws of every slot at the knot from the joint coordinates."""
    slot, body, knot = plan.slot, plan.body, work.knot
    for i in range(slot.shape[0] - 1):
        up, shape = slot[i, PARENT], slot[i, SHAPE]
        frame_up = get4(knot, up, FRAME)
        frame = multiply(frame_up, get4(body, i, SIDE_H))
        reach = rotate(frame_up, part3(body, i, REACH_H))
        if shape == HINGE:
            u = 0.5 * coordinates[slot[i, COORDINATE]]
            c, s = cos(u), -sin(u) if slot[i, REVERSED] else sin(u)
            w, x, y, z = frame
            frame = (c * w - s * z, c * x + s * y, c * y - s * x, c * z + s * w)
        elif shape != RIGID:
            put4(knot, i, SIDE, frame)
            p = joint_turn(slot, i, coordinates)
            frame = multiply(frame, conjugate(p) if slot[i, REVERSED] else p)
        frame = normalize(frame)
        put4(knot, i, FRAME, frame)
        axes = columns(frame)
        put3(knot, i, ARM, toward(axes, part3(body, i, ARM_H)))
        inertia = turned_inertia(get_inertia(body, i, INERTIA_H), axes)
        for k in range(6):
            knot[i, INERTIA + k] = inertia[k]
        if shape == HINGE:
            put3(knot, i, AXIS, scale(-1.0, axes[2]) if slot[i, REVERSED] else axes[2])
        elif shape == SLIDER or shape == GENERAL:
            q_a = frame if slot[i, REVERSED] else get4(knot, i, SIDE)
            offset = joint_offset(slot, body[i, PITCH], i, q_a, coordinates)
            put3(knot, i, OFFSET, offset)
            reach = add(reach, offset)
            if shape == SLIDER:
                a = columns(q_a)
                n = a[0] if slot[i, FREE_X] else (a[1] if slot[i, FREE_X + 1] else a[2])
                put3(knot, i, AXIS, scale(-1.0, n) if slot[i, REVERSED] else n)
            else:
                still = (1.0, 0.0, 0.0, 0.0)
                write_screws(slot, body[i, PITCH], knot, work.screw, i, still, still, offset, LEFT)
        put3(knot, i, REACH, reach)


@kernel
def follow(plan, work, h):
    """TURN, SHIFT, arms, axes and screws at the end of the interval, MOMENTUM, and the residual WRENCH of each body.

    The residual is that of [Brüdigam 2023] eq. (20) without the joints' impulses, as a wrench about the reference point.
    """
    slot, knot, path, dof = plan.slot, work.knot, work.path, work.dof
    per_h = 1.0 / h
    for i in range(slot.shape[0] - 1):
        up, shape = slot[i, PARENT], slot[i, SHAPE]
        turn_up = get4(path, up, TURN)
        if shape == HINGE:
            reach, axis = part3(knot, i, REACH), part3(knot, i, AXIS)
            moved = swing(turn_up, reach)
            shift = add(part3(path, up, SHIFT), moved)
            v = slot[i, FIRST]
            turn = hinged(turn_up, dof[v, COSINE], dof[v, STEP], axis)
            put4(path, i, TURN, turn)
            put3(path, i, SHIFT, shift)
            put3(path, i, REACH_END, add(reach, moved))
            put3(path, i, AXIS_END, add(axis, swing(turn_up, axis)))
        elif shape == GENERAL:
            follow_general(slot, plan.body[i, PITCH], knot, path, dof, work.screw, i)
            turn, shift = get4(path, i, TURN), part3(path, i, SHIFT)
        else:
            turn, shift = _follow_simple(slot, knot, path, dof, i, shape, turn_up)
        arm = part3(knot, i, ARM)
        swung = swing(turn, arm)
        put3(path, i, ARM_END, add(arm, swung))
        linear = scale(per_h * plan.body[i, MASS], add(shift, swung))
        angular = angular_momentum(h, get_inertia(knot, i, INERTIA), turn)
        put3(path, i, MOMENTUM, linear)
        put3(path, i, MOMENTUM + 3, angular)
        force = sub(linear, part3(knot, i, TARGET))
        put3(path, i, WRENCH, force)
        put3(path, i, WRENCH + 3, add(sub(angular, part3(knot, i, TARGET + 3)), cross(arm, force)))


@kernel
def _follow_simple(slot, knot, path, dof, i, shape, turn_up):
    """Rigid joints, balls and sliders."""
    up, v = slot[i, PARENT], slot[i, FIRST]
    reach = part3(knot, i, REACH)
    turn = turn_up
    if shape == SLIDER:
        step, axis = dof[v, STEP], part3(knot, i, AXIS)
        along = scale(step, axis)
        # the axis turns with the parent, and so does the body: it cannot turn against it
        moved = add(along, swing(turn_up, add(reach, along)))
        put3(path, i, AXIS_END, add(axis, swing(turn_up, axis)))
    else:
        moved = swing(turn_up, reach)
        if shape != RIGID:
            turn = multiply(turn_up, (dof[v, COSINE], dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP]))
    shift = add(part3(path, up, SHIFT), moved)
    put4(path, i, TURN, turn)
    put3(path, i, SHIFT, shift)
    put3(path, i, REACH_END, add(reach, moved))
    return turn, shift
