"""From the solved interval to its end, for several motions in lanes; see `tree_run` and `tree_path`."""

from dalembert._jit import inlined
from dalembert._lanes import root
from dalembert.integrators.maximal.knot import PAST_STEPS
from dalembert.integrators.maximal.tree_motion import (
    get4,
    get_inertia,
    nearly_unit,
    put3,
    put4,
    toward,
    turn_angle,
    turned_inertia,
)
from dalembert.integrators.maximal.tree_plan import (
    ARM,
    ARM_H,
    AXIS,
    BALL,
    COORDINATE,
    COSINE,
    FIRST,
    FRAME,
    FREE_X,
    HALF_COSINE,
    HALF_SINE,
    HINGE,
    INERTIA,
    INERTIA_H,
    MASS,
    MOMENTUM,
    OFFSET,
    PARENT,
    PAST,
    REACH,
    REACH_H,
    REVERSED,
    RIGID,
    SHAPE,
    SIDE,
    SIDE_H,
    SLIDER,
    STEP,
    TARGET,
)
from dalembert.spatial.quaternion import columns, conjugate, multiply, rotate
from dalembert.spatial.vector import add, axpy, part3, scale


@inlined
def push_lanes(slot, row, gravity, half):
    """TARGET += (h/2) m g."""
    impulse = scale(half, gravity)
    for i in range(slot.shape[0] - 1):
        put3(row, i, TARGET, axpy(row[i, MASS], impulse, part3(row, i, TARGET)))


@inlined
def add_angles(slot, numbers, coordinates):
    """Coordinates of hinges at the end of the interval, lane by lane: ``numbers`` is the array behind ``dof``."""
    for i in range(slot.shape[0] - 1):
        if slot[i, SHAPE] == HINGE:
            v, k = slot[i, FIRST], slot[i, COORDINATE]
            for lane in range(numbers.shape[2]):
                coordinates[k, 0, lane] += turn_angle(numbers[v, COSINE, lane], numbers[v, STEP, lane])


@inlined
def move_lanes(slot, row, dof, q):
    """`tree_run.move_on`, but for the angles of hinges; ``q`` is the table of coordinates, one column."""
    for i in range(slot.shape[0] - 1):
        put3(row, i, TARGET, part3(row, i, MOMENTUM))
        put3(row, i, TARGET + 3, part3(row, i, MOMENTUM + 3))
        shape, k, v = slot[i, SHAPE], slot[i, COORDINATE], slot[i, FIRST]
        if shape == HINGE:
            c, s = dof[v, COSINE], dof[v, STEP]
            c, s = dof[v, HALF_COSINE] * c - dof[v, HALF_SINE] * s, dof[v, HALF_SINE] * c + dof[v, HALF_COSINE] * s
            unit = 1.5 - 0.5 * (c * c + s * s)
            dof[v, HALF_COSINE] = unit * c
            dof[v, HALF_SINE] = unit * s
        elif shape == SLIDER:
            q[k, 0] = q[k, 0] + dof[v, STEP]
        elif shape == BALL:
            turn = (dof[v, COSINE], dof[v, STEP], dof[v + 1, STEP], dof[v + 2, STEP])
            if slot[i, REVERSED]:
                turn = conjugate(turn)
            q_b = get4(row, i, SIDE) if slot[i, REVERSED] else get4(row, i, FRAME)
            back = multiply(conjugate(q_b), multiply(turn, q_b))
            p = multiply((q[k, 0], q[k + 1, 0], q[k + 2, 0], q[k + 3, 0]), back)
            unit = 1.0 / root(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
            for c in range(4):
                q[k + c, 0] = p[c] * unit
    for i in range(slot.shape[0] - 1):
        shape, v = slot[i, SHAPE], slot[i, FIRST]
        for c in range(v, v + (0 if shape == RIGID else (3 if shape == BALL else 1))):
            for k in range(PAST + PAST_STEPS - 1, PAST, -1):
                dof[c, k] = dof[c, k - 1]
            dof[c, PAST] = dof[c, STEP]


@inlined
def place_lanes(slot, row, dof, q):
    """`tree_path.place_slots`."""
    for i in range(slot.shape[0] - 1):
        up, shape, v = slot[i, PARENT], slot[i, SHAPE], slot[i, FIRST]
        frame_up = get4(row, up, FRAME)
        frame = multiply(frame_up, get4(row, i, SIDE_H))
        reach = rotate(frame_up, part3(row, i, REACH_H))
        if shape == HINGE:
            c, s = dof[v, HALF_COSINE], -dof[v, HALF_SINE] if slot[i, REVERSED] else dof[v, HALF_SINE]
            w, x, y, z = frame
            frame = (c * w - s * z, c * x + s * y, c * y - s * x, c * z + s * w)
        elif shape == SLIDER:
            put4(row, i, SIDE, frame)
            still = (1.0, 0.0, 0.0, 0.0)
            frame = multiply(frame, conjugate(still) if slot[i, REVERSED] else still)
        elif shape == BALL:
            put4(row, i, SIDE, frame)
            k = slot[i, COORDINATE]
            p = (q[k, 0], q[k + 1, 0], q[k + 2, 0], q[k + 3, 0])
            frame = multiply(frame, conjugate(p) if slot[i, REVERSED] else p)
        frame = nearly_unit(frame)
        put4(row, i, FRAME, frame)
        axes = columns(frame)
        put3(row, i, ARM, toward(axes, part3(row, i, ARM_H)))
        inertia = turned_inertia(get_inertia(row, i, INERTIA_H), axes)
        for k in range(6):
            row[i, INERTIA + k] = inertia[k]
        if shape == HINGE:
            put3(row, i, AXIS, scale(-1.0, axes[2]) if slot[i, REVERSED] else axes[2])
        elif shape == SLIDER:
            a = columns(frame if slot[i, REVERSED] else get4(row, i, SIDE))
            n = a[0] if slot[i, FREE_X] else (a[1] if slot[i, FREE_X + 1] else a[2])
            offset = axpy(q[slot[i, COORDINATE], 0], n, (0.0, 0.0, 0.0))
            if slot[i, REVERSED]:
                offset = scale(-1.0, offset)
            put3(row, i, OFFSET, offset)
            reach = add(reach, offset)
            put3(row, i, AXIS, scale(-1.0, n) if slot[i, REVERSED] else n)
        put3(row, i, REACH, reach)
