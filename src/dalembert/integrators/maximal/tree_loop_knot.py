"""Links at a knot: what they carry from one interval to the next, and the velocities there.

Springs, dampers and rotors of links are ties with compliance, as in `interval_rows`; the impulses at the two ends of an
interval are Sᴸ = Λ and Sᴿ = Sᴸ + 2 I Δ/h. What acts at the knots by itself, joint forces and the springs of free
rotations, goes to the momenta of the two bodies.

Every function here takes ``loops`` None for an open tree, and then the compiler leaves nothing of it.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_block import inverse
from dalembert.integrators.maximal.tree_loop_rows import evaluate_ties, note_angles, place_pairs
from dalembert.integrators.maximal.tree_loops import (
    COMPLIANCE,
    FIRST_RAY,
    GAP,
    IMPULSE,
    KNOT_VALUE,
    LEFT_A,
    LEFT_B,
    LOCKED,
    OFFSET_E,
    OWNED,
    PAIR_JOINT,
    RAYS,
    RIGHT_A,
    RIGHT_IMPULSE,
    SLOT_A,
    SLOT_B,
    TIE,
    TIE_COMPONENT,
    TIE_DAMPING,
    TIE_JOINT,
    TIE_REST,
    TIE_ROTOR,
    TIE_STIFFNESS,
    TIP_A,
    TIP_B,
    TURN_A,
    TURN_B,
    TURNS,
    VALUE,
)
from dalembert.integrators.maximal.tree_motion import get4, get_inertia, put3
from dalembert.integrators.maximal.tree_plan import ARM, BODY, INERTIA, MASS, TARGET, WRENCH
from dalembert.mechanics.forces import turn_spring
from dalembert.mechanics.kinematics_joint import has_coordinates, read_coordinates
from dalembert.model.system import LOWER_PAIR, UNIVERSAL
from dalembert.spatial.quaternion import columns, relative, rotate, rotate_back, row4
from dalembert.spatial.vector import add, axis, axpy, components, cross, dot, part3, scale, sub


@kernel
def view_links(slot, row, loops, coordinates):
    """All pairs and ties at the knot at which the slots stand."""
    if loops is None:
        return
    place_pairs(slot, row, loops)
    note_angles(loops, coordinates)
    evaluate_ties(row, loops, False)


@kernel
def begin_links(slot, row, loops, h):
    """Compliances and offsets of an interval of length h, and the scales of all ties."""
    if loops is None:
        return
    tie_row = loops.tie_row
    for t in range(tie_row.shape[0]):
        if loops.tie[t, LOCKED]:
            tie_row[t, COMPLIANCE] = 0.0
            tie_row[t, OFFSET_E] = 0.0
            continue
        k, d, rotor = tie_row[t, TIE_STIFFNESS], tie_row[t, TIE_DAMPING], tie_row[t, TIE_ROTOR]
        a = rotor / h + 0.25 * h * k + 0.5 * d
        back = -rotor / h + 0.25 * h * k - 0.5 * d
        tie_row[t, COMPLIANCE] = 1.0 / a
        # the value of a free turn is its change since the knot
        tie_row[t, OFFSET_E] = (back * tie_row[t, KNOT_VALUE] - 0.5 * h * k * tie_row[t, TIE_REST]) / a
    set_scales(slot, row, loops, h)


@kernel
def set_scales(slot, row, loops, h):
    """|C| + |h| GᵀM⁻¹G of every tie on its own: how far it opens if only the bodies' masses hold it."""
    pair, ray, ray_row, scales = loops.pair, loops.ray, loops.ray_row, loops.scale
    n = slot.shape[0] - 1
    for t in range(scales.shape[0]):
        scales[t] = abs(loops.tie_row[t, COMPLIANCE])
    for p in range(pair.shape[0]):
        for side in range(2):
            i, at = (pair[p, SLOT_A], LEFT_A) if side == 0 else (pair[p, SLOT_B], LEFT_B)
            if i == n:
                continue
            j = get_inertia(row, i, INERTIA)
            j_inverse = inverse((j[0], j[5], j[4]), (j[5], j[1], j[3]), (j[4], j[3], j[2]))
            for k in range(pair[p, FIRST_RAY], pair[p, FIRST_RAY] + pair[p, RAYS]):
                f = part3(ray_row, k, at)
                t = sub(part3(ray_row, k, at + 3), cross(part3(row, i, ARM), f))
                answer = dot(f, f) / row[i, MASS] + dot(t, components(j_inverse, t))
                scales[ray[k, TIE]] += abs(h) * answer


@kernel
def close_interval(row, loops):
    """VALUE and RIGHT of all ties at the end of the interval, compliant ones with their offset."""
    if loops is None:
        return
    evaluate_ties(row, loops, True)
    for t in range(loops.tie_row.shape[0]):
        loops.tie_row[t, VALUE] += loops.tie_row[t, OFFSET_E]


@kernel
def violation(loops):
    """The largest violation of a constraint at the end of the interval (m or rad)."""
    if loops is None:
        return 0.0
    largest = 0.0
    for t in range(loops.tie_row.shape[0]):
        size = abs(loops.tie_row[t, VALUE])
        # written so that a NaN stays
        if loops.tie[t, LOCKED] and not size <= largest:
            largest = size
    return largest


@kernel
def note_violation(loops):
    """Keep the largest violation at the end of a step."""
    if loops is None:
        return
    loops.largest[0] = max(loops.largest[0], violation(loops))


@kernel
def noted_violation(loops):
    """The largest violation noted since the last call."""
    if loops is None:
        return 0.0
    largest = loops.largest[0]
    loops.largest[0] = 0.0
    return largest


@kernel
def leave_links(loops, h):
    """Sᴿ of the interval just solved."""
    if loops is None:
        return
    tie_row = loops.tie_row
    for t in range(tie_row.shape[0]):
        if not loops.tie[t, LOCKED]:
            change = tie_row[t, VALUE] - tie_row[t, OFFSET_E] - tie_row[t, KNOT_VALUE]
            tie_row[t, RIGHT_IMPULSE] = tie_row[t, IMPULSE] + 2.0 * tie_row[t, TIE_ROTOR] / h * change


@kernel
def arrive_links(system, slot, row, loops, coordinates):
    """At a new knot: coordinates of the links' joints, ties there, right impulses into the momenta."""
    if loops is None:
        return
    place_pairs(slot, row, loops)
    pair, pair_row = loops.pair, loops.pair_row
    for p in range(pair.shape[0]):
        j = pair[p, PAIR_JOINT]
        if pair[p, OWNED] and has_coordinates(system, j):
            q_a, q_b = get4(pair_row, p, TURN_A), get4(pair_row, p, TURN_B)
            t = rotate_back(q_a, part3(pair_row, p, GAP))
            read_coordinates(system, j, t, relative(q_a, q_b), coordinates, coordinates)
    note_angles(loops, coordinates)
    evaluate_ties(row, loops, False)
    n, pair, ray, tie = slot.shape[0] - 1, loops.pair, loops.ray, loops.tie
    for p in range(pair.shape[0]):
        for k in range(pair[p, FIRST_RAY], pair[p, FIRST_RAY] + pair[p, RAYS]):
            t = ray[k, TIE]
            if not tie[t, LOCKED]:
                impulse = loops.tie_row[t, RIGHT_IMPULSE]
                _push_ray(row, loops.ray_row, k, impulse, pair[p, SLOT_A], LEFT_A, n)
                _push_ray(row, loops.ray_row, k, impulse, pair[p, SLOT_B], LEFT_B, n)


@kernel
def _push_ray(row, ray_row, k, impulse, i, at, n):
    if i != n:
        push_slot(row, i, scale(impulse, part3(ray_row, k, at)), scale(impulse, part3(ray_row, k, at + 3)))


@kernel
def push_slot(row, i, force, torque):
    """TARGET += a wrench about the reference point of slot i."""
    put3(row, i, TARGET, add(part3(row, i, TARGET), force))
    on_body = sub(torque, cross(part3(row, i, ARM), force))
    put3(row, i, TARGET + 3, add(part3(row, i, TARGET + 3), on_body))


@kernel
def push_links(system, slot, row, loops, joint_force, half):
    """TARGET += (h/2) times joint forces and the springs of free rotations of links, see `mechanics.forces`."""
    if loops is None:
        return
    n, pair, pair_row = slot.shape[0] - 1, loops.pair, loops.pair_row
    for p in range(pair.shape[0]):
        j = pair[p, PAIR_JOINT]
        if not pair[p, OWNED]:
            continue
        start, rates = system.v_start[j], system.n_rates[j]
        idle = not (pair[p, TURNS] and (system.stiffness[j, 3] + system.stiffness[j, 4] + system.stiffness[j, 5]) > 0.0)
        for k in range(start, start + rates):
            if joint_force[k] != 0.0:
                idle = False
        if idle:
            continue
        q_a, q_b = get4(pair_row, p, TURN_A), get4(pair_row, p, TURN_B)
        axes, kind = columns(q_a), system.joint_kind[j]
        force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        k = start
        for c in range(3):
            if kind == LOWER_PAIR and not system.locked[j, c]:
                force = axpy(joint_force[k], axis(axes, c), force)
                k += 1
        left = start + rates - k
        if left == 3:
            _, spring = turn_spring(system, j, relative(q_a, q_b))
            torque = rotate(q_b, add(spring, (joint_force[k], joint_force[k + 1], joint_force[k + 2])))
        elif kind == UNIVERSAL:
            torque = axpy(joint_force[k], axes[0], scale(joint_force[k + 1], rotate(q_b, (0.0, 1.0, 0.0))))
        elif left == 1:
            torque = scale(joint_force[k], axes[2])
        force, torque = scale(half, force), scale(half, torque)
        tip_a, tip_b, gap = part3(pair_row, p, TIP_A), part3(pair_row, p, TIP_B), part3(pair_row, p, GAP)
        a, b = pair[p, SLOT_A], pair[p, SLOT_B]
        if a != n:
            push_slot(row, a, scale(-1.0, force), scale(-1.0, add(torque, cross(add(tip_a, gap), force))))
        if b != n:
            push_slot(row, b, force, add(torque, cross(tip_b, force)))


@kernel
def prepare_rates(slot, row, loops):
    """The ties of velocities at a knot: G v + C μ = 0, C = 1/I for rotors; springs and dampers let go."""
    if loops is None:
        return
    ray_row, tie, tie_row = loops.ray_row, loops.tie, loops.tie_row
    for t in range(tie_row.shape[0]):
        rotor = tie_row[t, TIE_ROTOR]
        tie_row[t, VALUE] = 0.0
        tie_row[t, COMPLIANCE] = 0.0 if tie[t, LOCKED] else (1.0 / rotor if rotor > 0.0 else 1.0)
    for k in range(ray_row.shape[0]):
        t = loops.ray[k, TIE]
        share = 0.0 if tie_row[t, TIE_ROTOR] == 0.0 and not tie[t, LOCKED] else 1.0
        for c in range(12):
            ray_row[k, LEFT_A + c] *= share
            ray_row[k, RIGHT_A + c] = ray_row[k, LEFT_A + c]
    set_scales(slot, row, loops, 1.0)


@kernel
def forget_rates(row, loops):
    """Back from velocities to the wrenches of all ties at the knot."""
    if loops is None:
        return
    evaluate_ties(row, loops, False)


@kernel
def spin_links(slot, row, loops, knot):
    """Momentum of rotors on links, from the bodies' velocities in row 0 of the history."""
    if loops is None:
        return
    n, pair, ray, ray_row = slot.shape[0] - 1, loops.pair, loops.ray, loops.ray_row
    for p in range(pair.shape[0]):
        for k in range(pair[p, FIRST_RAY], pair[p, FIRST_RAY] + pair[p, RAYS]):
            rotor = loops.tie_row[ray[k, TIE], TIE_ROTOR]
            if rotor == 0.0:
                continue
            rate = 0.0
            for side in range(2):
                i, at = (pair[p, SLOT_A], LEFT_A) if side == 0 else (pair[p, SLOT_B], LEFT_B)
                if i != n:
                    b = slot[i, BODY]
                    omega = rotate(row4(knot.orientation, b), _past(knot, b, 3))
                    velocity = sub(_past(knot, b, 0), cross(omega, part3(row, i, ARM)))
                    rate += dot(part3(ray_row, k, at), velocity) + dot(part3(ray_row, k, at + 3), omega)
            spin = rotor * rate
            for side in range(2):
                i, at = (pair[p, SLOT_A], LEFT_A) if side == 0 else (pair[p, SLOT_B], LEFT_B)
                if i != n:
                    b = slot[i, BODY]
                    force = scale(spin, part3(ray_row, k, at))
                    torque = sub(scale(spin, part3(ray_row, k, at + 3)), cross(part3(row, i, ARM), force))
                    torque = rotate_back(row4(knot.orientation, b), torque)
                    for c in range(3):
                        knot.momentum[b, c] += force[c]
                        knot.momentum[b, 3 + c] += torque[c]


@kernel
def _past(knot, b, k):
    return (knot.history[0, b, k], knot.history[0, b, k + 1], knot.history[0, b, k + 2])


@kernel
def link_impulses(slot, row, loops, multiplier):
    """Impulses of all ties into ``multiplier`` (m, 6), and out of the residual wrenches of their bodies."""
    if loops is None:
        return
    n, pair, ray, tie = slot.shape[0] - 1, loops.pair, loops.ray, loops.tie
    for t in range(tie.shape[0]):
        multiplier[tie[t, TIE_JOINT], tie[t, TIE_COMPONENT]] = loops.tie_row[t, IMPULSE]
    for p in range(pair.shape[0]):
        for k in range(pair[p, FIRST_RAY], pair[p, FIRST_RAY] + pair[p, RAYS]):
            impulse = loops.tie_row[ray[k, TIE], IMPULSE]
            for side in range(2):
                i, at = (pair[p, SLOT_A], LEFT_A) if side == 0 else (pair[p, SLOT_B], LEFT_B)
                if i != n:
                    for c in range(6):
                        row[i, WRENCH + c] -= impulse * loops.ray_row[k, at + c]
