"""The ties of a loop: their values, and the wrenches and twists they belong to.

The components are those of `mechanics.constraints`, written for a pair of frames of which only the gap from A to B is
known, not the place in the world: the gap at the knot is summed along the tree from one frame to the other, and its
change over an interval is that of two shifts. A component c of a pair has a force f at r_B and a torque t on the child
with which a unit impulse acts, and

    δc = f · δ(r_B − r_A, seen from A) + t · (turn of B − turn of A).
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_loops import (
    ANGLES,
    COMPONENT,
    FACTOR,
    FIRST_ANGLE,
    FIRST_RAY,
    GAP,
    KIND,
    KNOT_VALUE,
    LEFT_A,
    LEFT_B,
    MEETING,
    PAIR_LOCKED,
    PARAMETER,
    RAYS,
    RIGHT_A,
    RIGHT_B,
    SHIFTED,
    SLOT_A,
    SLOT_B,
    TIE,
    TIP_A,
    TIP_A_H,
    TIP_B,
    TIP_B_H,
    TURN_A,
    TURN_A_H,
    TURN_ANGLES,
    TURN_B,
    TURN_B_H,
    TURNS,
    VALUE,
)
from dalembert.integrators.maximal.tree_motion import get4, put3, put4, swing
from dalembert.integrators.maximal.tree_plan import FRAME, PARENT, REACH, SHIFT, TURN
from dalembert.mechanics.kinematics_joint import (
    axis_angle,
    axis_angle_gradient,
    nearest_branch,
    universal_angles,
    universal_gradients,
)
from dalembert.model.system import DISTANCE, SCREW, UNIVERSAL
from dalembert.spatial.quaternion import columns, multiply, relative, rotate
from dalembert.spatial.vector import add, axis, axpy, combine, cross, dot, norm, part3, scale, sub, unit


@kernel
def place_pairs(slot, row, loops):
    """TIP, TURN and GAP of all pairs at the knot."""
    pair, pair_row = loops.pair, loops.pair_row
    for p in range(pair.shape[0]):
        frame_a, frame_b = get4(row, pair[p, SLOT_A], FRAME), get4(row, pair[p, SLOT_B], FRAME)
        tip_a, tip_b = rotate(frame_a, part3(pair_row, p, TIP_A_H)), rotate(frame_b, part3(pair_row, p, TIP_B_H))
        put3(pair_row, p, TIP_A, tip_a)
        put3(pair_row, p, TIP_B, tip_b)
        put4(pair_row, p, TURN_A, multiply(frame_a, get4(pair_row, p, TURN_A_H)))
        put4(pair_row, p, TURN_B, multiply(frame_b, get4(pair_row, p, TURN_B_H)))
        a, b, meeting = pair[p, SLOT_A], pair[p, SLOT_B], pair[p, MEETING]
        while b != meeting:
            tip_b = add(tip_b, part3(row, b, REACH))
            b = slot[b, PARENT]
        while a != meeting:
            tip_a = add(tip_a, part3(row, a, REACH))
            a = slot[a, PARENT]
        put3(pair_row, p, GAP, sub(tip_b, tip_a))


@kernel
def note_angles(loops, coordinates):
    """ANGLES of all pairs at the knot."""
    for p in range(loops.pair.shape[0]):
        for k in range(loops.pair[p, TURN_ANGLES]):
            loops.pair_row[p, ANGLES + k] = coordinates[loops.pair[p, FIRST_ANGLE] + k]


@kernel
def evaluate_ties(row, loops, at_end):
    """At the knot KNOT_VALUE and the LEFT wrenches, or at the end of the interval VALUE and the RIGHT derivatives."""
    pair, pair_row, ray, ray_row, tie_row = loops.pair, loops.pair_row, loops.ray, loops.ray_row, loops.tie_row
    on_a, on_b, value_at = (RIGHT_A, RIGHT_B, VALUE) if at_end else (LEFT_A, LEFT_B, KNOT_VALUE)
    for t in range(tie_row.shape[0]):
        tie_row[t, value_at] = -tie_row[t, SHIFTED]
    for p in range(pair.shape[0]):
        tip_a, tip_b, gap = part3(pair_row, p, TIP_A), part3(pair_row, p, TIP_B), part3(pair_row, p, GAP)
        q_a, q_b = get4(pair_row, p, TURN_A), get4(pair_row, p, TURN_B)
        before = relative(q_a, q_b)
        if at_end:
            a, b = pair[p, SLOT_A], pair[p, SLOT_B]
            turn_a, turn_b = get4(row, a, TURN), get4(row, b, TURN)
            moved_a, moved_b = swing(turn_a, tip_a), swing(turn_b, tip_b)
            tip_a, tip_b = add(tip_a, moved_a), add(tip_b, moved_b)
            moved_a, moved_b = add(part3(row, a, SHIFT), moved_a), add(part3(row, b, SHIFT), moved_b)
            gap = add(gap, sub(moved_b, moved_a))
            q_a, q_b = multiply(turn_a, q_a), multiply(turn_b, q_b)
        reach, axes_a, turn = add(tip_a, gap), columns(q_a), relative(q_a, q_b)
        for k in range(pair[p, FIRST_RAY], pair[p, FIRST_RAY] + pair[p, RAYS]):
            value, f, t = component(pair, pair_row, p, ray[k, COMPONENT], q_a, q_b, axes_a, turn, gap, before)
            factor = ray_row[k, FACTOR]
            tie_row[ray[k, TIE], value_at] += factor * value
            f, t = scale(factor, f), scale(factor, t)
            put3(ray_row, k, on_a, scale(-1.0, f))
            put3(ray_row, k, on_a + 3, scale(-1.0, add(t, cross(reach, f))))
            put3(ray_row, k, on_b, f)
            put3(ray_row, k, on_b + 3, add(t, cross(tip_b, f)))


@kernel
def component(pair, pair_row, p, c, q_a, q_b, axes_a, turn, gap, before):
    """(value, f, t) of component c of a pair; ``turn`` is its relative turn, ``before`` that at the knot."""
    o = (0.0, 0.0, 0.0)
    kind, locked = pair[p, KIND], pair[p, PAIR_LOCKED + c] != 0
    if kind == DISTANCE:
        length = norm(gap)
        rest = pair_row[p, PARAMETER] if locked else 0.0
        return length - rest, scale(1.0 / length, gap), o
    if c < 3:
        # (B.1): t_c = E_c · (r_B − r_A)
        n = axis(axes_a, c)
        value, t = dot(n, gap), o
        if kind == SCREW and c == 2:
            pitch = pair_row[p, PARAMETER]
            value -= pitch * nearest_branch(axis_angle(turn), pair_row[p, ANGLES])
            t = scale(-pitch, rotate(q_b, axis_angle_gradient(turn)))
        return value, n, t
    if kind == UNIVERSAL:
        if c == 5:
            # the cosine between A's axis 1 and B's axis 2: δb = ζ × b for a turn ζ of B against A
            b = rotate(turn, (0.0, 1.0, 0.0))
            return b[0], o, rotate(q_a, (0.0, b[2], -b[1]))
        angles, gradients = universal_angles(turn), universal_gradients(turn)
        angle, g = (angles[0], gradients[0]) if c == 3 else (angles[1], gradients[1])
        return nearest_branch(angle, pair_row[p, ANGLES + c - 3]), o, rotate(q_b, g)
    e = unit(c - 3)
    if locked:
        # (B.3): 2 p_v · e changes by (w e + p_v×e) · ζ for a turn ζ of B against A in the axes of A
        n = combine(axes_a, axpy(turn[0], e, cross((turn[1], turn[2], turn[3]), e)))
        return 2.0 * turn[c - 2], o, n
    if pair[p, TURNS]:
        # 2 φ of the turn (s, φ) since the knot, see `mechanics.turns`
        w, x, y, z = relative(before, turn)
        sign = 1.0 if w >= 0.0 else -1.0
        phi = (sign * x, sign * y, sign * z)
        return 2.0 * phi[c - 3], o, rotate(q_b, axpy(sign * w, e, cross(e, phi)))
    angle = nearest_branch(axis_angle(turn), pair_row[p, ANGLES])
    return angle, o, rotate(q_b, axis_angle_gradient(turn))
