"""Elements in the equations of the tree: their wrenches on bodies, and how these change as the bodies move.

A force f at a point with arm r from the centre of mass is the wrench (f, r × f). A motion (y, θ) of the body of point
q, its twist carried along, moves the point by y + θ×r_q and changes its velocity by θ×u_q; in the axes of its own body,
where the derivatives of `dalembert.mechanics.reduced_derivatives` are taken, a force that stays in the world changes by
−θ×f besides. A change (y, θ) of the twist changes u_q by y + θ×r_q. [Sueda 2021] section 3.3.3.
"""

from dalembert._jit import kernel
from dalembert.mechanics.element_forces import evaluate_element, place_ports
from dalembert.mechanics.recursive_tree import add_row6, angular6, linear6
from dalembert.mechanics.reduced_loops import couple
from dalembert.model.forces import DRAG, POINT_FORCE
from dalembert.spatial.quaternion import rotate, rotate_back, row4
from dalembert.spatial.vector import cross, row3, scale, sub, unit


@kernel
def add_element_wrenches(work, position, orientation, twist, out):
    """Add the wrenches of all elements to ``out`` (n + 1, 6), force and torque at the centre of mass in world axes."""
    elements = work.elements
    for e in range(elements.code.size):
        first = elements.port_start[e]
        if elements.code[e] == DRAG:
            body = elements.port_body[first]
            turn = row4(orientation, body)
            force = _slowed(turn, row3(elements.vector[e], 0), linear6(twist, body))
            add_row6(out, body, force, _slowed(turn, row3(elements.vector[e], 1), angular6(twist, body)))
            continue
        place_ports(work, e, position, orientation, twist)
        evaluate_element(work, e, orientation, False)
        for p in range(elements.port_start[e + 1] - first):
            force = row3(work.force, p)
            add_row6(out, elements.port_body[first + p], force, cross(row3(work.arm, p), force))


@kernel
def _slowed(turn, d, u):
    """−d∘u in the axes of the body."""
    local = rotate_back(turn, u)
    return rotate(turn, (-d[0] * local[0], -d[1] * local[1], -d[2] * local[2]))


@kernel
def form_element_blocks(work, at):
    """Add the blocks of points on one body to ``at.place`` and ``at.motion``; after `start_composites`."""
    elements = work.elements
    for e in range(elements.code.size):
        first, last = elements.port_start[e], elements.port_start[e + 1]
        if elements.code[e] == DRAG:
            body = elements.port_body[first]
            turn = row4(at.orientation, body)
            for k in range(6):
                column = _slowed(turn, row3(elements.vector[e], k // 3), unit(k % 3))
                for r in range(3):
                    at.motion[body, 3 * (k // 3) + r, k] -= column[r]
            continue
        place_ports(work, e, at.position, at.orientation, at.twist)
        evaluate_element(work, e, at.orientation, True)
        for p in range(last - first):
            body = elements.port_body[first + p]
            for q in range(last - first):
                if elements.port_body[first + q] == body:
                    form_block(work, e, p, q)
                    for r in range(6):
                        for k in range(6):
                            at.place[body, r, k] += work.place[0, r, k]
                            at.motion[body, r, k] += work.motion[0, r, k]


@kernel
def couple_elements(system, work, at, by_place, by_rate):
    """Add the blocks that couple two bodies; after `fill_derivatives`."""
    elements = work.elements
    world = system.mass.size - 1
    for e in range(elements.code.size):
        first, last = elements.port_start[e], elements.port_start[e + 1]
        if last - first == 1:
            continue
        place_ports(work, e, at.position, at.orientation, at.twist)
        evaluate_element(work, e, at.orientation, True)
        for p in range(last - first):
            for q in range(last - first):
                on, by = elements.port_body[first + p], elements.port_body[first + q]
                if on != by and on != world and by != world:
                    form_block(work, e, p, q)
                    couple(system, at, on, by, work.place, work.motion, 0, by_place, by_rate)


@kernel
def form_block(work, e, p, q):
    """−∂w_p/∂(motion of the body of q) and −∂w_p/∂(its twist)."""
    arm_p, arm_q, u_q, f = row3(work.arm, p), row3(work.arm, q), row3(work.velocity, q), row3(work.force, p)
    follows = work.elements.code[e] == POINT_FORCE and work.elements.number[e, 0] != 0.0
    for k in range(6):
        moved, turned = unit(k % 3), (0.0, 0.0, 0.0)
        if k >= 3:
            turned = moved
            moved = cross(turned, arm_q)
        swept = cross(turned, u_q)
        placed, slowed = _times(work.by_place, p, q, moved), _times(work.by_rate, p, q, moved)
        along = _times(work.by_rate, p, q, swept)
        change = (-placed[0] - along[0], -placed[1] - along[1], -placed[2] - along[2])
        if p == q and not follows:
            change = sub(change, cross(f, turned))
        slower = scale(-1.0, slowed)
        torque, resisted = cross(arm_p, change), cross(arm_p, slower)
        for r in range(3):
            work.place[0, r, k] = change[r]
            work.place[0, 3 + r, k] = torque[r]
            work.motion[0, r, k] = slower[r]
            work.motion[0, 3 + r, k] = resisted[r]


@kernel
def _times(a, p, q, x):
    m = a[p, q]
    return (
        m[0, 0] * x[0] + m[0, 1] * x[1] + m[0, 2] * x[2],
        m[1, 0] * x[0] + m[1, 1] * x[1] + m[1, 2] * x[2],
        m[2, 0] * x[0] + m[2, 1] * x[1] + m[2, 2] * x[2],
    )
